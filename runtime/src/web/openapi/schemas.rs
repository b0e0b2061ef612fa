//! The schemas of pages and errors.

use std::borrow::Cow;

use utoipa::openapi::schema::{ArrayBuilder, KnownFormat, ObjectBuilder, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{__dev::ComposeSchema, PartialSchema, ToSchema};

use crate::paginator::{Around, CursorPaginator, LengthAwarePaginator, PageLink, Paginator};
use crate::web::ErrorBody;
use crate::web::json_types::{
    AROUND, CURSOR, ERROR_BODY, JsonKey, JsonObject, JsonValue, LENGTH_AWARE, PAGE_LINK, SIMPLE, for_each_json_type,
};

/// The schema of an object. `row` is the schema of a row.
fn schema(object: &JsonObject, row: Option<RefOr<Schema>>) -> RefOr<Schema> {
    let mut schema = ObjectBuilder::new().description(Some(object.description));
    for key in object.keys() {
        schema = schema.property(key.name, property(key, row.as_ref()));
        if key.presence.is_required() {
            schema = schema.required(key.name);
        }
    }
    schema.into()
}

fn property(key: &JsonKey, row: Option<&RefOr<Schema>>) -> Schema {
    let value_type = |value: Type| match key.presence.is_nullable() {
        true => SchemaType::from_iter([value, Type::Null]),
        false => SchemaType::new(value),
    };
    let value = |value: Type| ObjectBuilder::new().schema_type(value_type(value)).description(Some(key.description));
    let list = |items: RefOr<Schema>| {
        let list = ArrayBuilder::new().schema_type(value_type(Type::Array)).items(items);
        Schema::from(list.description(Some(key.description)))
    };
    match key.value {
        JsonValue::Rows => list(row.cloned().unwrap_or_default()),
        JsonValue::Links => list(Ref::from_schema_name(PAGE_LINK.name).into()),
        JsonValue::Text => value(Type::String).into(),
        JsonValue::Texts => list(ObjectBuilder::new().schema_type(Type::String).into()),
        JsonValue::Boolean => value(Type::Boolean).into(),
        JsonValue::Number(minimum) => {
            let int64 = SchemaFormat::KnownFormat(KnownFormat::Int64);
            value(Type::Integer).format(Some(int64)).minimum(Some(minimum)).into()
        }
    }
}

/// The name of a row's component; `None` for a row that stays inside the schema of its page: a number, a text, a list,
/// or a generic struct, because only utoipa's macros know the names of its parameters.
fn component<T: ToSchema>() -> Option<Cow<'static, str>> {
    let path = std::any::type_name::<T>();
    let is_struct = path.contains("::") && !path.contains(['<', '[', '(', '&']);
    let is_named = is_struct && path != std::any::type_name::<String>() && matches!(T::schema(), RefOr::T(_));
    is_named.then(T::name)
}

// utoipa's derive implements `ComposeSchema`, which its macros need for generic schemas. They pass the whole schema of
// the row as a generic, which each page would repeat. A reference takes its place.
macro_rules! implement {
    ($($page:ident<$row:ident>: $object:ident;)+) => {$(
        impl<$row: ToSchema> ComposeSchema for $page<$row> {
            fn compose(generics: Vec<RefOr<Schema>>) -> RefOr<Schema> {
                let row = match component::<$row>() {
                    Some(name) => Ref::from_schema_name(name).into(),
                    None => generics.into_iter().next().unwrap_or_else($row::schema),
                };
                schema(&$object, Some(row))
            }
        }

        impl<$row: ToSchema> ToSchema for $page<$row> {
            fn name() -> Cow<'static, str> {
                $object.name.into()
            }

            fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
                if let Some(name) = component::<$row>() {
                    schemas.push((name.into_owned(), $row::schema()));
                }
                $row::schemas(schemas);
                if $object.keys().any(|key| matches!(key.value, JsonValue::Links)) {
                    schemas.push((PAGE_LINK.name.to_owned(), PageLink::schema()));
                }
            }
        }
    )+};
    ($($plain:ident: $object:ident;)+) => {$(
        impl ComposeSchema for $plain {
            fn compose(_: Vec<RefOr<Schema>>) -> RefOr<Schema> {
                schema(&$object, None)
            }
        }

        impl ToSchema for $plain {
            fn name() -> Cow<'static, str> {
                $object.name.into()
            }
        }
    )+};
}
for_each_json_type!(implement);
