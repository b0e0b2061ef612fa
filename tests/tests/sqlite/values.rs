//! Values: each comes out of a cursor as it went in, and a walk by a column of any type sees every row once.

use std::fmt::Debug;
use std::str::FromStr;

use folio::{
    Builder, Column, CryptPurpose, CursorDirection, CursorOrder, CursorPaginator, CursorValue, ErasedOrder, Folio,
    FrameworkError, Key, Keyring, Model, Paginate, Pagination, Result, Value, Variant, decode_cursor, encode_cursor,
};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use sea_query::prelude::bigdecimal::num_bigint::BigInt;
use sea_query::prelude::chrono::{
    DateTime, FixedOffset, Local, NaiveDate, NaiveDateTime, NaiveTime, TimeZone as _, Utc,
};
use sea_query::prelude::time::{Date, Month, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};
use sea_query::prelude::{BigDecimal, Decimal, Uuid};
use sea_query::{Expr, Query, SelectStatement, UnionType};
use sqlx::{Sqlite, SqlitePool};

use crate::suite::db;

/// Runs `work` in an application that has nothing but a keyring.
fn with_keyring<R>(work: impl FnOnce(&Keyring) -> R) -> R {
    let keyring = Keyring::new(Key::generate());
    db::runtime().block_on(async {
        let pool = SqlitePool::connect_lazy("sqlite::memory:").unwrap();
        Folio::new(pool).keyring(keyring.clone()).scope(async { work(&keyring) }).await
    })
}

/// Seals `value` both ways, alone and as what may be NULL, and looks at what comes back.
#[track_caller]
fn assert_round_trip<T: CursorValue + Debug>(value: &T, same: impl Fn(&T, &T) -> bool) {
    for direction in [CursorDirection::Next, CursorDirection::Prev] {
        let token = encode_cursor(value, direction).unwrap_or_else(|error| panic!("{value:?}: {error}"));
        let (back, way) = decode_cursor::<T>(&token).unwrap_or_else(|error| panic!("{value:?}: {error}"));
        assert!(same(value, &back) && way == direction, "{value:?} came back as {back:?} {way:?}");

        let token = encode_cursor(&Some(value.clone()), direction).unwrap();
        let (back, way) = decode_cursor::<Option<T>>(&token).unwrap_or_else(|error| panic!("{value:?}: {error}"));
        let back = back.unwrap_or_else(|| panic!("{value:?} came back as NULL"));
        assert!(same(value, &back) && way == direction, "{value:?} came back as {back:?} {way:?}");
        // What may be NULL is the same on the way as what may not.
        assert!(same(value, &decode_cursor::<T>(&token).unwrap().0));
    }
    let null = encode_cursor(&None::<T>, CursorDirection::Next).unwrap();
    assert!(decode_cursor::<Option<T>>(&null).unwrap().0.is_none(), "NULL came back as a value");
    assert!(matches!(decode_cursor::<T>(&null), Err(FrameworkError::Internal { .. })), "NULL came back as a value");
    assert_eq!(<Option<T> as CursorValue>::VARIANT, T::VARIANT);
}

#[track_caller]
fn assert_round_trips<T: CursorValue + Debug + PartialEq>(values: impl IntoIterator<Item = T>) {
    values.into_iter().for_each(|value| assert_round_trip(&value, |a, b| a == b));
}

#[test]
fn numbers_come_back() {
    with_keyring(|_| {
        assert_round_trips([i8::MIN, -1, 0, 1, i8::MAX]);
        assert_round_trips([i16::MIN, -1, 0, 1, i16::MAX]);
        assert_round_trips([i32::MIN, -1, 0, 1, i32::MAX]);
        assert_round_trips([i64::MIN, i64::MIN + 1, -(1 << 53) - 1, -1, 0, 1, (1 << 53) + 1, i64::MAX - 1, i64::MAX]);
        assert_round_trips([u8::MIN, 1, u8::MAX]);
        assert_round_trips([u16::MIN, 1, u16::MAX]);
        assert_round_trips([u32::MIN, 1, u32::MAX]);
        assert_round_trips([u64::MIN, 1, (1 << 53) + 1, i64::MAX.unsigned_abs(), 1 << 63, u64::MAX - 1, u64::MAX]);
        assert_round_trips([true, false]);
        let floats = [0.0, -0.0, 0.1, 0.1 + 0.2, 1.0, -1.5, f64::MIN, f64::MAX, f64::MIN_POSITIVE, f64::EPSILON];
        let edges = [f64::INFINITY, f64::NEG_INFINITY, 5e-324, -5e-324, 1e300, f64::from_bits(0x000f_ffff_ffff_ffff)];
        for float in floats.into_iter().chain(edges) {
            assert_round_trip(&float, |a, b| a.to_bits() == b.to_bits());
        }
        let floats = [0.0, -0.0, 0.1, 16_777_217.0, f32::MIN, f32::MAX, f32::MIN_POSITIVE, f32::EPSILON];
        let edges = [f32::INFINITY, f32::NEG_INFINITY, 1e-45, -1e-45, f32::from_bits(0x007f_ffff)];
        for float in floats.into_iter().chain(edges) {
            assert_round_trip(&float, |a, b| a.to_bits() == b.to_bits());
        }
    });
}

#[test]
fn texts_and_bytes_come_back() {
    with_keyring(|_| {
        let texts = [
            "",
            " ",
            "\0",
            "a\0b",
            "null",
            "\"",
            "'",
            "\\",
            "\\u0000",
            "[\"next\"]",
            "naïve",
            "日本語",
            "👩‍👩‍👧",
            "e\u{301}",
        ];
        let controls: String =
            (0..=31_u8).map(char::from).chain(['\u{7f}', '\u{2028}', '\u{feff}', '\u{10ffff}']).collect();
        let long = ["x".repeat(500), "\"".repeat(500), "é".repeat(500), "𝄞".repeat(350), controls];
        assert_round_trips(texts.map(str::to_owned));
        assert_round_trips(long);
        let bytes: [&[u8]; 7] = [b"", b"\0", b"\0\0", b"\xff", b"\xff\xfe\xfd", b"text", &[0; 500]];
        assert_round_trips(bytes.map(<[u8]>::to_vec));
        assert_round_trips((0..=7).map(|length| (0..length).collect::<Vec<u8>>()));
        assert_round_trips([(0..=255).collect::<Vec<u8>>()]);
    });
}

#[test]
fn uuids_come_back() {
    with_keyring(|_| {
        let mixed = Uuid::from_str("67E55044-10B1-426F-9247-BB680E5FE0C8").unwrap();
        assert_round_trips([Uuid::nil(), Uuid::max(), mixed, Uuid::from_u128(1)]);
    });
}

fn chrono_time(hour: u32, minute: u32, second: u32, nano: u32) -> NaiveTime {
    NaiveTime::from_hms_nano_opt(hour, minute, second, nano).unwrap()
}

/// Midnight, a nanosecond, what has few and what has all digits, and leap seconds.
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

/// From west to east, of whole hours, minutes and seconds.
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
        // The offset is part of the value, though not of what `==` compares.
        for offset in OFFSETS {
            for at in chrono_date_times() {
                let at = DateTime::<FixedOffset>::from_naive_utc_and_offset(at, FixedOffset::east_opt(offset).unwrap());
                assert_round_trip(&at, |a, b| a == b && a.offset() == b.offset());
            }
        }
    });
}

/// The zone of the process is read once, so each zone takes a process of its own: this test, run again.
#[test]
fn local_times_come_back_in_any_zone() {
    const CHILD: &str = "FOLIO_TESTS_ZONE";
    if let Ok(zone) = std::env::var(CHILD) {
        with_keyring(|_| {
            // Around the ends of summer time, when an hour comes twice or never, and in between.
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

fn same_decimal(a: &Decimal, b: &Decimal) -> bool {
    (a.mantissa(), a.scale(), a.is_sign_negative()) == (b.mantissa(), b.scale(), b.is_sign_negative())
}

fn same_big_decimal(a: &BigDecimal, b: &BigDecimal) -> bool {
    a.as_bigint_and_exponent() == b.as_bigint_and_exponent()
}

#[test]
fn decimals_come_back_with_their_scale() {
    with_keyring(|_| {
        let texts = [
            "0",
            "1",
            "-1",
            "1.1",
            "1.10",
            "1.100",
            "0.00",
            "100",
            "1e2",
            "-0.5",
            "0.1",
            "1234567890.0987654321",
            "0.0000000000000000000000000001",
            "-0.0000000000000000000000000001",
            "9.999999999999999999999999999",
            "1234567890123456789012345678",
            "12345678901234.56789012345678",
            "79228162514264337593543950335",
        ];
        for text in texts {
            let decimal = Decimal::from_str(text).or_else(|_| Decimal::from_scientific(text)).unwrap();
            assert_round_trip(&decimal, same_decimal);
        }
        assert_round_trips([Decimal::MIN, Decimal::MAX, Decimal::from_i128_with_scale(7, 28)]);
        for scale in 0..=28 {
            for mantissa in [0, 1, -1, 10, i128::from(i64::MAX), 79_228_162_514_264_337_593_543_950_335] {
                assert_round_trip(&Decimal::from_i128_with_scale(mantissa, scale), same_decimal);
            }
        }
        let scaled = Decimal::from_str("1.10").unwrap();
        let back = decode_cursor::<Decimal>(&encode_cursor(&scaled, CursorDirection::Next).unwrap()).unwrap().0;
        assert_eq!(back.to_string(), "1.10");
    });
}

#[test]
fn a_negative_zero_decimal_comes_back() {
    with_keyring(|_| {
        for scale in [0, 1, 28] {
            let mut zero = Decimal::new(0, scale);
            zero.set_sign_negative(true);
            assert!(zero.is_sign_negative());
            assert_round_trip(&zero, same_decimal);
        }
    });
}

#[test]
fn big_decimals_come_back_with_their_scale() {
    with_keyring(|_| {
        let digits = "1234567890".repeat(60);
        for text in [
            "0",
            "-1",
            "1.1",
            "1.10",
            "0.000",
            "1e100",
            "1E-100",
            &digits,
            &format!("-{digits}.{digits}"),
            "1e1000000",
            "7e-1000000",
        ] {
            assert_round_trip(&BigDecimal::from_str(text).unwrap(), same_big_decimal);
        }
        for scale in [0, 1, -1, 1_000_000_000, -1_000_000_000, i64::MAX, i64::MIN + 1, i64::MIN] {
            for mantissa in [0_i64, 1, -1, 10, i64::MAX, i64::MIN] {
                assert_round_trip(&BigDecimal::from_bigint(BigInt::from(mantissa), scale), same_big_decimal);
            }
        }
    });
}

/// Which text stands in a cursor is fixed: another spelling would be a new format, which old cursors do not have.
#[test]
fn payloads_are_as_they_were() {
    #[track_caller]
    fn assert_payload<T: CursorValue>(keyring: &Keyring, value: T, expected: &str) {
        let token = encode_cursor(&value, CursorDirection::Prev).unwrap();
        let payload = keyring.open(CryptPurpose::Cursor, &[], &token).unwrap();
        let text = String::from_utf8(payload).unwrap();
        assert_eq!(text.trim_end(), format!(r#"["prev",{expected}]"#));
        assert!(text.len().is_multiple_of(12), "{text:?}");
        let tag: Vec<&str> = expected.split('"').collect();
        assert_eq!(tag[1], T::VARIANT.as_str());
        assert_eq!(tag[1].parse::<Variant>(), Ok(T::VARIANT));
    }
    with_keyring(|keyring| {
        assert_payload(keyring, true, r#"["Bool",true]"#);
        assert_payload(keyring, -1_i8, r#"["TinyInt",-1]"#);
        assert_payload(keyring, -1_i16, r#"["SmallInt",-1]"#);
        assert_payload(keyring, -1_i32, r#"["Int",-1]"#);
        assert_payload(keyring, i64::MIN, r#"["BigInt",-9223372036854775808]"#);
        assert_payload(keyring, 1_u8, r#"["TinyUnsigned",1]"#);
        assert_payload(keyring, 1_u16, r#"["SmallUnsigned",1]"#);
        assert_payload(keyring, 1_u32, r#"["Unsigned",1]"#);
        assert_payload(keyring, u64::MAX, r#"["BigUnsigned",18446744073709551615]"#);
        assert_payload(keyring, 1.5_f32, r#"["Float",1069547520]"#);
        assert_payload(keyring, -0.0_f64, r#"["Double",9223372036854775808]"#);
        assert_payload(keyring, "a\"é\n".to_owned(), r#"["String","a\"é\n"]"#);
        assert_payload(keyring, vec![0_u8, 255], r#"["Bytes","AP8"]"#);
        assert_payload(keyring, Uuid::from_u128(0xab), r#"["Uuid","00000000-0000-0000-0000-0000000000ab"]"#);
        let date = NaiveDate::from_ymd_opt(2026, 5, 14).unwrap();
        let at = date.and_time(chrono_time(18, 30, 0, 123_456_000));
        let east = FixedOffset::east_opt(20_700).unwrap();
        assert_payload(keyring, date, r#"["ChronoDate","2026-05-14"]"#);
        assert_payload(keyring, at.time(), r#"["ChronoTime","18:30:00.123456"]"#);
        assert_payload(keyring, at, r#"["ChronoDateTime","2026-05-14T18:30:00.123456"]"#);
        assert_payload(keyring, at.and_utc(), r#"["ChronoDateTimeUtc","2026-05-14T18:30:00.123456Z"]"#);
        let local = Local.from_utc_datetime(&at);
        assert_payload(keyring, local, r#"["ChronoDateTimeLocal","2026-05-14T18:30:00.123456Z"]"#);
        let zoned = DateTime::<FixedOffset>::from_naive_utc_and_offset(at, east);
        assert_payload(keyring, zoned, r#"["ChronoDateTimeWithTimeZone","2026-05-14T18:30:00.123456Z+20700"]"#);
        let date = Date::from_calendar_date(2026, Month::May, 14).unwrap();
        let at = date.with_time(Time::from_hms_nano(18, 30, 0, 123_456_000).unwrap());
        assert_payload(keyring, date, r#"["TimeDate","2026-05-14"]"#);
        assert_payload(keyring, at.time(), r#"["TimeTime","18:30:00.123456000"]"#);
        assert_payload(keyring, at, r#"["TimeDateTime","2026-05-14T18:30:00.123456000"]"#);
        let zoned = at.assume_offset(UtcOffset::from_hms(5, 45, 0).unwrap());
        assert_payload(keyring, zoned, r#"["TimeDateTimeWithTimeZone","2026-05-14T18:30:00.123456000+05:45:00"]"#);
        assert_payload(keyring, Decimal::new(110, 2), r#"["Decimal","1.10"]"#);
        let big = BigDecimal::from_bigint(BigInt::from(110), 2);
        assert_payload(keyring, big, r#"["BigDecimal","110e-2"]"#);
        assert_payload(keyring, None::<i64>, r#"["BigInt",null]"#);
    });
}

/// Runs a property over values that are the same on every run.
fn property<S: Strategy>(strategy: &S, mut holds: impl FnMut(S::Value)) {
    let config = ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let holds = std::cell::RefCell::new(&mut holds);
    TestRunner::new_with_rng(config, random)
        .run(strategy, |value| {
            (holds.borrow_mut())(value);
            Ok(())
        })
        .unwrap();
}

#[test]
fn any_value_comes_back() {
    with_keyring(|_| {
        property(&any::<i64>(), |value| assert_round_trips([value]));
        property(&any::<u64>(), |value| assert_round_trips([value]));
        property(&any::<(i8, i16, i32)>(), |(a, b, c)| {
            assert_round_trips([a]);
            assert_round_trips([b]);
            assert_round_trips([c]);
        });
        property(&any::<u64>().prop_map(f64::from_bits), |value| match value.is_nan() {
            true => assert!(encode_cursor(&value, CursorDirection::Next).is_err()),
            false => assert_round_trip(&value, |a, b| a.to_bits() == b.to_bits()),
        });
        property(&any::<u32>().prop_map(f32::from_bits), |value| match value.is_nan() {
            true => assert!(encode_cursor(&value, CursorDirection::Next).is_err()),
            false => assert_round_trip(&value, |a, b| a.to_bits() == b.to_bits()),
        });
        let text = proptest::collection::vec(any::<char>(), 0..200).prop_map(String::from_iter);
        property(&text, |value| assert_round_trips([value]));
        property(&proptest::collection::vec(any::<u8>(), 0..600), |value| assert_round_trips([value]));
        property(&any::<u128>(), |value| assert_round_trips([Uuid::from_u128(value)]));
        let seconds = DateTime::<Utc>::MIN_UTC.timestamp()..=DateTime::<Utc>::MAX_UTC.timestamp();
        property(&(seconds, 0..1_000_000_000_u32, -86_399..=86_399_i32), |(second, nano, offset)| {
            let at = DateTime::<Utc>::from_timestamp(second, nano).unwrap();
            assert_round_trips([at]);
            assert_round_trips([at.naive_utc()]);
            let zoned = at.with_timezone(&FixedOffset::east_opt(offset).unwrap());
            assert_round_trip(&zoned, |a, b| a == b && a.offset() == b.offset());
        });
        // A day from each end, so that any offset can be shown.
        let seconds = -377_705_030_400..253_402_214_400_i64;
        property(&(seconds, 0..1_000_000_000_i128, -93_599..=93_599_i32), |(second, nano, offset)| {
            let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(second) * 1_000_000_000 + nano).unwrap();
            let zoned = at.to_offset(UtcOffset::from_whole_seconds(offset).unwrap());
            assert_round_trip(&zoned, |a, b| a == b && a.offset() == b.offset());
        });
        property(&(-(1_i128 << 95)..(1_i128 << 95), 0..=28_u32), |(mantissa, scale)| {
            assert_round_trip(&Decimal::from_i128_with_scale(mantissa, scale), same_decimal);
        });
        property(&(any::<i128>(), any::<i64>()), |(digits, scale)| {
            assert_round_trip(&BigDecimal::from_bigint(BigInt::from(digits), scale), same_big_decimal);
        });
    });
}

/// A type of the application's own, stored as an integer.
#[derive(Debug, Clone, Copy, PartialEq, sqlx::Type)]
#[sqlx(transparent)]
struct Level(i64);

impl CursorValue for Level {
    const VARIANT: Variant = Variant::BigInt;

    fn into_value(self) -> Value {
        self.0.into_value()
    }

    fn from_value(value: Value) -> Option<Self> {
        i64::from_value(value).map(Self)
    }
}

/// One that is converted on the way out of the database.
#[derive(Debug, Clone, PartialEq)]
struct Slug(String);

impl From<String> for Slug {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl CursorValue for Slug {
    const VARIANT: Variant = Variant::String;

    fn into_value(self) -> Value {
        self.0.into_value()
    }

    fn from_value(value: Value) -> Option<Self> {
        String::from_value(value).map(Self)
    }
}

#[test]
fn types_of_ones_own_come_back() {
    with_keyring(|_| {
        assert_round_trips([Level(i64::MIN), Level(0), Level(i64::MAX)]);
        assert_round_trips([Slug(String::new()), Slug("naïve".into())]);
        // On the way they are what they are stored as.
        let token = encode_cursor(&Level(7), CursorDirection::Next).unwrap();
        assert_eq!(decode_cursor::<i64>(&token).unwrap().0, 7);
        assert!(decode_cursor::<Slug>(&token).is_err());
    });
}

// ---- Walks

/// A row of the table `t`, whose column `v` is walked by.
trait Keyed: Model + Debug + 'static {
    type Key: CursorValue;
    fn id(&self) -> i64;
    fn seal(&self, direction: CursorDirection) -> Result<String>;
    /// Whether a cursor decodes to the row's own key.
    fn is_at(&self, cursor: &str, direction: CursorDirection) -> bool;
}

macro_rules! keyed {
    ($($model:ident: $(#[$attribute:meta])? $type:ty = $key:literal;)*) => {$(
        #[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
        #[paginate(table = "t", cursor_key = $key)]
        struct $model {
            id: i64,
            $(#[$attribute])?
            v: $type,
        }

        impl Keyed for $model {
            type Key = $type;

            fn id(&self) -> i64 {
                self.id
            }

            fn seal(&self, direction: CursorDirection) -> Result<String> {
                self.cursor_key().encode(direction)
            }

            fn is_at(&self, cursor: &str, direction: CursorDirection) -> bool {
                <$model as Model>::Key::decode(cursor).unwrap() == (self.cursor_key(), direction)
            }
        }
    )*};
}

keyed! {
    OfBool: bool = "v";
    OfI8: i8 = "v";
    OfI16: i16 = "v";
    OfI32: i32 = "v";
    OfI64: i64 = "v";
    OfU8: u8 = "v";
    OfU16: u16 = "v";
    OfU32: u32 = "v";
    OfU64: u64 = "v";
    OfF32: f32 = "v";
    OfF64: f64 = "v";
    OfString: String = "v";
    OfBytes: Vec<u8> = "v";
    OfUuid: Uuid = "v";
    OfNaiveDate: NaiveDate = "v";
    OfNaiveTime: NaiveTime = "v";
    OfNaiveDateTime: NaiveDateTime = "v";
    OfUtc: DateTime<Utc> = "v";
    OfLocal: DateTime<Local> = "v";
    OfFixedOffset: DateTime<FixedOffset> = "v";
    OfDate: Date = "v";
    OfTime: Time = "v";
    OfPrimitive: PrimitiveDateTime = "v";
    OfOffset: OffsetDateTime = "v";
    OfLevel: Level = "v";
    OfSlug: #[sqlx(try_from = "String")] Slug = "v";
    MaybeI32: Option<i32> = "v nulls first";
    MaybeF32: Option<f32> = "v nulls last";
    MaybeF64: Option<f64> = "v nulls first";
    MaybeString: Option<String> = "v nulls last";
    MaybeBytes: Option<Vec<u8>> = "v nulls first";
    MaybeUuid: Option<Uuid> = "v nulls last";
    MaybeUtc: Option<DateTime<Utc>> = "v nulls first";
    MaybeOffset: Option<OffsetDateTime> = "v nulls last";
    MaybeLevel: Option<Level> = "v nulls last";
}

const ROWS: usize = 210;
const PER_PAGE: usize = 7;

/// An id for each row that says nothing about its value.
fn id(row: usize) -> i64 {
    i64::try_from((row * 7_919) % 10_007).unwrap() - 5_000
}

/// The table `t` with a column `v` that is declared as `declared`, and rows of the values in turn.
async fn bound<T>(declared: &str, values: Vec<T>) -> (Folio, SqlitePool)
where
    T: for<'q> sqlx::Encode<'q, Sqlite> + sqlx::Type<Sqlite> + Clone + Send + 'static,
{
    let (folio, pool) = table(declared).await;
    for (row, value) in values.iter().cycle().take(ROWS).enumerate() {
        sqlx::query("INSERT INTO t VALUES (?, ?)").bind(id(row)).bind(value.clone()).execute(&pool).await.unwrap();
    }
    (folio, pool)
}

/// As [`bound`], of values in SQL.
async fn written(declared: &str, values: &[impl AsRef<str>]) -> (Folio, SqlitePool) {
    let (folio, pool) = table(declared).await;
    for (row, value) in values.iter().cycle().take(ROWS).enumerate() {
        let insert = format!("INSERT INTO t VALUES ({}, {})", id(row), value.as_ref());
        sqlx::query(sqlx::AssertSqlSafe(insert)).execute(&pool).await.unwrap();
    }
    (folio, pool)
}

async fn table(declared: &str) -> (Folio, SqlitePool) {
    let (folio, pool) = db::folio("").await;
    let create = format!("CREATE TABLE t (id INTEGER PRIMARY KEY, v {declared}); CREATE INDEX t_v ON t (v, id)");
    sqlx::raw_sql(sqlx::AssertSqlSafe(create)).execute(&pool).await.unwrap();
    (folio, pool)
}

async fn page<M: Keyed>(order: Option<&ErasedOrder>, cursor: Option<&str>) -> Result<CursorPaginator<M>> {
    let query = Builder::<M>::new().cursor(cursor);
    let query = match order {
        Some(order) => query.cursor_by(order.clone()),
        None => query,
    };
    query.cursor_paginate(u64::try_from(PER_PAGE).unwrap()).await
}

/// The ids in the order that the database itself gives them.
async fn sorted(pool: &SqlitePool, order: &str) -> Vec<i64> {
    let sql = format!("SELECT id FROM t ORDER BY {order}");
    sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(pool).await.unwrap()
}

/// Walks to the end and back: every page is the slice of the sorted rows, and its cursors are where its neighbours are.
async fn walk<M: Keyed>(order: Option<&ErasedOrder>, expected: &[i64]) -> Result<()> {
    let pages: Vec<&[i64]> = expected.chunks(PER_PAGE).collect();
    let mut cursor: Option<String> = None;
    let mut back = None;
    for (at, ids) in pages.iter().enumerate() {
        let page = page::<M>(order, cursor.as_deref()).await?;
        assert_page(&page, order, at, &pages);
        assert_eq!(page.data.iter().map(Keyed::id).collect::<Vec<_>>(), *ids, "page {at} forwards");
        (cursor, back) = (page.next_cursor, page.prev_cursor);
    }
    for (at, ids) in pages.iter().enumerate().rev().skip(1) {
        let page = page::<M>(order, back.as_deref()).await?;
        assert_page(&page, order, at, &pages);
        assert_eq!(page.data.iter().map(Keyed::id).collect::<Vec<_>>(), *ids, "page {at} backwards");
        back = page.prev_cursor;
    }
    Ok(())
}

#[track_caller]
fn assert_page<M: Keyed>(page: &CursorPaginator<M>, order: Option<&ErasedOrder>, at: usize, pages: &[&[i64]]) {
    let neighbours = (at + 1 < pages.len(), at > 0);
    assert_eq!((page.next_cursor.is_some(), page.prev_cursor.is_some()), neighbours, "cursors of page {at}");
    if order.is_some() {
        return;
    }
    // The cursors of a model's own order are its keys.
    if let Some(next) = &page.next_cursor {
        assert!(page.data.last().unwrap().is_at(next, CursorDirection::Next), "{:?} {next}", page.data.last());
    }
    if let Some(prev) = &page.prev_cursor {
        assert!(page.data.first().unwrap().is_at(prev, CursorDirection::Prev), "{:?} {prev}", page.data.first());
    }
}

/// Walks by `v` in every direction.
async fn walks<M: Keyed>((folio, pool): &(Folio, SqlitePool), own_nulls: &str) {
    let v = Column::<<M as Keyed>::Key>::new("v");
    let id = Column::<i64>::new("id");
    let orders = [
        (None, format!("v ASC {own_nulls}, id ASC")),
        (Some(v.asc().nulls_first().erased()), "v ASC NULLS FIRST, id ASC".to_owned()),
        (Some(v.asc().nulls_last().erased()), "v ASC NULLS LAST, id ASC".to_owned()),
        (Some(v.desc().nulls_first().erased()), "v DESC NULLS FIRST, id DESC".to_owned()),
        (Some(v.desc().nulls_last().erased().then(id)), "v DESC NULLS LAST, id ASC".to_owned()),
    ];
    // Where there are no NULLs, it makes no difference where they would lie.
    for (order, sql) in orders.iter().filter(|(_, sql)| <M as Keyed>::Key::NULLABLE || !sql.contains("ASC NULLS")) {
        let expected = sorted(pool, sql).await;
        assert_eq!(expected.len(), ROWS);
        let walked = folio.scope(walk::<M>(order.as_ref(), &expected)).await;
        walked.unwrap_or_else(|error| panic!("{} by {sql}: {error}", std::any::type_name::<M>()));
    }
}

/// As [`walks`], for a column that holds values in the form that sqlx binds: there a key sealed by hand leads on, too.
async fn walks_by_hand<M: Keyed>(table: &(Folio, SqlitePool), own_nulls: &str) {
    walks::<M>(table, own_nulls).await;
    let (folio, pool) = table;
    let expected = sorted(pool, &format!("v ASC {own_nulls}, id ASC")).await;
    let work = async {
        let rows = Builder::<M>::new().page(1).paginate(u64::MAX).await.unwrap().data;
        for row in rows.iter().step_by(11) {
            let at = expected.iter().position(|id| *id == row.id()).unwrap();
            let next = page::<M>(None, Some(&row.seal(CursorDirection::Next).unwrap())).await.unwrap();
            let ids: Vec<i64> = next.data.iter().map(Keyed::id).collect();
            assert_eq!(ids, expected[at + 1..(at + 1 + PER_PAGE).min(ROWS)], "behind {row:?}");
            let prev = page::<M>(None, Some(&row.seal(CursorDirection::Prev).unwrap())).await.unwrap();
            let ids: Vec<i64> = prev.data.iter().map(Keyed::id).collect();
            assert_eq!(ids, expected[at.saturating_sub(PER_PAGE)..at], "before {row:?}");
        }
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn walks_by_integers() {
    walks_by_hand::<OfBool>(&bound("BOOLEAN NOT NULL", vec![true, false, true]).await, "").await;
    walks_by_hand::<OfI8>(&bound("TINYINT NOT NULL", vec![i8::MIN, -1, 0, 1, 5, i8::MAX]).await, "").await;
    walks_by_hand::<OfI16>(&bound("SMALLINT NOT NULL", vec![i16::MIN, -1, 0, 1, 300, i16::MAX]).await, "").await;
    walks_by_hand::<OfI32>(&bound("INT NOT NULL", vec![i32::MIN, -1, 0, 1, 70_000, i32::MAX]).await, "").await;
    let wide =
        vec![i64::MIN, i64::MIN + 1, -(1 << 53) - 1, -(1 << 53), 0, 1 << 53, (1 << 53) + 1, i64::MAX - 1, i64::MAX];
    walks_by_hand::<OfI64>(&bound("BIGINT NOT NULL", wide).await, "").await;
    walks_by_hand::<OfU8>(&bound("INTEGER NOT NULL", vec![u8::MIN, 1, 127, 128, u8::MAX]).await, "").await;
    walks_by_hand::<OfU16>(&bound("INTEGER NOT NULL", vec![u16::MIN, 1, 32_768, u16::MAX]).await, "").await;
    walks_by_hand::<OfU32>(&bound("INTEGER NOT NULL", vec![u32::MIN, 1, 1 << 31, u32::MAX]).await, "").await;
    let wide: Vec<i64> = vec![0, 1, 1 << 31, (1 << 53) + 1, i64::MAX - 1, i64::MAX];
    walks_by_hand::<OfU64>(&bound("INTEGER NOT NULL", wide).await, "").await;
    let maybe = vec![None, Some(i32::MIN), Some(0), Some(0), None, Some(1), Some(i32::MAX)];
    walks_by_hand::<MaybeI32>(&bound("INTEGER", maybe).await, "NULLS FIRST").await;
    let levels = vec![Level(3), Level(-3), Level(i64::MAX), Level(0)];
    walks_by_hand::<OfLevel>(&bound("INTEGER NOT NULL", levels).await, "").await;
    walks_by_hand::<MaybeLevel>(&bound("INTEGER", vec![Some(Level(3)), None, Some(Level(-3))]).await, "NULLS LAST")
        .await;
    // A flag that is more than 0 and 1, and a column without a type.
    walks::<OfBool>(&written("INTEGER NOT NULL", &["0", "1", "2", "-1", "100"]).await, "").await;
    walks_by_hand::<OfI64>(&bound("", vec![1_i64, 2, i64::MAX]).await, "").await;
}

/// SQLite has no integer above i64's: a boundary beyond all that a column can hold is beyond all rows.
#[tokio::test]
async fn a_boundary_above_every_integer_is_behind_every_row() {
    let (folio, _pool) = bound("INTEGER NOT NULL", vec![0_i64, 1, i64::MAX]).await;
    let work = async {
        for v in [u64::MAX, 1 << 63] {
            let at = OfU64 { id: 1, v };
            let behind = page::<OfU64>(None, Some(&at.seal(CursorDirection::Next).unwrap())).await.unwrap();
            assert!(behind.data.is_empty());
            let before = page::<OfU64>(None, Some(&at.seal(CursorDirection::Prev).unwrap())).await.unwrap();
            assert_eq!(before.data.last().unwrap().v, i64::MAX.unsigned_abs());
        }
        let all = OfU64::query().filter(OfU64::V.lt(u64::MAX)).page(1).paginate(1).await.unwrap();
        assert_eq!(all.total, u64::try_from(ROWS).unwrap());
    };
    folio.scope(work).await;
}

#[tokio::test]
async fn walks_by_floats() {
    let edges = [f64::MIN, f64::MAX, 5e-324, -5e-324, f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0];
    let near = [0.1, 0.1 + 0.2, 0.3, f64::EPSILON, 1.0, 1.0 + f64::EPSILON, 9_007_199_254_740_993.0, 1e15, 1e16, -1.5];
    let doubles: Vec<f64> = edges.into_iter().chain(near).collect();
    walks_by_hand::<OfF64>(&bound("REAL NOT NULL", doubles.clone()).await, "").await;
    walks_by_hand::<OfF64>(&bound("DOUBLE PRECISION NOT NULL", doubles.clone()).await, "").await;
    let maybe: Vec<Option<f64>> = doubles.iter().copied().map(Some).chain([None, None, None]).collect();
    walks_by_hand::<MaybeF64>(&bound("REAL", maybe).await, "NULLS FIRST").await;
    // SQLite has NULL in the place of NaN.
    walks_by_hand::<MaybeF64>(&bound("REAL", vec![f64::NAN, 1.0, 2.0]).await, "NULLS FIRST").await;
    let floats = vec![0.1_f32, 0.2, 0.3, -0.1, f32::MAX, f32::MIN, f32::INFINITY, 1e-45, 16_777_216.0, 0.0];
    walks_by_hand::<OfF32>(&bound("REAL NOT NULL", floats).await, "").await;
    // Written in SQL the column holds what no f32 is, and rows that are one and the same as f32.
    let finer = ["0.1", "0.1000000000001", "0.10000000149011612", "0.3", "0.30000000000000004", "-0.7", "1e300", "3"];
    walks::<OfF32>(&written("REAL NOT NULL", &finer).await, "").await;
    walks::<MaybeF32>(&written("FLOAT", &["0.1", "NULL", "0.1000000000001", "0.3", "NULL"]).await, "NULLS LAST").await;
}

#[tokio::test]
async fn walks_by_texts() {
    let mut texts: Vec<String> = [
        "",
        " ",
        "a",
        "A",
        "a ",
        "aB",
        "Ab",
        "AB",
        "ab",
        "é",
        "É",
        "e\u{301}",
        "日本",
        "\u{10ffff}",
        "a\0",
        "a\0b",
        "a\0c",
        "\0",
        "'",
        "\"",
        "\\",
        "%",
        "_",
        "?1",
        "zz",
    ]
    .map(str::to_owned)
    .to_vec();
    texts.extend((0..40).map(|n| ["item", "Item", "ITEM"][n % 3].to_owned() + &(n / 3).to_string()));
    texts.push("long".repeat(200));
    for collation in ["", "COLLATE BINARY", "COLLATE NOCASE", "COLLATE RTRIM"] {
        let table = bound(&format!("TEXT NOT NULL {collation}"), texts.clone()).await;
        walks_by_hand::<OfString>(&table, "").await;
        walks_by_hand::<OfSlug>(&table, "").await;
    }
    let maybe: Vec<Option<String>> = texts.iter().cloned().map(Some).chain([None, None, None]).collect();
    walks_by_hand::<MaybeString>(&bound("TEXT COLLATE NOCASE", maybe.clone()).await, "NULLS LAST").await;
    walks_by_hand::<MaybeString>(&bound("VARCHAR(9)", maybe).await, "NULLS LAST").await;
    // Numbers as text sort as text.
    let decimals =
        ["'1.10'", "'1.1'", "'10.5'", "'9'", "'-1.25'", "'0.00'", "'1e3'", "'12345678901234567890.1234567890'"];
    walks_by_hand::<OfString>(&written("TEXT NOT NULL", &decimals).await, "").await;
    walks_by_hand::<OfF64>(&written("REAL NOT NULL", &["1.10", "1.1", "10.5", "9", "-1.25", "0.00", "1e3"]).await, "")
        .await;
}

#[tokio::test]
async fn walks_by_bytes_and_uuids() {
    let mut bytes: Vec<Vec<u8>> =
        [b"".as_slice(), b"\0", b"\0\0", b"\x7f", b"\x80", b"\xff", b"\xff\xff", b"a", b"A", b"ab"]
            .map(<[u8]>::to_vec)
            .to_vec();
    bytes.extend((0..60_u8).map(|n| vec![n.wrapping_mul(37); usize::from(n % 5)]));
    walks_by_hand::<OfBytes>(&bound("BLOB NOT NULL", bytes.clone()).await, "").await;
    let maybe = bytes.into_iter().map(Some).chain([None, None]).collect();
    walks_by_hand::<MaybeBytes>(&bound("BLOB", maybe).await, "NULLS FIRST").await;
    let mut uuids = vec![Uuid::nil(), Uuid::max()];
    uuids
        .extend((0..90_u128).map(|n| Uuid::from_u128((n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))));
    walks_by_hand::<OfUuid>(&bound("BLOB NOT NULL", uuids.clone()).await, "").await;
    walks_by_hand::<OfUuid>(&bound("UUID NOT NULL", uuids.clone()).await, "").await;
    let maybe = uuids.into_iter().map(Some).chain([None, None]).collect();
    walks_by_hand::<MaybeUuid>(&bound("BLOB", maybe).await, "NULLS LAST").await;
}

/// Moments within some days, with ties, and fractions of several lengths.
fn moments() -> Vec<DateTime<Utc>> {
    let nanos = [0, 0, 500_000_000, 123_000_000, 123_456_000, 123_456_789, 1];
    (0..90_i64)
        .map(|n| {
            DateTime::from_timestamp(1_800_000_000 + n * n % 61 * 3_607, nanos[usize::try_from(n).unwrap() % 7])
                .unwrap()
        })
        .collect()
}

/// SQL that gives the moments in one of SQLite's forms.
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

/// What a column holds that several programs have written to.
fn in_mixed_forms() -> Vec<String> {
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

#[tokio::test]
async fn walks_by_moments_of_chrono() {
    walks_by_hand::<OfUtc>(&bound("TEXT NOT NULL", moments()).await, "").await;
    walks_by_hand::<OfUtc>(&bound("DATETIME NOT NULL", moments()).await, "").await;
    let julian = in_sql(|_, at| format!("julianday({}, 'unixepoch')", at.timestamp()));
    walks::<OfUtc>(&written("TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP", &as_current_timestamp()).await, "").await;
    walks::<OfUtc>(&written("TIMESTAMP NOT NULL", &as_current_timestamp()).await, "").await;
    walks::<OfUtc>(&written("TEXT NOT NULL", &as_iso_8601()).await, "").await;
    walks::<OfUtc>(&written("INTEGER NOT NULL", &as_unix_time()).await, "").await;
    walks::<OfUtc>(&written("REAL NOT NULL", &julian).await, "").await;
    let all = [as_unix_time(), as_iso_8601(), as_current_timestamp(), julian, in_mixed_forms()].concat();
    for table in [written("DATETIME NOT NULL", &in_mixed_forms()).await, written("DATETIME NOT NULL", &all).await] {
        walks::<OfUtc>(&table, "").await;
        walks::<OfLocal>(&table, "").await;
        walks::<OfFixedOffset>(&table, "").await;
        walks::<OfNaiveDateTime>(&table, "").await;
    }
    let nullable = [in_mixed_forms(), vec!["NULL".to_owned(); 9]].concat();
    walks::<MaybeUtc>(&written("DATETIME", &nullable).await, "NULLS FIRST").await;
    let offsets = OFFSETS.iter().cycle();
    let zoned =
        |(at, offset): (DateTime<Utc>, &i32)| at.with_timezone(&FixedOffset::east_opt(offset / 60 * 60).unwrap());
    walks_by_hand::<OfFixedOffset>(
        &bound("TEXT NOT NULL", moments().into_iter().zip(offsets).map(zoned).collect()).await,
        "",
    )
    .await;
    let naive: Vec<NaiveDateTime> = moments().iter().map(DateTime::naive_utc).collect();
    walks_by_hand::<OfNaiveDateTime>(&bound("TEXT NOT NULL", naive.clone()).await, "").await;
    walks_by_hand::<OfNaiveDate>(&bound("DATE NOT NULL", naive.iter().map(NaiveDateTime::date).collect()).await, "")
        .await;
    walks_by_hand::<OfNaiveTime>(&bound("TIME NOT NULL", naive.iter().map(NaiveDateTime::time).collect()).await, "")
        .await;
    walks::<OfNaiveDate>(
        &written("TEXT NOT NULL", &in_sql(|_, at| format!("date({}, 'unixepoch')", at.timestamp()))).await,
        "",
    )
    .await;
    let times = in_sql(|n, at| format!("'{}'", at.format(["%H:%M:%S", "%H:%M", "%H:%M:%S%.f"][n % 3])));
    walks::<OfNaiveTime>(&written("TEXT NOT NULL", &times).await, "").await;
}

#[tokio::test]
async fn walks_by_moments_of_time() {
    let moments: Vec<OffsetDateTime> = moments()
        .iter()
        .map(|at| OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.timestamp_nanos_opt().unwrap())).unwrap())
        .collect();
    walks_by_hand::<OfOffset>(&bound("TEXT NOT NULL", moments.clone()).await, "").await;
    let offsets = OFFSETS.iter().cycle().map(|offset| UtcOffset::from_whole_seconds(offset / 60 * 60).unwrap());
    let zoned = moments.iter().zip(offsets).map(|(at, offset)| at.to_offset(offset)).collect();
    walks_by_hand::<OfOffset>(&bound("DATETIME NOT NULL", zoned).await, "").await;
    for table in [
        written("TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP", &as_current_timestamp()).await,
        written("TEXT NOT NULL", &as_iso_8601()).await,
        written("INTEGER NOT NULL", &as_unix_time()).await,
        written("DATETIME NOT NULL", &[as_unix_time(), as_iso_8601(), as_current_timestamp()].concat()).await,
    ] {
        walks::<OfOffset>(&table, "").await;
        walks::<OfPrimitive>(&table, "").await;
    }
    walks::<OfOffset>(&written("DATETIME NOT NULL", &in_mixed_forms()).await, "").await;
    let nullable = [in_mixed_forms(), vec!["NULL".to_owned(); 9]].concat();
    walks::<MaybeOffset>(&written("DATETIME", &nullable).await, "NULLS LAST").await;
    let plain: Vec<PrimitiveDateTime> = moments.iter().map(|at| PrimitiveDateTime::new(at.date(), at.time())).collect();
    walks_by_hand::<OfPrimitive>(&bound("TEXT NOT NULL", plain.clone()).await, "").await;
    walks_by_hand::<OfDate>(&bound("DATE NOT NULL", plain.iter().map(|at| at.date()).collect()).await, "").await;
    walks_by_hand::<OfTime>(&bound("TIME NOT NULL", plain.iter().map(|at| at.time()).collect()).await, "").await;
    walks::<OfTime>(
        &written("TEXT NOT NULL", &["'10:00'", "'10:00:00'", "'10:00:00.0'", "'09:59:59.999'", "'23:00'"]).await,
        "",
    )
    .await;
}

/// The rows of a select that has no model, in all pages of a walk there and back.
async fn walk_select(select: &SelectStatement, order: &ErasedOrder) -> [Vec<i64>; 2] {
    let page = async |cursor: Option<String>| {
        let page = Pagination::cursor::<(i64,)>(select.clone(), cursor.as_deref(), 7, order.clone()).await.unwrap();
        let ids: Vec<i64> = page.data.iter().map(|(id,)| *id).collect();
        (ids, page.next_cursor, page.prev_cursor)
    };
    let (mut forwards, mut next, mut prev) = page(None).await;
    let mut backwards = Vec::new();
    while let Some(cursor) = next.take() {
        assert!(forwards.len() < ROWS, "the walk goes in circles");
        let (ids, further, back) = page(Some(cursor)).await;
        forwards.extend(&ids);
        backwards = ids;
        (next, prev) = (further, back);
    }
    while let Some(cursor) = prev.take() {
        assert!(backwards.len() < ROWS, "the walk back goes in circles");
        let (ids, _, further) = page(Some(cursor)).await;
        backwards.splice(0..0, ids);
        prev = further;
    }
    [forwards, backwards]
}

/// A select's key columns go by other names, and it may be wrapped: neither changes how its values compare.
#[tokio::test]
async fn walks_of_selects() {
    async fn walks<V: CursorValue>((folio, pool): &(Folio, SqlitePool)) {
        let (v, id) = (Column::<V>::new("v"), Column::<i64>::new("id"));
        let orders = [
            (v.asc().nulls_last().erased().then(id), "v NULLS LAST, id"),
            (v.desc().nulls_first().erased().then(id), "v DESC NULLS FIRST, id"),
            (v.asc().nulls_first().erased().then(id.desc()), "v NULLS FIRST, id DESC"),
        ];
        let plain = Query::select().columns(["id", "v"]).from("t").take();
        let distinct = plain.clone().distinct().take();
        let half = |condition: &'static str| plain.clone().and_where(Expr::cust(condition)).take();
        let union = half("id % 2 = 0").union(UnionType::All, half("id % 2 <> 0")).take();
        for (order, sql) in orders {
            let expected = sorted(pool, sql).await;
            for select in [&plain, &distinct, &union] {
                let [forwards, backwards] = folio.scope(walk_select(select, &order)).await;
                assert_eq!(forwards, expected, "{} by {sql}", std::any::type_name::<V>());
                assert_eq!(backwards, expected, "{} by {sql} backwards", std::any::type_name::<V>());
            }
        }
    }
    let texts = ["'a'", "'A'", "'b'", "'B '", "'b '", "'c'", "''", "'aB'", "'Ab'"];
    walks::<String>(&written("TEXT NOT NULL COLLATE NOCASE", &texts).await).await;
    walks::<String>(&written("TEXT NOT NULL COLLATE RTRIM", &texts).await).await;
    let nullable = [texts.as_slice(), &["NULL", "NULL"]].concat();
    walks::<Option<String>>(&written("TEXT COLLATE NOCASE", &nullable).await).await;
    walks::<f32>(&written("REAL NOT NULL", &["0.1", "0.1000000000001", "0.3", "-0.7"]).await).await;
    walks::<DateTime<Utc>>(&written("DATETIME NOT NULL", &in_mixed_forms()).await).await;
    walks::<Uuid>(&bound("BLOB NOT NULL", vec![Uuid::nil(), Uuid::max(), Uuid::from_u128(7)]).await).await;
}

/// A model whose key the driver has no type for, though it can read the rows.
#[derive(Debug, Clone, PartialEq, Paginate)]
#[paginate(table = "t", cursor_key = "v")]
struct Priced {
    id: i64,
    v: Decimal,
}

impl sqlx::FromRow<'_, sqlx::sqlite::SqliteRow> for Priced {
    fn from_row(row: &sqlx::sqlite::SqliteRow) -> sqlx::Result<Self> {
        use sqlx::Row as _;
        let text: String = row.try_get("v")?;
        Ok(Self { id: row.try_get("id")?, v: text.parse().map_err(|error| sqlx::Error::Decode(Box::new(error)))? })
    }
}

#[track_caller]
fn assert_refused<T: Debug>(page: &Result<T>, case: &str) {
    let Err(error @ FrameworkError::Database(_)) = page else { panic!("{case}: {page:?}") };
    assert_eq!(error.status(), 500);
    assert!(error.to_string().contains("\"v\""), "{case}: the error names the column: {error}");
}

#[tokio::test]
async fn a_key_of_a_type_that_the_driver_lacks_is_refused_at_the_first_page() {
    let (folio, pool) = written("TEXT NOT NULL", &["'1.10'", "'1.1'", "'2'"]).await;
    let work = async {
        assert_refused(&Priced::cursor_paginate(7).await, "a model");
        assert_refused(&Priced::cursor_paginate(u64::MAX).await, "a model on one page");
        assert_eq!(Priced::query().page(2).paginate(7).await.unwrap().data.len(), 7, "other pages need no key");
        let error = Priced::cursor_paginate(7).await.unwrap_err().to_string();
        assert!(error.contains("Decimal") && error.to_lowercase().contains("sqlite"), "{error}");
        let rows = || Query::select().columns(["id", "v"]).from("t").take();
        let id = Column::<i64>::new("id");
        let by_decimal = Pagination::cursor::<(i64, String)>(rows(), None, 7, (Column::<Decimal>::new("v"), id)).await;
        let error = by_decimal.unwrap_err();
        assert!(matches!(&error, FrameworkError::Database(_)) && error.to_string().contains("Decimal"), "{error}");
        let by_big = Pagination::cursor::<(i64, String)>(rows(), None, 7, (Column::<BigDecimal>::new("v"), id)).await;
        let error = by_big.unwrap_err();
        assert!(matches!(&error, FrameworkError::Database(_)) && error.to_string().contains("BigDecimal"), "{error}");
        // By the text that it is the walk is right.
        let by_text = Pagination::cursor::<(i64, String)>(rows(), None, 7, (Column::<String>::new("v"), id)).await;
        assert_eq!(by_text.unwrap().data.len(), 7);
    };
    folio.scope(work).await;
    sqlx::query("DELETE FROM t").execute(&pool).await.unwrap();
    assert!(folio.scope(Priced::cursor_paginate(7)).await.unwrap().data.is_empty(), "no rows, no keys");
}

/// A column whose rows cannot be read as the model's type: an error, and never fewer rows.
#[tokio::test]
async fn rows_that_cannot_be_read_are_errors() {
    async fn refused<M: Keyed>(declared: &str, values: &[&str]) {
        let (folio, _pool) = written(declared, values).await;
        assert_refused(&folio.scope(page::<M>(None, None)).await, &format!("{declared} {values:?}"));
    }
    refused::<OfUuid>("TEXT NOT NULL", &["'67e55044-10b1-426f-9247-bb680e5fe0c8'"]).await;
    refused::<OfUuid>("BLOB NOT NULL", &["x'00'", "x'01'"]).await;
    refused::<OfI32>("INTEGER NOT NULL", &["-2147483649", "1"]).await;
    refused::<OfU8>("INTEGER NOT NULL", &["-1", "1"]).await;
    refused::<OfI64>("INTEGER NOT NULL", &["1.5", "0.5"]).await;
    refused::<OfI64>("", &["'text'"]).await;
    refused::<OfF64>("DECIMAL(10, 2) NOT NULL", &["1.00", "1.5"]).await;
    refused::<OfString>("INTEGER NOT NULL", &["1", "2"]).await;
    refused::<OfUtc>("TEXT NOT NULL", &["'now'", "''", "'2026-13-45'"]).await;
    refused::<OfOffset>("TEXT NOT NULL", &["'now'", "''", "'2026-13-45'"]).await;
    refused::<OfNaiveDate>("TEXT NOT NULL", &["'14.5.2026'"]).await;
}

/// A walk by a column that is said to have no NULLs and has: every row, or an error, but never fewer rows.
async fn nulls_lose_no_rows(order: impl Fn() -> ErasedOrder, sql: &str) {
    async fn collect(page: impl AsyncFn(Option<String>) -> Result<(Vec<i64>, Option<String>)>) -> Result<Vec<i64>> {
        let (mut seen, mut next) = page(None).await?;
        while let Some(cursor) = next {
            assert!(seen.len() < ROWS, "the walk goes in circles");
            let (ids, further) = page(Some(cursor)).await?;
            seen.extend(ids);
            next = further;
        }
        Ok(seen)
    }
    let (folio, pool) = written("INTEGER", &["NULL", "1", "2", "NULL", "3"]).await;
    let expected = sorted(&pool, sql).await;
    // sqlx reads the NULLs of SQLite as 0, so a model gets as far as a select without them.
    let of_model = collect(async |cursor: Option<String>| {
        let page = page::<OfI32>(Some(&order()), cursor.as_deref()).await?;
        Ok((page.data.iter().map(Keyed::id).collect(), page.next_cursor))
    });
    let of_select = collect(async |cursor: Option<String>| {
        let rows = Query::select().column("id").from("t").take();
        let page = Pagination::cursor::<(i64,)>(rows, cursor.as_deref(), 7, order()).await?;
        Ok((page.data.into_iter().map(|(id,)| id).collect(), page.next_cursor))
    });
    for (walked, of) in [(folio.scope(of_model).await, "a model"), (folio.scope(of_select).await, "a select")] {
        match walked {
            Ok(seen) => assert_eq!(seen, expected, "{of} by {sql}"),
            Err(error) => assert_eq!(error.status(), 500, "{of} by {sql}: {error}"),
        }
    }
}

#[tokio::test]
async fn nulls_before_the_values_of_a_column_that_should_have_none_lose_no_rows() {
    nulls_lose_no_rows(|| OfI32::V.erased().then(OfI32::ID), "v, id").await;
}

/// A value that the driver has no form for must not leave its place in the statement to the next one.
#[tokio::test]
async fn a_value_that_cannot_be_bound_is_an_error_or_the_right_rows() {
    let at = |year| Date::from_calendar_date(year, Month::January, 1).unwrap().midnight().assume_utc();
    let (folio, _pool) = bound("TEXT NOT NULL", vec![at(2026), at(2027)]).await;
    let east = UtcOffset::from_whole_seconds(4_772).unwrap();
    for value in [at(-5), at(2026).to_offset(east)] {
        let work = async {
            let filtered = OfOffset::query().filter(OfOffset::V.gte(value)).page(1).paginate(7).await;
            match filtered {
                Ok(page) => assert_eq!(page.total, u64::try_from(ROWS).unwrap(), "{value} is before every row"),
                Err(error) => assert!(matches!(error, FrameworkError::Database(_)), "{error:?}"),
            }
            let token = OfOffset { id: i64::MIN, v: value }.seal(CursorDirection::Next).unwrap();
            match page::<OfOffset>(None, Some(&token)).await {
                Ok(page) => assert_eq!(page.data.len(), PER_PAGE, "{value} is before every row"),
                // No row has this key, so how its value is stored cannot be known.
                Err(error) => assert_eq!(error.status(), 400, "{error:?}"),
            }
        };
        folio.scope(work).await;
    }
}
