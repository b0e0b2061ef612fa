//! A row as a resource object.

use serde::ser::{Error, Serialize, SerializeStruct, Serializer};
use serde_json::{Map, Value, json};

use super::attributes::{Attributes, Names};
use super::resource::JsonResource;
use super::sparse_fieldsets::SparseFieldsets;

/// The rows of a page as resource objects.
pub(super) struct ResourceObjects<'a, T> {
    pub(super) rows: &'a [T],
    /// The cursor of each row, or none.
    pub(super) cursors: &'a [String],
    pub(super) fields: &'a SparseFieldsets,
}

impl<T: JsonResource> Serialize for ResourceObjects<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let object = |(at, row)| {
            let cursor = self.cursors.get(at).map(String::as_str);
            ResourceObject { row, cursor, fields: self.fields }
        };
        serializer.collect_seq(self.rows.iter().enumerate().map(object))
    }
}

/// A row as a resource object, with the fields that the request asks for.
pub(super) struct ResourceObject<'a, T> {
    pub(super) row: &'a T,
    pub(super) cursor: Option<&'a str>,
    pub(super) fields: &'a SparseFieldsets,
}

impl<T: JsonResource> Serialize for ResourceObject<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = self.row;
        let only = self.fields.of(row.resource_type());
        let relationships = row.relationships();
        let names = Names { without: T::ID_KEYS, only, relationships: relationships.as_ref() };
        let mut object = serializer.serialize_struct("Resource", 6)?;
        object.serialize_field("type", row.resource_type())?;
        object.serialize_field("id", &row.id())?;
        object.serialize_field("attributes", &Attributes { of: row.attributes(), names })?;
        let members = self.optional_members(relationships).map_err(S::Error::custom)?;
        members.iter().try_for_each(|member| serialize_optional(&mut object, member))?;
        object.end()
    }
}

/// Writes a member, if the resource has it.
fn serialize_optional<S: SerializeStruct>(object: &mut S, (key, value): &OptionalMember) -> Result<(), S::Error> {
    match value {
        Some(value) => object.serialize_field(key, value),
        None => object.skip_field(key),
    }
}

impl<T: JsonResource> ResourceObject<'_, T> {
    /// The members that a resource may lack, in their order.
    fn optional_members(&self, relationships: Option<Value>) -> Result<[OptionalMember; 3], &'static str> {
        let relationships = restricted(relationships, self.fields.of(self.row.resource_type()));
        let meta = meta(self.row.meta(), self.cursor)?;
        Ok([("relationships", relationships), ("links", self.row.links()), ("meta", meta)])
    }
}

/// The name of a member, and its value if the resource has one.
type OptionalMember = (&'static str, Option<Value>);

/// The relationships that a sparse fieldset names; `None` if there are none.
fn restricted(relationships: Option<Value>, only: Option<&[String]>) -> Option<Value> {
    let mut relationships = relationships?;
    let (Some(only), Some(object)) = (only, relationships.as_object_mut()) else { return Some(relationships) };
    object.retain(|name, _| only.contains(name));
    (!object.is_empty()).then_some(relationships)
}

/// The metadata of a resource with its cursor, if it has one, where the cursor pagination profile has it.
fn meta(own: Option<Value>, cursor: Option<&str>) -> Result<Option<Value>, &'static str> {
    let Some(cursor) = cursor else { return Ok(own) };
    let mut meta = own.unwrap_or_else(empty_object);
    page_of(&mut meta).ok_or(NOT_OBJECTS)?.insert("cursor".to_owned(), cursor.into());
    Ok(Some(meta))
}

const NOT_OBJECTS: &str = "the `meta` of a resource, and `page` in it, have to be objects, because the cursor pagination \
    profile adds the resource's cursor there";

/// The object `page` in the metadata, which is added if it is missing; `None` if one of the two is not an object.
fn page_of(meta: &mut Value) -> Option<&mut Map<String, Value>> {
    meta.as_object_mut()?.entry("page").or_insert_with(empty_object).as_object_mut()
}

fn empty_object() -> Value {
    json!({})
}
