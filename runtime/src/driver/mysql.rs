//! MySQL.

use sea_query::{SelectStatement, Values};
use sqlx::mysql::{MySqlConnection, MySqlRow};
use sqlx::{
    Column as _, ColumnIndex as _, Executor as _, MySql, Row as _, SqlSafeStr as _, Statement as _, TypeInfo as _,
    ValueRef as _,
};

use super::mysql_order::{self, refuse_duration, refuse_enum};
use super::{
    Driver, Form, Reader, Slot, arguments, column_error, decode, driver, get, unreadable, unsupported_variant,
};
use crate::cursor::{Part, Stored};
use crate::dialect::Dialect;
use crate::dialect::catalog::TableInfo;
use crate::model::table::Table;
use crate::query::template::BoundSql;
use crate::value::{CursorValue as _, Value, Variant, is_null};

impl Driver for MySql {
    const DIALECT: Dialect = Dialect::MySql;

    // sqlx's driver takes the rest of an answer for the answer to the next statement, or waits forever.
    const BREAKS_ON_CANCEL: bool = true;

    driver!();

    async fn table_info(connection: &mut MySqlConnection, table: &Table) -> sqlx::Result<TableInfo> {
        super::mysql_catalog::table_info(connection, table).await
    }

    // ER_KEY_DOES_NOT_EXITS, as the server spells it.
    fn is_missing_index(error: &sqlx::Error) -> bool {
        let number = |error: &sqlx::mysql::MySqlDatabaseError| error.number();
        let error = error.as_database_error().and_then(|error| error.try_downcast_ref());
        error.map(number) == Some(1176)
    }

    // The plan has a line for each table that is read. Only a plan with one line has a usable estimate.
    fn planned(plan: &[MySqlRow]) -> Option<u64> {
        let [line] = plan else { return None };
        // MariaDB writes the number as text, or NULL if it knows that there are no rows.
        let rows = match line.try_get::<Option<u64>, _>("rows") {
            Ok(rows) => rows.unwrap_or(0),
            Err(_) => line.try_get::<Option<String>, _>("rows").ok()?.map_or(Ok(0), |rows| rows.parse()).ok()?,
        };
        // The percentage that the conditions leave. MariaDB does not have it.
        let left = line.try_get::<Option<f64>, _>("filtered").ok().flatten().unwrap_or(100.0);
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an estimate, and a float becomes the nearest number that there is"
        )]
        Some((rows as f64 * left / 100.0) as u64)
    }

    fn read<T>(reader: &Reader<T>, row: &MySqlRow) -> sqlx::Result<T> {
        let Some(read) = reader.mysql else {
            return Err(unreadable::<Self, T>((reader.fields)(), |field| field.mysql));
        };
        read(row)
    }

    /// Asks for the types of the columns with a statement that is prepared once for each connection and never run.
    async fn check_column(
        connection: &mut MySqlConnection,
        select: &SelectStatement,
        column: &str,
    ) -> sqlx::Result<()> {
        let (sql, _) = Self::DIALECT.render(select, |_| None);
        let statement = connection.prepare(sqlx::AssertSqlSafe(sql).into_sql_str()).await?;
        let found = statement.columns().iter().find(|found| found.name() == column);
        found.map_or(Ok(()), |found| refuse_enum(found.type_info(), column))
    }

    fn part(row: &MySqlRow, slot: Slot<'_>, variant: Variant) -> sqlx::Result<Part> {
        let Slot { name: column, .. } = slot;
        let at = column.index(row)?;
        refuse_enum(&row.try_get_raw(at)?.type_info(), column)?;
        refuse_duration(row, at, column)?;
        let value = decode!(MySql, row, at, column, variant, {
            TinyInt: i8,
            TinyUnsigned: u8,
            SmallUnsigned: u16,
            Unsigned: u32,
            BigUnsigned: u64,
            #[cfg(feature = "rust_decimal")]
            Decimal: rust_decimal::Decimal,
            #[cfg(feature = "bigdecimal")]
            BigDecimal: bigdecimal::BigDecimal,
        })?;
        mysql_order::check(row, slot, &value)?;
        let stored = stored(row, at, &value)?.map(|value| Stored { value, cast: None });
        Ok(Part { value, stored })
    }

    fn form(value: &Value) -> Form {
        match value {
            value if is_null(value) => Form::Exact,
            // A DOUBLE has more than an `f32`, a number more than a `bool`, and a TIME has durations.
            Value::Float(_) | Value::Bool(_) => Form::Stored,
            #[cfg(feature = "chrono")]
            Value::ChronoTime(_) => Form::Stored,
            #[cfg(feature = "time")]
            Value::TimeTime(_) => Form::Stored,
            #[cfg(feature = "rust_decimal")]
            Value::Decimal(Some(number)) => super::form::of_decimal(number),
            // Some types of texts and moments are refused.
            Value::String(_) | Value::Bytes(_) => Form::Typed,
            #[cfg(feature = "chrono")]
            Value::ChronoDateTimeUtc(_) | Value::ChronoDateTimeLocal(_) => Form::Typed,
            #[cfg(feature = "time")]
            Value::TimeDateTimeWithTimeZone(_) => Form::Typed,
            _ => Form::Exact,
        }
    }

    fn doubt(row: &MySqlRow, slot: Slot<'_>, value: &Value) -> sqlx::Result<Option<&'static str>> {
        Ok(mysql_order::is_lossy(row, slot, value)?.then_some(mysql_order::LOSSY))
    }

    fn typed(row: &MySqlRow, slot: Slot<'_>, value: &Value) -> sqlx::Result<Option<Part>> {
        refuse_enum(&row.try_get_raw(slot.name.index(row)?)?.type_info(), slot.name)?;
        mysql_order::check(row, slot, value)?;
        if mysql_order::is_lossy(row, slot, value)? {
            return Err(column_error(slot.name, mysql_order::LOSSY));
        }
        Ok(Some(Part::plain(value.clone())))
    }
}

/// The value as the column stores it, if its Rust type stores less.
fn stored(row: &MySqlRow, at: usize, value: &Value) -> sqlx::Result<Option<Value>> {
    match value {
        Value::Float(Some(_)) if row.try_get_raw(at)?.type_info().name() == "DOUBLE" => {
            Ok(Some(row.try_get_unchecked::<f64, _>(at)?.into_value()))
        }
        // Any number but 0 is true.
        Value::Bool(Some(_)) => {
            let unsigned = row.try_get::<u64, _>(at).map(u64::into_value);
            Ok(Some(unsigned.or_else(|_| row.try_get::<i64, _>(at).map(i64::into_value))?))
        }
        #[cfg(feature = "rust_decimal")]
        Value::Decimal(Some(number)) => {
            let text: String = row.try_get_unchecked(at)?;
            let exact = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
            if rust_decimal::Decimal::from_str_exact(exact).is_ok_and(|exact| exact == *number) {
                return Ok(None);
            }
            Err(column_error(row.column(at).name(), super::TOO_MANY_DIGITS))
        }
        _ => Ok(None),
    }
}

/// The values: MySQL has a type for each.
#[expect(clippy::unnecessary_wraps, reason = "other drivers refuse here")]
fn representable(values: Values) -> sqlx::Result<Values> {
    Ok(values)
}
