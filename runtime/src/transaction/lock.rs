//! The connection of a transaction while statements run on it.

use std::fmt;
use std::ops::{Deref, DerefMut};

use sqlx::Database;
use tokio::sync::OwnedMutexGuard;

use super::open::Open;
use super::work::Work;

pub(super) type Guard<D> = OwnedMutexGuard<Option<Open<D>>>;

/// The connection of a transaction, for one statement or a few.
pub(crate) struct Lock<D: Database> {
    guard: Guard<D>,
    work: Work,
}

impl<D: Database> Lock<D> {
    pub(super) fn new(guard: Guard<D>, work: Work) -> Self {
        Self { guard, work }
    }

    /// Whether the connection's statements have names.
    pub(crate) fn names_statements(&self) -> bool {
        self.guard.as_ref().is_none_or(Open::names_statements)
    }

    /// Notes that a statement has failed.
    pub(crate) fn failed(&mut self) {
        if let Some(open) = &mut *self.guard {
            open.doubt();
        }
    }

    /// Notes that a statement was dropped half-way.
    pub(crate) fn cut_short(&mut self) {
        if let Some(open) = &mut *self.guard {
            open.cut_short();
        }
    }
}

impl<D: Database> fmt::Debug for Lock<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lock(..)")
    }
}

#[expect(clippy::expect_used, reason = "only made for a transaction that is open")]
impl<D: Database> Deref for Lock<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        self.guard.as_ref().expect("a lock is given on an open transaction only")
    }
}

#[expect(clippy::expect_used, reason = "only made for a transaction that is open")]
impl<D: Database> DerefMut for Lock<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        self.guard.as_mut().expect("a lock is given on an open transaction only")
    }
}

/// If the lock is dropped while its work is being polled, its statements have ended. Otherwise the work is being
/// dropped, and a statement with it. The caller's own statements tell nothing else about that.
impl<D: Database> Drop for Lock<D> {
    fn drop(&mut self) {
        if !self.work.is_polled() || std::thread::panicking() {
            self.cut_short();
        }
    }
}
