//! The body of an error response.

use serde::Serialize;

use crate::error::FrameworkError;

/// The JSON body of an error response: `{"message": …}`.
///
/// The message of a 4xx is the error's text. The message of a 5xx is always `Internal Server Error`, so log the error
/// yourself. [`FrameworkError::status`] is the status to send.
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
    /// What went wrong, for the client.
    pub message: String,
}

/// The message of every 5xx.
pub(super) const INTERNAL: &str = "Internal Server Error";

impl From<&FrameworkError> for ErrorBody {
    fn from(error: &FrameworkError) -> Self {
        Self { message: public_message(error).unwrap_or_else(|| INTERNAL.to_owned()) }
    }
}

/// The message for clients; `None` if the error is a 5xx.
pub(super) fn public_message(error: &FrameworkError) -> Option<String> {
    (status(error) < 500).then(|| error.to_string())
}

/// The status to respond with. A number that is not a final status is a mistake of the application, and becomes 500.
pub(super) fn status(error: &FrameworkError) -> u16 {
    match error.status() {
        status @ 200..=599 => status,
        _ => 500,
    }
}
