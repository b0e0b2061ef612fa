//! A migration changes the result of statements that a connection keeps, which PostgreSQL refuses with 0A000.

use folio::{DB, FrameworkError, Paginate};

use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "notes", cursor_key = "title, id")]
struct Note {
    id: i64,
    title: String,
}

const SCHEMA: &str = "CREATE TABLE notes (id BIGINT PRIMARY KEY, title TEXT NOT NULL); \
                      INSERT INTO notes VALUES (1, 'one'), (2, 'two'), (3, 'three')";

const CHANGES: [&str; 2] =
    ["ALTER TABLE notes ALTER COLUMN title TYPE VARCHAR(20)", "ALTER TABLE notes ALTER COLUMN title TYPE TEXT"];

/// The ids of three pages, after a page whose text is right.
async fn ids() -> folio::Result<Vec<i64>> {
    let page = Note::query().order_by(Note::ID).paginate(1).await?;
    assert_eq!(page.data[0].title, "one");
    pages().await
}

/// The ids of a numbered page, a cursor page and the one after it.
async fn pages() -> folio::Result<Vec<i64>> {
    let numbered = Note::query().order_by(Note::ID).paginate(2).await?.data;
    let first = Note::cursor_paginate(2).await?;
    let next = Note::query().cursor(first.next_cursor.as_deref()).cursor_paginate(2).await?;
    Ok(numbered.iter().chain(&first.data).chain(&next.data).map(|note| note.id).collect())
}

#[tokio::test]
async fn a_page_survives_a_new_type_of_its_columns() {
    let (folio, pool, _kept) = db::lasting(SCHEMA, 1).await;
    let check = async {
        for change in ["SELECT 1", CHANGES[0], CHANGES[1]] {
            db::run(&pool, change).await;
            for _ in 0..2 {
                assert_eq!(ids().await.unwrap(), [1, 2, 1, 3, 2], "after {change}");
            }
        }
    };
    folio.scope(check).await;
}

/// PostgreSQL has aborted the transaction, so only the next one can read the page.
#[tokio::test]
async fn a_transaction_names_the_migration_once() {
    let (folio, pool, _kept) = db::lasting(SCHEMA, 1).await;
    let check = async {
        ids().await.unwrap();
        db::run(&pool, CHANGES[0]).await;
        let work = || DB::transaction(async || Ok::<_, FrameworkError>(ids().await?));
        let error = work().await.unwrap_err();
        assert!(error.to_string().contains("a migration changed the columns"), "{error}");
        assert_eq!(work().await.unwrap(), [1, 2, 1, 3, 2]);

        // So does a connection that the caller lends, in its transaction and outside of one.
        let page = async |connection: &mut sqlx::PgConnection| {
            Note::query().using(connection).cursor_paginate(2).await.map(|page| page.data.len())
        };
        let mut transaction = pool.begin().await.unwrap();
        assert_eq!(page(&mut transaction).await.unwrap(), 2);
        transaction.commit().await.unwrap();
        db::run(&pool, CHANGES[1]).await;
        let mut transaction = pool.begin().await.unwrap();
        let error = page(&mut transaction).await.unwrap_err();
        assert!(error.to_string().contains("a migration changed the columns"), "{error}");
        transaction.rollback().await.unwrap();
        let mut connection = pool.acquire().await.unwrap();
        assert_eq!(page(&mut connection).await.unwrap(), 2);
        drop(connection);
        db::run(&pool, CHANGES[0]).await;
        assert_eq!(page(&mut pool.acquire().await.unwrap()).await.unwrap(), 2);
    };
    folio.scope(check).await;
}
