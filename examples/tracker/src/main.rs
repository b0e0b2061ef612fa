//! The service with 100,000 issues, which it generates once.
//!
//! `DATABASE_URL` names the database; without it, a SQLite file in this folder is used. `PORT` sets the port; 0 means
//! any free one. `APP_KEY` sets the key that encrypts cursors, so that they stay valid after a restart.

use std::env;
use std::time::Instant;

use anyhow::{Context, Result};
use example_tracker::{Database, app, generate};
use folio::{Key, Keyring};
use tokio::net::TcpListener;

/// The database without `DATABASE_URL`.
const SQLITE: &str = concat!("sqlite:", env!("CARGO_MANIFEST_DIR"), "/tracker.db");

/// The number of generated issues.
const ISSUES: i64 = 100_000;

/// The default port.
const PORT: u16 = 3000;

/// Example requests.
const EXAMPLES: [&str; 10] = [
    "/projects",
    "/projects/atlas/issues?state=open&label=bug&q=timeout&sort=-priority&per_page=5",
    "/projects/atlas/feed?per_page=5",
    "/projects/atlas/discussions?per_page=5",
    "/projects/atlas/threads?per_page=5",
    "/projects/atlas/summary?state=open",
    "/projects/atlas/timeline?at=2025-06-01T00:00:00Z",
    "/issues?per_page=5",
    "/issues/100/comments?per_page=5",
    "/openapi.json",
];

#[tokio::main]
async fn main() -> Result<()> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let database = open().await?;
    let app = app(database, keyring()?).await?;

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
        println!("   curl -s 'http://{address}{path}'");
    }
    Ok(axum::serve(listener, app).await?)
}

/// Connects to the database, creates its tables, and generates the issues if there are none.
async fn open() -> Result<Database> {
    let url = match env::var("DATABASE_URL") {
        Ok(url) => url,
        Err(_) => {
            println!("DATABASE_URL is not set, so the tracker uses {SQLITE}");
            SQLITE.to_owned()
        }
    };
    let database = Database::connect(&url).await.context("cannot connect to the database")?;
    database.migrate().await?;
    let start = Instant::now();
    if generate(&database, ISSUES).await.context("cannot generate the issues")? {
        println!("Generated {ISSUES} issues in {:.1?}. The next start reuses them.", start.elapsed());
    }
    Ok(database)
}

/// The keys from the environment, so that cursors stay valid after a restart. Without any, new keys.
fn keyring() -> Result<Keyring> {
    match env::var_os("APP_KEY") {
        Some(_) => Ok(Keyring::from_env()?),
        None => Ok(Keyring::new(Key::generate())),
    }
}
