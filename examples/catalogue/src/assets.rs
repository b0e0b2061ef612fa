//! The built front end, which is embedded in the program.

use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::problem::{Problem, nothing_here};

const SCRIPT: &str = include_str!("../assets/app.js");
const STYLE: &str = include_str!("../assets/app.css");

/// The HTML document of a first visit. It sets the theme before the browser paints anything.
const DOCUMENT: &str = include_str!("document.html");

/// The version of these assets. `CATALOGUE_ASSET_VERSION` overrides it, to test readers who have an older front end.
pub(crate) fn version() -> String {
    env::var("CATALOGUE_ASSET_VERSION").unwrap_or_else(|_| {
        let mut hasher = DefaultHasher::new();
        (SCRIPT, STYLE).hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    })
}

/// The document around the front end's markup.
pub(crate) fn document(version: &str, app: &str) -> String {
    // The markup is inserted last, so that placeholders in the contents of rows are not replaced.
    DOCUMENT.replace("{version}", version).replace("{app}", app)
}

/// An asset by its name. Its URL contains the version, so it can be cached forever.
pub(crate) async fn serve(Path(name): Path<String>) -> Result<Response, Problem> {
    let (content_type, body) = match name.as_str() {
        "app.js" => ("text/javascript; charset=utf-8", SCRIPT),
        "app.css" => ("text/css; charset=utf-8", STYLE),
        _ => return Err(nothing_here().await),
    };
    let headers = [(CONTENT_TYPE, content_type), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, body).into_response())
}
