//! Pages, documents and errors as HTTP responses, which each framework's module converts into its own.
//!
//! A value is serialized before its response is made, so that one that fails to serialize becomes a 500 instead of half
//! a body with status 200.

use std::error::Error;

use http::header::{CONTENT_TYPE, LINK, VARY};
use http::{HeaderValue, Response, StatusCode};
use serde::Serialize;

use super::error_body::{self, ErrorBody};
use super::inertia::{InertiaAnswer, InertiaLocation, InertiaResponse};
use super::json_api::{CursorDocument, JsonApi, JsonApiError, JsonResource};
use super::paginated::Paginated;
use super::with_link_header::WithLinkHeader;
use crate::cursor_window::CursorWindow;
use crate::error::FrameworkError;
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};

/// Initial capacity of a body. A small page fits without reallocation.
const BODY_SIZE: usize = 1024;

/// A value that is a response by itself.
pub(crate) trait Respond {
    /// The response. `log` gets the cause of a 5xx.
    fn respond(self, log: Log) -> Response<Vec<u8>>;
}

/// Logs an error with its causes. Each framework has its own target, which `tracing` requires to be a constant.
pub(crate) type Log = fn(&(dyn Error + 'static));

/// Passes the types that implement [`Respond`], except the errors, to a macro that implements a framework's trait for
/// them. Each has its generic parameters in front.
macro_rules! each_response {
    ($implement:ident) => {
        $implement! {
            [T: serde::Serialize] $crate::LengthAwarePaginator<T>;
            [T: serde::Serialize] $crate::Paginator<T>;
            [T: serde::Serialize] $crate::CursorPaginator<T>;
            [T: serde::Serialize] $crate::web::with_link_header::WithLinkHeader<$crate::LengthAwarePaginator<T>>;
            [T: serde::Serialize] $crate::web::with_link_header::WithLinkHeader<$crate::Paginator<T>>;
            [T: serde::Serialize] $crate::web::with_link_header::WithLinkHeader<$crate::CursorPaginator<T>>;
            [T: $crate::json_api::JsonResource, P: $crate::json_api::Paginated<T>] $crate::json_api::JsonApi<T, P>;
            [T: $crate::json_api::JsonResource] $crate::json_api::CursorDocument<T>;
            [] $crate::inertia::InertiaResponse;
            [] $crate::inertia::InertiaLocation;
        }
    };
}
pub(super) use each_response;

/// A kind of JSON: its media type, and the body that is sent if a value does not serialize.
pub(super) struct Kind {
    media_type: HeaderValue,
    /// It does not tell why: the cause is logged.
    failure: &'static str,
}

impl Kind {
    /// A response with a body of this kind.
    fn response(self, status: StatusCode, body: Vec<u8>) -> Response<Vec<u8>> {
        let mut response = Response::new(body);
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, self.media_type);
        response
    }

    /// The response in place of one that cannot be written.
    fn failure(self) -> Response<Vec<u8>> {
        let body = self.failure.into();
        self.response(StatusCode::INTERNAL_SERVER_ERROR, body)
    }
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

/// Makes each paginator a response: its JSON, with status 200, and with a `Link` header if it was asked for.
macro_rules! pages {
    ($($page:ident),*) => {$(
        impl<T: Serialize> Respond for $page<T> {
            fn respond(self, log: Log) -> Response<Vec<u8>> {
                json(StatusCode::OK, JSON, &self, log)
            }
        }

        impl<T: Serialize> Respond for WithLinkHeader<$page<T>> {
            fn respond(self, log: Log) -> Response<Vec<u8>> {
                let link = self.page.link_header();
                let mut response = self.page.respond(log);
                // The conversion does not fail, because the header was percent-encoded.
                if let Some(Ok(link)) = link.map(HeaderValue::try_from) {
                    response.headers_mut().insert(LINK, link);
                }
                response
            }
        }
    )*};
}
pages!(LengthAwarePaginator, Paginator, CursorPaginator);

impl<T: JsonResource, P: Paginated<T>> Respond for JsonApi<T, P> {
    fn respond(self, log: Log) -> Response<Vec<u8>> {
        json(StatusCode::OK, JSON_API, &self, log)
    }
}

impl<T: JsonResource> Respond for CursorDocument<T> {
    fn respond(self, log: Log) -> Response<Vec<u8>> {
        profiled(StatusCode::OK, &self, log)
    }
}

impl Respond for InertiaResponse {
    fn respond(self, log: Log) -> Response<Vec<u8>> {
        match self.answer() {
            Ok(InertiaAnswer { headers, body }) => with_headers(StatusCode::OK, headers, body.into(), log),
            Err(error) => error.respond(log),
        }
    }
}

impl Respond for InertiaLocation {
    fn respond(self, log: Log) -> Response<Vec<u8>> {
        with_headers(status(self.status), self.headers, Vec::new(), log)
    }
}

// Some frameworks lend an error only.
impl Respond for &FrameworkError {
    fn respond(self, log: Log) -> Response<Vec<u8>> {
        json(failed(self, log), JSON, &ErrorBody::from(self), log)
    }
}

impl Respond for &JsonApiError {
    fn respond(self, log: Log) -> Response<Vec<u8>> {
        let status = failed(self.cause(), log);
        if self.is_profiled() { profiled(status, self, log) } else { json(status, JSON_API, self, log) }
    }
}

/// A response of the cursor pagination profile. JSON:API asks for `Vary` from servers with profiles, because a client
/// names those that it wants in `Accept`.
fn profiled(status: StatusCode, document: &impl Serialize, log: Log) -> Response<Vec<u8>> {
    let mut response = json(status, PROFILED, document, log);
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept"));
    response
}

/// Logs an error if it is a 5xx, and returns its status.
fn failed(error: &FrameworkError, log: Log) -> StatusCode {
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

/// A response with the JSON of `value` as its body; a 500 if it does not serialize.
pub(super) fn json(status: StatusCode, kind: Kind, value: &impl Serialize, log: Log) -> Response<Vec<u8>> {
    let mut body = Vec::with_capacity(BODY_SIZE);
    match serde_json::to_writer(&mut body, value) {
        Ok(()) => kind.response(status, body),
        Err(error) => {
            log(&error);
            kind.failure()
        }
    }
}

/// A response whose headers are texts; a 500 if HTTP does not allow one of them.
fn with_headers(
    status: StatusCode,
    headers: impl IntoIterator<Item = (&'static str, impl AsRef<str>)>,
    body: Vec<u8>,
    log: Log,
) -> Response<Vec<u8>> {
    let response = Response::builder().status(status);
    let response = headers.into_iter().fold(response, |response, (name, value)| response.header(name, value.as_ref()));
    response.body(body).unwrap_or_else(|error| {
        log(&error);
        JSON.failure()
    })
}
