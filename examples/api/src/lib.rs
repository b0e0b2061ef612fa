//! A web service over a list of packages: one table, served with each of folio's paginators and protocols.
//!
//! Run it with `cargo run -p example-api`.

mod openapi;
mod plain;
mod related;
mod resources;

use axum::Router;
use axum::routing::get;
use folio::{Builder, Filters, Folio, FrameworkError, Paginate, Sorts};
use serde::Serialize;
use utoipa::ToSchema;

/// A package of a Linux distribution.
///
/// Cursor pages begin with the packages that have the most dependencies.
#[derive(Debug, Serialize, sqlx::FromRow, Paginate, ToSchema)]
#[paginate(resource = "packages", cursor_key = "depends_count desc nulls last")]
pub struct Package {
    id: i64,
    name: String,
    version: String,
    section: String,
    priority: String,
    installed_size_kib: Option<i64>,
    download_bytes: i64,
    depends_count: Option<i64>,
}

/// The routes. folio's layer provides everything that their handlers need.
pub fn app(folio: &Folio) -> Router {
    let api = Router::new()
        .route("/packages", get(resources::numbered))
        .route("/packages/simple", get(related::simple))
        .route("/packages/cursor", get(resources::cursor))
        .route("/packages/window", get(resources::window));
    Router::new()
        .route("/packages", get(plain::numbered))
        .route("/packages/simple", get(plain::simple))
        .route("/packages/cursor", get(plain::cursor))
        .route("/openapi.json", get(openapi::document))
        .nest("/api", api)
        .fallback(nothing)
        .layer(folio.layer())
}

/// The filters that a client may use.
fn filters() -> Filters<Package> {
    Filters::new().allow("section", Package::SECTION.eq_any()).allow("q", Package::NAME.search())
}

/// A query for the packages that match the request's filters, whose links keep them.
fn packages() -> folio::Result<Builder<Package>> {
    Ok(Package::query().filter(filters().from_request()?).with_query_string())
}

/// The orders that a client may choose.
fn sorts(default: &str) -> Sorts {
    Sorts::new("id", Package::ID)
        .allow("name", Package::NAME)
        .allow("section", (Package::SECTION, Package::NAME))
        .allow("dependencies", Package::DEPENDS_COUNT.desc().nulls_last())
        .default(default)
}

/// The response if no route matches.
async fn nothing() -> FrameworkError {
    FrameworkError::Domain { message: "There is nothing here".into(), status_code: 404 }
}
