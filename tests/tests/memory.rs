//! The memory that remains allocated after pages with long lists of values. The test has its own binary, because it
//! measures the memory of the whole process.

use folio::{Folio, Key, Keyring, Paginate};
use sqlx::sqlite::SqlitePoolOptions;

#[derive(sqlx::FromRow, Paginate)]
#[paginate(table = "items")]
struct Item {
    id: i64,
}

/// The most KiB that the process may grow, whatever the number of lists.
const MOST: u64 = 50 * 1_024;

/// How many values the shortest list has. Each list is one longer than the one before, so each has SQL of its own.
const SHORTEST: i64 = 4_000;

/// The lists that are read before the memory is measured, so that buffers have their size.
const WARM_UP: i64 = 8;

/// The process's resident memory in KiB; `None` outside Linux.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// How many lists are read: `FOLIO_LISTS`, up to 1,024, or fewer by default to keep the test short.
fn lists() -> i64 {
    let lists = std::env::var("FOLIO_LISTS").map_or(192, |lists| lists.parse().expect("FOLIO_LISTS is a number"));
    assert!((1..=1_024).contains(&lists), "FOLIO_LISTS is from 1 to 1024");
    lists
}

/// Reads a numbered page and a cursor page whose filter has `length` values.
async fn read(length: i64) {
    let query = || Item::query().filter(Item::ID.is_in(1..=length));
    let numbered = query().page(2).paginate(10).await.unwrap();
    assert_eq!((numbered.total, numbered.data.first().map(|item| item.id)), (100, Some(11)));
    let walked = query().cursor(None).cursor_paginate(10).await.unwrap();
    assert_eq!(walked.data.last().map(|item| item.id), Some(10));
}

#[tokio::test]
async fn long_lists_of_values_do_not_stay_in_memory() {
    if resident().is_none() {
        println!("skipped: the memory of a process is read from /proc, which only Linux has");
        return;
    }
    let pool = SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await.unwrap();
    let sql = "CREATE TABLE items (id INTEGER PRIMARY KEY);
               WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 100)
               INSERT INTO items SELECT id FROM n";
    sqlx::raw_sql(sql).execute(&pool).await.unwrap();
    let folio = Folio::new(pool).keyring(Keyring::new(Key::generate()));
    let check = async {
        for length in SHORTEST - WARM_UP..SHORTEST {
            read(length).await;
        }
        let before = resident().unwrap();
        for length in SHORTEST..SHORTEST + lists() {
            read(length).await;
        }
        let grown = resident().unwrap().saturating_sub(before);
        println!("{} lists: {} MiB more", lists(), grown / 1_024);
        assert!(grown < MOST, "{} lists of values made the process grow by {} MiB", lists(), grown / 1_024);
    };
    folio.scope(check).await;
}
