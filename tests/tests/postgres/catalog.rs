//! Facts from the catalog: what folio does if they are about another column, or cannot be read.

use folio::{DB, Folio, Paginate};

use crate::suite::db::{self, Pool};

#[derive(Debug, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "ranked", cursor_key = "score")]
struct Ranked {
    id: i64,
    score: i64,
}

/// `"Score"` is NOT NULL, which says nothing about `score`. Row 3 cannot be read, because the model has no `Option`.
#[tokio::test]
async fn a_column_is_not_one_that_differs_in_case() {
    let (folio, _) = db::folio(
        "CREATE TABLE ranked (id BIGINT PRIMARY KEY, \"Score\" BIGINT NOT NULL, score BIGINT);
         INSERT INTO ranked VALUES (1, 0, 7), (2, 0, 8), (3, 0, NULL)",
    )
    .await;
    let walk = folio.scope(async {
        let first = Ranked::query().cursor_paginate(2).await?;
        assert_eq!(first.data.iter().map(|row| row.id).collect::<Vec<_>>(), [1, 2]);
        Ranked::query().cursor(first.next_cursor.as_deref()).cursor_paginate(2).await
    });
    let error = walk.await.unwrap_err().to_string();
    assert!(error.contains("score"), "{error}");
}

#[derive(Debug, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "hidden_notes", cursor_key = "title")]
struct Note {
    id: i64,
    title: String,
}

/// Two pages, whose second asks the catalog, and a row that is added after them.
async fn read_and_write(connection: &mut sqlx::PgConnection) -> Vec<i64> {
    let mut seen = Vec::new();
    let mut cursor = None;
    for _ in 0..2 {
        let page = Note::query().cursor(cursor.as_deref()).using(&mut *connection).cursor_paginate(1).await.unwrap();
        seen.extend(page.data.iter().map(|note| note.id));
        cursor = page.next_cursor;
    }
    sqlx::query("INSERT INTO hidden_notes VALUES (4, 'd')").execute(connection).await.unwrap();
    seen
}

/// A schema in which `pg_index` is another table, and the path on which it comes first.
async fn hidden() -> (Folio, Pool, String) {
    let (folio, pool) = db::folio(
        "CREATE TABLE hidden_notes (id BIGINT PRIMARY KEY, title TEXT NOT NULL);
         CREATE INDEX hidden_notes_by_title ON hidden_notes (title, id);
         INSERT INTO hidden_notes VALUES (1, 'a'), (2, 'b'), (3, 'c');
         CREATE TABLE pg_index (nothing BIGINT)",
    )
    .await;
    let schema: String = sqlx::query_scalar("SELECT current_schema()::text").fetch_one(&pool).await.unwrap();
    (folio, pool, format!("SET LOCAL search_path TO \"{schema}\", pg_catalog"))
}

async fn count(pool: &Pool) -> i64 {
    sqlx::query_scalar("SELECT COUNT(*) FROM hidden_notes").fetch_one(pool).await.unwrap()
}

#[tokio::test]
async fn an_unreadable_catalog_leaves_the_ambient_transaction_usable() {
    let (folio, pool, path) = hidden().await;
    let transaction = folio.scope(DB::transaction(async || {
        sqlx::query(sqlx::AssertSqlSafe(path.clone())).execute(&mut *DB::postgres().await?).await?;
        let first = Note::query().cursor_paginate(1).await?;
        let second = Note::query().cursor(first.next_cursor.as_deref()).cursor_paginate(1).await?;
        assert_eq!(second.data[0].id, 2);
        sqlx::query("INSERT INTO hidden_notes VALUES (4, 'd')").execute(&mut *DB::postgres().await?).await?;
        Ok::<(), folio::FrameworkError>(())
    }));
    transaction.await.unwrap();
    assert_eq!(count(&pool).await, 4);
}

#[tokio::test]
async fn an_unreadable_catalog_leaves_the_callers_transaction_usable() {
    let (folio, pool, path) = hidden().await;
    let mut transaction = pool.begin().await.unwrap();
    sqlx::query(sqlx::AssertSqlSafe(path)).execute(&mut *transaction).await.unwrap();
    assert_eq!(folio.scope(read_and_write(&mut transaction)).await, [1, 2]);
    transaction.commit().await.unwrap();
    assert_eq!(count(&pool).await, 4);
}
