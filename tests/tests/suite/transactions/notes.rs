//! A table of notes, which the tests of transactions write to.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use folio::{Folio, FrameworkError, Paginate, Result};

use crate::server::{self, ID};
use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
pub(crate) struct Note {
    pub(crate) id: i64,
}

pub(crate) fn schema() -> String {
    format!("CREATE TABLE notes (id {ID})")
}

/// An application on an empty table of notes.
pub(crate) async fn set_up() -> (Folio, Pool) {
    db::folio(&schema()).await
}

/// Inserts a note, with a statement that the connection has not prepared yet.
pub(crate) async fn insert(id: i64) -> Result<()> {
    db::here(format!("INSERT INTO notes (id) VALUES ({id})")).await
}

/// The committed notes.
pub(crate) async fn kept(pool: &Pool) -> Vec<i64> {
    sqlx::query_scalar("SELECT id FROM notes ORDER BY id").fetch_all(pool).await.unwrap()
}

/// The error that rolls a transaction back.
pub(crate) fn failure() -> FrameworkError {
    FrameworkError::Internal { message: "on purpose".into() }
}

/// Polls a future at most `polls` times, then drops it. Returns its output if it finished.
pub(crate) async fn drop_after<F: Future>(future: F, polls: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut left = polls;
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        match future.as_mut().poll(context) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending if left == 0 => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

#[track_caller]
pub(crate) fn assert_ended(error: &FrameworkError) {
    assert!(matches!(error, FrameworkError::Internal { .. }), "{error}");
    assert!(error.to_string().contains("ended on the server"), "{error}");
}

/// No connection of the pool is inside a transaction, and the server has no session besides the pool's.
pub(crate) async fn assert_none_in_transaction(pool: &Pool) {
    let mut held = Vec::new();
    for _ in 0..pool.options().get_max_connections() {
        let mut connection = pool.acquire().await.unwrap();
        assert!(!server::in_transaction(&mut connection).await, "a pooled connection is inside a transaction");
        held.push(connection);
    }
    drop(held);
    while server::strays(pool).await > 0 {
        tokio::task::yield_now().await;
    }
}
