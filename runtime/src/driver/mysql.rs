//! MySQL.

use sea_query::{MysqlQueryBuilder, SelectStatement, Values};
use sqlx::mysql::MySqlRow;
use sqlx::{MySql, Row as _, TypeInfo as _, ValueRef as _};

use super::{Driver, Reader, arguments, decode, driver, get, lacking};
use crate::cursor::Part;
use crate::keyset::Dialect;
use crate::value::Variant;

impl Driver for MySql {
    const DIALECT: Dialect = Dialect::MySql;
    const DEFERRED_FROM: u64 = 200;

    driver!(MysqlQueryBuilder);

    fn read<T>(reader: &Reader<T>, row: &MySqlRow) -> sqlx::Result<T> {
        (reader.mysql)(row)
    }

    fn part(row: &MySqlRow, column: &str, variant: Variant) -> sqlx::Result<Part> {
        refuse_enum(row, column)?;
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
        Ok(Part::plain(value))
    }
}

/// Refuses an ENUM or SET: it is sorted by its number and compared by its text, so a walk by it would lose rows.
fn refuse_enum(row: &MySqlRow, column: &str) -> sqlx::Result<()> {
    let raw = row.try_get_raw(column)?;
    let kind = raw.type_info();
    if matches!(kind.name(), "ENUM" | "SET") {
        let source =
            format!("a walk cannot go by {}: it is sorted by its number, but compared by its text", kind.name());
        return Err(sqlx::Error::ColumnDecode { index: format!("{column:?}"), source: source.into() });
    }
    Ok(())
}

/// The values: MySQL has a type for each.
#[expect(clippy::unnecessary_wraps, reason = "other drivers refuse here")]
fn representable(values: Values) -> sqlx::Result<Values> {
    Ok(values)
}
