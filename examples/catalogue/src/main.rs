//! A list of packages as a web application, with numbered pages and infinite scrolling.
//!
//! Run it with `cargo run -p example-catalogue`. The source of the front end is in `front/`, and its build in
//! `assets/`. After a change, build it again:
//!
//! ```console
//! $ npm --prefix examples/catalogue/front ci && npm --prefix examples/catalogue/front run build
//! ```
//!
//! `PORT` sets the port; 0 means any free one. `APP_KEY` sets the key that encrypts cursors, so that URLs with a cursor
//! stay valid after a restart.

mod assets;
// The database is shared with the quickstart: whichever example runs first creates it.
#[path = "../../quickstart/src/database.rs"]
mod database;
mod packages;
mod pages;
mod problem;

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
    let sections = packages::sections(&pool).await?;
    let version = assets::version();
    let folio = Folio::new(pool)
        .keyring(keyring()?)
        .asset_version(&version)
        .root_view(move |app| assets::document(&version, app))
        .share("sections", move || sections.clone());

    let port = env::var("PORT")
        .ok()
        .map(|port| port.parse())
        .transpose()
        .context("PORT is not a port number")?
        .unwrap_or(PORT);
    let listener =
        TcpListener::bind(("127.0.0.1", port)).await.with_context(|| format!("cannot listen on port {port}"))?;
    println!("Listening on http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, app(&folio)).await?)
}

fn app(folio: &Folio) -> Router {
    Router::new()
        .route("/", get(pages::by_name))
        .route("/largest", get(pages::largest))
        .route("/side-by-side", get(pages::side_by_side))
        .route("/assets/{name}", get(assets::serve))
        .fallback(problem::nothing_here)
        .layer(folio.layer())
}

/// The keys from the environment, so that cursors stay valid after a restart. Without any, new keys.
fn keyring() -> Result<Keyring> {
    match env::var_os("APP_KEY") {
        Some(_) => Ok(Keyring::from_env()?),
        None => Ok(Keyring::new(Key::generate())),
    }
}
