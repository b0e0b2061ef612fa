//! PostgreSQL values without a Rust representation, which cannot be used in a cursor key.
//!
//! Values are checked in the binary form in which they are sent, because sqlx panics on some of them and rounds others:
//!
//! | type | on the wire | what Rust does not hold |
//! |---|---|---|
//! | `date` | days from 2000-01-01 as `i32` | `infinity`, which is the largest number, and `-infinity`, the smallest |
//! | `timestamp`, `timestamptz` | microseconds from 2000-01-01 as `i64` | the same |
//! | `time` | microseconds as `i64` | 24:00, the end of a day |
//! | `numeric` | groups of four decimal digits | NaN and infinity; more digits than `Decimal` holds |

use folio_plan::value::Variant;
use sqlx::postgres::{PgValueFormat, PgValueRef};
use sqlx::{TypeInfo as _, ValueRef as _};

use super::errors::OUT_OF_RANGE;

/// A day in microseconds.
const DAY: i64 = 86_400_000_000;

/// Whether a date or a moment is after the year 9999, which `time` does not support, or infinite.
pub(super) fn is_out_of_range(raw: &PgValueRef<'_>) -> bool {
    /// The days from 2000, from where PostgreSQL counts, to 9999.
    const DAYS: u64 = 2_921_940;
    let days = bytes(raw).and_then(|bytes| match raw.type_info().name() {
        "DATE" => Some(i32::from_be_bytes(bytes.try_into().ok()?).into()),
        "TIMESTAMP" | "TIMESTAMPTZ" => i64::from_be_bytes(bytes.try_into().ok()?).checked_div(DAY),
        _ => None,
    });
    days.is_some_and(|days: i64| days.unsigned_abs() >= DAYS)
}

/// Why a value without an exact Rust representation cannot be used in a cursor key.
pub(super) fn unsupported(raw: &PgValueRef<'_>, variant: Variant) -> Option<&'static str> {
    let bytes = bytes(raw)?;
    match raw.type_info().name() {
        "DATE" => {
            let days = i32::from_be_bytes(bytes.try_into().ok()?);
            matches!(days, i32::MIN | i32::MAX).then_some(OUT_OF_RANGE)
        }
        "TIMESTAMP" | "TIMESTAMPTZ" => {
            let micros = i64::from_be_bytes(bytes.try_into().ok()?);
            matches!(micros, i64::MIN | i64::MAX).then_some(OUT_OF_RANGE)
        }
        "TIME" => {
            let micros = i64::from_be_bytes(bytes.try_into().ok()?);
            // chrono and time have it as 00:00.
            (micros == DAY).then_some("24:00 has no Rust representation and cannot be used in a cursor key")
        }
        "NUMERIC" => Numeric::read(bytes)?.unsupported(variant),
        _ => None,
    }
}

/// The bytes of a value that is not NULL. Values of a statement without parameters arrive as text, but folio's selects
/// are always prepared.
fn bytes<'r>(raw: &PgValueRef<'r>) -> Option<&'r [u8]> {
    match raw.format() {
        PgValueFormat::Binary => raw.as_bytes().ok(),
        PgValueFormat::Text => None,
    }
}

/// A `numeric`: digits to the base of 10,000, the first of which is worth 10,000 to the power of `weight`.
///
/// The layout is that of `numeric_send` in PostgreSQL's `numeric.c`: the number of digits, the weight, the sign and the
/// number of decimal places, then the digits, each as 16 bits in network order.
struct Numeric {
    /// Negative if the first digit is after the point.
    weight: i64,
    /// 0, or one of the values for negative numbers, NaN and the two infinities.
    sign: u16,
    digits: Vec<u16>,
}

/// The digits that rust_decimal holds.
const DIGITS: i64 = 28;

impl Numeric {
    /// Reads a number from its bytes; `None` if they are too short for one.
    fn read(bytes: &[u8]) -> Option<Self> {
        let (words, _) = bytes.as_chunks();
        let mut words = words.iter().copied().map(u16::from_be_bytes);
        let (_count, weight, sign, _scale) = (words.next()?, words.next()?, words.next()?, words.next()?);
        Some(Self { weight: weight.cast_signed().into(), sign, digits: words.collect() })
    }

    /// Why it has no exact value of the variant's type.
    fn unsupported(&self, variant: Variant) -> Option<&'static str> {
        // NaN and the infinities have signs of their own.
        const NEGATIVE: u16 = 0x4000;
        if !matches!(self.sign, 0 | NEGATIVE) {
            return Some(
                "NaN and infinity have no Rust representation in this type and cannot be used in a cursor key",
            );
        }
        (variant == Variant::Decimal && !self.fits_decimal()).then_some(super::TOO_MANY_DIGITS)
    }

    /// Whether rust_decimal can represent it exactly. With more than 28 digits in total, sqlx may round without an
    /// error.
    fn fits_decimal(&self) -> bool {
        let digits: String = self.digits.iter().map(|digit| format!("{digit:04}")).collect();
        // Negative if zeros follow the point first.
        let before = self.weight.saturating_add(1).saturating_mul(4);
        let after = length(digits.trim_end_matches('0')).saturating_sub(before);
        let total = length(digits.trim_matches('0'));
        digits.is_empty() || [total, before, after].into_iter().all(|count| count <= DIGITS)
    }
}

fn length(digits: &str) -> i64 {
    i64::try_from(digits.len()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numeric(weight: i64, digits: &[u16]) -> Numeric {
        Numeric { weight, sign: 0, digits: digits.to_vec() }
    }

    #[test]
    fn decimals_have_28_digits() {
        // In turn 0, 1e24, 1e28, 28 and 29 digits before the point, 28 and 29 places, 14 and 15 digits on each side.
        assert!(numeric(0, &[]).fits_decimal());
        assert!(numeric(6, &[1]).fits_decimal());
        assert!(!numeric(7, &[1]).fits_decimal());
        assert!(numeric(6, &[9999; 7]).fits_decimal());
        assert!(!numeric(6, &[9999, 9999, 9999, 9999, 9999, 9999, 9999, 1000]).fits_decimal());
        assert!(numeric(-7, &[1]).fits_decimal());
        assert!(!numeric(-8, &[1000]).fits_decimal());
        assert!(numeric(3, &[12, 3456, 7890, 1234, 5678, 9012, 3456, 7800]).fits_decimal());
        assert!(!numeric(3, &[12, 3456, 7890, 1234, 5678, 9012, 3456, 7890]).fits_decimal());
    }
}
