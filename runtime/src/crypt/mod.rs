//! Authenticated encryption: AES-256-GCM, with a separate key for each purpose.
//!
//! ```text
//! token = base64url without padding( version 1 | key id 3 | salt 16 | ciphertext | tag 16 )
//! ```
//!
//! The numbers are lengths in bytes. HKDF-SHA256 derives a key for each purpose from the application's key. From that
//! key and the salt, [C2SP's XAES-256-GCM](https://c2sp.org/XAES-256-GCM) derives a key for each message. Plain GCM
//! with a random 96-bit nonce should seal at most 2^32 messages under one key; with a key for each message there is no
//! such limit in practice.
//!
//! Version, key id, purpose and scope are authenticated with the message, so a token opens only for the purpose and
//! scope that it was sealed for.
//!
//! This module does not know what it encrypts. [`crate::cursor`] defines the payload and the scope of cursors.

use std::env::VarError;
use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use folio_plan::cursor::{Version, push_part};
use zeroize::Zeroizing;

use crate::error::{FrameworkError, Result};

mod key;
mod purpose;
mod token;

pub use self::key::Key;
pub use self::purpose::CryptPurpose;
use self::token::RingKey;
pub(crate) use self::token::{Salt, longest_message};

/// The maximum number of retired keys. More are probably a mistake, and building their ciphers takes time at startup.
const MAX_PREVIOUS: usize = 8;

/// The application's encryption keys: the current key encrypts and decrypts, retired keys only decrypt.
///
/// To rotate keys, make the new key current and pass the old one to [`with_previous`](Self::with_previous) until no
/// client has cursors that were made with it. The guide's chapter [`keys`](crate::guide::keys) describes how to rotate
/// keys without rejecting cursors.
///
/// The keys stay in memory as long as the keyring; `Debug` only prints how many there are.
///
/// ```
/// use folio::{CryptPurpose, Key, Keyring};
///
/// let (old, new) = (Key::generate(), Key::generate());
/// let token = Keyring::new(old.clone()).seal(CryptPurpose::Cursor, &[], b"here")?;
/// let keyring = Keyring::new(new).with_previous([old])?;
/// assert_eq!(keyring.open(CryptPurpose::Cursor, &[], &token)?, b"here");
/// # Ok::<(), folio::FrameworkError>(())
/// ```
#[derive(Clone)]
pub struct Keyring {
    /// The current key, then the retired ones.
    keys: Vec<RingKey>,
}

impl Keyring {
    /// Creates a keyring with a current key and no retired keys.
    ///
    /// ```
    /// use folio::{Key, Keyring};
    ///
    /// assert_eq!(format!("{:?}", Keyring::new(Key::generate())), "Keyring { keys: 1 }");
    /// ```
    #[must_use]
    pub fn new(current: Key) -> Self {
        Self { keys: vec![RingKey::new(&current)] }
    }

    /// Adds retired keys, which decrypt existing tokens but encrypt no new ones. A keyring has at most eight.
    ///
    /// ```
    /// use folio::{Key, Keyring};
    ///
    /// let keyring = Keyring::new(Key::generate()).with_previous([Key::generate()])?;
    /// assert_eq!(format!("{keyring:?}"), "Keyring { keys: 2 }");
    ///
    /// let nine = (0..9).map(|_| Key::generate());
    /// assert!(Keyring::new(Key::generate()).with_previous(nine).is_err());
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if the keyring would have more than eight retired keys.
    pub fn with_previous(mut self, keys: impl IntoIterator<Item = Key>) -> Result<Self> {
        for key in keys {
            if self.keys.len() > MAX_PREVIOUS {
                return Err(FrameworkError::internal(format!("a keyring holds at most {MAX_PREVIOUS} previous keys")));
            }
            self.keys.push(RingKey::new(&key));
        }
        Ok(self)
    }

    /// Reads the keys from the environment: the current one from `APP_KEY`, and up to eight retired ones, separated by
    /// commas, from `APP_PREVIOUS_KEYS`.
    ///
    /// Each key is 32 random bytes in base64, in any form that [`Key::from_base64`] accepts. To create one, run
    /// `openssl rand -base64 32`. Empty entries of `APP_PREVIOUS_KEYS` are ignored.
    ///
    /// ```
    /// // `APP_KEY` is not set in this process.
    /// let error = folio::Keyring::from_env().unwrap_err();
    /// assert_eq!(error.status(), 500);
    /// assert!(error.to_string().starts_with("APP_KEY is not set"));
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if `APP_KEY` is missing, a key is not 32 bytes in base64, or a variable is not
    /// valid UTF-8. The error names the variable.
    pub fn from_env() -> Result<Self> {
        let current = variable("APP_KEY")?.ok_or_else(|| {
            FrameworkError::internal(
                "APP_KEY is not set: set it to 32 random bytes in base64, as `openssl rand -base64 32` creates them",
            )
        })?;
        let retired = variable("APP_PREVIOUS_KEYS")?.unwrap_or_default();
        let retired = retired.split(',').filter(|text| !text.trim().is_empty());
        let retired = retired.map(|text| named_key("APP_PREVIOUS_KEYS", text)).collect::<Result<Vec<_>>>()?;
        Self::new(named_key("APP_KEY", &current)?).with_previous(retired)
    }

    /// Encrypts `plaintext` for a purpose and a scope. The result is URL-safe base64 without padding, 48 characters
    /// longer than the plaintext alone would be.
    ///
    /// The scope is what the token is bound to, such as a table and a column. It is authenticated but not part of the
    /// token, so [`open`](Self::open) needs the same scope. The lengths of the parts count: `[b"ab"]` and `[b"a",
    /// b"b"]` are different scopes. Each token contains a random salt, so two calls return different tokens.
    ///
    /// ```
    /// use folio::{CryptPurpose, Key, Keyring};
    ///
    /// let keyring = Keyring::new(Key::generate());
    /// let token = keyring.seal(CryptPurpose::Cast, &[b"users", b"phone"], b"+1 555 0100")?;
    /// assert_eq!(keyring.open(CryptPurpose::Cast, &[b"users", b"phone"], &token)?, b"+1 555 0100");
    /// assert!(keyring.open(CryptPurpose::Cast, &[b"users", b"email"], &token).is_err());
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if the operating system provides no random bytes.
    pub fn seal(&self, purpose: CryptPurpose, scope: &[&[u8]], plaintext: &[u8]) -> Result<String> {
        let [salt] = Salt::fresh()?;
        self.seal_in(Version::One, salt, purpose, &encoded(scope), plaintext)
    }

    /// Same as [`seal`](Self::seal), with a given version and salt, and a scope that was encoded with [`push_part`].
    pub(crate) fn seal_in(
        &self,
        version: Version,
        salt: Salt,
        purpose: CryptPurpose,
        scope: &[u8],
        plaintext: &[u8],
    ) -> Result<String> {
        let token = self.keys.first().and_then(|current| current.seal(version, salt, purpose, scope, plaintext));
        let token = token.ok_or_else(|| FrameworkError::internal("the value could not be sealed"))?;
        Ok(URL_SAFE_NO_PAD.encode(token))
    }

    /// Decrypts a token from [`seal`](Self::seal) that was made for the same purpose and scope, with any key of the
    /// keyring.
    ///
    /// ```
    /// use folio::{CryptPurpose, Key, Keyring};
    ///
    /// let keyring = Keyring::new(Key::generate());
    /// let token = keyring.seal(CryptPurpose::Cursor, &[], b"here")?;
    /// assert_eq!(keyring.open(CryptPurpose::Cursor, &[], &token)?, b"here");
    ///
    /// let error = keyring.open(CryptPurpose::Cursor, &[], "forged").unwrap_err();
    /// assert_eq!((error.status(), error.to_string().as_str()), (400, "Invalid pagination cursor"));
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Domain`], 400, if the token is malformed or altered, or was made for another purpose or scope,
    /// or with a key that the keyring does not have. The error does not reveal which.
    pub fn open(&self, purpose: CryptPurpose, scope: &[&[u8]], token: &str) -> Result<Vec<u8>> {
        self.open_in(purpose, &encoded(scope), token)
    }

    /// Same as [`open`](Self::open), with a scope that was encoded with [`push_part`].
    pub(crate) fn open_in(&self, purpose: CryptPurpose, scope: &[u8], token: &str) -> Result<Vec<u8>> {
        let token = URL_SAFE_NO_PAD.decode(token).ok();
        let opened = token.and_then(|token| self.keys.iter().find_map(|key| key.open(&token, purpose, scope)));
        Ok(opened.ok_or_else(|| purpose.refusal())?)
    }
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyring").field("keys", &self.keys.len()).finish()
    }
}

/// The value of an environment variable; `None` if it is not set.
fn variable(name: &str) -> Result<Option<Zeroizing<String>>> {
    match std::env::var(name) {
        Ok(value) => Ok(Some(Zeroizing::new(value))),
        Err(VarError::NotPresent) => Ok(None),
        // The error contains the value, which is secret.
        Err(VarError::NotUnicode(_)) => Err(FrameworkError::internal(format!(
            "{name} is not valid UTF-8: write its keys in base64, separated by commas if there are several"
        ))),
    }
}

/// A key from an environment variable. An error names the variable, but not its value.
fn named_key(variable: &str, text: &str) -> Result<Key> {
    Key::from_base64(text).map_err(|error| FrameworkError::internal(format!("{variable}: {error}")))
}

/// The parts of a scope, each after its length.
fn encoded(scope: &[&[u8]]) -> Vec<u8> {
    let mut data = Vec::with_capacity(128);
    for part in scope {
        push_part(&mut data, &[part]);
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fixed key, salt and scope give a fixed token, because tokens from earlier versions have to remain valid.
    #[test]
    fn known_answer() {
        let key = Key::from_bytes(std::array::from_fn(|i| u8::try_from(i).unwrap()));
        let salt = std::array::from_fn(|i| u8::try_from(0xf0 + i).unwrap());
        let keyring = Keyring::new(key);
        let scope: &[&[u8]] = &[b"posts", b"id"];
        let token = keyring
            .seal_in(Version::One, Salt(salt), CryptPurpose::Cursor, &encoded(scope), br#"["next",["BigInt",42]]  "#)
            .unwrap();
        assert_eq!(token, "Afe19fDx8vP09fb3-Pn6-_z9_v9fX9cIN3HxZ0jYskB30RXqfBYhbd2a0NHjawJ18k1ihheviRrkjuFE");
        assert_eq!(keyring.open(CryptPurpose::Cursor, scope, &token).unwrap(), br#"["next",["BigInt",42]]  "#);
    }

    #[test]
    fn a_ring_holds_one_key_and_eight_previous() {
        let ring = |n: usize| Keyring::new(Key::generate()).with_previous((0..n).map(|_| Key::generate()));
        assert_eq!(ring(8).unwrap().keys.len(), 9);
        assert!(ring(9).is_err());
    }

    #[test]
    fn the_longest_message_just_fits() {
        let keyring = Keyring::new(Key::generate());
        for characters in [48, 100, 2_080, 5_600] {
            let longest = longest_message(characters);
            let length = |message: usize| keyring.seal(CryptPurpose::Cursor, &[], &vec![0; message]).unwrap().len();
            assert_eq!(length(longest), characters);
            assert!(length(longest + 1) > characters);
        }
    }

    #[test]
    fn nothing_prints_a_key() {
        let key = Key::from_bytes([0xab; 32]);
        let shown = format!("{key:?} {:?}", Keyring::new(key.clone()));
        assert_eq!(shown, "Key(..) Keyring { keys: 1 }");
    }
}
