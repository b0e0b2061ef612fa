//! A list that is sorted by an expression reads along the expression's index, at every depth.

use folio::{Column, Folio, IntoOrder as _, Key, Keyring, Paginate};
use folio_tests::postgres as server;
use folio_tests::recorder::Recorder;
use sea_query::{Expr, Func};

use super::totals::EXPLAINED;
use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "spoken")]
#[expect(dead_code, reason = "only how it is read matters here")]
struct Spoken {
    id: i64,
    word: String,
}

const ROWS: &str = "CREATE TABLE spoken (id BIGINT PRIMARY KEY, word TEXT COLLATE \"C\" NOT NULL);
    INSERT INTO spoken SELECT n, 'Word ' || n * 7919 % 10007 FROM generate_series(1, 20000) n;
    CREATE INDEX ON spoken (lower(word), id); VACUUM ANALYZE spoken;";

#[tokio::test]
async fn an_expression_is_read_along_its_index() {
    let pool = server::pool(1).await;
    for statement in ROWS.split_inclusive(';').chain([EXPLAINED]) {
        db::run(&pool, statement).await;
    }
    let log = Recorder::of_target("sqlx::postgres::notice");
    let check = async {
        let lower = || Column::<String>::expr("lower", Func::lower(Expr::col(Spoken::WORD)));
        for order in [lower().not_null().erased(), lower().not_null().desc().erased(), lower().erased()] {
            let mut cursor = None;
            for page in 1..=40 {
                log.take();
                let list = Spoken::query().order_by(order.clone()).cursor(cursor.as_deref());
                let size = if page % 10 == 0 { 2_000 } else { 15 };
                cursor = list.cursor_paginate(size).await.unwrap().next_cursor;
                let cost = super::read(&log);
                // Up to three ranges, each of a page and a row more. The first page of each order asks the catalog,
                // too.
                let most = if page <= 2 { 3_000 } else { 3 * (size + 1) };
                assert!((15..=most).contains(&cost.rows), "{order:?}, page {page}: {} rows", cost.rows);
            }
        }
    };
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(check).await;
}
