//! MySQL.

use sea_query::{MysqlQueryBuilder, SelectStatement, Values};
use sqlx::MySql;
use sqlx::mysql::MySqlRow;

use super::{Driver, Reader, decode, driver, get, lacking};
use crate::cursor::Part;
use crate::keyset::Dialect;
use crate::value::Variant;

impl Driver for MySql {
    const DIALECT: Dialect = Dialect::MySql;

    driver!(mysql, MysqlQueryBuilder);

    fn part(row: &MySqlRow, column: &str, variant: Variant) -> sqlx::Result<Part> {
        let value = decode!(row, column, variant, {
            Bool: bool,
            TinyInt: i8,
            SmallInt: i16,
            Int: i32,
            BigInt: i64,
            TinyUnsigned: u8,
            SmallUnsigned: u16,
            Unsigned: u32,
            BigUnsigned: u64,
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

/// The values: MySQL has a type for each.
#[expect(clippy::unnecessary_wraps, reason = "other drivers refuse here")]
fn representable(values: Values) -> sqlx::Result<Values> {
    Ok(values)
}
