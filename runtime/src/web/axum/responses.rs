//! Paginators, documents and errors as axum's responses.

use std::error::Error;

use axum::body::Body;
use axum::response::{IntoResponse, Response};

use crate::error::FrameworkError;
use crate::web::json_api::JsonApiError;
use crate::web::respond::{Respond, each_response};
use crate::web::unseen;

/// Makes each type a response of axum.
macro_rules! responses {
    ($([$($parameters:tt)*] $response:ty;)*) => {$(
        impl<$($parameters)*> IntoResponse for $response {
            fn into_response(self) -> Response {
                self.respond(log).map(Body::from)
            }
        }
    )*};
}
each_response!(responses);

impl IntoResponse for FrameworkError {
    /// The body is an [`ErrorBody`](crate::ErrorBody); the cause of a 5xx goes to `tracing`.
    fn into_response(self) -> Response {
        self.respond(log).map(Body::from)
    }
}

impl IntoResponse for JsonApiError {
    /// The cause of a 5xx goes to `tracing`.
    fn into_response(self) -> Response {
        self.respond(log).map(Body::from)
    }
}

/// Logs an error with its causes.
pub(super) fn log(error: &(dyn Error + 'static)) {
    tracing::error!(target: "folio::axum", error, "a request failed");
    unseen::write_first(error);
}
