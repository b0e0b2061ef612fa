//! Pages that begin together ask the catalog once.

use folio::{CursorDirection, Paginate};
use folio_tests::recorder::Recorder;

use crate::server::ID;
use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "asked_together")]
struct Together {
    id: i64,
}

#[tokio::test]
async fn pages_that_begin_together_ask_the_catalog_once() {
    let (folio, pool, _kept) = db::lasting(&format!("CREATE TABLE asked_together (id {ID})"), 10).await;
    db::run(&pool, "INSERT INTO asked_together VALUES (1), (2), (3)").await;
    // All connections are open, so that the pages only wait for each other.
    let mut connections = Vec::new();
    for _ in 0..10 {
        connections.push(pool.acquire().await.unwrap());
    }
    drop(connections);
    let read = async || {
        let cursor = Together { id: 1 }.cursor_key().encode(CursorDirection::Next).unwrap();
        Together::query().cursor(Some(&cursor)).cursor_paginate(1).await.unwrap().data[0].id
    };
    // Of this thread alone, because other tests ask as well.
    let recorder = Recorder::of_target("sqlx::query");
    let ids = folio.scope(futures_util::future::join_all((0..10).map(|_| read()))).await;
    assert_eq!(ids, [2; 10]);
    // One of the catalog's queries on each server.
    let is_look_up = |sql: &&String| sql.contains("FROM pg_index") || sql.contains("information_schema.statistics");
    let statements = recorder.take();
    assert_eq!(statements.iter().filter(is_look_up).count(), 1, "{statements:#?}");
}
