//! The values of cursors and statements, and a tag for the type of each.
//!
//! A value is a [`sea_query::Value`]. [`Variant`] is the tag that a cursor stores next to each value, so that the value
//! binds with the SQL type of its column when the cursor comes back. The tags have the names of sea-query's variants.
//!
//! `json.rs` defines the exact text of each type in a cursor, and `kind.rs` describes a type as data. To support a new
//! type, add a line to [`with_variants!`](crate::with_variants) and implement `CursorJson` for it.

#[cfg(any(feature = "postgres", all(feature = "sqlite", any(feature = "chrono", feature = "time"))))]
use sea_query::Expr;
use serde::de::{DeserializeSeed, Deserializer};

pub use sea_query::Value;

#[cfg(feature = "postgres")]
mod column_text;
mod json;
mod kind;
pub mod microseconds;
#[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
mod moment;
#[cfg(feature = "postgres")]
pub(crate) use column_text::type_by_columns;
#[cfg(feature = "postgres")]
pub use column_text::{column_text, of_column};
use json::CursorJson;
pub use json::{NotEncodable, write_json};
pub use kind::{Canonical, Kind};
#[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
pub(crate) use moment::{
    MomentColumn, compare_moments, is_after_last_year, is_before, moment_of, seconds_of_moment, sorts_apart,
};

/// The expression without the parentheses of a list that has it alone.
#[cfg(any(feature = "postgres", all(feature = "sqlite", any(feature = "chrono", feature = "time"))))]
fn alone(expr: &Expr) -> &Expr {
    match expr {
        Expr::Tuple(exprs) if exprs.len() == 1 => exprs.first().unwrap_or(expr),
        expr => expr,
    }
}

/// Whether `value` is NaN, which has no consistent order.
pub fn is_nan(value: &Value) -> bool {
    match value {
        Value::Float(value) => value.is_some_and(f32::is_nan),
        Value::Double(value) => value.is_some_and(f64::is_nan),
        _ => false,
    }
}

/// Calls a macro with the types that a cursor can store: for each, the tag, which is also the name of sea-query's
/// variant, the type, whether sea-query boxes it, the feature that enables it, and how the documentation names it.
#[doc(hidden)]
#[macro_export]
macro_rules! with_variants {
    ($callback:ident) => {
        $callback! {
            Bool(bool) = "`bool`";
            TinyInt(i8) = "`i8`";
            SmallInt(i16) = "`i16`";
            Int(i32) = "`i32`";
            BigInt(i64) = "`i64`";
            TinyUnsigned(u8) = "`u8`";
            SmallUnsigned(u16) = "`u16`";
            Unsigned(u32) = "`u32`";
            BigUnsigned(u64) = "`u64`";
            Float(f32) = "`f32`";
            Double(f64) = "`f64`";
            String(String) = "`String`";
            Bytes(Vec<u8>) = "`Vec<u8>`";
            #[feature = "uuid"]
            Uuid(uuid::Uuid) = "`uuid::Uuid`";
            #[feature = "chrono"]
            ChronoDate(chrono::NaiveDate) = "`chrono::NaiveDate`";
            #[feature = "chrono"]
            ChronoTime(chrono::NaiveTime) = "`chrono::NaiveTime`";
            #[feature = "chrono"]
            ChronoDateTime(chrono::NaiveDateTime) = "`chrono::NaiveDateTime`";
            #[feature = "chrono"]
            ChronoDateTimeUtc(chrono::DateTime<chrono::Utc>) = "`chrono::DateTime<Utc>`";
            #[feature = "chrono"]
            ChronoDateTimeLocal(chrono::DateTime<chrono::Local>) = "`chrono::DateTime<Local>`";
            #[feature = "chrono"]
            ChronoDateTimeWithTimeZone(chrono::DateTime<chrono::FixedOffset>) = "`chrono::DateTime<FixedOffset>`";
            #[feature = "time"]
            TimeDate(time::Date) = "`time::Date`";
            #[feature = "time"]
            TimeTime(time::Time) = "`time::Time`";
            #[feature = "time"]
            TimeDateTime(time::PrimitiveDateTime) = "`time::PrimitiveDateTime`";
            #[feature = "time"]
            TimeDateTimeWithTimeZone(time::OffsetDateTime) = "`time::OffsetDateTime`";
            #[feature = "rust_decimal"]
            Decimal(rust_decimal::Decimal) = "`rust_decimal::Decimal`";
            #[feature = "bigdecimal"]
            BigDecimal(bigdecimal::BigDecimal, boxed) = "`bigdecimal::BigDecimal`";
        }
    };
}

/// The variants, and what can be done with the value of any of them.
macro_rules! variants {
    ($($(#[feature = $feature:literal])? $name:ident($type:ty $(, $boxed:ident)?) = $doc:literal;)*) => {
        /// The type of a value in a cursor, which determines the SQL type as which the value is bound.
        ///
        /// All variants exist, even if the feature for their type is not enabled, so that cursors from a process with
        /// more features are recognized. `parse` accepts the names that [`as_str`](Self::as_str) returns.
        ///
        /// ```
        /// # use folio_plan as folio;
        /// use folio::Variant;
        ///
        /// assert_eq!("BigInt".parse(), Ok(Variant::BigInt));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Variant {
            $(#[doc = $doc] $name,)*
        }

        impl Variant {
            const ALL: &[Self] = &[$(Self::$name,)*];

            /// The variant's name, as it is written in a cursor.
            ///
            /// ```
            /// # use folio_plan as folio;
            /// assert_eq!(folio::Variant::BigInt.as_str(), "BigInt");
            /// ```
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }

            /// NULL of this variant. If the type's feature is off, the type has no values, so any NULL will do.
            #[doc(hidden)]
            #[must_use]
            pub fn null(self) -> Value {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$name => Value::$name(None),)*
                    $($(#[cfg(not(feature = $feature))] Self::$name => Value::String(None),)?)*
                }
            }

        }

        /// Reads a value of this variant from a cursor's JSON.
        impl<'de> DeserializeSeed<'de> for Variant {
            type Value = Value;

            fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value, D::Error> {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$name => {
                        let value: Option<$type> = CursorJson::read(json)?;
                        Ok(Value::$name(value.map(|value| variants!(@wrap $($boxed)? value))))
                    })*
                    $($(#[cfg(not(feature = $feature))] Self::$name => {
                        Err(serde::de::Error::custom("the feature of this type is not enabled"))
                    })?)*
                }
            }
        }

        /// The variant of a value, which may be NULL. `None` if a cursor cannot store the type.
        pub fn variant(value: &Value) -> Option<Variant> {
            match value {
                $($(#[cfg(feature = $feature)])? Value::$name(_) => Some(Variant::$name),)*
                _ => None,
            }
        }

        pub fn is_null(value: &Value) -> bool {
            match value {
                $($(#[cfg(feature = $feature)])? Value::$name(value) => value.is_none(),)*
                _ => false,
            }
        }

        /// Writes a value as JSON. Fails if a cursor cannot store it.
        pub fn write(value: &Value, json: &mut Vec<u8>) -> Result<(), NotEncodable> {
            if is_null(value) {
                json.extend_from_slice(b"null");
                return Ok(());
            }
            match value {
                $($(#[cfg(feature = $feature)])? Value::$name(Some(value)) => value.write(json),)*
                _ => Err(NotEncodable),
            }
        }
    };
    (@wrap boxed $value:expr) => { Box::new($value) };
    (@wrap $value:expr) => { $value };
}
with_variants!(variants);

/// Bytes that are different for different values of the same types. No JSON has a byte of zero.
pub(crate) fn identity<'a>(values: impl IntoIterator<Item = &'a Value>) -> Vec<u8> {
    let mut identity = Vec::new();
    for value in values {
        if write(value, &mut identity).is_err() {
            identity.extend(format!("{value:?}").bytes());
        }
        identity.push(0);
    }
    identity
}

pub fn integer(value: &Value) -> Option<i128> {
    match *value {
        Value::TinyInt(integer) => integer.map(Into::into),
        Value::SmallInt(integer) => integer.map(Into::into),
        Value::Int(integer) => integer.map(Into::into),
        Value::BigInt(integer) => integer.map(Into::into),
        Value::TinyUnsigned(integer) => integer.map(Into::into),
        Value::SmallUnsigned(integer) => integer.map(Into::into),
        Value::Unsigned(integer) => integer.map(Into::into),
        Value::BigUnsigned(integer) => integer.map(Into::into),
        _ => None,
    }
}

impl std::str::FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Self, UnknownVariant> {
        Self::ALL.iter().copied().find(|variant| variant.as_str() == name).ok_or(UnknownVariant)
    }
}

/// The error for parsing a [`Variant`] from an unknown name.
///
/// ```
/// # use folio_plan as folio;
/// use folio::{UnknownVariant, Variant};
///
/// assert_eq!("Money".parse::<Variant>(), Err(UnknownVariant));
/// assert_eq!(UnknownVariant.to_string(), "unknown cursor variant");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unknown cursor variant")]
pub struct UnknownVariant;

/// The types of integers. On PostgreSQL, unsigned ones are bound as larger signed ones.
pub const INTEGERS: &[Variant] = &[
    Variant::TinyInt,
    Variant::SmallInt,
    Variant::Int,
    Variant::BigInt,
    Variant::TinyUnsigned,
    Variant::SmallUnsigned,
    Variant::Unsigned,
    Variant::BigUnsigned,
];
