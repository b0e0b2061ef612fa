//! Rust values that a database cannot store, and so cannot compare with anything either.

#[cfg(feature = "postgres")]
use sea_query::OptionEnum;
use sea_query::Values;
#[cfg(feature = "chrono")]
use sea_query::prelude::chrono::{Datelike as _, NaiveDateTime};
#[cfg(feature = "time")]
use sea_query::prelude::time::{Date, PrimitiveDateTime, UtcOffset};

#[cfg(feature = "postgres")]
use crate::error::NUL;
use crate::error::Unstorable;
use crate::value::Value;

/// The values, if `unstorable` finds in none of them what the database cannot store.
pub(super) fn check(values: Values, unstorable: fn(&Value) -> Option<&'static str>) -> sqlx::Result<Values> {
    match values.0.iter().find_map(unstorable) {
        Some(what) => Err(sqlx::Error::Encode(Unstorable(what).into())),
        None => Ok(values),
    }
}

/// What MySQL cannot store in a value. The protocol has more years than that; MariaDB compares with them, and MySQL 9
/// fails.
#[cfg(feature = "mysql")]
pub(super) fn on_mysql(value: &Value) -> Option<&'static str> {
    let outside = day(value).is_some_and(|(year, _)| !(0..=9_999).contains(&year));
    outside.then_some("a date outside the years 0 to 9999")
}

/// What PostgreSQL cannot store in a value.
#[cfg(feature = "postgres")]
pub(super) fn on_postgres(value: &Value) -> Option<&'static str> {
    match value {
        Value::BigUnsigned(Some(number)) if i64::try_from(*number).is_err() => {
            Some("an integer above 9223372036854775807")
        }
        Value::Array(_, Some(values)) => values.iter().find_map(on_postgres),
        value if has_nul(value) => Some(NUL),
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

/// A year and a day in it. There is a year 0, as in chrono and time.
type Day = (i32, u32);

/// The first day of PostgreSQL's dates and timestamps, November 24 in the year 4714 BC.
#[cfg(feature = "postgres")]
const FIRST_DAY: Day = (-4713, 328);

/// The day of a date or a moment, in UTC.
fn day(value: &Value) -> Option<Day> {
    chrono_day(value).or_else(|| time_day(value))
}

/// The day of a value of chrono's.
#[cfg(feature = "chrono")]
fn chrono_day(value: &Value) -> Option<Day> {
    let date = match value {
        Value::ChronoDate(date) => *date,
        Value::ChronoDateTime(moment) => moment.map(|moment| moment.date()),
        _ => chrono_utc(value).map(|moment| moment.date()),
    };
    date.map(|date| (date.year(), date.ordinal()))
}

/// The moment of a value of chrono's with a time zone, in UTC.
#[cfg(feature = "chrono")]
fn chrono_utc(value: &Value) -> Option<NaiveDateTime> {
    match value {
        Value::ChronoDateTimeUtc(moment) => moment.map(|moment| moment.naive_utc()),
        Value::ChronoDateTimeLocal(moment) => moment.map(|moment| moment.naive_utc()),
        Value::ChronoDateTimeWithTimeZone(moment) => moment.map(|moment| moment.naive_utc()),
        _ => None,
    }
}

#[cfg(not(feature = "chrono"))]
fn chrono_day(_: &Value) -> Option<Day> {
    None
}

/// The day of a value of time's.
#[cfg(feature = "time")]
fn time_day(value: &Value) -> Option<Day> {
    time_date(value).map(|date| (date.year(), date.ordinal().into()))
}

/// The date of a value of time's, in UTC.
#[cfg(feature = "time")]
fn time_date(value: &Value) -> Option<Date> {
    match value {
        Value::TimeDate(date) => *date,
        Value::TimeDateTime(moment) => moment.map(PrimitiveDateTime::date),
        Value::TimeDateTimeWithTimeZone(moment) => Some(moment.as_ref()?.checked_to_offset(UtcOffset::UTC)?.date()),
        _ => None,
    }
}

#[cfg(not(feature = "time"))]
fn time_day(_: &Value) -> Option<Day> {
    None
}
