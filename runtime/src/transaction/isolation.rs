//! [`Isolation`]: the isolation levels of a transaction. [`Begin`]: how it begins, and [`Purpose`] what for.

use std::time::Duration;

/// The isolation level of a transaction, for [`DB::transaction_with`](crate::DB::transaction_with).
///
/// It is a minimum: a database without this level uses the next stricter one. PostgreSQL, MySQL and MariaDB support all
/// three. SQLite has only one level, which is serializable.
///
/// If you do not set a level, a transaction has the default of the server, the database or the session. Unless
/// configured otherwise, that is `ReadCommitted` on PostgreSQL and `RepeatableRead` on MySQL and MariaDB.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # folio::Folio::new(pool).scope(async {
/// use folio::{DB, FrameworkError, Isolation};
///
/// let answer: i64 = DB::transaction_with(Isolation::RepeatableRead, async || {
///     let answer = sqlx::query_scalar("SELECT 42").fetch_one(&mut *DB::sqlite().await?).await?;
///     Ok::<_, FrameworkError>(answer)
/// })
/// .await?;
/// assert_eq!(answer, 42);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Isolation {
    /// Each statement sees what was committed before the statement began. Two pages in one transaction can differ.
    ReadCommitted,
    /// All statements see what was committed before the first of them began. Use it to read several pages from one
    /// snapshot.
    RepeatableRead,
    /// Transactions behave as if they ran one after another. If that is impossible, a transaction fails with a database
    /// error; the application can then run it again.
    Serializable,
}

/// How a transaction begins, for [`DB::transaction_with`](crate::DB::transaction_with): at an [`Isolation`] level, or
/// with the write lock of SQLite.
///
/// A transaction on SQLite takes the database's only write lock with its first write. If it has read before, and
/// another transaction has written since, the write fails at once with "database is locked". With `Immediate`, the
/// transaction waits for the lock when it begins, at most for the connection's `busy_timeout`, and its writes do not
/// fail for that reason. Use it for transactions that read first and then write.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # sqlx::raw_sql("CREATE TABLE counters (value INTEGER); INSERT INTO counters VALUES (1)").execute(&pool).await?;
/// # folio::Folio::new(pool).scope(async {
/// use folio::{Begin, DB, FrameworkError};
///
/// let counted: i64 = DB::transaction_with(Begin::Immediate, async || {
///     let mut guard = DB::sqlite().await?;
///     let value: i64 = sqlx::query_scalar("SELECT value FROM counters").fetch_one(&mut *guard).await?;
///     sqlx::query("UPDATE counters SET value = ?").bind(value + 1).execute(&mut *guard).await?;
///     Ok::<_, FrameworkError>(value)
/// })
/// .await?;
/// assert_eq!(counted, 1);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Begin {
    /// At an isolation level.
    At(Isolation),
    /// With SQLite's write lock. An error on other databases, which lock rows and not the whole database.
    Immediate,
}

/// What a transaction is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The caller's statements, which may end it, so it is marked.
    Work,
    /// Only folio's own reads, which may have a time limit.
    Reads { limit: Option<Duration> },
}

impl From<Isolation> for Begin {
    fn from(isolation: Isolation) -> Self {
        Self::At(isolation)
    }
}

impl Begin {
    /// The isolation level; an error for SQLite's way to begin.
    #[cfg(any(feature = "postgres", feature = "mysql"))]
    pub(super) fn isolation(self) -> sqlx::Result<Isolation> {
        match self {
            Self::At(isolation) => Ok(isolation),
            Self::Immediate => Err(sqlx::Error::Configuration(
                "`Begin::Immediate` exists only on SQLite: lock rows with `SELECT … FOR UPDATE` instead".into(),
            )),
        }
    }
}
