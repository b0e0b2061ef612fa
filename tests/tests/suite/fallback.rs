//! A read replica without a free connection: the primary answers, if the application allows it.

use std::time::Duration;

use folio::{DB, Folio, FrameworkError, Key, Keyring, Paginate, Result};
use folio_tests::limit::limited;
use folio_tests::recorder::Recorder;
use sqlx::pool::PoolOptions;

use crate::server::{self, ID, TEXT};
use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[expect(dead_code, reason = "only the name tells the database")]
struct Place {
    id: i64,
    name: String,
}

/// How long a page waits for the replica. It is short, because the tests wait as well.
const WAIT: Duration = Duration::from_millis(50);

async fn database(name: &str) -> Pool {
    let pool = server::pool(1).await;
    db::run(&pool, format!("CREATE TABLE places (id {ID}, name {TEXT} NOT NULL)")).await;
    db::run(&pool, format!("INSERT INTO places (id, name) VALUES (1, '{name}')")).await;
    pool
}

async fn folio(replica: &Pool) -> Folio {
    let folio = Folio::new(database("primary").await).keyring(Keyring::new(Key::generate()));
    folio.connection("__read_replica__", replica.clone()).unwrap()
}

/// A replica whose pool gives up soon.
async fn replica() -> Pool {
    let options = database("replica").await.connect_options();
    let pool = PoolOptions::new().max_connections(1).acquire_timeout(Duration::from_millis(300));
    let pool = pool.connect_with((*options).clone()).await.unwrap();
    // In memory, each connection of SQLite has its own database.
    if sqlx::query("SELECT 1 FROM places").execute(&pool).await.is_err() {
        db::run(&pool, format!("CREATE TABLE places (id {ID}, name {TEXT} NOT NULL)")).await;
        db::run(&pool, "INSERT INTO places (id, name) VALUES (1, 'replica')").await;
    }
    pool
}

/// Records in every test, because the first warning decides whether `tracing` keeps the event enabled.
fn listen() -> Recorder {
    Recorder::of_target("folio::fallback")
}

async fn name() -> Result<String> {
    Ok(Place::paginate(5).await?.data.remove(0).name)
}

#[tokio::test]
async fn without_a_fallback_a_page_waits_and_fails() {
    let replica = replica().await;
    let folio = folio(&replica).await;
    let _busy = replica.acquire().await.unwrap();
    let error = limited(folio.scope(name())).await.unwrap_err();
    assert!(matches!(error, FrameworkError::Database(sqlx::Error::PoolTimedOut)), "{error}");
}

#[tokio::test]
async fn the_primary_answers_while_the_replica_gives_no_connection() {
    let log = listen();
    let replica = replica().await;
    let folio = folio(&replica).await.replica_fallback(WAIT);
    let check = async {
        assert_eq!(name().await?, "replica");
        assert!(log.take().is_empty());

        let busy = replica.acquire().await?;
        for _ in 0..3 {
            assert_eq!(name().await?, "primary");
            assert_eq!(Place::simple_paginate(5).await?.data[0].name, "primary");
            assert_eq!(Place::cursor_paginate(5).await?.data[0].name, "primary");
            // Deep enough to be read in a transaction.
            assert!(Place::query().page(10_001).paginate(1).await?.data.is_empty());
        }
        let said = log.take();
        assert!(said[0].contains("replica provides no connection within 50ms"), "{said:?}");

        drop(busy);
        while name().await? != "replica" {
            tokio::time::sleep(WAIT).await;
        }
        Ok::<_, FrameworkError>(())
    };
    limited(folio.scope(check)).await.unwrap();
}

#[tokio::test]
async fn the_replica_by_name_is_never_the_primary() {
    let _log = listen();
    let replica = replica().await;
    let folio = folio(&replica).await.replica_fallback(WAIT);
    let _busy = replica.acquire().await.unwrap();
    let check = async {
        assert!(Place::on("__read_replica__").paginate(5).await.is_err());
        assert!(Place::query().using(replica.clone()).paginate(5).await.is_err());
        assert_eq!(Place::on("__primary__").paginate(5).await?.data[0].name, "primary");
        // A transaction is on the primary anyway.
        DB::transaction(async || {
            assert_eq!(name().await?, "primary");
            Ok::<_, FrameworkError>(())
        })
        .await
    };
    limited(folio.scope(check)).await.unwrap();
}

#[tokio::test]
async fn a_replica_that_fails_at_once_is_bypassed_at_once() {
    let _log = listen();
    let replica = replica().await;
    replica.close().await;
    let folio = folio(&replica).await.replica_fallback(Duration::from_secs(3_600));
    assert_eq!(limited(folio.scope(name())).await.unwrap(), "primary");
}
