//! How pages and errors leave the application: error bodies, the `Link` header, and the protocols, each in its module.
//!
//! A protocol is a thin layer over the paginators: it reads a page's rows, its place and the URLs around it. What it
//! reads from the database, it reads through [`crate::query`] and [`crate::read`]. Only `actix`, `async_graphql` and
//! `axum` know a framework; they convert the responses of `respond` into their own. Nothing outside of a protocol's
//! folder knows it: its settings are in the application under their type, and its documents implement `Respond`.

// First, because the protocols use its macros.
#[cfg(any(feature = "actix", feature = "axum"))]
#[macro_use]
mod respond;

#[cfg(feature = "actix")]
pub mod actix;
#[cfg(feature = "async-graphql")]
pub mod async_graphql;
#[cfg(feature = "axum")]
pub mod axum;
#[cfg(not(all(feature = "actix", feature = "axum", feature = "json-api")))]
mod disabled;
mod error_body;
#[cfg(feature = "html")]
pub mod html;
#[cfg(feature = "inertia")]
pub mod inertia;
#[cfg(feature = "json-api")]
pub mod json_api;
#[cfg(any(feature = "schemars", feature = "ts-rs", feature = "utoipa"))]
mod json_types;
mod link_header;
#[cfg(feature = "utoipa")]
pub mod openapi;
#[cfg(any(feature = "actix", feature = "axum"))]
mod request_scope;
#[cfg(any(feature = "actix", feature = "async-graphql", feature = "axum"))]
mod unseen;

pub use error_body::ErrorBody;
