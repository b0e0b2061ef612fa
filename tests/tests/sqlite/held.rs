//! A task that waits for a connection that it has itself, outside of a transaction.

use std::time::Duration;

use folio::{DB, Folio, FrameworkError, Paginate};
use folio_tests::recorder::Recorder;
use sqlx::sqlite::{SqlitePool, SqlitePoolOptions};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[expect(dead_code, reason = "no row is read")]
struct Note {
    id: i64,
}

async fn application(connections: u32) -> (Folio, SqlitePool) {
    let options = SqlitePoolOptions::new().max_connections(connections).acquire_timeout(Duration::from_millis(1_300));
    let pool = options.connect("sqlite::memory:").await.unwrap();
    sqlx::raw_sql("CREATE TABLE notes (id INTEGER PRIMARY KEY)").execute(&pool).await.unwrap();
    (Folio::new(pool.clone()), pool)
}

/// What the log and the error say, with the place of the guard.
fn words(line: u32) -> String {
    format!("the task waits for itself, because the guard that was taken at {}:{line}:", file!())
}

#[tokio::test]
async fn a_page_beside_a_guard_of_the_only_connection_names_the_guard() {
    let (folio, _pool) = application(1).await;
    let recorder = Recorder::of_target("folio");
    let work = async {
        let (guard, line) = (DB::sqlite().await.unwrap(), line!());
        let error = Note::query().page(1).simple_paginate(2).await.unwrap_err();
        let logged = recorder.take();
        assert!(logged.len() == 1 && logged[0].contains(&words(line)), "{logged:?}");
        assert!(matches!(error, FrameworkError::Internal { .. }), "{error}");
        let error = error.to_string();
        assert!(error.starts_with("no connection was free for 1.3s, the pool's `acquire_timeout`: "), "{error}");
        assert!(error.contains(&words(line)), "{error}");
        let error = DB::transaction(async || Ok::<_, FrameworkError>(())).await.unwrap_err().to_string();
        assert!(error.contains(&words(line)), "{error}");
        drop(guard);
        assert!(Note::query().page(1).simple_paginate(2).await.is_ok());
    };
    folio.scope(work).await;
}

/// A connection that others have may become free, so the error is that of the pool.
#[tokio::test]
async fn a_page_that_waits_for_others_has_the_error_of_the_pool() {
    let (folio, pool) = application(1).await;
    let recorder = Recorder::of_target("folio");
    let other = pool.acquire().await.unwrap();
    let error = folio.scope(Note::query().page(1).simple_paginate(2)).await.unwrap_err();
    assert!(matches!(error, FrameworkError::Database(sqlx::Error::PoolTimedOut)), "{error}");
    drop(other);
    let guard = tokio::spawn(folio.scope(DB::sqlite())).await.unwrap().unwrap();
    let error = folio.scope(Note::query().page(1).simple_paginate(2)).await.unwrap_err();
    assert!(matches!(error, FrameworkError::Database(sqlx::Error::PoolTimedOut)), "{error}");
    drop(guard);
    assert_eq!(recorder.take(), Vec::<String>::new());
}

/// One of two connections is left, unless another task has it.
#[tokio::test]
async fn a_page_beside_a_guard_of_one_of_two_connections_has_the_other() {
    let (folio, pool) = application(2).await;
    let guard = folio.scope(DB::sqlite()).await.unwrap();
    let other = pool.acquire().await.unwrap();
    let error = folio.scope(Note::query().page(1).simple_paginate(2)).await.unwrap_err();
    assert!(matches!(error, FrameworkError::Database(sqlx::Error::PoolTimedOut)), "{error}");
    drop((guard, other));
}
