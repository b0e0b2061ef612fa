//! Errors as JSON:API has them.

use serde::ser::{Serialize, Serializer};

use crate::error::FrameworkError;
use crate::response::json::{self, INTERNAL, public_message};

/// An error that is answered with an error object of JSON:API.
///
/// A handler that returns `Result<_, JsonApiError>` uses `?` on whatever folio and sqlx return. As everywhere, the text
/// of a 4xx is for the client, and a 5xx says no more than that it is one.
///
/// ```
/// use folio::{FrameworkError, JsonApiError};
/// use serde_json::json;
///
/// let error = JsonApiError::from(FrameworkError::ParamError { param_name: "page[size]".into() });
/// let expected = json!({ "errors": [{
///     "status": "400",
///     "title": "Bad Request",
///     "detail": "invalid parameter `page[size]`",
///     "source": { "parameter": "page[size]" },
/// }] });
/// assert_eq!(serde_json::to_value(&error)?, expected);
///
/// let error = JsonApiError::from(FrameworkError::Internal { message: "no keyring".into() });
/// let expected = json!({ "errors": [{ "status": "500", "title": "Internal Server Error" }] });
/// assert_eq!(serde_json::to_value(&error)?, expected);
/// # serde_json::Result::Ok(())
/// ```
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct JsonApiError(#[from] FrameworkError);

impl JsonApiError {
    /// What happened.
    ///
    /// ```
    /// use folio::{FrameworkError, JsonApiError};
    ///
    /// let error = JsonApiError::from(FrameworkError::Internal { message: "no keyring".into() });
    /// assert_eq!(error.cause().status(), 500);
    /// ```
    #[must_use]
    pub fn cause(&self) -> &FrameworkError {
        &self.0
    }
}

impl From<sqlx::Error> for JsonApiError {
    fn from(error: sqlx::Error) -> Self {
        Self(error.into())
    }
}

/// The document.
#[derive(serde::Serialize)]
struct Document<'a> {
    errors: [Object<'a>; 1],
}

/// An error object.
#[derive(serde::Serialize)]
struct Object<'a> {
    status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source<'a>>,
}

/// What in the request was at fault.
#[derive(serde::Serialize)]
struct Source<'a> {
    parameter: &'a str,
}

impl Serialize for JsonApiError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let status = json::status(&self.0);
        let source = match &self.0 {
            FrameworkError::ParamError { param_name } => Some(Source { parameter: param_name }),
            _ => None,
        };
        let object =
            Object { status: status.to_string(), title: title(status), detail: public_message(&self.0), source };
        Document { errors: [object] }.serialize(serializer)
    }
}

/// The name of a status, the same for each error that has it. Statuses that no page answers with have none here.
fn title(status: u16) -> Option<&'static str> {
    Some(match status {
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        406 => "Not Acceptable",
        409 => "Conflict",
        410 => "Gone",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        500 => INTERNAL,
        503 => "Service Unavailable",
        _ => return None,
    })
}
