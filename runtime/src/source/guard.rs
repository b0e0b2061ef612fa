//! [`ConnectionGuard`]: a connection for the caller's own statements.

use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;

use crate::pool::HeldConnection;
use crate::transaction::ConnectionLock;

/// A connection from [`DB::sqlite`](crate::DB::sqlite) and its siblings: that of the task's transaction, or else one
/// from the default pool.
///
/// It dereferences to sqlx's connection, so `&mut *guard` is an executor for sqlx's queries. Dropping the guard returns
/// the connection.
///
/// Inside a transaction, all other statements wait until the guard is dropped, at most for the pool's
/// `acquire_timeout`. Drop it before you request a page, or read the page on it with `using(&mut *guard)`. The same
/// applies outside of a transaction if the task's guards have all connections of the pool, such as the only one: it
/// then waits for itself, which logs a warning after a second and becomes an error at the `acquire_timeout`. Both name
/// the place where the guard was taken. In the usual form `.execute(&mut *DB::sqlite().await?)`, it is dropped at the
/// end of the Rust statement.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # folio::Folio::new(pool).scope(async {
/// use folio::{ConnectionGuard, DB};
///
/// async fn answer(connection: &mut ConnectionGuard<sqlx::Sqlite>) -> sqlx::Result<i64> {
///     sqlx::query_scalar("SELECT 42").fetch_one(&mut **connection).await
/// }
///
/// assert_eq!(answer(&mut DB::sqlite().await?).await?, 42);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// In a transaction, use one guard for several statements. Each new guard costs a round trip, because folio then checks
/// whether the transaction is still open.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::{DB, FrameworkError};
///
/// let total = DB::transaction(async || {
///     let mut guard = DB::sqlite().await?;
///     sqlx::query("DELETE FROM posts WHERE id = 1").execute(&mut *guard).await?;
///     sqlx::query("DELETE FROM posts WHERE id = 2").execute(&mut *guard).await?;
///     drop(guard); // The page needs the connection.
///     Ok::<_, FrameworkError>(Post::paginate(15).await?.total)
/// });
/// assert_eq!(total.await?, 1);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[derive(Debug)]
pub struct ConnectionGuard<D: sqlx::Database> {
    held: Held<D>,
}

#[derive(Debug)]
enum Held<D: sqlx::Database> {
    /// A connection of a pool, and that the guard has it.
    Pooled(PoolConnection<D>, #[expect(dead_code, reason = "it only has to be dropped")] HeldConnection),
    Transaction(ConnectionLock<D>),
}

impl<D: sqlx::Database> ConnectionGuard<D> {
    pub(crate) fn of_pool(connection: PoolConnection<D>, held: HeldConnection) -> Self {
        Self { held: Held::Pooled(connection, held) }
    }

    pub(crate) fn of_transaction(lock: ConnectionLock<D>) -> Self {
        Self { held: Held::Transaction(lock) }
    }
}

impl<D: sqlx::Database> Deref for ConnectionGuard<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        match &self.held {
            Held::Pooled(connection, _) => connection,
            Held::Transaction(lock) => lock,
        }
    }
}

impl<D: sqlx::Database> DerefMut for ConnectionGuard<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        match &mut self.held {
            Held::Pooled(connection, _) => connection,
            Held::Transaction(lock) => lock,
        }
    }
}
