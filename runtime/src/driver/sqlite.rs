//! SQLite, where each value has a storage class of its own, whatever its column says.

use sea_query::{SelectStatement, SqliteQueryBuilder, Values};
use sqlx::sqlite::SqliteRow;
use sqlx::{ColumnIndex as _, Row as _, Sqlite, TypeInfo as _, ValueRef as _};

use super::{Driver, Reader, arguments, by_index, decode, driver, get, lacking, unreadable};
use crate::cursor::{Part, Stored};
use crate::keyset::Dialect;
use crate::statement::Prepared;
use crate::table::{Index, Table};
use crate::value::{CursorValue, Value, Variant};

impl Driver for Sqlite {
    type Sql = SqliteQueryBuilder;
    const SQL: SqliteQueryBuilder = SqliteQueryBuilder;
    const DIALECT: Dialect = Dialect::Sqlite;
    const DEFERRED_FROM: u64 = 500;

    // Every index ends with the row's number, which an INTEGER PRIMARY KEY is a name of; and that is an index itself.
    const INDEXES: &str = "
        WITH number (name) AS (
            SELECT MAX(name) FROM pragma_table_info(?2, COALESCE(?1, 'main')) WHERE pk > 0
            HAVING COUNT(*) = 1 AND UPPER(MAX(type)) = 'INTEGER')
        SELECT list.name, COALESCE(part.name, (SELECT name FROM number), ''), part.desc
        FROM pragma_index_list(?2, COALESCE(?1, 'main')) AS list, pragma_index_xinfo(list.name, COALESCE(?1, 'main')) AS part
        WHERE NOT list.partial
        UNION ALL
        SELECT '', name, 0 FROM number";

    const EXPLAIN: Option<&str> = None;

    driver!();

    /// A limit is bound behind a plus: SQLite looks at a bare one to plan for it, and so plans the statement anew each
    /// time that one is bound.
    fn build(select: &SelectStatement) -> (String, Values) {
        let (sql, values) = select.build(SqliteQueryBuilder);
        (sql.replace(" LIMIT ?", " LIMIT +?"), values)
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

    /// SQLite compares values as they are stored, and the same moment can be stored as several texts. So a value that
    /// is not stored the one way that its type binds in is kept in both forms.
    fn part(row: &SqliteRow, column: &str, variant: Variant) -> sqlx::Result<Part> {
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

/// What the driver binds for a value, where that has one form only.
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

/// The values as they can be bound: SQLite has no integer above i64's, but a float in its place compares the same with
/// every integer there is.
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
