//! PostgreSQL.

use sea_query::{PostgresQueryBuilder, SelectStatement, Values};
use sqlx::Postgres;
use sqlx::postgres::PgRow;

use super::{Driver, Reader, decode, driver, get, lacking};
use crate::cursor::Part;
use crate::keyset::Dialect;
use crate::value::Variant;

impl Driver for Postgres {
    const DIALECT: Dialect = Dialect::Postgres;

    driver!(postgres, PostgresQueryBuilder);

    fn part(row: &PgRow, column: &str, variant: Variant) -> sqlx::Result<Part> {
        let value = decode!(row, column, variant, {
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
        })?;
        Ok(Part { value, stored: None })
    }
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
