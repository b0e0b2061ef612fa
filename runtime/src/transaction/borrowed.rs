//! [`BorrowedTransaction`]: a short transaction for one page on the caller's own connection.
//!
//! folio begins it if a pooler lends a connection of the server for one transaction at a time. A spawned task cannot have
//! the caller's connection, so a page that is dropped does not run to its end. Instead, a ROLLBACK is queued, which the
//! connection sends before its next statement or when it goes back to its pool.

use std::fmt;
use std::ops::{Deref, DerefMut};

use sqlx::Database;
use sqlx_core::transaction::TransactionManager as _;

/// A transaction on a connection that the caller has lent. Dropping it rolls back.
pub(crate) struct BorrowedTransaction<'c, D: Database> {
    connection: &'c mut D::Connection,
    is_committed: bool,
}

impl<'c, D: Database> BorrowedTransaction<'c, D> {
    /// The transaction that [`begin_on_borrowed`](super::Transactional::begin_on_borrowed) has begun.
    pub(crate) fn begun(connection: &'c mut D::Connection) -> Self {
        Self { connection, is_committed: false }
    }

    /// Commits, because the caller's SQL may have written something.
    pub(crate) async fn commit(mut self) -> sqlx::Result<()> {
        D::TransactionManager::commit(self.connection).await?;
        self.is_committed = true;
        Ok(())
    }
}

impl<D: Database> Drop for BorrowedTransaction<'_, D> {
    fn drop(&mut self) {
        if !self.is_committed {
            D::TransactionManager::start_rollback(self.connection);
        }
    }
}

impl<D: Database> fmt::Debug for BorrowedTransaction<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BorrowedTransaction(..)")
    }
}

impl<D: Database> Deref for BorrowedTransaction<'_, D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        self.connection
    }
}

impl<D: Database> DerefMut for BorrowedTransaction<'_, D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        self.connection
    }
}
