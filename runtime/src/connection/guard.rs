//! [`ConnectionGuard`], and the statements that folio runs on it.
//!
//! Every statement is accompanied by a [`StatementGuard`]. If the future is dropped in the middle of the statement, for
//! example because a client disconnects, it closes a connection that the driver can no longer use, or tells the
//! transaction.

use std::ops::{Deref, DerefMut};

use futures_util::TryStreamExt as _;
use sea_query::SelectStatement;
use sqlx::pool::PoolConnection;

use crate::dialect::catalog::TableInfo;
use crate::driver::Driver;
use crate::error::Result;
use crate::model::table::Table;
use crate::query::template::BoundSql;
use crate::query::template::LARGEST_TEXT;
use crate::transaction::{Isolation, Lock, ReadTransaction, Transactional};

/// A leased connection, from [`DB::sqlite`](crate::DB::sqlite) and its siblings: the ambient transaction's, else one of
/// the default pool.
///
/// It dereferences to sqlx's connection, so `&mut *guard` is an executor for sqlx's queries. Dropping the guard returns
/// the connection.
///
/// Inside a transaction, all other statements of the transaction wait until the guard is dropped. Drop it before you
/// request a page. The usual form `.execute(&mut *DB::sqlite().await?)` drops it at the end of the statement.
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
/// In a transaction, keep one guard for several statements. Each new guard costs a round trip, because folio then
/// checks that the transaction is still open.
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
pub struct ConnectionGuard<D: sqlx::Database>(Lease<D>);

#[derive(Debug)]
enum Lease<D: sqlx::Database> {
    Pooled(PoolConnection<D>),
    /// The ambient transaction's connection.
    Transaction(Lock<D>),
    /// A pooled connection, in a transaction that folio began for one call.
    ReadTransaction(ReadTransaction<D>),
}

impl<D: sqlx::Database> Deref for ConnectionGuard<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        match &self.0 {
            Lease::Pooled(connection) => connection,
            Lease::Transaction(lock) => lock,
            Lease::ReadTransaction(transaction) => transaction.lock(),
        }
    }
}

impl<D: sqlx::Database> DerefMut for ConnectionGuard<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        match &mut self.0 {
            Lease::Pooled(connection) => connection,
            Lease::Transaction(lock) => lock,
            Lease::ReadTransaction(transaction) => transaction.lock_mut(),
        }
    }
}

impl<D: sqlx::Database> ConnectionGuard<D> {
    pub(crate) fn pooled(connection: PoolConnection<D>) -> Self {
        Self(Lease::Pooled(connection))
    }

    pub(crate) fn of_transaction(lock: Lock<D>) -> Self {
        Self(Lease::Transaction(lock))
    }

    /// Begins a transaction on the connection, unless it is in one.
    pub(crate) async fn into_read_transaction(self, pool: sqlx::Pool<D>, isolation: Option<Isolation>) -> Result<Self>
    where
        D: Transactional,
    {
        let Self(Lease::Pooled(connection)) = self else { return Ok(self) };
        Ok(Self(Lease::ReadTransaction(ReadTransaction::begin(connection, pool, isolation).await?)))
    }

    fn names_statements(&self) -> bool {
        match &self.0 {
            Lease::Pooled(_) => true,
            Lease::Transaction(lock) => lock.names_statements(),
            Lease::ReadTransaction(transaction) => transaction.lock().names_statements(),
        }
    }

    /// Whether a statement on it commits by itself. Otherwise a read would leave a transaction open.
    pub(crate) async fn commits_alone(&mut self, pool: &sqlx::Pool<D>) -> sqlx::Result<bool>
    where
        D: Transactional,
    {
        let running = StatementGuard::on(self);
        let commits = D::commits_alone(pool, &mut *running.held).await;
        running.ended(commits)
    }

    /// Whether to name a statement, so that server and driver cache it. Large statements are rarely sent again.
    fn names(&self, select: &BoundSql) -> bool {
        self.names_statements() && select.sql.len() <= LARGEST_TEXT
    }

    /// Whether all statements on it see the same snapshot.
    pub(crate) fn is_snapshot(&self) -> bool {
        matches!(&self.0, Lease::ReadTransaction(transaction) if transaction.is_snapshot())
    }

    /// Runs a select to its end and passes each row to `take` as it arrives. After an error of `take`, the remaining
    /// rows are skipped. If the future is dropped and the driver cannot use the connection again, the connection is
    /// closed.
    pub(crate) async fn fetch(
        &mut self,
        select: BoundSql,
        mut take: impl FnMut(D::Row) -> sqlx::Result<()>,
    ) -> sqlx::Result<()>
    where
        D: Driver,
    {
        let named = self.names(&select);
        let running = StatementGuard::on(self);
        let mut taken = Ok(());
        let fetched = async {
            let mut rows = D::fetch(&mut *running.held, select, named)?;
            while let Some(row) = rows.try_next().await? {
                if taken.is_ok() {
                    taken = take(row);
                }
            }
            Ok(())
        };
        let fetched = fetched.await;
        running.ended(fetched).and(taken)
    }

    /// Runs a select to its end and returns the first row.
    pub(crate) async fn fetch_first(&mut self, select: BoundSql) -> sqlx::Result<Option<D::Row>>
    where
        D: Driver,
    {
        let mut first = None;
        self.fetch(select, |row| {
            first.get_or_insert(row);
            Ok(())
        })
        .await?;
        Ok(first)
    }

    /// The database's estimate of a select's rows; `None` if it has none.
    pub(crate) async fn estimate(&mut self, select: BoundSql) -> sqlx::Result<Option<u64>>
    where
        D: Driver,
    {
        let named = self.names(&select);
        let running = StatementGuard::on(self);
        let estimate = D::estimate(&mut *running.held, select, named).await;
        running.ended(estimate)
    }

    /// What the database's catalog says about a table.
    pub(crate) async fn table_info(&mut self, table: &Table) -> sqlx::Result<TableInfo>
    where
        D: Driver,
    {
        let running = StatementGuard::on(self);
        let info = D::table_info(&mut *running.held, table).await;
        running.ended(info)
    }

    /// Rejects a column that cannot be used in a cursor key for a reason that its values do not show, such as its
    /// collation.
    pub(crate) async fn check_column(&mut self, select: &SelectStatement, column: &str) -> sqlx::Result<()>
    where
        D: Driver,
    {
        let running = StatementGuard::on(self);
        let checked = D::check_column(&mut *running.held, select, column).await;
        running.ended(checked)
    }
}

/// A statement in progress. Dropping it before [`ended`](Self::ended) means that the statement was cut short.
struct StatementGuard<'a, D: sqlx::Database> {
    held: &'a mut ConnectionGuard<D>,
    /// Whether dropping it now makes the connection unusable.
    fragile: bool,
    ended: bool,
}

impl<'a, D: Driver> StatementGuard<'a, D> {
    fn on(held: &'a mut ConnectionGuard<D>) -> Self {
        Self { held, fragile: D::BREAKS_ON_CANCEL, ended: false }
    }
}

impl<D: sqlx::Database> StatementGuard<'_, D> {
    /// Marks the statement as finished.
    fn ended<R>(mut self, outcome: sqlx::Result<R>) -> sqlx::Result<R> {
        self.ended = true;
        if let (Err(_), Lease::Transaction(lock)) = (&outcome, &mut self.held.0) {
            lock.failed();
        }
        outcome
    }
}

impl<D: sqlx::Database> Drop for StatementGuard<'_, D> {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        match &mut self.held.0 {
            Lease::Pooled(connection) if self.fragile => connection.close_on_drop(),
            Lease::Pooled(_) => {}
            Lease::Transaction(lock) => lock.cut_short(),
            Lease::ReadTransaction(transaction) => transaction.lock_mut().cut_short(),
        }
    }
}
