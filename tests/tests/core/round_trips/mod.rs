//! Each value comes out of a cursor as it went in.

mod moments;

use std::fmt::Debug;
use std::str::FromStr;

use folio::{CursorDirection, CursorValue, FrameworkError, Key, Keyring, decode_cursor, encode_cursor};
use folio_tests::own_types::{Level, Slug};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use sea_query::prelude::bigdecimal::num_bigint::BigInt;
use sea_query::prelude::chrono::{DateTime, FixedOffset, Utc};
use sea_query::prelude::time::{OffsetDateTime, UtcOffset};
use sea_query::prelude::{BigDecimal, Decimal, Uuid};

use crate::application;

/// Runs `work` in an application that has a keyring.
pub(crate) fn with_keyring<R>(work: impl FnOnce(&Keyring) -> R) -> R {
    let keyring = Keyring::new(Key::generate());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let work = async { application().keyring(keyring.clone()).scope(async { work(&keyring) }).await };
    runtime.block_on(work)
}

/// Seals `value` in both directions, alone and as an `Option`, and compares what comes back.
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
        // An `Option` is sealed like its value.
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

/// Checks a property of values that are the same on every run.
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
        // A day away from each end, so that every offset can be written.
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

#[test]
fn types_of_the_application_come_back() {
    with_keyring(|_| {
        assert_round_trips([Level(i64::MIN), Level(0), Level(i64::MAX)]);
        assert_round_trips([Slug(String::new()), Slug("naïve".into())]);
        // They are sealed as the type that they are stored as.
        let token = encode_cursor(&Level(7), CursorDirection::Next).unwrap();
        assert_eq!(decode_cursor::<i64>(&token).unwrap().0, 7);
        assert!(decode_cursor::<Slug>(&token).is_err());
    });
}
