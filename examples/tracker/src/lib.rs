//! An issue tracker: what a service on axum, sqlx and folio looks like.
//!
//! Read [`models`] first, then `issues.rs`. The README shows each route with its response.

// The service's own items need no documentation for users of a library.
#![expect(missing_docs, reason = "the fields of the tables say what they are")]

mod close;
mod comments;
mod database;
mod error;
mod extract;
mod generate;
mod issues;
pub mod models;
mod openapi;
mod overviews;
mod projects;
mod users;

use std::time::Duration;

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
    // The log tells which pages are slow. Each page is a span as well, for those who export traces.
    let folio = Folio::new(database.pool()).keyring(keyring).slow_page(Duration::from_millis(500));
    let projects = folio.scope(Projects::load()).await?;
    Ok(routes().layer(folio.layer()).with_state(Tracker { database, projects }))
}

fn routes() -> Router<Tracker> {
    Router::new()
        .route("/projects", get(projects::list))
        .route("/projects/{project}/issues", get(issues::numbered))
        .route("/projects/{project}/feed", get(issues::feed))
        .route("/projects/{project}/new", get(issues::new))
        .route("/projects/{project}/issues/{issue}", get(issues::around))
        .route("/projects/{project}/timeline", get(issues::timeline))
        .route("/projects/{project}/summary", get(issues::summary))
        .route("/projects/{project}/export", get(issues::export))
        .route("/projects/{project}/threads", get(comments::threads))
        .route("/projects/{project}/discussions", get(overviews::discussions))
        .route("/issues", get(overviews::newest))
        .route("/issues/{issue}/comments", get(comments::list))
        .route("/issues/{issue}/comments/{comment}", get(comments::around))
        .route("/issues/{issue}/unread", get(comments::unread))
        .route("/issues/{issue}/close", post(close::close))
        .route("/users", get(users::list))
        .route("/openapi.json", get(openapi::document))
        .fallback(error::no_route)
}
