//! The purposes of encrypted values.

use crate::error::Refusal;

/// The purpose of an encrypted value. A value that was encrypted for one purpose cannot be decrypted for another.
///
/// Each purpose has its own key, derived from the application's key. folio itself uses [`Cursor`](Self::Cursor); the
/// others are for applications that keep one key for everything they encrypt.
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
    /// The value of a cookie.
    Cookie,
    /// The shared secret of a second factor, such as TOTP.
    TwoFactorSecret,
    /// The recovery codes of a second factor.
    TwoFactorRecovery,
    /// The value of an encrypted database column.
    Cast,
}

impl CryptPurpose {
    /// All purposes, in order of declaration. Each key of a keyring has a cipher for each.
    pub(super) const ALL: [Self; 5] =
        [Self::Cursor, Self::Cookie, Self::TwoFactorSecret, Self::TwoFactorRecovery, Self::Cast];

    /// The label from which the purpose's key is derived. It is also authenticated with each token.
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Cursor => "cursor",
            Self::Cookie => "cookie",
            Self::TwoFactorSecret => "two-factor-secret",
            Self::TwoFactorRecovery => "two-factor-recovery",
            Self::Cast => "cast",
        }
    }

    /// The error for every token that does not open. It does not reveal why.
    pub(super) fn refusal(self) -> Refusal {
        match self {
            Self::Cursor => Refusal::InvalidCursor,
            _ => Refusal::InvalidSealedValue,
        }
    }
}
