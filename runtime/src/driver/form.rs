//! What it takes to bind a value, which only Rust has seen, in the form in which its column compares it.

#[cfg(all(feature = "postgres", any(feature = "chrono", feature = "time")))]
use crate::value::Value;

/// How a value gets the form in which its column compares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Its type binds in the one form that every column has it in.
    Exact,
    /// The column's type decides.
    Typed,
    /// Only the row has it: several values of the column may read as this one.
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
