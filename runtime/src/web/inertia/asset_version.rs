//! Clients with stale assets are told to reload the page.

use http::{HeaderValue, Response, StatusCode};

use super::visit::{is_inertia, url};
use crate::app::inertia_settings::InertiaSettings;
use crate::request::ActiveRequest;

/// The response that makes an Inertia client reload the whole page.
#[derive(Debug)]
pub(crate) struct Reload {
    /// The URL of the request.
    location: HeaderValue,
    /// The version that the server has.
    version: HeaderValue,
}

impl Reload {
    /// `None` unless the request is a `GET` of an Inertia client whose assets have another version.
    pub(crate) fn of_stale_client(request: &ActiveRequest, settings: &InertiaSettings) -> Option<Self> {
        let version = settings.version.as_deref()?;
        if !is_stale(request, version) {
            return None;
        }
        Some(Self { location: url(request).try_into().ok()?, version: version.try_into().ok()? })
    }

    /// Status 409 with the URL to load. The client makes a full page visit to it.
    pub(crate) fn response<B: Default>(&self) -> Response<B> {
        let mut response = Response::new(B::default());
        *response.status_mut() = StatusCode::CONFLICT;
        response.headers_mut().insert("X-Inertia-Location", self.location.clone());
        response.headers_mut().insert("X-Inertia-Version", self.version.clone());
        response
    }
}

/// Whether a request is from a client with stale assets that can reload.
fn is_stale(request: &ActiveRequest, version: &str) -> bool {
    // The client repeats a GET after the reload, but it cannot repeat a form that was sent.
    let is_visit = is_inertia(request) && request.method() == "GET";
    is_visit && request.header("X-Inertia-Version").unwrap_or_default() != version
}
