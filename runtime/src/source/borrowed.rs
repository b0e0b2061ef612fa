//! [`Borrowed`]: the caller's own connection.
//!
//! If it is inside a transaction, the page is read in it; if not, the statements of the page see what was committed
//! before each of them. folio leaves the state of the connection as it is. Behind a pooler, it begins a transaction for
//! each page that is outside of one.

use folio_core::dialect::Dialect;

use super::{AnyLease, Lease};
use crate::driver::Driver;
use crate::error::Result;

/// A sqlx connection that [`using`](crate::Builder::using) has borrowed for the statements of a page.
#[derive(Debug)]
#[non_exhaustive]
pub enum Borrowed<'c> {
    /// A SQLite connection.
    #[cfg(feature = "sqlite")]
    Sqlite(&'c mut sqlx::SqliteConnection),
    /// A PostgreSQL connection.
    #[cfg(feature = "postgres")]
    Postgres(&'c mut sqlx::PgConnection),
    /// A MySQL or MariaDB connection.
    #[cfg(feature = "mysql")]
    MySql(&'c mut sqlx::MySqlConnection),
}

impl Borrowed<'_> {
    /// Borrows it again, for one of several pages.
    pub(crate) fn reborrow(&mut self) -> Borrowed<'_> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(connection) => Borrowed::Sqlite(connection),
            #[cfg(feature = "postgres")]
            Self::Postgres(connection) => Borrowed::Postgres(connection),
            #[cfg(feature = "mysql")]
            Self::MySql(connection) => Borrowed::MySql(connection),
        }
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(_) => sqlx::Sqlite::DIALECT,
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => sqlx::Postgres::DIALECT,
            #[cfg(feature = "mysql")]
            Self::MySql(_) => sqlx::MySql::DIALECT,
        }
    }
}

impl<'c> AnyLease<'c> {
    pub(crate) async fn borrowed(connection: Borrowed<'c>, persistent: bool) -> Result<Self> {
        Ok(match connection {
            #[cfg(feature = "sqlite")]
            Borrowed::Sqlite(connection) => Self::Sqlite(Lease::borrow(connection, persistent).await?),
            #[cfg(feature = "postgres")]
            Borrowed::Postgres(connection) => Self::Postgres(Lease::borrow(connection, persistent).await?),
            #[cfg(feature = "mysql")]
            Borrowed::MySql(connection) => Self::MySql(Lease::borrow(connection, persistent).await?),
        })
    }
}
