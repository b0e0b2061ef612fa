//! Begins, nests and ends a transaction or savepoint. Everything inside it uses a [`SharedTransaction`]; the
//! [`TransactionGuard`] that began it ends it.
//!
//! A savepoint whose future was dropped cannot be rolled back at once, because another statement may have the
//! connection. Its depth is recorded instead, and whoever gets the connection next rolls it back first.
//!
//! A statement runs on the connection only if its level is the innermost one. Otherwise it would run inside a savepoint
//! that it does not belong to, and be lost if that is rolled back. The [`ConnectionSlot`] knows which levels folio has
//! opened; the depth that sqlx counts also shows savepoints that the caller has opened with sqlx.

use std::fmt;
use std::sync::Arc;

use sqlx::Database;

use super::control::Transactional;
use super::isolation::{Begin, Purpose};
use super::open_transaction::{OpenTransaction, run_to_completion};
use super::slot::{ConnectionLock, ConnectionSlot, NestingLevel, ended_error};
use crate::error::{FrameworkError, Result};
use crate::pool::{CallSite, Owner, acquire};

/// A transaction or savepoint, as everything inside it uses it.
pub(crate) struct SharedTransaction<D: Database> {
    pool: sqlx::Pool<D>,
    slot: Arc<ConnectionSlot<D>>,
    level: NestingLevel,
}

impl<D: Database> Clone for SharedTransaction<D> {
    fn clone(&self) -> Self {
        self.at(self.level)
    }
}

impl<D: Database> fmt::Debug for SharedTransaction<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedTransaction(..)")
    }
}

impl<D: Database> SharedTransaction<D> {
    fn at(&self, level: NestingLevel) -> Self {
        Self { pool: self.pool.clone(), slot: Arc::clone(&self.slot), level }
    }

    pub(crate) fn pool(&self) -> &sqlx::Pool<D> {
        &self.pool
    }

    pub(super) fn level(&self) -> NestingLevel {
        self.level
    }
}

impl<D: Transactional> SharedTransaction<D> {
    /// Waits for the connection, for folio's own statements.
    pub(crate) async fn lock(&self) -> Result<ConnectionLock<D>> {
        self.take(Owner::new("a page", None)).await
    }

    /// Waits for the connection, for the caller's own statements, which may end the transaction.
    pub(crate) async fn lend(&self, place: CallSite) -> Result<ConnectionLock<D>> {
        let mut lock = self.take(Owner::new("the guard that was taken", Some(place))).await?;
        lock.begins();
        Ok(lock)
    }

    /// Waits for the connection. Fails if no more statements can run at this level.
    async fn take(&self, owner: Owner) -> Result<ConnectionLock<D>> {
        let mut lock = self.slot.take(self.level, owner, false).await?;
        let abandoned = lock.take_abandoned();
        if abandoned.is_some() || lock.open_mut().is_unchecked() {
            lock = run_to_completion(async move {
                lock.open_mut().settle(abandoned).await?;
                Ok(lock)
            })
            .await?;
        } else {
            lock.open_mut().usable()?;
        }
        at_depth(lock, self.level).await
    }

    /// Sets a savepoint. Waits until no sibling has one.
    pub(super) async fn nest(&self, place: CallSite) -> Result<TransactionGuard<D>> {
        let owner = Owner::new("the transaction that began", Some(place));
        let mut lock = self.take(owner).await?;
        let outer = self.clone();
        run_to_completion(async move {
            let saved = lock.open_mut().save().await;
            // After some failures, sqlx rolls back the levels around the savepoint as well.
            let depth = lock.open_mut().depth();
            lock.end_deeper_than(depth);
            saved?;
            Ok(TransactionGuard { shared: outer.at(lock.push(owner)), has_ended: false })
        })
        .await
    }
}

/// Fails if the caller has begun a transaction on the connection and not ended it.
async fn at_depth<D: Database>(mut lock: ConnectionLock<D>, level: NestingLevel) -> Result<ConnectionLock<D>> {
    if lock.open_mut().is_at(level.depth).await { Ok(lock) } else { Err(left_open_error()) }
}

/// The error if the caller began a transaction inside one of folio's and did not end it. Ending folio's transaction
/// would end the caller's as well.
fn left_open_error() -> FrameworkError {
    FrameworkError::internal(
        "a transaction that was begun on this transaction's connection with sqlx is still open: commit it or roll it back, \
         or use `DB::transaction`",
    )
}

/// A transaction or savepoint that has begun and has to be ended. It is not clonable, so exactly one owner ends it.
#[derive(Debug)]
pub(super) struct TransactionGuard<D: Database> {
    pub(super) shared: SharedTransaction<D>,
    /// Whether it was committed or rolled back. Otherwise dropping it rolls back.
    has_ended: bool,
}

impl<D: Transactional> TransactionGuard<D> {
    pub(super) async fn begin(pool: sqlx::Pool<D>, begin: Option<Begin>, place: CallSite) -> Result<Self> {
        let open = OpenTransaction::begin(acquire(&pool).await?, &pool, begin, Purpose::Work).await?;
        let owner = Owner::new("the transaction that began", Some(place));
        let (slot, level) = ConnectionSlot::new(open, pool.options().get_acquire_timeout(), owner);
        Ok(Self { shared: SharedTransaction { pool, slot, level }, has_ended: false })
    }

    /// Commits if the work inside it has succeeded, and rolls back otherwise. The result is that of the work, unless
    /// the commit fails.
    pub(super) async fn finish<R, E: From<FrameworkError>>(self, result: Result<R, E>) -> Result<R, E> {
        let commits = result.is_ok();
        let ended = async move {
            let owner = Owner::new("the end of the transaction", None);
            let lock = self.shared.slot.take(self.shared.level, owner, true).await?;
            run_to_completion(self.end_on(lock, commits)).await
        };
        match (result, ended.await) {
            (Ok(_), Err(error)) => Err(error.into()),
            // If a rollback fails, the connection is closed, which rolls back too.
            (result, _) => result,
        }
    }

    /// Commits or rolls back a transaction, releases or rolls back a savepoint. It is rolled back instead of committed
    /// while another one is open inside it.
    async fn end_on(mut self, mut lock: ConnectionLock<D>, commits: bool) -> Result<()> {
        if let Some(depth) = lock.take_abandoned() {
            lock.open_mut().unwind(depth).await;
        }
        let level = self.shared.level;
        if commits {
            if !lock.is_innermost(level) {
                return Err(FrameworkError::internal(
                    "the transaction is rolled back, because a transaction nested in it is still open in another task: \
                     wait for that task before the transaction ends",
                ));
            }
            lock.open_mut().usable()?;
            lock = at_depth(lock, level).await?;
        }
        self.has_ended = true;
        let outer = level.depth.saturating_sub(1);
        lock.end_deeper_than(outer);
        match (outer, commits) {
            // The connection goes back to the pool, or is closed.
            (0, true) => lock.into_open().ok_or_else(ended_error)?.commit().await?,
            (0, false) => lock.into_open().ok_or_else(ended_error)?.abort().await,
            (_, true) => lock.open_mut().release().await?,
            (_, false) => lock.open_mut().unwind(outer).await,
        }
        Ok(())
    }
}

/// Rolls back if the work panicked or its future was dropped.
impl<D: Database> Drop for TransactionGuard<D> {
    fn drop(&mut self) {
        if !self.has_ended {
            self.shared.slot.abandon(self.shared.level);
        }
    }
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use std::panic::Location;

    use sqlx::Sqlite;

    use super::*;
    use crate::transaction::control;
    use crate::transaction::tests::{notes, pool};

    /// Inserts a note as a caller does.
    async fn insert(shared: &SharedTransaction<Sqlite>, id: i64) -> Result<()> {
        let mut lock = shared.lend(Location::caller()).await?;
        sqlx::query("INSERT INTO notes VALUES (?)").bind(id).execute(&mut *lock).await?;
        Ok(())
    }

    /// Begins a transaction on the connection and leaves it open, as a caller may do with sqlx.
    async fn leave_open(shared: &SharedTransaction<Sqlite>) -> Result<()> {
        let mut lock = shared.lend(Location::caller()).await?;
        Ok(control::begin::<Sqlite>(&mut lock, None).await?)
    }

    fn says<T>(result: Result<T>, expected: &FrameworkError) -> bool {
        result.err().is_some_and(|error| error.to_string() == expected.to_string())
    }

    #[tokio::test]
    async fn a_transaction_ends_while_its_connection_is_in_use() {
        let pool = pool().await;
        let guard = TransactionGuard::<Sqlite>::begin(pool.clone(), None, Location::caller()).await.expect("it begins");
        let shared = guard.shared.clone();
        insert(&shared, 1).await.expect("the table is empty");
        let lock = shared.lock().await.expect("nothing else runs");
        drop(guard);
        drop(lock);
        assert!(says(shared.lock().await, &ended_error()));
        // The connection is back in the pool, although the transaction is still referred to.
        assert_eq!(notes(&pool).await, 0);
    }

    #[tokio::test]
    async fn a_transaction_that_the_caller_left_open_is_neither_committed_nor_nested_in() {
        let pool = pool().await;
        let guard = TransactionGuard::<Sqlite>::begin(pool.clone(), None, Location::caller()).await.expect("it begins");
        let shared = guard.shared.clone();
        leave_open(&shared).await.expect("nothing else runs");
        insert(&shared, 1).await.expect_err("the transaction that was left open is not this one");
        assert!(says(shared.nest(Location::caller()).await, &left_open_error()));
        let result: Result<()> = guard.finish(Ok(())).await;
        assert!(says(result, &left_open_error()));
        assert_eq!(notes(&pool).await, 0);
    }

    #[tokio::test]
    async fn a_savepoint_is_kept_or_rolled_back_alone() {
        let pool = pool().await;
        let guard = TransactionGuard::<Sqlite>::begin(pool.clone(), None, Location::caller()).await.expect("it begins");
        let shared = guard.shared.clone();
        for (id, result) in [(1, Ok(())), (2, Err(left_open_error()))] {
            let nested = shared.nest(Location::caller()).await.expect("no other one is open");
            assert_eq!((shared.level().depth, nested.shared.level().depth), (1, 2));
            insert(&nested.shared, id).await.expect("the savepoint is open");
            let is_kept = result.is_ok();
            assert_eq!(nested.finish(result).await.is_ok(), is_kept);
        }
        guard.finish(Ok::<_, FrameworkError>(())).await.expect("it is open");
        assert_eq!(notes(&pool).await, 1);
    }
}
