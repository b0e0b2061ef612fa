//! Transactions that read first and then write, while others write.

use std::sync::Arc;
use std::time::Duration;

use folio::{Begin, DB, Folio, FrameworkError, Result};
use folio_tests::limit::limited;
use folio_tests::sqlite;
use sqlx::{Connection as _, SqliteConnection};

const TASKS: i64 = 8;
const ROUNDS: i64 = 20;

/// Counts in a table, in a transaction for each step.
async fn count(begin: Option<Begin>) -> Result<()> {
    let step = async || {
        let mut guard = DB::sqlite().await?;
        let value: i64 = sqlx::query_scalar("SELECT value FROM counters").fetch_one(&mut *guard).await?;
        tokio::task::yield_now().await;
        sqlx::query("UPDATE counters SET value = ?").bind(value + 1).execute(&mut *guard).await?;
        Ok::<_, FrameworkError>(())
    };
    match begin {
        Some(begin) => DB::transaction_with(begin, step).await,
        None => DB::transaction(step).await,
    }
}

/// Counts in several tasks. Returns the errors and the value.
async fn count_together(begin: Option<Begin>) -> (Vec<FrameworkError>, i64) {
    let (pool, _kept) = sqlite::lasting_pool(8).await;
    sqlx::raw_sql("CREATE TABLE counters (value INTEGER); INSERT INTO counters VALUES (0)")
        .execute(&pool)
        .await
        .unwrap();
    let folio = Arc::new(Folio::new(pool.clone()));
    let tasks = (0..TASKS).map(|_| {
        let folio = Arc::clone(&folio);
        tokio::spawn(async move {
            let mut errors = Vec::new();
            for _ in 0..ROUNDS {
                errors.extend(folio.scope(count(begin)).await.err());
            }
            errors
        })
    });
    let errors = limited(futures_util::future::join_all(tasks)).await.into_iter().flat_map(std::result::Result::unwrap);
    let errors = errors.collect();
    (errors, sqlx::query_scalar("SELECT value FROM counters").fetch_one(&pool).await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn immediate_transactions_wait_for_each_other() {
    let (errors, value) = count_together(Some(Begin::Immediate)).await;
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(value, TASKS * ROUNDS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_error_of_a_locked_database_names_the_option() {
    let (errors, value) = count_together(None).await;
    assert_eq!(value + i64::try_from(errors.len()).unwrap(), TASKS * ROUNDS);
    assert!(!errors.is_empty());
    for error in errors {
        let text = error.to_string();
        assert!(text.contains("database is locked") && text.contains("`Begin::Immediate`"), "{text}");
        let FrameworkError::Database(cause) = &error else { panic!("{error:?}") };
        let cause = cause.as_database_error().unwrap();
        assert!(cause.try_downcast_ref::<sqlx::sqlite::SqliteError>().is_some() && cause.code().is_some());
    }
}

/// The pool has one connection, and another one has the write lock until the transaction has been dropped.
#[tokio::test]
async fn a_transaction_dropped_while_it_waits_for_the_lock_is_not_begun() {
    let (pool, _kept) = sqlite::lasting_pool(1).await;
    sqlx::raw_sql("CREATE TABLE counters (value INTEGER)").execute(&pool).await.unwrap();
    let mut writer = SqliteConnection::connect_with(&pool.connect_options()).await.unwrap();
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut writer).await.unwrap();
    let waiting = DB::transaction_with(Begin::Immediate, async || Ok::<_, FrameworkError>(()));
    let waited = tokio::time::timeout(Duration::from_millis(50), Folio::new(pool.clone()).scope(waiting)).await;
    assert!(waited.is_err(), "nothing holds the lock");
    sqlx::raw_sql("COMMIT").execute(&mut writer).await.unwrap();
    let mut next = limited(pool.acquire()).await.unwrap();
    assert!(!sqlite::in_transaction(&mut next).await, "the transaction was left open");
    sqlx::raw_sql("INSERT INTO counters VALUES (7)").execute(&mut *next).await.unwrap();
    let kept: Vec<i64> = sqlx::query_scalar("SELECT value FROM counters").fetch_all(&mut writer).await.unwrap();
    assert_eq!(kept, [7]);
}

#[tokio::test]
async fn an_immediate_transaction_commits_nests_and_ends() {
    let (pool, _kept) = sqlite::lasting_pool(2).await;
    sqlx::raw_sql("CREATE TABLE counters (value INTEGER); INSERT INTO counters VALUES (0)")
        .execute(&pool)
        .await
        .unwrap();
    let add = async || {
        sqlx::query("UPDATE counters SET value = value + 1").execute(&mut *DB::sqlite().await?).await?;
        Ok::<_, FrameworkError>(())
    };
    let work = DB::transaction_with(Begin::Immediate, async || {
        add().await?;
        DB::transaction(add).await?;
        let undone: Result<()> = DB::transaction(async || {
            add().await?;
            Err(FrameworkError::Internal { message: "on purpose".into() })
        })
        .await;
        assert!(undone.is_err());
        Ok::<_, FrameworkError>(())
    });
    let folio = Folio::new(pool.clone());
    limited(folio.scope(work)).await.unwrap();
    let ended = DB::transaction_with(Begin::Immediate, async || {
        add().await?;
        sqlx::raw_sql("COMMIT; BEGIN").execute(&mut *DB::sqlite().await?).await?;
        add().await
    });
    let error = limited(folio.scope(ended)).await.unwrap_err();
    assert!(error.to_string().contains("ended on the server"), "{error}");
    let value: i64 = sqlx::query_scalar("SELECT value FROM counters").fetch_one(&pool).await.unwrap();
    assert_eq!(value, 3);
    for _ in 0..2 {
        assert!(!sqlite::in_transaction(&mut pool.acquire().await.unwrap()).await);
    }
}
