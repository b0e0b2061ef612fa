//! `DB::transaction_retrying`: transactions that lose against others are run again.

use std::cell::Cell;
use std::sync::Arc;

use folio::{DB, Folio, FrameworkError, Isolation, Result};
use folio_tests::limit::limited;

use super::notes::{failure, insert, kept, set_up};
use crate::server;
use crate::suite::db;

const TASKS: i64 = 4;
const ROUNDS: i64 = 10;

/// Reads a counter and writes the next value, which loses a step if another transaction writes in between.
async fn step() -> Result<()> {
    let mut guard = server::connection().await?;
    let value: i64 = sqlx::query_scalar("SELECT value FROM counters").fetch_one(&mut *guard).await?;
    tokio::task::yield_now().await;
    let update = sqlx::AssertSqlSafe(format!("UPDATE counters SET value = {}", value + 1));
    sqlx::query(update).execute(&mut *guard).await?;
    Ok(())
}

async fn count_together(attempts: u32) -> (Vec<FrameworkError>, i64) {
    let schema = "CREATE TABLE counters (value BIGINT NOT NULL); INSERT INTO counters VALUES (0)";
    let (folio, pool, _kept) = db::lasting(schema, 8).await;
    let folio: Arc<Folio> = folio.into();
    let tasks = (0..TASKS).map(|_| {
        let folio = Arc::clone(&folio);
        tokio::spawn(async move {
            let mut errors = Vec::new();
            for _ in 0..ROUNDS {
                let counted = DB::transaction_retrying(attempts, Isolation::Serializable, step);
                errors.extend(folio.scope(counted).await.err());
            }
            errors
        })
    });
    let errors = limited(futures_util::future::join_all(tasks)).await.into_iter().flat_map(std::result::Result::unwrap);
    (errors.collect(), sqlx::query_scalar("SELECT value FROM counters").fetch_one(&pool).await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn transactions_that_conflict_are_run_again() {
    let (errors, value) = count_together(200).await;
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(value, TASKS * ROUNDS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_last_attempt_returns_its_error() {
    let (errors, value) = count_together(1).await;
    assert_eq!(value + i64::try_from(errors.len()).unwrap(), TASKS * ROUNDS);
    assert!(errors.iter().all(folio::Retryable::is_retryable), "{errors:?}");
}

#[tokio::test]
async fn other_errors_end_it_and_leave_nothing() {
    let (folio, pool) = set_up().await;
    let runs = Cell::new(0);
    let check = async {
        let failed = DB::transaction_retrying(5, Isolation::Serializable, async || {
            runs.set(runs.get() + 1);
            insert(1).await?;
            Err::<(), _>(failure())
        });
        assert_eq!(failed.await.unwrap_err().to_string(), "on purpose");
        assert_eq!(runs.get(), 1);
        let none = DB::transaction_retrying(0, Isolation::Serializable, async || insert(1).await).await.unwrap_err();
        let nested = DB::transaction(async || {
            DB::transaction_retrying(2, Isolation::Serializable, async || insert(1).await).await
        });
        for error in [none, nested.await.unwrap_err()] {
            assert!(
                format!("{error:?}").contains("with 1 or more attempts, outside of other transactions"),
                "{error:?}"
            );
        }
    };
    folio.scope(check).await;
    assert!(kept(&pool).await.is_empty());
}
