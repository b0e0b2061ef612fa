//! A connection inside a transaction. It goes back to its pool only once the transaction is known to have ended; where
//! that cannot be known it is closed, and the server rolls back.
//!
//! What sqlx counts about a transaction changes after the server has answered. So a BEGIN, COMMIT or ROLLBACK that is
//! cut short leaves it wrong: none ever is, for they run in tasks of their own.

use std::future::Future;
use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx_core::transaction::TransactionManager as _;

use super::isolation::{Isolation, Transactional, is_fragile};
use crate::error::{FrameworkError, Result};

/// A connection inside a transaction. Dropped, it rolls back.
pub(super) struct Open<D: sqlx::Database> {
    /// `None` once it has gone back to its pool.
    connection: Option<PoolConnection<D>>,
    /// Whether a statement that is cut short breaks it.
    fragile: bool,
    /// Whether it knows statements by name.
    named_statements: bool,
    /// Whether it is fit for nothing but to be closed: so it is wherever a BEGIN or an end of it stops half-way.
    broken: bool,
}

impl<D: sqlx::Database> Open<D> {
    /// Begins a transaction on a connection of a pool.
    pub(super) async fn begin(pool: &sqlx::Pool<D>, isolation: Option<Isolation>) -> Result<Self>
    where
        D: Transactional,
    {
        let named_statements = D::names_statements(pool);
        let connection = Some(pool.acquire().await?);
        uninterrupted(async move {
            let mut open = Self { connection, fragile: is_fragile(D::DIALECT), named_statements, broken: true };
            D::begin(&mut open, isolation).await?;
            open.broken = false;
            Ok(open)
        })
        .await
    }

    pub(super) fn is_broken(&self) -> bool {
        self.broken
    }

    pub(super) fn names_statements(&self) -> bool {
        self.named_statements
    }

    /// Notes that a statement was cut short.
    pub(super) fn cut_short(&mut self) {
        self.broken |= self.fragile;
    }

    /// How many transactions and savepoints are open on it.
    pub(super) fn depth(&self) -> usize {
        D::TransactionManager::get_transaction_depth(self)
    }

    /// Sets a savepoint.
    pub(super) async fn save(&mut self) -> sqlx::Result<()> {
        self.broken = true;
        let saved = D::TransactionManager::begin(self, None).await;
        self.broken = false;
        saved
    }

    /// Releases the innermost savepoint; where that fails it is rolled back.
    pub(super) async fn release(&mut self) -> sqlx::Result<()> {
        let outer = self.depth().saturating_sub(1);
        self.broken = true;
        let released = D::TransactionManager::commit(self).await;
        self.broken = false;
        if released.is_err() {
            self.unwind(outer).await;
        }
        released
    }

    /// Rolls back what is open beyond a depth. Where that fails the connection is broken.
    pub(super) async fn unwind(&mut self, depth: usize) {
        if std::mem::replace(&mut self.broken, true) {
            return;
        }
        while self.depth() > depth {
            if D::TransactionManager::rollback(self).await.is_err() {
                return;
            }
        }
        self.broken = false;
    }

    /// Commits; what fails is rolled back.
    pub(super) async fn commit(mut self) -> Result<()>
    where
        D: Transactional,
    {
        self.broken = true;
        let committed = match D::check(&mut self).await {
            Ok(()) => D::TransactionManager::commit(&mut self).await,
            Err(error) => Err(error),
        };
        self.broken = false;
        self.rollback().await;
        Ok(committed?)
    }

    /// Rolls back whatever is open, and gives the connection back.
    pub(super) async fn rollback(mut self) {
        self.unwind(0).await;
        if !self.broken {
            drop(self.connection.take());
        }
    }
}

#[expect(clippy::expect_used, reason = "only what consumes it takes the connection")]
impl<D: sqlx::Database> Deref for Open<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        self.connection.as_deref().expect("an open transaction has its connection")
    }
}

#[expect(clippy::expect_used, reason = "only what consumes it takes the connection")]
impl<D: sqlx::Database> DerefMut for Open<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        self.connection.as_deref_mut().expect("an open transaction has its connection")
    }
}

impl<D: sqlx::Database> Drop for Open<D> {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) if !self.broken => {
                // Broken until it is begun with: a runtime that is shut down drops it once more.
                let Self { fragile, named_statements, .. } = *self;
                let mut open = Self { connection: Some(connection), fragile, named_statements, broken: true };
                runtime.spawn(async move {
                    open.broken = false;
                    open.rollback().await;
                });
            }
            _ => connection.close_on_drop(),
        }
    }
}

/// Runs to its end even where the caller goes away meanwhile; what comes of it is then dropped.
pub(super) async fn uninterrupted<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    let joined = tokio::spawn(work).await;
    joined.map_err(|error| FrameworkError::internal(format!("a transaction was not begun or ended: {error}")))?
}
