//! The cost of a cursor from a row's key alone: nothing if its values bind in one form, otherwise a lookup or two.

use folio::{CursorDirection, Folio, Key, Keyring, Paginate};
use folio_tests::recorder::record_statements;
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

/// The number of statements since the last call. On MySQL, another one verifies a page, and returns no row.
async fn sent(pool: &Pool) -> usize {
    // SQLite reports statements on another thread, before it runs the next one.
    sqlx::query("SELECT 1").execute(pool).await.unwrap();
    let verifies = |sql: &String| sql.contains("IS NULL") && !sql.contains("ORDER BY");
    db::selects("said_by_key").iter().filter(|sql| !verifies(sql)).count()
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
