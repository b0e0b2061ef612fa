//! What folio does in addition to the query: sealing and opening cursors, and a page's JSON compared with that of a
//! plain struct.

use std::path::Path;

use anyhow::{Result, ensure};
use folio::{CursorDirection, Folio, Key, Keyring, LengthAwarePaginator, Paginator};
use folio_benches::by_hand;
use folio_benches::contest::{Outcome, Rival, contest};
use folio_benches::data::{Post, PostKey, sqlite};
use folio_benches::report::{Report, median, ratio};

const ROWS: i64 = 200_000;
const PER_PAGE: u64 = 15;

/// A page in the middle of the list, whose row of links has 15 entries.
const PAGE: u64 = 6_667;

const BY_HAND: &str = "by hand";
const FOLIO: &str = "folio";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let database = sqlite(Path::new(env!("CARGO_TARGET_TMPDIR")), ROWS).await?;
    let folio = Folio::new(database.pool()).keyring(Keyring::new(Key::generate()));
    let mut report = Report::default();
    folio.scope(run(&mut report)).await?;
    report.write(&Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"), "parts")
}

async fn run(report: &mut Report) -> Result<()> {
    let list = || Post::query().with_path("/posts").page(PAGE);
    let page = list().paginate(PER_PAGE).await?;
    cursors(report, &page.data[0]).await?;

    report.heading(&format!("JSON of {PER_PAGE} rows"));
    let simple = list().simple_paginate(PER_PAGE).await?;
    let rows = [simple_page(&simple).await?, length_aware(&page).await?].concat();
    report.table(&["page", "rounds", BY_HAND, FOLIO, "ratio", "more", "limit"], &rows);
    Ok(())
}

/// Sealing and opening a cursor for (created_at, id).
async fn cursors(report: &mut Report, row: &Post) -> Result<()> {
    const SEAL: &str = "sealing";
    const OPEN: &str = "opening";
    let key = row.cursor_key();
    let token = key.encode(CursorDirection::Next)?;
    ensure!(PostKey::decode(&token)? == (key.clone(), CursorDirection::Next), "another key came back");
    let outcome = contest([
        Rival::batch(SEAL, || Ok(key.encode(CursorDirection::Next)?.len())),
        Rival::batch(OPEN, || PostKey::decode(&token).map(|_| token.len()).map_err(Into::into)),
    ]);
    let outcome = outcome.await?.each();
    let row = |name: &str, limit: &str| {
        vec![name.to_owned(), outcome.rounds.to_string(), median(&outcome, name), limit.to_owned()]
    };
    report.heading("Cursors for (created_at, id)");
    report.table(&["cursor", "rounds", "a call", "limit"], &[row(SEAL, "1.5 µs"), row(OPEN, "1.2 µs")]);
    Ok(())
}

/// The JSON of a simple page, which has no links.
async fn simple_page(page: &Paginator<Post>) -> Result<Vec<Vec<String>>> {
    let mut rows = page.data.clone();
    // One row more than the page shows, so that another page follows.
    rows.extend(rows.last().cloned());
    let plain = by_hand::Simple::new("/posts", rows, PAGE, PER_PAGE);
    let outcome = contest([
        Rival::batch(BY_HAND, || Ok(serde_json::to_vec(&plain)?)),
        Rival::batch(FOLIO, || Ok(serde_json::to_vec(page)?)),
    ]);
    Ok(vec![line("simple", &outcome.await?.each(), BY_HAND, "1.1 ×")])
}

/// The JSON of a page with 15 links, compared with a plain struct with as many links, and with none.
async fn length_aware(page: &LengthAwarePaginator<Post>) -> Result<Vec<Vec<String>>> {
    const WITHOUT: &str = "by hand, without links";
    let plain = by_hand::LengthAware::from(page);
    ensure!(plain.links.len() == 15, "{} links", plain.links.len());
    let without = by_hand::LengthAware { links: Vec::new(), ..by_hand::LengthAware::from(page) };
    let bytes = serde_json::to_vec(&plain)?;
    ensure!(serde_json::to_vec(page)? == bytes, "the documents differ");
    let (bytes, shorter) = (bytes.len(), serde_json::to_vec(&without)?.len());
    let outcome = contest([
        Rival::batch(BY_HAND, || Ok(serde_json::to_vec(&plain)?.len() == bytes)),
        Rival::batch(FOLIO, || Ok(serde_json::to_vec(page)?.len() == bytes)),
        Rival::batch(WITHOUT, || Ok(serde_json::to_vec(&without)?.len() == shorter)),
    ]);
    let outcome = outcome.await?.each();
    Ok(vec![
        line("length-aware, 15 links", &outcome, BY_HAND, "1.1 ×"),
        line("length-aware, 15 links, by hand none", &outcome, WITHOUT, "1.1 × and 3 µs"),
    ])
}

fn line(name: &str, outcome: &Outcome, other: &str, limit: &str) -> Vec<String> {
    let time = |rival| outcome.median(rival).unwrap_or_default().as_secs_f64();
    let more = (time(FOLIO) - time(other)) * 1e6;
    [name, &outcome.rounds.to_string(), &median(outcome, other), &median(outcome, FOLIO), &ratio(outcome, FOLIO, other)]
        .map(str::to_owned)
        .into_iter()
        .chain([format!("{more:.2} µs"), limit.to_owned()])
        .collect()
}
