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
//!                      a ROLLBACK failed, or a question was
//!                      not answered in time
//! ```
//!
//! While one of folio's own BEGIN, SAVEPOINT or ROLLBACK statements runs, the state is `Broken`, so that a panic or a
//! time limit in it closes the connection.
//!
//! A statement that was cut short needs no state. The question whether the transaction is still open is asked after it,
//! waits for it to end, and shows that the connection's answers are those to its questions. It waits at most as long as
//! for a connection of the pool; half as long on MySQL, where a connection may be out of step after a cut statement and
//! never answer.

use std::future::Future;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::Connection as _;
use sqlx::pool::PoolConnection;
use sqlx_core::transaction::TransactionManager as _;
use tokio::runtime::Handle;

use crate::error::{FrameworkError, Result};
use crate::transaction::control::{self, Transactional};
use crate::transaction::isolation::{Begin, Purpose};

/// The `tracing` target of the warning, which the guide names.
const TARGET: &str = "folio::transaction::open";

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
pub(crate) enum History {
    /// Only folio's own statements, all of which have succeeded.
    Own,
    /// The caller's statements ran, and the transaction was still open afterwards.
    Checked,
    /// The caller's statements ran since the last check, or a statement was cut short or has failed.
    Unchecked,
}

/// A connection inside a transaction. Dropping it rolls back.
pub(super) struct OpenTransaction<D: sqlx::Database> {
    /// `None` after it has gone back to its pool.
    connection: Option<PoolConnection<D>>,
    /// How long the server may take to answer a question.
    wait: Duration,
    /// Whether its statements are persistent.
    persistent: bool,
    /// Whether the end of the transaction begins another one.
    chains: bool,
    /// Whether its connection may have a time limit, which does not end with it.
    is_limited: bool,
    state: State,
    history: History,
    /// Where the transaction began. It may be dropped outside of a runtime.
    runtime: Handle,
    /// [`Self::roll_back`]. It is a field, because `Drop` has no other bounds than the struct.
    roll_back: fn(Self) -> BoxFuture<'static, ()>,
}

impl<D: Transactional> OpenTransaction<D> {
    /// Begins a transaction.
    pub(super) async fn begin(
        connection: PoolConnection<D>,
        pool: &sqlx::Pool<D>,
        begin: Option<Begin>,
        purpose: Purpose,
    ) -> Result<Self> {
        let patience = pool.options().get_acquire_timeout();
        let mut open = Self {
            connection: Some(connection),
            // A connection that is out of step after a statement was cut short never answers. It is closed while others
            // still wait for it.
            wait: patience.checked_div(if D::FACTS.breaks_on_cancel { 2 } else { 1 }).unwrap_or(patience),
            persistent: D::persistent(pool),
            chains: false,
            is_limited: matches!(purpose, Purpose::Reads { limit: Some(_) }),
            // If it is dropped now, it is closed.
            state: State::Broken,
            history: History::Own,
            runtime: Handle::current(),
            roll_back: |open| Box::pin(open.roll_back()),
        };
        let pool = pool.clone();
        run_to_completion(async move {
            open.chains = D::begin(&mut open, &pool, begin, purpose).await?;
            open.state = State::Usable;
            Ok(open)
        })
        .await
    }

    async fn check(&mut self) -> Result<()> {
        let mut is_open = self.in_time(D::is_open).await;
        if matches!(is_open, Err(FrameworkError::Database(_))) {
            // A statement that was cut short may have failed since. The driver then reported its error.
            is_open = self.in_time(D::is_open).await;
        }
        match is_open {
            Ok(true) => self.history = History::Checked,
            Ok(false) => self.restart().await,
            Err(error) => {
                self.state = State::Broken;
                return Err(error);
            }
        }
        self.usable()
    }

    /// Runs one of folio's own statements. If it takes longer than the wait for a connection, the connection is broken.
    async fn in_time<T>(&mut self, run: impl AsyncFnOnce(&mut D::Connection) -> sqlx::Result<T>) -> Result<T> {
        let (wait, state) = (self.wait, std::mem::replace(&mut self.state, State::Broken));
        let answer = tokio::time::timeout(wait, run(self)).await.map_err(|_| broken_error())?;
        self.state = state;
        Ok(answer?)
    }

    /// Records that the transaction has ended on the server, and opens as many levels there as sqlx counts.
    async fn restart(&mut self) {
        let depth = self.depth();
        let restarted = self.in_time(async |connection| D::restart(connection, depth).await).await;
        self.state = if restarted.is_ok() { State::Gone } else { State::Broken };
    }

    /// Prepares the connection for a statement at a depth: rolls back savepoints that were abandoned, and asks the
    /// server whether the transaction is still open if it may have ended.
    pub(super) async fn settle(&mut self, abandoned: Option<usize>) -> Result<()> {
        if let Some(depth) = abandoned {
            self.unwind(depth).await;
        }
        if self.is_unchecked() { self.check().await } else { self.usable() }
    }

    pub(super) async fn save(&mut self) -> Result<()> {
        self.in_time(async |connection| control::begin::<D>(connection, None).await).await
    }

    /// Releases the innermost savepoint, or rolls it back if that fails.
    pub(super) async fn release(&mut self) -> Result<()> {
        let outer = self.depth().saturating_sub(1);
        self.synchronize().await;
        let released = match self.usable() {
            Ok(()) => self.in_time(async |connection| D::TransactionManager::commit(connection).await).await,
            unusable => unusable,
        };
        if let Err(error) = released {
            self.unwind(outer).await;
            return Err(if self.state == State::Gone { ended_on_server_error() } else { error });
        }
        // A savepoint existed, so its transaction was still open.
        if self.history == History::Unchecked {
            self.history = History::Checked;
        }
        Ok(())
    }

    /// On a driver that may take the answer to a statement that was cut short for that to another one, makes sure that
    /// none is left.
    async fn synchronize(&mut self) {
        if D::FACTS.breaks_on_cancel && self.is_unchecked() {
            // The state says the rest.
            let _ = self.check().await;
        }
    }

    /// Rolls back everything deeper than `depth`, one level after the other. If the transaction has ended on the
    /// server, there is nothing to roll back; it is then begun again, empty, so that sqlx can count its levels down.
    pub(super) async fn unwind(&mut self, depth: usize) {
        if self.depth() > depth {
            self.synchronize().await;
        }
        while self.depth() > depth && self.state != State::Broken {
            let was_usable = self.state == State::Usable;
            if self.in_time(async |connection| D::TransactionManager::rollback(connection).await).await.is_ok() {
                continue;
            }
            // Either the server has nothing to roll back, or the connection itself has failed.
            if was_usable && self.state == State::Usable {
                self.restart().await;
            } else {
                self.state = State::Broken;
            }
        }
    }

    /// Commits, or rolls back if that fails. If only folio's statements ran, the mark does not have to be looked for.
    pub(super) async fn commit(mut self) -> Result<()> {
        self.usable()?;
        let committed = self.commit_open().await;
        if matches!(committed, Ok(false)) {
            self.restart().await;
        }
        self.roll_back().await;
        if committed? { Ok(()) } else { Err(ended_on_server_error()) }
    }

    /// Commits what is open. Returns whether the transaction was still open on the server.
    async fn commit_open(&mut self) -> Result<bool> {
        if self.history != History::Own {
            let confirmed = self.in_time(D::confirm).await;
            if D::FACTS.breaks_on_cancel && confirmed.is_err() {
                self.state = State::Broken;
            }
            if !confirmed? {
                return Ok(false);
            }
        }
        // Without a time limit, because after one nobody would know what was committed.
        let state = std::mem::replace(&mut self.state, State::Broken);
        let committed = match self.history {
            History::Own => D::TransactionManager::commit(self).await.map(|()| true),
            History::Checked | History::Unchecked => D::commit_confirmed(self).await,
        };
        self.state = state;
        Ok(committed?)
    }

    /// Rolls back after the work has failed. Logs a warning if the transaction had already ended on the server.
    pub(super) async fn abort(mut self) {
        if self.is_unchecked() {
            // The state says whether it is.
            let _ = self.check().await;
        }
        if self.state == State::Gone {
            tracing::warn!(
                target: TARGET,
                "a transaction that failed had already ended on the server: if a statement in it has committed, such as \
                 DDL on MySQL, the writes before that statement are kept"
            );
        }
        self.roll_back().await;
    }

    /// Rolls back everything and returns the connection to its pool.
    async fn roll_back(mut self) {
        if self.is_limited && self.in_time(D::end_limit).await.is_err() {
            self.state = State::Broken;
        }
        self.unwind(0).await;
        if self.chains && self.state != State::Broken && self.in_time(D::end_chain).await.is_err() {
            self.state = State::Broken;
        }
        if self.state != State::Broken {
            drop(self.connection.take());
        }
    }
}

impl<D: sqlx::Database> OpenTransaction<D> {
    pub(super) fn persistent(&self) -> bool {
        self.persistent
    }

    /// Records that a statement may end the transaction, and returns what was recorded before.
    pub(super) fn mark_unchecked(&mut self) -> History {
        std::mem::replace(&mut self.history, History::Unchecked)
    }

    /// Records that the statement since has ended, and that it cannot have ended the transaction.
    pub(super) fn restore(&mut self, history: History) {
        self.history = history;
    }

    /// Records that the connection can only be closed.
    pub(super) fn break_off(&mut self) {
        self.state = State::Broken;
    }

    /// The number of open transactions and savepoints, as sqlx counts them.
    pub(super) fn depth(&self) -> usize {
        D::TransactionManager::get_transaction_depth(self)
    }

    /// Whether exactly `depth` transactions and savepoints are open.
    pub(super) async fn is_at(&mut self, depth: usize) -> bool {
        if self.depth() == depth {
            return true;
        }
        // sqlx may still have to roll back one of its transactions that was dropped. The ping makes it do so. Nothing
        // tells if its answer is outstanding, so it is marked as well.
        let before = self.mark_unchecked();
        let wait = self.wait;
        let has_answered = matches!(tokio::time::timeout(wait, self.ping()).await, Ok(Ok(())));
        if has_answered {
            self.restore(before);
        }
        has_answered && self.depth() == depth
    }

    pub(super) fn usable(&self) -> Result<()> {
        match self.state {
            State::Usable => Ok(()),
            State::Gone => Err(ended_on_server_error()),
            State::Broken => Err(broken_error()),
        }
    }

    /// Whether the server has to be asked before the next statement.
    pub(super) fn is_unchecked(&self) -> bool {
        self.state == State::Usable && self.history == History::Unchecked
    }
}

/// The error for a transaction that the server has ended.
fn ended_on_server_error() -> FrameworkError {
    FrameworkError::internal(
        "the transaction ended on the server before its work did, through a deadlock, a statement that commits (such as DDL \
         on MySQL), or a COMMIT or ROLLBACK in its SQL; nothing more runs in it. Return database errors with `?`, and run \
         statements that end a transaction outside of `DB::transaction`",
    )
}

/// The error for a connection that can only be closed.
fn broken_error() -> FrameworkError {
    FrameworkError::internal(
        "the transaction cannot continue and is rolled back: a statement in it was cut short and did not end within the \
         pool's `acquire_timeout`, or one of its savepoints is gone",
    )
}

#[expect(clippy::expect_used, reason = "only methods that consume `self` take the connection")]
impl<D: sqlx::Database> Deref for OpenTransaction<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        self.connection.as_deref().expect("an open transaction has its connection")
    }
}

#[expect(clippy::expect_used, reason = "only methods that consume `self` take the connection")]
impl<D: sqlx::Database> DerefMut for OpenTransaction<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        self.connection.as_deref_mut().expect("an open transaction has its connection")
    }
}

/// Rolls back in a spawned task, because `drop` cannot wait for the server. If the connection is broken, it is closed
/// instead, and the server rolls back.
impl<D: sqlx::Database> Drop for OpenTransaction<D> {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        // sqlx spawns a task as well, and panics outside of a runtime.
        let _inside = self.runtime.enter();
        if self.state == State::Broken {
            connection.close_on_drop();
            drop(connection);
            return;
        }
        // Broken until the task starts, because a runtime that is shutting down drops the task and this value with it.
        let (state, runtime) = (self.state, self.runtime.clone());
        let mut open = Self { connection: Some(connection), state: State::Broken, runtime, ..*self };
        self.runtime.spawn(async move {
            open.state = state;
            (open.roll_back)(open).await;
        });
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
