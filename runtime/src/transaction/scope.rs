//! A transaction or savepoint. Everything inside it uses a [`Shared`], and the [`Scope`] that began it ends it.
//!
//! A savepoint whose future was dropped cannot be rolled back at once, because another statement may have the connection.
//! Its depth is recorded instead, and whoever gets the connection next rolls it back first.
//!
//! A statement runs on the connection only if its level is the innermost one. Otherwise it would run inside a savepoint
//! that it does not belong to, and be lost if that is rolled back. The [`Slot`] knows which levels folio has opened; the
//! depth that sqlx counts also shows savepoints that the caller has opened with sqlx.

use std::fmt;
use std::sync::Arc;

use sqlx::Database;

use super::control::Transactional;
use super::isolation::Begin;
use super::open::{Open, run_to_completion};
use super::slot::{Level, Lock, Slot, ended};
use crate::error::{FrameworkError, Result};
use crate::pool::{Owner, Place, acquire};

/// A transaction or savepoint, as everything inside it uses it.
pub(crate) struct Shared<D: Database> {
    pool: sqlx::Pool<D>,
    slot: Arc<Slot<D>>,
    level: Level,
}

impl<D: Database> Clone for Shared<D> {
    fn clone(&self) -> Self {
        self.at(self.level)
    }
}

impl<D: Database> fmt::Debug for Shared<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared(..)")
    }
}

impl<D: Database> Shared<D> {
    /// A level of the same transaction.
    fn at(&self, level: Level) -> Self {
        Self { pool: self.pool.clone(), slot: Arc::clone(&self.slot), level }
    }

    pub(crate) fn pool(&self) -> &sqlx::Pool<D> {
        &self.pool
    }

    pub(super) fn level(&self) -> Level {
        self.level
    }
}

impl<D: Transactional> Shared<D> {
    /// Waits for the connection, for folio's own statements.
    pub(crate) async fn lock(&self) -> Result<Lock<D>> {
        self.take(Owner::new("a page", None)).await
    }

    /// Waits for the connection, for the caller's own statements, which may end the transaction.
    pub(crate) async fn lend(&self, place: Place) -> Result<Lock<D>> {
        let mut lock = self.take(Owner::new("the guard that was taken", Some(place))).await?;
        lock.begins();
        Ok(lock)
    }

    /// Waits for the connection. Fails if no more statements can run at this level.
    async fn take(&self, owner: Owner) -> Result<Lock<D>> {
        let lock = settled(self.slot.take(self.level, owner, false).await?).await?;
        at_depth(lock, self.level).await
    }

    /// Sets a savepoint. Waits until no sibling has one.
    pub(super) async fn nest(&self, place: Place) -> Result<Scope<D>> {
        let owner = Owner::new("the transaction that began", Some(place));
        let mut lock = self.take(owner).await?;
        let outer = self.clone();
        run_to_completion(async move {
            let saved = lock.open_mut().save().await;
            // After some failures, sqlx rolls back the levels around the savepoint as well.
            let depth = lock.open_mut().depth();
            lock.end_deeper_than(depth);
            saved?;
            Ok(Scope { shared: outer.at(lock.push(owner)), has_ended: false })
        })
        .await
    }
}

/// Rolls back the savepoints that were abandoned, and asks the server whether the transaction is still open, if a
/// statement may have ended it.
async fn settled<D: Transactional>(mut lock: Lock<D>) -> Result<Lock<D>> {
    let abandoned = lock.take_abandoned();
    if abandoned.is_none() && !lock.open_mut().is_unchecked() {
        lock.open_mut().usable()?;
        return Ok(lock);
    }
    run_to_completion(async move {
        lock.open_mut().settle(abandoned).await?;
        Ok(lock)
    })
    .await
}

/// Fails if the caller has begun a transaction on the connection and not ended it.
async fn at_depth<D: Database>(mut lock: Lock<D>, level: Level) -> Result<Lock<D>> {
    if lock.open_mut().is_at(level.depth).await { Ok(lock) } else { Err(left_open()) }
}

/// The error for a transaction that ends while another one is open inside it.
fn nested_in() -> FrameworkError {
    FrameworkError::internal(
        "the transaction is rolled back, because a transaction nested in it is still open in another task: wait for that \
         task before the transaction ends",
    )
}

/// The error if the caller began a transaction inside one of folio's and did not end it. Ending folio's transaction
/// would end the caller's as well.
fn left_open() -> FrameworkError {
    FrameworkError::internal(
        "a transaction that was begun on this transaction's connection with sqlx is still open: commit it or roll it back, \
         or use `DB::transaction`",
    )
}

/// A transaction or savepoint that has begun and has to be ended. It is not clonable, so exactly one owner ends it.
#[derive(Debug)]
pub(super) struct Scope<D: Database> {
    pub(super) shared: Shared<D>,
    /// Whether it was committed or rolled back. Otherwise dropping it rolls back.
    has_ended: bool,
}

impl<D: Transactional> Scope<D> {
    /// Begins a transaction for the caller's work.
    pub(super) async fn begin(pool: sqlx::Pool<D>, begin: Option<Begin>, place: Place) -> Result<Self> {
        let open = Open::begin(acquire(&pool).await?, &pool, begin, false).await?;
        let owner = Owner::new("the transaction that began", Some(place));
        let (slot, level) = Slot::new(open, pool.options().get_acquire_timeout(), owner);
        Ok(Self { shared: Shared { pool, slot, level }, has_ended: false })
    }

    /// Commits if the work inside it has succeeded, and rolls back otherwise. The result is that of the work, unless
    /// the commit fails.
    pub(super) async fn finish<R, E: From<FrameworkError>>(self, result: Result<R, E>) -> Result<R, E> {
        let ended = self.end(result.is_ok()).await;
        match (result, ended) {
            (Ok(_), Err(error)) => Err(error.into()),
            // If a rollback fails, the connection is closed, which rolls back too.
            (result, _) => result,
        }
    }

    /// Waits for the connection and ends in a task, so that it completes even if this future is dropped.
    async fn end(self, commits: bool) -> Result<()> {
        let owner = Owner::new("the end of the transaction", None);
        let lock = self.shared.slot.take(self.shared.level, owner, true).await?;
        run_to_completion(self.end_on(lock, commits)).await
    }

    /// Commits or rolls back a transaction, releases or rolls back a savepoint. It is rolled back instead of committed
    /// while another one is open inside it.
    async fn end_on(mut self, mut lock: Lock<D>, commits: bool) -> Result<()> {
        if let Some(depth) = lock.take_abandoned() {
            lock.open_mut().unwind(depth).await;
        }
        let level = self.shared.level;
        if commits {
            if !lock.is_innermost(level) {
                return Err(nested_in());
            }
            lock.open_mut().usable()?;
            lock = at_depth(lock, level).await?;
        }
        self.has_ended = true;
        let outer = level.depth.saturating_sub(1);
        lock.end_deeper_than(outer);
        match (outer, commits) {
            // The connection goes back to the pool, or is closed.
            (0, true) => lock.into_open().ok_or_else(ended)?.commit().await?,
            (0, false) => lock.into_open().ok_or_else(ended)?.abort().await,
            (_, true) => lock.open_mut().release().await?,
            (_, false) => lock.open_mut().unwind(outer).await,
        }
        Ok(())
    }
}

/// Rolls back if the work panicked or its future was dropped.
impl<D: Database> Drop for Scope<D> {
    fn drop(&mut self) {
        if !self.has_ended {
            self.shared.slot.abandon(self.shared.level);
        }
    }
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
