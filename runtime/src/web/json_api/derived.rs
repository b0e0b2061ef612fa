//! What the derive makes of a model with `resource`.

use folio_plan::value::{self, Value};
use serde::{Serialize, Serializer};

use super::relationship::{Relationship, ResourceIdentifier};

/// A model as a resource. The derive calls this with the type of the attributes, at the place where
/// `resource` is written, and with the columns of the primary key and the keys under which serde writes them. The same
/// for foreign keys, each with the name of its relationship and the type of the other resource.
#[doc(hidden)]
#[macro_export]
macro_rules! __resource {
    (
        $model:ident = $type:literal, $attributes:ty { $($field:ident: $ty:ty = $key:literal;)* }
        $({ $($foreign:ident: $foreign_ty:ty = $foreign_key:literal, $name:literal to $other:literal;)* })?
    ) => {
        #[automatically_derived]
        impl $crate::json_api::JsonResource for $model {
            const ID_KEYS: &'static [&'static ::core::primitive::str] = &[$($key,)* $($($foreign_key),*)?];

            fn resource_type(&self) -> &::core::primitive::str {
                $type
            }

            fn id(&self) -> ::std::string::String {
                use $crate::__private::NoCursorValue as _;
                $crate::json_api::__private::resource_id([$(
                    $crate::__private::ValueProbe::<$ty>::into_value(
                        $crate::__private::ValueProbe::<$ty>::clone(&self.$field)
                    )
                ),*])
            }

            fn attributes(&self) -> $attributes {
                $crate::json_api::__private::SerializedModel(self)
            }

            $(fn relationships(&self) -> ::core::option::Option<$crate::json_api::__private::Json> {
                $crate::json_api::__private::to_one_relationships([$((
                    $name,
                    $other,
                    <$foreign_ty as $crate::CursorValue>::into_value(::core::clone::Clone::clone(&self.$foreign))
                )),*])
            })?
        }
    };
}

/// Separates the values of a composite primary key. Numbers, dates and UUIDs do not have it, and a URL needs no
/// encoding for it.
const SEPARATOR: &str = "~";

/// The id of a row from the values of its primary key.
///
/// One value is its own text. Several values are joined by `~`. A `~` or `%` in one of them is percent-encoded, so that
/// two rows never share an id.
pub fn resource_id<const N: usize>(values: [Value; N]) -> String {
    if let [value] = &values[..] {
        return text(value);
    }
    let escaped = |value: &Value| text(value).replace('%', "%25").replace(SEPARATOR, "%7E");
    values.iter().map(escaped).collect::<Vec<_>>().join(SEPARATOR)
}

/// A value's text: its form in a cursor, which is a number, or a JSON string without its quotes.
fn text(value: &Value) -> String {
    match value {
        // The JSON of a cursor has floats as bits.
        Value::Float(Some(float)) => float.to_string(),
        Value::Double(Some(float)) => float.to_string(),
        value => {
            let mut json = Vec::new();
            match value::write(value, &mut json) {
                Ok(()) => serde_json::from_slice(&json).unwrap_or_else(|_| String::from_utf8_lossy(&json).into_owned()),
                // A value that a cursor cannot store is not in a primary key.
                Err(_) => String::new(),
            }
        }
    }
}

/// The relationships of a model: for each, its name, the type of the other resource, and the foreign key.
pub fn to_one_relationships<const N: usize>(foreign_keys: [(&str, &str, Value); N]) -> Option<serde_json::Value> {
    let relationship = |(name, kind, key): (&str, _, _)| {
        let other = (!value::is_null(&key)).then(|| ResourceIdentifier::new(kind, resource_id([key])));
        // Texts always serialize.
        (name.to_owned(), serde_json::to_value(Relationship::to_one(other)).unwrap_or_default())
    };
    Some(foreign_keys.into_iter().map(relationship).collect())
}

/// A model as its own attributes: everything that it serializes to.
///
/// A separate type, so that a model without `Serialize` is one error, reported at its `resource` attribute.
#[derive(Debug)]
pub struct SerializedModel<'a, M>(pub &'a M);

impl<M: Serialize> Serialize for SerializedModel<'_, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::CursorValue;

    #[test]
    fn one_value_is_its_own_text() {
        assert_eq!(resource_id([7_i64.into_value()]), "7");
        assert_eq!(resource_id([u64::MAX.into_value()]), "18446744073709551615");
        assert_eq!(resource_id([true.into_value()]), "true");
        assert_eq!(resource_id([1.5_f64.into_value()]), "1.5");
        assert_eq!(resource_id([0.1_f32.into_value()]), "0.1");
        assert_eq!(resource_id(["a~b%".to_owned().into_value()]), "a~b%");
        assert_eq!(resource_id([vec![255_u8, 0].into_value()]), "_wA");
    }

    #[test]
    fn several_values_never_share_an_id() {
        let id = |a: &str, b: &str| resource_id([a.to_owned().into_value(), b.to_owned().into_value()]);
        assert_eq!(resource_id([7_i64.into_value(), "en".to_owned().into_value()]), "7~en");
        assert_eq!((id("a~", "b"), id("a", "~b")), ("a%7E~b".to_owned(), "a~%7Eb".to_owned()));
        assert_ne!(id("a%7E", "b"), id("a~", "b"));
    }
}
