//! Leased connections: a pooled one, or the connection of a transaction.
//!
//! [`ConnectionGuard`] runs statements on either kind in the same way, and keeps track of statements that were dropped
//! before they ended. `schema.rs` caches what the database's catalog says about tables. Which pool or transaction a
//! connection comes from is decided in [`crate::route`].

mod guard;
pub(crate) mod schema;

pub use self::guard::ConnectionGuard;
use crate::error::Result;
use crate::pool::dispatch;
use crate::transaction::{Ambient, Transaction};

/// A leased connection of any driver.
#[derive(Debug)]
pub(crate) enum Connection {
    #[cfg(feature = "sqlite")]
    Sqlite(ConnectionGuard<sqlx::Sqlite>),
    #[cfg(feature = "postgres")]
    Postgres(ConnectionGuard<sqlx::Postgres>),
    #[cfg(feature = "mysql")]
    MySql(ConnectionGuard<sqlx::MySql>),
}

macro_rules! held {
    ($($feature:literal $driver:ident),*) => {$(
        #[cfg(feature = $feature)]
        impl From<ConnectionGuard<sqlx::$driver>> for Connection {
            fn from(held: ConnectionGuard<sqlx::$driver>) -> Self {
                Self::$driver(held)
            }
        }
    )*};
}
held!("sqlite" Sqlite, "postgres" Postgres, "mysql" MySql);

impl Connection {
    /// Leases the connection of a transaction for a page. Waits until it is free.
    pub(crate) async fn of_transaction(ambient: &Ambient) -> Result<Self> {
        dispatch!(Transaction, ambient.transaction(), shared => {
            Ok(Self::from(ConnectionGuard::of_transaction(ambient.outside(shared.lock()).await?)))
        })
    }
}
