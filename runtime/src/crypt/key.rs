//! The encryption key: 32 secret bytes.
//!
//! A [`Key`] never encrypts anything itself. [`Key::derive`] derives the keys that do, one for each purpose.

use std::fmt;

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::error::{FrameworkError, Result};

/// The length of a key, in bytes: that of AES-256.
const KEY: usize = 32;

/// An encryption key of 32 bytes.
///
/// The bytes are wiped from memory when the key is dropped. `Debug` does not print them, and there is no method that
/// returns them.
///
/// ```
/// use folio::Key;
///
/// let key = Key::from_base64("base64:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")?;
/// assert_eq!(format!("{key:?}"), "Key(..)");
/// # Ok::<(), folio::FrameworkError>(())
/// ```
#[derive(Clone)]
pub struct Key(Zeroizing<[u8; KEY]>);

impl Key {
    /// Creates a random key, for tests and development.
    ///
    /// The key exists only in this process, so cursors become invalid when it restarts, and other processes reject
    /// them. A service reads its key with [`Keyring::from_env`](crate::Keyring::from_env).
    ///
    /// ```
    /// use folio::{CryptPurpose, Key, Keyring};
    ///
    /// let (one, other) = (Keyring::new(Key::generate()), Keyring::new(Key::generate()));
    /// let token = one.seal(CryptPurpose::Cursor, &[], b"here")?;
    /// assert!(one.open(CryptPurpose::Cursor, &[], &token).is_ok());
    /// assert!(other.open(CryptPurpose::Cursor, &[], &token).is_err());
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    ///
    /// # Panics
    /// If the operating system provides no random bytes.
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "without random bytes from the operating system there is no safe way to continue"
    )]
    pub fn generate() -> Self {
        let mut bytes = Zeroizing::new([0; KEY]);
        getrandom::fill(bytes.as_mut_slice()).expect("the operating system provides random bytes");
        Self(bytes)
    }

    /// Reads a key of 32 bytes from base64. The standard and the URL-safe alphabet are accepted, with or without
    /// padding, and with or without the prefix `base64:` that Laravel writes. Surrounding whitespace is ignored.
    ///
    /// ```
    /// use folio::Key;
    ///
    /// assert!(Key::from_base64("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8").is_ok());
    /// assert!(Key::from_base64("base64:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=").is_ok());
    ///
    /// let error = Key::from_base64("c2hvcnQ=").unwrap_err();
    /// let told = "a key is 32 bytes in base64, and this one has 5: create one with `openssl rand -base64 32`";
    /// assert_eq!(error.to_string(), told);
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if the text is not the base64 of exactly 32 bytes. The error says how many it has,
    /// and does not contain the text.
    pub fn from_base64(text: &str) -> Result<Self> {
        let text = text.trim();
        let text = text.strip_prefix("base64:").unwrap_or(text);
        let alphabet = if text.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
        let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
        let decoded = GeneralPurpose::new(alphabet, config).decode(text).map(Zeroizing::new);
        let bytes = decoded.map_err(|_| not_a_key_error("this text is not base64"))?;
        let key = bytes.as_slice().try_into().map_err(|_| not_a_key_error(&format!("this one has {}", bytes.len())))?;
        Ok(Self(Zeroizing::new(key)))
    }

    /// Creates a key from its bytes, for applications that read it from a secret store.
    ///
    /// The bytes have to come from a cryptographically secure random source. Do not use a password or other text
    /// directly; derive a key from it with a password hash. Your copy of the bytes is not wiped.
    ///
    /// ```
    /// use folio::{CryptPurpose, Key, Keyring};
    ///
    /// let bytes = [7; 32]; // in a test; elsewhere: 32 random bytes
    /// let token = Keyring::new(Key::from_bytes(bytes)).seal(CryptPurpose::Cursor, &[], b"here")?;
    /// assert_eq!(Keyring::new(Key::from_bytes(bytes)).open(CryptPurpose::Cursor, &[], &token)?, b"here");
    /// # Ok::<(), folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Derives a key of 32 bytes for `info` with HKDF-SHA256 (RFC 5869).
    #[expect(clippy::expect_used, reason = "HKDF refuses only outputs of more than 8,160 bytes")]
    pub(super) fn derive(&self, info: &[u8]) -> Zeroizing<[u8; KEY]> {
        let mut derived = Zeroizing::new([0; KEY]);
        Hkdf::<Sha256>::new(None, self.0.as_slice())
            .expand(info, derived.as_mut_slice())
            .expect("HKDF can output 32 bytes");
        derived
    }
}

/// The error for a text that is not a key. It does not contain the text.
fn not_a_key_error(why: &str) -> FrameworkError {
    FrameworkError::internal(format!(
        "a key is {KEY} bytes in base64, and {why}: create one with `openssl rand -base64 {KEY}`"
    ))
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

#[cfg(test)]
mod tests {
    use base64::engine::general_purpose::{STANDARD as PADDED, URL_SAFE_NO_PAD};

    use super::*;

    #[test]
    fn keys_are_read_in_every_spelling() {
        let bytes = [0xfb; KEY];
        let (plain, url) = (PADDED.encode(bytes), URL_SAFE_NO_PAD.encode(bytes));
        for text in [
            plain.clone(),
            format!("base64:{plain}"),
            plain.trim_end_matches('=').into(),
            url.clone(),
            format!(" {url}\n"),
        ] {
            assert_eq!(*Key::from_base64(&text).unwrap().0, bytes, "{text}");
        }
        for (text, why) in [
            ("", "this one has 0:"),
            ("base64:", "this one has 0:"),
            ("AAAA", "this one has 3:"),
            (&format!("{}AAAA", PADDED.encode([0xfb; 33])), "this one has 36:"),
            (&format!("{plain}AAAA"), "this text is not base64:"),
            ("!!", "this text is not base64:"),
        ] {
            let error = Key::from_base64(text).unwrap_err();
            assert_eq!(error.status(), 500, "{text}");
            assert!(error.to_string().contains(why), "{text}: {error}");
        }
    }
}
