//! Inertia pages and redirects as responses, and the response to a client with stale assets.

use http::{HeaderValue, Response, StatusCode};

use super::settings::InertiaSettings;
use super::visit::{is_inertia, url};
use super::{InertiaAnswer, InertiaLocation, InertiaResponse};
use crate::app::Folio;
use crate::request::ActiveRequest;
use crate::web::respond::{JSON, Log, Respond, status};

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

responses! {
    [] InertiaResponse;
    [] InertiaLocation;
}

/// Makes a client with stale assets reload the whole page: status 409, with the URL to load. `None` for other requests.
pub(super) fn reload(folio: &Folio, request: &ActiveRequest) -> Option<Response<()>> {
    let settings = folio.extension::<InertiaSettings>()?;
    let version = settings.version.as_deref()?;
    // The client repeats a GET after the reload, but it cannot repeat a form that was sent.
    let is_visit = is_inertia(request) && request.method() == "GET";
    if !is_visit || request.header("X-Inertia-Version").unwrap_or_default() == version {
        return None;
    }
    let mut response = Response::new(());
    *response.status_mut() = StatusCode::CONFLICT;
    response.headers_mut().insert("X-Inertia-Location", HeaderValue::try_from(url(request)).ok()?);
    response.headers_mut().insert("X-Inertia-Version", HeaderValue::try_from(version).ok()?);
    Some(response)
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
