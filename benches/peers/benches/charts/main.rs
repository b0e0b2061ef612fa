//! Measures and draws the two charts of the README: the time of a page against its depth, and one round trip against
//! two.

mod depth;
mod draw;
mod round_trips;

use std::path::Path;

use anyhow::Result;
use folio::{Folio, Key, Keyring};
use folio_benches::data::databases;
use folio_benches::report::Report;

const ROWS: i64 = 1_000_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    // Cargo passes `--bench` to every benchmark.
    let size = std::env::args().skip(1).find(|argument| argument != "--bench").map(|rows| rows.parse()).transpose()?;
    let rows = size.unwrap_or(ROWS);
    let (mut panels, mut networks) = (Vec::new(), Vec::new());
    let mut report = Report::default();
    for database in databases(Path::new(env!("CARGO_TARGET_TMPDIR")), rows).await? {
        let name = format!("{} {}, {rows} rows", database.name(), database.version().await?);
        let folio = Folio::new(database.pool()).keyring(Keyring::new(Key::generate()));
        let panel = folio.scope(depth::measure(&database, rows)).await?;
        report.heading(&name);
        report.table(&depth::HEADER, &panel.table());
        panels.push(panel);
        networks.extend(round_trips::measure(&database, rows).await?);
    }
    report.heading("Two statements, and one");
    report.table(&round_trips::HEADER, &networks.iter().map(round_trips::Network::line).collect::<Vec<_>>());

    let benches = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    draw::depth(&benches.join("depth.svg"), &panels)?;
    draw::round_trips(&benches.join("round_trips.svg"), &networks)?;
    report.write(&benches.join("README.md"), "charts")
}
