//! [`Borrowed`]: the caller's own connection.
//!
//! If it is inside a transaction, the page is read in it; if not, the statements of the page see what was committed
//! before each of them. folio leaves the state of the connection as it is. Behind a pooler, it begins a transaction for
//! each page that is outside of one.

use folio_plan::dialect::Dialect;

#[cfg(feature = "_sea-orm")]
use super::lease::Held;
use super::{AnyLease, Lease};
#[cfg(feature = "_sea-orm")]
use crate::driver::Connection;
use crate::driver::Driver;
#[cfg(all(feature = "_sea-orm", not(all(feature = "sqlite", feature = "postgres", feature = "mysql"))))]
use crate::error::FrameworkError;
use crate::error::Result;

/// A connection that [`using`](crate::Builder::using) has borrowed for the statements of a page.
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
    /// A connection or transaction of sea-orm's.
    #[cfg(feature = "_sea-orm")]
    SeaOrm(Connection<'c>),
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
            #[cfg(feature = "_sea-orm")]
            Self::SeaOrm(connection) => Borrowed::SeaOrm(*connection),
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
            #[cfg(feature = "_sea-orm")]
            Self::SeaOrm(connection) => connection.dialect(),
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
            #[cfg(feature = "_sea-orm")]
            Borrowed::SeaOrm(connection) => match connection.dialect() {
                #[cfg(feature = "sqlite")]
                Dialect::Sqlite => Self::Sqlite(Lease::new(Held::SeaOrm(connection), None, true)),
                #[cfg(feature = "postgres")]
                Dialect::Postgres | Dialect::PlainPostgres => {
                    Self::Postgres(Lease::new(Held::SeaOrm(connection), None, true))
                }
                #[cfg(feature = "mysql")]
                Dialect::MySql | Dialect::PlainMySql => Self::MySql(Lease::new(Held::SeaOrm(connection), None, true)),
                #[cfg(not(all(feature = "sqlite", feature = "postgres", feature = "mysql")))]
                _ => {
                    let why = "the feature of folio for the database of sea-orm's connection is not enabled";
                    return Err(FrameworkError::configuration(why));
                }
            },
        })
    }
}
