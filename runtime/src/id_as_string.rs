//! Integers as strings in JSON, because JavaScript rounds those above 2⁵³.
//!
//! Write `#[serde(with = "folio::id_as_string")]` on a field that is an integer, or an `Option` or a `Vec` of integers.
//! Only the JSON changes, not filters, orders or cursors.
//!
//! ```
//! #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
//! struct Post {
//!     #[serde(with = "folio::id_as_string")]
//!     id: i64,
//!     #[serde(with = "folio::id_as_string")]
//!     parent_id: Option<i64>,
//! }
//!
//! let post = Post { id: 9_007_199_254_740_993, parent_id: None };
//! let json = serde_json::to_value(&post)?;
//! assert_eq!(json, serde_json::json!({ "id": "9007199254740993", "parent_id": null }));
//! assert_eq!(serde_json::from_value::<Post>(json)?, post);
//! # serde_json::Result::Ok(())
//! ```
//!
//! A type of its own for the id needs it once:
//!
//! ```
//! #[derive(serde::Serialize, serde::Deserialize)]
//! struct PostId(#[serde(with = "folio::id_as_string")] i64);
//!
//! assert_eq!(serde_json::to_value(PostId(7))?, "7");
//! # serde_json::Result::Ok(())
//! ```
//!
//! Libraries that describe types do not see what `with` does, so tell them:
//!
//! | library | on the field |
//! |---|---|
//! | utoipa | `#[schema(value_type = String)]`, or `Option<String>` or `Vec<String>` |
//! | schemars | `#[schemars(with = "String")]` |
//! | ts-rs | `#[ts(type = "string")]` |
//!
//! If an optional field may be missing in the JSON that is read, add `#[serde(default)]`.

use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

/// A value that this module writes as strings: an integer, or an `Option` or a `Vec` of such values.
///
/// ```
/// fn assert_implemented<T: folio::id_as_string::AsString>() {}
///
/// assert_implemented::<Option<Vec<u64>>>();
/// ```
pub trait AsString: sealed::AsString {}

impl<T: sealed::AsString> AsString for T {}

/// Serializes integers as strings.
///
/// ```
/// let mut json = Vec::new();
/// folio::id_as_string::serialize(&vec![1_i64, 2], &mut serde_json::Serializer::new(&mut json))?;
/// assert_eq!(json, br#"["1","2"]"#);
/// # serde_json::Result::Ok(())
/// ```
///
/// # Errors
/// Those of the serializer.
pub fn serialize<T: AsString, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.write(serializer)
}

/// Deserializes integers from strings.
///
/// ```
/// let mut json = serde_json::Deserializer::from_str(r#""18446744073709551615""#);
/// assert_eq!(folio::id_as_string::deserialize::<u64, _>(&mut json)?, u64::MAX);
///
/// let mut json = serde_json::Deserializer::from_str(r#""seven""#);
/// let error = folio::id_as_string::deserialize::<u64, _>(&mut json).unwrap_err();
/// assert!(error.to_string().starts_with("`seven` is not an integer of type `u64`"));
/// # serde_json::Result::Ok(())
/// ```
///
/// # Errors
/// If the value is not a string with an integer of the field's type. A number is refused as well: a client that sends
/// one may have rounded it.
pub fn deserialize<'de, T: AsString, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::read(deserializer)
}

mod sealed {
    use super::{Deserializer, Serializer};

    pub trait AsString: Sized {
        fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
        fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
    }
}

/// A value inside a list or an option.
struct Element<T>(T);

impl<T: sealed::AsString> Serialize for Element<&T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

impl<'de, T: sealed::AsString> Deserialize<'de> for Element<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(Self)
    }
}

impl<T: sealed::AsString> sealed::AsString for Option<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(Element).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Option::<Element<T>>::deserialize(deserializer)?;
        Ok(value.map(|Element(value)| value))
    }
}

impl<T: sealed::AsString> sealed::AsString for Vec<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Element))
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Vec::<Element<T>>::deserialize(deserializer)?;
        Ok(values.into_iter().map(|Element(value)| value).collect())
    }
}

fn parse<T: FromStr, E: Error>(text: &str) -> Result<T, E> {
    text.parse()
        .map_err(|_| E::custom(format_args!("`{text}` is not an integer of type `{}`", std::any::type_name::<T>())))
}

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl sealed::AsString for $integer {
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                parse(&String::deserialize(deserializer)?)
            }
        }
    )*};
}
integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);
