//! JSON schemas through schemars, which aide makes OpenAPI documents with.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, json};

use super::{AROUND, CURSOR, ERROR_BODY, JsonObject, JsonValue, LENGTH_AWARE, PAGE_LINK, SIMPLE, for_each_json_type};
use crate::paginator::{Around, CursorPaginator, LengthAwarePaginator, PageLink, Paginator};
use crate::web::ErrorBody;

/// The schema of an object. `rows` is the schema of its list of rows.
fn schema(object: &JsonObject, rows: Option<&Schema>, generator: &mut SchemaGenerator) -> Schema {
    let mut properties = Map::new();
    for key in object.keys() {
        let value_type = |name| if key.presence.is_nullable() { json!([name, "null"]) } else { json!(name) };
        let mut property = match key.value {
            JsonValue::Rows => rows.cloned().unwrap_or_default(),
            JsonValue::Links => generator.subschema_for::<Vec<PageLink>>(),
            JsonValue::Text => json_schema!({ "type": value_type("string") }),
            JsonValue::Texts => json_schema!({ "type": value_type("array"), "items": { "type": "string" } }),
            JsonValue::Boolean => json_schema!({ "type": value_type("boolean") }),
            JsonValue::Number(minimum) => {
                json_schema!({ "type": value_type("integer"), "format": "uint64", "minimum": minimum })
            }
        };
        property.insert("description".to_owned(), key.description.into());
        properties.insert(key.name.to_owned(), property.into());
    }
    let required: Vec<&str> = object.keys().filter(|key| key.presence.is_required()).map(|key| key.name).collect();
    json_schema!({
        "type": "object",
        "description": object.description,
        "properties": properties,
        "required": required,
    })
}

macro_rules! implement {
    ($($page:ident<$row:ident>: $object:ident;)+) => {$(
        impl<$row: JsonSchema> JsonSchema for $page<$row> {
            // As utoipa names generic components, so that a document keeps its names from one library to the other.
            fn schema_name() -> Cow<'static, str> {
                format!("{}_{}", $object.name, $row::schema_name()).into()
            }

            fn schema_id() -> Cow<'static, str> {
                format!("folio::{}<{}>", $object.name, $row::schema_id()).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let rows = generator.subschema_for::<Vec<$row>>();
                schema(&$object, Some(&rows), generator)
            }
        }
    )+};
    ($($plain:ident: $object:ident;)+) => {$(
        impl JsonSchema for $plain {
            fn schema_name() -> Cow<'static, str> {
                $object.name.into()
            }

            fn schema_id() -> Cow<'static, str> {
                concat!("folio::", stringify!($plain)).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                schema(&$object, None, generator)
            }
        }
    )+};
}
for_each_json_type!(implement);
