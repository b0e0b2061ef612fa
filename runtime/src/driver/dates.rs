//! The days and leap seconds of dates and times, of chrono's types and of time's.

use folio_plan::value::Value;

/// A year and a day in it. There is a year 0, as in chrono and time.
pub(super) type Day = (i32, u32);

/// What decides whether a database can store a date or a time.
pub(super) struct Moment {
    /// The day in UTC; `None` for a time of day.
    pub(super) day: Option<Day>,
    /// Whether it is within a leap second, which chrono has and time does not.
    pub(super) is_leap_second: bool,
}

/// The moment of a value; `None` if it is not a date or a time.
#[cfg(any(feature = "chrono", feature = "time"))]
pub(super) fn moment(value: &Value) -> Option<Moment> {
    #[cfg(feature = "chrono")]
    let chrono_moment = |date: Option<chrono::NaiveDate>, time: chrono::NaiveTime| {
        use chrono::{Datelike as _, Timelike as _};
        let day = date.map(|date| (date.year(), date.ordinal()));
        Moment { day, is_leap_second: time.nanosecond() >= 1_000_000_000 }
    };
    #[cfg(feature = "chrono")]
    let chrono_utc = |utc: chrono::NaiveDateTime| chrono_moment(Some(utc.date()), utc.time());
    #[cfg(feature = "time")]
    let time_date =
        |date: time::Date| Moment { day: Some((date.year(), date.ordinal().into())), is_leap_second: false };
    match value {
        #[cfg(feature = "chrono")]
        Value::ChronoDate(date) => date.map(|date| chrono_moment(Some(date), chrono::NaiveTime::MIN)),
        #[cfg(feature = "chrono")]
        Value::ChronoTime(time) => time.map(|time| chrono_moment(None, time)),
        #[cfg(feature = "chrono")]
        Value::ChronoDateTime(moment) => moment.map(chrono_utc),
        #[cfg(feature = "chrono")]
        Value::ChronoDateTimeUtc(moment) => moment.map(|moment| chrono_utc(moment.naive_utc())),
        #[cfg(feature = "chrono")]
        Value::ChronoDateTimeLocal(moment) => moment.map(|moment| chrono_utc(moment.naive_utc())),
        #[cfg(feature = "chrono")]
        Value::ChronoDateTimeWithTimeZone(moment) => moment.map(|moment| chrono_utc(moment.naive_utc())),
        #[cfg(feature = "time")]
        Value::TimeDate(date) => date.map(time_date),
        #[cfg(feature = "time")]
        Value::TimeDateTime(moment) => moment.map(|moment| time_date(moment.date())),
        #[cfg(feature = "time")]
        Value::TimeDateTimeWithTimeZone(moment) => {
            let utc = moment.and_then(|moment| moment.checked_to_offset(time::UtcOffset::UTC));
            utc.map(|utc| time_date(utc.date()))
        }
        _ => None,
    }
}

#[cfg(not(any(feature = "chrono", feature = "time")))]
pub(super) fn moment(_: &Value) -> Option<Moment> {
    None
}
