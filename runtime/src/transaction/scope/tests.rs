use std::panic::Location;

use sqlx::Sqlite;
use sqlx_core::transaction::TransactionManager as _;

use super::*;
use crate::transaction::tests::{notes, pool};

/// Inserts a note as a caller does.
async fn insert(shared: &Shared<Sqlite>, id: i64) -> Result<()> {
    let mut lock = shared.lend(Location::caller()).await?;
    sqlx::query("INSERT INTO notes VALUES (?)").bind(id).execute(&mut *lock).await?;
    Ok(())
}

/// Begins a transaction on the connection and leaves it open, as a caller may do with sqlx.
async fn leave_open(shared: &Shared<Sqlite>) -> Result<()> {
    let mut lock = shared.lend(Location::caller()).await?;
    Ok(<Sqlite as Database>::TransactionManager::begin(&mut lock, None).await?)
}

fn says<T>(result: Result<T>, expected: &FrameworkError) -> bool {
    result.err().is_some_and(|error| error.to_string() == expected.to_string())
}

#[tokio::test]
async fn a_transaction_ends_while_its_connection_is_in_use() {
    let pool = pool().await;
    let scope = Scope::<Sqlite>::begin(pool.clone(), None, Location::caller()).await.expect("it begins");
    let shared = scope.shared.clone();
    insert(&shared, 1).await.expect("the table is empty");
    let lock = shared.lock().await.expect("nothing else runs");
    drop(scope);
    drop(lock);
    assert!(says(shared.lock().await, &ended()));
    // The connection is back in the pool, although the transaction is still referred to.
    assert_eq!(notes(&pool).await, 0);
}

#[tokio::test]
async fn a_transaction_that_the_caller_left_open_is_neither_committed_nor_nested_in() {
    let pool = pool().await;
    let scope = Scope::<Sqlite>::begin(pool.clone(), None, Location::caller()).await.expect("it begins");
    let shared = scope.shared.clone();
    leave_open(&shared).await.expect("nothing else runs");
    insert(&shared, 1).await.expect_err("the transaction that was left open is not this one");
    assert!(says(shared.nest(Location::caller()).await, &left_open()));
    let result: Result<()> = scope.finish(Ok(())).await;
    assert!(says(result, &left_open()));
    assert_eq!(notes(&pool).await, 0);
}

#[tokio::test]
async fn a_savepoint_is_kept_or_rolled_back_alone() {
    let pool = pool().await;
    let scope = Scope::<Sqlite>::begin(pool.clone(), None, Location::caller()).await.expect("it begins");
    let shared = scope.shared.clone();
    for (id, result) in [(1, Ok(())), (2, Err(left_open()))] {
        let nested = shared.nest(Location::caller()).await.expect("no other one is open");
        assert_eq!((shared.level().depth, nested.shared.level().depth), (1, 2));
        insert(&nested.shared, id).await.expect("the savepoint is open");
        let is_kept = result.is_ok();
        assert_eq!(nested.finish(result).await.is_ok(), is_kept);
    }
    scope.finish(Ok::<_, FrameworkError>(())).await.expect("it is open");
    assert_eq!(notes(&pool).await, 1);
}
