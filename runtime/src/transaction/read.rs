//! A short transaction that folio begins for one call, when a page takes several statements that have to see the same
//! rows, or when the pool needs one: see [`crate::source::route`].
//!
//! It is not ambient: the caller's own statements never run in it. It only reads, so it is rolled back, which costs no
//! more than a commit.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::time::Duration;

use sqlx::Database;
use sqlx::pool::PoolConnection;

use super::control::Transactional;
use super::isolation::{Begin, Isolation, Purpose};
use super::open_transaction::OpenTransaction;
use crate::error::Result;

/// A transaction for one call that only reads. Dropping it rolls it back.
pub(crate) struct ReadTransaction<D: Database> {
    open: OpenTransaction<D>,
    isolation: Option<Isolation>,
}

impl<D: Transactional> ReadTransaction<D> {
    /// Begins a transaction on a connection of a pool. Without an isolation level, it has the session's. Its statements
    /// may have a time limit.
    pub(crate) async fn begin(
        connection: PoolConnection<D>,
        pool: &sqlx::Pool<D>,
        isolation: Option<Isolation>,
        limit: Option<Duration>,
    ) -> Result<Self> {
        let begin = isolation.map(Begin::At);
        Ok(Self { open: OpenTransaction::begin(connection, pool, begin, Purpose::Reads { limit }).await?, isolation })
    }
}

impl<D: Database> ReadTransaction<D> {
    /// Whether all statements in it see the same snapshot.
    pub(crate) fn is_snapshot(&self) -> bool {
        matches!(self.isolation, Some(Isolation::RepeatableRead | Isolation::Serializable))
    }

    /// Has the connection closed, because a statement on it was cut short.
    pub(crate) fn break_off(&mut self) {
        self.open.break_off();
    }
}

impl<D: Database> fmt::Debug for ReadTransaction<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReadTransaction(..)")
    }
}

impl<D: Database> Deref for ReadTransaction<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        &self.open
    }
}

impl<D: Database> DerefMut for ReadTransaction<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        &mut self.open
    }
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use sqlx::SqlitePool;

    use super::*;

    #[tokio::test]
    async fn statements_see_one_snapshot_from_repeatable_read_on() {
        for (isolation, expected) in [
            (None, false),
            (Some(Isolation::ReadCommitted), false),
            (Some(Isolation::RepeatableRead), true),
            (Some(Isolation::Serializable), true),
        ] {
            let pool = SqlitePool::connect("sqlite::memory:").await.expect("SQLite opens");
            let connection = pool.acquire().await.expect("a connection is free");
            let transaction = ReadTransaction::begin(connection, &pool, isolation, None).await.expect("it begins");
            assert_eq!(transaction.is_snapshot(), expected, "{isolation:?}");
            assert_eq!(format!("{transaction:?}"), "ReadTransaction(..)");
        }
    }
}
