//! Values that are responses by themselves, as responses of actix-web.

use std::error::Error;

use actix_web::HttpResponse;
use actix_web::body::MessageBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};

use crate::error::FrameworkError;
use crate::web::{error_body, unseen};

/// Makes each type a response of actix-web.
macro_rules! responses {
    ($([$($parameters:tt)*] $response:ty;)*) => {$(
        impl<$($parameters)*> actix_web::Responder for $response {
            type Body = actix_web::body::BoxBody;

            fn respond_to(self, _: &actix_web::HttpRequest) -> actix_web::HttpResponse {
                use $crate::web::{actix, respond::Respond as _};
                actix::converted(self.respond(actix::log)).map_into_boxed_body()
            }
        }
    )*};
}
pub(crate) use responses;

/// Makes an error a response of actix-web, also for handlers that return nothing else.
macro_rules! error_responses {
    ($error:ident, $cause:expr) => {
        impl actix_web::ResponseError for $error {
            fn status_code(&self) -> actix_web::http::StatusCode {
                let cause: fn(&Self) -> &$crate::error::FrameworkError = $cause;
                $crate::web::actix::error_status(cause(self))
            }

            /// The body says what went wrong; the cause of a 5xx goes to `tracing`.
            fn error_response(&self) -> actix_web::HttpResponse {
                use $crate::web::{actix, respond::Respond as _};
                actix::converted(self.respond(actix::log)).map_into_boxed_body()
            }
        }

        impl actix_web::Responder for $error {
            type Body = actix_web::body::BoxBody;

            fn respond_to(self, _: &actix_web::HttpRequest) -> actix_web::HttpResponse {
                actix_web::HttpResponse::from_error(self)
            }
        }
    };
}
pub(crate) use error_responses;

/// The status of an error's response.
pub(crate) fn error_status(error: &FrameworkError) -> StatusCode {
    StatusCode::from_u16(error_body::status(error)).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A response in the types of actix-web, which are those of `http` 0.2.
pub(crate) fn converted<B: MessageBody>(response: http::Response<B>) -> HttpResponse<B> {
    let (head, body) = response.into_parts();
    let status = StatusCode::from_u16(head.status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::with_body(status, body);
    for (name, value) in &head.headers {
        // Both versions of `http` allow the names and values that folio writes.
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name.as_str()), HeaderValue::from_bytes(value.as_bytes()))
        {
            response.headers_mut().append(name, value);
        }
    }
    response
}

/// Logs an error with its causes.
pub(crate) fn log(error: &(dyn Error + 'static)) {
    tracing::error!(target: "folio::actix", error, "a request failed");
    unseen::write_first(error);
}
