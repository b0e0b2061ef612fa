//! How pages and errors leave the application: error bodies, the `Link` header, and the protocols, each in its module.
//!
//! A protocol is a thin layer over the paginators: it reads a page's rows, its place and the URLs around it, and runs
//! no statement. Only `axum` knows a framework. The others return texts and headers that any framework can send.

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
