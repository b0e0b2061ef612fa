//! The levels of a transaction, and who waits while one of them is nested in another.
//!
//! Everything that runs while a savepoint is open becomes part of it. So while a nested transaction is open, statements
//! of the level around it wait for it to end. They wait only if both belong to the same [`Work`], which makes them
//! branches of one future. Otherwise the nested transaction may itself be waiting for the statement, directly or
//! through other tasks, and neither would ever end. Such a statement is refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;

use super::work::Work;
use crate::error::{FrameworkError, Result};

/// A transaction or savepoint.
#[derive(Debug)]
pub(super) struct Level {
    /// 1 for the transaction itself.
    pub(super) depth: usize,
    /// The level around it; `None` for the transaction itself.
    outer: Option<Arc<Level>>,
    /// The work of the nested transaction, while one is open. Statements of this level wait for it to become `None`.
    nested: watch::Sender<Option<Work>>,
    /// Whether it was committed or rolled back. The levels inside it have then ended as well.
    ended: AtomicBool,
}

impl Level {
    /// A new level inside another one, or the outermost one.
    pub(super) fn inside(outer: Option<Arc<Self>>) -> Arc<Self> {
        let depth = outer.as_ref().map_or(0, |outer| outer.depth).saturating_add(1);
        Arc::new(Self { depth, outer, nested: watch::Sender::new(None), ended: AtomicBool::new(false) })
    }

    /// Records that it was committed or rolled back.
    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Release);
    }

    /// Ends this level and those around it that are deeper than `depth`.
    pub(super) fn end_deeper_than(&self, depth: usize) {
        if self.depth > depth {
            self.end();
        }
        if let Some(outer) = &self.outer {
            outer.end_deeper_than(depth);
        }
    }

    /// Fails if this level, or one around it, has ended.
    pub(super) fn check(&self) -> Result<()> {
        if self.has_ended() { Err(ended()) } else { Ok(()) }
    }

    /// Whether this level, or one around it, has ended.
    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire) || self.outer.as_ref().is_some_and(|outer| outer.has_ended())
    }

    /// Whether this is open and nested in `outer`, directly or through other levels.
    pub(super) fn is_open_inside(&self, outer: &Arc<Self>) -> bool {
        let mut outwards = std::iter::successors(self.outer.as_ref(), |level| level.outer.as_ref());
        outwards.any(|level| Arc::ptr_eq(level, outer)) && !self.has_ended()
    }

    /// Whether no transaction is nested in this level.
    pub(super) fn is_vacant(&self) -> bool {
        self.nested.borrow().is_none()
    }

    /// Waits until no transaction is nested in this level. Fails if one is open that belongs to other work.
    pub(super) async fn vacant(&self, work: &Work) -> Result<()> {
        self.check()?;
        let mut nested = self.nested.subscribe();
        let settled = nested.wait_for(|nested| nested.as_ref().is_none_or(|other| !other.is(work))).await;
        match settled.map(|nested| nested.is_none()) {
            Ok(true) => Ok(()),
            Ok(false) => Err(occupied()),
            // Unreachable while `self` exists, which owns the sender.
            Err(_) => Err(ended()),
        }
    }

    /// Claims the level for a nested transaction. Waits until no other one is open.
    pub(super) async fn claim(self: &Arc<Self>, work: &Work) -> Result<Claim> {
        loop {
            self.vacant(work).await?;
            if self.try_claim(work) {
                return Ok(Claim(Arc::clone(self)));
            }
        }
    }

    /// Claims the level, unless a nested transaction is open in it. Another waiter may have claimed it first.
    fn try_claim(&self, work: &Work) -> bool {
        self.nested.send_if_modified(|nested| {
            let is_free = nested.is_none();
            if is_free {
                *nested = Some(work.clone());
            }
            is_free
        })
    }
}

/// The claim of a nested transaction on the level around it. Dropping it releases the level.
#[derive(Debug)]
pub(super) struct Claim(Arc<Level>);

impl Drop for Claim {
    fn drop(&mut self) {
        self.0.nested.send_replace(None);
    }
}

/// The error for a statement of a transaction that was committed or rolled back.
pub(super) fn ended() -> FrameworkError {
    FrameworkError::internal("the transaction that this task was given has ended")
}

/// The error for a statement that would have to wait for a nested transaction of other work.
pub(super) fn occupied() -> FrameworkError {
    FrameworkError::internal(
        "a nested transaction is open, and this runs outside of it, through a handle of an outer level or in another task: \
         call `DB::current()` inside the nested transaction and use that handle, or run this after it has ended",
    )
}

#[cfg(test)]
mod tests;
