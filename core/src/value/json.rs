//! How each type is written into a cursor's JSON.
//!
//! A value has to come back exactly as it was, or the next page would skip or repeat rows. So floats are written as
//! their bits, times with nine digits of a second, and decimals with their scale. The forms are part of the cursor
//! format: changing one would invalidate the cursors that clients hold.
//!
//! | types | form | example |
//! |---|---|---|
//! | integers, `bool` | as in JSON | `42` |
//! | `f32`, `f64` | the bits as an integer | `4609434218613702656` for 1.5 |
//! | `String` | as in JSON | `"a"` |
//! | `Vec<u8>` | URL-safe base64 without padding | `"_wA"` |
//! | UUIDs | with hyphens | `"67e55044-10b1-426f-9247-bb680e5fe0c8"` |
//! | dates and times | ISO 8601; those of chrono that have a zone in UTC | `"2026-05-14T18:30:00.123456Z"` |
//! | `DateTime<FixedOffset>` | in UTC, then the offset in seconds | `"2026-05-14T18:30:00Z+7200"` |
//! | decimals | digits with the scale | `"1.50"`, or `"150e-2"` for a `BigDecimal` |

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};

/// A value that cannot be in a cursor, such as NaN, which has no consistent order.
#[derive(Debug)]
pub struct NotEncodable;

/// A type that can be written into a cursor's JSON and read back exactly.
pub(super) trait CursorJson: Sized {
    /// Appends the value to a cursor's JSON.
    fn write(&self, json: &mut Vec<u8>) -> Result<(), NotEncodable>;

    /// Reads what [`write`](Self::write) has written, and nothing else.
    fn read<'de, D: Deserializer<'de>>(json: D) -> Result<Self, D::Error>;
}

/// Writes a string, a number or a boolean.
pub fn write_json(value: impl Serialize, json: &mut Vec<u8>) -> Result<(), NotEncodable> {
    serde_json::to_writer(json, &value).map_err(|_| NotEncodable)
}

/// Parses a string. It contains no JSON escapes, so it can be borrowed.
fn text<'de, D: Deserializer<'de>, T>(json: D, read: impl FnOnce(&str) -> Option<T>) -> Result<T, D::Error> {
    read(<&str>::deserialize(json)?).ok_or_else(|| D::Error::custom("a string of another type"))
}

/// Deserializes a type from its form in a cursor.
pub(super) struct FromCursorJson<T>(pub(super) T);

impl<'de, T: CursorJson> Deserialize<'de> for FromCursorJson<T> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        T::read(json).map(Self)
    }
}

/// Types whose JSON form is already exact.
macro_rules! plain {
    ($($type:ty),*) => {$(
        impl CursorJson for $type {
            fn write(&self, out: &mut Vec<u8>) -> Result<(), NotEncodable> {
                write_json(self, out)
            }

            fn read<'de, D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
                Self::deserialize(json)
            }
        }
    )*};
}
plain!(bool, i8, i16, i32, i64, u8, u16, u32, u64);

/// Floats are written as their bits, at their own width. A decimal text that rounds would skip or repeat rows.
macro_rules! floats {
    ($($type:ty: $bits:ty),*) => {$(
        impl CursorJson for $type {
            fn write(&self, out: &mut Vec<u8>) -> Result<(), NotEncodable> {
                if self.is_nan() { Err(NotEncodable) } else { self.to_bits().write(out) }
            }

            fn read<'de, D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
                let float = <$bits>::read(json).map(Self::from_bits)?;
                if float.is_nan() { Err(D::Error::custom("NaN")) } else { Ok(float) }
            }
        }
    )*};
}
floats!(f32: u32, f64: u64);

impl CursorJson for String {
    fn write(&self, out: &mut Vec<u8>) -> Result<(), NotEncodable> {
        write_json(self, out)
    }

    fn read<'de, D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        Self::deserialize(json)
    }
}

impl CursorJson for Vec<u8> {
    fn write(&self, out: &mut Vec<u8>) -> Result<(), NotEncodable> {
        write_json(URL_SAFE_NO_PAD.encode(self), out)
    }

    fn read<'de, D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        text(json, |text| URL_SAFE_NO_PAD.decode(text).ok())
    }
}

/// Types that are written as text: `$write` formats a value exactly, and `$read` parses it.
macro_rules! texts {
    ($(#[feature = $feature:literal] $type:ty: $write:expr, $read:expr;)*) => {$(
        #[cfg(feature = $feature)]
        impl CursorJson for $type {
            fn write(&self, out: &mut Vec<u8>) -> Result<(), NotEncodable> {
                let text: fn(&Self) -> Option<String> = $write;
                write_json(text(self).ok_or(NotEncodable)?, out)
            }

            fn read<'de, D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
                let value: fn(&str) -> Option<Self> = $read;
                text(json, value)
            }
        }
    )*};
}

texts! {
    #[feature = "uuid"]
    uuid::Uuid: |id| Some(id.to_string()), |text| text.parse().ok();
    #[feature = "chrono"]
    chrono::NaiveDate: |date| Some(date.to_string()), |text| text.parse().ok();
    #[feature = "chrono"]
    chrono::NaiveTime: |time| Some(time.to_string()), |text| text.parse().ok();
    #[feature = "chrono"]
    chrono::NaiveDateTime: |at| formatted(format_args!("{at:?}")), |text| text.parse().ok();
    #[feature = "chrono"]
    chrono::DateTime<chrono::Utc>: |at| formatted(format_args!("{:?}Z", at.naive_utc())), parse_utc;
    #[feature = "chrono"]
    chrono::DateTime<chrono::Local>: |at| formatted(format_args!("{:?}Z", at.naive_utc())),
        |text| parse_utc(text).map(|at| at.with_timezone(&chrono::Local));
    // The moment in UTC and the offset in seconds, because an RFC 3339 offset has no seconds.
    #[feature = "chrono"]
    chrono::DateTime<chrono::FixedOffset>: |at| {
        formatted(format_args!("{:?}Z{:+}", at.naive_utc(), at.offset().local_minus_utc()))
    }, |text| {
        let (at, offset) = text.rsplit_once('Z')?;
        let offset = chrono::FixedOffset::east_opt(offset.parse().ok()?)?;
        let at: chrono::NaiveDateTime = at.parse().ok()?;
        Some(chrono::DateTime::from_naive_utc_and_offset(at, offset))
    };
    #[feature = "time"]
    time::Date: |date| date.format(DATE).ok(), |text| Self::parse(text, DATE).ok();
    #[feature = "time"]
    time::Time: |time| time.format(TIME).ok(), |text| Self::parse(text, TIME).ok();
    #[feature = "time"]
    time::PrimitiveDateTime: |at| at.format(DATE_TIME).ok(), |text| Self::parse(text, DATE_TIME).ok();
    #[feature = "time"]
    time::OffsetDateTime: |at| at.format(OFFSET_DATE_TIME).ok(), |text| Self::parse(text, OFFSET_DATE_TIME).ok();
    #[feature = "rust_decimal"]
    rust_decimal::Decimal: |number| Some(number.to_string()), |text| {
        let mut number = Self::from_str_exact(text).ok()?;
        // `from_str_exact` loses the sign of zero.
        number.set_sign_negative(text.starts_with('-'));
        Some(number)
    };
    // Digits and exponent, because the plain text of 1E1000000 has a million digits and loses the scale.
    #[feature = "bigdecimal"]
    bigdecimal::BigDecimal: |number| {
        let (digits, scale) = number.as_bigint_and_exponent();
        Some(format!("{digits}e{}", i128::from(scale).checked_neg()?))
    }, |text| text.parse().ok();
}

/// Formats a date and time. The capacity fits any of them, so the string does not grow piece by piece.
#[cfg(feature = "chrono")]
fn formatted(text: std::fmt::Arguments<'_>) -> Option<String> {
    let mut line = String::with_capacity(48);
    std::fmt::Write::write_fmt(&mut line, text).ok()?;
    Some(line)
}

/// Parses a date and time in UTC.
#[cfg(feature = "chrono")]
fn parse_utc(text: &str) -> Option<chrono::DateTime<chrono::Utc>> {
    // The faster parser. It reads everything except years of more than four digits.
    if let Ok(at) = chrono::DateTime::parse_from_rfc3339(text) {
        return Some(at.to_utc());
    }
    let at: chrono::NaiveDateTime = text.strip_suffix('Z')?.parse().ok()?;
    Some(at.and_utc())
}

#[cfg(feature = "time")]
use formats::{DATE, DATE_TIME, OFFSET_DATE_TIME, TIME};

/// Formats that lose nothing: nine digits of a second, and offsets with seconds.
#[cfg(feature = "time")]
mod formats {
    use time::{format_description::BorrowedFormatItem, macros::format_description};

    pub(super) const DATE: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day]");
    pub(super) const TIME: &[BorrowedFormatItem<'_>] =
        format_description!("[hour]:[minute]:[second].[subsecond digits:9]");
    pub(super) const DATE_TIME: &[BorrowedFormatItem<'_>] =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:9]");
    pub(super) const OFFSET_DATE_TIME: &[BorrowedFormatItem<'_>] = format_description!(
        "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:9][offset_hour sign:mandatory]:[offset_minute]:[offset_second]"
    );
}
