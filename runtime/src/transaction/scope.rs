//! A transaction or savepoint. Everything inside it uses a [`Shared`], and the [`Scope`] that began it ends it.
//!
//! Statements take turns on the one connection, behind a mutex. A savepoint whose future was dropped cannot be rolled
//! back at once, because another statement may hold the connection. Its depth is recorded instead, and whoever gets the
//! connection next rolls it back first.
//!
//! A statement runs on the connection only if its level is the innermost one. Otherwise it would run inside a savepoint
//! that it does not belong to, and be lost if that is rolled back. [`Level`] knows which levels folio has opened; the
//! depth that sqlx counts also shows savepoints that the caller has opened with sqlx.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sqlx::Database;
use sqlx::pool::PoolConnection;
use tokio::sync::Mutex;

use super::control::Transactional;
use super::isolation::Isolation;
use super::level::{Claim, Level, ended};
use super::lock::{Guard, Holder, Lock};
use super::open::{Open, run_to_completion};
use super::work::Work;
use crate::error::{FrameworkError, Result};
use crate::pool::acquire;

/// The value of [`Shared::abandoned`] if no savepoint was abandoned.
const NONE: usize = usize::MAX;

/// A transaction or savepoint, as everything inside it uses it.
pub(crate) struct Shared<D: Database> {
    /// The pool of the connection.
    pool: sqlx::Pool<D>,
    /// `None` after the transaction has ended.
    open: Arc<Mutex<Option<Open<D>>>>,
    /// The depth down to which savepoints were abandoned, or [`NONE`]. All levels of a transaction share it.
    abandoned: Arc<AtomicUsize>,
    /// The transaction or savepoint, among those around it and inside it.
    level: Arc<Level>,
    /// The work that holds the connection in a guard, if any.
    holder: Holder,
    /// The future that uses it.
    work: Work,
}

impl<D: Database> Clone for Shared<D> {
    fn clone(&self) -> Self {
        self.at(Arc::clone(&self.level), self.work.clone())
    }
}

impl<D: Database> fmt::Debug for Shared<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared(..)")
    }
}

impl<D: Database> Shared<D> {
    /// The outermost level of an open transaction.
    fn new(open: Open<D>, pool: sqlx::Pool<D>, work: Work) -> Self {
        let open = Arc::new(Mutex::new(Some(open)));
        let abandoned = Arc::new(AtomicUsize::new(NONE));
        Self { pool, open, abandoned, level: Level::inside(None), holder: Holder::default(), work }
    }

    /// A level of the same transaction, for a future that uses it.
    fn at(&self, level: Arc<Level>, work: Work) -> Self {
        let (open, abandoned) = (Arc::clone(&self.open), Arc::clone(&self.abandoned));
        Self { pool: self.pool.clone(), open, abandoned, level, holder: self.holder.clone(), work }
    }

    /// The same level for another future.
    pub(super) fn for_work(&self, work: Work) -> Self {
        self.at(Arc::clone(&self.level), work)
    }

    pub(crate) fn pool(&self) -> &sqlx::Pool<D> {
        &self.pool
    }

    /// Whether this is open and nested in `outer`, directly or through other levels.
    pub(super) fn is_open_inside(&self, outer: &Self) -> bool {
        self.level.is_open_inside(&outer.level)
    }

    /// Waits for the connection, and rolls back abandoned savepoints. Fails if the same work holds the connection and
    /// nothing can make it drop the guard.
    async fn connection(&self) -> Result<Guard<D>> {
        let guard = self.roll_back_abandoned(self.acquire().await?).await?;
        if guard.is_none() {
            return Err(ended());
        }
        self.level.check()?;
        Ok(guard)
    }

    /// Waits for the connection, unless the same work holds it.
    async fn acquire(&self) -> Result<Guard<D>> {
        let lock = Arc::clone(&self.open).lock_owned();
        self.work.wait(lock, || self.holder.is(&self.work)).await.ok_or_else(waits_for_itself)
    }

    /// Rolls back the savepoints whose futures were dropped since the connection was last used.
    async fn roll_back_abandoned(&self, mut guard: Guard<D>) -> Result<Guard<D>> {
        if self.abandoned.load(Ordering::Acquire) == NONE {
            return Ok(guard);
        }
        let abandoned = Arc::clone(&self.abandoned);
        run_to_completion(async move {
            let depth = abandoned.swap(NONE, Ordering::AcqRel);
            if let Some(open) = &mut *guard {
                open.unwind(depth).await;
            }
            Ok(guard)
        })
        .await
    }
}

impl<D: Transactional> Shared<D> {
    /// Waits for the connection, for folio's own statements.
    pub(crate) async fn lock(&self) -> Result<Lock<D>> {
        Ok(Lock::new(self.innermost_connection().await?, self.work.clone()))
    }

    /// Waits for the connection, for the caller's own statements, which may end the transaction.
    pub(crate) async fn lend(&self) -> Result<Lock<D>> {
        let mut guard = self.innermost_connection().await?;
        if let Some(open) = &mut *guard {
            open.mark_unchecked();
        }
        Ok(Lock::new(guard, self.work.clone()).lent(self.holder.clone()))
    }

    /// Waits until this level is the innermost one and no statement runs. Fails if no more statements can run.
    async fn innermost_connection(&self) -> Result<Guard<D>> {
        loop {
            self.level.vacant(&self.work).await?;
            let mut guard = checked(self.connection().await?).await?;
            if opened(&mut guard)?.is_at(self.level.depth).await {
                return Ok(guard);
            }
            // Either a nested transaction has begun in the meantime, or the caller has begun one with sqlx.
            if self.level.is_vacant() {
                return Err(left_open());
            }
        }
    }

    /// Sets a savepoint. Waits until no sibling has one.
    pub(super) async fn nest(&self) -> Result<Scope<D>> {
        let claim = self.level.claim(&self.work).await?;
        let guard = checked(self.connection().await?).await?;
        // From here on, dropping this rolls the savepoint back.
        let inner = self.at(Level::inside(Some(Arc::clone(&self.level))), Work::default());
        let mut scope = Scope { shared: inner, has_ended: false, claim: Some(claim) };
        let is_set = run_to_completion(set_savepoint(guard, Arc::clone(&self.level))).await?;
        // If none was set, nothing is rolled back, and the caller's own transaction stays open.
        scope.has_ended = !is_set;
        is_set.then_some(scope).ok_or_else(left_open)
    }
}

/// The error for a transaction that ends while another one is open inside it.
fn nested_in() -> FrameworkError {
    FrameworkError::internal(
        "the transaction is rolled back, because a transaction nested in it is still open in another task: wait for that \
         task before the transaction ends",
    )
}

/// The open transaction; an error if it has ended.
fn opened<D: Database>(guard: &mut Guard<D>) -> Result<&mut Open<D>> {
    guard.as_mut().ok_or_else(ended)
}

/// Sets a savepoint in `level`. Returns `false` and sets none if that is not the innermost one.
async fn set_savepoint<D: Database>(mut guard: Guard<D>, level: Arc<Level>) -> Result<bool> {
    let open = opened(&mut guard)?;
    if !open.is_at(level.depth).await {
        return Ok(false);
    }
    let saved = open.save().await;
    // After some failures, sqlx rolls back the levels around the savepoint as well.
    level.end_deeper_than(open.depth());
    Ok(saved.map(|()| true)?)
}

/// Asks the server whether the transaction is still open, if the caller's statements may have ended it.
async fn checked<D: Transactional>(mut guard: Guard<D>) -> Result<Guard<D>> {
    if !guard.as_ref().is_some_and(Open::is_unchecked) {
        guard.as_ref().ok_or_else(ended)?.usable()?;
        return Ok(guard);
    }
    run_to_completion(async move {
        opened(&mut guard)?.check().await?;
        Ok(guard)
    })
    .await
}

/// The error for work that waits for a connection which it holds in a guard.
fn waits_for_itself() -> FrameworkError {
    FrameworkError::internal(
        "this task already holds the transaction's connection, so this would wait for itself: drop the guard that \
         `DB::sqlite`, `DB::postgres` or `DB::mysql` returned, or read the page on it with `.using(&mut *guard)`",
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

/// How a transaction or savepoint ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Commit,
    RollBack,
}

/// A transaction or savepoint that has begun and has to be ended. It is not clonable, so exactly one owner ends it.
#[derive(Debug)]
pub(super) struct Scope<D: Database> {
    pub(super) shared: Shared<D>,
    /// Whether it was committed or rolled back. Otherwise dropping it rolls back.
    has_ended: bool,
    /// A savepoint's claim on the level around it; `None` for the transaction itself.
    claim: Option<Claim>,
}

impl<D: Transactional> Scope<D> {
    /// Begins a transaction for the caller's work.
    pub(super) async fn begin(pool: sqlx::Pool<D>, isolation: Option<Isolation>) -> Result<Self> {
        let connection = acquire(&pool).await?;
        let open = Open::begin(connection, pool.clone(), D::names_statements(&pool), isolation, false).await?;
        Ok(Self::of(open, pool, Work::default()))
    }

    /// Begins a transaction on a connection of a pool for folio's own reads.
    pub(super) async fn begin_reading(
        connection: PoolConnection<D>,
        pool: sqlx::Pool<D>,
        isolation: Option<Isolation>,
    ) -> Result<Self> {
        let open = Open::begin(connection, pool.clone(), D::names_statements(&pool), isolation, true).await?;
        Ok(Self::of(open, pool, Work::always_polled()))
    }

    /// The outermost level of a transaction that has begun.
    fn of(open: Open<D>, pool: sqlx::Pool<D>, work: Work) -> Self {
        Self { shared: Shared::new(open, pool, work), has_ended: false, claim: None }
    }

    /// Commits if the work inside it has succeeded, and rolls back otherwise. The result is that of the work, unless
    /// the commit fails.
    pub(super) async fn finish<R, E: From<FrameworkError>>(self, result: Result<R, E>) -> Result<R, E> {
        match result {
            Ok(value) => self.commit().await.map(|()| value).map_err(E::from),
            Err(error) => {
                // If the rollback fails, the connection is closed, which rolls back too.
                let _ = self.roll_back().await;
                Err(error)
            }
        }
    }

    /// Commits a transaction, or releases a savepoint. Fails, and rolls back, while another one is open inside it.
    async fn commit(self) -> Result<()> {
        let mut guard = self.shared.connection().await?;
        if !self.shared.level.is_vacant() {
            return Err(nested_in());
        }
        let open = opened(&mut guard)?;
        open.usable()?;
        let is_innermost = open.is_at(self.shared.level.depth).await;
        if is_innermost { self.end(guard, Outcome::Commit).await } else { Err(left_open()) }
    }

    /// Rolls back the transaction or savepoint, and all levels inside it.
    async fn roll_back(self) -> Result<()> {
        let guard = self.shared.connection().await?;
        self.end(guard, Outcome::RollBack).await
    }

    /// Commits or rolls back in a spawned task, so that it completes even if this future is dropped.
    async fn end(mut self, guard: Guard<D>, outcome: Outcome) -> Result<()> {
        self.has_ended = true;
        let level = self.shared.level.clone();
        let is_nested = self.claim.is_some();
        run_to_completion(async move {
            level.end();
            if is_nested {
                end_savepoint(guard, level.depth, outcome).await
            } else {
                end_transaction(guard, outcome).await
            }
        })
        .await
    }
}

/// Ends a transaction. Its connection goes back to the pool, or is closed.
async fn end_transaction<D: Transactional>(mut guard: Guard<D>, outcome: Outcome) -> Result<()> {
    let open = guard.take().ok_or_else(ended)?;
    match outcome {
        Outcome::Commit => open.commit().await?,
        Outcome::RollBack => open.abort().await,
    }
    Ok(())
}

/// Ends the savepoint at `depth`. The transaction around it continues.
async fn end_savepoint<D: Database>(mut guard: Guard<D>, depth: usize, outcome: Outcome) -> Result<()> {
    let open = opened(&mut guard)?;
    match outcome {
        Outcome::Commit => open.release().await?,
        Outcome::RollBack => open.unwind(depth.saturating_sub(1)).await,
    }
    Ok(())
}

/// Rolls back if the work panicked or its future was dropped.
impl<D: Database> Drop for Scope<D> {
    fn drop(&mut self) {
        if self.has_ended {
            return;
        }
        self.shared.level.end();
        if self.claim.is_some() {
            self.shared.abandoned.fetch_min(self.shared.level.depth.saturating_sub(1), Ordering::AcqRel);
        } else {
            abandon(&self.shared.open);
        }
    }
}

/// Drops the transaction, which rolls it back. If a statement is running on its connection, a task does so afterwards.
///
/// Outside of a runtime no task can be spawned. The transaction is then dropped with the last reference to it.
fn abandon<D: Database>(open: &Arc<Mutex<Option<Open<D>>>>) {
    if let Ok(mut open) = open.try_lock() {
        drop(open.take());
    } else if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn(abandon_later(Arc::clone(open)));
    }
}

/// Drops the transaction once its connection is free.
async fn abandon_later<D: Database>(open: Arc<Mutex<Option<Open<D>>>>) {
    drop(open.lock().await.take());
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
