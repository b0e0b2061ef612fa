//! What folio asks besides the page: nothing for a cursor from a row's key alone if its values bind in one form, otherwise a
//! lookup or two; and the catalog once, however many pages begin together.

use folio::{CursorDirection, Folio, Key, Keyring, Paginate};
use folio_tests::recorder::{record_statements, take_statements};
use sqlx::Database as _;

use crate::server::{self, ID, TEXT};
use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "said_by_key", cursor_key = "score desc nulls last")]
struct ByScore {
    id: i64,
    score: Option<i64>,
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "said_by_key", cursor_key = "word")]
struct ByWord {
    id: i64,
    word: String,
}

async fn folio() -> (Folio, Pool) {
    let pool = server::pool(1).await;
    db::run(&pool, format!("CREATE TABLE said_by_key (id {ID}, score BIGINT, word {TEXT} NOT NULL)")).await;
    db::run(&pool, "INSERT INTO said_by_key VALUES (1, 7, 'a'), (2, NULL, 'b'), (3, NULL, 'c'), (4, 7, 'd')").await;
    (Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())), pool)
}

/// The number of statements since the last call.
async fn sent(pool: &Pool) -> usize {
    // SQLite reports statements on another thread, before it runs the next one.
    sqlx::query("SELECT 1").execute(pool).await.unwrap();
    db::selects("said_by_key").len()
}

#[tokio::test]
async fn a_key_is_looked_up_only_if_necessary() {
    record_statements();
    let (folio, pool) = folio().await;
    folio
        .scope(async {
            sent(&pool).await;
            for (row, after) in
                [(ByScore { id: 4, score: Some(7) }, vec![1]), (ByScore { id: 3, score: None }, vec![2])]
            {
                let cursor = row.cursor_key().encode(CursorDirection::Next).unwrap();
                let page = ByScore::query().cursor(Some(&cursor)).cursor_paginate(1).await.unwrap();
                assert_eq!((page.data.iter().map(|row| row.id).collect(), sent(&pool).await), (after, 1));
            }
            // PostgreSQL needs the type of the text. MySQL and MariaDB have types that a walk refuses.
            let lookups = usize::from(server::Driver::NAME != "SQLite");
            let row = ByWord { id: 1, word: "a".to_owned() };
            let cursor = row.cursor_key().encode(CursorDirection::Next).unwrap();
            let page = ByWord::query().cursor(Some(&cursor)).cursor_paginate(1).await.unwrap();
            assert_eq!((page.data[0].id, sent(&pool).await), (2, 1 + lookups));
            // The cursors of that page come from a page.
            let page = ByWord::query().cursor(page.next_cursor.as_deref()).cursor_paginate(1).await.unwrap();
            assert_eq!((page.data[0].id, sent(&pool).await), (3, 1));
        })
        .await;
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "asked_together")]
struct Together {
    id: i64,
}

#[tokio::test]
async fn pages_that_begin_together_ask_the_catalog_once() {
    record_statements();
    let schema = format!("CREATE TABLE asked_together (id {ID})");
    let (folio, pool, _kept) = db::lasting(&schema, 10).await;
    db::run(&pool, "INSERT INTO asked_together VALUES (1), (2), (3)").await;
    // All connections are open, so that the pages only wait for each other.
    let mut connections = Vec::new();
    for _ in 0..10 {
        connections.push(pool.acquire().await.unwrap());
    }
    drop(connections);
    // One of the catalog's queries on each database.
    let is_look_up = |sql: &str| ["attnotnull", "is_nullable", "\"notnull\""].iter().any(|word| sql.contains(word));
    take_statements(is_look_up);
    let read = async || {
        let cursor = Together { id: 1 }.cursor_key().encode(CursorDirection::Next).unwrap();
        Together::query().cursor(Some(&cursor)).cursor_paginate(1).await.unwrap().data[0].id
    };
    let ids = folio.scope(futures_util::future::join_all((0..10).map(|_| read()))).await;
    assert_eq!(ids, [2; 10]);
    // SQLite reports statements on another thread, before it runs the next one.
    sqlx::query("SELECT 1").execute(&pool).await.unwrap();
    let look_ups = take_statements(is_look_up);
    assert_eq!(look_ups.len(), 1, "{look_ups:#?}");
}
