//! Pages, documents and errors as axum's responses.

use std::error::Error;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, LINK};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{AppendHeaders, IntoResponse, IntoResponseParts, Response};
use serde::Serialize;

use super::inertia::{InertiaAnswer, InertiaResponse};
use super::json::{self, ErrorBody};
use super::json_api::{JsonApi, JsonApiError, JsonResource};
use super::link_header::WithLinkHeader;
use super::paginated::Paginated;
use crate::error::FrameworkError;
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};

/// Room for a small page, so that writing it does not begin with many small steps.
const BODY_SIZE: usize = 1024;

/// A kind of JSON: its media type, and the body where even writing it fails.
struct Kind {
    media_type: HeaderValue,
    failure: &'static str,
}

const JSON: Kind = Kind {
    media_type: HeaderValue::from_static("application/json"),
    failure: r#"{"message":"Internal Server Error"}"#,
};
const JSON_API: Kind = Kind {
    media_type: HeaderValue::from_static("application/vnd.api+json"),
    failure: r#"{"errors":[{"status":"500","title":"Internal Server Error"}]}"#,
};

/// Makes each of these pages a response: its JSON, status 200.
macro_rules! responses {
    ($($page:ident),*) => {$(
        impl<T: Serialize> IntoResponse for $page<T> {
            fn into_response(self) -> Response {
                respond(StatusCode::OK, JSON, &self)
            }
        }

        impl<T: Serialize> IntoResponse for WithLinkHeader<$page<T>> {
            fn into_response(self) -> Response {
                let link = self.page.link_header();
                let mut response = self.page.into_response();
                // What the header's syntax does not allow was encoded when it was written.
                if let Some(Ok(link)) = link.map(HeaderValue::try_from) {
                    response.headers_mut().insert(LINK, link);
                }
                response
            }
        }
    )*};
}
responses!(LengthAwarePaginator, Paginator, CursorPaginator);

impl<T: JsonResource, P: Paginated<T>> IntoResponse for JsonApi<T, P> {
    fn into_response(self) -> Response {
        respond(StatusCode::OK, JSON_API, &self)
    }
}

impl IntoResponse for InertiaResponse {
    fn into_response(self) -> Response {
        match self.answer() {
            Ok(InertiaAnswer { headers, body }) => (AppendHeaders(headers), Body::from(body)).into_response(),
            Err(error) => error.into_response(),
        }
    }
}

impl IntoResponse for FrameworkError {
    /// The body is an [`ErrorBody`]; the cause of a 5xx goes to `tracing`.
    fn into_response(self) -> Response {
        respond(failed(&self), JSON, &ErrorBody::from(&self))
    }
}

impl IntoResponse for JsonApiError {
    /// The cause of a 5xx goes to `tracing`.
    fn into_response(self) -> Response {
        respond(failed(self.cause()), JSON_API, &self)
    }
}

/// The status of an error. A 5xx is logged on the way.
fn failed(error: &FrameworkError) -> StatusCode {
    let status = status(json::status(error));
    if status.is_server_error() {
        log(error);
    }
    status
}

/// A status by its number; 500 if the number is not a status.
fn status(number: u16) -> StatusCode {
    StatusCode::from_u16(number).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Writes a failure to the log, with the causes behind it.
fn log(error: &(dyn Error + 'static)) {
    tracing::error!(error, "a request failed");
}

/// A response with `value` as its body; a 500 if it does not serialize.
fn respond(status: StatusCode, kind: Kind, value: &impl Serialize) -> Response {
    let mut body = Vec::with_capacity(BODY_SIZE);
    let (status, body) = match serde_json::to_writer(&mut body, value) {
        Ok(()) => (status, Body::from(body)),
        Err(error) => {
            log(&error);
            (StatusCode::INTERNAL_SERVER_ERROR, Body::from(kind.failure))
        }
    };
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, kind.media_type);
    response
}

/// What [`json_response!`](crate::json_response) takes for a status: a number or a [`StatusCode`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an HTTP status",
    label = "write a number such as `201`, or a `StatusCode`"
)]
pub trait Status {
    #[doc(hidden)]
    fn code(self) -> StatusCode;
}

impl Status for u16 {
    fn code(self) -> StatusCode {
        status(self)
    }
}

impl Status for StatusCode {
    fn code(self) -> StatusCode {
        self
    }
}

/// What [`json_response!`](crate::json_response) calls.
pub fn json_response<T: Serialize>(value: T, status: impl Status, headers: impl IntoResponseParts) -> Response {
    (headers, respond(status.code(), JSON, &value)).into_response()
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
