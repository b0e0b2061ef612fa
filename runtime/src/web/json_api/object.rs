//! A row as a resource object.

use serde::ser::{Error, Serialize, SerializeStruct, Serializer};
use serde_json::{Value, json};

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
        let mut relationships = row.relationships();
        let names = Names { without: T::ID_KEYS, only, relationships: relationships.as_ref() };
        let mut object = serializer.serialize_struct("Resource", 6)?;
        object.serialize_field("type", row.resource_type())?;
        object.serialize_field("id", &row.id())?;
        object.serialize_field("attributes", &Attributes { of: row.attributes(), names })?;
        // A sparse fieldset names relationships, too. Without any, the member is left out.
        if let (Some(only), Some(all)) = (only, relationships.as_mut().and_then(Value::as_object_mut)) {
            all.retain(|name, _| only.contains(name));
            if all.is_empty() {
                relationships = None;
            }
        }
        let meta = meta(row.meta(), self.cursor).map_err(S::Error::custom)?;
        for (key, value) in [("relationships", relationships), ("links", row.links()), ("meta", meta)] {
            match value {
                Some(value) => object.serialize_field(key, &value)?,
                None => object.skip_field(key)?,
            }
        }
        object.end()
    }
}

/// The metadata of a resource with its cursor, if it has one, where the cursor pagination profile has it.
fn meta(own: Option<Value>, cursor: Option<&str>) -> Result<Option<Value>, &'static str> {
    let Some(cursor) = cursor else { return Ok(own) };
    let mut meta = own.unwrap_or_else(|| json!({}));
    let page = meta.as_object_mut().map(|meta| meta.entry("page").or_insert_with(|| json!({})));
    let page = page.and_then(Value::as_object_mut).ok_or(
        "the `meta` of a resource, and `page` in it, have to be objects, because the cursor pagination profile adds the \
         resource's cursor there",
    )?;
    page.insert("cursor".to_owned(), cursor.into());
    Ok(Some(meta))
}
