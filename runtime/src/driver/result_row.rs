//! A row of a statement, from which both sqlx's and sea-orm's types are read.
//!
//! sea-orm reads its types from a `QueryResult`, which owns the driver's row and does not give it back. So with the
//! feature `sea-orm`, each row is put into one as it arrives, which moves it, and is read through it from then on.

use std::ops::Deref;

#[cfg(feature = "sea-orm")]
use std::marker::PhantomData;

#[cfg(feature = "sea-orm")]
use ::sea_orm::QueryResult;

/// A row of one of sqlx's drivers.
pub trait DriverRow: sqlx::Row + Sized {
    /// The row in sea-orm's result; `None` if that has a row of another driver.
    #[cfg(feature = "sea-orm")]
    #[doc(hidden)]
    fn of(result: &QueryResult) -> Option<&Self>;

    #[cfg(feature = "sea-orm")]
    #[doc(hidden)]
    fn into_result(self) -> QueryResult;
}

macro_rules! rows {
    ($($feature:literal: $row:ty, $get:ident;)*) => {$(
        #[cfg(feature = $feature)]
        impl DriverRow for $row {
            #[cfg(feature = "sea-orm")]
            fn of(result: &QueryResult) -> Option<&Self> {
                result.$get()
            }

            #[cfg(feature = "sea-orm")]
            fn into_result(self) -> QueryResult {
                self.into()
            }
        }
    )*};
}
rows! {
    "sqlite": sqlx::sqlite::SqliteRow, try_as_sqlite_row;
    "postgres": sqlx::postgres::PgRow, try_as_pg_row;
    "mysql": sqlx::mysql::MySqlRow, try_as_mysql_row;
}

/// A row that folio owns.
#[cfg(not(feature = "sea-orm"))]
#[derive(Debug)]
pub struct ResultRow<R>(R);

#[cfg(not(feature = "sea-orm"))]
impl<R: DriverRow> ResultRow<R> {
    pub(crate) fn new(row: R) -> Self {
        Self(row)
    }
}

#[cfg(not(feature = "sea-orm"))]
impl<R: DriverRow> Deref for ResultRow<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.0
    }
}

/// A row that folio owns: always one of the driver `R`.
#[cfg(feature = "sea-orm")]
#[derive(Debug)]
pub struct ResultRow<R> {
    result: QueryResult,
    row: PhantomData<fn() -> R>,
}

#[cfg(feature = "sea-orm")]
impl<R: DriverRow> ResultRow<R> {
    pub(crate) fn new(row: R) -> Self {
        Self { result: row.into_result(), row: PhantomData }
    }

    /// The row that sea-orm has read; `None` if it is not one of this driver.
    pub(super) fn of(result: QueryResult) -> Option<Self> {
        R::of(&result).is_some().then_some(Self { result, row: PhantomData })
    }

    pub(crate) fn result(&self) -> &QueryResult {
        &self.result
    }
}

#[cfg(feature = "sea-orm")]
impl<R: DriverRow> Deref for ResultRow<R> {
    type Target = R;

    fn deref(&self) -> &R {
        match R::of(&self.result) {
            Some(row) => row,
            None => unreachable!("it is a row of this driver"),
        }
    }
}
