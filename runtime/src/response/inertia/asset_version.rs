//! Clients with stale assets are told to reload the page.

use http::{HeaderValue, Response, StatusCode};

use super::visit::{is_inertia, url};
use crate::inertia_settings::InertiaSettings;
use crate::request::ActiveRequest;

/// The response that makes an Inertia client reload the whole page.
#[derive(Debug)]
pub(crate) struct Reload {
    location: HeaderValue,
    version: HeaderValue,
}

impl Reload {
    /// `None` unless the request is a `GET` of an Inertia client whose assets have another version.
    pub(crate) fn of_stale_client(request: &ActiveRequest, settings: &InertiaSettings) -> Option<Self> {
        let version = settings.version.as_deref()?;
        let is_stale = is_inertia(request)
            && request.method() == "GET"
            && request.header("X-Inertia-Version").unwrap_or_default() != version;
        if !is_stale {
            return None;
        }
        Some(Self { location: url(request).try_into().ok()?, version: version.try_into().ok()? })
    }

    pub(crate) fn response<B: Default>(&self) -> Response<B> {
        let mut response = Response::new(B::default());
        *response.status_mut() = StatusCode::CONFLICT;
        response.headers_mut().insert("X-Inertia-Location", self.location.clone());
        response.headers_mut().insert("X-Inertia-Version", self.version.clone());
        response
    }
}
