//! An issue tracker: what a service on axum, sqlx and folio looks like.
//!
//! Read [`models`] first, then `filters.rs` and `issues.rs`. The README shows each route with its response.

// The service's own items need no documentation for users of a library.
#![expect(missing_docs, reason = "the fields of the tables say what they are")]

mod close;
mod comments;
mod database;
mod error;
mod extract;
mod filters;
mod generate;
mod issues;
pub mod models;
mod openapi;
mod overviews;
mod projects;
mod users;

use axum::Router;
use axum::extract::FromRef;
use axum::routing::{get, post};
use folio::{Folio, Keyring};

pub use crate::database::Database;
pub use crate::generate::generate;
use crate::projects::Projects;

/// What handlers take with `State`.
#[derive(Debug, Clone, FromRef)]
struct Tracker {
    database: Database,
    projects: Projects,
}

/// The service on a database with tables. Its cursors are sealed with the keys of `keyring`.
///
/// # Errors
/// If the projects cannot be read.
pub async fn app(database: Database, keyring: Keyring) -> folio::Result<Router> {
    let folio = Folio::new(database.pool()).keyring(keyring);
    let projects = folio.scope(Projects::load()).await?;
    Ok(routes().layer(folio.layer()).with_state(Tracker { database, projects }))
}

fn routes() -> Router<Tracker> {
    Router::new()
        .route("/projects", get(projects::list))
        .route("/projects/{project}/issues", get(issues::numbered))
        .route("/projects/{project}/feed", get(issues::feed))
        .route("/projects/{project}/export", get(issues::export))
        .route("/projects/{project}/discussions", get(overviews::discussions))
        .route("/issues", get(overviews::newest))
        .route("/issues/{issue}/comments", get(comments::list))
        .route("/issues/{issue}/close", post(close::close))
        .route("/users", get(users::list))
        .route("/openapi.json", get(openapi::document))
        .fallback(error::no_route)
}
