//! A web service over a list of packages: one table, served with each of folio's paginators and protocols.
//!
//! Run it with `cargo run -p example-api`.

mod openapi;
mod plain;
mod related;
mod resources;

use axum::Router;
use axum::routing::get;
use folio::{Builder, Folio, FrameworkError, Paginate, Sorts};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

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

/// The filters that a client may use.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Filters {
    /// Only packages of this section, such as `games`.
    section: Option<String>,
    /// Only packages with this text in their name.
    q: Option<String>,
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

/// A query for the packages that match the filters, whose links keep them.
fn packages(filters: Filters) -> Builder<Package> {
    let Filters { section, q } = filters;
    Package::query()
        .filter_if(section.map(|section| Package::SECTION.eq(section)))
        .filter_if(q.map(|text| Package::NAME.icontains(&text)))
        .with_query_string()
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
