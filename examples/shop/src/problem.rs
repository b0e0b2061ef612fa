//! The error page.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use folio::FrameworkError;
use maud::html;

use crate::document::document;
use crate::words::words;

/// An error of a page, with its status.
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
            return Self { status, message: "This page cannot be shown at the moment.".into() };
        }
        Self { status, message: error.to_string() }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let words = words();
        let page = html! {
            h1 { (self.status.as_u16()) }
            // What is wrong is said in English.
            p lang="en" dir="ltr" { (self.message) }
            p { a href=(format!("/?lang={}", words.texts.language())) { (words.back) } }
        };
        (self.status, document(words.title, page)).into_response()
    }
}

/// The response if no route matches.
pub(crate) async fn nothing_here() -> Problem {
    Problem { status: StatusCode::NOT_FOUND, message: "There is nothing at this address.".into() }
}
