//! How far a transaction is kept apart from those beside it, and how each database is told.

use std::future::Future;

use sqlx::Database;
#[cfg(feature = "postgres")]
use sqlx::SqlSafeStr as _;
use sqlx_core::transaction::TransactionManager as _;

use crate::driver::Driver;
use crate::keyset::Dialect;

/// How far a transaction is kept apart from others that run at the same time, at least.
///
/// PostgreSQL and MySQL have each level; where none is asked for, they begin at the one that the server, the database or
/// the connection is set to. SQLite has one level only, which is serializable: it is at least any of these.
///
/// For an example see [`DB::transaction_with`](crate::DB::transaction_with).
///
/// ```
/// assert_ne!(folio::Isolation::ReadCommitted, folio::Isolation::Serializable);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Isolation {
    /// Each statement sees what was committed before it began.
    ReadCommitted,
    /// Every statement sees what was committed before the first of them.
    RepeatableRead,
    /// As if each transaction ran alone; one that cannot be is refused with an error, and can be tried again.
    Serializable,
}

impl Isolation {
    #[cfg(feature = "postgres")]
    const fn begin(self) -> &'static str {
        match self {
            Self::ReadCommitted => "BEGIN ISOLATION LEVEL READ COMMITTED",
            Self::RepeatableRead => "BEGIN ISOLATION LEVEL REPEATABLE READ",
            Self::Serializable => "BEGIN ISOLATION LEVEL SERIALIZABLE",
        }
    }

    #[cfg(feature = "mysql")]
    const fn set(self) -> &'static str {
        match self {
            Self::ReadCommitted => "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
            Self::RepeatableRead => "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
            Self::Serializable => "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
        }
    }
}

/// Whether a connection is of no use any more once a statement on it was cut short: sqlx's driver for MySQL takes what
/// is left of an answer for the answer to the next statement, or waits for ever.
pub(crate) const fn is_fragile(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::MySql)
}

/// What is a driver's own about transactions.
pub(crate) trait Transactional: Driver {
    /// Begins a transaction.
    fn begin(
        connection: &mut Self::Connection,
        isolation: Option<Isolation>,
    ) -> impl Future<Output = sqlx::Result<()>> + Send;

    /// Fails where an error has ended the transaction already, so that to commit it would be to roll it back unseen.
    fn check(_connection: &mut Self::Connection) -> impl Future<Output = sqlx::Result<()>> + Send {
        async { Ok(()) }
    }
}

type Manager<D> = <D as Database>::TransactionManager;

#[cfg(feature = "sqlite")]
impl Transactional for sqlx::Sqlite {
    async fn begin(connection: &mut Self::Connection, _: Option<Isolation>) -> sqlx::Result<()> {
        Manager::<Self>::begin(connection, None).await
    }
}

#[cfg(feature = "postgres")]
impl Transactional for sqlx::Postgres {
    async fn begin(connection: &mut Self::Connection, isolation: Option<Isolation>) -> sqlx::Result<()> {
        Manager::<Self>::begin(connection, isolation.map(|level| level.begin().into_sql_str())).await
    }

    // After an error COMMIT rolls back, and the server calls that a success.
    async fn check(connection: &mut Self::Connection) -> sqlx::Result<()> {
        sqlx::raw_sql("SELECT 1").execute(connection).await.map(drop)
    }
}

#[cfg(feature = "mysql")]
impl Transactional for sqlx::MySql {
    async fn begin(connection: &mut Self::Connection, isolation: Option<Isolation>) -> sqlx::Result<()> {
        if let Some(level) = isolation {
            sqlx::raw_sql(level.set()).execute(&mut *connection).await?;
        }
        Manager::<Self>::begin(connection, None).await
    }
}
