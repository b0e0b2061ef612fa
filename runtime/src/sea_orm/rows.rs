//! How rows become sea-orm's types.

use std::marker::PhantomData;

#[cfg(feature = "json")]
use ::sea_orm::JsonValue;
use ::sea_orm::{DbErr, FromQueryResult, QueryResult, TryGetableMany};

use crate::driver::{Reader, undecodable};

/// Reads a `T` from sea-orm's result of one row.
pub(super) trait Read<T> {
    #[doc(hidden)]
    fn read(result: &QueryResult) -> Result<T, DbErr>;
}

/// Reads any row as one type, whose columns have no prefix.
#[derive(Debug)]
pub(super) struct One<M>(PhantomData<M>);

impl<M: FromQueryResult> Read<M> for One<M> {
    fn read(result: &QueryResult) -> Result<M, DbErr> {
        M::from_query_result(result, "")
    }
}

/// Reads the columns of a row by their places.
#[derive(Debug)]
pub(super) struct ByPlace<T>(PhantomData<T>);

impl<T: TryGetableMany> Read<T> for ByPlace<T> {
    fn read(result: &QueryResult) -> Result<T, DbErr> {
        Ok(T::try_get_many_by_index(result)?)
    }
}

/// Reads the columns of a row that are not folio's own.
#[cfg(feature = "json")]
#[derive(Debug)]
pub(super) struct Json;

#[cfg(feature = "json")]
impl Read<JsonValue> for Json {
    fn read(result: &QueryResult) -> Result<JsonValue, DbErr> {
        let mut row = JsonValue::from_query_result(result, "")?;
        if let JsonValue::Object(columns) = &mut row {
            columns.retain(|name, _| !name.starts_with("folio_"));
        }
        Ok(row)
    }
}

/// The function of one driver, which reads rows as `R` does.
macro_rules! read {
    ($feature:literal, $read:ident) => {{
        #[cfg(feature = $feature)]
        {
            Some(|row| $read::read(row.result()?).map_err(undecodable))
        }
        #[cfg(not(feature = $feature))]
        {
            PhantomData
        }
    }};
}

/// A reader of rows from any database.
pub(super) const fn reader<T, R: Read<T>>() -> Reader<T> {
    Reader { sqlite: read!("sqlite", R), postgres: read!("postgres", R), mysql: read!("mysql", R), fields: || &[] }
}
