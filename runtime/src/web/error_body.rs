//! The body of an error response.

use serde::Serialize;

use crate::error::FrameworkError;

/// The JSON body of an error response: `{"message": …}`, and for a parameter of the request that is not valid, also
/// `"parameter"` with its name and `"allowed"` with the values that can be listed.
///
/// The message of a 4xx is the error's text, and so is that of [`TimedOut`](FrameworkError::TimedOut), a 503. The
/// message of any other 5xx is always `Internal Server Error`, so log the error yourself. [`FrameworkError::status`] is the status to send.
///
/// ```
/// use folio::{ErrorBody, FrameworkError};
///
/// let error = FrameworkError::Domain { message: "this list is closed".into(), status_code: 410 };
/// let body = serde_json::to_string(&ErrorBody::from(&error))?;
/// assert_eq!(body, r#"{"message":"this list is closed"}"#);
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let error = folio::ActiveRequest::new("?per_page=many").scope(async { folio::PerPage::from_request(15, 100) });
/// let body = serde_json::to_string(&ErrorBody::from(&error.await.unwrap_err()))?;
/// assert_eq!(body, r#"{"message":"`per_page` is a number from 1 to 100","parameter":"per_page"}"#);
/// # serde_json::Result::Ok(()) })?;
///
/// let error = FrameworkError::Internal { message: "no keyring".into() };
/// assert_eq!(ErrorBody::from(&error).message, "Internal Server Error");
/// # serde_json::Result::Ok(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorBody {
    /// What went wrong, for the client.
    pub message: String,
    /// The parameter of the request that is not valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// The values of the parameter that are allowed, if they can be listed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
}

/// The message of a 5xx whose text is not for clients.
pub(super) const INTERNAL: &str = "Internal Server Error";

impl From<&FrameworkError> for ErrorBody {
    fn from(error: &FrameworkError) -> Self {
        let message = public_message(error).unwrap_or_else(|| INTERNAL.to_owned());
        let (parameter, allowed) = error.parameter().unzip();
        Self { message, parameter: parameter.map(str::to_owned), allowed: allowed.unwrap_or_default().to_vec() }
    }
}

/// The message for clients; `None` if the text is only for the log.
pub(super) fn public_message(error: &FrameworkError) -> Option<String> {
    let is_public = status(error) < 500 || matches!(error, FrameworkError::TimedOut { .. });
    is_public.then(|| error.to_string())
}

/// The status to respond with. A number that is not a final status is a mistake of the application, and becomes 500.
pub(super) fn status(error: &FrameworkError) -> u16 {
    match error.status() {
        status @ 200..=599 => status,
        _ => 500,
    }
}
