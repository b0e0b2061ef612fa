//! Dates, times and moments.

use sea_query::prelude::chrono::{
    DateTime, FixedOffset, Local, NaiveDate, NaiveDateTime, NaiveTime, TimeZone as _, Utc,
};
use sea_query::prelude::time::{Date, Month, PrimitiveDateTime, Time, UtcOffset};

use super::{assert_round_trip, assert_round_trips, with_keyring};

fn chrono_time(hour: u32, minute: u32, second: u32, nano: u32) -> NaiveTime {
    NaiveTime::from_hms_nano_opt(hour, minute, second, nano).unwrap()
}

/// Midnight, a nanosecond, few and all digits, and leap seconds.
fn chrono_times() -> Vec<NaiveTime> {
    [
        (0, 0, 0, 0),
        (0, 0, 0, 1),
        (12, 34, 56, 500_000_000),
        (12, 34, 56, 123_000_000),
        (12, 34, 56, 123_456_000),
        (12, 34, 56, 123_456_789),
        (23, 59, 59, 999_999_999),
        (23, 59, 59, 1_000_000_000),
        (23, 59, 59, 1_999_999_999),
        (12, 34, 59, 1_500_000_000),
    ]
    .map(|(hour, minute, second, nano)| chrono_time(hour, minute, second, nano))
    .to_vec()
}

fn chrono_date_times() -> Vec<NaiveDateTime> {
    let day = |year, month, day| NaiveDate::from_ymd_opt(year, month, day).unwrap();
    let days =
        [day(1970, 1, 1), day(1969, 12, 31), day(2026, 5, 14), day(2024, 2, 29), day(9999, 12, 31), day(10_000, 1, 1)];
    let early = [day(0, 1, 1), day(-1, 12, 31), day(-44, 3, 15), day(1, 1, 1), day(999, 9, 9)];
    let mut all = vec![NaiveDateTime::MIN, NaiveDateTime::MAX];
    for day in days.into_iter().chain(early) {
        all.extend(chrono_times().into_iter().map(|time| day.and_time(time)));
    }
    all
}

/// West and east, in whole hours, minutes and seconds.
const OFFSETS: [i32; 15] =
    [0, 1, -1, 59, -59, 3_600, -3_600, 1_800, -1_800, 20_700, -12_600, 4_772, -17_762, 86_399, -86_399];

#[test]
fn chrono_values_come_back() {
    with_keyring(|_| {
        assert_round_trips([NaiveDate::MIN, NaiveDate::MAX]);
        assert_round_trips(chrono_date_times().into_iter().map(|at| at.date()));
        assert_round_trips(chrono_times());
        assert_round_trips([NaiveTime::MIN]);
        assert_round_trips(chrono_date_times());
        assert_round_trips([DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC, DateTime::<Utc>::UNIX_EPOCH]);
        assert_round_trips(chrono_date_times().into_iter().map(|at| at.and_utc()));
        // `==` does not compare the offset, which is part of the value.
        for offset in OFFSETS {
            for at in chrono_date_times() {
                let at = DateTime::<FixedOffset>::from_naive_utc_and_offset(at, FixedOffset::east_opt(offset).unwrap());
                assert_round_trip(&at, |a, b| a == b && a.offset() == b.offset());
            }
        }
    });
}

/// A process reads its time zone once, so the test runs itself again in a process for each zone.
#[test]
fn local_times_come_back_in_any_zone() {
    const CHILD: &str = "FOLIO_TESTS_ZONE";
    if let Ok(zone) = std::env::var(CHILD) {
        with_keyring(|_| {
            // Around the changes of daylight saving time, when an hour occurs twice or never, and in between.
            let hours = (0..24 * 366).filter(|hour| matches!(hour / 24, 65..69 | 303..307) || hour % 77 == 0);
            let mut offsets = std::collections::BTreeSet::new();
            for hour in hours {
                let at = Local.timestamp_opt(1_767_225_600 + hour * 3_600, 123_456_789).unwrap();
                offsets.insert(at.offset().local_minus_utc());
                assert_round_trip(&at, |a, b| a == b && a.offset() == b.offset());
            }
            assert_eq!(offsets.len(), if zone.contains(',') { 2 } else { 1 }, "the zone {zone} is in use: {offsets:?}");
            assert!(zone == "UTC0" || offsets != [0].into(), "the zone {zone} is in use: {offsets:?}");
        });
        return;
    }
    let name = format!("{}::local_times_come_back_in_any_zone", module_path!().split_once("::").unwrap().1);
    for zone in ["UTC0", "ABC-5:45", "ABC+3:30", "EST5EDT,M3.2.0,M11.1.0"] {
        let mut test = std::process::Command::new(std::env::current_exe().unwrap());
        let output = test.args(["--exact", &name]).env("TZ", zone).env(CHILD, zone).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "in the zone {zone}: {text}");
    }
}

fn time_times() -> Vec<Time> {
    [
        (0, 0, 0, 0),
        (0, 0, 0, 1),
        (12, 34, 56, 500_000_000),
        (12, 34, 56, 123_456_000),
        (12, 34, 56, 123_456_789),
        (23, 59, 59, 999_999_999),
    ]
    .map(|(hour, minute, second, nano)| Time::from_hms_nano(hour, minute, second, nano).unwrap())
    .to_vec()
}

fn time_dates() -> Vec<Date> {
    let day = |year, month, day| Date::from_calendar_date(year, month, day).unwrap();
    vec![
        Date::MIN,
        Date::MAX,
        day(1970, Month::January, 1),
        day(2024, Month::February, 29),
        day(0, Month::January, 1),
        day(-1, Month::December, 31),
        day(-44, Month::March, 15),
        day(1, Month::January, 1),
        day(999, Month::September, 9),
    ]
}

fn time_date_times() -> Vec<PrimitiveDateTime> {
    time_dates().into_iter().flat_map(|date| time_times().into_iter().map(move |time| date.with_time(time))).collect()
}

#[test]
fn time_values_come_back() {
    with_keyring(|_| {
        assert_round_trips(time_dates());
        assert_round_trips(time_times());
        assert_round_trips(time_date_times());
        assert_round_trips([PrimitiveDateTime::MIN, PrimitiveDateTime::MAX]);
        assert_round_trips(time_date_times().into_iter().map(PrimitiveDateTime::assume_utc));
        for offset in OFFSETS.into_iter().chain([90_000, -90_000, 93_599, -93_599]) {
            for at in time_date_times() {
                let at = at.assume_offset(UtcOffset::from_whole_seconds(offset).unwrap());
                assert_round_trip(&at, |a, b| a == b && a.offset() == b.offset());
            }
        }
    });
}
