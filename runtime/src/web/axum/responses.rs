//! Values that are responses by themselves, as axum's responses.

use std::error::Error;

use crate::web::unseen;

/// Makes each type a response of axum.
macro_rules! responses {
    ($([$($parameters:tt)*] $response:ty;)*) => {$(
        impl<$($parameters)*> axum::response::IntoResponse for $response {
            fn into_response(self) -> axum::response::Response {
                $crate::web::respond::Respond::respond(self, $crate::web::axum::log).map(axum::body::Body::from)
            }
        }
    )*};
}
pub(crate) use responses;

/// Makes an error a response of axum.
macro_rules! error_responses {
    ($error:ident) => {
        impl axum::response::IntoResponse for $error {
            /// The body says what went wrong; the cause of a 5xx goes to `tracing`.
            fn into_response(self) -> axum::response::Response {
                $crate::web::respond::Respond::respond(&self, $crate::web::axum::log).map(axum::body::Body::from)
            }
        }
    };
}
pub(crate) use error_responses;

/// Logs an error with its causes.
pub(crate) fn log(error: &(dyn Error + 'static)) {
    tracing::error!(target: "folio::axum", error, "a request failed");
    unseen::write_first(error);
}
