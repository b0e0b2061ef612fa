//! PostgreSQL.

use std::panic::AssertUnwindSafe;

use sea_query::Values;
use sqlx::postgres::{PgColumn, PgConnection, PgDatabaseError, PgPool, PgRow, PgTypeKind};
use sqlx::{Column as _, ColumnIndex as _, ConnectOptions as _, Postgres, Row as _, TypeInfo as _, ValueRef as _};

use super::beyond::{BEYOND, is_far, unheld};
use super::{
    Driver, Form, Reader, Slot, arguments, column_error, decode, driver, get, unreadable, unsupported_variant,
};
use crate::cursor::{Part, Stored};
use crate::dialect::Dialect;
use crate::dialect::catalog::TableInfo;
use crate::model::table::Table;
use crate::query::template::BoundSql;
use crate::value::{CursorValue as _, Value, Variant, is_null};

impl Driver for Postgres {
    const DIALECT: Dialect = Dialect::Postgres;

    driver!();

    async fn table_info(connection: &mut PgConnection, table: &Table) -> sqlx::Result<TableInfo> {
        super::postgres_catalog::table_info(connection, table).await
    }

    // A value that an enum has lost or a domain refuses, or a type that no longer exists. A cast of the caller's own also
    // fails on the first page, which has no cursor.
    fn refuses_boundary(error: &sqlx::Error) -> bool {
        let error = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
        error.is_some_and(|error| {
            let routines = [("22P02", "enum_in"), ("23514", "ExecEvalConstraintCheck"), ("42704", "typenameType")];
            routines.into_iter().any(|routine| routine == (error.code(), error.routine().unwrap_or_default()))
        })
    }

    fn planned(plan: &[PgRow]) -> Option<u64> {
        // JSON is sent as its text.
        let text: String = plan.first()?.try_get_unchecked(0).ok()?;
        let plan: serde_json::Value = serde_json::from_str(&text).ok()?;
        plan.pointer("/0/Plan/Plan Rows")?.as_u64()
    }

    // The options tell how many statements are kept in their URL only.
    fn names_statements(pool: &PgPool) -> bool {
        let url = pool.connect_options().to_url_lossy();
        !url.query_pairs().any(|(name, value)| name == "statement-cache-capacity" && value == "0")
    }

    fn read<T>(reader: &Reader<T>, row: &PgRow) -> sqlx::Result<T> {
        let Some(read) = reader.postgres else {
            return Err(unreadable::<Self, T>((reader.fields)(), |field| field.postgres));
        };
        guarded(|| read(row)).unwrap_or_else(|| Err(column_error(far_column(row), BEYOND)))
    }

    fn part(row: &PgRow, Slot { name: column, .. }: Slot<'_>, variant: Variant) -> sqlx::Result<Part> {
        let at = column.index(row)?;
        if let Some(why) = unheld(&row.try_get_raw(at)?, variant) {
            return Err(column_error(column, why));
        }
        let value = guarded(|| value(row, at, column, variant)).unwrap_or_else(|| Err(column_error(column, BEYOND)))?;
        Ok(match cast(row, at, variant)? {
            Some(cast) => Part { stored: Some(Stored { value: value.clone(), cast: Some(cast) }), value },
            None => Part::plain(value),
        })
    }

    fn form(value: &Value) -> Form {
        match value {
            value if is_null(value) => Form::Exact,
            Value::String(_) => Form::Typed,
            #[cfg(feature = "rust_decimal")]
            Value::Decimal(Some(number)) => super::form::of_decimal(number),
            #[cfg(any(feature = "chrono", feature = "time"))]
            value if super::form::is_midnight(value) => Form::Stored,
            _ => Form::Exact,
        }
    }

    fn typed(row: &PgRow, slot: Slot<'_>, value: &Value) -> sqlx::Result<Option<Part>> {
        let stored = cast(row, slot.name.index(row)?, Variant::String)?;
        let stored = stored.map(|cast| Stored { value: value.clone(), cast: Some(cast) });
        Ok(Some(Part { value: value.clone(), stored }))
    }
}

/// The value of a key's column.
fn value(row: &PgRow, at: usize, column: &str, variant: Variant) -> sqlx::Result<Value> {
    if variant == Variant::String && matches!(row.try_get_raw(at)?.type_info().kind(), PgTypeKind::Enum(_)) {
        // A value of an enum. sqlx reads it as text only if the type is declared.
        return Ok(row.try_get_unchecked::<Option<String>, _>(at)?.into_value());
    }
    decode!(Postgres, row, at, column, variant, {
        #[cfg(feature = "chrono")]
        ChronoDateTimeWithTimeZone: chrono::DateTime<chrono::FixedOffset>,
        #[cfg(feature = "rust_decimal")]
        Decimal: rust_decimal::Decimal,
        #[cfg(feature = "bigdecimal")]
        BigDecimal: bigdecimal::BigDecimal,
    })
}

/// What `decode` returns; `None` if it panics. PostgreSQL's dates and times reach `infinity`, and sqlx computes with
/// them without checking what chrono and time support.
fn guarded<T>(decode: impl FnOnce() -> T) -> Option<T> {
    std::panic::catch_unwind(AssertUnwindSafe(decode)).ok()
}

/// The column on which sqlx panicked: the first one whose date or time is out of range.
fn far_column(row: &PgRow) -> &str {
    let is_far = |column: &&PgColumn| row.try_get_raw(column.ordinal()).is_ok_and(|raw| is_far(&raw));
    row.columns().iter().find(is_far).map_or("?", |column| column.name())
}

/// The type that a text has to be cast to, because as `text` it would compare by other rules than its column, or not at
/// all.
fn cast(row: &PgRow, at: usize, variant: Variant) -> sqlx::Result<Option<String>> {
    if variant != Variant::String {
        return Ok(None);
    }
    let raw = row.try_get_raw(at)?;
    Ok(match raw.type_info().name() {
        "TEXT" => None,
        // The plain name of this type means one character.
        "CHAR" => Some("bpchar".to_owned()),
        other => Some(other.to_owned()),
    })
}

/// The values, none of them beyond what PostgreSQL's integers hold.
fn representable(values: Values) -> sqlx::Result<Values> {
    let beyond = |value: &Value| matches!(value, Value::BigUnsigned(Some(number)) if i64::try_from(*number).is_err());
    if values.0.iter().any(beyond) {
        return Err(sqlx::Error::Encode(
            "PostgreSQL has no integer above 9223372036854775807: compare with a decimal".into(),
        ));
    }
    Ok(values)
}
