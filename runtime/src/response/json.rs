//! JSON as it goes out, and what a client is told of an error.

use serde::Serialize;

use crate::error::FrameworkError;

/// The body of an error: `{"message": …}`.
///
/// The text of a 4xx is meant for the client. A 5xx says `Internal Server Error` and no more: its cause is for the log.
///
/// ```
/// use folio::{ErrorBody, FrameworkError};
///
/// let error = FrameworkError::ParamError { param_name: "per_page".into() };
/// let body = serde_json::to_string(&ErrorBody::from(&error))?;
/// assert_eq!(body, r#"{"message":"invalid parameter `per_page`"}"#);
///
/// let error = FrameworkError::Internal { message: "no keyring".into() };
/// assert_eq!(ErrorBody::from(&error).message, "Internal Server Error");
/// # serde_json::Result::Ok(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ErrorBody {
    /// What the client is told.
    pub message: String,
}

/// All that a client is told of a failure that is not its own.
pub(super) const INTERNAL: &str = "Internal Server Error";

impl From<&FrameworkError> for ErrorBody {
    fn from(error: &FrameworkError) -> Self {
        Self { message: public_message(error).unwrap_or_else(|| INTERNAL.to_owned()) }
    }
}

/// The message of an error for clients; `None` if it is only for the log.
pub(super) fn public_message(error: &FrameworkError) -> Option<String> {
    (status(error) < 500).then(|| error.to_string())
}

/// The status that an error is answered with. A number that ends no request was given by mistake: that is ours.
pub(super) fn status(error: &FrameworkError) -> u16 {
    match error.status() {
        status @ 200..=599 => status,
        _ => 500,
    }
}
