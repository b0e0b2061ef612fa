//! How to bind a value that was not read from a row in the form in which its column compares it.

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

/// The form of a decimal. One with as many digits as `Decimal` holds may be rounded.
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
