//! Errors as JSON:API documents.

use serde::ser::{Serialize, Serializer};

use crate::error::FrameworkError;
use crate::response::error_body::{self, INTERNAL, public_message};

/// A [`FrameworkError`] whose JSON is a JSON:API error object.
///
/// In a handler that returns `Result<_, JsonApiError>`, `?` converts the errors of folio and sqlx. As in an
/// [`ErrorBody`](crate::ErrorBody), the client gets the text of a 4xx and nothing about the cause of a 5xx.
///
/// ```
/// use folio::FrameworkError;
/// use folio::json_api::JsonApiError;
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
    /// The error itself, for its [`status`](FrameworkError::status) and for the log.
    ///
    /// ```
    /// use folio::FrameworkError;
    /// use folio::json_api::JsonApiError;
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
    errors: [ErrorObject<'a>; 1],
}

/// An error object.
#[derive(serde::Serialize)]
struct ErrorObject<'a> {
    status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source<'a>>,
}

/// The part of the request that caused the error.
#[derive(serde::Serialize)]
struct Source<'a> {
    parameter: &'a str,
}

impl Serialize for JsonApiError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Document { errors: [object(&self.0)] }.serialize(serializer)
    }
}

/// The name of a status; `None` for statuses that no list responds with.
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

/// An error as an error object.
fn object(error: &FrameworkError) -> ErrorObject<'_> {
    let status = error_body::status(error);
    let (detail, source) = (public_message(error), source(error));
    ErrorObject { status: status.to_string(), title: title(status), detail, source }
}

/// The parameter that caused an error, if one did.
fn source(error: &FrameworkError) -> Option<Source<'_>> {
    match error {
        FrameworkError::ParamError { param_name } => Some(Source { parameter: param_name }),
        _ => None,
    }
}
