//! The days and leap seconds of dates and times, of chrono's types and of time's.

use folio_core::value::Value;
#[cfg(feature = "chrono")]
use sea_query::prelude::chrono::{Datelike as _, NaiveDateTime, Timelike as _};
#[cfg(feature = "time")]
use sea_query::prelude::time::UtcOffset;

/// A year and a day in it. There is a year 0, as in chrono and time.
pub(super) type Day = (i32, u32);

/// The day of a date or a moment, in UTC.
pub(super) fn day(value: &Value) -> Option<Day> {
    chrono_day(value).or_else(|| time_day(value))
}

#[cfg(feature = "chrono")]
fn chrono_day(value: &Value) -> Option<Day> {
    let date = match value {
        Value::ChronoDate(date) => *date,
        Value::ChronoDateTime(moment) => moment.map(|moment| moment.date()),
        _ => chrono_utc(value).map(|moment| moment.date()),
    };
    date.map(|date| (date.year(), date.ordinal()))
}

/// Whether a value is a leap second, which chrono has and time does not.
#[cfg(feature = "chrono")]
pub(super) fn is_leap_second(value: &Value) -> bool {
    let time = match value {
        Value::ChronoTime(time) => *time,
        Value::ChronoDateTime(moment) => moment.map(|moment| moment.time()),
        _ => chrono_utc(value).map(|moment| moment.time()),
    };
    time.is_some_and(|time| time.nanosecond() >= 1_000_000_000)
}

#[cfg(not(feature = "chrono"))]
pub(super) fn is_leap_second(_: &Value) -> bool {
    false
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

#[cfg(feature = "time")]
fn time_day(value: &Value) -> Option<Day> {
    let date = match value {
        Value::TimeDate(date) => (*date)?,
        Value::TimeDateTime(moment) => moment.as_ref()?.date(),
        Value::TimeDateTimeWithTimeZone(moment) => moment.as_ref()?.checked_to_offset(UtcOffset::UTC)?.date(),
        _ => return None,
    };
    Some((date.year(), date.ordinal().into()))
}

#[cfg(not(feature = "time"))]
fn time_day(_: &Value) -> Option<Day> {
    None
}
