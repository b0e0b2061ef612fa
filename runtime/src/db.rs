//! [`DB`]: transactions, and connections for the caller's own statements.
//!
//! These are thin functions over [`crate::transaction`], which holds the behaviour. Pages do not go through here: they
//! find the ambient transaction or a pool through [`crate::source::route`].

use std::panic::Location;
use std::time::Duration;

use crate::error::{FrameworkError, Result, Retryable};
use crate::pool::{CallSite, HeldConnection, PRIMARY, acquire};
use crate::request::context::Context;
use crate::source::ConnectionGuard;
use crate::transaction::{self, Ambient, Begin, TransactionHandle, Transactional};

/// Transactions, and connections for your own statements.
///
/// Inside [`transaction`](Self::transaction), folio's pages are read in the transaction without further arguments. Your
/// own statements run in it through [`sqlite`](Self::sqlite) and its siblings, which return the transaction's
/// connection.
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
    /// Runs `work` in a transaction on the default pool.
    ///
    /// The transaction commits if `work` returns `Ok`. It rolls back on `Err`, on a panic, and when the future is
    /// dropped, which happens to a handler whose client disconnects. Inside another transaction of the same
    /// application, it is a savepoint.
    ///
    /// # What runs in it
    ///
    /// - Pages, unless they name another pool with [`using`](crate::Builder::using), with [`on`](crate::Builder::on),
    ///   or as their model's connection.
    /// - Your own statements, if you run them on the guard that [`sqlite`](Self::sqlite), `postgres` or `mysql`
    ///   returns. Drop the guard before you request a page, because the transaction has only one connection.
    /// - Not the tasks that `work` spawns. To pass the transaction on, see [`current`](Self::current).
    /// - Not what runs in the [`scope`](crate::Folio::scope) of another application, which uses that application's
    ///   pools.
    ///
    /// The transaction has one connection. Whatever needs it while a guard, a page or a nested transaction has it
    /// waits, at most for the pool's `acquire_timeout`. It then fails with [`FrameworkError::Internal`], and the error
    /// names who has the connection, and where in your code a guard was taken or a nested transaction begun. A wait for
    /// a nested transaction from inside of it fails at once.
    ///
    /// # Errors of statements
    ///
    /// Return database errors with `?`. On MySQL and MariaDB a deadlock rolls back the whole transaction. If `work`
    /// ignores such an error, or ends the transaction itself with COMMIT, ROLLBACK or DDL that commits implicitly,
    /// later statements are refused and `transaction` returns an error. To detect this, folio asks the server after a
    /// guard was dropped, which takes one round trip. To save it, keep a guard for several statements.
    ///
    /// An error of `work`'s own is returned as it is, also if the transaction had ended before. What was committed by
    /// then is kept, so folio logs a warning each time. On MySQL and SQLite, folio cannot tell a transaction from
    /// another one that your SQL began in its place, as `COMMIT; BEGIN` does: only the commit at the end notices it,
    /// nothing is refused before, and no warning is logged.
    ///
    /// # Cancellation
    ///
    /// If the future is dropped during the commit, the transaction is either committed or rolled back as a whole.
    ///
    /// A statement that is dropped before it ends, as by a time limit, may still run on the server. Whatever needs the
    /// connection next waits for it, at most for the pool's `acquire_timeout`; the transaction then fails and its
    /// connection is closed.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{DB, FrameworkError};
    ///
    /// let undone: Result<(), FrameworkError> = DB::transaction(async || {
    ///     sqlx::query("DELETE FROM posts").execute(&mut *DB::sqlite().await?).await?;
    ///     assert_eq!(Post::paginate(15).await?.total, 0);
    ///     Err(FrameworkError::Internal { message: "changed my mind".into() })
    /// })
    /// .await;
    /// assert!(undone.is_err());
    /// assert_eq!(Post::paginate(15).await?.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// A nested transaction is a savepoint. If it fails, only its own changes are rolled back:
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{DB, FrameworkError};
    ///
    /// DB::transaction(async || {
    ///     sqlx::query("DELETE FROM posts WHERE id = 1").execute(&mut *DB::sqlite().await?).await?;
    ///     let inner: Result<(), FrameworkError> = DB::transaction(async || {
    ///         sqlx::query("DELETE FROM posts").execute(&mut *DB::sqlite().await?).await?;
    ///         Err(FrameworkError::Internal { message: "only one".into() })
    ///     })
    ///     .await;
    ///     assert!(inner.is_err());
    ///     Ok::<_, FrameworkError>(())
    /// })
    /// .await?;
    /// assert_eq!(ids(&Post::paginate(15).await?.data), [2, 3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// - the error that `work` returns
    /// - [`FrameworkError::Database`] if the transaction cannot be begun or committed. On PostgreSQL, it cannot be
    ///   committed after a statement has failed, even if `work` ignores the error
    /// - [`FrameworkError::Internal`] if the transaction ended on the server before `work` returned
    #[track_caller]
    pub fn transaction<R, E>(work: impl AsyncFnOnce() -> Result<R, E>) -> impl Future<Output = Result<R, E>>
    where
        E: From<FrameworkError>,
    {
        let place = Location::caller();
        async move {
            let context = Context::current();
            match Ambient::current(&context) {
                Some(ambient) => ambient.nested(context.scoped_connections().cloned(), place, work).await,
                None => start(&context, PRIMARY, None, place, work).await,
            }
        }
    }

    /// Same as [`transaction`](Self::transaction), at an isolation level, or with SQLite's write lock: see [`Begin`].
    /// `transaction` uses the default level of the server, the database or the session.
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
    #[track_caller]
    pub fn transaction_with<R, E>(
        begin: impl Into<Begin>,
        work: impl AsyncFnOnce() -> Result<R, E>,
    ) -> impl Future<Output = Result<R, E>>
    where
        E: From<FrameworkError>,
    {
        let (begin, place) = (begin.into(), Location::caller());
        async move {
            let context = Context::current();
            if Ambient::current(&context).is_some() {
                let message = "an isolation level or a write lock cannot be set inside a transaction, because a savepoint \
                               has those of its transaction: set it on the outermost transaction";
                return Err(FrameworkError::configuration(message).into());
            }
            start(&context, PRIMARY, Some(begin), place, work).await
        }
    }

    /// Same as [`transaction_with`](Self::transaction_with), and runs the transaction again if it fails because of
    /// another one: after a serialization failure, a deadlock, a lock that was held for too long, or if SQLite's database
    /// is locked. It runs at most `attempts` times, with pauses of 1, 2, 4 and so on milliseconds, up to 128.
    ///
    /// Each run is a new transaction, so the closure has to read again what it decides by. What it does outside of the
    /// database happens in each run, so send mail after the transaction. [`Retryable`] says which errors count; implement
    /// it for error types of your own.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{DB, FrameworkError, Isolation};
    ///
    /// let total = DB::transaction_retrying(3, Isolation::Serializable, async || {
    ///     sqlx::query("DELETE FROM posts WHERE id = 1").execute(&mut *DB::sqlite().await?).await?;
    ///     Ok::<_, FrameworkError>(Post::paginate(15).await?.total)
    /// });
    /// assert_eq!(total.await?, 2);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`transaction_with`](Self::transaction_with), and for 0 attempts, [`FrameworkError::Database`]. If all
    /// attempts fail, the error is that of the last one.
    #[track_caller]
    pub fn transaction_retrying<R, E>(
        attempts: u32,
        begin: impl Into<Begin>,
        work: impl AsyncFn() -> Result<R, E>,
    ) -> impl Future<Output = Result<R, E>>
    where
        E: From<FrameworkError> + Retryable,
    {
        let (begin, place) = (begin.into(), Location::caller());
        async move {
            let context = Context::current();
            if Ambient::current(&context).is_some() || attempts == 0 {
                let message = "only a whole transaction can be run again, and it runs at least once: call \
                               `transaction_retrying` with 1 or more attempts, outside of other transactions";
                return Err(FrameworkError::configuration(message).into());
            }
            let mut attempt = 1;
            loop {
                match start(&context, PRIMARY, Some(begin), place, &work).await {
                    Err(error) if attempt < attempts && error.is_retryable() => {
                        tracing::debug!(attempt, "a transaction failed because of another one, and is run again");
                        tokio::time::sleep(Duration::from_millis(1 << attempt.saturating_sub(1).min(7))).await;
                        attempt = attempt.saturating_add(1);
                    }
                    outcome => return outcome,
                }
            }
        }
    }

    /// Returns a handle for the transaction that this task is in, which can be passed on to a spawned task: see
    /// [`TransactionHandle`]. Returns `None` outside of transactions.
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
        Ambient::current(&Context::current()).map(TransactionHandle)
    }

    /// Same as [`transaction`](Self::transaction), on a connection registered with
    /// [`Folio::connection`](crate::Folio::connection).
    ///
    /// Inside it, pages that name no connection are read in this transaction, instead of from the default pool. It
    /// cannot be nested in another transaction; for a savepoint inside it, use [`transaction`](Self::transaction).
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
    #[track_caller]
    pub fn transaction_on<R, E>(
        connection: &str,
        work: impl AsyncFnOnce() -> Result<R, E>,
    ) -> impl Future<Output = Result<R, E>>
    where
        E: From<FrameworkError>,
    {
        let place = Location::caller();
        async move { start(&Context::current(), connection, None, place, work).await }
    }

    /// Returns a connection for your own statements: that of the task's transaction, or else one from the default pool.
    ///
    /// Drop the guard to return the connection. Inside a transaction, drop it before you request a page, or read the
    /// page on it with `using(&mut *guard)`. Otherwise the page waits for the pool's `acquire_timeout`, and then fails
    /// with an error that says where the guard was taken.
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
    /// [`FrameworkError::Database`] if the transaction or the default pool belongs to another driver, or if no
    /// connection is available. [`FrameworkError::Internal`] if the transaction has ended, or if its
    /// connection is not free within the pool's `acquire_timeout`.
    #[cfg(feature = "sqlite")]
    #[track_caller]
    pub fn sqlite() -> impl Future<Output = Result<ConnectionGuard<sqlx::Sqlite>>> {
        lease(Location::caller())
    }

    /// Returns a connection for your own statements: that of the task's transaction, or else one from the default pool.
    ///
    /// Drop the guard to return the connection. Inside a transaction, drop it before you request a page, or read the
    /// page on it with `using(&mut *guard)`. Otherwise the page waits for the pool's `acquire_timeout`, and then fails
    /// with an error that says where the guard was taken.
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
    /// [`FrameworkError::Database`] if the transaction or the default pool belongs to another driver, or if no
    /// connection is available. [`FrameworkError::Internal`] if the transaction has ended, or if its
    /// connection is not free within the pool's `acquire_timeout`.
    #[cfg(feature = "postgres")]
    #[track_caller]
    pub fn postgres() -> impl Future<Output = Result<ConnectionGuard<sqlx::Postgres>>> {
        lease(Location::caller())
    }

    /// Returns a connection for your own statements: that of the task's transaction, or else one from the default pool.
    ///
    /// Drop the guard to return the connection. Inside a transaction, drop it before you request a page, or read the
    /// page on it with `using(&mut *guard)`. Otherwise the page waits for the pool's `acquire_timeout`, and then fails
    /// with an error that says where the guard was taken.
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
    /// [`FrameworkError::Database`] if the transaction or the default pool belongs to another driver, or if no
    /// connection is available. [`FrameworkError::Internal`] if the transaction has ended, or if its
    /// connection is not free within the pool's `acquire_timeout`.
    #[cfg(feature = "mysql")]
    #[track_caller]
    pub fn mysql() -> impl Future<Output = Result<ConnectionGuard<sqlx::MySql>>> {
        lease(Location::caller())
    }
}

async fn start<R, E>(
    context: &Context,
    connection: &str,
    begin: Option<Begin>,
    place: CallSite,
    work: impl AsyncFnOnce() -> Result<R, E>,
) -> Result<R, E>
where
    E: From<FrameworkError>,
{
    let pools = context.folio()?.settings.connections.clone();
    let pool = pools.named(connection)?.pool.clone();
    // The task would hold two connections at once, and could wait for itself if both come from one pool.
    if Ambient::current(context).is_some() || Ambient::on(&pool).is_some() {
        return Err(FrameworkError::configuration(
            "a transaction on a named connection cannot begin inside another transaction, of its application or on its \
             pool: use `DB::transaction` for a savepoint, or begin it outside",
        )
        .into());
    }
    context.may_write();
    transaction::begin(pool, pools, context.scoped_connections().cloned(), begin, place, work).await
}

/// The connection of the ambient transaction, or else one from the default pool.
pub(crate) async fn lease<D: Transactional>(place: CallSite) -> Result<ConnectionGuard<D>> {
    let context = Context::current();
    if let Some(ambient) = Ambient::current(&context) {
        let lock = ambient.lend(place).await?.ok_or_else(other_driver_error::<D>)?;
        return Ok(ConnectionGuard::of_transaction(lock));
    }
    let primary = &context.folio()?.settings.connections.default;
    let pool = primary.pool.downcast::<D>().cloned().ok_or_else(other_driver_error::<D>)?;
    context.may_write();
    Ok(ConnectionGuard::of_pool(acquire(&pool).await?, HeldConnection::by_guard(&pool, place)))
}

/// The error for a connection of another driver than the one that is asked for.
fn other_driver_error<D: Transactional>() -> FrameworkError {
    FrameworkError::configuration(format!("this is not a {} connection", D::NAME))
}
