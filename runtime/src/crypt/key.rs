//! The encryption key, and reading it from the environment.

use std::fmt;

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::{ZeroizeOnDrop, Zeroizing};

use crate::error::{FrameworkError, Result};

const KEY: usize = 32;

/// A secret of 32 bytes. It is wiped from memory when dropped, and never printed.
///
/// ```
/// use folio::Key;
///
/// let key = Key::from_base64("base64:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")?;
/// assert_eq!(format!("{key:?}"), "Key(..)");
/// # Ok::<(), folio::FrameworkError>(())
/// ```
#[derive(Clone, ZeroizeOnDrop)]
pub struct Key([u8; KEY]);

impl Key {
    /// A new random key, for tests and development: what it sealed is lost with the process.
    ///
    /// ```
    /// use folio::{Folio, Key, Keyring};
    ///
    /// let keyring = Keyring::new(Key::generate());
    /// assert_eq!(format!("{keyring:?}"), "Keyring { keys: 1 }");
    /// ```
    ///
    /// # Panics
    /// Where the operating system has no randomness to give.
    #[must_use]
    #[expect(
        clippy::expect_used,
        reason = "without randomness from the operating system there is nothing to go on with"
    )]
    pub fn generate() -> Self {
        let mut bytes = [0; KEY];
        getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
        Self(bytes)
    }

    /// A key from base64, url-safe or standard, with or without padding or a leading `base64:`.
    ///
    /// ```
    /// use folio::Key;
    ///
    /// assert!(Key::from_base64("too short").is_err());
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] where the text is not base64 of exactly 32 bytes.
    pub fn from_base64(text: &str) -> Result<Self> {
        let text = text.trim();
        let text = text.strip_prefix("base64:").unwrap_or(text);
        let alphabet = if text.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
        let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
        let bytes = GeneralPurpose::new(alphabet, config).decode(text).map(Zeroizing::new);
        let bytes = bytes.ok().and_then(|bytes| <[u8; KEY]>::try_from(bytes.as_slice()).ok());
        bytes.map(Self).ok_or_else(|| FrameworkError::internal("a key is 32 bytes in base64"))
    }

    /// A key from its bytes, which should come from a secure random source.
    ///
    /// ```
    /// let key = folio::Key::from_bytes([7; 32]);
    /// assert_eq!(format!("{key:?}"), "Key(..)");
    /// ```
    #[must_use]
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A key of 32 bytes that belongs to `info` alone.
    #[expect(clippy::expect_used, reason = "HKDF refuses only outputs of more than 8,160 bytes")]
    pub(super) fn derive(&self, info: &[u8]) -> Zeroizing<[u8; KEY]> {
        let mut derived = Zeroizing::new([0; KEY]);
        Hkdf::<Sha256>::new(None, &self.0).expand(info, derived.as_mut_slice()).expect("32 bytes is a length of HKDF");
        derived
    }
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
            assert_eq!(Key::from_base64(&text).unwrap().0, bytes, "{text}");
        }
        for text in ["", "base64:", "AAAA", &format!("{plain}AAAA"), "!!"] {
            assert_eq!(Key::from_base64(text).unwrap_err().status(), 500, "{text}");
        }
    }
}
