//! The server on the embedded database of 63,663 packages. `PORT` sets its port; 0 means any free one.

// The database is shared with the quickstart: whichever example runs first creates it.
#[path = "../../quickstart/src/database.rs"]
mod database;

use std::env;

use anyhow::{Context, Result};
use folio::{Folio, Key, Keyring};
use tokio::net::TcpListener;

/// The default port.
const PORT: u16 = 3000;

/// Example queries, as they are written in JSON.
const EXAMPLES: [&str; 4] = [
    "{ packages(first: 3) { nodes { name dependsCount } pageInfo { endCursor hasNextPage } totalCount } }",
    r#"{ packages(last: 3, orderBy: NAME, filter: { section: \"games\" }) { nodes { name } } }"#,
    "{ sections(first: 2) { nodes { name packages(first: 3, orderBy: SIZE) { nodes { name } totalCount } } } }",
    r#"{ packages(first: 3, after: \"altered\") { nodes { name } } }"#,
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
    println!("   curl -s http://{address}/schema.graphql");
    for query in EXAMPLES {
        let body = format!(r#"{{ "query": "{query}" }}"#);
        println!("   curl -s http://{address}/graphql -H 'content-type: application/json' -d '{body}'");
    }
    Ok(axum::serve(listener, example_graphql::app(&folio)).await?)
}

/// The keys from the environment, so that cursors stay valid after a restart. Without any, new keys.
fn keyring() -> Result<Keyring> {
    match env::var_os("APP_KEY") {
        Some(_) => Ok(Keyring::from_env()?),
        None => Ok(Keyring::new(Key::generate())),
    }
}
