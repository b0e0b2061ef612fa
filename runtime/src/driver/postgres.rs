//! PostgreSQL.

use std::panic::AssertUnwindSafe;

use sea_query::{PostgresQueryBuilder, SelectStatement, Values};
use sqlx::postgres::{PgPool, PgRow};
use sqlx::{ConnectOptions as _, Postgres, Row as _, TypeInfo as _, ValueRef as _};

use super::{Driver, Reader, arguments, decode, driver, get, lacking};
use crate::cursor::{Part, Stored};
use crate::keyset::Dialect;
use crate::value::Variant;

impl Driver for Postgres {
    const DIALECT: Dialect = Dialect::Postgres;
    const DEFERRED_FROM: u64 = 200;

    driver!(PostgresQueryBuilder);

    // The options tell how many statements are kept in their URL only.
    fn names_statements(pool: &PgPool) -> bool {
        let url = pool.connect_options().to_url_lossy();
        !url.query_pairs().any(|(name, value)| name == "statement-cache-capacity" && value == "0")
    }

    fn read<T>(reader: &Reader<T>, row: &PgRow) -> sqlx::Result<T> {
        guarded(|| (reader.postgres)(row))
    }

    fn part(row: &PgRow, column: &str, variant: Variant) -> sqlx::Result<Part> {
        let value = guarded(|| {
            decode!(row, column, variant, {
                Bool: bool,
                SmallInt: i16,
                Int: i32,
                BigInt: i64,
                Float: f32,
                Double: f64,
                String: String,
                Bytes: Vec<u8>,
                #[cfg(feature = "uuid")]
                Uuid: uuid::Uuid,
                #[cfg(feature = "chrono")]
                ChronoDate: chrono::NaiveDate,
                #[cfg(feature = "chrono")]
                ChronoTime: chrono::NaiveTime,
                #[cfg(feature = "chrono")]
                ChronoDateTime: chrono::NaiveDateTime,
                #[cfg(feature = "chrono")]
                ChronoDateTimeUtc: chrono::DateTime<chrono::Utc>,
                #[cfg(feature = "chrono")]
                ChronoDateTimeLocal: chrono::DateTime<chrono::Local>,
                #[cfg(feature = "chrono")]
                ChronoDateTimeWithTimeZone: chrono::DateTime<chrono::FixedOffset>,
                #[cfg(feature = "time")]
                TimeDate: time::Date,
                #[cfg(feature = "time")]
                TimeTime: time::Time,
                #[cfg(feature = "time")]
                TimeDateTime: time::PrimitiveDateTime,
                #[cfg(feature = "time")]
                TimeDateTimeWithTimeZone: time::OffsetDateTime,
                #[cfg(feature = "rust_decimal")]
                Decimal: rust_decimal::Decimal,
                #[cfg(feature = "bigdecimal")]
                BigDecimal: bigdecimal::BigDecimal,
            })
        })?;
        Ok(match cast(row, column, variant)? {
            Some(cast) => Part { stored: Some(Stored { value: value.clone(), cast: Some(cast) }), value },
            None => Part::plain(value),
        })
    }
}

/// An error for what sqlx panics at: PostgreSQL's dates and times go on to `infinity`, beyond what chrono and time hold.
fn guarded<T>(decode: impl FnOnce() -> sqlx::Result<T>) -> sqlx::Result<T> {
    std::panic::catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(|_| {
        Err(sqlx::Error::Decode(
            "a value is outside of what its type in Rust can hold, such as a timestamp `infinity`".into(),
        ))
    })
}

/// The type that a text has to be cast to: as `text` it would compare by other rules than its column, or not at all.
fn cast(row: &PgRow, column: &str, variant: Variant) -> sqlx::Result<Option<String>> {
    if variant != Variant::String {
        return Ok(None);
    }
    let raw = row.try_get_raw(column)?;
    Ok(match raw.type_info().name() {
        "TEXT" => None,
        // The plain name of this type means one character.
        "CHAR" => Some("bpchar".to_owned()),
        other => Some(other.to_owned()),
    })
}

/// The values, none of them beyond what PostgreSQL's integers hold.
fn representable(values: Values) -> sqlx::Result<Values> {
    let beyond = |value: &sea_query::Value| matches!(value, sea_query::Value::BigUnsigned(Some(number)) if i64::try_from(*number).is_err());
    if values.0.iter().any(beyond) {
        return Err(sqlx::Error::Encode(
            "PostgreSQL has no integer above 9223372036854775807: compare with a decimal".into(),
        ));
    }
    Ok(values)
}
