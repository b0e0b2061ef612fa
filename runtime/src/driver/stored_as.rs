//! [`StoredAs`]: how to find out what a column stores for a value that was not read from a row.
//!
//! A cursor of a page holds what the row had, so its boundary compares like the row. A key that a caller encodes, or
//! starts a page at, holds only a value of the field's type, and the column may store several values that read as it:
//! an `f32` field, for example, reads many values of a DOUBLE column as one.

#[cfg(all(feature = "postgres", any(feature = "chrono", feature = "time")))]
use folio_plan::value::Value;

/// What tells which value a column stores and compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoredAs {
    /// The value itself: every column stores it as it is bound.
    AsBound,
    /// The column's type.
    ByType,
    /// Only the row, because several values of the column may read as this one.
    ByRow,
}

/// A decimal with as many digits as `Decimal` holds may be rounded: sqlx reads a longer number as the nearest one,
/// without an error.
#[cfg(all(feature = "rust_decimal", any(feature = "postgres", feature = "mysql")))]
pub(super) fn of_decimal(number: &rust_decimal::Decimal) -> StoredAs {
    const FULL: u128 = 10_u128.pow(27);
    if number.scale() >= 28 || number.mantissa().unsigned_abs() >= FULL { StoredAs::ByRow } else { StoredAs::AsBound }
}

/// Whether a value is midnight, which drivers also read 24:00 as.
#[cfg(all(feature = "postgres", any(feature = "chrono", feature = "time")))]
pub(super) fn is_midnight(value: &Value) -> bool {
    match value {
        #[cfg(feature = "chrono")]
        Value::ChronoTime(time) => *time == Some(chrono::NaiveTime::MIN),
        #[cfg(feature = "time")]
        Value::TimeTime(time) => *time == Some(time::Time::MIDNIGHT),
        _ => false,
    }
}
