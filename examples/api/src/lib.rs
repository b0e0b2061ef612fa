//! A web service over a list of packages: one table, served in every way that folio has.
//!
//! Run it with `cargo run -p example-api`.

mod openapi;
mod plain;
mod resources;

use axum::Router;
use axum::routing::get;
use folio::sea_query::{Expr, LikeExpr};
use folio::{ActiveRequest, Builder, ExprTrait, Folio, FrameworkError, Paginate};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A package of a Linux distribution.
///
/// A walk by cursors begins with what depends on most.
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

/// What a client may narrow the list by.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Filters {
    /// Only packages of this section, such as `games`.
    section: Option<String>,
    /// Only packages with this text in their name.
    q: Option<String>,
}

/// The routes. All that they need of folio comes with its layer.
pub fn app(folio: &Folio) -> Router {
    let api =
        Router::new().route("/packages", get(resources::numbered)).route("/packages/cursor", get(resources::cursor));
    Router::new()
        .route("/packages", get(plain::numbered))
        .route("/packages/simple", get(plain::simple))
        .route("/packages/cursor", get(plain::cursor))
        .route("/openapi.json", get(openapi::document))
        .nest("/api", api)
        .fallback(nothing)
        .layer(folio.layer())
}

/// The packages for which the filters hold. The URLs of their pages are this request's, so that they keep its filters.
fn packages(filters: Filters) -> Builder<Package> {
    let mut query = Package::query();
    if let Some(section) = filters.section {
        query = query.filter(Package::SECTION.eq(section));
    }
    if let Some(text) = filters.q {
        query = query.filter(Expr::from(Package::NAME).like(containing(&text)));
    }
    match ActiveRequest::current() {
        Some(request) => query.with_path(request.uri()),
        None => query,
    }
}

/// A pattern for names that have `text` in them, whatever its letters mean in a pattern.
fn containing(text: &str) -> LikeExpr {
    let text = text.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_");
    LikeExpr::new(format!("%{text}%")).escape('\\')
}

/// The answer where no route is.
async fn nothing() -> FrameworkError {
    FrameworkError::Domain { message: "There is nothing here".into(), status_code: 404 }
}
