//! SQLite, where each value has its own storage class, whatever type its column declares.
//!
//! SQLite compares what is stored: first by storage class (NULL, then numbers, texts and blobs), then within it, texts
//! byte by byte (<https://sqlite.org/datatype3.html>, "Sort Order"). It has no types for dates, UUIDs or booleans. sqlx
//! reads several spellings of a date, and writes one. So a boundary keeps the stored value in addition to the one of
//! the field's type.

use folio_plan::boundary::{BoundaryValue, Stored};
use folio_plan::dialect::Dialect;
use folio_plan::dialect::catalog::TableInfo;
use folio_plan::schema::table::Table;
use folio_plan::statement::template::{BoundSql, CallerValues};
use folio_plan::value::{Value, Variant, integer, is_nan, is_null};
use sea_query::Values;
use sqlx::error::BoxDynError;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{ColumnIndex as _, Row as _, Sqlite, TypeInfo as _, ValueRef as _};

use super::errors::NAN;
#[cfg(feature = "testing")]
use super::plan::{self, Plan, Sorts};
use super::{
    AnyRow, Catalog, Driver, DriverFacts, Failure, ResultColumn, ResultRow, RowSink, SentValue, Session, StoredAs,
    decode, driver, encode, get, unsupported_variant_error,
};
use crate::bind::CallerValue;
use crate::value::CursorValue as _;

impl Driver for Sqlite {
    const DIALECT: Dialect = Dialect::Sqlite;

    const FACTS: DriverFacts = DriverFacts {
        breaks_on_cancel: false,
        // SQLite prepares a statement again by itself, but sqlx keeps the names that it had before. If a row then has
        // more columns than names, sqlx panics in the thread of the connection.
        keeps_column_names: true,
        loses_statements: false,
        retries_reads: false,
        may_lack_autocommit: false,
        reads_in_session_zone: false,
        hides_refused_characters: false,
        limited: None,
    };

    driver!(CallerValue::add_to_sqlite);

    async fn table_info(session: Session<'_, Self>, table: &Table) -> sqlx::Result<TableInfo> {
        super::sqlite_catalog::table_info(Catalog { session, table }).await
    }

    fn adapt(value: &mut Value) -> Result<(), &'static str> {
        if is_nan(value) {
            return Err(NAN);
        }
        // SQLite has no integers above `i64::MAX`. A float compares the same with every integer that it has.
        if let Value::BigUnsigned(Some(number)) = *value
            && i64::try_from(number).is_err()
        {
            #[expect(clippy::cast_precision_loss, reason = "any number above i64's will do")]
            let float = number as f64;
            *value = Value::Double(Some(float));
        }
        Ok(())
    }

    fn classify(error: &sqlx::Error) -> Option<Failure> {
        match &*error.as_database_error()?.code()? {
            // SQLITE_INTERRUPT.
            "9" => Some(Failure::OutOfTime),
            // SQLITE_BUSY and SQLITE_BUSY_SNAPSHOT: another connection is writing, or has written since the transaction's
            // first read.
            "5" | "517" => Some(Failure::Conflict),
            _ => None,
        }
    }

    #[cfg(feature = "testing")]
    async fn plan(session: Session<'_, Self>, select: &BoundSql) -> sqlx::Result<Plan> {
        let rows = plan::explained::<Self>(session, "EXPLAIN QUERY PLAN", select).await?;
        let steps: Vec<(i64, i64, String)> = rows
            .iter()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(3)?)))
            .collect::<sqlx::Result<_>>()?;
        // Such as `folio_0`, which folio limits to the rows of a page.
        let is_limited = |name: &str| name.strip_prefix("folio_").is_some_and(|number| number.parse::<u32>().is_ok());
        let reads_rows = |step: &str| {
            let mut words = step.split(' ');
            matches!(words.next(), Some("SCAN" | "SEARCH")) && words.next().is_some_and(|name| !is_limited(name))
        };
        let of_step = |(_, level, step): &(i64, i64, String)| {
            let sorts_rows = steps.iter().any(|(_, other, step)| other == level && reads_rows(step));
            match step.strip_prefix("USE TEMP B-TREE FOR ") {
                Some("ORDER BY") if sorts_rows => Sorts::Rows,
                // "LAST TERM OF ORDER BY" or "LAST 2 TERMS OF ORDER BY".
                Some(terms) if sorts_rows && terms.ends_with("ORDER BY") => Sorts::Ties,
                _ => Sorts::Nothing,
            }
        };
        let sorts = steps.iter().map(of_step).max().unwrap_or(Sorts::Nothing);
        let depth = |parent: i64| {
            let above = |id: &i64| steps.iter().find(|(own, ..)| own == id).map(|(_, parent, _)| *parent);
            std::iter::successors(above(&parent), above).count()
        };
        let lines = steps.iter().map(|(_, parent, step)| format!("{}{step}", "  ".repeat(depth(*parent)))).collect();
        Ok(Plan { sql: select.sql.to_string(), lines, sorts })
    }

    fn decode_into(rows: &mut dyn RowSink, row: &ResultRow<SqliteRow>) -> sqlx::Result<()> {
        rows.add(AnyRow::Sqlite(row))
    }

    /// SQLite compares values as they are stored, and one moment can be stored as different texts. A value that is
    /// stored in another form than its type binds is therefore kept in both forms.
    fn boundary_value(
        row: &SqliteRow,
        ResultColumn { name: column, .. }: ResultColumn<'_>,
        variant: Variant,
    ) -> sqlx::Result<SentValue> {
        let Some(stored) = stored(row, column)? else {
            return Ok(SentValue { value: BoundaryValue::plain(variant.null()), inexact: None });
        };
        let value = Self::value(row, column, variant)?;
        let is_same = bound_as(&value).as_ref() == Some(&stored);
        let stored = (!is_same).then_some(Stored { value: stored, read_as: None });
        Ok(SentValue { value: BoundaryValue { value, stored }, inexact: None })
    }

    fn value(row: &SqliteRow, column: &str, variant: Variant) -> sqlx::Result<Value> {
        let at = column.index(row)?;
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

fn bind(value: Value, arguments: &mut SqliteArguments) -> Result<(), BoxDynError> {
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

/// The value in its storage class; `None` for NULL.
fn stored(row: &SqliteRow, column: &str) -> sqlx::Result<Option<Value>> {
    let at = column.index(row)?;
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
