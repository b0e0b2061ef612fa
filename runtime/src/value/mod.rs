//! The Rust types that can be used in a cursor, and a tag for each.
//!
//! [`CursorValue`] converts a type to and from [`sea_query::Value`], the type in which values pass through this crate.
//! [`Variant`] is the tag that a cursor stores next to each value, so that the value binds with the SQL type of its
//! column when the cursor comes back. The tags have the names of sea-query's variants.
//!
//! `json.rs` defines the exact text of each type in a cursor, `kind.rs` describes a type as data, and `operand.rs` says
//! how a comparison binds a value. `probe.rs` is for the derives. To support a new type, add a line to `variants!` and
//! implement `CursorJson` for it. How a value is read from a row is the business of the drivers.

use std::fmt;

use serde::Deserialize as _;
use serde::de::{DeserializeSeed, Deserializer};

pub use sea_query::Value;

pub(crate) mod bind;
#[cfg(feature = "postgres")]
mod column_text;
mod column_value;
mod json;
mod kind;
pub(crate) mod microseconds;
#[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
mod moment;
mod operand;
mod probe;
#[cfg(feature = "postgres")]
pub(crate) use column_text::{column_text, of_column, type_by_columns};
pub use column_value::{ColumnValue, NullsUnstated};
use json::{CursorJson, FromCursorJson};
pub(crate) use json::{NotEncodable, write_json};
pub(crate) use kind::Canonical;
pub use kind::Kind;
#[cfg(all(feature = "sqlite", any(feature = "chrono", feature = "time")))]
pub(crate) use moment::{MomentColumn, compare_moments, seconds_of_moment};
pub use operand::operand;
pub use probe::{NoCursorValue, ValueProbe};

/// A type that can be used in a cursor key. Cursors store its values exactly.
///
/// | types | feature |
/// |---|---|
/// | `i8` to `i64`, `u8` to `u64`, `f32`, `f64`, `bool`, `String`, `Vec<u8>` | |
/// | `uuid::Uuid`; `Hyphenated` and `Simple` for UUIDs that are stored as text | `uuid` |
/// | `NaiveDate`, `NaiveTime`, `NaiveDateTime`, and `DateTime` of `Utc`, `Local` and `FixedOffset` | `chrono` |
/// | `Date`, `Time`, `PrimitiveDateTime`, `OffsetDateTime` | `time` |
/// | `rust_decimal::Decimal` | `rust_decimal` |
/// | `bigdecimal::BigDecimal` | `bigdecimal` |
/// | `Option` of each of these, for a nullable column | |
///
/// NaN has no consistent order across databases, so a cursor cannot contain it.
///
/// # Your own types
///
/// For an enum or a newtype, derive [`ColumnValue`](macro@crate::ColumnValue). It implements this trait.
///
/// For any other type, implement this trait in terms of the type that the column stores. To use the type's columns in
/// orders, implement [`ColumnValue`] as well:
///
/// ```
/// use folio::{ColumnValue, CursorValue, Value, Variant};
///
/// /// A version that is stored as one number: 1.4 as 1004.
/// #[derive(Debug, Clone, PartialEq)]
/// struct Version(i32, i32);
///
/// impl CursorValue for Version {
///     const VARIANT: Variant = Variant::Int;
///     // Reading and writing does not change the number.
///     const EXACT: bool = true;
///     fn into_value(self) -> Value {
///         (self.0 * 1000 + self.1).into_value()
///     }
///     fn from_value(value: Value) -> Option<Self> {
///         i32::from_value(value).map(|number| Self(number / 1000, number % 1000))
///     }
/// }
/// impl ColumnValue for Version {}
///
/// const VERSION: folio::Column<Version> = folio::Column::new("version");
/// assert_eq!(VERSION.gt(Version(1, 4)), folio::Column::<i32>::new("version").gt(1004));
/// assert_eq!(Version::from_value(Version(1, 4).into_value()), Some(Version(1, 4)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a cursor key",
    label = "a cursor cannot store this type",
    note = "a cursor stores i8 to i64, u8 to u64, f32, f64, bool, String, Vec<u8>, and an Option of each",
    note = "for an enum or a newtype of your own, add `#[derive(folio::ColumnValue)]` to it"
)]
// A note for each feature that is not enabled.
#[cfg_attr(
    not(feature = "uuid"),
    diagnostic::on_unimplemented(note = "for `uuid::Uuid`, enable folio's feature `uuid`")
)]
#[cfg_attr(
    not(feature = "chrono"),
    diagnostic::on_unimplemented(note = "for chrono's dates and times, enable folio's feature `chrono`")
)]
#[cfg_attr(
    not(feature = "time"),
    diagnostic::on_unimplemented(note = "for time's dates and times, enable folio's feature `time`")
)]
#[cfg_attr(
    not(feature = "rust_decimal"),
    diagnostic::on_unimplemented(note = "for `rust_decimal::Decimal`, enable folio's feature `rust_decimal`")
)]
#[cfg_attr(
    not(feature = "bigdecimal"),
    diagnostic::on_unimplemented(note = "for `bigdecimal::BigDecimal`, enable folio's feature `bigdecimal`")
)]
pub trait CursorValue: Clone + fmt::Debug + PartialEq {
    /// The tag of the type. An `Option` has the tag of the type inside it.
    ///
    /// It determines the SQL type that values are bound as, so it has to match [`into_value`](Self::into_value). If you
    /// change it, old cursors become invalid.
    const VARIANT: Variant;
    /// Whether the type can represent NULL, like `Option`. If it cannot, its columns should be `NOT NULL`.
    const NULLABLE: bool = false;
    /// Whether [`from_value`](Self::from_value) and [`into_value`](Self::into_value) return every value unchanged.
    ///
    /// Leave it `false` for a type that changes what it reads, such as one that converts text to lower case. The value
    /// in a row's key can then differ from the value in the column, so a page at a cursor that was made from a key
    /// first looks up the row. This takes one or two more statements.
    const EXACT: bool = false;

    /// Converts to the value that is bound in SQL and stored in cursors.
    ///
    /// ```
    /// use folio::{CursorValue, Value};
    ///
    /// assert_eq!(7_i64.into_value(), Value::BigInt(Some(7)));
    /// assert_eq!(None::<i64>.into_value(), Value::BigInt(None));
    /// ```
    fn into_value(self) -> Value;

    /// Converts from a value. Returns `None` if the value has another variant, if it is NULL but the type cannot
    /// represent NULL, or if it is not a value of the type. A cursor with such a value is invalid.
    ///
    /// ```
    /// use folio::{CursorValue, Value};
    ///
    /// assert_eq!(i64::from_value(Value::BigInt(Some(7))), Some(7));
    /// assert_eq!(i64::from_value(Value::Int(Some(7))), None);
    /// assert_eq!(i64::from_value(Value::BigInt(None)), None);
    /// assert_eq!(Option::<i64>::from_value(Value::BigInt(None)), Some(None));
    /// ```
    fn from_value(value: Value) -> Option<Self>;

    #[doc(hidden)]
    const __KIND: Kind = Kind::of::<Self>();

    // The name of the type on PostgreSQL, to which a text is cast in a comparison.
    #[doc(hidden)]
    fn __postgres_type() -> Option<String> {
        None
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

    fn __postgres_type() -> Option<String> {
        T::__postgres_type()
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

/// The variants: for each, its tag, its type, and the feature that enables it, if any.
macro_rules! variants {
    ($($(#[feature = $feature:literal])? $name:ident($type:ty $(, $boxed:ident)?) = $doc:literal;)*) => {
        /// The type of a value in a cursor, which determines the SQL type as which the value is bound.
        ///
        /// All variants exist, even if the feature for their type is not enabled, so that cursors from a process with
        /// more features are recognized. `parse` accepts the names that [`as_str`](Self::as_str) returns.
        ///
        /// ```
        /// use folio::{CursorValue, Variant};
        ///
        /// assert_eq!(<Option<i64> as CursorValue>::VARIANT, Variant::BigInt);
        /// assert_eq!("BigInt".parse(), Ok(Variant::BigInt));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Variant {
            $(#[doc = $doc] $name,)*
        }

        impl Variant {
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)*];

            /// The variant's name, as it is written in a cursor.
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

            /// NULL of this variant. If the type's feature is off, the type has no values, so any NULL will do.
            pub(crate) fn null(self) -> Value {
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
                    $($(#[cfg(feature = $feature)])? Self::$name => read::<$type, D>(json),)*
                    $($(#[cfg(not(feature = $feature))] Self::$name => {
                        Err(serde::de::Error::custom("the feature of this type is not enabled"))
                    })?)*
                }
            }
        }

        /// The variant of a value, which may be NULL. `None` if a cursor cannot store the type.
        pub(crate) fn variant(value: &Value) -> Option<Variant> {
            match value {
                $($(#[cfg(feature = $feature)])? Value::$name(_) => Some(Variant::$name),)*
                _ => None,
            }
        }

        pub(crate) fn is_null(value: &Value) -> bool {
            match value {
                $($(#[cfg(feature = $feature)])? Value::$name(value) => value.is_none(),)*
                _ => false,
            }
        }

        /// Writes a value as JSON. Fails if a cursor cannot store it.
        pub(crate) fn write(value: &Value, json: &mut Vec<u8>) -> Result<(), NotEncodable> {
            match value {
                $($(#[cfg(feature = $feature)])? Value::$name(Some(value)) => value.write(json),)*
                $($(#[cfg(feature = $feature)])? Value::$name(None) => write_null(json),)*
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
        }

        $(#[cfg(feature = $feature)])? impl ColumnValue for $type {})*
    };
    (@wrap boxed $value:expr) => { Box::new($value) };
    (@wrap $value:expr) => { $value };
    (@unwrap boxed $value:expr) => { *$value };
    (@unwrap $value:expr) => { $value };
}

/// Reads a value of a type, or NULL.
fn read<'de, T: CursorValue + CursorJson, D: Deserializer<'de>>(json: D) -> Result<Value, D::Error> {
    let value = Option::<FromCursorJson<T>>::deserialize(json)?;
    Ok(value.map_or_else(|| T::VARIANT.null(), |FromCursorJson(value)| value.into_value()))
}

pub(crate) fn integer(value: &Value) -> Option<i128> {
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

fn write_null(json: &mut Vec<u8>) -> Result<(), NotEncodable> {
    json.extend_from_slice(b"null");
    Ok(())
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

/// UUIDs in text columns. They compare as text, so their variant is that of a string.
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

        impl ColumnValue for $type {}
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

/// The error for parsing a [`Variant`] from an unknown name.
///
/// ```
/// use folio::{UnknownVariant, Variant};
///
/// assert_eq!("Money".parse::<Variant>(), Err(UnknownVariant));
/// assert_eq!(UnknownVariant.to_string(), "unknown cursor variant");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unknown cursor variant")]
pub struct UnknownVariant;

/// The types of integers. On PostgreSQL, unsigned ones are bound as larger signed ones.
pub(crate) const INTEGERS: &[Variant] = &[
    Variant::TinyInt,
    Variant::SmallInt,
    Variant::Int,
    Variant::BigInt,
    Variant::TinyUnsigned,
    Variant::SmallUnsigned,
    Variant::Unsigned,
    Variant::BigUnsigned,
];
