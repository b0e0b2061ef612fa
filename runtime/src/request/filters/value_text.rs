//! Values as clients write them in a query string.

use std::str::FromStr;

use folio_plan::value::{Value, Variant};

#[cfg(any(feature = "chrono", feature = "time"))]
use super::moment;
use crate::value::{CursorValue, operand};

/// The type of the values that a filter takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ValueType {
    pub(crate) variant: Variant,
    /// All values as a client writes them, for types that have a list of them.
    listed: fn() -> Vec<String>,
    read: fn(&str) -> Result<Value, Unreadable>,
}

/// Why a text is not a value of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// It does not have the form of the values.
    Form,
    /// It has the form, but the application's own type refuses it.
    Value,
}

impl ValueType {
    pub(super) fn of<T: CursorValue>() -> Self {
        Self { variant: T::VARIANT, listed: T::__listed, read: |text| value::<T>(text).map(operand) }
    }

    /// The value in a text, as a comparison binds it.
    pub(super) fn read(self, text: &str) -> Result<Value, Unreadable> {
        (self.read)(text)
    }

    /// All values as texts, if they can be listed; otherwise none.
    pub(crate) fn listed(self) -> Vec<String> {
        let listed = (self.listed)();
        if listed.is_empty() && self.variant == Variant::Bool {
            return vec!["true".to_owned(), "false".to_owned()];
        }
        listed
    }

    /// Whether a comma can only separate values, because none contains one.
    pub(crate) fn is_separated_by_commas(self) -> bool {
        let listed = self.listed();
        let is_any_text = listed.is_empty() && self.variant == Variant::String;
        !is_any_text && !listed.iter().any(|text| text.contains(','))
    }

    /// What the text of a value looks like, for the message to a client.
    pub(super) fn form(self) -> String {
        macro_rules! integers {
            ($($variant:ident: $type:ty),*) => {
                match self.variant {
                    $(Variant::$variant => return format!("an integer from {} to {}", <$type>::MIN, <$type>::MAX),)*
                    _ => {}
                }
            };
        }
        integers!(
            TinyInt: i8, SmallInt: i16, Int: i32, BigInt: i64,
            TinyUnsigned: u8, SmallUnsigned: u16, Unsigned: u32, BigUnsigned: u64
        );
        let form = match self.variant {
            Variant::Bool => "`true` or `false`",
            Variant::Float | Variant::Double | Variant::Decimal | Variant::BigDecimal => "a number such as `12.5`",
            Variant::Bytes => "bytes as hexadecimal digits, such as `00ff`",
            Variant::Uuid => "a UUID such as `67e55044-10b1-426f-9247-bb680e5fe0c8`",
            Variant::ChronoDate | Variant::TimeDate => "a date such as `2026-05-14`",
            Variant::ChronoTime | Variant::TimeTime => {
                "a time such as `18:30:00`, with at most six decimal places in the seconds"
            }
            Variant::ChronoDateTime | Variant::TimeDateTime => {
                "a date and time without an offset, such as `2026-05-14T18:30:00`, with at most six decimal places in \
                 the seconds"
            }
            Variant::ChronoDateTimeUtc
            | Variant::ChronoDateTimeLocal
            | Variant::ChronoDateTimeWithTimeZone
            | Variant::TimeDateTimeWithTimeZone => {
                "a date and time with an offset, such as `2026-05-14T18:30:00Z` or `2026-05-14T20:30:00%2B02:00`, with \
                 at most six decimal places in the seconds"
            }
            _ => "a text",
        };
        form.to_owned()
    }
}

/// The value of a type in a text.
pub(super) fn value<T: CursorValue>(text: &str) -> Result<T, Unreadable> {
    T::from_value(parse(T::VARIANT, text).ok_or(Unreadable::Form)?).ok_or(Unreadable::Value)
}

/// The value of a variant in a text. Every text has at most one value, which does not depend on a locale or a time
/// zone.
fn parse(variant: Variant, text: &str) -> Option<Value> {
    let value = match variant {
        Variant::Bool => matches!(text, "true" | "false").then_some(text == "true")?.into(),
        Variant::TinyInt => integer::<i8>(text)?.into(),
        Variant::SmallInt => integer::<i16>(text)?.into(),
        Variant::Int => integer::<i32>(text)?.into(),
        Variant::BigInt => integer::<i64>(text)?.into(),
        Variant::TinyUnsigned => integer::<u8>(text)?.into(),
        Variant::SmallUnsigned => integer::<u16>(text)?.into(),
        Variant::Unsigned => integer::<u32>(text)?.into(),
        Variant::BigUnsigned => integer::<u64>(text)?.into(),
        Variant::Float => float(text)?.parse().ok().filter(|number: &f32| number.is_finite())?.into(),
        Variant::Double => float(text)?.parse().ok().filter(|number: &f64| number.is_finite())?.into(),
        Variant::String => text.into(),
        Variant::Bytes => bytes(text)?.into(),
        #[cfg(feature = "uuid")]
        Variant::Uuid => uuid::Uuid::try_parse(text).ok()?.into(),
        #[cfg(feature = "rust_decimal")]
        Variant::Decimal => rust_decimal::Decimal::from_str_exact(decimal(text)?).ok()?.into(),
        #[cfg(feature = "bigdecimal")]
        Variant::BigDecimal => decimal(text)?.parse::<bigdecimal::BigDecimal>().ok()?.into(),
        #[cfg(feature = "chrono")]
        Variant::ChronoDate => of_chrono::date(moment::day(text)?)?.into(),
        #[cfg(feature = "chrono")]
        Variant::ChronoTime => of_chrono::time(moment::time_of_day(text)?)?.into(),
        #[cfg(feature = "chrono")]
        Variant::ChronoDateTime => of_chrono::date_time(moment::day_and_time(text)?)?.into(),
        #[cfg(feature = "chrono")]
        Variant::ChronoDateTimeUtc => of_chrono::moment(text)?.to_utc().into(),
        #[cfg(feature = "chrono")]
        Variant::ChronoDateTimeLocal => of_chrono::moment(text)?.with_timezone(&chrono::Local).into(),
        #[cfg(feature = "chrono")]
        Variant::ChronoDateTimeWithTimeZone => of_chrono::moment(text)?.into(),
        #[cfg(feature = "time")]
        Variant::TimeDate => of_time::date(moment::day(text)?)?.into(),
        #[cfg(feature = "time")]
        Variant::TimeTime => of_time::time(moment::time_of_day(text)?)?.into(),
        #[cfg(feature = "time")]
        Variant::TimeDateTime => of_time::date_time(moment::day_and_time(text)?)?.into(),
        #[cfg(feature = "time")]
        Variant::TimeDateTimeWithTimeZone => of_time::moment(text)?.into(),
        // A type whose feature is off has no values.
        _ => return None,
    };
    Some(value)
}

/// The integer in a text of ASCII digits, which a `-` may precede.
fn integer<N: FromStr>(text: &str) -> Option<N> {
    is_digits(text.strip_prefix('-').unwrap_or(text)).then(|| text.parse().ok()).flatten()
}

/// The text, if it is a decimal number without an exponent; `None` for one that is longer than any database stores.
fn decimal(text: &str) -> Option<&str> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    (text.len() <= 1_000 && is_digits(whole) && is_digits(fraction)).then_some(text)
}

/// The text, if it is a decimal number, which an exponent may follow.
fn float(text: &str) -> Option<&str> {
    let number = text.split_once(['e', 'E']).map_or(text, |(number, _)| number);
    decimal(number).map(|_| text)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Decodes pairs of hexadecimal digits.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let byte = |[high, low]: &[u8; 2]| Some(digit(*high)? << 4 | digit(*low)?);
    (rest.is_empty() && !pairs.is_empty()).then(|| pairs.iter().map(byte).collect()).flatten()
}

#[cfg(feature = "chrono")]
mod of_chrono {
    use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime};

    use super::moment::{self, Day, TimeOfDay};

    pub(super) fn date((year, month, day): Day) -> Option<NaiveDate> {
        NaiveDate::from_ymd_opt(year, month, day)
    }

    pub(super) fn time((hour, minute, second, microsecond): TimeOfDay) -> Option<NaiveTime> {
        NaiveTime::from_hms_micro_opt(hour, minute, second, microsecond)
    }

    pub(super) fn date_time((day, time_of_day): (Day, TimeOfDay)) -> Option<NaiveDateTime> {
        Some(date(day)?.and_time(time(time_of_day)?))
    }

    pub(super) fn moment(text: &str) -> Option<DateTime<FixedOffset>> {
        let (day, time, offset) = moment::moment(text)?;
        date_time((day, time))?.and_local_timezone(FixedOffset::east_opt(offset)?).single()
    }
}

#[cfg(feature = "time")]
mod of_time {
    use time::{Date, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

    use super::moment::{self, Day, TimeOfDay};

    pub(super) fn date((year, month, day): Day) -> Option<Date> {
        let month = u8::try_from(month).ok()?.try_into().ok()?;
        Date::from_calendar_date(year, month, day.try_into().ok()?).ok()
    }

    pub(super) fn time((hour, minute, second, microsecond): TimeOfDay) -> Option<Time> {
        Time::from_hms_micro(hour.try_into().ok()?, minute.try_into().ok()?, second.try_into().ok()?, microsecond).ok()
    }

    pub(super) fn date_time((day, time_of_day): (Day, TimeOfDay)) -> Option<PrimitiveDateTime> {
        Some(PrimitiveDateTime::new(date(day)?, time(time_of_day)?))
    }

    /// In UTC: drivers convert it, and panic if it is after the last year there.
    pub(super) fn moment(text: &str) -> Option<OffsetDateTime> {
        let (day, time, offset) = moment::moment(text)?;
        let moment = date_time((day, time))?.assume_offset(UtcOffset::from_whole_seconds(offset).ok()?);
        moment.checked_to_offset(UtcOffset::UTC)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that each text is read as the value after it, and that none of the others has a value.
    #[track_caller]
    fn check<T: CursorValue>(values: &[(&str, T)], others: &[&str]) {
        for (text, expected) in values {
            assert_eq!(value::<T>(text).as_ref(), Ok(expected), "{text}");
            let read = ValueType::of::<Option<T>>().read(text);
            assert_eq!(read, Ok(expected.clone().into_value()), "{text}");
        }
        // None of these is a value of any type but a text.
        for text in others.iter().chain(&["", " ", "null", "a", "\0", "'", "--1", "+1", "1 ", " 1", "1_0", "٣", "NaN"])
        {
            assert_eq!(value::<T>(text), Err(Unreadable::Form), "{text}");
        }
    }

    #[test]
    fn integers_are_ascii_digits() {
        check(
            &[("0", 0_i8), ("-128", -128), ("0127", 127), ("-0", 0)],
            &["128", "-129", "1.0", "1e1", "0x1", "-", "𝟏"],
        );
        check(&[("-32768", i16::MIN), ("32767", i16::MAX)], &["32768"]);
        check(&[("-2147483648", i32::MIN), ("2147483647", i32::MAX)], &["2147483648"]);
        check(&[("-9223372036854775808", i64::MIN), ("9223372036854775807", i64::MAX)], &["9223372036854775808"]);
        check(&[("0", 0_u8), ("255", 255)], &["256", "-1"]);
        check(&[("65535", u16::MAX)], &["65536", "-1"]);
        check(&[("4294967295", u32::MAX)], &["4294967296", "-1"]);
        check(&[("18446744073709551615", u64::MAX)], &["18446744073709551616", "-1", &"9".repeat(60_000)]);
    }

    #[test]
    fn floats_are_finite() {
        let others =
            ["inf", "-inf", "infinity", "nan", "1e999", ".5", "5.", "1.5.5", "e5", "1e", "1e5.5", "0x1p3", "1,5", "-"];
        check(
            &[("12.5", 12.5_f64), ("-0.25", -0.25), ("3", 3.0), ("1e3", 1000.0), ("1E-2", 0.01), ("2e+2", 200.0)],
            &others,
        );
        check(&[("12.5", 12.5_f32), ("3e38", 3e38)], &["1e39", "nan", "inf"]);
    }

    #[test]
    fn booleans_are_two_words() {
        check(&[("true", true), ("false", false)], &["1", "0", "True", "on", "yes", "t"]);
        assert_eq!(ValueType::of::<Option<bool>>().listed(), ["true", "false"]);
    }

    #[test]
    fn a_text_is_any_text() {
        for text in ["", " ", "a,b", "é", "\0", "NULL", "%_!"] {
            assert_eq!(value::<String>(text), Ok(text.to_owned()));
        }
        check(&[("00ff", vec![0, 255]), ("C0de", vec![0xC0, 0xDE])], &["0", "0g", "0x00", "é", "00 ff"]);
    }

    #[test]
    fn only_texts_without_a_list_of_values_may_have_commas() {
        assert!(
            ValueType::of::<i64>().is_separated_by_commas() && ValueType::of::<Option<bool>>().is_separated_by_commas()
        );
        assert!(!ValueType::of::<Option<String>>().is_separated_by_commas());
    }

    #[cfg(feature = "uuid")]
    #[test]
    fn uuids_have_their_usual_forms() {
        let id = uuid::uuid!("67e55044-10b1-426f-9247-bb680e5fe0c8");
        let texts = ["67e55044-10b1-426f-9247-bb680e5fe0c8", "67E5504410B1426F9247BB680E5FE0C8"];
        check(
            &texts.map(|text| (text, id)),
            &["67e55044-10b1-426f-9247-bb680e5fe0c", "67e55044-10b1-426f-9247-bb680e5fe0cg"],
        );
        assert_eq!(value(texts[1]), Ok(id.hyphenated()));
        assert_eq!(value::<uuid::fmt::Simple>("no id"), Err(Unreadable::Value));
    }

    #[cfg(feature = "rust_decimal")]
    #[test]
    fn decimals_are_exact() {
        use rust_decimal::Decimal;
        let most = Decimal::MAX.to_string();
        let others =
            ["1e2", "1.", ".1", "1.2.3", "79228162514264337593543950336", "0.00000000000000000000000000001", "1,5"];
        check(&[("12.50", Decimal::new(1250, 2)), ("-7", Decimal::from(-7)), (&most, Decimal::MAX)], &others);
    }

    #[cfg(feature = "bigdecimal")]
    #[test]
    fn big_decimals_have_no_exponent() {
        use bigdecimal::BigDecimal;
        let long = "9".repeat(1_000);
        let parsed = |text: &str| text.parse::<BigDecimal>().unwrap();
        check(&[("12.50", parsed("12.50")), (&long, parsed(&long))], &["1e2", "1e999999999", &"9".repeat(1_001), "1."]);
    }

    #[cfg(feature = "chrono")]
    #[test]
    fn dates_and_times_of_chrono_are_complete() {
        use chrono::{DateTime, FixedOffset, Local, NaiveDate, NaiveTime, Utc};
        let day = NaiveDate::from_ymd_opt(2028, 2, 29).unwrap();
        let time = NaiveTime::from_hms_micro_opt(18, 30, 5, 250_000).unwrap();
        let at = day.and_time(time).and_utc();
        check(&[("2028-02-29", day)], &["2027-02-29", "2028-13-01", "2028-2-29", "2028-02-29T00:00:00", "20280229"]);
        check(&[("18:30:05.25", time)], &["24:00:00", "18:60:00", "23:59:60", "6:30pm", "18:30:05.2500000"]);
        check(
            &[("2028-02-29T18:30:05.25", at.naive_utc())],
            &["2028-02-29", "2028-02-29T18:30:05Z", "2027-02-29T00:00:00"],
        );
        let with_zone = ["2028-02-29T18:30:05.25Z", "2028-02-29T20:30:05.25+02:00", "2028-02-29T13:00:05.25-05:30"];
        let others = [
            "2028-02-29T18:30:05",
            "2028-02-29",
            "2028-02-29T20:30:05 02:00",
            "2028-02-29T23:59:60Z",
            "1835461805",
            "2028-02-29T18:30:05.2500001Z",
        ];
        check::<DateTime<Utc>>(&with_zone.map(|text| (text, at)), &others);
        check::<DateTime<Local>>(&with_zone.map(|text| (text, at.with_timezone(&Local))), &others);
        check::<DateTime<FixedOffset>>(&with_zone.map(|text| (text, at.fixed_offset())), &others);
        for edge in ["0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"] {
            assert!(value::<DateTime<Utc>>(edge).is_ok());
        }
    }

    #[cfg(feature = "chrono")]
    #[test]
    fn a_message_says_how_many_decimal_places_seconds_have() {
        use chrono::{DateTime, NaiveDateTime, NaiveTime, Utc};
        let forms = [ValueType::of::<NaiveTime>(), ValueType::of::<NaiveDateTime>(), ValueType::of::<DateTime<Utc>>()];
        for form in forms.map(ValueType::form) {
            assert!(form.ends_with(", with at most six decimal places in the seconds"), "{form}");
        }
    }

    #[cfg(feature = "time")]
    #[test]
    fn dates_and_times_of_time_are_complete() {
        use time::macros::{date, datetime, time};
        use time::{Date, OffsetDateTime, PrimitiveDateTime, Time};
        check::<Date>(&[("2028-02-29", date!(2028 - 02 - 29))], &["2027-02-29", "2028-13-01", "2028-00-01"]);
        check::<Time>(&[("18:30", time!(18:30)), ("18:30:05.25", time!(18:30:05.25))], &["24:00:00", "23:59:60"]);
        check::<PrimitiveDateTime>(
            &[("2028-02-29T18:30", datetime!(2028-02-29 18:30))],
            &["2028-02-29", "2028-02-29T18:30Z"],
        );
        let at = datetime!(2028-02-29 18:30 UTC);
        // The drivers convert it to UTC, where a moment after the last year would be a panic.
        let others = ["2028-02-29T18:30", "9999-12-31T23:59:59-00:01"];
        check::<OffsetDateTime>(&[("2028-02-29T20:30:00+02:00", at), ("2028-02-29T18:30:00Z", at)], &others);
    }

    /// A type that does not have every value of its column.
    #[derive(Debug, Clone, PartialEq)]
    struct Even(i32);

    impl CursorValue for Even {
        const VARIANT: Variant = Variant::Int;

        fn into_value(self) -> Value {
            self.0.into()
        }

        fn from_value(value: Value) -> Option<Self> {
            i32::from_value(value).filter(|number| number % 2 == 0).map(Self)
        }
    }

    #[test]
    fn a_type_of_the_application_decides_on_its_values() {
        check(&[("2", Even(2))], &["2.0"]);
        assert_eq!(value::<Even>("3"), Err(Unreadable::Value));
        assert_eq!(ValueType::of::<Option<Even>>().read("3"), Err(Unreadable::Value));
    }
}
