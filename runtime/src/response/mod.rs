//! What goes out over HTTP: JSON, JSON:API, the `Link` header, and the responses of axum.

#[cfg(feature = "axum")]
mod axum;
mod json;
mod json_api;
#[cfg(feature = "axum")]
mod layer;
mod link_header;
mod paginated;

pub use json::ErrorBody;
pub use json_api::{JsonApi, JsonApiError, JsonResource, Resource, attributes, resource_id};
pub use paginated::{Paginated, Relations};

#[cfg(feature = "axum")]
pub use {
    self::axum::json_response,
    layer::{FolioBody, FolioFuture, FolioLayer, FolioService},
    link_header::WithLinkHeader,
};
