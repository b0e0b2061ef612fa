//! The statements that are sent: their text contains no values, and there are so few that they stay prepared.

use std::collections::BTreeSet;

use folio::{Column, ExprTrait as _, Folio, Key, Keyring, Paginate, Pagination};
use folio_tests::recorder::record_statements;
use sea_query::{Expr, Query};

use crate::server::{self, ID, TEXT};
use crate::suite::db::{self, Pool};

macro_rules! said {
    ($($model:ident = $table:literal;)*) => {$(
        #[derive(Debug, sqlx::FromRow, Paginate)]
        #[paginate(table = $table, cursor_key = "score desc nulls last, word")]
        #[expect(dead_code, reason = "only the statements matter here")]
        struct $model {
            id: i64,
            score: Option<i64>,
            word: String,
        }
    )*};
}

// Each test has its own table, because the recorder finds statements by table.
said! {
    ByNumber = "said_by_number";
    ByCursor = "said_by_cursor";
}

const ROWS: i64 = 600;

/// A table of this name, and one connection, on which statements stay prepared for the whole test.
async fn folio(table: &str) -> (Folio, Pool) {
    let pool = server::pool(1).await;
    let row = |id: i64| {
        let score = if id % 5 == 0 { "NULL".to_owned() } else { (id % 7).to_string() };
        format!("({id}, {score}, 'word {}')", id % 3)
    };
    let rows: Vec<String> = (1..=ROWS).map(row).collect();
    db::run(&pool, format!("CREATE TABLE {table} (id {ID}, score BIGINT, word {TEXT} NOT NULL)")).await;
    db::run(&pool, format!("INSERT INTO {table} VALUES {}", rows.join(", "))).await;
    (Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())), pool)
}

/// The distinct statements over a table since the last call.
async fn texts(pool: &Pool, table: &str) -> BTreeSet<String> {
    // SQLite reports statements on another thread, before it runs the next one.
    sqlx::query("SELECT 1").execute(pool).await.unwrap();
    let texts: BTreeSet<String> = db::selects(table).into_iter().collect();
    assert!(!texts.is_empty(), "statements are recorded");
    for sql in &texts {
        assert_eq!(literal(sql), None, "{sql}");
    }
    texts
}

/// A number or text literal in a statement, ignoring quoted names and placeholders (`?` or `$1`).
fn literal(sql: &str) -> Option<String> {
    // It keeps PostgreSQL from planning a page for other values, and has none of its own.
    let sql = &sql.replace(" > (0)) THEN (SELECT COUNT(*)", "").replace("generate_series(1, -", "");
    let outside = sql.split(server::QUOTE).step_by(2);
    let mut words = outside.flat_map(|part| part.split([' ', ',', '(', ')', '=', '<', '>', '-', '+']));
    words
        .find(|word| word.contains('\'') || word.contains(|c: char| c.is_ascii_digit()) && !word.starts_with('$'))
        .map(str::to_owned)
}

#[test]
fn literals_are_found() {
    for sql in ["LIMIT 7", "a > 7331", "a IN ($1,7)", "a = 'seven'", "a=-7", "LIMIT $1 OFFSET 20"] {
        assert!(literal(sql).is_some(), "{sql}");
    }
    let name = db::quoted("folio_key_0");
    for sql in ["a > ? LIMIT ?", "(a, b) > ($1, $22)", &format!("SELECT {name} AS {name} LIMIT ?")] {
        assert_eq!(literal(sql), None);
    }
}

#[tokio::test]
async fn numbered_pages_share_their_statements() {
    record_statements();
    let (folio, pool) = folio("said_by_number").await;
    let work = async {
        for (page, per_page) in
            [(1, 7), (2, 7), (3, 7), (9, 31), (80, 7), (59, 10), (1, 300), (2, 299), (4, 1), (9_999, 10)]
        {
            for least in [17, 5, 0] {
                let query = || ByNumber::query().filter(ByNumber::ID.gt(least)).filter(ByNumber::WORD.ne("word 4711"));
                let sorted = || query().order_by_desc(ByNumber::SCORE).page(page);
                sorted().paginate(per_page).await.unwrap();
                sorted().simple_paginate(per_page).await.unwrap();
            }
        }
    };
    folio.scope(work).await;
    // With the total and without it: the first page, a later page, and one so deep that its keys are found first. A
    // page past the end has a count of its own.
    let texts = texts(&pool, "said_by_number").await;
    assert_eq!(texts.len(), 7, "{texts:#?}");
}

#[tokio::test]
async fn cursor_pages_share_their_statements() {
    record_statements();
    let (folio, pool) = folio("said_by_cursor").await;
    let walk = async |per_page: u64, least: i64| {
        let mut turned = false;
        let mut cursor: Option<String> = None;
        loop {
            let query = ByCursor::query().filter(ByCursor::ID.gt(least)).filter(ByCursor::WORD.ne("word 4711"));
            let page = query.cursor(cursor.as_deref()).cursor_paginate(per_page).await.unwrap();
            turned |= page.next_cursor.is_none();
            cursor = if turned { page.prev_cursor } else { page.next_cursor };
            if cursor.is_none() {
                return;
            }
        }
    };
    folio
        .scope(async {
            for (per_page, least) in [(7, 17), (31, 5), (100, 0), (599, 0)] {
                walk(per_page, least).await;
            }
        })
        .await;
    // The first page, and pages from a value and from NULL, in both directions.
    // On MySQL, another statement verifies some of them, and returns no row.
    let mut texts = texts(&pool, "said_by_cursor").await;
    texts.retain(|sql| sql.contains("ORDER BY"));
    assert_eq!(texts.len(), 5, "{texts:#?}");
}

/// A statement that was prepared for one type of value is not reused for another. PostgreSQL would misread the
/// values.
#[tokio::test]
async fn a_statement_is_prepared_for_one_type_of_value() {
    record_statements();
    let (folio, pool) = folio("said_by_type").await;
    let work = async {
        let above = async |bound: Expr| {
            let select = Query::select().column("id").from("said_by_type").and_where(Expr::col("id").gt(bound)).take();
            let page = Pagination::cursor::<(i64,)>(select, None, 5, Column::<i64>::new("id")).await.unwrap();
            page.data.into_iter().map(|(id,)| id).collect::<Vec<_>>()
        };
        for _ in 0..2 {
            assert_eq!(above(Expr::val(590_i64)).await, [591, 592, 593, 594, 595]);
            assert_eq!(above(Expr::val(590_i32)).await, [591, 592, 593, 594, 595]);
            assert_eq!(above(Expr::val(590.5_f64)).await, [591, 592, 593, 594, 595]);
            assert_eq!(above(Expr::val(590_i16)).await, [591, 592, 593, 594, 595]);
        }
    };
    folio.scope(work).await;
    texts(&pool, "said_by_type").await;
}
