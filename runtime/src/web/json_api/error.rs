//! Errors as JSON:API documents.

use std::error::Error;
use std::fmt;

use serde::ser::{Serialize, Serializer};

use super::cursor_document::{Meta, Profiled};
use super::cursor_window::CursorWindowError;
use crate::error::FrameworkError;
use crate::web::error_body::{self, INTERNAL, public_message};

/// A [`FrameworkError`] whose JSON is a JSON:API error object.
///
/// In a handler that returns `Result<_, JsonApiError>`, `?` converts errors from folio and sqlx. As with
/// [`ErrorBody`](crate::ErrorBody), the client gets the text of a 4xx, but not the cause of a 5xx.
///
/// ```
/// use folio::FrameworkError;
/// use folio::json_api::JsonApiError;
/// use serde_json::json;
///
/// let error = JsonApiError::from(FrameworkError::InvalidParameter {
///     parameter: "filter[state]".into(),
///     rule: "is `open` or `closed`".into(),
///     allowed: vec!["open".into(), "closed".into()],
/// });
/// let expected = json!({ "errors": [{
///     "status": "400",
///     "title": "Bad Request",
///     "detail": "`filter[state]` is `open` or `closed`",
///     "source": { "parameter": "filter[state]" },
///     "meta": { "allowed": ["open", "closed"] },
/// }] });
/// assert_eq!(serde_json::to_value(&error)?, expected);
///
/// let error = JsonApiError::from(FrameworkError::Internal { message: "no keyring".into() });
/// let expected = json!({ "errors": [{ "status": "500", "title": "Internal Server Error" }] });
/// assert_eq!(serde_json::to_value(&error)?, expected);
/// # serde_json::Result::Ok(())
/// ```
///
/// For a [`CursorWindowError`] about a parameter, the document also has the members that the cursor pagination profile
/// requires:
///
/// ```
/// use folio::json_api::{CursorWindow, JsonApiError};
/// use serde_json::json;
///
/// let error = JsonApiError::from(CursorWindow::resolve("page[size]=200", 20, 100).unwrap_err());
/// let expected = json!({
///     "jsonapi": { "profile": [CursorWindow::PROFILE] },
///     "errors": [{
///         "links": { "type": format!("{}/max-size-exceeded", CursorWindow::PROFILE) },
///         "status": "400",
///         "title": "Bad Request",
///         "detail": "`page[size]` is larger than the maximum, 100",
///         "source": { "parameter": "page[size]" },
///         "meta": { "page": { "maxSize": 100 } },
///     }],
/// });
/// assert_eq!(serde_json::to_value(&error)?, expected);
/// # serde_json::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct JsonApiError {
    cause: FrameworkError,
    fault: Option<Fault>,
}

/// What the cursor pagination profile says of an error.
#[derive(Debug, Clone, Copy)]
struct Fault {
    parameter: &'static str,
    /// The maximum, if a page size is larger.
    max_size: Option<u64>,
}

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
        &self.cause
    }

    /// Whether the document follows the cursor pagination profile.
    #[cfg(any(feature = "actix", feature = "axum"))]
    pub(super) fn is_profiled(&self) -> bool {
        self.fault.is_some()
    }
}

impl fmt::Display for JsonApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl Error for JsonApiError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.source()
    }
}

impl From<FrameworkError> for JsonApiError {
    fn from(cause: FrameworkError) -> Self {
        Self { cause, fault: None }
    }
}

impl From<CursorWindowError> for JsonApiError {
    fn from(error: CursorWindowError) -> Self {
        let max_size = match error {
            CursorWindowError::MaxSizeExceeded { max } => Some(max),
            _ => None,
        };
        let fault = error.parameter().map(|parameter| Fault { parameter, max_size });
        Self { cause: error.into(), fault }
    }
}

impl From<sqlx::Error> for JsonApiError {
    fn from(error: sqlx::Error) -> Self {
        Self::from(FrameworkError::from(error))
    }
}

/// The document.
#[derive(serde::Serialize)]
struct Document<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    jsonapi: Option<Profiled>,
    errors: [ErrorObject<'a>; 1],
}

/// An error object.
#[derive(serde::Serialize)]
struct ErrorObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    links: Option<ErrorLinks>,
    status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Source<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<ErrorMeta<'a>>,
}

/// The type of the error. JSON:API 1.1 has one link here; the profile's example, which is older, has an array.
#[derive(serde::Serialize)]
struct ErrorLinks {
    r#type: &'static str,
}

/// The profile's type of an error for a page size above the maximum.
const MAX_SIZE_EXCEEDED: ErrorLinks =
    ErrorLinks { r#type: "https://jsonapi.org/profiles/ethanresnick/cursor-pagination/max-size-exceeded" };

/// What is allowed: by the profile, the largest size of a page; otherwise the values of a parameter.
#[derive(serde::Serialize)]
#[serde(untagged)]
enum ErrorMeta<'a> {
    MaxSize(Meta<MaxSize>),
    Allowed { allowed: &'a [String] },
}

/// The largest size of a page.
#[derive(serde::Serialize)]
struct MaxSize {
    #[serde(rename = "maxSize")]
    max_size: u64,
}

/// The part of the request that caused the error.
#[derive(serde::Serialize)]
struct Source<'a> {
    parameter: &'a str,
}

impl Serialize for JsonApiError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { cause, fault } = self;
        let status = error_body::status(cause);
        let max_size = fault.and_then(|fault| fault.max_size);
        let (parameter, allowed) = cause.parameter().unzip();
        let allowed = allowed.filter(|allowed| !allowed.is_empty());
        let error = ErrorObject {
            links: max_size.map(|_| MAX_SIZE_EXCEEDED),
            status: status.to_string(),
            title: title(status),
            detail: public_message(cause),
            source: fault.map(|fault| fault.parameter).or(parameter).map(|parameter| Source { parameter }),
            meta: match (max_size, allowed) {
                (Some(max_size), _) => Some(ErrorMeta::MaxSize(Meta { page: MaxSize { max_size } })),
                (None, Some(allowed)) => Some(ErrorMeta::Allowed { allowed }),
                (None, None) => None,
            },
        };
        Document { jsonapi: fault.map(|_| Profiled::NEW), errors: [error] }.serialize(serializer)
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
