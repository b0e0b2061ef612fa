//! Paginators, documents and errors as responses of actix-web.

use std::error::Error;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, Responder, ResponseError};

use crate::error::FrameworkError;
use crate::web::error_body::status;
use crate::web::json_api::JsonApiError;
use crate::web::respond::{Respond, each_response};
use crate::web::unseen;

/// Makes each type a response of actix-web.
macro_rules! responses {
    ($([$($parameters:tt)*] $response:ty;)*) => {$(
        impl<$($parameters)*> Responder for $response {
            type Body = BoxBody;

            fn respond_to(self, _: &HttpRequest) -> HttpResponse {
                converted(self.respond(log)).map_into_boxed_body()
            }
        }
    )*};
}
each_response!(responses);

impl ResponseError for FrameworkError {
    fn status_code(&self) -> StatusCode {
        error_status(self)
    }

    /// The body is an [`ErrorBody`](crate::ErrorBody); the cause of a 5xx goes to `tracing`.
    fn error_response(&self) -> HttpResponse {
        converted(self.respond(log)).map_into_boxed_body()
    }
}

impl ResponseError for JsonApiError {
    fn status_code(&self) -> StatusCode {
        error_status(self.cause())
    }

    /// The cause of a 5xx goes to `tracing`.
    fn error_response(&self) -> HttpResponse {
        converted(self.respond(log)).map_into_boxed_body()
    }
}

/// Makes each error a response, for handlers that return only an error.
macro_rules! errors {
    ($($error:ident),*) => {$(
        impl Responder for $error {
            type Body = BoxBody;

            fn respond_to(self, _: &HttpRequest) -> HttpResponse {
                HttpResponse::from_error(self)
            }
        }
    )*};
}
errors!(FrameworkError, JsonApiError);

/// The status of an error's response.
fn error_status(error: &FrameworkError) -> StatusCode {
    StatusCode::from_u16(status(error)).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A response in the types of actix-web, which are those of `http` 0.2.
pub(super) fn converted<B: MessageBody>(response: http::Response<B>) -> HttpResponse<B> {
    let (head, body) = response.into_parts();
    let mut response = HttpResponse::with_body(status_code(head.status), body);
    // Both versions of `http` allow the names and values that folio writes.
    for (name, value) in head.headers.iter().filter_map(header) {
        response.headers_mut().append(name, value);
    }
    response
}

/// A status in the type of `http` 0.2.
fn status_code(status: http::StatusCode) -> StatusCode {
    StatusCode::from_u16(status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A header in the types of `http` 0.2.
fn header((name, value): (&http::HeaderName, &http::HeaderValue)) -> Option<(HeaderName, HeaderValue)> {
    Some((name.as_str().parse().ok()?, HeaderValue::from_bytes(value.as_bytes()).ok()?))
}

/// Logs an error with its causes.
fn log(error: &(dyn Error + 'static)) {
    tracing::error!(target: "folio::actix", error, "a request failed");
    unseen::write_first(error);
}
