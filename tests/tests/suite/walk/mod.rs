//! The walk invariant: whatever the key, the page size and the changes of rows and of the catalog between pages, each
//! row that is present throughout is seen exactly once, in the order of ORDER BY, forwards and backwards.
//!
//! The oracle is a list in memory that is sorted by its own comparison and sliced. It is also compared with the
//! database's plain ORDER BY. It shares no code with the predicates.

mod catalog;
mod shape;
mod table;

use std::collections::BTreeSet;
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use folio::testing::Walk;
use folio::{Column, CursorPaginator, IntoOrder, Paginate};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use self::shape::{Item, Shape, Sorted, schema};
use self::table::{Case, Change, Table, case};
use crate::server::{self, ID, VACUUM};
use crate::suite::db::{self, Pool};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Forwards,
    Backwards,
}

/// Walks to the end and compares every page with the oracle. Returns where the way back starts.
async fn walk(
    table: &mut Table<'_>,
    way: Way,
    mut from: Option<(Item, String)>,
    changes: &[Change],
) -> Option<(Item, String)> {
    let mut seen: Vec<Item> = Vec::new();
    let stable = |table: &Table<'_>| {
        let touched = table.touched.clone();
        move |item: &&Item| !touched.contains(&item.id)
    };
    let started_at = from.as_ref().map(|(item, _)| item.clone());
    let mut back = None;
    for step in 0.. {
        assert!(step < 2_000, "the walk does not end");
        let page = table.page(from.as_ref().map(|(_, cursor)| cursor.as_str())).await;
        assert_page(table, way, from.as_ref().map(|(item, _)| item), &page);
        match way {
            Way::Forwards => seen.extend(page.data.iter().cloned()),
            Way::Backwards => seen.splice(0..0, page.data.iter().cloned()).for_each(drop),
        }
        if changes.is_empty() {
            assert_round_trip(table, &page).await;
        }
        let (onward, behind, edge) = match way {
            Way::Forwards => (page.next_cursor, page.prev_cursor, page.data.last()),
            Way::Backwards => (page.prev_cursor, page.next_cursor, page.data.first()),
        };
        if let (Some(behind), Some(edge)) =
            (behind, page.data.first().filter(|_| way == Way::Forwards).or(page.data.last()))
        {
            back = Some((edge.clone(), behind));
        }
        let Some(onward) = onward else { break };
        from = Some((edge.unwrap().clone(), onward));
        if let Some(change) = changes.get(step) {
            table.change(change).await;
        }
    }
    let mut ids = BTreeSet::new();
    assert!(seen.iter().all(|item| ids.insert(item.id)), "a row is seen twice: {seen:?}");
    let expected: Vec<Item> = table.sorted();
    let in_range = |item: &&Item| match (&started_at, way) {
        (None, _) => true,
        (Some(start), Way::Forwards) => table.case.shape.compare(item, start).is_gt(),
        (Some(start), Way::Backwards) => table.case.shape.compare(item, start).is_lt(),
    };
    let expected: Vec<&Item> = expected.iter().filter(in_range).filter(stable(table)).collect();
    let seen: Vec<&Item> = seen.iter().filter(stable(table)).collect();
    assert_eq!(seen, expected, "the rows that were present throughout");
    back
}

/// The page is the slice of the sorted rows after `from`, with a cursor on each side that has more rows.
fn assert_page(table: &Table<'_>, way: Way, from: Option<&Item>, page: &CursorPaginator<Item>) {
    let sorted = table.sorted();
    let per_page = usize::try_from(table.case.per_page).unwrap();
    let rows: Vec<&Item> = match (from, way) {
        (None, _) => sorted.iter().collect(),
        (Some(from), Way::Forwards) => {
            sorted.iter().filter(|item| table.case.shape.compare(item, from).is_gt()).collect()
        }
        (Some(from), Way::Backwards) => {
            sorted.iter().filter(|item| table.case.shape.compare(item, from).is_lt()).collect()
        }
    };
    let more = rows.len() > per_page;
    let expected: Vec<&Item> = match way {
        Way::Forwards => rows.iter().take(per_page).copied().collect(),
        Way::Backwards => rows.iter().skip(rows.len().saturating_sub(per_page)).copied().collect(),
    };
    assert_eq!(page.data.iter().collect::<Vec<_>>(), expected);
    // The row of the boundary is on the way back from a page; for an empty page, whatever rows are left there.
    let behind = from.is_some() && (!expected.is_empty() || sorted.len() > rows.len());
    let (next, prev) = match way {
        Way::Forwards => (more, behind),
        Way::Backwards => (behind, more),
    };
    assert_eq!((page.next_cursor.is_some(), page.prev_cursor.is_some()), (next, prev), "cursors of {page:?}");
}

/// The page before the next page is this page, and the page after the previous one.
async fn assert_round_trip(table: &Table<'_>, page: &CursorPaginator<Item>) {
    if let Some(next) = &page.next_cursor {
        let next = table.page(Some(next)).await;
        let again = table.page(Some(next.prev_cursor.as_ref().expect("a way back"))).await;
        assert_eq!(again.data, page.data);
    }
    if let Some(prev) = &page.prev_cursor
        && page.next_cursor.is_some()
    {
        let prev = table.page(Some(prev)).await;
        if prev.data.len() == page.data.len() {
            let again = table.page(Some(prev.next_cursor.as_ref().expect("a way on"))).await;
            assert_eq!(again.data, page.data);
        }
    }
}

async fn check(pool: &Pool, other: &Pool, case: &Case, tally: &Tally) {
    let mut table = Table::new(pool, other, case).await;
    table.assert_agrees().await;
    let (forwards, backwards) = case.changes.split_at(case.changes.len() / 2);
    let back = walk(&mut table, Way::Forwards, None, forwards).await;
    tally.add();
    table.assert_agrees().await;
    table.touched.clear();
    if let Some(back) = back {
        walk(&mut table, Way::Backwards, Some(back), backwards).await;
        tally.add();
    }
}

/// How many walks there are by default.
const WALKS: u64 = 128;

/// How many cases a thread draws before it looks how many walks are left.
const BATCH: u32 = 32;

/// The walks of all threads.
struct Tally {
    wanted: u64,
    walked: AtomicU64,
    begun: Instant,
}

impl Tally {
    /// Counts a walk, and prints how far the test is at each tenth.
    fn add(&self) {
        let walked = self.walked.fetch_add(1, Ordering::Relaxed) + 1;
        if walked.is_multiple_of((self.wanted / 10).max(1)) {
            println!("{walked} walks after {} s", self.begun.elapsed().as_secs());
        }
    }
}

/// Walks on a database of its own until there are enough walks. Proptest shows the smallest case that loses a row.
fn walk_at_random(tally: &Tally) {
    let runtime = db::runtime();
    // One connection, because no other sees a temporary table, or has its `search_path`.
    let pool = runtime.block_on(server::pool(1));
    let other = runtime.block_on(async { Pool::connect_lazy_with((*pool.connect_options()).clone()) });
    runtime.block_on(db::run(&pool, schema()));
    let folio = db::application(&pool);
    let config = ProptestConfig { cases: BATCH, failure_persistence: None, ..ProptestConfig::default() };
    while tally.walked.load(Ordering::Relaxed) < tally.wanted {
        TestRunner::new(config.clone())
            .run(&case(), |case| {
                runtime.block_on(folio.scope(check(&pool, &other, &case, tally)));
                Ok(())
            })
            .unwrap();
        // Otherwise each page reads past the deleted rows of all earlier walks.
        if let Some(vacuum) = VACUUM {
            runtime.block_on(db::run(&pool, vacuum.replace("{}", "items")));
        }
    }
    runtime.block_on(other.close());
}

/// `FOLIO_WALKS` sets how many walks there are. Every core walks its share.
#[test]
fn every_row_is_seen_once() {
    let wanted = std::env::var("FOLIO_WALKS").map_or(WALKS, |number| number.parse().expect("a number"));
    let tally = Tally { wanted, walked: AtomicU64::new(0), begun: Instant::now() };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for number in 0..threads {
            // The database is named after the thread.
            let thread = thread::Builder::new().name(format!("walk_{number}"));
            thread.spawn_scoped(scope, || walk_at_random(&tally)).unwrap();
        }
    });
    println!("0 rows lost in {} walks", tally.walked.into_inner());
}

/// A page whose rows were deleted leads back to the row before it.
#[tokio::test]
async fn an_emptied_page_leads_back() {
    let (folio, pool) = db::folio(&schema()).await;
    let item = Item { id: 0, number: 1, maybe: None, label: None, fraction: 0.5, kept: true };
    let case = Case {
        shape: Shape(vec![Sorted { column: 0, descending: false, nulls_last: false }]),
        items: vec![item; 9],
        per_page: 3,
        filtered: false,
        changes: Vec::new(),
    };
    let check = async {
        let table = Table::new(&pool, &pool, &case).await;
        let sorted = table.sorted();
        let first = table.page(None).await;
        let second = table.page(first.next_cursor.as_deref()).await;
        let boundary = sorted[5].id;
        db::run(&pool, format!("DELETE FROM items WHERE id > {boundary}")).await;
        let empty = table.page(second.next_cursor.as_deref()).await;
        assert_eq!((empty.data.len(), empty.next_cursor.is_some()), (0, false));
        let back = table.page(empty.prev_cursor.as_deref()).await;
        assert_eq!(back.data, sorted[3..6], "the boundary's own row is among them");
        assert_eq!((back.next_cursor.is_some(), back.prev_cursor.is_some()), (false, true));
        let first_again = table.page(back.prev_cursor.as_deref()).await;
        assert_eq!(first_again.data, first.data);

        db::run(&pool, format!("DELETE FROM items WHERE id < {boundary}")).await;
        let empty = table.page(back.prev_cursor.as_deref()).await;
        assert_eq!((empty.data.len(), empty.prev_cursor.is_some()), (0, false));
        let on = table.page(empty.next_cursor.as_deref()).await;
        assert_eq!(on.data, sorted[5..6]);
        assert_eq!((on.next_cursor.is_some(), on.prev_cursor.is_some()), (false, false));

        db::run(&pool, "DELETE FROM items").await;
        let nothing = table.page(on.prev_cursor.or(empty.next_cursor).as_deref()).await;
        assert_eq!((nothing.data.len(), nothing.next_cursor, nothing.prev_cursor), (0, None, None));
    };
    folio.scope(check).await;
}

/// The order names its columns without a table. The primary key is recognized among them.
#[tokio::test]
async fn a_filtered_list_is_walked_by_columns_without_a_table() {
    let rows: Vec<String> = (1..=40).map(|id| format!("({id}, {}, {})", id % 3, id % 4)).collect();
    let schema = format!(
        "CREATE TABLE bares (id {ID}, grade BIGINT NOT NULL, tenant BIGINT NOT NULL); INSERT INTO bares VALUES {}",
        rows.join(", ")
    );
    let (folio, _pool) = db::folio(&schema).await;
    let order = (Column::<i64>::new("grade"), Column::<i64>::new("id").desc()).erased();
    let mut expected: Vec<i64> = (1..=40).filter(|id| id % 4 == 1).collect();
    expected.sort_by_key(|id| (id % 3, -id));
    let check = async {
        let walk = Walk::over(expected).both_ways().run(async |cursor| {
            let query = Bare::query().filter(Bare::TENANT.eq(1)).cursor_by(order.clone()).cursor(cursor.as_deref());
            Ok(query.cursor_paginate(3).await?.map(|row| row.id))
        });
        walk.await.unwrap();
    };
    folio.scope(check).await;
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[expect(dead_code, reason = "only the order matters here")]
struct Bare {
    id: i64,
    grade: i64,
    tenant: i64,
}
