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

use std::io::Write as _;

use base64::{Engine as _, display::Base64Display, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};

/// A value that cannot be in a cursor, such as NaN, which has no consistent order.
#[derive(Debug)]
pub struct NotEncodable;

/// A type that can be written into a cursor's JSON and read back exactly.
pub(super) trait CursorJson: Sized {
    /// Appends the value to a cursor's JSON.
    fn write(&self, json: &mut Vec<u8>) -> Result<(), NotEncodable>;

    /// Reads what [`write`](Self::write) has written, and nothing else; `None` for `null`.
    fn read<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Self>, D::Error>;
}

/// Writes a string, a number or a boolean.
pub fn write_json(value: impl Serialize, json: &mut Vec<u8>) -> Result<(), NotEncodable> {
    serde_json::to_writer(json, &value).map_err(|_| NotEncodable)
}

/// Types whose JSON form is already exact.
macro_rules! plain {
    ($($type:ty),*) => {$(
        impl CursorJson for $type {
            fn write(&self, json: &mut Vec<u8>) -> Result<(), NotEncodable> {
                write_json(self, json)
            }

            fn read<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Self>, D::Error> {
                Option::deserialize(json)
            }
        }
    )*};
}
plain!(bool, i8, i16, i32, i64, u8, u16, u32, u64, String);

/// Floats are written as their bits, at their own width. A decimal text that rounds would skip or repeat rows.
macro_rules! floats {
    ($($type:ty: $bits:ty),*) => {$(
        impl CursorJson for $type {
            fn write(&self, json: &mut Vec<u8>) -> Result<(), NotEncodable> {
                if self.is_nan() { Err(NotEncodable) } else { write_json(self.to_bits(), json) }
            }

            fn read<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Self>, D::Error> {
                let float = Option::<$bits>::deserialize(json)?.map(Self::from_bits);
                if float.is_some_and(Self::is_nan) { Err(D::Error::custom("NaN")) } else { Ok(float) }
            }
        }
    )*};
}
floats!(f32: u32, f64: u64);

/// Types that are written as text: `$write` formats a value exactly, and `$read` parses it. No text has characters that
/// JSON escapes, so it is written into the JSON directly, and parsed where it is.
macro_rules! texts {
    ($($(#[feature = $feature:literal])? $type:ty: $write:expr, $read:expr;)*) => {$(
        $(#[cfg(feature = $feature)])?
        impl CursorJson for $type {
            fn write(&self, json: &mut Vec<u8>) -> Result<(), NotEncodable> {
                let write: fn(&Self, &mut Vec<u8>) -> Option<()> = $write;
                json.push(b'"');
                write(self, json).ok_or(NotEncodable)?;
                json.push(b'"');
                Ok(())
            }

            fn read<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Self>, D::Error> {
                let parse: fn(&str) -> Option<Self> = $read;
                let Some(text) = Option::<&str>::deserialize(json)? else { return Ok(None) };
                let value = parse(text).ok_or_else(|| D::Error::custom("a string of another type"))?;
                Ok(Some(value))
            }
        }
    )*};
}

texts! {
    Vec<u8>: |bytes, json| write!(json, "{}", Base64Display::new(bytes, &URL_SAFE_NO_PAD)).ok(),
        |text| URL_SAFE_NO_PAD.decode(text).ok();
    #[feature = "uuid"]
    uuid::Uuid: |id, json| write!(json, "{id}").ok(), |text| text.parse().ok();
    #[feature = "chrono"]
    chrono::NaiveDate: |date, json| write!(json, "{date}").ok(), |text| text.parse().ok();
    #[feature = "chrono"]
    chrono::NaiveTime: |time, json| write!(json, "{time}").ok(), |text| text.parse().ok();
    #[feature = "chrono"]
    chrono::NaiveDateTime: |at, json| write!(json, "{at:?}").ok(), |text| text.parse().ok();
    #[feature = "chrono"]
    chrono::DateTime<chrono::Utc>: |at, json| write!(json, "{:?}Z", at.naive_utc()).ok(), parse_utc;
    #[feature = "chrono"]
    chrono::DateTime<chrono::Local>: |at, json| write!(json, "{:?}Z", at.naive_utc()).ok(),
        |text| parse_utc(text).map(|at| at.with_timezone(&chrono::Local));
    // The moment in UTC and the offset in seconds, because an RFC 3339 offset has no seconds.
    #[feature = "chrono"]
    chrono::DateTime<chrono::FixedOffset>: |at, json| {
        write!(json, "{:?}Z{:+}", at.naive_utc(), at.offset().local_minus_utc()).ok()
    }, |text| {
        let (at, offset) = text.rsplit_once('Z')?;
        let offset = chrono::FixedOffset::east_opt(offset.parse().ok()?)?;
        let at: chrono::NaiveDateTime = at.parse().ok()?;
        Some(chrono::DateTime::from_naive_utc_and_offset(at, offset))
    };
    #[feature = "time"]
    time::Date: |date, json| date.format_into(json, DATE).ok().map(drop), |text| Self::parse(text, DATE).ok();
    #[feature = "time"]
    time::Time: |time, json| time.format_into(json, TIME).ok().map(drop), |text| Self::parse(text, TIME).ok();
    #[feature = "time"]
    time::PrimitiveDateTime: |at, json| at.format_into(json, DATE_TIME).ok().map(drop),
        |text| Self::parse(text, DATE_TIME).ok();
    #[feature = "time"]
    time::OffsetDateTime: |at, json| at.format_into(json, OFFSET_DATE_TIME).ok().map(drop),
        |text| Self::parse(text, OFFSET_DATE_TIME).ok();
    #[feature = "rust_decimal"]
    rust_decimal::Decimal: |number, json| write!(json, "{number}").ok(), |text| {
        let mut number = Self::from_str_exact(text).ok()?;
        // `from_str_exact` loses the sign of zero.
        number.set_sign_negative(text.starts_with('-'));
        Some(number)
    };
    // Digits and exponent, because the plain text of 1E1000000 has a million digits and loses the scale.
    #[feature = "bigdecimal"]
    bigdecimal::BigDecimal: |number, json| {
        let (digits, scale) = number.as_bigint_and_exponent();
        write!(json, "{digits}e{}", i128::from(scale).checked_neg()?).ok()
    }, |text| text.parse().ok();
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
