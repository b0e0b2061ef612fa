//! Rust values that a database cannot store, and so cannot compare with anything either.

use folio_core::value::Value;
#[cfg(any(feature = "sqlite", feature = "mysql"))]
use folio_core::value::is_nan;
#[cfg(feature = "postgres")]
use sea_query::OptionEnum;
use sea_query::Values;

#[cfg(feature = "postgres")]
use super::dates::Day;
#[cfg(any(feature = "postgres", feature = "mysql"))]
use super::dates::{day, is_leap_second};
#[cfg(feature = "postgres")]
use crate::error::NUL;
use crate::error::Refusal;

/// The values, if `unstorable` finds in none of them what the database cannot store.
pub(super) fn check(values: Values, unstorable: fn(&Value) -> Option<&'static str>) -> sqlx::Result<Values> {
    match values.0.iter().find_map(unstorable) {
        Some(what) => Err(sqlx::Error::Encode(Refusal::Unstorable(what).into())),
        None => Ok(values),
    }
}

/// What MySQL cannot store in a value. The protocol has more years than that; MariaDB compares with them, and MySQL 9
/// fails. A leap second equals 24:00:00 on MariaDB.
#[cfg(feature = "mysql")]
pub(super) fn on_mysql(value: &Value) -> Option<&'static str> {
    match value {
        value if is_nan(value) => Some(NAN),
        value if is_leap_second(value) => Some(LEAP_SECOND),
        _ => {
            let outside = day(value).is_some_and(|(year, _)| !(0..=9_999).contains(&year));
            outside.then_some("a date outside the years 0 to 9999")
        }
    }
}

/// What SQLite cannot store in a value. It would store NULL in place of NaN.
#[cfg(feature = "sqlite")]
pub(super) fn on_sqlite(value: &Value) -> Option<&'static str> {
    is_nan(value).then_some(NAN)
}

#[cfg(any(feature = "sqlite", feature = "mysql"))]
const NAN: &str = "NaN";
#[cfg(any(feature = "postgres", feature = "mysql"))]
const LEAP_SECOND: &str = "a leap second";

/// What PostgreSQL cannot store in a value.
#[cfg(feature = "postgres")]
pub(super) fn on_postgres(value: &Value) -> Option<&'static str> {
    match value {
        Value::BigUnsigned(Some(number)) if i64::try_from(*number).is_err() => {
            Some("an integer above 9223372036854775807")
        }
        Value::Array(_, Some(values)) => values.iter().find_map(on_postgres),
        value if has_nul(value) => Some(NUL),
        // As the server itself, the driver would send the second after it.
        value if is_leap_second(value) => Some(LEAP_SECOND),
        _ => day(value).filter(|day| *day < FIRST_DAY).map(|_| "a date before 4714-11-24 BC"),
    }
}

/// Whether the text of a value has a NUL character.
#[cfg(feature = "postgres")]
fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(Some(text)) => text.contains('\0'),
        Value::Enum(OptionEnum::Some(text)) => text.value.contains('\0'),
        Value::Char(Some(char)) => *char == '\0',
        #[cfg(feature = "json")]
        Value::Json(Some(json)) => json_has_nul(json),
        _ => false,
    }
}

/// Whether a text in a JSON value has a NUL character.
#[cfg(all(feature = "postgres", feature = "json"))]
fn json_has_nul(json: &serde_json::Value) -> bool {
    use serde_json::Value as Json;
    match json {
        Json::String(text) => text.contains('\0'),
        Json::Array(values) => values.iter().any(json_has_nul),
        Json::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || json_has_nul(value)),
        _ => false,
    }
}

/// The first day of PostgreSQL's dates and timestamps, November 24 in the year 4714 BC.
#[cfg(feature = "postgres")]
const FIRST_DAY: Day = (-4713, 328);
