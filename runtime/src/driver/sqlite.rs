//! SQLite, where each value has its own storage class, whatever type its column declares.

use sea_query::Values;
use sqlx::sqlite::{SqliteConnection, SqliteRow};
use sqlx::{ColumnIndex as _, Row as _, Sqlite, TypeInfo as _, ValueRef as _};

use super::{Driver, Form, Reader, Slot, arguments, decode, driver, get, unreadable, unsupported_variant};
use crate::cursor::{Part, Stored};
use crate::dialect::Dialect;
use crate::dialect::catalog::TableInfo;
use crate::model::table::Table;
use crate::query::template::BoundSql;
use crate::value::{CursorValue, Value, Variant, is_null};

impl Driver for Sqlite {
    const DIALECT: Dialect = Dialect::Sqlite;

    driver!();

    async fn table_info(connection: &mut SqliteConnection, table: &Table) -> sqlx::Result<TableInfo> {
        super::sqlite_catalog::table_info(connection, table).await
    }

    fn planned(_: &[SqliteRow]) -> Option<u64> {
        None
    }

    fn read<T>(reader: &Reader<T>, row: &SqliteRow) -> sqlx::Result<T> {
        let Some(read) = reader.sqlite else {
            return Err(unreadable::<Self, T>((reader.fields)(), |field| field.sqlite));
        };
        read(row)
    }

    /// SQLite compares values as they are stored, and one moment can be stored as different texts. A value that is
    /// stored in another form than its type binds is therefore kept in both forms.
    fn part(row: &SqliteRow, Slot { name: column, .. }: Slot<'_>, variant: Variant) -> sqlx::Result<Part> {
        let at = column.index(row)?;
        let Some(stored) = stored(row, at)? else {
            return Ok(Part::plain(variant.null()));
        };
        let value = decode!(Sqlite, row, at, column, variant, {
            TinyInt: i8,
            TinyUnsigned: u8,
            SmallUnsigned: u16,
            Unsigned: u32,
            BigUnsigned: u64,
            #[cfg(feature = "chrono")]
            ChronoDateTimeWithTimeZone: chrono::DateTime<chrono::FixedOffset>,
        })?;
        let one_form = bound_as(&value).as_ref() == Some(&stored);
        let stored = (!one_form).then_some(Stored { value: stored, cast: None });
        Ok(Part { value, stored })
    }

    /// SQLite compares what is stored: of these types it is always what their values bind as.
    fn form(value: &Value) -> Form {
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
            | Value::String(_) => Form::Exact,
            value if is_null(value) => Form::Exact,
            _ => Form::Stored,
        }
    }
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

/// What the driver binds for a value that has only one form.
fn bound_as(value: &Value) -> Option<Value> {
    let integer = match *value {
        Value::Bool(value) => value.map(i64::from),
        Value::TinyInt(value) => value.map(i64::from),
        Value::SmallInt(value) => value.map(i64::from),
        Value::Int(value) => value.map(i64::from),
        Value::TinyUnsigned(value) => value.map(i64::from),
        Value::SmallUnsigned(value) => value.map(i64::from),
        Value::Unsigned(value) => value.map(i64::from),
        Value::BigUnsigned(value) => value.and_then(|value| value.try_into().ok()),
        Value::Float(value) => return value.map(|value| f64::from(value).into_value()),
        Value::BigInt(_) | Value::Double(_) | Value::String(_) | Value::Bytes(_) => return Some(value.clone()),
        _ => None,
    };
    integer.map(CursorValue::into_value)
}

/// The values as they can be bound. SQLite has no integers above `i64::MAX`, but a float compares the same with every
/// integer that it has.
#[expect(clippy::unnecessary_wraps, reason = "other drivers refuse here")]
fn representable(mut values: Values) -> sqlx::Result<Values> {
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
