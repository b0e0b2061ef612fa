//! A first look at folio: one table, paged three ways.
//!
//! Run it with `cargo run -p example-quickstart`. It needs no server: the first run builds an embedded SQLite database
//! of 63,663 packages beside this example, every later run reuses it.

mod database;
mod show;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use folio::{ActiveRequest, CursorPaginator, Folio, Key, Keyring, Paginate};
use serde::Serialize;
use sqlx::SqlitePool;

/// A row of `packages`. Derived are `Package::query()` and a typed column for every field, like `Package::SECTION`.
///
/// A walk by cursors begins with what depends on most. Many packages tie and 7,700 say nothing (NULL), so the key says
/// where those lie, and folio closes it with the primary key `id`.
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
    let pool = database::open().await?;

    // All the set-up there is: where to read, and the keys that seal cursors. A service keeps its keys in the
    // environment and reads them with `Keyring::from_env()?`, so that cursors outlive a restart.
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).install()?;

    numbered_page().await?;
    simple_page().await?;
    cursor_walk(&pool).await?;
    page_as_json().await
}

/// With the total and a link to every page. Which page is read from the request, as in a web service.
async fn numbered_page() -> Result<()> {
    let request = ActiveRequest::new("/packages?page=3");
    let query = Package::query().order_by_desc(Package::INSTALLED_SIZE_KIB).with_path(request.path());
    let page = request.scope(query.paginate(10)).await?;

    show::title("Packages by size, page 3: paginate(10)");
    show::packages(&page.data);
    show::numbered(&page);
    Ok(())
}

/// Without the total: one query instead of two, and only the way back and on.
async fn simple_page() -> Result<()> {
    let games = Package::query().filter(Package::SECTION.eq("games")).with_path("/games");
    let page = games.page(2).simple_paginate(5).await?;

    show::title("Games, page 2: simple_paginate(5)");
    show::packages(&page.data);
    show::simple(&page);
    Ok(())
}

/// Every page of the table by cursors, to its end and back: each row once, whichever way.
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

/// What a walk saw.
struct Walk {
    ids: Vec<i64>,
    last_url: String,
    time: Duration,
}

/// Asks for page after page, by the URL that the one before gave, as a client does.
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
            // Rows that come again would be reported, not walked for ever.
            Some(next) if ids.len() <= rows => url = next,
            _ => break,
        }
    }
    progress.finish_and_clear();
    Ok(Walk { ids, last_url: url, time: start.elapsed() })
}

/// What a client gets: the JSON that pagination components for Laravel read.
async fn page_as_json() -> Result<()> {
    let query = Package::query().filter(Package::NAME.like("git-a%")).with_path("/packages?q=git-a");
    let page = query.page(2).paginate(2).await?;

    show::title("Packages named git-a…, page 2, as JSON: serde_json::to_string_pretty(&page)");
    println!("{}", serde_json::to_string_pretty(&page)?);
    Ok(())
}
