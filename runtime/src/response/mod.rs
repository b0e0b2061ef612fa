//! How pages and errors leave the application: error bodies, the `Link` header, and the protocols, each in its module.

#[cfg(feature = "axum")]
pub mod axum;
mod error_body;
pub mod inertia;
pub mod json_api;
mod link_header;
#[cfg(feature = "utoipa")]
pub mod openapi;
mod paginated;
#[cfg(not(feature = "axum"))]
mod without_axum;

pub use error_body::ErrorBody;
