//! The text of each type of value in a cursor.

use folio::{CryptPurpose, CursorDirection, CursorValue, Keyring, Variant, decode_cursor, encode_cursor};
use sea_query::prelude::bigdecimal::num_bigint::BigInt;
use sea_query::prelude::chrono::{DateTime, FixedOffset, Local, NaiveDate, NaiveTime, TimeZone as _};
use sea_query::prelude::time::{Date, Month, Time, UtcOffset};
use sea_query::prelude::{BigDecimal, Decimal, Uuid};

use crate::round_trips::with_keyring;

/// The text of a payload is fixed. A different text would be a new format.
#[test]
fn payloads_keep_their_format() {
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
        let at = date.and_time(NaiveTime::from_hms_nano_opt(18, 30, 0, 123_456_000).unwrap());
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

/// A text that JSON would write with many escapes gets version 2 of the format, and is in base64.
#[test]
fn a_text_with_many_escapes_is_in_base64() {
    with_keyring(|keyring| {
        let read = |text: &str| {
            let token = encode_cursor(&text.to_owned(), CursorDirection::Prev).unwrap();
            assert_eq!(decode_cursor::<String>(&token).unwrap(), (text.to_owned(), CursorDirection::Prev));
            let payload = keyring.open(CryptPurpose::Cursor, &[], &token).unwrap();
            (token.len(), String::from_utf8(payload).unwrap().trim_end().to_owned(), token)
        };
        // The second character has the last two bits of the version.
        let version = |token: &str| if matches!(token.as_bytes()[1], b'g'..=b'v') { 2 } else { 1 };
        let (length, payload, token) = read(&"\u{1}".repeat(249));
        assert!(length <= 2_080 && version(&token) == 1 && payload.starts_with(r#"["prev",["String","\u0001"#));
        let (length, payload, token) = read(&"\u{1}".repeat(255));
        assert!(length < 550 && version(&token) == 2, "{length} {token}");
        assert_eq!(payload, format!(r#"["prev",["StringBase64","{}"]]"#, "AQEB".repeat(85)));
        // Base64 would be longer.
        let (length, payload, token) = read(&"a".repeat(2_000));
        assert!(length > 2_080 && version(&token) == 2 && payload.starts_with(r#"["prev",["String","aaa"#));
    });
}
