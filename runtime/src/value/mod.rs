//! The Rust types that can be used in a cursor, and the tag of each.
//!
//! A cursor names each value's variant, so that on the way back it binds with the SQL type of its column. The
//! variants are those of [`sea_query::Value`], which also carries the values through the crate.

use std::fmt;

use serde::Deserialize as _;
use serde::de::{DeserializeSeed, Deserializer};

pub use sea_query::Value;

mod json;
mod kind;
pub(crate) use json::NotEncodable;
use json::{CursorJson, FromCursorJson};
pub(crate) use kind::Canonical;
pub use kind::Kind;

/// A type that can be used in a cursor key: a cursor stores its values exactly.
///
/// It is there for the integers of 8 to 64 bits, `f32` and `f64`, `bool`, `String`, `Vec<u8>`, and, behind the
/// features of their names, `Uuid`, the dates and times of chrono and time, `Decimal` and `BigDecimal`; for an
/// `Option` of each, too. A type of your own joins by naming the type that it is stored as:
///
/// ```
/// use folio::{CursorValue, Value, Variant};
///
/// #[derive(Debug, Clone, PartialEq)]
/// struct UserId(i64);
///
/// impl CursorValue for UserId {
///     const VARIANT: Variant = Variant::BigInt;
///     // It keeps the number as it is.
///     const EXACT: bool = true;
///     fn into_value(self) -> Value {
///         self.0.into_value()
///     }
///     fn from_value(value: Value) -> Option<Self> {
///         i64::from_value(value).map(Self)
///     }
/// }
/// assert_eq!(UserId::from_value(UserId(7).into_value()).map(|id| id.0), Some(7));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a cursor key",
    label = "not a type that a cursor can carry",
    note = "a cursor carries i8 to i64, u8 to u64, f32, f64, bool, String, Vec<u8> and an Option of each",
    note = "for a type of your own implement `folio::CursorValue` by way of one of these"
)]
// What is missing of the features, by name.
#[cfg_attr(
    not(feature = "uuid"),
    diagnostic::on_unimplemented(note = "for `uuid::Uuid` enable the feature `uuid` of folio")
)]
#[cfg_attr(
    not(feature = "chrono"),
    diagnostic::on_unimplemented(note = "for chrono's dates and times enable the feature `chrono` of folio")
)]
#[cfg_attr(
    not(feature = "time"),
    diagnostic::on_unimplemented(note = "for time's dates and times enable the feature `time` of folio")
)]
#[cfg_attr(
    not(feature = "rust_decimal"),
    diagnostic::on_unimplemented(note = "for `rust_decimal::Decimal` enable the feature `rust_decimal` of folio")
)]
#[cfg_attr(
    not(feature = "bigdecimal"),
    diagnostic::on_unimplemented(note = "for `bigdecimal::BigDecimal` enable the feature `bigdecimal` of folio")
)]
pub trait CursorValue: Clone + fmt::Debug + PartialEq {
    /// The tag of the type, the same for an `Option` of it.
    const VARIANT: Variant;
    /// Whether the type can be NULL. Rows that have NULL where it cannot are not part of a walk.
    const NULLABLE: bool = false;
    /// Whether [`from_value`](Self::from_value) keeps every value as it is. Leave it `false` for a type that changes
    /// what it reads, such as one that lower-cases texts. A cursor that is made from a row's key then looks the row up.
    const EXACT: bool = false;

    /// The value as it is bound and sealed.
    fn into_value(self) -> Value;

    /// The value back, or `None` where `value` is of another variant or NULL.
    fn from_value(value: Value) -> Option<Self>;

    #[doc(hidden)]
    const __KIND: Kind = Kind::of::<Self>();

    // What a key's own traits call. By way of this trait, so that a type that lacks it is one mistake and not four.
    #[doc(hidden)]
    fn __clone(&self) -> Self {
        self.clone()
    }

    #[doc(hidden)]
    fn __debug(&self) -> &dyn fmt::Debug {
        self
    }

    #[doc(hidden)]
    fn __eq(&self, other: &Self) -> bool {
        self == other
    }
}

impl<T: CursorValue> CursorValue for Option<T> {
    const VARIANT: Variant = T::VARIANT;
    const NULLABLE: bool = true;
    const EXACT: bool = T::EXACT;

    fn into_value(self) -> Value {
        self.map_or_else(|| T::VARIANT.null(), T::into_value)
    }

    fn from_value(value: Value) -> Option<Self> {
        if value == T::VARIANT.null() { Some(None) } else { T::from_value(value).map(Some) }
    }
}

/// Whether `value` is NaN, which has no consistent order.
pub(crate) fn is_nan(value: &Value) -> bool {
    match value {
        Value::Float(value) => value.is_some_and(f32::is_nan),
        Value::Double(value) => value.is_some_and(f64::is_nan),
        _ => false,
    }
}

/// The variants: for each its tag, its type, and the feature that enables it, if any.
macro_rules! variants {
    ($($(#[feature = $feature:literal])? $name:ident($type:ty $(, $boxed:ident)?) = $doc:literal;)*) => {
        /// The tag of a value in a cursor: which type it has, and so which SQL type it binds with.
        ///
        /// ```
        /// use folio::{CursorValue, Variant};
        ///
        /// assert_eq!(<Option<i64> as CursorValue>::VARIANT, Variant::BigInt);
        /// assert_eq!(Variant::BigInt.as_str(), "BigInt");
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Variant {
            $(#[doc = $doc] $name,)*
        }

        impl Variant {
            /// Every variant, in the order of their declaration.
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)*];

            /// The variant's name in a cursor.
            ///
            /// ```
            /// assert_eq!(folio::Variant::BigInt.as_str(), "BigInt");
            /// ```
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }

            /// NULL of this variant. Where the type's feature is off no value of it exists, so any NULL will do.
            pub(crate) fn null(self) -> Value {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$name => Value::$name(None),)*
                    $($(#[cfg(not(feature = $feature))] Self::$name => Value::String(None),)?)*
                }
            }

        }

        /// A value of this variant from a cursor's JSON.
        impl<'de> DeserializeSeed<'de> for Variant {
            type Value = Value;

            fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Value, D::Error> {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$name => {
                        Ok(Option::<FromCursorJson<$type>>::deserialize(json)?.map(|value| value.0).map_or_else(|| self.null(), CursorValue::into_value))
                    })*
                    $($(#[cfg(not(feature = $feature))] Self::$name => {
                        Err(serde::de::Error::custom("the type's feature is off"))
                    })?)*
                }
            }
        }

        /// The variant of a value, or of a NULL; `None` where a cursor cannot carry it.
        pub(crate) fn variant(value: &Value) -> Option<Variant> {
            match value {
                $($(#[cfg(feature = $feature)])? Value::$name(_) => Some(Variant::$name),)*
                _ => None,
            }
        }

        /// Whether `value` is NULL.
        pub(crate) fn is_null(value: &Value) -> bool {
            match value {
                $($(#[cfg(feature = $feature)])? Value::$name(value) => value.is_none(),)*
                _ => false,
            }
        }

        /// Writes a value's JSON, or `NotEncodable` where a cursor cannot carry it.
        pub(crate) fn write(value: &Value, json: &mut Vec<u8>) -> Result<(), NotEncodable> {
            match value {
                $($(#[cfg(feature = $feature)])? Value::$name(Some(value)) => value.write(json),)*
                $($(#[cfg(feature = $feature)])? Value::$name(None) => {
                    json.extend_from_slice(b"null");
                    Ok(())
                })*
                _ => Err(NotEncodable),
            }
        }

        $($(#[cfg(feature = $feature)])? impl CursorValue for $type {
            const VARIANT: Variant = Variant::$name;
            const EXACT: bool = true;

            fn into_value(self) -> Value {
                Value::$name(Some(variants!(@wrap $($boxed)? self)))
            }

            fn from_value(value: Value) -> Option<Self> {
                match value {
                    Value::$name(value) => value.map(|value| variants!(@unwrap $($boxed)? value)),
                    _ => None,
                }
            }
        })*
    };
    (@wrap boxed $value:expr) => { Box::new($value) };
    (@wrap $value:expr) => { $value };
    (@unwrap boxed $value:expr) => { *$value };
    (@unwrap $value:expr) => { $value };
}

variants! {
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

/// UUIDs that are stored as text, and so compare as text.
#[cfg(feature = "uuid")]
macro_rules! texts_of_uuids {
    ($($type:ty),*) => {$(
        impl CursorValue for $type {
            const VARIANT: Variant = Variant::String;

            fn into_value(self) -> Value {
                self.to_string().into_value()
            }

            fn from_value(value: Value) -> Option<Self> {
                uuid::Uuid::parse_str(&String::from_value(value)?).ok().map(Self::from)
            }
        }
    )*};
}
#[cfg(feature = "uuid")]
texts_of_uuids!(uuid::fmt::Hyphenated, uuid::fmt::Simple);

impl std::str::FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Self, UnknownVariant> {
        Self::ALL.iter().copied().find(|variant| variant.as_str() == name).ok_or(UnknownVariant)
    }
}

/// A name that is no [`Variant`]'s.
///
/// ```
/// assert!("Money".parse::<folio::Variant>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unknown cursor variant")]
pub struct UnknownVariant;
