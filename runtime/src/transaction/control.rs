//! The statements with which each database begins, checks and commits a transaction.
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

use std::future::Future;

use futures_util::future::BoxFuture;
use sqlx::{Database, SqlSafeStr as _};
use sqlx_core::transaction::{TransactionManager as _, begin_ansi_transaction_sql};

#[cfg(feature = "mysql")]
use super::autocommit;
use super::isolation::Isolation;
#[cfg(feature = "postgres")]
use super::mark;
use crate::driver::Driver;

/// The transaction statements that differ between the databases.
pub(crate) trait Transactional: Driver {
    /// Begins a transaction on a connection of a pool and marks it.
    fn begin(
        connection: &mut Self::Connection,
        pool: &sqlx::Pool<Self>,
        isolation: Option<Isolation>,
    ) -> impl Future<Output = sqlx::Result<()>> + Send;

    /// Begins a transaction for folio's own reads. They cannot end it, so it needs no mark.
    fn begin_reading(
        connection: &mut Self::Connection,
        isolation: Option<Isolation>,
    ) -> impl Future<Output = sqlx::Result<()>> + Send;

    /// Whether the connection is inside a transaction; on PostgreSQL, inside the marked one.
    fn is_open(connection: &mut Self::Connection) -> impl Future<Output = sqlx::Result<bool>> + Send;

    /// Commits the marked transaction. Returns `false` and commits nothing if it is no longer open.
    fn commit_marked(connection: &mut Self::Connection) -> impl Future<Output = sqlx::Result<bool>> + Send;

    /// Whether a statement outside of a transaction commits by itself. It does everywhere except in MySQL sessions
    /// without autocommit, where it opens a transaction and leaves it open.
    fn commits_alone(
        _pool: &sqlx::Pool<Self>,
        _connection: &mut Self::Connection,
    ) -> impl Future<Output = sqlx::Result<bool>> + Send {
        async { Ok(true) }
    }

    /// Rolls back what is open on the server, and begins a transaction with as many savepoints as sqlx counts, so that
    /// sqlx can roll them back.
    fn restart(connection: &mut Self::Connection, depth: usize) -> BoxFuture<'_, sqlx::Result<()>>;
}

/// sqlx's own transaction statements, which count the levels.
type Manager<D> = <D as Database>::TransactionManager;

/// Identical for each driver, but sqlx's trait bounds need a concrete driver.
macro_rules! restart {
    () => {
        fn restart(connection: &mut Self::Connection, depth: usize) -> BoxFuture<'_, sqlx::Result<()>> {
            Box::pin(async move {
                // SQLite fails if nothing is open.
                let _ = sqlx::raw_sql("ROLLBACK").execute(&mut *connection).await;
                for level in 0..depth {
                    sqlx::raw_sql(begin_ansi_transaction_sql(level)).execute(&mut *connection).await?;
                }
                Ok(())
            })
        }
    };
}

#[cfg(feature = "sqlite")]
impl Transactional for sqlx::Sqlite {
    // Outside of a transaction, SAVEPOINT begins one with a name.
    async fn begin(connection: &mut Self::Connection, _: &sqlx::SqlitePool, _: Option<Isolation>) -> sqlx::Result<()> {
        Manager::<Self>::begin(connection, Some("SAVEPOINT folio_transaction".into_sql_str())).await
    }

    async fn begin_reading(connection: &mut Self::Connection, _: Option<Isolation>) -> sqlx::Result<()> {
        Manager::<Self>::begin(connection, None).await
    }

    // SQLite has no statement that tells. A BEGIN inside a transaction fails; outside, it begins one, which `restart`
    // rolls back.
    async fn is_open(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        match sqlx::raw_sql("BEGIN").execute(connection).await {
            Ok(_) => Ok(false),
            Err(error) if says(&error, "within a transaction") => Ok(true),
            Err(error) => Err(error),
        }
    }

    async fn commit_marked(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        match sqlx::raw_sql("RELEASE folio_transaction").execute(&mut *connection).await {
            Ok(_) => {}
            Err(error) if says(&error, "no such savepoint") => return Ok(false),
            Err(error) => return Err(error),
        }
        count_commit(connection).await;
        Ok(true)
    }

    restart!();
}

/// Whether the database's message contains a text. SQLite has one code for all errors of this kind.
#[cfg(feature = "sqlite")]
fn says(error: &sqlx::Error, what: &str) -> bool {
    error.as_database_error().is_some_and(|error| error.message().contains(what))
}

#[cfg(feature = "postgres")]
impl Transactional for sqlx::Postgres {
    // A setting, because a savepoint would use up one more transaction id for each transaction.
    async fn begin(
        connection: &mut Self::Connection,
        pool: &sqlx::PgPool,
        isolation: Option<Isolation>,
    ) -> sqlx::Result<()> {
        mark::begin(connection, pool, isolation.map_or("BEGIN", begin_at)).await
    }

    async fn begin_reading(connection: &mut Self::Connection, isolation: Option<Isolation>) -> sqlx::Result<()> {
        Manager::<Self>::begin(connection, isolation.map(|level| begin_at(level).into_sql_str())).await
    }

    async fn is_open(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        /// After an error, PostgreSQL refuses statements until the transaction is rolled back. It is still open.
        const IN_FAILED_TRANSACTION: &str = "25P02";
        match is_marked(connection).await {
            Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(IN_FAILED_TRANSACTION) => Ok(true),
            marked => marked,
        }
    }

    // After an error, COMMIT rolls back and reports success. Looking for the mark fails instead, with SQLSTATE 25P02.
    async fn commit_marked(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        let is_marked = is_marked(connection).await?;
        if is_marked {
            Manager::<Self>::commit(connection).await?;
        }
        Ok(is_marked)
    }

    restart!();
}

/// The statement that begins a transaction at a level.
#[cfg(feature = "postgres")]
const fn begin_at(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::ReadCommitted => "BEGIN ISOLATION LEVEL READ COMMITTED",
        Isolation::RepeatableRead => "BEGIN ISOLATION LEVEL REPEATABLE READ",
        Isolation::Serializable => "BEGIN ISOLATION LEVEL SERIALIZABLE",
    }
}

/// Whether the connection's transaction is the one that was marked.
///
/// SHOW takes no snapshot, unlike a SELECT, after which the caller could no longer set the transaction's level. It fails on
/// a connection that never had the setting.
#[cfg(feature = "postgres")]
async fn is_marked(connection: &mut sqlx::PgConnection) -> sqlx::Result<bool> {
    const UNDEFINED_OBJECT: &str = "42704";
    match sqlx::raw_sql("SHOW folio.transaction").fetch_one(connection).await {
        Ok(row) => Ok(sqlx::Row::try_get::<String, _>(&row, 0)? == "open"),
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(UNDEFINED_OBJECT) => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(feature = "mysql")]
impl Transactional for sqlx::MySql {
    async fn begin(
        connection: &mut Self::Connection,
        _: &sqlx::MySqlPool,
        isolation: Option<Isolation>,
    ) -> sqlx::Result<()> {
        let marked = sqlx::AssertSqlSafe(format!("{}; SAVEPOINT folio_transaction", begin_at_level(isolation)));
        Manager::<Self>::begin(connection, Some(marked.into_sql_str())).await
    }

    async fn begin_reading(connection: &mut Self::Connection, isolation: Option<Isolation>) -> sqlx::Result<()> {
        Manager::<Self>::begin(connection, Some(begin_at_level(isolation).into_sql_str())).await
    }

    // Inside a transaction this is an error on MySQL and MariaDB. Outside, it only affects the next transaction.
    async fn is_open(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        const CANT_CHANGE_TX_CHARACTERISTICS: u16 = 1568;
        match sqlx::raw_sql("SET TRANSACTION READ WRITE").execute(connection).await {
            Ok(_) => Ok(false),
            Err(error) if number(&error) == Some(CANT_CHANGE_TX_CHARACTERISTICS) => Ok(true),
            Err(error) => Err(error),
        }
    }

    async fn commits_alone(pool: &sqlx::MySqlPool, connection: &mut Self::Connection) -> sqlx::Result<bool> {
        autocommit::is_on(pool, connection).await
    }

    // Releasing the savepoint looks for it as well. Whatever ended the transaction has removed it.
    async fn commit_marked(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        const SAVEPOINT_DOES_NOT_EXIST: u16 = 1305;
        match sqlx::raw_sql("RELEASE SAVEPOINT folio_transaction").execute(&mut *connection).await {
            Ok(_) => Manager::<Self>::commit(connection).await.map(|()| true),
            Err(error) if number(&error) == Some(SAVEPOINT_DOES_NOT_EXIST) => Ok(false),
            Err(error) => Err(error),
        }
    }

    restart!();
}

/// The statements that begin a transaction at a level. The level can only be set outside of a transaction. A session
/// without autocommit may be inside one, so that is committed first, as BEGIN would do anyway.
#[cfg(feature = "mysql")]
const fn begin_at_level(isolation: Option<Isolation>) -> &'static str {
    macro_rules! at {
        ($level:literal) => {
            concat!("COMMIT AND NO CHAIN NO RELEASE; SET TRANSACTION ISOLATION LEVEL ", $level, "; BEGIN")
        };
    }
    match isolation {
        None => "BEGIN",
        Some(Isolation::ReadCommitted) => at!("READ COMMITTED"),
        Some(Isolation::RepeatableRead) => at!("REPEATABLE READ"),
        Some(Isolation::Serializable) => at!("SERIALIZABLE"),
    }
}

/// The number of an error of the server's.
#[cfg(feature = "mysql")]
fn number(error: &sqlx::Error) -> Option<u16> {
    let error = error.as_database_error()?.try_downcast_ref::<sqlx::mysql::MySqlDatabaseError>()?;
    Some(error.number())
}

/// Lets sqlx count a commit that was a release. It only counts its own, so it commits an empty transaction.
#[cfg(feature = "sqlite")]
async fn count_commit(connection: &mut sqlx::SqliteConnection) {
    if sqlx::raw_sql("BEGIN").execute(&mut *connection).await.is_ok() {
        let _ = Manager::<sqlx::Sqlite>::commit(connection).await;
    }
}

#[cfg(test)]
mod tests;
