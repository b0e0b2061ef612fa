//! The connection of a transaction while statements run on it.
//!
//! A [`Lock`] is held for one statement, or by a guard that the caller holds. When it is dropped, it has to find out
//! whether its statements have ended, because the caller's own statements do not report to folio.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use sqlx::Database;
use tokio::sync::OwnedMutexGuard;

use super::open::Open;
use super::work::Work;

/// The mutex of a transaction's connection, locked; `None` inside after the transaction has ended.
pub(super) type Guard<D> = OwnedMutexGuard<Option<Open<D>>>;

/// Exclusive use of a transaction's connection, for one or more statements.
pub(crate) struct Lock<D: Database> {
    guard: Guard<D>,
    /// The future that runs the statements.
    work: Work,
    /// The record of who holds the connection, if it is lent to the caller; `None` for folio's own statements.
    holder: Option<Holder>,
}

/// The work that holds the connection in a guard, if any.
#[derive(Debug, Clone, Default)]
pub(super) struct Holder(Arc<Mutex<Option<Work>>>);

impl Holder {
    /// Records which work holds the connection.
    fn set(&self, work: Option<Work>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = work;
    }

    /// Whether this work holds it.
    pub(super) fn is(&self, work: &Work) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(|holder| holder.is(work))
    }
}

impl<D: Database> Lock<D> {
    /// A lock for folio's own statements.
    pub(super) fn new(guard: Guard<D>, work: Work) -> Self {
        Self { guard, work, holder: None }
    }

    /// A lock for a guard that the caller holds.
    pub(super) fn lent(mut self, holder: Holder) -> Self {
        holder.set(Some(self.work.clone()));
        self.holder = Some(holder);
        self
    }

    /// Whether statements on the connection are named.
    pub(crate) fn names_statements(&self) -> bool {
        self.guard.as_ref().is_none_or(Open::names_statements)
    }

    /// Records that a statement has failed. The failure may have ended the transaction, as a deadlock does on MySQL.
    pub(crate) fn mark_failed(&mut self) {
        if let Some(open) = &mut *self.guard {
            open.mark_unchecked();
        }
    }

    /// Records that a statement was dropped before it ended.
    pub(crate) fn mark_interrupted(&mut self) {
        if let Some(open) = &mut *self.guard {
            open.mark_interrupted();
        }
    }
}

impl<D: Database> fmt::Debug for Lock<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lock(..)")
    }
}

#[expect(clippy::expect_used, reason = "only created for an open transaction")]
impl<D: Database> Deref for Lock<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        self.guard.as_ref().expect("a lock is only created for an open transaction")
    }
}

#[expect(clippy::expect_used, reason = "only created for an open transaction")]
impl<D: Database> DerefMut for Lock<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        self.guard.as_mut().expect("a lock is only created for an open transaction")
    }
}

/// If the lock is dropped while its work is being polled, its statements have ended. Otherwise the work itself is being
/// dropped, and possibly a statement with it. There is no other way to tell for the caller's own statements.
impl<D: Database> Drop for Lock<D> {
    fn drop(&mut self) {
        if let Some(holder) = &self.holder {
            holder.set(None);
        }
        if !self.work.is_polled() || std::thread::panicking() {
            self.mark_interrupted();
        }
    }
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
