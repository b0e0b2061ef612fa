//! Paginators, documents and errors as axum's responses.
//!
//! A value is serialized before its response is made, so that one that fails to serialize becomes a 500 instead of half
//! a body with status 200.

use std::error::Error;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, VARY};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::Serialize;

use crate::cursor_window::CursorWindow;
use crate::error::FrameworkError;
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};
use crate::response::error_body::{self, ErrorBody};
use crate::response::inertia::{InertiaAnswer, InertiaLocation, InertiaResponse};
use crate::response::json_api::{CursorDocument, JsonApi, JsonApiError, JsonResource};
use crate::response::paginated::Paginated;

/// Initial capacity of a body. A small page fits without reallocation.
const BODY_SIZE: usize = 1024;

/// A kind of JSON: its media type, and the body that is sent if a value does not serialize.
pub(super) struct Kind {
    media_type: HeaderValue,
    /// It does not tell why: the cause is logged.
    failure: &'static str,
}

/// The JSON of a page, of an error body, or of a handler's own value.
pub(super) const JSON: Kind = Kind {
    media_type: HeaderValue::from_static("application/json"),
    failure: r#"{"message":"Internal Server Error"}"#,
};

/// A document of JSON:API without a profile.
const JSON_API: Kind =
    Kind { media_type: HeaderValue::from_static("application/vnd.api+json"), failure: JSON_API_FAILURE };

/// A document of JSON:API that follows the cursor pagination profile, as its media type has to say.
const PROFILED: Kind =
    Kind { media_type: HeaderValue::from_static(CursorWindow::MEDIA_TYPE), failure: JSON_API_FAILURE };

/// The document if another one does not serialize.
const JSON_API_FAILURE: &str = r#"{"errors":[{"status":"500","title":"Internal Server Error"}]}"#;

/// Makes each paginator a response: its JSON, with status 200.
macro_rules! responses {
    ($($page:ident),*) => {$(
        impl<T: Serialize> IntoResponse for $page<T> {
            fn into_response(self) -> Response {
                respond(StatusCode::OK, JSON, &self)
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

impl<T: JsonResource> IntoResponse for CursorDocument<T> {
    fn into_response(self) -> Response {
        profiled(StatusCode::OK, &self)
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

impl IntoResponse for InertiaLocation {
    fn into_response(self) -> Response {
        (status(self.status), AppendHeaders(self.headers)).into_response()
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
        let status = failed(self.cause());
        if self.is_profiled() { profiled(status, &self) } else { respond(status, JSON_API, &self) }
    }
}

/// A response of the cursor pagination profile. JSON:API asks for `Vary` from servers with profiles, because a client
/// names those that it wants in `Accept`.
fn profiled(status: StatusCode, document: &impl Serialize) -> Response {
    ([(VARY, HeaderValue::from_static("accept"))], respond(status, PROFILED, document)).into_response()
}

/// Logs an error if it is a 5xx, and returns its status.
fn failed(error: &FrameworkError) -> StatusCode {
    let status = status(error_body::status(error));
    if status.is_server_error() {
        log(error);
    }
    status
}

/// The status with this number; 500 if there is none.
pub(super) fn status(number: u16) -> StatusCode {
    StatusCode::from_u16(number).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Logs an error with its causes.
fn log(error: &(dyn Error + 'static)) {
    tracing::error!(target: "folio::axum", error, "a request failed");
}

/// A response with the JSON of `value` as its body; a 500 if it does not serialize.
pub(super) fn respond(status: StatusCode, kind: Kind, value: &impl Serialize) -> Response {
    let mut body = Vec::with_capacity(BODY_SIZE);
    let (status, body) = match serde_json::to_writer(&mut body, value) {
        Ok(()) => (status, Body::from(body)),
        Err(error) => {
            log(&error);
            (StatusCode::INTERNAL_SERVER_ERROR, Body::from(kind.failure))
        }
    };
    (status, [(CONTENT_TYPE, kind.media_type)], body).into_response()
}
