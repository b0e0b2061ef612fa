//! Pages, documents and errors as axum's responses.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header::CONTENT_TYPE};
use axum::response::{IntoResponse, IntoResponseParts, Response};
use serde::Serialize;

use super::json::{self, ErrorBody, INTERNAL};
use crate::error::FrameworkError;
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};

/// Room for a small page, so that writing it does not begin with many small steps.
const BODY_SIZE: usize = 1024;

/// Makes each of these pages a response: its JSON, status 200.
macro_rules! responses {
    ($($page:ident),*) => {$(
        impl<T: Serialize> IntoResponse for $page<T> {
            fn into_response(self) -> Response {
                respond(StatusCode::OK, json::MEDIA_TYPE, &self)
            }
        }
    )*};
}
responses!(LengthAwarePaginator, Paginator, CursorPaginator);

impl IntoResponse for FrameworkError {
    /// The body is an [`ErrorBody`]; the cause of a 5xx goes to `tracing`.
    fn into_response(self) -> Response {
        respond(status(&self), json::MEDIA_TYPE, &ErrorBody::from(&self))
    }
}

/// The status to answer an error with. A 5xx is logged on the way.
pub(super) fn status(error: &FrameworkError) -> StatusCode {
    let status = status_code(error.status());
    if status.is_server_error() {
        log(error);
    }
    status
}

/// A status by its number. What ends no request was given by mistake, and that is ours.
fn status_code(number: u16) -> StatusCode {
    let status = StatusCode::from_u16(number).ok().filter(|status| !status.is_informational());
    status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Writes a failure to the log, with the causes behind it.
fn log(error: &(dyn std::error::Error + 'static)) {
    tracing::error!(error, "a request failed");
}

/// A response with `value` as its JSON.
pub(super) fn respond(status: StatusCode, media_type: &'static str, value: &impl Serialize) -> Response {
    let mut body = Vec::with_capacity(BODY_SIZE);
    match serde_json::to_writer(&mut body, value) {
        Ok(()) => response(status, media_type, body),
        Err(error) => {
            log(&error);
            let body = serde_json::json!({ "message": INTERNAL }).to_string();
            response(StatusCode::INTERNAL_SERVER_ERROR, json::MEDIA_TYPE, body)
        }
    }
}

fn response(status: StatusCode, media_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// What [`json_response!`](crate::json_response) takes for a status: a number or a [`StatusCode`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no status",
    label = "write a number such as `201`, or a `StatusCode`"
)]
pub trait Status {
    #[doc(hidden)]
    fn code(self) -> StatusCode;
}

impl Status for u16 {
    fn code(self) -> StatusCode {
        status_code(self)
    }
}

impl Status for StatusCode {
    fn code(self) -> StatusCode {
        self
    }
}

/// What [`json_response!`](crate::json_response) calls.
pub fn json_response<T: Serialize>(value: T, status: impl Status, headers: impl IntoResponseParts) -> Response {
    (headers, respond(status.code(), json::MEDIA_TYPE, &value)).into_response()
}

/// A JSON response of any serializable value: a page, or one of your own.
///
/// `json_response!(value)` has status 200. `json_response!(value, status)` takes a number or a `StatusCode`, and
/// `json_response!(value, status, headers)` the headers in any form that axum takes them in. A value that fails to
/// serialize is answered with 500, and the reason goes to `tracing`.
///
/// ```
/// use axum::http::StatusCode;
/// use folio::{Paginator, json_response};
///
/// let page = Paginator::new(vec![1, 2], 1, 2, false);
/// assert_eq!(json_response!(page).headers()["content-type"], "application/json");
///
/// let created = json_response!(serde_json::json!({ "id": 7 }), 201, [("location", "/posts/7")]);
/// assert_eq!(created.status(), StatusCode::CREATED);
/// assert_eq!(created.headers()["location"], "/posts/7");
/// ```
#[macro_export]
macro_rules! json_response {
    ($value:expr $(,)?) => {
        $crate::__private::json_response($value, 200, ())
    };
    ($value:expr, $status:expr $(,)?) => {
        $crate::__private::json_response($value, $status, ())
    };
    ($value:expr, $status:expr, $headers:expr $(,)?) => {
        $crate::__private::json_response($value, $status, $headers)
    };
}
