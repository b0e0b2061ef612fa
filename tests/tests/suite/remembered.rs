//! Totals that are remembered: which statements run, and that no total contradicts its rows.

use std::time::Duration;

use folio::relay::Window;
use folio::sea_query::Query;
use folio::{Column, DB, Folio, FrameworkError, Paginate, Select, Total};
use folio_tests::recorder::{after_statement, record_statements};
use sea_query::Expr;
use sqlx::{AssertSqlSafe, Connection as _, Database as _};

use crate::server::{self, ID};
use crate::suite::db::{self, Pool};

const LONG: Duration = Duration::from_secs(3_600);

macro_rules! table {
    ($model:ident, $table:literal) => {
        #[derive(Debug, sqlx::FromRow, Paginate)]
        #[paginate(table = $table)]
        #[expect(dead_code, reason = "`half` is only filtered by")]
        struct $model {
            id: i64,
            half: i64,
        }
    };
}
// Separate tables, so that the recorder can tell their statements apart.
table!(Kept, "kept");
table!(Shifted, "shifted");
table!(Apart, "apart");
table!(Paged, "paged");
table!(Deep, "deep");
table!(Swaying, "swaying");
table!(Flagged, "flagged");

async fn halves(table: &str, rows: std::ops::Range<i64>) -> (Folio, Pool) {
    let rows: Vec<String> = rows.map(|id| format!("({id}, {})", id % 2)).collect();
    let rows = rows.join(", ");
    let schema = format!("CREATE TABLE {table} (id {ID}, half BIGINT NOT NULL); INSERT INTO {table} VALUES {rows}");
    let (folio, pool) = db::folio(&schema).await;
    (folio.remember_totals(LONG), pool)
}

/// The number of statements over a table since the last call, and how many of them count.
fn run(table: &str) -> (usize, usize) {
    let run = db::selects(table);
    (run.len(), run.iter().filter(|sql| sql.contains("COUNT")).count())
}

#[tokio::test]
async fn a_remembered_total_is_not_counted() {
    record_statements();
    let (folio, pool) = halves("kept", 0..40).await;
    let check = async {
        db::selects("kept");
        let list = || Kept::query().filter(Kept::HALF.eq(1));
        for (page, expected) in [(1, (1, 1)), (1, (1, 0)), (2, (1, 0)), (4, (1, 0))] {
            let found = list().page(page).paginate(5).await.unwrap();
            assert_eq!((found.total, found.last_page, found.data.len()), (20, 4, 5));
            assert_eq!(run("kept"), expected, "page {page}");
        }
        // The order, the size and the row type do not matter, and a cursor page has the same total.
        assert_eq!(list().order_by_desc(Kept::ID).page(1).paginate(7).await.unwrap().total, 20);
        let page = list().counted().cursor_paginate(5).await.unwrap();
        assert_eq!((page.total, page.data.len()), (Some(Total::Exact(20)), 5));
        assert_eq!(list().counted().connection(Window::first(3)).await.unwrap().total_count, Some(20));
        assert_eq!(run("kept"), (3, 0));

        // Another value, another filter, another limit of the count, and another pool each have a total of their own.
        assert_eq!(Kept::query().filter(Kept::HALF.eq(0)).page(1).paginate(5).await.unwrap().total, 20);
        assert_eq!(Kept::query().page(1).paginate(5).await.unwrap().total, 40);
        assert_eq!(list().count_up_to(7).page(1).paginate(5).await.unwrap().total, 7);
        assert_eq!(run("kept"), (3, 3));
        assert_eq!(list().count_up_to(7).page(2).paginate(5).await.unwrap().total, 7);
        assert_eq!(run("kept"), (1, 0));
        // A page behind the limit exists, and is counted again.
        assert_eq!(list().count_up_to(7).page(3).paginate(5).await.unwrap().data.len(), 5);
        assert_eq!(run("kept"), (1, 1));

        // A direct question is answered, and so is a list in a transaction, or on the caller's connection.
        assert_eq!(list().count().await.unwrap(), 20);
        let mut connection = pool.acquire().await.unwrap();
        assert_eq!(list().using(&mut *connection).page(1).paginate(5).await.unwrap().total, 20);
        drop(connection);
        let inside = async || {
            db::here("INSERT INTO kept VALUES (99, 1)").await?;
            let page = list().page(1).paginate(5).await?;
            assert_eq!(list().counted().cursor_paginate(5).await?.total, Some(Total::Exact(21)));
            Err::<(), _>(FrameworkError::Internal { message: format!("{} rows", page.total) })
        };
        assert_eq!(DB::transaction(inside).await.unwrap_err().to_string(), "21 rows");
        run("kept");
        assert_eq!(list().page(1).paginate(5).await.unwrap().total, 20);
        assert_eq!(run("kept"), (1, 0));
    };
    folio.scope(check).await;
}

/// The totals of lists of SQL text, by the values that are bound to it, and those of estimates and of the caller.
#[tokio::test]
async fn a_total_belongs_to_a_statement_and_its_values() {
    record_statements();
    let (folio, _pool) = halves("apart", 0..30).await;
    let (_, other) = halves("apart", 0..4).await;
    let check = async {
        let parameter = if server::Driver::NAME == "PostgreSQL" { "$1" } else { "?" };
        let text = |half: i64| {
            let sql = format!("SELECT id FROM {} WHERE half < {parameter}", db::quoted("apart"));
            Select::<(i64,)>::sql(AssertSqlSafe(sql)).bind(half).order_by(Column::<i64>::new("id"))
        };
        db::selects("apart");
        for (half, total, counts) in [(1, 15, 1), (2, 30, 1), (1, 15, 0), (0, 0, 1), (2, 30, 0)] {
            assert_eq!(text(half).page(1).paginate(4).await.unwrap().total, total);
            assert_eq!(run("apart").1, counts, "{half}");
        }
        let select = |half: i64| -> Select<(i64,)> {
            Query::select()
                .column("id")
                .from("apart")
                .and_where(sea_query::ExprTrait::eq(Expr::col("half"), half))
                .take()
                .into()
        };
        for (half, counts) in [(1, 1), (0, 1), (1, 0)] {
            assert_eq!(select(half).order_by(Apart::ID).page(1).paginate(4).await.unwrap().total, 15);
            assert_eq!(run("apart").1, counts, "{half}");
        }
        assert_eq!(Apart::query().with_total(7).page(1).paginate(4).await.unwrap().total, 7);
        assert_eq!(Apart::query().page(1).paginate(4).await.unwrap().total, 30);
        assert_eq!(Apart::query().using(&other).page(1).paginate(4).await.unwrap().total, 4);
    };
    folio.scope(check).await;
    let setting = async |folio: Folio| folio.scope(Apart::query().page(1).paginate(4)).await.unwrap().total;
    run("apart");
    assert_eq!((setting(folio.clone()).await, run("apart").1), (30, 0));
    // Copies with other settings share what is remembered. Another lifetime starts from nothing.
    assert_eq!((setting(folio.clone().with_query_string()).await, run("apart").1), (30, 0));
    assert_eq!((setting(folio.clone().remember_totals(LONG)).await, run("apart").1), (30, 1));
    let brief = folio.clone().remember_totals(Duration::ZERO);
    for _ in 0..2 {
        assert_eq!((setting(brief.clone()).await, run("apart").1), (30, 1));
    }
}

/// Rows are added and deleted after the count. Whatever the page, its total is at least as large as its last row's
/// number, and exact if the page is not full.
#[tokio::test]
async fn a_remembered_total_never_contradicts_the_rows() {
    record_statements();
    let (folio, pool) = halves("shifted", 0..23).await;
    let check = async {
        let page = async |page: u64| Shifted::query().page(page).paginate(5).await.unwrap();
        let as_of = async |rows: i64| {
            db::run(&pool, "DELETE FROM shifted").await;
            let rows: Vec<String> = (0..rows).map(|id| format!("({id}, {})", id % 2)).collect();
            if !rows.is_empty() {
                db::run(&pool, format!("INSERT INTO shifted VALUES {}", rows.join(", "))).await;
            }
        };
        // What was counted, what is there now, the page, its total, and the total of the first page after it.
        for (before, now, number, total, later) in [
            (23, 24, 1, 23, 23), // unseen
            (23, 24, 5, 24, 24), // the last page is longer
            (23, 21, 5, 21, 21), // and shorter
            (23, 20, 5, 20, 20), // and empty
            (23, 17, 4, 17, 17), // another page is the last one
            (23, 7, 5, 7, 7),    // an empty page before the remembered end
            (23, 0, 1, 0, 0),
            (25, 25, 5, 25, 25),
            (25, 31, 5, 25, 25), // a full page up to the remembered end
            (25, 31, 6, 31, 31), // a page behind it
            (23, 31, 5, 31, 31), // a full page beyond it
            (23, 31, 9, 31, 31), // a page past both ends
            (0, 8, 1, 8, 8),
            (23, 4, 1, 4, 4),
        ] {
            as_of(before).await;
            // A page past the end is counted, whatever is remembered.
            assert_eq!(page(1_000).await.total, before as u64);
            assert_eq!(page(1).await.total, before as u64);
            as_of(now).await;
            let case = format!("{before} rows, then {now}, page {number}");
            let found = page(number).await;
            assert_eq!((found.total, found.last_page), (total, u64::div_ceil(total, 5)), "{case}");
            let shown = (now as u64).saturating_sub((number - 1) * 5).min(5);
            assert_eq!(found.data.len() as u64, shown, "{case}");
            assert_eq!(page(1).await.total, later, "{case}");
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn the_total_of_a_cursor_page_fits_its_rows() {
    record_statements();
    let (folio, pool) = halves("paged", 0..12).await;
    let check = async {
        let list = || Paged::query().counted();
        let total = async |size: u64| list().cursor_paginate(size).await.unwrap().total.unwrap();
        assert_eq!(total(5).await, Total::Exact(12));
        run("paged");
        assert_eq!((total(12).await, run("paged").1), (Total::Exact(12), 0));
        // All rows are on the page.
        assert_eq!((total(50).await, run("paged").1), (Total::Exact(12), 0));
        db::run(&pool, "INSERT INTO paged VALUES (12, 0), (13, 1)").await;
        assert_eq!((total(5).await, run("paged").1), (Total::Exact(12), 0));
        assert_eq!((total(13).await, run("paged").1), (Total::Exact(14), 1));
        db::run(&pool, "DELETE FROM paged WHERE id > 6").await;
        assert_eq!((total(5).await, run("paged").1), (Total::Exact(14), 0));
        assert_eq!((total(8).await, run("paged").1), (Total::Exact(7), 1));
        // A page that has not begun at the first row is not the whole list.
        let next = list().cursor_paginate(5).await.unwrap().next_cursor;
        let last = list().cursor(next.as_deref()).cursor_paginate(5).await.unwrap();
        assert_eq!((last.data.len(), last.total), (2, Some(Total::Exact(7))));
        run("paged");

        let up_to = async || list().count_up_to(3).cursor_paginate(50).await.unwrap().total.unwrap();
        assert_eq!((up_to().await, run("paged").1), (Total::AtLeast(3), 1));
        assert_eq!((up_to().await, run("paged").1), (Total::AtLeast(3), 0));
        db::run(&pool, "DELETE FROM paged WHERE id > 1").await;
        assert_eq!((up_to().await, run("paged").1), (Total::Exact(2), 1));
    };
    folio.scope(check).await;
}

/// A total says whether there are other pages, and so does the page: they agree, on each page of a walk in both
/// directions, whatever was remembered.
#[tokio::test]
async fn a_remembered_total_agrees_with_the_links_of_a_cursor_page() {
    let (folio, pool) = halves("flagged", 0..1).await;
    let check = async {
        let list = || Flagged::query().counted();
        let now = async |rows: i64| {
            db::run(&pool, "DELETE FROM flagged").await;
            for id in 0..rows {
                db::run(&pool, format!("INSERT INTO flagged VALUES ({id}, 0)")).await;
            }
        };
        for (before, rows, size) in (0..6).flat_map(|before| (0..6).map(move |rows| (before, rows, 2))) {
            for backwards in [false, true] {
                let mut cursor = None;
                loop {
                    // A page of any size counts the rows, unless their total is remembered.
                    now(before).await;
                    Flagged::query().page(1_000).paginate(1).await.unwrap();
                    now(rows).await;
                    let page = match (&cursor, backwards) {
                        (None, true) => list().last_page(size).await.unwrap(),
                        (cursor, _) => list().cursor(cursor.as_deref()).cursor_paginate(size).await.unwrap(),
                    };
                    let (read, total) = (page.data.len() as u64, page.total.unwrap());
                    let case = format!("{before} rows, then {rows}: {read} rows on a page, {total:?}");
                    assert!(matches!(total, Total::Exact(_)), "{case}");
                    let beside = page.next_cursor.is_some() || page.prev_cursor.is_some();
                    assert_eq!(total.rows() > read, beside, "{case}");
                    cursor = if backwards { page.prev_cursor } else { page.next_cursor };
                    if cursor.is_none() {
                        break;
                    }
                }
            }
        }
    };
    folio.scope(check).await;
}

/// An empty page has no rows before the end of its total, even if rows are added before they are counted again, and if
/// the count ends at its limit.
#[tokio::test]
async fn an_empty_page_agrees_with_a_count_that_ends_early() {
    record_statements();
    let schema = format!("CREATE TABLE swaying (id {ID}, half BIGINT NOT NULL)");
    let (folio, pool, _kept) = db::lasting(&schema, 2).await;
    const ROWS: &str = "INSERT INTO swaying VALUES (1, 1), (2, 0), (3, 1), (4, 0), (5, 1), (6, 0), (7, 1), (8, 0)";
    let options = pool.connect_options();
    let check = async {
        let page = async || Swaying::query().count_up_to(6).page(3).paginate(2).await.unwrap();
        db::run(&pool, ROWS).await;
        let before = page().await;
        assert_eq!((before.data.len(), before.total), (2, 6));
        db::run(&pool, "DELETE FROM swaying").await;
        after_statement(&["swaying", "OFFSET"], move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let mut other = <server::Driver as sqlx::Database>::Connection::connect_with(&options).await.unwrap();
                sqlx::raw_sql(ROWS).execute(&mut other).await.unwrap();
            });
        });
        let empty = page().await;
        assert_eq!((empty.data.len(), empty.total, empty.last_page), (0, 4, 2));
        let later = page().await;
        assert_eq!((later.data.len(), later.total), (2, 6));
    };
    folio.remember_totals(LONG).scope(check).await;
}

/// Far pages are read and counted from the end of the list, or with a remembered total from its beginning.
#[tokio::test]
async fn a_far_page_has_the_same_rows_with_a_remembered_total() {
    let (folio, _pool) = halves("deep", 0..10_500).await;
    let check = async {
        let ids = async |number: u64| {
            let page = Deep::query().page(number).paginate(100).await.unwrap();
            assert_eq!((page.total, page.last_page), (10_500, 105), "page {number}");
            page.data.into_iter().map(|row| row.id).collect::<Vec<_>>()
        };
        for _ in 0..2 {
            for number in [105, 102, 101, 100, 1, 106] {
                let from = i64::try_from(number * 100 - 100).unwrap();
                let expected: Vec<i64> = (from..(from + 100).min(10_500)).collect();
                assert_eq!(ids(number).await, expected, "page {number}");
            }
        }
    };
    folio.scope(check).await;
}
