//! The Rust types of columns.
//!
//! [`CursorValue`] converts a type to and from [`sea_query::Value`], the type in which values pass through folio, and
//! has its [`Variant`]. `column_value.rs` leaves out the types that can be NULL, and `operand.rs` says how a comparison
//! binds a value. `probe.rs` is for the derives. The list of types is [`folio_plan::with_variants`]; how a value is
//! read from a row is the business of the drivers.

use std::fmt;

use folio_plan::value::{Canonical, Kind, Value, Variant};

mod column_value;
mod operand;
mod probe;

pub use column_value::{ColumnValue, NullsUnstated};
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
    const __KIND: Kind = Kind {
        variant: Self::VARIANT,
        nullable: Self::NULLABLE,
        canonical: Canonical { convert: |value| Self::from_value(value).map(Self::into_value), is_exact: Self::EXACT },
    };

    // The name of the type on PostgreSQL, to which a text is cast in a comparison.
    #[doc(hidden)]
    fn __postgres_type() -> Option<String> {
        None
    }

    // All values as a client writes them in a query string, if the type has a list of them.
    #[doc(hidden)]
    fn __listed() -> Vec<String> {
        Vec::new()
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

    fn __listed() -> Vec<String> {
        T::__listed()
    }
}

/// Implements the traits for the types that a cursor can store.
macro_rules! cursor_values {
    ($($(#[feature = $feature:literal])? $name:ident($type:ty $(, $boxed:ident)?) = $doc:literal;)*) => {
    $($(#[cfg(feature = $feature)])? impl CursorValue for $type {
        const VARIANT: Variant = Variant::$name;
        const EXACT: bool = true;

        fn into_value(self) -> Value {
            Value::$name(Some(cursor_values!(@wrap $($boxed)? self)))
        }

        fn from_value(value: Value) -> Option<Self> {
            match value {
                Value::$name(value) => value.map(|value| cursor_values!(@unwrap $($boxed)? value)),
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
folio_plan::with_variants!(cursor_values);

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
