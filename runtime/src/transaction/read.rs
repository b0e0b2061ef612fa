//! A transaction that folio begins for one call.

use sqlx::Database;
use sqlx::pool::PoolConnection;

use super::control::Transactional;
use super::isolation::Isolation;
use super::lock::Lock;
use super::scope::Scope;
use crate::error::Result;

/// A transaction for one call that only reads. Dropped, it is rolled back.
#[derive(Debug)]
pub(crate) struct ReadTransaction<D: Database> {
    // In this order: the connection is free when the transaction ends.
    lock: Lock<D>,
    _scope: Scope<D>,
    isolation: Option<Isolation>,
}

impl<D: Database> ReadTransaction<D> {
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
