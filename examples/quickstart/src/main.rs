//! A first look at folio: one table, paged three ways.
//!
//! Run it with `cargo run -p example-quickstart`. It needs no server: the first run creates an embedded SQLite database
//! of 63,663 packages, and later runs reuse it.

mod database;
mod show;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use folio::{ActiveRequest, CursorPaginator, Folio, Key, Keyring, Paginate};
use serde::Serialize;
use sqlx::SqlitePool;

/// A row of `packages`. The derive generates `Package::query()` and a typed column for each field, such as
/// `Package::SECTION`.
///
/// Cursor pages begin with the packages that have the most dependencies. For 7,700 packages the number is NULL, so the
/// key states the NULL position. Many packages tie, so folio appends the primary key `id` as a tie-breaker.
#[derive(Debug, Serialize, sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "depends_count desc nulls last")]
struct Package {
    id: i64,
    name: String,
    version: String,
    section: String,
    priority: String,
    installed_size_kib: Option<i64>,
    download_bytes: i64,
    depends_count: Option<i64>,
}

#[tokio::main]
async fn main() -> Result<()> {
    // folio says what is wrong through `tracing`: without a subscriber, its warnings and the causes of a 5xx are lost.
    tracing_subscriber::fmt().with_writer(std::io::stderr).init();
    let pool = database::open().await?;

    // The whole setup: where to read, and the keys that encrypt cursors. A service reads its keys from the environment
    // with `Keyring::from_env()?`, so that cursors stay valid after a restart.
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).install()?;

    numbered_page().await?;
    simple_page().await?;
    cursor_walk(&pool).await?;
    page_as_json().await
}

/// A page with the total and links to other pages. Its number comes from the active request, as in a web service.
async fn numbered_page() -> Result<()> {
    let request = ActiveRequest::new("/packages?page=3");
    let query = Package::query().order_by_desc(Package::INSTALLED_SIZE_KIB).with_path(request.path());
    let page = request.scope(query.paginate(10)).await?;

    show::title("Packages by size, page 3: paginate(10)");
    show::packages(&page.data);
    show::numbered(&page);
    Ok(())
}

/// A page without the total: one query instead of two, and only the previous and the next page.
async fn simple_page() -> Result<()> {
    let games = Package::query().filter(Package::SECTION.eq("games")).with_path("/games");
    let page = games.page(2).simple_paginate(5).await?;

    show::title("Games, page 2: simple_paginate(5)");
    show::packages(&page.data);
    show::simple(&page);
    Ok(())
}

/// Every page of the table by cursor, to the end and back. Each row is seen once in each direction.
async fn cursor_walk(pool: &SqlitePool) -> Result<()> {
    show::title("The whole table by depends_count, to its end and back: cursor_paginate(100)");
    let ids: Vec<i64> = sqlx::query_scalar("SELECT id FROM packages").fetch_all(pool).await?;
    let forwards = walk("/packages", CursorPaginator::next_page_url, ids.len()).await?;
    let backwards = walk(&forwards.last_url, CursorPaginator::previous_page_url, ids.len()).await?;
    for (way, walk) in [("forwards", forwards), ("backwards", backwards)] {
        let mut seen = HashSet::new();
        let duplicates = walk.ids.iter().filter(|id| !seen.insert(**id)).count();
        let gaps = ids.iter().filter(|id| !seen.contains(id)).count();
        show::walk(way, walk.ids.len(), duplicates, gaps, walk.time);
        ensure!(duplicates == 0 && gaps == 0, "the walk {way} did not see every row once");
    }
    Ok(())
}

/// The rows that a cursor walk has seen.
struct Walk {
    ids: Vec<i64>,
    last_url: String,
    time: Duration,
}

/// Requests page after page by the URL in the previous page, as a client does.
async fn walk(first_url: &str, step: fn(&CursorPaginator<Package>) -> Option<String>, rows: usize) -> Result<Walk> {
    let start = Instant::now();
    let progress = show::progress(rows);
    let mut ids = Vec::with_capacity(rows);
    let mut url = first_url.to_owned();
    loop {
        let query = Package::query().with_path("/packages");
        let page = ActiveRequest::new(&url).scope(query.cursor_paginate(100)).await?;
        ids.extend(page.data.iter().map(|package| package.id));
        progress.set_position(ids.len() as u64);
        match step(&page) {
            // Ends the walk if rows repeat, instead of running forever. The repetition is then reported.
            Some(next) if ids.len() <= rows => url = next,
            _ => break,
        }
    }
    progress.finish_and_clear();
    Ok(Walk { ids, last_url: url, time: start.elapsed() })
}

/// The response to a client: JSON that pagination components for Laravel can read.
async fn page_as_json() -> Result<()> {
    let query = Package::query().filter(Package::NAME.like("git-a%")).with_path("/packages?q=git-a");
    let page = query.page(2).paginate(2).await?;

    show::title("Packages named git-a…, page 2, as JSON: serde_json::to_string_pretty(&page)");
    println!("{}", serde_json::to_string_pretty(&page)?);
    Ok(())
}
