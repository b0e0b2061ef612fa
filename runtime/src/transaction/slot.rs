//! The connection of a transaction, and who has it.
//!
//! A transaction has one connection. The [`ConnectionSlot`] holds it while nobody uses it, and a [`ConnectionLock`]
//! while someone does: a guard of the caller, a page, or the end of the transaction. Each has an [`Owner`]. Whoever
//! else wants the connection waits until it is returned, at most as long as for a connection of the pool, and the error
//! then names the owner.
//!
//! Nested transactions form a stack of levels. Everything that runs while a savepoint is open becomes part of it, so a
//! statement waits until its own level is the innermost one. Inside the nested transaction this would be a wait for
//! itself, which is refused at once.

use std::fmt;
use std::future::Future;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::Database;
use tokio::sync::Notify;

use super::open_transaction::{History, OpenTransaction};
use crate::error::{FrameworkError, Result};
use crate::pool::Owner;

/// A transaction, or a savepoint in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NestingLevel {
    /// 1 for the transaction itself.
    pub(super) depth: usize,
    /// Tells it from all others.
    id: u64,
}

tokio::task_local! {
    /// The levels that the task is inside of, also through handles.
    static INSIDE: Vec<NestingLevel>;
}

/// Runs a future inside a level.
pub(super) async fn inside<F: Future>(level: NestingLevel, future: F) -> F::Output {
    let mut levels = INSIDE.try_with(Vec::clone).unwrap_or_default();
    levels.push(level);
    INSIDE.scope(levels, future).await
}

/// The connection of a transaction, shared by all that may use it.
pub(super) struct ConnectionSlot<D: Database> {
    state: Mutex<State<D>>,
    /// Notifies those who wait that the connection was returned or that a level has ended. All of them look again, so
    /// one that is not polled keeps nobody waiting.
    changed: Notify,
    /// How long to wait for the connection.
    wait: Duration,
}

struct State<D: Database> {
    /// The connection, unless someone has it or the transaction has ended.
    open: Option<OpenTransaction<D>>,
    /// Who has it.
    holder: Option<Owner>,
    /// The open levels from the outermost on, and who began them. Empty after the transaction has ended.
    levels: Vec<(NestingLevel, Owner)>,
    /// The depth down to which savepoints were abandoned. Whoever has the connection next rolls them back.
    abandoned: Option<usize>,
}

impl<D: Database> State<D> {
    fn is_open(&self, level: NestingLevel) -> bool {
        self.level_at(level.depth).is_some_and(|(open, _)| *open == level)
    }

    fn level_at(&self, depth: usize) -> Option<&(NestingLevel, Owner)> {
        self.levels.get(depth.checked_sub(1)?)
    }

    fn push(&mut self, owner: Owner) -> NestingLevel {
        static OPENED: AtomicU64 = AtomicU64::new(0);
        let id = OPENED.fetch_add(1, Ordering::Relaxed);
        let level = NestingLevel { depth: self.levels.len().saturating_add(1), id };
        self.levels.push((level, owner));
        level
    }
}

impl<D: Database> ConnectionSlot<D> {
    /// The slot of a transaction that has begun, and its outermost level.
    pub(super) fn new(open: OpenTransaction<D>, wait: Duration, owner: Owner) -> (Arc<Self>, NestingLevel) {
        let mut state = State { open: Some(open), holder: None, levels: Vec::new(), abandoned: None };
        let level = state.push(owner);
        (Arc::new(Self { state: Mutex::new(state), changed: Notify::new(), wait }), level)
    }

    fn state(&self) -> MutexGuard<'_, State<D>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a level whose work was dropped, and those inside it. Its savepoint is rolled back by whoever has the
    /// connection next, a transaction in the background.
    pub(super) fn abandon(&self, level: NestingLevel) {
        let mut state = self.state();
        if !state.is_open(level) {
            return;
        }
        let outer = level.depth.saturating_sub(1);
        state.levels.truncate(outer);
        state.abandoned = Some(state.abandoned.map_or(outer, |depth| depth.min(outer)));
        let ended = if outer == 0 { state.open.take() } else { None };
        drop(state);
        drop(ended);
        self.changed.notify_waiters();
    }

    fn occupied_error(&self, level: NestingLevel, ending: bool) -> FrameworkError {
        let state = self.state();
        let nested = state.level_at(level.depth.saturating_add(1)).filter(|_| !ending);
        let reason = match (nested, state.holder) {
            (Some((_, nested)), _) => {
                format!("a nested transaction is open, {nested}. Let it end first, or use `DB::current()` inside it")
            }
            (None, Some(holder)) => format!(
                "{holder} has it. Drop a guard before anything else needs the connection, or read the page on it with \
                 `.using(&mut *guard)`"
            ),
            (None, None) => "others were always faster".into(),
        };
        let result = if ending { "the transaction is rolled back: its" } else { "the transaction's" };
        let wait = self.wait;
        FrameworkError::internal(format!(
            "{result} connection was not free for {wait:?}, the pool's `acquire_timeout`, because {reason}"
        ))
    }

    /// Waits until a level is the innermost one and its connection is free. A level that is `ending` does not wait for
    /// those inside it.
    pub(super) async fn take(
        self: &Arc<Self>,
        level: NestingLevel,
        owner: Owner,
        ending: bool,
    ) -> Result<ConnectionLock<D>> {
        if let Some(lock) = self.try_take(level, owner, ending)? {
            return Ok(lock);
        }
        // Boxed, because hardly any statement has to wait.
        let waited = Box::pin(tokio::time::timeout(self.wait, async {
            loop {
                let mut changed = std::pin::pin!(self.changed.notified());
                changed.as_mut().enable();
                if let Some(lock) = self.try_take(level, owner, ending)? {
                    return Ok(lock);
                }
                changed.await;
            }
        }));
        waited.await.unwrap_or_else(|_| Err(self.occupied_error(level, ending)))
    }

    fn try_take(
        self: &Arc<Self>,
        level: NestingLevel,
        owner: Owner,
        ending: bool,
    ) -> Result<Option<ConnectionLock<D>>> {
        let mut state = self.state();
        if !state.is_open(level) {
            return Err(ended_error());
        }
        let nested = state.levels.get(level.depth..).unwrap_or_default();
        if let Some((_, nested_owner)) = nested.first()
            && !ending
        {
            let is_inside = INSIDE.try_with(|levels| nested.iter().any(|(nested, _)| levels.contains(nested)));
            if is_inside.unwrap_or(false) {
                return Err(FrameworkError::internal(format!(
                    "a nested transaction is open, {nested_owner}, and this belongs to an outer one, so it would deadlock: call \
                     `DB::current()` inside the nested transaction and use that handle, or run this after it has ended"
                )));
            }
            return Ok(None);
        }
        let Some(open) = state.open.take() else { return Ok(None) };
        state.holder = Some(owner);
        Ok(Some(ConnectionLock { open: Some(open), slot: Arc::clone(self) }))
    }
}

/// Exclusive use of a transaction's connection, for one or more statements. Dropping it returns the connection.
pub(crate) struct ConnectionLock<D: Database> {
    /// `None` while it is dropped.
    open: Option<OpenTransaction<D>>,
    slot: Arc<ConnectionSlot<D>>,
}

impl<D: Database> ConnectionLock<D> {
    pub(crate) fn persistent(&self) -> bool {
        self.open().persistent()
    }

    /// Marks a statement before it is sent. Unless [`ended`](Self::ended) follows, it was cut short or has failed, and
    /// the server is asked whether the transaction is still open.
    pub(crate) fn begins(&mut self) -> History {
        self.open_mut().mark_unchecked()
    }

    /// Records that one of folio's statements has succeeded.
    pub(crate) fn ended(&mut self, before: History) {
        self.open_mut().restore(before);
    }

    pub(super) fn is_innermost(&self, level: NestingLevel) -> bool {
        let state = self.slot.state();
        state.is_open(level) && state.levels.len() == level.depth
    }

    /// The depth down to which savepoints were abandoned, once.
    pub(super) fn take_abandoned(&self) -> Option<usize> {
        self.slot.state().abandoned.take()
    }

    /// Opens a level for a savepoint that was set.
    pub(super) fn push(&self, owner: Owner) -> NestingLevel {
        self.slot.state().push(owner)
    }

    pub(super) fn end_deeper_than(&self, depth: usize) {
        self.slot.state().levels.truncate(depth);
    }

    /// Ends the transaction for all who use it, and takes its connection.
    pub(super) fn into_open(mut self) -> Option<OpenTransaction<D>> {
        self.end_deeper_than(0);
        self.open.take()
    }
}

#[expect(clippy::expect_used, reason = "only `into_open` takes the connection")]
impl<D: Database> ConnectionLock<D> {
    fn open(&self) -> &OpenTransaction<D> {
        self.open.as_ref().expect("a lock has its connection")
    }

    pub(super) fn open_mut(&mut self) -> &mut OpenTransaction<D> {
        self.open.as_mut().expect("a lock has its connection")
    }
}

impl<D: Database> fmt::Debug for ConnectionLock<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConnectionLock(..)")
    }
}

impl<D: Database> Deref for ConnectionLock<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        self.open()
    }
}

impl<D: Database> DerefMut for ConnectionLock<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        self.open_mut()
    }
}

/// Returns the connection. After the transaction has ended, it is rolled back instead.
impl<D: Database> Drop for ConnectionLock<D> {
    fn drop(&mut self) {
        let mut state = self.slot.state();
        state.holder = None;
        let open = self.open.take();
        let ended = if state.levels.is_empty() { open } else { std::mem::replace(&mut state.open, open) };
        drop(state);
        drop(ended);
        self.slot.changed.notify_waiters();
    }
}

/// The error for a statement of a transaction that was committed or rolled back.
pub(super) fn ended_error() -> FrameworkError {
    FrameworkError::internal("the transaction passed to this task has already ended")
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use std::panic::Location;

    use futures_util::FutureExt as _;
    use sqlx::Sqlite;

    use super::*;
    use crate::transaction::tests::{begun, notes, pool};

    fn owner(what: &'static str) -> Owner {
        Owner::new(what, Some(Location::caller()))
    }

    /// A transaction whose connection is waited for briefly.
    async fn slot() -> (Arc<ConnectionSlot<Sqlite>>, NestingLevel) {
        ConnectionSlot::new(begun(&pool().await).await, Duration::from_millis(20), owner("it"))
    }

    #[tokio::test]
    async fn a_wait_for_the_connection_ends_and_names_who_has_it() {
        let (slot, level) = slot().await;
        let held = slot.take(level, owner("the guard"), false).await.expect("it is free");
        let error = slot.take(level, owner("a page"), false).await.expect_err("the guard has it").to_string();
        assert!(error.contains("20ms") && error.contains("the guard at ") && error.contains("slot.rs:"), "{error}");
        drop(held);
        slot.take(level, owner("a page"), false).await.expect("it was returned");
    }

    #[tokio::test]
    async fn a_wait_that_is_not_polled_keeps_nobody_waiting() {
        let (slot, level) = slot().await;
        let held = slot.take(level, owner("the guard"), false).await.expect("it is free");
        let mut kept = Box::pin(slot.take(level, owner("kept"), false));
        assert!(kept.as_mut().now_or_never().is_none());
        drop(held);
        slot.take(level, owner("another"), false).await.expect("it was returned");
    }

    #[tokio::test]
    async fn only_the_innermost_level_has_the_connection() {
        let (slot, outer) = slot().await;
        let inner = slot.take(outer, owner("it"), false).await.expect("it is free").push(owner("a transaction"));
        let error = slot.take(outer, owner("a page"), false).await.expect_err("one is open").to_string();
        assert!(error.contains("a nested transaction is open"), "{error}");
        let lock = slot.take(inner, owner("a page"), false).await.expect("it is the innermost");
        assert!(lock.is_innermost(inner) && !lock.is_innermost(outer));
        drop(lock);
        assert!(!slot.take(outer, owner("the end"), true).await.expect("it ends").is_innermost(outer));
        slot.abandon(inner);
        let lock = slot.take(outer, owner("a page"), false).await.expect("nothing is nested any more");
        assert_eq!((lock.take_abandoned(), lock.take_abandoned()), (Some(1), None));
        assert_eq!(
            slot.take(inner, owner("a page"), false).await.expect_err("ended").to_string(),
            ended_error().to_string()
        );
    }

    #[tokio::test]
    async fn a_statement_is_marked_until_it_has_succeeded() {
        let (slot, level) = slot().await;
        let mut lock = slot.take(level, owner("a page"), false).await.expect("it is free");
        let before = lock.begins();
        assert!(lock.open_mut().is_unchecked());
        lock.ended(before);
        assert!(!lock.open_mut().is_unchecked());
    }

    #[tokio::test]
    async fn a_connection_that_returns_after_the_end_is_rolled_back() {
        let pool = pool().await;
        let (slot, level) = ConnectionSlot::new(begun(&pool).await, Duration::from_secs(20), owner("it"));
        let lock = slot.take(level, owner("the guard"), false).await.expect("it is free");
        assert_eq!(format!("{lock:?}"), "ConnectionLock(..)");
        slot.abandon(level);
        drop(lock);
        assert_eq!(notes(&pool).await, 0);
    }
}
