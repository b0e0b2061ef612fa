//! How pages and errors leave the application: error bodies, the `Link` header, and the protocols, each in its module.
//!
//! A protocol is a thin layer over the paginators: it reads a page's rows, its place and the URLs around it, and runs
//! no statement. Only `async_graphql` and `axum` know a framework. The others return texts and headers that any
//! framework can send.

#[cfg(feature = "async-graphql")]
pub mod async_graphql;
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
