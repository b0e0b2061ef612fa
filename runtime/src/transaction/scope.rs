//! A transaction or savepoint as all that is inside it shares it, and as the one who ends it holds it.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use sqlx::Database;
use tokio::sync::{Mutex, OwnedMutexGuard};

use super::isolation::{Isolation, Transactional};
use super::open::{Open, uninterrupted};
use crate::error::{FrameworkError, Result};

/// No savepoint was abandoned.
const NONE: usize = usize::MAX;

type Guard<D> = OwnedMutexGuard<Option<Open<D>>>;

/// A transaction or a savepoint in it, and its turn-taking.
pub(crate) struct Shared<D: Database> {
    /// `None` once the transaction has ended.
    open: Arc<Mutex<Option<Open<D>>>>,
    /// The depth down to which savepoints were abandoned. Whoever has the connection next rolls them back first.
    abandoned: Arc<AtomicUsize>,
    level: Arc<Level>,
    /// Whether the future that this was handed to is being polled.
    polled: Arc<AtomicBool>,
}

/// A transaction, or a savepoint at its depth.
struct Level {
    /// 1 for the transaction itself.
    depth: usize,
    outer: Option<Arc<Level>>,
    /// Taken by a nested transaction for as long as it runs: savepoints end in the order of a stack.
    turn: Arc<Mutex<()>>,
    ended: AtomicBool,
}

impl Level {
    fn inside(outer: Option<Arc<Self>>) -> Arc<Self> {
        let depth = outer.as_ref().map_or(0, |outer| outer.depth).saturating_add(1);
        Arc::new(Self { depth, outer, turn: Arc::default(), ended: AtomicBool::new(false) })
    }

    fn end(&self) {
        self.ended.store(true, Ordering::Release);
    }

    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire) || self.outer.as_ref().is_some_and(|outer| outer.has_ended())
    }

    /// Ends all that is deeper.
    fn end_beyond(&self, depth: usize) {
        if self.depth > depth {
            self.end();
        }
        if let Some(outer) = &self.outer {
            outer.end_beyond(depth);
        }
    }
}

impl<D: Database> Clone for Shared<D> {
    fn clone(&self) -> Self {
        Self { level: Arc::clone(&self.level), polled: Arc::clone(&self.polled), ..self.inner() }
    }
}

impl<D: Database> fmt::Debug for Shared<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared(..)")
    }
}

impl<D: Database> Shared<D> {
    fn new(open: Open<D>) -> Self {
        Self {
            open: Arc::new(Mutex::new(Some(open))),
            abandoned: Arc::new(AtomicUsize::new(NONE)),
            level: Level::inside(None),
            polled: Arc::default(),
        }
    }

    /// The same transaction, one level further down.
    fn inner(&self) -> Self {
        let (open, abandoned) = (Arc::clone(&self.open), Arc::clone(&self.abandoned));
        Self { open, abandoned, level: Level::inside(Some(Arc::clone(&self.level))), polled: Arc::default() }
    }

    /// The same level, for another future; and whether that one is being polled.
    pub(super) fn handed_on(&self) -> (Self, Arc<AtomicBool>) {
        let polled: Arc<AtomicBool> = Arc::default();
        (Self { polled: Arc::clone(&polled), ..self.clone() }, polled)
    }

    /// The connection, when no other statement runs on it.
    pub(crate) async fn lock(&self) -> Result<Lock<D>> {
        Ok(Lock { guard: self.turn().await?, polled: Arc::clone(&self.polled), cut_short: false })
    }

    /// A turn on the connection, with all that was abandoned rolled back.
    async fn turn(&self) -> Result<Guard<D>> {
        let mut guard = Arc::clone(&self.open).lock_owned().await;
        if self.abandoned.load(Ordering::Acquire) != NONE {
            guard = self.settle(guard).await?;
        }
        match &*guard {
            None => Err(ended()),
            Some(_) if self.level.has_ended() => Err(ended()),
            Some(open) if open.is_broken() => Err(FrameworkError::internal(
                "the transaction cannot go on and is rolled back: a statement in it was cut short, or a savepoint of it \
                 is gone",
            )),
            Some(_) => Ok(guard),
        }
    }

    async fn settle(&self, mut guard: Guard<D>) -> Result<Guard<D>> {
        let abandoned = Arc::clone(&self.abandoned);
        uninterrupted(async move {
            let depth = abandoned.swap(NONE, Ordering::AcqRel);
            if let Some(open) = &mut *guard {
                open.unwind(depth).await;
            }
            Ok(guard)
        })
        .await
    }

    /// A savepoint, once no sibling has one.
    pub(super) async fn nest(&self) -> Result<Scope<D>> {
        let turn = Arc::clone(&self.level.turn).lock_owned().await;
        let mut guard = self.turn().await?;
        // From here on it is rolled back wherever this is dropped.
        let scope = Scope { shared: self.inner(), armed: true, turn: Some(turn) };
        let level = Arc::clone(&self.level);
        uninterrupted(async move {
            let open = guard.as_mut().ok_or_else(ended)?;
            let saved = open.save().await;
            // sqlx answers some failures by rolling back what is around the savepoint.
            level.end_beyond(open.depth());
            Ok(saved?)
        })
        .await?;
        Ok(scope)
    }
}

fn ended() -> FrameworkError {
    FrameworkError::internal("the transaction that this task was given has ended")
}

/// The connection of a transaction, for one statement or a few.
pub struct Lock<D: Database> {
    guard: Guard<D>,
    polled: Arc<AtomicBool>,
    cut_short: bool,
}

impl<D: Database> Lock<D> {
    /// Whether the connection knows statements by name.
    pub(crate) fn names_statements(&self) -> bool {
        self.guard.as_ref().is_none_or(Open::names_statements)
    }

    /// Notes that a statement was dropped before it came to its end.
    pub(crate) fn cut_short(&mut self) {
        self.cut_short = true;
    }
}

impl<D: Database> fmt::Debug for Lock<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lock(..)")
    }
}

#[expect(clippy::expect_used, reason = "made by `Shared::lock` only, which has looked")]
impl<D: Database> Deref for Lock<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        self.guard.as_ref().expect("a lock is given on an open transaction only")
    }
}

#[expect(clippy::expect_used, reason = "made by `Shared::lock` only, which has looked")]
impl<D: Database> DerefMut for Lock<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        self.guard.as_mut().expect("a lock is given on an open transaction only")
    }
}

/// Given back while its future runs, the connection's statement has ended. Otherwise the future is being dropped, and a
/// statement on the connection with it: the caller's own ones say nothing about that, so this is all there is to tell.
impl<D: Database> Drop for Lock<D> {
    fn drop(&mut self) {
        let dropped = !self.polled.load(Ordering::Acquire) || std::thread::panicking();
        if let (true, Some(open)) = (self.cut_short || dropped, &mut *self.guard) {
            open.cut_short();
        }
    }
}

/// A transaction of its own for one call that only reads. Dropped, it is rolled back.
#[derive(Debug)]
pub struct Brief<D: Database> {
    // In this order: the connection is free when the transaction ends.
    lock: Lock<D>,
    _scope: Scope<D>,
    isolation: Option<Isolation>,
}

impl<D: Database> Brief<D> {
    pub(crate) async fn begin(pool: &sqlx::Pool<D>, isolation: Option<Isolation>) -> Result<Self>
    where
        D: Transactional,
    {
        let scope = Scope::begin(pool, isolation).await?;
        // Only folio's own statements run on it, and of one that is dropped the lock is told.
        scope.shared.polled.store(true, Ordering::Release);
        let lock = scope.shared.lock().await?;
        Ok(Self { lock, _scope: scope, isolation })
    }

    /// Whether all statements in it see the same rows.
    pub(crate) fn is_snapshot(&self) -> bool {
        matches!(self.isolation, Some(Isolation::RepeatableRead | Isolation::Serializable))
    }

    pub(crate) fn lock(&self) -> &Lock<D> {
        &self.lock
    }

    pub(crate) fn lock_mut(&mut self) -> &mut Lock<D> {
        &mut self.lock
    }
}

/// A transaction or savepoint that has been begun and is to be ended.
#[derive(Debug)]
pub(super) struct Scope<D: Database> {
    pub(super) shared: Shared<D>,
    /// Whether it has still to be ended.
    armed: bool,
    /// A savepoint's turn among its siblings; `None` for the transaction itself.
    turn: Option<OwnedMutexGuard<()>>,
}

impl<D: Transactional> Scope<D> {
    pub(super) async fn begin(pool: &sqlx::Pool<D>, isolation: Option<Isolation>) -> Result<Self> {
        let open = Open::begin(pool, isolation).await?;
        Ok(Self { shared: Shared::new(open), armed: true, turn: None })
    }

    pub(super) async fn commit(self) -> Result<()> {
        let guard = self.shared.turn().await?;
        if self.shared.level.turn.try_lock().is_err() {
            return Err(FrameworkError::internal(
                "the transaction is rolled back: one that is nested in it still runs",
            ));
        }
        self.end(guard, true).await
    }

    pub(super) async fn rollback(self) -> Result<()> {
        let guard = self.shared.turn().await?;
        self.end(guard, false).await
    }

    /// Ends it, in a task: nothing is left to be done where this is dropped.
    async fn end(mut self, mut guard: Guard<D>, keep: bool) -> Result<()> {
        self.armed = false;
        let (level, nested) = (Arc::clone(&self.shared.level), self.turn.is_some());
        uninterrupted(async move {
            level.end();
            match (nested, keep) {
                (false, true) => guard.take().ok_or_else(ended)?.commit().await?,
                (false, false) => guard.take().ok_or_else(ended)?.rollback().await,
                (true, true) => guard.as_mut().ok_or_else(ended)?.release().await?,
                (true, false) => guard.as_mut().ok_or_else(ended)?.unwind(level.depth.saturating_sub(1)).await,
            }
            Ok(())
        })
        .await
    }
}

/// Rolls back what was neither committed nor rolled back: its work panicked, or its future was dropped.
impl<D: Database> Drop for Scope<D> {
    fn drop(&mut self) {
        if !self.armed {
            return;
        }
        self.shared.level.end();
        if self.turn.is_some() {
            self.shared.abandoned.fetch_min(self.shared.level.depth.saturating_sub(1), Ordering::AcqRel);
        } else {
            abandon(&self.shared.open);
        }
    }
}

/// Drops the transaction, which rolls it back: by and by, where a statement runs on its connection.
fn abandon<D: Database>(open: &Arc<Mutex<Option<Open<D>>>>) {
    match (open.try_lock(), tokio::runtime::Handle::try_current()) {
        (Ok(mut open), _) => drop(open.take()),
        (Err(_), Ok(runtime)) => {
            let open = Arc::clone(open);
            runtime.spawn(async move { drop(open.lock().await.take()) });
        }
        (Err(_), Err(_)) => {}
    }
}
