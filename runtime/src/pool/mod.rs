//! [`Pool`]: one of sqlx's connection pools, of any enabled driver.
//!
//! Code that runs statements is generic over `D: Driver`. Code that chooses where they run holds an enum of all drivers,
//! such as a [`Pool`], and `dispatch!` gets from it to the driver. [`Borrowed`](crate::source::Borrowed) has a match of
//! its own, because each of its variants becomes a different one.

mod acquire;
mod fallback;
mod pools;

use std::any::Any;
use std::sync::Arc;

pub(crate) use self::acquire::{CallSite, HeldConnection, Owner, acquire};
pub(crate) use self::fallback::Fallback;
pub(crate) use self::pools::{PRIMARY, PoolEntry, Pools};
use crate::driver::Driver;

/// A connection pool of any enabled driver. Each of sqlx's pools converts into it.
///
/// Cloning is cheap, and clones are the same pool. Two separately created pools for the same database are different
/// pools: a transaction on one does not apply to the other.
///
/// # Poolers
///
/// Some poolers, such as PgBouncer in transaction mode, assign a server connection for one transaction at a time and
/// may not support the named statements that sqlx uses on PostgreSQL. For these, connect with
/// `statement_cache_capacity(0)`, or with `?statement-cache-capacity=0` in the URL. folio then uses unnamed statements
/// and reads each page in a short transaction, which takes two more round trips. Write `.persistent(false)` on your own
/// statements: see [the guide](crate::guide::connections#poolers).
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
///
/// A function that creates an application can accept any sqlx pool:
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// use folio::{Folio, Key, Keyring, Pool};
///
/// fn application(pool: impl Into<Pool>) -> Folio {
///     Folio::new(pool).keyring(Keyring::new(Key::generate()))
/// }
///
/// let folio = application(sqlx::SqlitePool::connect_lazy("sqlite::memory:")?);
/// assert!(folio.scope(async { Folio::current().is_ok() }).await);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Pool {
    /// A pool of SQLite connections.
    #[cfg(feature = "sqlite")]
    Sqlite(sqlx::SqlitePool),
    /// A pool of PostgreSQL connections.
    #[cfg(feature = "postgres")]
    Postgres(sqlx::PgPool),
    /// A pool of MySQL or MariaDB connections.
    #[cfg(feature = "mysql")]
    MySql(sqlx::MySqlPool),
}

/// Evaluates an expression with the inner value of an enum that has a variant for each enabled driver.
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
    // Into the same variant of another enum.
    ($kind:ident => $into:ident, $on:expr, $inner:ident => $body:expr) => {
        match $on {
            #[cfg(feature = "sqlite")]
            $kind::Sqlite($inner) => $into::Sqlite($body),
            #[cfg(feature = "postgres")]
            $kind::Postgres($inner) => $into::Postgres($body),
            #[cfg(feature = "mysql")]
            $kind::MySql($inner) => $into::MySql($body),
        }
    };
}
pub(crate) use dispatch;

impl Pool {
    pub(crate) fn downcast<D: Driver>(&self) -> Option<&sqlx::Pool<D>> {
        dispatch!(Self, self, pool => (pool as &dyn Any).downcast_ref())
    }

    /// Whether this is the same pool. Two pools of the same database are different pools.
    pub(crate) fn is<D: Driver>(&self, other: &sqlx::Pool<D>) -> bool {
        // Clones of a pool share its options.
        self.downcast::<D>().is_some_and(|pool| std::ptr::eq(pool.options(), other.options()))
    }

    pub(crate) fn same(&self, other: &Self) -> bool {
        dispatch!(Self, other, pool => self.is(pool))
    }
}

/// Identifies a pool and its clones, which share their options.
#[derive(Debug, Clone)]
pub(crate) struct PoolId {
    /// Where the options are. Compare it, and what is stored by it keeps the `PoolId`.
    pub(crate) address: usize,
    /// Kept alive, so that their address is not reused for another pool.
    _options: Arc<dyn Any + Send + Sync>,
}

impl PoolId {
    pub(crate) fn of<D: Driver>(pool: &sqlx::Pool<D>) -> Self {
        let options = pool.connect_options();
        Self { address: Arc::as_ptr(&options).addr(), _options: options }
    }
}

impl<D: Enabled> From<sqlx::Pool<D>> for Pool {
    fn from(pool: sqlx::Pool<D>) -> Self {
        D::pool(pool)
    }
}

impl<D: Enabled> From<&sqlx::Pool<D>> for Pool {
    fn from(pool: &sqlx::Pool<D>) -> Self {
        D::pool(pool.clone())
    }
}

/// A sqlx driver whose feature is enabled. A single trait for all drivers lets the compiler's error name the feature.
#[diagnostic::on_unimplemented(
    message = "folio's feature for `{Self}` is not enabled",
    label = "enable folio's feature for this pool: `sqlite`, `postgres` or `mysql`"
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
