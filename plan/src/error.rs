//! The error of this crate.

/// folio is used incorrectly. The text says what to write instead, and is meant for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Misuse(String);

impl Misuse {
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// A `Result` with [`Misuse`] as its default error type.
pub type Result<T, E = Misuse> = std::result::Result<T, E>;
