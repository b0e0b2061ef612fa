//! How pages and errors leave the application: error bodies, the `Link` header, and the protocols, each in its module.
//!
//! A protocol is a thin layer over the paginators: it reads a page's rows, its place and the URLs around it, and runs
//! no statement. Only `actix`, `async_graphql` and `axum` know a framework; `respond` has the responses that `actix`
//! and `axum` convert into their own. The others return texts and headers that any framework can send.

#[cfg(feature = "actix")]
pub mod actix;
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
#[cfg(any(feature = "actix", feature = "axum"))]
mod request_scope;
#[cfg(any(feature = "actix", feature = "axum"))]
mod respond;
#[cfg(any(feature = "actix", feature = "async-graphql", feature = "axum"))]
mod unseen;
#[cfg(any(feature = "actix", feature = "axum"))]
mod with_link_header;
#[cfg(not(feature = "actix"))]
mod without_actix;
#[cfg(not(feature = "axum"))]
mod without_axum;

pub use error_body::ErrorBody;
