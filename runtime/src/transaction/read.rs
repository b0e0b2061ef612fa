//! A short transaction that folio begins for one call, when a page takes several statements that have to see the same
//! rows, or when the pool needs one: see [`crate::route`].
//!
//! It is not ambient: the caller's own statements never run in it. It only reads, so it is rolled back, which costs no
//! more than a commit.

use sqlx::Database;
use sqlx::pool::PoolConnection;

use super::control::Transactional;
use super::isolation::Isolation;
use super::lock::Lock;
use super::scope::Scope;
use crate::error::Result;

/// A transaction for one call that only reads. Dropping it rolls it back.
#[derive(Debug)]
pub(crate) struct ReadTransaction<D: Database> {
    // Fields drop in this order, so the connection is free when the scope ends the transaction.
    lock: Lock<D>,
    _scope: Scope<D>,
    isolation: Option<Isolation>,
}

impl<D: Database> ReadTransaction<D> {
    /// Begins a transaction on a connection of a pool. Without an isolation level, it has the session's.
    pub(crate) async fn begin(
        connection: PoolConnection<D>,
        pool: sqlx::Pool<D>,
        isolation: Option<Isolation>,
    ) -> Result<Self>
    where
        D: Transactional,
    {
        let scope = Scope::begin_reading(connection, pool, isolation).await?;
        let lock = scope.shared.lock().await?;
        Ok(Self { lock, _scope: scope, isolation })
    }

    /// Whether all statements in it see the same snapshot.
    pub(crate) fn is_snapshot(&self) -> bool {
        matches!(self.isolation, Some(Isolation::RepeatableRead | Isolation::Serializable))
    }

    /// The connection, for statements.
    pub(crate) fn lock(&self) -> &Lock<D> {
        &self.lock
    }

    /// The connection, for statements.
    pub(crate) fn lock_mut(&mut self) -> &mut Lock<D> {
        &mut self.lock
    }
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
