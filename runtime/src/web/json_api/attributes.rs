//! The attributes of a resource: what a row serializes to, without the keys that are in its id.
//!
//! A serializer drops the keys while the document is written. The row is serialized once, and keeps the order of its
//! fields. Serializing it to a `serde_json::Value` first would allocate each value, and sort the keys unless the
//! feature `preserve_order` of serde_json is enabled somewhere in the application.
//!
//! JSON:API asks for an object, so any other value is an error, as are the names `id` and `type`, which every resource
//! has beside its attributes, and the names of its relationships.

use std::fmt::Display;

use serde::ser::{Error, Impossible, Serialize, SerializeMap, SerializeStruct, Serializer};
use serde_json::Value;

/// A struct or a map without some of its keys.
pub(super) struct Attributes<'a, T> {
    pub(super) of: T,
    /// Which of its keys are attributes. Those of nested objects stay.
    pub(super) names: Names<'a>,
}

/// Which keys of a row are attributes of its resource.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    /// The keys to drop, because the id has them.
    pub(super) without: &'static [&'static str],
    /// The keys to keep, if the request asks for some of the fields.
    pub(super) only: Option<&'a [String]>,
    /// The relationships of the resource, whose names an attribute cannot have.
    pub(super) relationships: Option<&'a Value>,
}

impl Names<'_> {
    /// Whether a key is written; the reason if no attribute can have its name.
    fn has(&self, key: &str) -> Result<bool, String> {
        if self.without.contains(&key) {
            return Ok(false);
        }
        if matches!(key, "id" | "type") {
            return Err(format!("an attribute cannot be named `{key}`, because every resource has a {key}"));
        }
        if self.relationships.is_some_and(|object| object.get(key).is_some()) {
            return Err(format!(
                "`{key}` is both an attribute and a relationship of a resource: rename one of them, or leave one out"
            ));
        }
        Ok(self.only.is_none_or(|only| only.iter().any(|name| name == key)))
    }
}

impl<T: Serialize> Serialize for Attributes<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.of.serialize(Filter { serializer, names: self.names })
    }
}

/// A serializer that accepts only objects.
struct Filter<'a, S> {
    serializer: S,
    names: Names<'a>,
}

impl<'a, S: Serializer> Filter<'a, S> {
    /// Begins the object.
    fn object(self) -> Result<Object<'a, S::SerializeMap>, S::Error> {
        // The number of remaining keys is not known yet.
        let map = self.serializer.serialize_map(None)?;
        Ok(Object { map, names: self.names, key: None })
    }
}

/// The error for a value that is not an object.
fn not_an_object<T, E: Error>() -> Result<T, E> {
    Err(E::custom("the attributes of a resource have to be a struct or a map"))
}

/// The methods for values that are not objects.
macro_rules! refuse {
    ($($method:ident($($of:ty),*) -> $to:ty;)*) => {$(
        fn $method(self, $(_: $of),*) -> Result<$to, S::Error> {
            not_an_object()
        }
    )*};
}

impl<'a, S: Serializer> Serializer for Filter<'a, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Impossible<S::Ok, S::Error>;
    type SerializeTuple = Impossible<S::Ok, S::Error>;
    type SerializeTupleStruct = Impossible<S::Ok, S::Error>;
    type SerializeTupleVariant = Impossible<S::Ok, S::Error>;
    type SerializeMap = Object<'a, S::SerializeMap>;
    type SerializeStruct = Object<'a, S::SerializeMap>;
    type SerializeStructVariant = Impossible<S::Ok, S::Error>;

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, S::Error> {
        self.object()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        self.object()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<S::Ok, S::Error> {
        not_an_object()
    }

    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Result<S::Ok, S::Error> {
        not_an_object()
    }

    fn is_human_readable(&self) -> bool {
        self.serializer.is_human_readable()
    }

    refuse! {
        serialize_bool(bool) -> S::Ok;
        serialize_i8(i8) -> S::Ok;
        serialize_i16(i16) -> S::Ok;
        serialize_i32(i32) -> S::Ok;
        serialize_i64(i64) -> S::Ok;
        serialize_i128(i128) -> S::Ok;
        serialize_u8(u8) -> S::Ok;
        serialize_u16(u16) -> S::Ok;
        serialize_u32(u32) -> S::Ok;
        serialize_u64(u64) -> S::Ok;
        serialize_u128(u128) -> S::Ok;
        serialize_f32(f32) -> S::Ok;
        serialize_f64(f64) -> S::Ok;
        serialize_char(char) -> S::Ok;
        serialize_str(&str) -> S::Ok;
        serialize_bytes(&[u8]) -> S::Ok;
        serialize_none() -> S::Ok;
        serialize_unit() -> S::Ok;
        serialize_unit_struct(&'static str) -> S::Ok;
        serialize_unit_variant(&'static str, u32, &'static str) -> S::Ok;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }
}

/// An object that is being written.
struct Object<'a, M> {
    map: M,
    names: Names<'a>,
    /// The key whose value comes next, if keys and values arrive separately.
    key: Option<String>,
}

impl<M: SerializeMap> Object<'_, M> {
    /// Writes an attribute, unless its key is dropped.
    fn attribute<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), M::Error> {
        if self.names.has(key).map_err(M::Error::custom)? { self.map.serialize_entry(key, value) } else { Ok(()) }
    }
}

impl<M: SerializeMap> SerializeStruct for Object<'_, M> {
    type Ok = M::Ok;
    type Error = M::Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), M::Error> {
        self.attribute(key, value)
    }

    fn end(self) -> Result<M::Ok, M::Error> {
        self.map.end()
    }
}

impl<M: SerializeMap> SerializeMap for Object<'_, M> {
    type Ok = M::Ok;
    type Error = M::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), M::Error> {
        let Ok(Value::String(key)) = serde_json::to_value(key) else {
            return Err(M::Error::custom("the names of attributes have to be strings"));
        };
        self.key = Some(key);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), M::Error> {
        let key = self.key.take().ok_or_else(|| M::Error::custom("an attribute has a value and no name"))?;
        self.attribute(&key, value)
    }

    fn end(self) -> Result<M::Ok, M::Error> {
        self.map.end()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    fn text(of: impl Serialize) -> Result<String, String> {
        let names = Names { without: &["key"], only: None, relationships: None };
        serde_json::to_string(&Attributes { of, names }).map_err(|error| error.to_string())
    }

    #[derive(serde::Serialize)]
    struct Row {
        title: Option<String>,
        key: i64,
        #[serde(skip)]
        _secret: (),
        #[serde(rename = "Kind", skip_serializing_if = "Option::is_none")]
        kind: Option<i64>,
        tags: [&'static str; 2],
    }

    #[derive(serde::Serialize)]
    struct Flat {
        z: bool,
        #[serde(flatten)]
        row: Row,
        #[serde(flatten)]
        more: BTreeMap<String, i64>,
    }

    #[derive(serde::Serialize)]
    struct Wrapped<T>(T);

    fn row() -> Row {
        Row { title: None, key: 7, _secret: (), kind: Some(1), tags: ["a", "b"] }
    }

    #[test]
    fn a_row_keeps_its_order_and_loses_its_key() {
        let attributes = r#"{"title":null,"Kind":1,"tags":["a","b"]}"#;
        assert_eq!(text(row()).as_deref(), Ok(attributes));
        assert_eq!(text(Wrapped(Some(row()))).as_deref(), Ok(attributes));
        assert_eq!(text(Row { kind: None, ..row() }).as_deref(), Ok(r#"{"title":null,"tags":["a","b"]}"#));
        assert_eq!(text(json!({ "key": 1 })).as_deref(), Ok("{}"));
        // Nested objects keep their keys.
        assert_eq!(text(json!({ "a": { "key": 1, "type": 2 } })).as_deref(), Ok(r#"{"a":{"key":1,"type":2}}"#));
    }

    #[test]
    fn a_flattened_row_loses_its_key_as_well() {
        let flat = |more: &[(&str, i64)]| Flat {
            z: true,
            row: row(),
            more: more.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect(),
        };
        let attributes = r#"{"z":true,"title":null,"Kind":1,"tags":["a","b"],"m":2}"#;
        assert_eq!(text(flat(&[("key", 1), ("m", 2)])).as_deref(), Ok(attributes));
        assert!(text(flat(&[("type", 1)])).is_err());
    }

    #[test]
    fn reserved_names_are_refused() {
        for name in ["id", "type"] {
            let error = text(json!({ name: 1 })).unwrap_err();
            assert_eq!(error, format!("an attribute cannot be named `{name}`, because every resource has a {name}"));
        }
    }

    #[test]
    fn a_name_is_an_attribute_or_a_relationship() {
        let relationships = json!({ "author": {} });
        let only = ["title".to_owned()];
        // The name is refused whatever the client asked for.
        for only in [None, Some(&only[..])] {
            let names = Names { without: &["id"], only, relationships: Some(&relationships) };
            let text = |of| serde_json::to_string(&Attributes { of, names }).map_err(|error| error.to_string());
            let error = text(json!({ "id": 1, "author": 7 })).unwrap_err();
            assert!(error.starts_with("`author` is both an attribute and a relationship"), "{error}");
            assert_eq!(text(json!({ "id": 1, "title": 7 })).as_deref(), Ok(r#"{"title":7}"#));
        }
    }

    #[test]
    fn a_fieldset_keeps_only_its_names() {
        let only = ["Kind".to_owned(), "tags".to_owned(), "author".to_owned()];
        let names = Names { without: &["key"], only: Some(&only), relationships: None };
        let text = |only| serde_json::to_string(&Attributes { of: row(), names: Names { only, ..names } }).unwrap();
        assert_eq!(text(Some(&only)), r#"{"Kind":1,"tags":["a","b"]}"#);
        assert_eq!(text(Some(&[])), "{}");
    }

    #[test]
    fn values_that_are_not_objects_are_refused() {
        fn refused(value: impl Serialize) {
            assert_eq!(text(value).unwrap_err(), "the attributes of a resource have to be a struct or a map");
        }
        refused(());
        refused(true);
        refused(1.5);
        refused("text");
        refused(None::<Row>);
        refused(vec![row()]);
        refused((1, 2));
        refused(Wrapped(7));
        refused(Ok::<_, ()>(row()));
        refused(format_args!("text"));
        assert_eq!(text(BTreeMap::from([(7, 1)])).unwrap_err(), "the names of attributes have to be strings");
    }
}
