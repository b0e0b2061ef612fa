//! How to bind a value that was not read from a row in the form in which its column compares it.
//!
//! A cursor of a page holds what the row had, so its boundary compares like the row. A key that a caller encodes, or
//! starts a page at, holds only a value of the field's type, and the column may hold several values that read as it. An
//! `f32` field, for example, reads many values of a DOUBLE column as one. [`Form`] says which values are known to
//! compare as they bind, and what to ask the database for the others.

#[cfg(all(feature = "postgres", any(feature = "chrono", feature = "time")))]
use crate::value::Value;

/// How a value gets the form in which its column compares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Every column compares it in the form in which its type binds.
    Exact,
    /// The form depends on the column's type.
    Typed,
    /// Only the row shows it, because several values of the column may read as this one.
    Stored,
}

/// The form of a decimal. One with as many digits as `Decimal` holds may be rounded: sqlx reads a longer number as the
/// nearest one, without an error.
#[cfg(all(feature = "rust_decimal", any(feature = "postgres", feature = "mysql")))]
pub(super) fn of_decimal(number: &rust_decimal::Decimal) -> Form {
    const FULL: u128 = 10_u128.pow(27);
    if number.scale() >= 28 || number.mantissa().unsigned_abs() >= FULL { Form::Stored } else { Form::Exact }
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
