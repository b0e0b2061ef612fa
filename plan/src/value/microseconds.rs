//! Moments with more digits than a server stores.

use sea_query::Value;

/// The last moment that a server with microseconds can store before a value; `None` if it stores the value itself.
pub fn before(value: &Value) -> Option<Value> {
    match value {
        #[cfg(feature = "chrono")]
        Value::ChronoTime(Some(time)) => floor(time).map(Value::from),
        #[cfg(feature = "chrono")]
        Value::ChronoDateTime(Some(moment)) => floor(moment).map(Value::from),
        #[cfg(feature = "chrono")]
        Value::ChronoDateTimeUtc(Some(moment)) => floor(moment).map(Value::from),
        #[cfg(feature = "chrono")]
        Value::ChronoDateTimeLocal(Some(moment)) => floor(moment).map(Value::from),
        #[cfg(feature = "chrono")]
        Value::ChronoDateTimeWithTimeZone(Some(moment)) => floor(moment).map(Value::from),
        #[cfg(feature = "time")]
        Value::TimeTime(Some(time)) => time.replace_nanosecond(whole(time.nanosecond())?).ok().map(Value::from),
        #[cfg(feature = "time")]
        Value::TimeDateTime(Some(moment)) => {
            moment.replace_nanosecond(whole(moment.nanosecond())?).ok().map(Value::from)
        }
        #[cfg(feature = "time")]
        Value::TimeDateTimeWithTimeZone(Some(moment)) => {
            moment.replace_nanosecond(whole(moment.nanosecond())?).ok().map(Value::from)
        }
        _ => None,
    }
}

#[cfg(feature = "chrono")]
fn floor<T: chrono::Timelike>(moment: &T) -> Option<T> {
    moment.with_nanosecond(whole(moment.nanosecond())?)
}

/// The nanoseconds, rounded down to a microsecond; `None` if they are whole microseconds already.
#[cfg(any(feature = "chrono", feature = "time"))]
fn whole(nanoseconds: u32) -> Option<u32> {
    let rest = nanoseconds.checked_rem(1_000).filter(|rest| *rest > 0)?;
    nanoseconds.checked_sub(rest)
}
