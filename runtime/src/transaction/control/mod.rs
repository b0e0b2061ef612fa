//! The statements that begin, check and commit a transaction, with one file for each database.
//!
//! A transaction can end on the server without folio: through a deadlock or DDL on MySQL, through `INSERT OR ROLLBACK`
//! on SQLite, or through a COMMIT or ROLLBACK in the caller's own SQL. Later statements would then commit one by one.
//! So folio marks each transaction with something that ends with it, and looks for the mark before it commits.
//!
//! | database | mark |
//! |---|---|
//! | SQLite | the transaction is begun as the savepoint `folio_transaction` |
//! | PostgreSQL | the setting `folio.transaction`, local to the transaction |
//! | MySQL, MariaDB | the savepoint `folio_transaction` |
//!
//! The mark costs no round trip. It also costs nothing while rows are written, unlike a savepoint on PostgreSQL or a
//! savepoint inside a transaction on SQLite.

#[cfg(feature = "mysql")]
mod mysql;
#[cfg(any(feature = "postgres", feature = "mysql"))]
mod pool_facts;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::future::Future;

use futures_util::future::BoxFuture;
use sqlx::{Database, SqlStr};
use sqlx_core::transaction::TransactionManager as _;

use super::isolation::{Begin, Purpose};
use crate::driver::Driver;

/// Marks where folio's own reads begin. A statement that the driver has lost is run again from there, so that the reads
/// keep their snapshot and their time limit: see [`Failure::Lost`](crate::driver::Failure::Lost).
pub(crate) const SAVE_READS: &str = "SAVEPOINT folio_reads";
pub(crate) const REPEAT_READS: &str = "ROLLBACK TO SAVEPOINT folio_reads";

/// The transaction statements that differ between the databases.
pub(crate) trait Transactional: Driver {
    /// Begins a transaction on a connection of a pool. Unless it is marked, only folio's own reads run in it, which
    /// cannot end it. Returns whether its end begins another transaction.
    fn begin(
        connection: &mut Self::Connection,
        pool: &sqlx::Pool<Self>,
        begin: Option<Begin>,
        purpose: Purpose,
    ) -> impl Future<Output = sqlx::Result<bool>> + Send;

    /// Begins a transaction for a page on a connection that the caller has lent, and whose statements are not
    /// persistent. Returns `false` if it is inside a transaction, or needs none. If the future is dropped, the
    /// connection rolls back what it has begun.
    fn begin_on_borrowed(_connection: &mut Self::Connection) -> impl Future<Output = sqlx::Result<bool>> + Send {
        async { Ok(false) }
    }

    /// Whether the connection is inside a transaction; on PostgreSQL, inside the marked one.
    fn is_open(connection: &mut Self::Connection) -> impl Future<Output = sqlx::Result<bool>> + Send;

    /// Whether the marked transaction is still open, and every earlier statement was answered.
    fn confirm(connection: &mut Self::Connection) -> impl Future<Output = sqlx::Result<bool>> + Send;

    /// Commits the transaction that was confirmed. Returns `false` and commits nothing if its mark is gone.
    fn commit_confirmed(connection: &mut Self::Connection) -> impl Future<Output = sqlx::Result<bool>> + Send {
        async { Self::TransactionManager::commit(connection).await.map(|()| true) }
    }

    /// Whether a statement outside of a transaction commits by itself. It does everywhere except in MySQL sessions
    /// without autocommit, where it opens a transaction and leaves it open.
    fn commits_alone(
        _pool: &sqlx::Pool<Self>,
        _connection: &mut Self::Connection,
    ) -> impl Future<Output = sqlx::Result<bool>> + Send {
        async { Ok(true) }
    }

    /// Ends the transaction that the end of another one has begun.
    fn end_chain(_connection: &mut Self::Connection) -> impl Future<Output = sqlx::Result<()>> + Send {
        async { Ok(()) }
    }

    /// Removes the time limit of a transaction from its connection, if it does not end with the transaction.
    fn end_limit(_connection: &mut Self::Connection) -> impl Future<Output = sqlx::Result<()>> + Send {
        async { Ok(()) }
    }

    /// Rolls back what is open on the server, and begins a transaction with as many savepoints as sqlx counts, so that
    /// sqlx can roll them back.
    fn restart(connection: &mut Self::Connection, depth: usize) -> BoxFuture<'_, sqlx::Result<()>>;
}

/// sqlx's own transaction statements, which count the levels.
type Manager<D> = <D as Database>::TransactionManager;

/// Begins a transaction with a statement, or sets a savepoint.
///
/// Its future must not be dropped, unless a ROLLBACK is queued in its place: sqlx counts a level once the server has
/// answered, and rolls back only what it has counted. This is folio's only call of sqlx's `begin`.
#[expect(clippy::disallowed_methods, reason = "the callers run it to its end, or queue a ROLLBACK")]
pub(super) fn begin<D: Database>(
    connection: &mut D::Connection,
    statement: Option<SqlStr>,
) -> impl Future<Output = sqlx::Result<()>> + Send {
    Manager::<D>::begin(connection, statement)
}

/// [`Transactional::restart`], followed by a step that only some databases need. A macro, because sqlx's trait bounds
/// need a concrete driver.
macro_rules! restart {
    ($($then:path)?) => {
        fn restart(connection: &mut Self::Connection, depth: usize) -> BoxFuture<'_, sqlx::Result<()>> {
            Box::pin(async move {
                // SQLite fails if nothing is open.
                let _ = sqlx::raw_sql("ROLLBACK").execute(&mut *connection).await;
                for level in 0..depth {
                    sqlx::raw_sql(begin_ansi_transaction_sql(level)).execute(&mut *connection).await?;
                }
                $($then(connection).await?;)?
                Ok(())
            })
        }
    };
}
use restart;
