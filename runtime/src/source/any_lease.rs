//! [`AnyLease`]: a lease of any driver.

use crate::error::Result;
use crate::pool::dispatch;
use crate::source::lease::Lease;
use crate::transaction::{Ambient, Transaction};

/// A lease of any driver, for the statements of one call.
#[derive(Debug)]
pub(crate) enum AnyLease<'c> {
    #[cfg(feature = "sqlite")]
    Sqlite(Lease<'c, sqlx::Sqlite>),
    #[cfg(feature = "postgres")]
    Postgres(Lease<'c, sqlx::Postgres>),
    #[cfg(feature = "mysql")]
    MySql(Lease<'c, sqlx::MySql>),
}

/// Wraps the lease of each enabled driver, so that `dispatch!` can return an [`AnyLease`].
macro_rules! of_driver {
    ($($feature:literal $driver:ident),*) => {$(
        #[cfg(feature = $feature)]
        impl<'c> From<Lease<'c, sqlx::$driver>> for AnyLease<'c> {
            fn from(lease: Lease<'c, sqlx::$driver>) -> Self {
                Self::$driver(lease)
            }
        }
    )*};
}
of_driver!("sqlite" Sqlite, "postgres" Postgres, "mysql" MySql);

impl AnyLease<'_> {
    /// Leases the connection of a transaction for a page. Waits until it is free.
    pub(crate) async fn of_transaction(ambient: &Ambient) -> Result<Self> {
        dispatch!(Transaction, ambient.transaction(), shared => {
            Ok(Self::from(Lease::Transaction(shared.lock().await?, ambient.pool_id())))
        })
    }

    /// Ends what folio began on it for a page that was read.
    pub(crate) async fn end(self) -> Result<()> {
        dispatch!(AnyLease, self, lease => Ok(lease.end().await?))
    }
}
