//! Pages for the browser tests: Inertia's, with lists that no example has, and page links in each theme and state.
//! `pages/inertia.js` is the front end of the former.

mod links;
mod pages;

use std::error::Error;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use folio::{Folio, Key, Keyring};
use sqlx::sqlite::{SqlitePool, SqlitePoolOptions};
use tokio::net::TcpListener;

/// The document of a first visit. The tests fulfil the request for its script.
const DOCUMENT: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Lists</title>\
    <link rel=\"icon\" href=\"data:,\"><script type=\"module\" src=\"/assets/app.js\"></script></head><body>";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folio = Folio::new(posts().await?)
        .keyring(Keyring::new(Key::generate()))
        .root_view(|app| format!("{DOCUMENT}{app}</body></html>"))
        .share("errors", pages::errors);
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("Listening on http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, app(&folio)).await?)
}

fn app(folio: &Folio) -> Router {
    Router::new()
        .route("/feed", get(pages::feed))
        .route("/simple", get(pages::simple))
        .route("/leave", get(pages::leave))
        .route("/outside", get(async || Html("<title>Outside</title><link rel=\"icon\" href=\"data:,\">")))
        .route("/reads", get(pages::reads))
        .route("/links", get(links::links))
        .route("/class-names", get(links::class_names))
        .layer(folio.layer())
}

/// A database in memory with 120 posts.
async fn posts() -> sqlx::Result<SqlitePool> {
    // The connection is kept, because the database ends with it.
    let options = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
    let pool = options.connect("sqlite::memory:").await?;
    let posts = "CREATE TABLE posts (id INTEGER PRIMARY KEY);
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 120)
        INSERT INTO posts SELECT n FROM numbers";
    sqlx::raw_sql(posts).execute(&pool).await?;
    Ok(pool)
}
