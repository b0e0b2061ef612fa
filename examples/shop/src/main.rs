//! A list of packages as pages that the server renders: a table with filters, an endless list, and a reader for one row.
//!
//! Run it with `cargo run -p example-shop`. The pages work without JavaScript. With it, htmx replaces what changes, so
//! the focus and the place on the page are kept. There is nothing to build.
//!
//! `PORT` sets the port; 0 means any free one. `APP_KEY` sets the key that encrypts cursors, so that URLs with a cursor
//! stay valid after a restart.

mod assets;
// The database is shared with the quickstart: whichever example runs first creates it.
#[path = "../../quickstart/src/database.rs"]
mod database;
mod document;
mod endless;
mod form;
mod packages;
mod problem;
mod reader;
mod table;
mod words;

use std::env;

use anyhow::{Context, Result};
use axum::Router;
use axum::routing::get;
use folio::{Folio, Key, Keyring};
use tokio::net::TcpListener;

/// The default port.
const PORT: u16 = 3000;

#[tokio::main]
async fn main() -> Result<()> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let pool = database::open().await?;
    let choices = packages::choices(&pool).await?;
    let folio = Folio::new(pool).keyring(keyring()?);

    let port = env::var("PORT")
        .ok()
        .map(|port| port.parse())
        .transpose()
        .context("PORT is not a port number")?
        .unwrap_or(PORT);
    let listener =
        TcpListener::bind(("127.0.0.1", port)).await.with_context(|| format!("cannot listen on port {port}"))?;
    println!("Listening on http://{}", listener.local_addr()?);
    let app = Router::new()
        .route("/", get(table::table))
        .route("/endless", get(endless::endless))
        .route("/packages/{id}", get(reader::reader))
        .route("/assets/{name}", get(assets::serve))
        .fallback(problem::nothing_here)
        .with_state(choices)
        .layer(folio.layer());
    Ok(axum::serve(listener, app).await?)
}

/// The keys from the environment, so that cursors stay valid after a restart. Without any, new keys.
fn keyring() -> Result<Keyring> {
    match env::var_os("APP_KEY") {
        Some(_) => Ok(Keyring::from_env()?),
        None => Ok(Keyring::new(Key::generate())),
    }
}
