//! Connections on which a call runs its statements: from a pool, of a transaction, or the caller's own.
//!
//! [`Lease`] runs statements on each kind in the same way, and keeps track of statements that were dropped before they
//! ended. [`ConnectionGuard`] is a lease for the caller's statements. `schema.rs` caches what the database's catalog
//! says about tables. Which pool or transaction a connection comes from is decided in [`crate::route`].

mod borrowed;
mod guard;
mod lease;
pub(crate) mod schema;

pub use self::borrowed::Borrowed;
pub use self::guard::ConnectionGuard;
pub(crate) use self::lease::{Lease, RowLimit};
use crate::error::Result;
use crate::pool::dispatch;
use crate::transaction::{Ambient, Transaction};

/// A connection of any driver, for the statements of one call.
#[derive(Debug)]
pub(crate) enum Connection<'c> {
    #[cfg(feature = "sqlite")]
    Sqlite(Lease<'c, sqlx::Sqlite>),
    #[cfg(feature = "postgres")]
    Postgres(Lease<'c, sqlx::Postgres>),
    #[cfg(feature = "mysql")]
    MySql(Lease<'c, sqlx::MySql>),
}

/// Wraps the lease of each enabled driver, so that `dispatch!` can return a [`Connection`].
macro_rules! of_driver {
    ($($feature:literal $driver:ident),*) => {$(
        #[cfg(feature = $feature)]
        impl<'c> From<Lease<'c, sqlx::$driver>> for Connection<'c> {
            fn from(lease: Lease<'c, sqlx::$driver>) -> Self {
                Self::$driver(lease)
            }
        }
    )*};
}
of_driver!("sqlite" Sqlite, "postgres" Postgres, "mysql" MySql);

impl Connection<'_> {
    /// Leases the connection of a transaction for a page. Waits until it is free.
    pub(crate) async fn of_transaction(ambient: &Ambient) -> Result<Self> {
        dispatch!(Transaction, ambient.transaction(), shared => {
            Ok(Self::from(Lease::Transaction(shared.lock().await?)))
        })
    }

    /// Ends what folio began on it for a page that was read.
    pub(crate) async fn end(self) -> Result<()> {
        dispatch!(Connection, self, lease => Ok(lease.end().await?))
    }
}
