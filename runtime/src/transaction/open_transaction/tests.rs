use std::thread;
use std::time::Duration;

use sqlx::{Sqlite, SqlitePool};

use super::*;
use crate::transaction::tests::{begun, notes, pool};

/// Runs SQL as a caller does.
async fn run(open: &mut OpenTransaction<Sqlite>, sql: &'static str) {
    sqlx::raw_sql(sql).execute(&mut **open).await.expect("the SQL is correct");
    open.mark_unchecked();
}

/// A transaction that the caller has ended.
async fn ended(pool: &SqlitePool) -> OpenTransaction<Sqlite> {
    let mut open = begun(pool).await;
    run(&mut open, "INSERT INTO notes VALUES (1)").await;
    run(&mut open, "ROLLBACK").await;
    open
}

/// Whether an error says that the transaction has ended on the server.
fn says_gone<T>(result: Result<T>) -> bool {
    result.err().is_some_and(|error| error.to_string() == ended_on_server_error().to_string())
}

#[tokio::test]
async fn a_transaction_begins_with_a_mark_unless_it_is_for_reading() {
    let limit = Some(Duration::from_secs(60));
    let reads = [None, limit].map(|limit| Purpose::Reads { limit });
    for (purpose, is_marked) in [(Purpose::Work, true), (reads[0], false), (reads[1], false)] {
        let pool = pool().await;
        let connection = pool.acquire().await.expect("the connection is free");
        let mut open = OpenTransaction::<Sqlite>::begin(connection, &pool, None, purpose).await.expect("it begins");
        assert_eq!((open.state, open.history, open.depth()), (State::Usable, History::Own, 1));
        assert!(open.persistent());
        assert!(open.usable().is_ok() && open.is_at(1).await && !open.is_at(0).await && !open.is_at(2).await);
        let marked = sqlx::raw_sql("ROLLBACK TO folio_transaction").execute(&mut *open).await;
        assert_eq!(marked.is_ok(), is_marked);
    }
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "as a caller may do")]
async fn a_transaction_that_sqlx_has_yet_to_roll_back_is_rolled_back_first() {
    let mut open = begun(&pool().await).await;
    let nested = open.begin().await.expect("a savepoint begins");
    drop(nested);
    assert!(open.is_at(1).await);

    let mut nested = open.begin().await.expect("a savepoint begins");
    let mut sqlite = nested.lock_handle().await.expect("nothing else runs");
    // The rollback takes longer than it takes to ask for the depth.
    sqlite.set_progress_handler(1, || {
        thread::sleep(Duration::from_millis(50));
        true
    });
    drop(sqlite);
    drop(nested);
    assert!(open.is_at(1).await);
}

#[tokio::test]
async fn a_connection_on_which_nothing_can_be_rolled_back_is_broken_error() {
    let mut open = begun(&pool().await).await;
    open.lock_handle().await.expect("nothing else runs").set_progress_handler(1, || false);
    assert!(matches!(open.check().await, Err(FrameworkError::Database(_))), "it is not known whether it is open");
    open.unwind(0).await;
    assert_eq!(open.state, State::Broken);
}

#[tokio::test]
async fn a_commit_that_the_database_refuses_is_rolled_back() {
    for with_callers_statements in [false, true] {
        let pool = pool().await;
        let tags = "CREATE TABLE tags (note BIGINT REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED)";
        sqlx::raw_sql(tags).execute(&pool).await.expect("the table is new");
        let mut open = begun(&pool).await;
        run(&mut open, "INSERT INTO notes VALUES (1); INSERT INTO tags VALUES (2)").await;
        open.history = if with_callers_statements { History::Unchecked } else { History::Own };
        let error = open.commit().await.expect_err("no note has this id");
        assert!(error.to_string().contains("FOREIGN KEY"), "{error}");
        assert_eq!(notes(&pool).await, 0);
    }
}

#[tokio::test]
async fn the_server_is_asked_only_about_a_usable_transaction_with_other_statements() {
    let mut open = begun(&pool().await).await;
    let states = [State::Usable, State::Gone, State::Broken];
    let histories = [History::Own, History::Checked, History::Unchecked];
    for (state, history) in states.into_iter().flat_map(|state| histories.map(|history| (state, history))) {
        (open.state, open.history) = (state, history);
        assert_eq!(open.is_unchecked(), (state, history) == (State::Usable, History::Unchecked));
        assert_eq!(open.usable().is_ok(), state == State::Usable);
    }
}

#[tokio::test]
async fn a_check_tells_whether_the_transaction_is_open() {
    let pool = pool().await;
    let mut open = begun(&pool).await;
    run(&mut open, "INSERT INTO notes VALUES (1)").await;
    open.check().await.expect("it is open");
    assert_eq!((open.state, open.history), (State::Usable, History::Checked));
    open.commit().await.expect("it is open");
    assert_eq!(notes(&pool).await, 1);

    let mut open = begun(&pool).await;
    run(&mut open, "DELETE FROM notes; COMMIT").await;
    assert!(says_gone(open.check().await));
    assert_eq!((open.state, open.depth()), (State::Gone, 1));
    run(&mut open, "INSERT INTO notes VALUES (2)").await;
    assert!(says_gone(open.commit().await));
    assert_eq!(notes(&pool).await, 0);
}

#[tokio::test]
async fn a_commit_fails_if_the_transaction_has_ended() {
    let pool = pool().await;
    assert!(says_gone(ended(&pool).await.commit().await));
    assert_eq!(notes(&pool).await, 0);
}

#[tokio::test]
async fn a_broken_transaction_is_not_committed_and_its_connection_is_closed() {
    let pool = pool().await;
    let mut open = begun(&pool).await;
    open.state = State::Broken;
    let error = open.commit().await.expect_err("it is broken");
    assert_eq!(error.to_string(), broken_error().to_string());
    // The database in memory goes with its connection.
    assert!(sqlx::query("SELECT * FROM notes").fetch_all(&pool).await.is_err());
}

#[tokio::test]
async fn a_savepoint_is_released_or_rolled_back() {
    let pool = pool().await;
    let mut open = begun(&pool).await;
    open.save().await.expect("a savepoint is set");
    assert_eq!((open.depth(), open.state), (2, State::Usable));
    open.release().await.expect("the savepoint exists");
    assert_eq!((open.depth(), open.state, open.history), (1, State::Usable, History::Own));

    open.save().await.expect("a savepoint is set");
    run(&mut open, "INSERT INTO notes VALUES (1)").await;
    open.release().await.expect("the savepoint exists");
    assert_eq!((open.depth(), open.state, open.history), (1, State::Usable, History::Checked));

    for _ in 0..2 {
        open.save().await.expect("a savepoint is set");
    }
    run(&mut open, "INSERT INTO notes VALUES (2)").await;
    open.unwind(1).await;
    assert_eq!((open.depth(), open.state), (1, State::Usable));
    open.commit().await.expect("the transaction is open");
    assert_eq!(notes(&pool).await, 1);
}

#[tokio::test]
async fn a_savepoint_whose_transaction_has_ended_cannot_be_released() {
    let pool = pool().await;
    let mut open = begun(&pool).await;
    open.save().await.expect("a savepoint is set");
    run(&mut open, "ROLLBACK").await;
    assert!(says_gone(open.release().await));
    assert_eq!((open.depth(), open.state), (1, State::Gone));
    open.roll_back().await;
    assert_eq!(notes(&pool).await, 0);
}

#[tokio::test]
async fn a_savepoint_that_the_caller_has_released_is_not_released_again() {
    let mut open = begun(&pool().await).await;
    open.save().await.expect("a savepoint is set");
    run(&mut open, "RELEASE _sqlx_savepoint_1").await;
    assert!(open.release().await.is_err());
    assert_eq!(open.depth(), 1);
}

#[tokio::test]
async fn nothing_is_rolled_back_on_a_broken_connection() {
    let mut open = begun(&pool().await).await;
    open.state = State::Broken;
    open.unwind(0).await;
    assert_eq!((open.depth(), open.state), (1, State::Broken));
}

#[tokio::test]
async fn a_rollback_keeps_nothing_and_returns_the_connection() {
    let pool = pool().await;
    let mut open = begun(&pool).await;
    run(&mut open, "INSERT INTO notes VALUES (1)").await;
    open.abort().await;
    assert_eq!(notes(&pool).await, 0);
    ended(&pool).await.abort().await;
    assert_eq!(notes(&pool).await, 0);
}

#[tokio::test]
async fn a_transaction_that_is_dropped_is_rolled_back() {
    let pool = pool().await;
    let mut open = begun(&pool).await;
    run(&mut open, "INSERT INTO notes VALUES (1)").await;
    drop(open);
    assert_eq!(notes(&pool).await, 0);
}

#[tokio::test]
async fn a_broken_connection_is_closed_when_it_is_dropped() {
    let pool = pool().await;
    let mut open = begun(&pool).await;
    open.state = State::Broken;
    drop(open);
    assert!(sqlx::query("SELECT * FROM notes").fetch_all(&pool).await.is_err());
}

/// A runtime that has ended drops the task that would roll back, and the transaction in it. If that spawned a task
/// again, it would never end.
#[test]
fn a_transaction_may_be_dropped_after_its_runtime() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let open = runtime.block_on(async { begun(&pool().await).await });
    let handle = runtime.handle().clone();
    drop(runtime);
    let _entered = handle.enter();
    drop(open);
}
