//! Seals and opens: AES-256-GCM under keys that belong to one purpose each.
//!
//! ```text
//! token = base64url without padding( version 1 | key id 3 | salt 16 | ciphertext | tag 16 )
//! ```
//!
//! A purpose's key comes from the ring's key by HKDF-SHA256, a message's key from that and the salt as in C2SP's
//! XAES-256-GCM, so that random salts never run out. What a token was sealed for (version, key, purpose, scope) is
//! authenticated with it: a token opens where it was meant to, and nowhere else.

use std::env::VarError;
use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use xaes_256_gcm::aead::{AeadInOut as _, KeyInit as _};
use xaes_256_gcm::{Nonce, Tag, Xaes256Gcm};
use zeroize::{Zeroize as _, Zeroizing};

use crate::error::{FrameworkError, Result};

mod key;
pub use key::Key;

const VERSION: u8 = 1;
const KEY_ID: usize = 3;
const SALT: usize = 16;
const TAG: usize = 16;
/// XAES takes 24 bytes: the salt, then zeros. 128 random bits are enough for a message.
const NONCE: usize = 24;
const HEADER: usize = 1 + KEY_ID;
/// What a token holds besides the ciphertext.
const OVERHEAD: usize = HEADER + SALT + TAG;
const _: () = assert!(SALT <= NONCE && OVERHEAD.is_multiple_of(12), "a padded token has one spelling in base64");

/// More retired keys than this are a mistake, and each costs time at start.
const MAX_PREVIOUS: usize = 8;

/// What makes the key of one message, and so is used for one message only.
#[derive(Debug)]
pub(crate) struct Salt([u8; SALT]);

impl Salt {
    /// New salts, drawn together: the operating system takes as long for two as for one, and that is a good part of
    /// what it takes to seal.
    pub(crate) fn fresh<const N: usize>() -> Result<[Self; N]> {
        let mut salts = [[0; SALT]; N];
        getrandom::fill(salts.as_flattened_mut())
            .map_err(|error| FrameworkError::internal(format!("no random salt: {error}")))?;
        Ok(salts.map(Self))
    }
}

/// What a sealed value is for. A value sealed for one purpose does not open for another.
///
/// ```
/// use folio::{CryptPurpose, Key, Keyring};
///
/// let keyring = Keyring::new(Key::generate());
/// let token = keyring.seal(CryptPurpose::Cookie, &[b"session"], b"user 7")?;
/// assert_eq!(keyring.open(CryptPurpose::Cookie, &[b"session"], &token)?, b"user 7");
/// assert_eq!(keyring.open(CryptPurpose::Cursor, &[b"session"], &token).unwrap_err().status(), 400);
/// # Ok::<(), folio::FrameworkError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CryptPurpose {
    /// A pagination cursor.
    Cursor,
    /// A cookie.
    Cookie,
    /// The secret of a second factor.
    TwoFactorSecret,
    /// The recovery codes of a second factor.
    TwoFactorRecovery,
    /// An encrypted column.
    Cast,
}

impl CryptPurpose {
    const ALL: [Self; 5] = [Self::Cursor, Self::Cookie, Self::TwoFactorSecret, Self::TwoFactorRecovery, Self::Cast];

    /// The name that the purpose's key is derived from, and that each of its tokens is bound to.
    const fn label(self) -> &'static str {
        match self {
            Self::Cursor => "cursor",
            Self::Cookie => "cookie",
            Self::TwoFactorSecret => "two-factor-secret",
            Self::TwoFactorRecovery => "two-factor-recovery",
            Self::Cast => "cast",
        }
    }

    /// The one answer to every token that does not open.
    fn refusal(self) -> FrameworkError {
        match self {
            Self::Cursor => FrameworkError::invalid_cursor(),
            _ => FrameworkError::Domain { message: "Invalid sealed value".into(), status_code: 400 },
        }
    }
}

/// One key of the ring: its id and, for each purpose, its cipher, built once.
#[derive(Clone)]
struct RingKey {
    id: [u8; KEY_ID],
    ciphers: [Xaes256Gcm; CryptPurpose::ALL.len()],
}

impl RingKey {
    fn new(key: &Key) -> Self {
        let [a, b, c, ..] = *key.derive(b"key-id");
        let cipher = |purpose: CryptPurpose| {
            let key = key.derive(format!("purpose:{}", purpose.label()).as_bytes());
            Xaes256Gcm::new((&*key).into())
        };
        Self { id: [a, b, c], ciphers: CryptPurpose::ALL.map(cipher) }
    }

    #[expect(clippy::indexing_slicing, reason = "there is a cipher for each purpose, in their order")]
    fn cipher(&self, purpose: CryptPurpose) -> &Xaes256Gcm {
        &self.ciphers[purpose as usize]
    }

    fn header(&self) -> [u8; HEADER] {
        let [a, b, c] = self.id;
        [VERSION, a, b, c]
    }
}

/// The keys that seal and open: one that seals, and retired ones that still open.
///
/// To change the key, make the new one current and hand the old one to [`with_previous`](Self::with_previous) until
/// what it sealed has run out.
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
    /// The sealing key first.
    keys: Vec<RingKey>,
}

impl Keyring {
    /// A ring of one key.
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

    /// The ring with retired keys, which open but do not seal. At most eight.
    ///
    /// ```
    /// use folio::{Key, Keyring};
    ///
    /// let keyring = Keyring::new(Key::generate()).with_previous([Key::generate()])?;
    /// assert_eq!(format!("{keyring:?}"), "Keyring { keys: 2 }");
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] with more than eight.
    pub fn with_previous(mut self, keys: impl IntoIterator<Item = Key>) -> Result<Self> {
        for key in keys {
            if self.keys.len() > MAX_PREVIOUS {
                return Err(FrameworkError::internal(format!("a keyring holds at most {MAX_PREVIOUS} previous keys")));
            }
            self.keys.push(RingKey::new(&key));
        }
        Ok(self)
    }

    /// The ring of the environment: `APP_KEY`, and `APP_PREVIOUS_KEYS` separated by commas.
    ///
    /// ```
    /// // As long as `APP_KEY` is not set:
    /// assert_eq!(folio::Keyring::from_env().unwrap_err().status(), 500);
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if `APP_KEY` is missing, a key is not 32 bytes in base64, or a variable is not
    /// valid UTF-8. The error names the variable.
    pub fn from_env() -> Result<Self> {
        let current = variable("APP_KEY")?.ok_or_else(|| {
            FrameworkError::internal("APP_KEY is not set: it takes 32 random bytes in base64 (openssl rand -base64 32)")
        })?;
        let previous = variable("APP_PREVIOUS_KEYS")?.unwrap_or_default();
        let previous = previous.split(',').filter(|text| !text.trim().is_empty());
        let previous: Result<Vec<Key>> = previous.map(|text| named_key("APP_PREVIOUS_KEYS", text)).collect();
        Self::new(named_key("APP_KEY", &current)?).with_previous(previous?)
    }

    /// Seals `plaintext` for a purpose and a scope, into url-safe text.
    ///
    /// The scope is what the token is bound to, such as a table and its key; it is authenticated, not contained.
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
    /// [`FrameworkError::Internal`] where the operating system has no randomness to give.
    pub fn seal(&self, purpose: CryptPurpose, scope: &[&[u8]], plaintext: &[u8]) -> Result<String> {
        let [salt] = Salt::fresh()?;
        self.seal_in(salt, purpose, &parts(scope), plaintext)
    }

    /// As [`seal`](Self::seal), with the parts of the scope put together by [`push_part`].
    pub(crate) fn seal_in(
        &self,
        Salt(salt): Salt,
        purpose: CryptPurpose,
        scope: &[u8],
        plaintext: &[u8],
    ) -> Result<String> {
        let sealing = || FrameworkError::internal("the value could not be sealed");
        let key = self.keys.first().ok_or_else(sealing)?;
        let header = key.header();
        let mut token = Vec::with_capacity(OVERHEAD.saturating_add(plaintext.len()));
        token.extend_from_slice(&header);
        token.extend_from_slice(&salt);
        token.extend_from_slice(plaintext);
        let message = token.get_mut(HEADER + SALT..).ok_or_else(sealing)?;
        let aad = associated_data(&header, purpose, scope);
        let tag = key.cipher(purpose).encrypt_inout_detached(&nonce(salt), &aad, message.into());
        token.extend_from_slice(&tag.map_err(|_| sealing())?);
        Ok(URL_SAFE_NO_PAD.encode(token))
    }

    /// Opens what [`seal`](Self::seal) made for the same purpose and scope.
    ///
    /// ```
    /// use folio::{CryptPurpose, Key, Keyring};
    ///
    /// let error = Keyring::new(Key::generate()).open(CryptPurpose::Cursor, &[], "forged").unwrap_err();
    /// assert_eq!(error.to_string(), "Invalid pagination cursor");
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Domain`] with status 400, the same for every token that does not open.
    pub fn open(&self, purpose: CryptPurpose, scope: &[&[u8]], token: &str) -> Result<Vec<u8>> {
        self.open_in(purpose, &parts(scope), token)
    }

    /// As [`open`](Self::open), with the parts of the scope put together by [`push_part`].
    pub(crate) fn open_in(&self, purpose: CryptPurpose, scope: &[u8], token: &str) -> Result<Vec<u8>> {
        let token = URL_SAFE_NO_PAD.decode(token).map_err(|_| purpose.refusal())?;
        self.open_bytes(purpose, scope, &token).ok_or_else(|| purpose.refusal())
    }

    fn open_bytes(&self, purpose: CryptPurpose, scope: &[u8], token: &[u8]) -> Option<Vec<u8>> {
        let (header, rest) = token.split_first_chunk::<HEADER>()?;
        let (salt, rest) = rest.split_first_chunk::<SALT>()?;
        let (ciphertext, tag) = rest.split_last_chunk::<TAG>()?;
        let aad = associated_data(header, purpose, scope);
        // Ids are short, so two keys of a ring may share one.
        self.keys.iter().filter(|key| key.header() == *header).find_map(|key| {
            let mut message = ciphertext.to_vec();
            let opened = key.cipher(purpose).decrypt_inout_detached(
                &nonce(*salt),
                &aad,
                message.as_mut_slice().into(),
                &Tag::from(*tag),
            );
            if opened.is_err() {
                message.zeroize();
            }
            opened.is_ok().then_some(message)
        })
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
        // The error holds the value, which is secret.
        Err(VarError::NotUnicode(_)) => Err(FrameworkError::internal(format!(
            "{name} is not valid UTF-8: write its keys in base64, separated by commas if there are several"
        ))),
    }
}

/// A key from a variable, which an error names.
fn named_key(variable: &str, text: &str) -> Result<Key> {
    Key::from_base64(text).map_err(|error| FrameworkError::internal(format!("{variable}: {error}")))
}

fn nonce(salt: [u8; SALT]) -> Nonce {
    let mut nonce = [0; NONCE];
    for (byte, salt) in nonce.iter_mut().zip(salt) {
        *byte = salt;
    }
    nonce.into()
}

/// Header, purpose and scope.
fn associated_data(header: &[u8], purpose: CryptPurpose, scope: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(scope.len().saturating_add(64));
    push_part(&mut data, &[header]);
    push_part(&mut data, &[purpose.label().as_bytes()]);
    data.extend_from_slice(scope);
    data
}

/// Parts of a scope, one after another.
fn parts(scope: &[&[u8]]) -> Vec<u8> {
    let mut data = Vec::with_capacity(128);
    for part in scope {
        push_part(&mut data, &[part]);
    }
    data
}

/// Puts a part, which may be given in pieces, behind its length, so that no two lists of parts look alike.
pub(crate) fn push_part(data: &mut Vec<u8>, pieces: &[&[u8]]) {
    let length = pieces.iter().map(|piece| piece.len() as u64).fold(0, u64::saturating_add);
    data.extend_from_slice(&length.to_be_bytes());
    for piece in pieces {
        data.extend_from_slice(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The token of a fixed key, salt and scope: what was sealed yesterday must open tomorrow.
    #[test]
    fn known_answer() {
        let key = Key::from_bytes(std::array::from_fn(|i| u8::try_from(i).unwrap()));
        let salt = std::array::from_fn(|i| u8::try_from(0xf0 + i).unwrap());
        let keyring = Keyring::new(key);
        let scope: &[&[u8]] = &[b"posts", b"id"];
        let token =
            keyring.seal_in(Salt(salt), CryptPurpose::Cursor, &parts(scope), br#"["next",["BigInt",42]]  "#).unwrap();
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
    fn nothing_prints_a_key() {
        let key = Key::from_bytes([0xab; 32]);
        let shown = format!("{key:?} {:?}", Keyring::new(key.clone()));
        assert_eq!(shown, "Key(..) Keyring { keys: 1 }");
    }
}
