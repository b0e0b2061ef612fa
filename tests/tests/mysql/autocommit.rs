//! Sessions with `autocommit = 0`, where every read opens a transaction that stays open on the pooled connection.

use folio::{DB, Folio, FrameworkError, Isolation, Key, Keyring, Result};
use folio_tests::limit::limited;
use sqlx::Executor as _;
use sqlx::mysql::{MySqlPool, MySqlPoolOptions};

use crate::server;
use crate::suite::db;
use crate::suite::transactions::notes::{Note, assert_ended, insert};

/// An application on one connection without autocommit, with 10,020 notes, and another pool on the same database.
async fn set_up() -> (Folio, MySqlPool) {
    let usual = server::pool(1).await;
    let rows: Vec<String> = (1..=10_020).map(|id| format!("({id})")).collect();
    db::run(
        &usual,
        format!("CREATE TABLE notes (id BIGINT PRIMARY KEY); INSERT INTO notes VALUES {}", rows.join(", ")),
    )
    .await;
    // For `server::isolation`: on MariaDB 11 a transaction cannot read what has changed since its snapshot.
    db::run(&usual, "CREATE TABLE levels (id INTEGER PRIMARY KEY); INSERT INTO levels VALUES (1)").await;
    let options = MySqlPoolOptions::new().max_connections(1).after_connect(|connection, _| {
        Box::pin(async move { connection.execute("SET autocommit = 0").await.map(drop) })
    });
    let pool = options.connect_with((*usual.connect_options()).clone()).await.unwrap();
    (Folio::new(pool).keyring(Keyring::new(Key::generate())), usual)
}

#[tokio::test]
async fn distant_pages_are_read() {
    let (folio, _) = set_up().await;
    let check = async {
        for _ in 0..3 {
            // A statement of the caller also leaves a transaction open.
            db::here("SELECT id FROM notes LIMIT 1").await.unwrap();
            let page = Note::query().page(1_002).paginate(10).await.unwrap();
            assert_eq!((page.total, page.data[0].id), (10_020, 10_011));
            assert_eq!(Note::query().page(1).paginate(10).await.unwrap().data[0].id, 1);
        }
    };
    limited(folio.scope(check)).await;
}

/// Each page is read in its own transaction. Otherwise it would see the snapshot of the first one.
#[tokio::test]
async fn every_page_sees_what_is_committed() {
    let (folio, usual) = set_up().await;
    let check = async {
        for added in 0..3 {
            let page = Note::query().page(1).paginate(10).await.unwrap();
            assert_eq!((page.total, page.data[0].id), (10_020 + added, 1 - i64::try_from(added).unwrap()));
            assert_eq!(Note::query().page(1).simple_paginate(1).await.unwrap().data[0].id, page.data[0].id);
            assert_eq!(Note::query().cursor_paginate(1).await.unwrap().data[0].id, page.data[0].id);
            db::run(&usual, format!("INSERT INTO notes VALUES (-{added})")).await;
        }
    };
    limited(folio.scope(check)).await;
}

#[tokio::test]
async fn a_transaction_has_its_isolation_level() {
    let (folio, usual) = set_up().await;
    let check = async {
        for id in [-1, -2] {
            db::here("SELECT id FROM notes LIMIT 1").await?;
            DB::transaction_with(Isolation::Serializable, async || {
                insert(id).await?;
                let level = server::isolation(&mut *server::connection().await?, &usual).await;
                assert_eq!(level, Some("SERIALIZABLE"));
                Ok::<_, FrameworkError>(())
            })
            .await?;
        }
        // An ignored end is also noticed, although the next statement opens another transaction.
        let result: Result<()> = DB::transaction(async || {
            insert(-3).await?;
            let ended = async {
                sqlx::raw_sql("ROLLBACK; SELECT id FROM notes LIMIT 1")
                    .execute(&mut *server::connection().await?)
                    .await
                    .map_err(FrameworkError::from)
            };
            ended.await?;
            insert(-4).await
        })
        .await;
        assert_ended(&result.unwrap_err());
        Ok::<_, FrameworkError>(())
    };
    limited(folio.scope(check)).await.unwrap();
    let kept: Vec<i64> =
        sqlx::query_scalar("SELECT id FROM notes WHERE id < 1 ORDER BY id").fetch_all(&usual).await.unwrap();
    assert_eq!(kept, [-2, -1]);
}
