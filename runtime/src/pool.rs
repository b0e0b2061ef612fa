//! A connection pool of any driver.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::dialect::Dialect;
use crate::driver::Driver;

/// A pool of any of the enabled drivers, made from sqlx's pool.
///
/// A pooler that lends a server's connection for one transaction at a time, such as PgBouncer, may not support the
/// named statements that sqlx uses on PostgreSQL. Then connect with `statement_cache_capacity(0)`, or
/// `?statement-cache-capacity=0` in the URL. On such a pool folio names no statement, and reads each page in a short
/// transaction.
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

    pub(crate) fn id(&self) -> PoolId {
        dispatch!(Self, self, pool => PoolId::of(pool))
    }

    /// The pool, if it is of this driver.
    pub(crate) fn downcast<D: Driver>(&self) -> Option<&sqlx::Pool<D>> {
        dispatch!(Self, self, pool => (pool as &dyn Any).downcast_ref())
    }

    /// Whether this is that very pool. Two pools of the same database are two pools.
    pub(crate) fn is<D: Driver>(&self, other: &sqlx::Pool<D>) -> bool {
        // Clones of a pool share its options.
        self.downcast::<D>().is_some_and(|pool| std::ptr::eq(pool.options(), other.options()))
    }

    /// Whether both are the same pool.
    pub(crate) fn same(&self, other: &Self) -> bool {
        dispatch!(Self, other, pool => self.is(pool))
    }
}

/// Which pool it is, whichever clone of it: clones of a pool share its options. It keeps these, so that no later pool
/// is mistaken for this one.
#[derive(Debug, Clone)]
pub(crate) struct PoolId(Arc<dyn Any + Send + Sync>);

impl PoolId {
    pub(crate) fn of<D: Driver>(pool: &sqlx::Pool<D>) -> Self {
        Self(pool.connect_options())
    }

    fn addr(&self) -> usize {
        Arc::as_ptr(&self.0).cast::<()>().addr()
    }
}

impl PartialEq for PoolId {
    fn eq(&self, other: &Self) -> bool {
        self.addr() == other.addr()
    }
}

impl Eq for PoolId {}

impl Hash for PoolId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.addr().hash(state);
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
