//! A row of a statement, from which both sqlx's and sea-orm's types are read.
//!
//! sea-orm reads its types from a `QueryResult`, which owns the driver's row and does not give it back. So if sea-orm can
//! read from the database, each row is put into one as it arrives, which moves it, and is read through it from then on.
//! Without a feature of sea-orm's, rows stay as the driver returns them, and this module does not exist.

use std::ops::Deref;

use ::sea_orm::QueryResult;

/// A row of one of sqlx's drivers.
pub trait DriverRow: sqlx::Row + Sized {
    /// The feature that lets sea-orm read such rows.
    #[doc(hidden)]
    const SEA_ORM: &'static str;

    /// The row in sea-orm's result; `None` if that has a row of another driver.
    #[doc(hidden)]
    fn of(result: &QueryResult) -> Option<&Self>;

    /// sea-orm's result, or the row itself if sea-orm cannot read it.
    #[doc(hidden)]
    fn into_result(self) -> Result<QueryResult, Self>;
}

macro_rules! rows {
    ($($feature:literal, $sea_orm:literal: $row:ty, $get:ident;)*) => {$(
        #[cfg(feature = $feature)]
        impl DriverRow for $row {
            const SEA_ORM: &'static str = $sea_orm;

            #[cfg(feature = $sea_orm)]
            fn of(result: &QueryResult) -> Option<&Self> {
                result.$get()
            }

            #[cfg(feature = $sea_orm)]
            fn into_result(self) -> Result<QueryResult, Self> {
                Ok(self.into())
            }

            #[cfg(not(feature = $sea_orm))]
            fn of(_: &QueryResult) -> Option<&Self> {
                None
            }

            #[cfg(not(feature = $sea_orm))]
            fn into_result(self) -> Result<QueryResult, Self> {
                Err(self)
            }
        }
    )*};
}
rows! {
    "sqlite", "sea-orm-sqlite": sqlx::sqlite::SqliteRow, try_as_sqlite_row;
    "postgres", "sea-orm-postgres": sqlx::postgres::PgRow, try_as_pg_row;
    "mysql", "sea-orm-mysql": sqlx::mysql::MySqlRow, try_as_mysql_row;
}

/// A row that folio owns: always one of the driver `R`.
#[derive(Debug)]
pub enum ResultRow<R> {
    /// As the driver returned it.
    Row(R),
    /// In sea-orm's result.
    Result(QueryResult),
}

impl<R: DriverRow> ResultRow<R> {
    pub(crate) fn new(row: R) -> Self {
        row.into_result().map_or_else(Self::Row, Self::Result)
    }

    /// The row that sea-orm has read; `None` if it is not one of this driver.
    pub(super) fn of(result: QueryResult) -> Option<Self> {
        R::of(&result).is_some().then_some(Self::Result(result))
    }

    pub(crate) fn result(&self) -> sqlx::Result<&QueryResult> {
        match self {
            Self::Result(result) => Ok(result),
            Self::Row(_) => Err(sqlx::Error::Configuration(
                format!("sea-orm cannot read rows of this database: enable folio's feature `{}`", R::SEA_ORM).into(),
            )),
        }
    }
}

impl<R: DriverRow> Deref for ResultRow<R> {
    type Target = R;

    fn deref(&self) -> &R {
        match self {
            Self::Row(row) => row,
            Self::Result(result) => match R::of(result) {
                Some(row) => row,
                None => unreachable!("it is a row of this driver"),
            },
        }
    }
}
