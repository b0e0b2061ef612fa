//! The built front end, which is part of the program.

use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::problem::{Problem, nothing_here};

const SCRIPT: &str = include_str!("../assets/app.js");
const STYLE: &str = include_str!("../assets/app.css");

/// The document of a first visit. The theme is set before anything is painted.
const DOCUMENT: &str = include_str!("document.html");

/// What tells these assets from those of another build. `CATALOGUE_ASSET_VERSION` takes its place, to see what becomes of
/// readers who have an older front end.
pub(crate) fn version() -> String {
    env::var("CATALOGUE_ASSET_VERSION").unwrap_or_else(|_| {
        let mut hasher = DefaultHasher::new();
        (SCRIPT, STYLE).hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    })
}

/// The document around the front end's markup.
pub(crate) fn document(version: &str, app: &str) -> String {
    // What rows have in them comes in last, so that nothing in it is taken for a mark.
    DOCUMENT.replace("{version}", version).replace("{app}", app)
}

/// An asset by its name. Its address has the version in it, so it may be kept for ever.
pub(crate) async fn serve(Path(name): Path<String>) -> Result<Response, Problem> {
    let (content_type, body) = match name.as_str() {
        "app.js" => ("text/javascript; charset=utf-8", SCRIPT),
        "app.css" => ("text/css; charset=utf-8", STYLE),
        _ => return Err(nothing_here().await),
    };
    let headers = [(CONTENT_TYPE, content_type), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, body).into_response())
}
