//! Moments in each form that SQLite has for them: as texts, as Unix time, as Julian days, and mixed.

use sea_query::prelude::chrono::{DateTime, FixedOffset, NaiveDateTime, Utc};
use sea_query::prelude::time::{OffsetDateTime, UtcOffset};

use super::{OfFixedOffset, bound, written};
use crate::values::models::*;

/// Offsets from UTC in whole minutes.
const OFFSETS: [i32; 8] = [0, 3_600, -3_600, 1_800, 20_700, -12_600, 86_340, -86_340];

/// Moments of a few days, with ties, and with fractions of several lengths.
fn moments() -> Vec<DateTime<Utc>> {
    let nanos = [0, 0, 500_000_000, 123_000_000, 123_456_000, 123_456_789, 1];
    (0..90_i64)
        .map(|n| {
            DateTime::from_timestamp(1_800_000_000 + n * n % 61 * 3_607, nanos[usize::try_from(n).unwrap() % 7])
                .unwrap()
        })
        .collect()
}

/// The moments in SQL, in one form.
fn in_sql(form: impl Fn(usize, &DateTime<Utc>) -> String) -> Vec<String> {
    moments().iter().enumerate().map(|(n, at)| form(n, at)).collect()
}

fn as_current_timestamp() -> Vec<String> {
    in_sql(|_, at| format!("datetime({}, 'unixepoch')", at.timestamp()))
}

fn as_iso_8601() -> Vec<String> {
    in_sql(|_, at| format!("strftime('%Y-%m-%dT%H:%M:%SZ', {}, 'unixepoch')", at.timestamp()))
}

fn as_unix_time() -> Vec<String> {
    in_sql(|_, at| at.timestamp().to_string())
}

fn as_julian_day() -> Vec<String> {
    in_sql(|_, at| format!("julianday({}, 'unixepoch')", at.timestamp()))
}

/// A column that several programs write to.
pub(super) fn in_mixed_forms() -> Vec<String> {
    in_sql(|n, at| {
        let format = match n % 8 {
            0 => "%Y-%m-%d %H:%M:%S",
            1 => "%Y-%m-%dT%H:%M:%SZ",
            2 => "%Y-%m-%dT%H:%M:%S%.f+00:00",
            3 => "%Y-%m-%d %H:%M:%S%.3f",
            4 => "%Y-%m-%d %H:%M",
            5 => "%Y-%m-%dT%H:%M",
            6 => "%Y-%m-%dT%H:%M:%S+02:00",
            _ => "%Y-%m-%dT%H:%M:%S-05:30",
        };
        format!("'{}'", at.format(format))
    })
}

/// The moments in mixed forms, and NULLs.
fn nullable() -> Vec<String> {
    [in_mixed_forms(), vec!["NULL".to_owned(); 9]].concat()
}

fn naive() -> Vec<NaiveDateTime> {
    moments().iter().map(DateTime::naive_utc).collect()
}

fn offset_moments() -> Vec<OffsetDateTime> {
    let nanos = |at: &DateTime<Utc>| i128::from(at.timestamp_nanos_opt().unwrap());
    moments().iter().map(|at| OffsetDateTime::from_unix_timestamp_nanos(nanos(at)).unwrap()).collect()
}

#[tokio::test]
async fn chrono_moments_in_each_form() {
    bound("TEXT NOT NULL", moments()).await.walks_by_hand::<OfUtc>().await;
    bound("DATETIME NOT NULL", moments()).await.walks_by_hand::<OfUtc>().await;
    for (declared, values) in [
        ("TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP", as_current_timestamp()),
        ("TIMESTAMP NOT NULL", as_current_timestamp()),
        ("TEXT NOT NULL", as_iso_8601()),
        ("INTEGER NOT NULL", as_unix_time()),
        ("REAL NOT NULL", as_julian_day()),
    ] {
        written(declared, &values).await.walks::<OfUtc>().await;
    }
    written("DATETIME", &nullable()).await.walks::<MaybeUtc>().await;
}

#[tokio::test]
async fn chrono_moments_in_mixed_forms() {
    let all = [as_unix_time(), as_iso_8601(), as_current_timestamp(), as_julian_day(), in_mixed_forms()].concat();
    for values in [in_mixed_forms(), all] {
        let table = written("DATETIME NOT NULL", &values).await;
        table.walks::<OfUtc>().await;
        table.walks::<OfLocal>().await;
        table.walks::<OfFixedOffset>().await;
        table.walks::<OfNaiveDateTime>().await;
    }
}

#[tokio::test]
async fn chrono_moments_with_offsets() {
    let zoned = moments().into_iter().zip(OFFSETS.iter().cycle());
    let zoned = zoned.map(|(at, offset)| at.with_timezone(&FixedOffset::east_opt(*offset).unwrap())).collect();
    bound("TEXT NOT NULL", zoned).await.walks_by_hand::<OfFixedOffset>().await;
}

#[tokio::test]
async fn chrono_dates_and_times() {
    bound("TEXT NOT NULL", naive()).await.walks_by_hand::<OfNaiveDateTime>().await;
    let dates = naive().iter().map(NaiveDateTime::date).collect();
    bound("DATE NOT NULL", dates).await.walks_by_hand::<OfNaiveDate>().await;
    let times = naive().iter().map(NaiveDateTime::time).collect();
    bound("TIME NOT NULL", times).await.walks_by_hand::<OfNaiveTime>().await;
    let dates = in_sql(|_, at| format!("date({}, 'unixepoch')", at.timestamp()));
    written("TEXT NOT NULL", &dates).await.walks::<OfNaiveDate>().await;
    let times = in_sql(|n, at| format!("'{}'", at.format(["%H:%M:%S", "%H:%M", "%H:%M:%S%.f"][n % 3])));
    written("TEXT NOT NULL", &times).await.walks::<OfNaiveTime>().await;
}

#[tokio::test]
async fn time_moments_in_each_form() {
    bound("TEXT NOT NULL", offset_moments()).await.walks_by_hand::<OfOffset>().await;
    let all = [as_unix_time(), as_iso_8601(), as_current_timestamp()].concat();
    for (declared, values) in [
        ("TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP", as_current_timestamp()),
        ("TEXT NOT NULL", as_iso_8601()),
        ("INTEGER NOT NULL", as_unix_time()),
        ("DATETIME NOT NULL", all),
    ] {
        let table = written(declared, &values).await;
        table.walks::<OfOffset>().await;
        table.walks::<OfPrimitive>().await;
    }
    written("DATETIME NOT NULL", &in_mixed_forms()).await.walks::<OfOffset>().await;
    written("DATETIME", &nullable()).await.walks::<MaybeOffset>().await;
}

#[tokio::test]
async fn time_moments_with_offsets() {
    let offsets = OFFSETS.iter().cycle().map(|offset| UtcOffset::from_whole_seconds(*offset).unwrap());
    let zoned = offset_moments().iter().zip(offsets).map(|(at, offset)| at.to_offset(offset)).collect();
    bound("DATETIME NOT NULL", zoned).await.walks_by_hand::<OfOffset>().await;
}

#[tokio::test]
async fn time_dates_and_times() {
    let dates = offset_moments().iter().map(|at| at.date()).collect();
    bound("DATE NOT NULL", dates).await.walks_by_hand::<OfDate>().await;
    let times = offset_moments().iter().map(|at| at.time()).collect();
    bound("TIME NOT NULL", times).await.walks_by_hand::<OfTime>().await;
    let times = ["'10:00'", "'10:00:00'", "'10:00:00.0'", "'09:59:59.999'", "'23:00'"];
    written("TEXT NOT NULL", &times).await.walks::<OfTime>().await;
}
