//! What goes out over HTTP: JSON, JSON:API, the `Link` header, the responses of axum, and what OpenAPI says of it.

#[cfg(feature = "axum")]
mod axum;
mod inertia;
mod json;
mod json_api;
#[cfg(feature = "axum")]
mod layer;
mod link_header;
#[cfg(feature = "utoipa")]
mod openapi;
mod paginated;
#[cfg(not(feature = "axum"))]
mod without_axum;

pub use inertia::{
    Inertia, InertiaAnswer, InertiaResponse, PageIdentifier, ProvidesScrollMetadata, ScrollMetadata, ScrollProp,
};
pub use json::ErrorBody;
pub use json_api::{JsonApi, JsonApiError, JsonResource, Resource, Whole, resource_id};
pub use paginated::{Paginated, Relationships};

#[cfg(feature = "utoipa")]
pub use openapi::{CursorParams, PageParams, PerPageParams};
#[cfg(feature = "axum")]
pub use {
    self::axum::json_response,
    layer::{FolioBody, FolioFuture, FolioLayer, FolioService},
    link_header::WithLinkHeader,
};
