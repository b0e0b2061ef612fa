//! The service's error, which every handler returns.

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::response::{IntoResponse, Response};
use folio::FrameworkError;

/// A `Result` of a handler.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// Why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{0} not found")]
    NotFound(&'static str),
    #[error(transparent)]
    Query(#[from] QueryRejection),
    #[error(transparent)]
    Path(#[from] PathRejection),
    #[error(transparent)]
    Page(#[from] FrameworkError),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// folio's errors already know their status and their body, so the service's own become one of them.
impl From<Error> for FrameworkError {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound(_) => Self::Domain { message: error.to_string(), status_code: 404 },
            Error::Query(rejection) => rejection.into(),
            Error::Path(rejection) => rejection.into(),
            Error::Page(error) => error,
            Error::Database(error) => error.into(),
        }
    }
}

/// Every error has the body `{"message": …}`, and names the parameter that it is about. The cause of a 5xx is logged,
/// and the client does not see it.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        FrameworkError::from(self).into_response()
    }
}

/// The response if no route matches.
pub(crate) async fn no_route() -> Error {
    Error::NotFound("Page")
}
