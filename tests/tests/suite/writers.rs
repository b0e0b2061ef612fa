//! Walks during writes on other connections. Whatever is inserted, changed and deleted meanwhile, a row that is left
//! alone is seen exactly once, in order, forwards and backwards.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use folio::testing::Walk;
use folio::{IntoOrder as _, Paginate};

use crate::server::ID;
use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "busy")]
#[expect(dead_code, reason = "the order is the database's")]
struct Busy {
    id: i64,
    number: i32,
    maybe: Option<i64>,
}

const WRITERS: i64 = 3;
/// Rows with smaller ids are not changed.
const WRITTEN: i64 = 1_000;

fn number(id: i64) -> i64 {
    id * 7 % 11
}

/// NULL, unique values, or values that tie.
fn maybe(id: i64) -> Option<i64> {
    (id % 3 != 0).then_some(id % 5)
}

fn row(id: i64, number: i64, maybe: Option<i64>) -> String {
    let maybe = maybe.map_or("NULL".to_owned(), |maybe| maybe.to_string());
    format!("({id}, {number}, {maybe})")
}

/// Inserts, moves and deletes its own rows among the others, until it is stopped.
async fn write(pool: Pool, writer: i64, stop: Arc<AtomicBool>, written: Arc<AtomicI64>) {
    let mut turn = writer;
    while !stop.load(Ordering::Relaxed) {
        turn = (turn * 1_103 + 12_345) % 65_537;
        let id = WRITTEN + writer + WRITERS * (turn % 40);
        let sql = [
            format!("DELETE FROM busy WHERE id = {id}"),
            format!("INSERT INTO busy VALUES {}", row(id, turn % 11, (turn % 2 == 0).then_some(turn % 5))),
            format!("UPDATE busy SET number = {}, maybe = {} WHERE id = {id}", (turn + 3) % 11, turn % 6),
        ];
        for sql in sql {
            db::run(&pool, sql).await;
            written.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[tokio::test]
async fn unchanged_rows_are_seen_once_during_writes() {
    let columns = format!("id {ID}, number INTEGER NOT NULL, maybe BIGINT");
    let rows: Vec<String> = (1..=300).map(|id| row(id, number(id), maybe(id))).collect();
    let schema = format!(
        "CREATE TABLE busy ({columns}); CREATE INDEX busy_number ON busy (number, id); \
         CREATE INDEX busy_maybe ON busy (maybe, id); INSERT INTO busy VALUES {}",
        rows.join(", ")
    );
    let (folio, pool, _kept) = db::lasting(&schema, 5).await;
    let (stop, written): (Arc<AtomicBool>, Arc<AtomicI64>) = (Arc::default(), Arc::default());
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| tokio::spawn(write(pool.clone(), writer, Arc::clone(&stop), Arc::clone(&written))))
        .collect();
    let (number, maybe) = (Busy::NUMBER, Busy::MAYBE);
    let (nulls_first, nulls_last) = ("maybe IS NULL THEN 0 ELSE 1", "maybe IS NULL THEN 1 ELSE 0");
    let shapes = [
        (Busy::ID.desc().erased(), "id DESC".to_owned()),
        (number.erased(), "number, id".to_owned()),
        ((number.desc(), Busy::ID).erased(), "number DESC, id".to_owned()),
        (maybe.nulls_first().erased(), format!("CASE WHEN {nulls_first} END, maybe, id")),
        (maybe.nulls_last().erased(), format!("CASE WHEN {nulls_last} END, maybe, id")),
        (maybe.desc().nulls_last().erased(), format!("CASE WHEN {nulls_last} END, maybe DESC, id DESC")),
        ((number, maybe.nulls_last()).erased(), format!("number, CASE WHEN {nulls_last} END, maybe, id")),
    ];
    let check = async {
        for (order, sql) in shapes {
            let sql = format!("SELECT id FROM busy WHERE id < {WRITTEN} ORDER BY {sql}");
            let expected: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(&pool).await.unwrap();
            assert_eq!(expected.len(), 300);
            let before = written.load(Ordering::Relaxed);
            let mut walks = 0;
            while walks < 3 || written.load(Ordering::Relaxed) < before + 30 {
                // The writers move their own rows.
                let walk = Walk::over(expected.clone()).others_may_move().both_ways();
                walk.run(async |cursor| {
                    let list = Busy::query().cursor_by(order.clone()).cursor(cursor.as_deref());
                    Ok(list.cursor_paginate(7).await?.map(|row| row.id))
                })
                .await
                .unwrap_or_else(|error| panic!("{order:?}: {error}"));
                walks += 1;
            }
        }
    };
    folio.scope(check).await;
    stop.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.await.unwrap();
    }
}
