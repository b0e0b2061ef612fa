//! A connection inside a transaction.
//!
//! It goes back to its pool only if the transaction is known to have ended. Otherwise it is closed, and the server
//! rolls back.
//!
//! sqlx updates its count of transactions and savepoints after the server has responded. A BEGIN, COMMIT or ROLLBACK
//! that is dropped before that would leave the count wrong, so each runs in a spawned task: see [`run_to_completion`].
//!
//! Two enums describe the connection. [`State`] is what is known about the transaction: it runs, it is gone, or nothing
//! is known. [`History`] is what ran on the connection since the server was last asked, and decides whether it has to
//! be asked before the next statement and before the commit. Folio's own statements cannot end a transaction, so a
//! transaction that only reads pages costs no extra round trip.
//!
//! ```text
//!          begin            the server has ended it
//! Broken --------> Usable ---------------------------> Gone
//!                    |                                   |
//!                    +-----------------------------------+----> Broken
//!                      a statement was interrupted on a driver
//!                      that cannot skip its answer, or a
//!                      ROLLBACK failed
//! ```
//!
//! While one of folio's BEGIN, SAVEPOINT or ROLLBACK statements runs, the state is `Broken`, so that a panic in it
//! closes the connection.

use std::future::Future;
use std::ops::{Deref, DerefMut};

use futures_util::future::BoxFuture;
use sqlx::Connection as _;
use sqlx::pool::PoolConnection;
use sqlx_core::transaction::TransactionManager as _;

use super::control::Transactional;
use super::isolation::Isolation;
use crate::error::{FrameworkError, Result};

/// Whether more statements can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The transaction is open.
    Usable,
    /// The transaction has ended on the server. The connection is inside another one that is only rolled back.
    Gone,
    /// The connection can only be closed, because its state, or which response comes next, is unknown.
    Broken,
}

/// Whether a statement that ran on the connection could have ended the transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum History {
    /// Only folio's own statements, all of which have succeeded.
    Own,
    /// The caller's statements ran, and the transaction was still open afterwards.
    Checked,
    /// The caller's statements ran since the last check, or a statement failed.
    Unchecked,
}

/// [`Transactional::restart`] of the driver. It is a field, because `Drop` has no other bounds than the struct.
type Restart<D> = fn(&mut <D as sqlx::Database>::Connection, usize) -> BoxFuture<'_, sqlx::Result<()>>;

/// A connection inside a transaction. Dropping it rolls back.
pub(super) struct Open<D: sqlx::Database> {
    /// `None` after it has gone back to its pool.
    connection: Option<PoolConnection<D>>,
    /// Whether a statement that is dropped before it ends makes the connection unusable.
    fragile: bool,
    /// Whether statements on it are named.
    named_statements: bool,
    state: State,
    history: History,
    restart: Restart<D>,
}

impl<D: Transactional> Open<D> {
    /// A connection on which the transaction has not begun yet. If it is dropped now, it is closed.
    fn new(connection: PoolConnection<D>, named_statements: bool) -> Self {
        Self {
            connection: Some(connection),
            fragile: D::BREAKS_ON_CANCEL,
            named_statements,
            state: State::Broken,
            history: History::Own,
            restart: D::restart,
        }
    }

    /// Begins a transaction. If it is for `reading`, only folio's own reads may run in it.
    pub(super) async fn begin(
        connection: PoolConnection<D>,
        pool: sqlx::Pool<D>,
        named_statements: bool,
        isolation: Option<Isolation>,
        reading: bool,
    ) -> Result<Self> {
        let mut open = Self::new(connection, named_statements);
        run_to_completion(async move {
            open.start(&pool, isolation, reading).await?;
            Ok(open)
        })
        .await
    }

    async fn start(&mut self, pool: &sqlx::Pool<D>, isolation: Option<Isolation>, reading: bool) -> Result<()> {
        if reading {
            D::begin_reading(self, isolation).await?;
        } else {
            D::begin(self, pool, isolation).await?;
        }
        self.state = State::Usable;
        Ok(())
    }

    /// Commits what is open. Returns whether the transaction was still open on the server.
    async fn commit_open(&mut self) -> sqlx::Result<bool> {
        self.state = State::Broken;
        let committed = match self.history {
            History::Own => D::TransactionManager::commit(self).await.map(|()| true),
            History::Checked | History::Unchecked => D::commit_marked(self).await,
        };
        self.state = State::Usable;
        committed
    }
}

impl<D: sqlx::Database> Open<D> {
    /// Whether statements on it are named.
    pub(super) fn names_statements(&self) -> bool {
        self.named_statements
    }

    /// Records that a statement was dropped before it ended.
    pub(super) fn mark_interrupted(&mut self) {
        self.mark_unchecked();
        if self.fragile {
            self.state = State::Broken;
        }
    }

    /// Records that a statement may have ended the transaction: the caller's own statement, or a failed one.
    pub(super) fn mark_unchecked(&mut self) {
        self.history = History::Unchecked;
    }

    /// The number of open transactions and savepoints, as sqlx counts them.
    pub(super) fn depth(&self) -> usize {
        D::TransactionManager::get_transaction_depth(self)
    }

    /// Whether exactly `depth` transactions and savepoints are open.
    pub(super) async fn is_at(&mut self, depth: usize) -> bool {
        // sqlx may still have to roll back one of its transactions that was dropped. The ping makes it do so.
        self.depth() == depth || (self.ping().await.is_ok() && self.depth() == depth)
    }

    /// Fails if no more statements can run.
    pub(super) fn usable(&self) -> Result<()> {
        match self.state {
            State::Usable => Ok(()),
            State::Gone => Err(gone()),
            State::Broken => Err(broken()),
        }
    }

    /// Whether [`check`](Self::check) has to run before the next statement.
    pub(super) fn is_unchecked(&self) -> bool {
        self.state == State::Usable && self.history == History::Unchecked
    }

    /// Asks the server whether the transaction is still open.
    pub(super) async fn check(&mut self) -> Result<()>
    where
        D: Transactional,
    {
        if D::is_open(self).await? {
            self.history = History::Checked;
        } else {
            self.restart().await;
        }
        self.usable()
    }

    /// Records that the transaction has ended on the server, and opens as many levels there as sqlx counts.
    async fn restart(&mut self) {
        self.state = State::Broken;
        let (restart, depth) = (self.restart, self.depth());
        if restart(self, depth).await.is_ok() {
            self.state = State::Gone;
        }
    }

    /// Sets a savepoint.
    pub(super) async fn save(&mut self) -> sqlx::Result<()> {
        let state = std::mem::replace(&mut self.state, State::Broken);
        let saved = D::TransactionManager::begin(self, None).await;
        self.state = state;
        saved
    }

    /// Releases the innermost savepoint, or rolls it back if that fails.
    pub(super) async fn release(&mut self) -> Result<()> {
        let outer = self.depth().saturating_sub(1);
        if let Err(error) = self.release_innermost().await {
            self.unwind(outer).await;
            return Err(if self.state == State::Gone { gone() } else { error.into() });
        }
        self.mark_checked();
        Ok(())
    }

    /// Notes that a savepoint existed, so its transaction was still open.
    fn mark_checked(&mut self) {
        if self.history == History::Unchecked {
            self.history = History::Checked;
        }
    }

    /// Releases the innermost savepoint. The connection is broken if this is dropped before the statement completes.
    async fn release_innermost(&mut self) -> sqlx::Result<()> {
        let state = std::mem::replace(&mut self.state, State::Broken);
        let released = D::TransactionManager::commit(self).await;
        self.state = state;
        released
    }

    /// Rolls back everything deeper than `depth`, one level after the other. If the transaction has ended on the
    /// server, there is nothing to roll back; it is then begun again, empty, so that sqlx can count its levels down.
    pub(super) async fn unwind(&mut self, depth: usize) {
        if self.state == State::Broken {
            return;
        }
        let mut state = std::mem::replace(&mut self.state, State::Broken);
        while self.depth() > depth {
            if D::TransactionManager::rollback(self).await.is_ok() {
                continue;
            }
            // Either the server has nothing to roll back, or the connection itself has failed.
            if state != State::Gone {
                self.restart().await;
            }
            state = std::mem::replace(&mut self.state, State::Broken);
            if state == State::Broken {
                return;
            }
        }
        self.state = state;
    }

    /// Commits, or rolls back if that fails. If only folio's statements ran, the mark does not have to be checked.
    pub(super) async fn commit(mut self) -> Result<()>
    where
        D: Transactional,
    {
        self.usable()?;
        let committed = self.commit_open().await;
        if matches!(committed, Ok(false)) {
            self.restart().await;
        }
        self.roll_back().await;
        if committed? { Ok(()) } else { Err(gone()) }
    }

    /// Rolls back after the work has failed. Logs a warning if the transaction had already ended on the server.
    pub(super) async fn abort(mut self)
    where
        D: Transactional,
    {
        if self.is_unchecked() && matches!(self.check().await, Err(FrameworkError::Internal { .. })) {
            tracing::warn!(
                "a transaction that failed had already ended on the server: if a statement in it has committed, such as \
                 DDL on MySQL, the writes before that statement are kept"
            );
        }
        self.roll_back().await;
    }

    /// Rolls back everything and returns the connection to its pool.
    pub(super) async fn roll_back(mut self) {
        self.unwind(0).await;
        if self.state != State::Broken {
            drop(self.connection.take());
        }
    }
}

/// The error for a transaction that the server has ended.
fn gone() -> FrameworkError {
    FrameworkError::internal(
        "the transaction ended on the server before its work did, through a deadlock, a statement that commits (such as DDL \
         on MySQL), or a COMMIT or ROLLBACK in its SQL; nothing more runs in it. Return database errors with `?`, and run \
         statements that end a transaction outside of `DB::transaction`",
    )
}

/// The error for a connection that can only be closed.
fn broken() -> FrameworkError {
    FrameworkError::internal(
        "the transaction cannot continue and is rolled back: a statement in it was cut short, or one of its savepoints is gone",
    )
}

#[expect(clippy::expect_used, reason = "only methods that consume `self` take the connection")]
impl<D: sqlx::Database> Deref for Open<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        self.connection.as_deref().expect("an open transaction has its connection")
    }
}

#[expect(clippy::expect_used, reason = "only methods that consume `self` take the connection")]
impl<D: sqlx::Database> DerefMut for Open<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        self.connection.as_deref_mut().expect("an open transaction has its connection")
    }
}

/// Rolls back in a spawned task, because `drop` cannot wait for the server. Without a runtime, or if the connection is
/// broken, it is closed instead, and the server rolls back.
impl<D: sqlx::Database> Drop for Open<D> {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) if self.state != State::Broken => {
                // Broken until the task starts, because a runtime that is shutting down drops the task and this value
                // with it.
                let mut open = Self { connection: Some(connection), state: State::Broken, ..*self };
                let state = self.state;
                runtime.spawn(async move {
                    open.state = state;
                    open.roll_back().await;
                });
            }
            _ => connection.close_on_drop(),
        }
    }
}

/// Runs `work` to its end, even if the caller is dropped in the meantime. The result is then discarded.
pub(super) async fn run_to_completion<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    let joined = tokio::spawn(work).await;
    joined.map_err(|error| FrameworkError::internal(format!("failed to begin or end a transaction: {error}")))?
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
