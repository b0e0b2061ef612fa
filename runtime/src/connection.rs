//! Pools by name, and which of them answers a read.

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use futures_util::TryStreamExt as _;
use sea_query::{Expr, SelectStatement, Value};
use sqlx::pool::PoolConnection;

use crate::driver::Driver;
use crate::error::{FrameworkError, Result};
use crate::keyset::Dialect;
use crate::statement::Prepared;
use crate::table::{Direction, Index, Table};
use crate::transaction::{Ambient, Brief, Isolation, Lock, is_fragile};

/// The name that reads go to by themselves, once a pool is registered under it.
pub(crate) const READ_REPLICA: &str = "__read_replica__";

/// The name of the default pool, which passes the replica over.
pub(crate) const PRIMARY: &str = "__primary__";

/// A pool of any of the enabled drivers, made from sqlx's pool of it.
///
/// A pooler that hands a server's connection out for one transaction at a time, such as PgBouncer, may know no
/// statements by name, as sqlx gives them to PostgreSQL. Then connect with `statement_cache_capacity(0)`, or
/// `?statement-cache-capacity=0` in the URL: folio names none on such a pool, and reads each page in a short transaction,
/// for which it keeps the server's connection.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// let pool = sqlx::SqlitePool::connect("sqlite::memory:").await?;
/// let pool = folio::Pool::from(pool);
/// assert!(matches!(pool, folio::Pool::Sqlite(_)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Pool {
    /// SQLite.
    #[cfg(feature = "sqlite")]
    Sqlite(sqlx::SqlitePool),
    /// PostgreSQL.
    #[cfg(feature = "postgres")]
    Postgres(sqlx::PgPool),
    /// MySQL and MariaDB.
    #[cfg(feature = "mysql")]
    MySql(sqlx::MySqlPool),
}

/// Runs one expression for whichever driver a value of `$kind` is of.
macro_rules! dispatch {
    ($kind:ident, $on:expr, $inner:ident => $body:expr) => {
        match $on {
            #[cfg(feature = "sqlite")]
            $kind::Sqlite($inner) => $body,
            #[cfg(feature = "postgres")]
            $kind::Postgres($inner) => $body,
            #[cfg(feature = "mysql")]
            $kind::MySql($inner) => $body,
        }
    };
}
pub(crate) use dispatch;

impl Pool {
    pub(crate) fn dialect(&self) -> Dialect {
        fn of<D: Driver>(_: &sqlx::Pool<D>) -> Dialect {
            D::DIALECT
        }
        dispatch!(Self, self, pool => of(pool))
    }

    fn write(&self, conditions: &[Expr], orders: &[(Expr, Direction)]) -> (String, Vec<Value>) {
        fn of<D: Driver>(_: &sqlx::Pool<D>, conditions: &[Expr], orders: &[(Expr, Direction)]) -> (String, Vec<Value>) {
            D::write(conditions, orders)
        }
        dispatch!(Self, self, pool => of(pool, conditions, orders))
    }

    /// The pool, where it is of this driver.
    pub(crate) fn downcast<D: Driver>(&self) -> Option<&sqlx::Pool<D>> {
        dispatch!(Self, self, pool => (pool as &dyn Any).downcast_ref())
    }
}

impl<D: Enabled> From<sqlx::Pool<D>> for Pool {
    fn from(pool: sqlx::Pool<D>) -> Self {
        D::pool(pool)
    }
}

/// A driver of sqlx whose feature is enabled. One trait for all of them, for the compiler to name the feature that is
/// not.
#[diagnostic::on_unimplemented(
    message = "folio's feature for `{Self}` is not enabled",
    label = "enable the feature `sqlite`, `postgres` or `mysql` of folio, whichever this pool is of"
)]
pub trait Enabled: sqlx::Database {
    #[doc(hidden)]
    fn pool(pool: sqlx::Pool<Self>) -> Pool;
}

#[cfg(feature = "sqlite")]
impl Enabled for sqlx::Sqlite {
    fn pool(pool: sqlx::SqlitePool) -> Pool {
        Pool::Sqlite(pool)
    }
}

#[cfg(feature = "postgres")]
impl Enabled for sqlx::Postgres {
    fn pool(pool: sqlx::PgPool) -> Pool {
        Pool::Postgres(pool)
    }
}

#[cfg(feature = "mysql")]
impl Enabled for sqlx::MySql {
    fn pool(pool: sqlx::MySqlPool) -> Pool {
        Pool::MySql(pool)
    }
}

/// A pool that reads can go to.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) pool: Pool,
    /// Whether statements on it have names, which a pooler before the server may not know.
    named_statements: bool,
}

impl From<Pool> for Target {
    fn from(pool: Pool) -> Self {
        let named_statements = dispatch!(Pool, &pool, pool => Driver::names_statements(pool));
        Self { pool, named_statements }
    }
}

/// The default pool and those with names.
#[derive(Debug, Clone)]
pub(crate) struct Connections {
    default: Target,
    named: Arc<BTreeMap<String, Target>>,
}

impl Connections {
    pub(crate) fn new(default: Pool) -> Self {
        Self { default: default.into(), named: Arc::default() }
    }

    /// Registers a pool under a name that is still free.
    pub(crate) fn register(&mut self, name: &str, pool: Pool) -> Result<()> {
        if name.is_empty() || name == PRIMARY {
            let message = format!("`{name}` cannot be registered: the default pool is given to `Folio::new`");
            return Err(FrameworkError::configuration(message));
        }
        if Arc::make_mut(&mut self.named).insert(name.to_owned(), pool.into()).is_some() {
            return Err(FrameworkError::configuration(format!("the connection `{name}` is registered twice")));
        }
        Ok(())
    }

    /// The pool of a name; without one the pool that reads go to.
    pub(crate) fn reading(&self, name: Option<&str>) -> Result<Target> {
        match name {
            Some(name) => self.named(name),
            None => Ok(self.named.get(READ_REPLICA).unwrap_or(&self.default).clone()),
        }
    }

    /// The pool of a name.
    pub(crate) fn named(&self, name: &str) -> Result<Target> {
        let pool = if name == PRIMARY { Some(&self.default) } else { self.named.get(name) };
        pool.cloned().ok_or_else(|| FrameworkError::configuration(format!("no connection is registered as `{name}`")))
    }
}

/// Where a call's statements run: in the ambient transaction, or on a pool.
#[derive(Debug)]
pub(crate) enum Source {
    Ambient(Ambient),
    Pool(Target),
}

impl Source {
    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            Self::Ambient(ambient) => ambient.dialect(),
            Self::Pool(target) => target.pool.dialect(),
        }
    }

    /// Conditions and an order as they are written there, and the values in them.
    pub(crate) fn write(&self, conditions: &[Expr], orders: &[(Expr, Direction)]) -> (String, Vec<Value>) {
        match self {
            Self::Ambient(ambient) => ambient.write(conditions, orders),
            Self::Pool(target) => target.pool.write(conditions, orders),
        }
    }

    /// One connection for all statements of a call.
    pub(crate) async fn connect(self) -> Result<Connection> {
        match self {
            Self::Ambient(ambient) => ambient.connect().await,
            Self::Pool(Target { pool, named_statements: true }) => {
                dispatch!(Pool, pool, pool => Ok(Connection::from(Held::Pooled(pool.acquire().await?))))
            }
            Self::Pool(Target { pool, named_statements: false }) => brief(pool, None).await,
        }
    }

    /// One connection for all statements of a call, which are to see the same rows. They do unless they run in a
    /// transaction that the caller has begun: [`Held::is_snapshot`] tells.
    pub(crate) async fn connect_to_snapshot(self) -> Result<Connection> {
        match self {
            Self::Ambient(ambient) => ambient.connect().await,
            Self::Pool(Target { pool, .. }) => brief(pool, Some(Isolation::RepeatableRead)).await,
        }
    }
}

/// A connection of a pool in a transaction of its own.
async fn brief(pool: Pool, isolation: Option<Isolation>) -> Result<Connection> {
    dispatch!(Pool, pool, pool => Ok(Connection::from(Held::Brief(Brief::begin(&pool, isolation).await?))))
}

/// A connection for as long as it is held: its own of a pool, alone or in a transaction, or its turn in one.
#[derive(Debug)]
pub enum Held<D: sqlx::Database> {
    #[doc(hidden)]
    Pooled(PoolConnection<D>),
    #[doc(hidden)]
    Transaction(Lock<D>),
    #[doc(hidden)]
    Brief(Brief<D>),
}

impl<D: sqlx::Database> Deref for Held<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        match self {
            Self::Pooled(connection) => connection,
            Self::Transaction(lock) => lock,
            Self::Brief(brief) => brief.lock(),
        }
    }
}

impl<D: sqlx::Database> DerefMut for Held<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        match self {
            Self::Pooled(connection) => connection,
            Self::Transaction(lock) => lock,
            Self::Brief(brief) => brief.lock_mut(),
        }
    }
}

impl<D: sqlx::Database> Held<D> {
    fn names_statements(&self) -> bool {
        match self {
            Self::Pooled(_) => true,
            Self::Transaction(lock) => lock.names_statements(),
            Self::Brief(brief) => brief.lock().names_statements(),
        }
    }

    /// Whether all statements see the rows as they were when the first of them ran.
    pub(crate) fn is_snapshot(&self) -> bool {
        matches!(self, Self::Brief(brief) if brief.is_snapshot())
    }

    /// Runs a select to its end, and gives each row to `take` as it comes, while the database goes on with the next. After
    /// an error of `take` no more are given. A connection on which it is cut short is not used again, where the driver
    /// cannot.
    pub(crate) async fn fetch(
        &mut self,
        select: Prepared,
        mut take: impl FnMut(D::Row) -> sqlx::Result<()>,
    ) -> sqlx::Result<()>
    where
        D: Driver,
    {
        let named = self.names_statements();
        let running = Running::on(self);
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

    /// The first row of a select.
    pub(crate) async fn fetch_first(&mut self, select: Prepared) -> sqlx::Result<Option<D::Row>>
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

    /// How many rows the database reckons a select to have; `None` where it has to count.
    pub(crate) async fn estimate(&mut self, select: Prepared) -> sqlx::Result<Option<u64>>
    where
        D: Driver,
    {
        let named = self.names_statements();
        let running = Running::on(self);
        let estimate = D::estimate(&mut *running.held, select, named).await;
        running.ended(estimate)
    }

    /// The indexes of a table.
    pub(crate) async fn indexes(&mut self, table: &Table) -> sqlx::Result<Vec<Index>>
    where
        D: Driver,
    {
        let running = Running::on(self);
        let indexes = D::indexes(&mut *running.held, table).await;
        running.ended(indexes)
    }

    /// Refuses a column that a walk cannot go by, where the rows will not tell.
    pub(crate) async fn check_column(&mut self, select: &SelectStatement, column: &str) -> sqlx::Result<()>
    where
        D: Driver,
    {
        let running = Running::on(self);
        let checked = D::check_column(&mut *running.held, select, column).await;
        running.ended(checked)
    }
}

/// A statement on its way.
struct Running<'a, D: sqlx::Database> {
    held: &'a mut Held<D>,
    /// Whether to drop it now would break the connection.
    fragile: bool,
}

impl<'a, D: Driver> Running<'a, D> {
    fn on(held: &'a mut Held<D>) -> Self {
        Self { held, fragile: is_fragile(D::DIALECT) }
    }
}

impl<D: sqlx::Database> Running<'_, D> {
    /// What came of it.
    fn ended<R>(mut self, outcome: R) -> R {
        self.fragile = false;
        outcome
    }
}

impl<D: sqlx::Database> Drop for Running<'_, D> {
    fn drop(&mut self) {
        match (&mut *self.held, self.fragile) {
            (Held::Pooled(connection), true) => connection.close_on_drop(),
            (Held::Transaction(lock), true) => lock.cut_short(),
            (Held::Brief(brief), true) => brief.lock_mut().cut_short(),
            (_, false) => {}
        }
    }
}

/// A held connection of any driver.
#[derive(Debug)]
pub(crate) enum Connection {
    #[cfg(feature = "sqlite")]
    Sqlite(Held<sqlx::Sqlite>),
    #[cfg(feature = "postgres")]
    Postgres(Held<sqlx::Postgres>),
    #[cfg(feature = "mysql")]
    MySql(Held<sqlx::MySql>),
}

macro_rules! held {
    ($($feature:literal $driver:ident),*) => {$(
        #[cfg(feature = $feature)]
        impl From<Held<sqlx::$driver>> for Connection {
            fn from(held: Held<sqlx::$driver>) -> Self {
                Self::$driver(held)
            }
        }
    )*};
}
held!("sqlite" Sqlite, "postgres" Postgres, "mysql" MySql);
