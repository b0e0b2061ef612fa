//! Transactions, and the connections that a caller's own statements run on.

use crate::app::Folio;
use crate::connection::ConnectionGuard;
use crate::error::{FrameworkError, Result};
use crate::registry::PRIMARY;
use crate::route::ambient;
use crate::transaction::{self, Ambient, Isolation, Transactional};
use crate::transaction_handle::TransactionHandle;

/// Transactions, and the connection that they are on.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # folio::Folio::new(pool).scope(async {
/// use folio::{DB, FrameworkError};
///
/// let count: i64 = DB::transaction(async || {
///     sqlx::query("CREATE TABLE notes (id INTEGER PRIMARY KEY)").execute(&mut *DB::sqlite().await?).await?;
///     sqlx::query("INSERT INTO notes DEFAULT VALUES").execute(&mut *DB::sqlite().await?).await?;
///     let count = sqlx::query_scalar("SELECT COUNT(*) FROM notes").fetch_one(&mut *DB::sqlite().await?).await?;
///     Ok::<_, FrameworkError>(count)
/// })
/// .await?;
/// assert_eq!(count, 1);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct DB;

impl DB {
    /// Runs `work` in a transaction of the default pool: committed on `Ok`, rolled back on `Err`, on a panic, and when
    /// the future is dropped. Inside another transaction of the application it is a savepoint.
    ///
    /// Pages are read in the transaction, unless they name another pool with [`using`](crate::Builder::using), with
    /// [`on`](crate::Builder::on), or as their model's connection. A task that `work` spawns does not inherit the
    /// transaction; to pass it on, see [`current`](Self::current). The [`scope`](Folio::scope) of another application
    /// is outside as well: there, pages and transactions use that application's pools.
    ///
    /// While a nested transaction is open, statements and nested transactions of its siblings wait, such as those of
    /// other branches of a `join!`.
    ///
    /// Return database errors with `?`: on MySQL and MariaDB a deadlock rolls back the whole transaction. If `work`
    /// ignores it, or ends the transaction itself with COMMIT, ROLLBACK or DDL that commits implicitly, later
    /// statements are refused and the transaction returns an error. To detect this, folio asks the server each time a
    /// guard was dropped, which takes one round trip; keep a guard for several statements to save it.
    ///
    /// A transaction that is dropped during its commit is committed or rolled back as a whole. On MySQL, a statement
    /// that is dropped before it ends makes its connection unusable; inside a savepoint, the outer transaction is
    /// rolled back too. Put time limits around the outermost transaction.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{DB, FrameworkError};
    ///
    /// let undone: Result<(), FrameworkError> = DB::transaction(async || {
    ///     sqlx::query("DELETE FROM posts").execute(&mut *DB::sqlite().await?).await?;
    ///     assert_eq!(Post::paginate(15).await?.total, 0);
    ///     Err(FrameworkError::Internal { message: "not these".into() })
    /// })
    /// .await;
    /// assert!(undone.is_err());
    /// assert_eq!(Post::paginate(15).await?.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of `work`. [`FrameworkError::Database`] if the transaction cannot be begun or committed: on PostgreSQL
    /// that is so after a statement has failed, even if `work` ignores the error. [`FrameworkError::Internal`] if the
    /// transaction has ended on the server before `work` did.
    pub async fn transaction<R, E>(work: impl AsyncFnOnce() -> Result<R, E>) -> Result<R, E>
    where
        E: From<FrameworkError>,
    {
        match ambient() {
            Some(ambient) => ambient.nested(Folio::scoped_connections(), work).await,
            None => begin(PRIMARY, None, work).await,
        }
    }

    /// Same as [`transaction`](Self::transaction), at an isolation level.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # folio::Folio::new(pool).scope(async {
    /// use folio::{DB, FrameworkError, Isolation};
    ///
    /// let answer = DB::transaction_with(Isolation::Serializable, async || {
    ///     let nested = DB::transaction_with(Isolation::Serializable, async || Ok::<_, FrameworkError>(())).await;
    ///     assert!(nested.is_err(), "a savepoint has the level of its transaction");
    ///     Ok::<i64, FrameworkError>(sqlx::query_scalar("SELECT 42").fetch_one(&mut *DB::sqlite().await?).await?)
    /// });
    /// assert_eq!(answer.await?, 42);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`transaction`](Self::transaction), and [`FrameworkError::Database`] inside another transaction of the
    /// application.
    pub async fn transaction_with<R, E>(isolation: Isolation, work: impl AsyncFnOnce() -> Result<R, E>) -> Result<R, E>
    where
        E: From<FrameworkError>,
    {
        if ambient().is_some() {
            let message = "an isolation level cannot be set inside a transaction, because a savepoint has that of its \
                           transaction: set it where the outermost transaction begins";
            return Err(FrameworkError::configuration(message).into());
        }
        begin(PRIMARY, Some(isolation), work).await
    }

    /// The transaction of this task, to pass on to another task: see [`TransactionHandle`].
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{DB, FrameworkError};
    ///
    /// assert!(DB::current().is_none());
    /// let inside = DB::transaction(async || Ok::<_, FrameworkError>(DB::current().is_some())).await?;
    /// assert!(inside);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn current() -> Option<TransactionHandle> {
        Ambient::current().map(TransactionHandle)
    }

    /// Same as [`transaction`](Self::transaction), on a named connection.
    ///
    /// Inside it, it also serves the application's pages that name no connection.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{DB, FrameworkError};
    ///
    /// let total = DB::transaction_on("reports", async || {
    ///     let insert = sqlx::query("INSERT INTO posts VALUES (4, 8, 'c')");
    ///     insert.execute(&mut *DB::sqlite().await?).await?;
    ///     Ok::<_, FrameworkError>(Post::paginate(15).await?.total)
    /// });
    /// assert_eq!(total.await?, 4);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`transaction`](Self::transaction), and [`FrameworkError::Database`] for an unknown name, inside another
    /// transaction of the application, or inside one on the same pool.
    pub async fn transaction_on<R, E>(connection: &str, work: impl AsyncFnOnce() -> Result<R, E>) -> Result<R, E>
    where
        E: From<FrameworkError>,
    {
        begin(connection, None, work).await
    }

    /// The connection of the ambient transaction, else one of the default pool.
    ///
    /// Inside a transaction, drop the guard before you request a page; otherwise the two wait for each other.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::DB;
    ///
    /// let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM posts").fetch_one(&mut *DB::sqlite().await?).await?;
    /// assert_eq!(count, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Database`] if the transaction or the default pool is of another driver, or no connection is
    /// available. [`FrameworkError::Internal`] if the transaction has ended, and for a [`TransactionHandle`] of an
    /// outer level while a nested transaction is open.
    #[cfg(feature = "sqlite")]
    pub async fn sqlite() -> Result<ConnectionGuard<sqlx::Sqlite>> {
        held().await
    }

    /// The connection of the ambient transaction, else one of the default pool.
    ///
    /// Inside a transaction, drop the guard before you request a page; otherwise the two wait for each other.
    ///
    /// ```no_run
    /// # async fn work() -> folio::Result<()> {
    /// use folio::DB;
    ///
    /// let version: String = sqlx::query_scalar("SHOW server_version").fetch_one(&mut *DB::postgres().await?).await?;
    /// assert!(!version.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Database`] if the transaction or the default pool is of another driver, or no connection is
    /// available. [`FrameworkError::Internal`] if the transaction has ended, and for a [`TransactionHandle`] of an
    /// outer level while a nested transaction is open.
    #[cfg(feature = "postgres")]
    pub async fn postgres() -> Result<ConnectionGuard<sqlx::Postgres>> {
        held().await
    }

    /// The connection of the ambient transaction, else one of the default pool.
    ///
    /// Inside a transaction, drop the guard before you request a page; otherwise the two wait for each other.
    ///
    /// ```no_run
    /// # async fn work() -> folio::Result<()> {
    /// use folio::DB;
    ///
    /// let version: String = sqlx::query_scalar("SELECT VERSION()").fetch_one(&mut *DB::mysql().await?).await?;
    /// assert!(!version.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Database`] if the transaction or the default pool is of another driver, or no connection is
    /// available. [`FrameworkError::Internal`] if the transaction has ended, and for a [`TransactionHandle`] of an
    /// outer level while a nested transaction is open.
    #[cfg(feature = "mysql")]
    pub async fn mysql() -> Result<ConnectionGuard<sqlx::MySql>> {
        held().await
    }
}

/// Begins a transaction on a named connection.
async fn begin<R, E>(
    connection: &str,
    isolation: Option<Isolation>,
    work: impl AsyncFnOnce() -> Result<R, E>,
) -> Result<R, E>
where
    E: From<FrameworkError>,
{
    let connections = Folio::current()?.connections().clone();
    let pool = connections.named(connection)?.pool.clone();
    if ambient().is_some() || Ambient::on(&pool).is_some() {
        let message = "a transaction on a named connection cannot begin inside another transaction, of its application or \
                       on its pool: use `DB::transaction` for a savepoint, or begin it outside";
        return Err(FrameworkError::configuration(message).into());
    }
    transaction::begin(pool, connections, Folio::scoped_connections(), isolation, work).await
}

/// The connection of the ambient transaction, else one of the default pool.
async fn held<D: Transactional>() -> Result<ConnectionGuard<D>> {
    let other = || FrameworkError::configuration(format!("this is not a {} connection", D::NAME));
    if let Some(ambient) = ambient() {
        return ambient.lend::<D>().await?.map(ConnectionGuard::of_transaction).ok_or_else(other);
    }
    let folio = Folio::current()?;
    let pool = folio.connections().primary().downcast::<D>().ok_or_else(other)?;
    Ok(ConnectionGuard::pooled(pool.acquire().await?))
}
