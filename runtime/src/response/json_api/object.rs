//! A row as a resource object.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value;

use super::attributes::{Attributes, Names};
use super::resource::JsonResource;
use super::sparse_fieldsets::SparseFieldsets;

/// The rows of a page as resource objects.
pub(super) struct ResourceObjects<'a, T> {
    pub(super) rows: &'a [T],
    pub(super) fields: &'a SparseFieldsets,
}

impl<T: JsonResource> Serialize for ResourceObjects<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows.iter().map(|row| ResourceObject { row, fields: self.fields }))
    }
}

/// A row as a resource object, with the fields that the request asks for.
pub(super) struct ResourceObject<'a, T> {
    pub(super) row: &'a T,
    pub(super) fields: &'a SparseFieldsets,
}

impl<T: JsonResource> Serialize for ResourceObject<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = self.row;
        let (only, relationships) = (self.fields.of(row.resource_type()), row.relationships());
        let names = Names { without: T::ID_KEYS, only, relationships: relationships.as_ref() };
        let mut object = serializer.serialize_struct("Resource", 6)?;
        object.serialize_field("type", row.resource_type())?;
        object.serialize_field("id", &row.id())?;
        object.serialize_field("attributes", &Attributes { of: row.attributes(), names })?;
        let relationships = relationships.and_then(|object| restricted(object, only));
        for (key, value) in [("relationships", relationships), ("links", row.links()), ("meta", row.meta())] {
            match value {
                Some(value) => object.serialize_field(key, &value)?,
                None => object.skip_field(key)?,
            }
        }
        object.end()
    }
}

/// The relationships that a sparse fieldset names; `None` if there are none.
fn restricted(mut relationships: Value, only: Option<&[String]>) -> Option<Value> {
    let (Some(only), Some(object)) = (only, relationships.as_object_mut()) else { return Some(relationships) };
    object.retain(|name, _| only.contains(name));
    let is_empty = object.is_empty();
    (!is_empty).then_some(relationships)
}
