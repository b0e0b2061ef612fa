//! [`Borrowed`]: the caller's own connection.
//!
//! folio neither checks nor changes the state of such a connection. If it is inside a transaction, the page is read in
//! it; if not, the statements of the page see what was committed before each of them.

use super::{Connection, Lease};
use crate::dialect::Dialect;
use crate::driver::Driver;

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

    /// The dialect of its database.
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

impl<'c> Connection<'c> {
    /// The caller's own connection, with named statements or without.
    pub(crate) fn borrowed(connection: Borrowed<'c>, names_statements: bool) -> Self {
        match connection {
            #[cfg(feature = "sqlite")]
            Borrowed::Sqlite(connection) => Self::Sqlite(Lease::Borrowed { connection, names_statements }),
            #[cfg(feature = "postgres")]
            Borrowed::Postgres(connection) => Self::Postgres(Lease::Borrowed { connection, names_statements }),
            #[cfg(feature = "mysql")]
            Borrowed::MySql(connection) => Self::MySql(Lease::Borrowed { connection, names_statements }),
        }
    }
}
