//! The stylesheet and htmx, which are embedded in the program.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::problem::{Problem, nothing_here};

const STYLE: &str = include_str!("../assets/shop.css");

/// Version 4.0.1, as published on npm. Its licence is beside it.
const HTMX: &str = include_str!("../assets/htmx.min.js");

/// Changes with the assets.
static VERSION: LazyLock<u64> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    (STYLE, HTMX).hash(&mut hasher);
    hasher.finish()
});

/// The URL of an asset. It contains the version, so that it can be cached forever.
pub(crate) fn url(name: &str) -> String {
    format!("/assets/{name}?v={:016x}", *VERSION)
}

pub(crate) async fn serve(Path(name): Path<String>) -> Result<Response, Problem> {
    let (content_type, body) = match name.as_str() {
        "htmx.js" => ("text/javascript; charset=utf-8", HTMX),
        "shop.css" => ("text/css; charset=utf-8", STYLE),
        _ => return Err(nothing_here().await),
    };
    Ok(([(CONTENT_TYPE, content_type), (CACHE_CONTROL, "public, max-age=31536000, immutable")], body).into_response())
}
