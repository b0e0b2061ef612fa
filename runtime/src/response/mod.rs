//! What goes out over HTTP: JSON, and the responses of each framework.

#[cfg(feature = "axum")]
mod axum;
mod json;
#[cfg(feature = "axum")]
mod layer;

pub use json::ErrorBody;

#[cfg(feature = "axum")]
pub use {
    self::axum::json_response,
    layer::{FolioBody, FolioFuture, FolioLayer, FolioService},
};
