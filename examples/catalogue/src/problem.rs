//! The error page.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use folio::inertia::Inertia;
use folio::{ActiveRequest, FrameworkError};

use crate::packages::Filters;

/// An error of a page. The response is a page of the front end as well, with the status of the error.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    message: String,
}

impl From<FrameworkError> for Problem {
    fn from(error: FrameworkError) -> Self {
        let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        if status.is_server_error() {
            tracing::error!(%error, "a page cannot be shown");
            return Self { status, message: "The catalogue cannot show this page at the moment.".into() };
        }
        Self { status, message: error.to_string() }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let request = ActiveRequest::current();
        // A list that requests more rows cannot show another page, so redirect the browser to it.
        if let Some(request) =
            request.as_ref().filter(|request| request.header("X-Inertia-Partial-Component").is_some())
        {
            return Inertia::location(request.uri()).into_response();
        }
        let path = request.map(|request| request.path().to_owned());
        let page = Inertia::render("Problem")
            .prop("status", self.status.as_u16())
            .prop("message", self.message)
            .prop("filters", Filters::current())
            .prop("start", path.filter(|_| self.status != StatusCode::NOT_FOUND).unwrap_or_else(|| "/".into()));
        (self.status, page).into_response()
    }
}

/// The response if no route matches.
pub(crate) async fn nothing_here() -> Problem {
    Problem { status: StatusCode::NOT_FOUND, message: "There is nothing at this address.".into() }
}
