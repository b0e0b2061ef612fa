//! The service on the embedded database of 63,663 packages. `PORT` sets its port; 0 means any free one.

// The database is shared with the quickstart: whichever example runs first creates it.
#[path = "../../quickstart/src/database.rs"]
mod database;

use std::env;

use anyhow::{Context, Result};
use folio::{Folio, Key, Keyring};
use tokio::net::TcpListener;

/// The default port.
const PORT: u16 = 3000;

/// Example requests.
const EXAMPLES: [&str; 11] = [
    "/packages",
    "/packages?section=games&page=3&per_page=5",
    "/packages?q=sqlite",
    "/packages?sort=section,-name",
    "/packages/simple?page=2",
    "/packages/cursor?per_page=3",
    "/packages?per_page=0",
    "/packages/cursor?cursor=altered",
    "/api/packages?page[number]=2&page[size]=5",
    "/api/packages/window?page[size]=3",
    "/openapi.json",
];

#[tokio::main]
async fn main() -> Result<()> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let pool = database::open().await?;
    let folio = Folio::new(pool).keyring(keyring()?);

    let port = env::var("PORT")
        .ok()
        .map(|port| port.parse())
        .transpose()
        .context("PORT is not a port number")?
        .unwrap_or(PORT);
    let listener =
        TcpListener::bind(("127.0.0.1", port)).await.with_context(|| format!("cannot listen on port {port}"))?;
    let address = listener.local_addr()?;
    println!("Listening on http://{address}\n");
    for path in EXAMPLES {
        println!("   curl -sig 'http://{address}{path}'");
    }
    Ok(axum::serve(listener, example_api::app(&folio)).await?)
}

/// The keys from the environment, so that cursors stay valid after a restart. Without any, new keys.
fn keyring() -> Result<Keyring> {
    match env::var_os("APP_KEY") {
        Some(_) => Ok(Keyring::from_env()?),
        None => Ok(Keyring::new(Key::generate())),
    }
}
