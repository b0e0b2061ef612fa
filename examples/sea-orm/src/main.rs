//! The blog on `DATABASE_URL`, or else on a SQLite file in this folder. `PORT` sets the port, and `APP_KEY` the key that
//! encrypts cursors, so that they stay valid after a restart.

use std::env;

use anyhow::{Context as _, Result};
use example_sea_orm::app;
use folio::{Key, Keyring};
use tokio::net::TcpListener;

/// The database without `DATABASE_URL`.
const SQLITE: &str = concat!("sqlite:", env!("CARGO_MANIFEST_DIR"), "/blog.db?mode=rwc");

#[tokio::main]
async fn main() -> Result<()> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let keyring = match env::var_os("APP_KEY") {
        Some(_) => Keyring::from_env()?,
        None => Keyring::new(Key::generate()),
    };
    let app = app(&env::var("DATABASE_URL").unwrap_or_else(|_| SQLITE.to_owned()), keyring).await?;
    let port = match env::var("PORT") {
        Ok(port) => port.parse().context("PORT is not a port number")?,
        Err(_) => 3000_u16,
    };
    let listener =
        TcpListener::bind(("127.0.0.1", port)).await.with_context(|| format!("cannot listen on port {port}"))?;
    println!("Listening on http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, app).await?)
}
