//! SQLite, where each value has its own storage class, whatever type its column declares.
//!
//! SQLite compares what is stored: first by storage class (NULL, then numbers, texts and blobs), then within it, texts
//! byte by byte (<https://sqlite.org/datatype3.html>, "Sort Order"). It has no types for dates, UUIDs or booleans. sqlx
//! reads several spellings of a date, and writes one. So a boundary keeps the stored value in addition to the one of
//! the field's type.

use sea_query::Values;
use sqlx::error::BoxDynError;
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqliteRow};
use sqlx::{ColumnIndex as _, Row as _, Sqlite, TypeInfo as _, ValueRef as _};

use super::{
    Bind, Catalog, Driver, ResultColumn, RowSink, StoredAs, decode, driver, encode, get, unstorable,
    unsupported_variant_error,
};
use crate::boundary::{BoundaryValue, Stored};
use crate::dialect::Dialect;
use crate::dialect::catalog::TableInfo;
use crate::schema::table::Table;
use crate::statement::template::BoundSql;
use crate::value::bind::CallerValue;
use crate::value::{CursorValue as _, Value, Variant, integer, is_null};

impl Driver for Sqlite {
    const DIALECT: Dialect = Dialect::Sqlite;

    // SQLite prepares a statement again by itself, but sqlx keeps the names that it had before. If a row then has more
    // columns than names, sqlx panics in the thread of the connection.
    const KEEPS_COLUMN_NAMES: bool = true;

    driver!();

    async fn table_info(connection: &mut SqliteConnection, table: &Table) -> sqlx::Result<TableInfo> {
        super::sqlite_catalog::table_info(Catalog { connection, table }).await
    }

    // EXPLAIN QUERY PLAN has no numbers.
    fn estimated_rows(_: &[SqliteRow]) -> Option<u64> {
        None
    }

    fn decode_into(rows: &mut dyn RowSink, row: &SqliteRow) -> sqlx::Result<()> {
        rows.add_sqlite(row)
    }

    /// SQLite compares values as they are stored, and one moment can be stored as different texts. A value that is
    /// stored in another form than its type binds is therefore kept in both forms.
    fn boundary_value(
        row: &SqliteRow,
        ResultColumn { name: column, .. }: ResultColumn<'_>,
        variant: Variant,
    ) -> sqlx::Result<BoundaryValue> {
        let at = column.index(row)?;
        let Some(stored) = stored(row, at)? else {
            return Ok(BoundaryValue::plain(variant.null()));
        };
        let value = value(row, at, column, variant)?;
        let is_same = bound_as(&value).as_ref() == Some(&stored);
        Ok(BoundaryValue { value, stored: (!is_same).then_some(Stored { value: stored, cast: None }) })
    }

    fn value(row: &SqliteRow, column: &str, variant: Variant) -> sqlx::Result<Value> {
        value(row, column.index(row)?, column, variant)
    }

    /// SQLite compares stored values. Values of these types are always stored as they are bound.
    fn stored_as(value: &Value) -> StoredAs {
        match value {
            Value::TinyInt(_)
            | Value::SmallInt(_)
            | Value::Int(_)
            | Value::BigInt(_)
            | Value::TinyUnsigned(_)
            | Value::SmallUnsigned(_)
            | Value::Unsigned(_)
            | Value::BigUnsigned(_)
            | Value::Double(_)
            | Value::String(_) => StoredAs::AsBound,
            value if is_null(value) => StoredAs::AsBound,
            _ => StoredAs::ByRow,
        }
    }
}

impl Bind for Sqlite {
    fn add(value: Value, arguments: &mut SqliteArguments) -> Result<(), BoxDynError> {
        encode!(value, arguments, {
            TinyInt(number) => number,
            TinyUnsigned(number) => number,
            SmallUnsigned(number) => number,
            Unsigned(number) => number,
            BigUnsigned(number) => number.map(i64::try_from).transpose()?,
            #[cfg(feature = "chrono")]
            ChronoDateTimeWithTimeZone(moment) => moment,
            #[cfg(feature = "rust_decimal")]
            Decimal(number) => number.map(|number| number.to_string()),
            #[cfg(feature = "bigdecimal")]
            BigDecimal(number) => number.map(|number| number.to_string()),
        })
    }

    fn add_caller_value(value: &CallerValue, arguments: &mut SqliteArguments) -> Result<(), BoxDynError> {
        value.add_to_sqlite(arguments)
    }
}

fn value(row: &SqliteRow, at: usize, column: &str, variant: Variant) -> sqlx::Result<Value> {
    decode!(Sqlite, row, at, column, variant, {
        TinyInt: i8,
        TinyUnsigned: u8,
        SmallUnsigned: u16,
        Unsigned: u32,
        BigUnsigned: u64,
        #[cfg(feature = "chrono")]
        ChronoDateTimeWithTimeZone: chrono::DateTime<chrono::FixedOffset>,
    })
}

/// The value in its storage class; `None` for NULL.
fn stored(row: &SqliteRow, at: usize) -> sqlx::Result<Option<Value>> {
    let raw = row.try_get_raw(at)?;
    if raw.is_null() {
        return Ok(None);
    }
    Ok(Some(match raw.type_info().name() {
        "INTEGER" => row.try_get_unchecked::<i64, _>(at)?.into_value(),
        "REAL" => row.try_get_unchecked::<f64, _>(at)?.into_value(),
        "TEXT" => row.try_get_unchecked::<String, _>(at)?.into_value(),
        _ => row.try_get_unchecked::<Vec<u8>, _>(at)?.into_value(),
    }))
}

/// What the driver binds for a value whose type has only one form; `None` for types with several, such as dates.
fn bound_as(value: &Value) -> Option<Value> {
    match value {
        Value::Double(_) | Value::String(_) | Value::Bytes(_) => Some(value.clone()),
        Value::Float(value) => value.map(f64::from).map(f64::into_value),
        Value::Bool(value) => value.map(i64::from).map(i64::into_value),
        value => integer(value).and_then(|integer| i64::try_from(integer).ok()).map(i64::into_value),
    }
}

/// SQLite has no integers above `i64::MAX`. A float compares the same with every integer that it has.
fn representable(values: Values) -> sqlx::Result<Values> {
    let mut values = unstorable::check(values, unstorable::on_sqlite)?;
    for value in &mut values.0 {
        if let Value::BigUnsigned(Some(number)) = *value
            && i64::try_from(number).is_err()
        {
            #[expect(clippy::cast_precision_loss, reason = "any number above i64's will do")]
            let float = number as f64;
            *value = Value::Double(Some(float));
        }
    }
    Ok(values)
}
