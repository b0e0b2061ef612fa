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
#[cfg(feature = "mysql")]
use std::hash::{BuildHasher as _, RandomState};

use futures_util::future::BoxFuture;
use sqlx::{Database, SqlSafeStr as _};
use sqlx_core::transaction::{TransactionManager as _, begin_ansi_transaction_sql};

use super::isolation::Begin;
#[cfg(any(feature = "postgres", feature = "mysql"))]
use super::isolation::Isolation;
#[cfg(feature = "postgres")]
use super::mark;
#[cfg(feature = "mysql")]
use super::session::{self, Session};
use crate::driver::Driver;

/// The transaction statements that differ between the databases.
pub(crate) trait Transactional: Driver {
    /// Begins a transaction on a connection of a pool. It is `marked`, unless only folio's own reads run in it, which cannot
    /// end it.
    fn begin(
        connection: &mut Self::Connection,
        pool: &sqlx::Pool<Self>,
        begin: Option<Begin>,
        marked: bool,
    ) -> impl Future<Output = sqlx::Result<()>> + Send;

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

    /// Whether the end of a transaction on this pool begins another one. Known after the first has begun.
    fn chains(_pool: &sqlx::Pool<Self>) -> bool {
        false
    }

    /// Ends the transaction that the end of another one has begun.
    fn end_chain(_connection: &mut Self::Connection) -> impl Future<Output = sqlx::Result<()>> + Send {
        async { Ok(()) }
    }

    /// Rolls back what is open on the server, and begins a transaction with as many savepoints as sqlx counts, so that
    /// sqlx can roll them back.
    fn restart(connection: &mut Self::Connection, depth: usize) -> BoxFuture<'_, sqlx::Result<()>>;
}

/// sqlx's own transaction statements, which count the levels.
type Manager<D> = <D as Database>::TransactionManager;

/// Rolls back what is open on the server, and begins `depth` levels there. A macro, because sqlx's trait bounds need a
/// concrete driver.
macro_rules! begin_again {
    ($connection:ident, $depth:ident) => {{
        // SQLite fails if nothing is open.
        let _ = sqlx::raw_sql("ROLLBACK").execute(&mut *$connection).await;
        for level in 0..$depth {
            sqlx::raw_sql(begin_ansi_transaction_sql(level)).execute(&mut *$connection).await?;
        }
    }};
}

/// [`Transactional::restart`] where no answers can be left.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
macro_rules! restart {
    () => {
        fn restart(connection: &mut Self::Connection, depth: usize) -> BoxFuture<'_, sqlx::Result<()>> {
            Box::pin(async move {
                begin_again!(connection, depth);
                Ok(())
            })
        }
    };
}

#[cfg(feature = "sqlite")]
impl Transactional for sqlx::Sqlite {
    // Outside of a transaction, SAVEPOINT begins one with a name.
    async fn begin(
        connection: &mut Self::Connection,
        _: &sqlx::SqlitePool,
        begin: Option<Begin>,
        marked: bool,
    ) -> sqlx::Result<()> {
        let begin = match begin {
            Some(Begin::Immediate) => "BEGIN IMMEDIATE; SAVEPOINT folio_transaction",
            _ if marked => "SAVEPOINT folio_transaction",
            _ => "BEGIN",
        };
        Manager::<Self>::begin(connection, Some(begin.into_sql_str())).await
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

    // The mark is looked for by the commit itself, which releases it.
    async fn confirm(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        Self::is_open(connection).await
    }

    async fn commit_confirmed(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        match sqlx::raw_sql("RELEASE folio_transaction").execute(&mut *connection).await {
            Ok(_) => end_counted(connection).await.map(|()| true),
            Err(error) if says(&error, "no such savepoint") => Ok(false),
            Err(error) => Err(error),
        }
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
        begin: Option<Begin>,
        marked: bool,
    ) -> sqlx::Result<()> {
        let begin = begin.map(Begin::isolation).transpose()?.map_or("BEGIN", begin_at);
        if marked {
            mark::begin(connection, pool, begin).await
        } else {
            Manager::<Self>::begin(connection, Some(begin.into_sql_str())).await
        }
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
    async fn confirm(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        is_marked(connection).await
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
        pool: &sqlx::MySqlPool,
        begin: Option<Begin>,
        marked: bool,
    ) -> sqlx::Result<()> {
        let isolation = begin.map(Begin::isolation).transpose()?;
        let begin = begin_at_level(isolation, session::of(pool, connection).await?);
        let mark = if marked { "; SAVEPOINT folio_transaction" } else { "" };
        Manager::<Self>::begin(connection, Some(sqlx::AssertSqlSafe(format!("{begin}{mark}")).into_sql_str())).await
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
        Ok(session::of(pool, connection).await?.autocommit)
    }

    fn chains(pool: &sqlx::MySqlPool) -> bool {
        session::known(pool).is_some_and(|session| session.chains)
    }

    async fn end_chain(connection: &mut Self::Connection) -> sqlx::Result<()> {
        sqlx::raw_sql("ROLLBACK AND NO CHAIN NO RELEASE").execute(connection).await.map(drop)
    }

    // Releasing the savepoint looks for it as well. Whatever ended the transaction has removed it. The answer to a statement
    // that was cut short can be taken for that of the release, but not for that of the select.
    async fn confirm(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        const SAVEPOINT_DOES_NOT_EXIST: u16 = 1305;
        match echo(connection, "RELEASE SAVEPOINT folio_transaction; ").await {
            Ok(()) => Ok(true),
            Err(error) if number(&error) == Some(SAVEPOINT_DOES_NOT_EXIST) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn restart(connection: &mut Self::Connection, depth: usize) -> BoxFuture<'_, sqlx::Result<()>> {
        Box::pin(async move {
            begin_again!(connection, depth);
            echo(connection, "").await
        })
    }
}

/// The statements that begin a transaction at a level. The level can only be set outside of a transaction. A session
/// that may be inside one commits it first, as BEGIN would do anyway.
#[cfg(feature = "mysql")]
fn begin_at_level(isolation: Option<Isolation>, session: Session) -> String {
    let level = match isolation {
        None => return "BEGIN".into(),
        Some(Isolation::ReadCommitted) => "READ COMMITTED",
        Some(Isolation::RepeatableRead) => "REPEATABLE READ",
        Some(Isolation::Serializable) => "SERIALIZABLE",
    };
    // OceanBase knows only the plain COMMIT.
    let commit = match session {
        Session { chains: true, .. } => "COMMIT AND NO CHAIN NO RELEASE; ",
        Session { autocommit: false, .. } => "COMMIT; ",
        Session { .. } => "",
    };
    format!("{commit}SET TRANSACTION ISOLATION LEVEL {level}; BEGIN")
}

/// Selects a number that no other statement selects, after `first`. Only if it comes back, alone, are there no answers
/// left that belong to statements before it.
#[cfg(feature = "mysql")]
async fn echo(connection: &mut sqlx::MySqlConnection, first: &str) -> sqlx::Result<()> {
    // Random, because its keys are.
    let number = RandomState::new().hash_one(()).to_string();
    let sql = sqlx::AssertSqlSafe(format!("{first}SELECT '{number}'"));
    let rows = sqlx::raw_sql(sql).fetch_all(connection).await?;
    match &rows[..] {
        [row] if sqlx::Row::try_get::<String, _>(row, 0).is_ok_and(|answer| answer == number) => Ok(()),
        _ => Err(sqlx::Error::Protocol("the server's answer belongs to a statement that was cut short".into())),
    }
}

/// The number of an error of the server's.
#[cfg(feature = "mysql")]
fn number(error: &sqlx::Error) -> Option<u16> {
    let error = error.as_database_error()?.try_downcast_ref::<sqlx::mysql::MySqlDatabaseError>()?;
    Some(error.number())
}

/// Commits a transaction after its mark was released. If the mark had begun it, the release has committed it, and only
/// sqlx's count is missing: sqlx only counts its own commits, so it commits an empty transaction.
#[cfg(feature = "sqlite")]
async fn end_counted(connection: &mut sqlx::SqliteConnection) -> sqlx::Result<()> {
    let is_committed = sqlx::raw_sql("BEGIN").execute(&mut *connection).await.is_ok();
    let ended = Manager::<sqlx::Sqlite>::commit(connection).await;
    if is_committed { Ok(()) } else { ended }
}

#[cfg(test)]
mod tests;
