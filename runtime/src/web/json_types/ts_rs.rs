//! TypeScript types through ts-rs.

use std::path::PathBuf;

use ts_rs::{Config, Dummy, TS, TypeVisitor};

use super::{AROUND, CURSOR, ERROR_BODY, JsonObject, JsonValue, LENGTH_AWARE, PAGE_LINK, SIMPLE, for_each_json_type};
use crate::paginator::{Around, CursorPaginator, LengthAwarePaginator, PageLink, Paginator};
use crate::web::ErrorBody;

/// The type of an object. `row` is the type of its rows.
///
/// Numbers are `number`, not `bigint`: that is what a front end gets from `JSON.parse`.
fn object_type(object: &JsonObject, row: &str) -> String {
    let key = |key: &super::JsonKey| {
        let value = match key.value {
            JsonValue::Rows => format!("Array<{row}>"),
            JsonValue::Links => format!("Array<{}>", PAGE_LINK.name),
            JsonValue::Text => "string".to_owned(),
            JsonValue::Texts => "Array<string>".to_owned(),
            JsonValue::Boolean => "boolean".to_owned(),
            JsonValue::Number(_) => "number".to_owned(),
        };
        let optional = if key.presence.is_required() { "" } else { "?" };
        let null = if key.presence.is_nullable() { " | null" } else { "" };
        format!("{}{}{optional}: {value}{null},", comment(key.description), key.name)
    };
    let keys: Vec<_> = object.keys().map(key).collect();
    format!("{{ \n{} }}", keys.join("\n"))
}

fn comment(text: &str) -> String {
    format!("/**\n * {text}\n */\n")
}

macro_rules! implement {
    ($($page:ident<$row:ident>: $object:ident;)+) => {$(
        impl<$row: TS> TS for $page<$row> {
            type WithoutGenerics = $page<Dummy>;
            type OptionInnerType = Self;

            fn docs() -> Option<String> {
                Some(comment($object.description))
            }

            fn ident(_: &Config) -> String {
                $object.name.to_owned()
            }

            fn name(config: &Config) -> String {
                format!("{}<{}>", $object.name, $row::name(config))
            }

            fn inline(config: &Config) -> String {
                object_type(&$object, &$row::name(config))
            }

            fn inline_flattened(config: &Config) -> String {
                Self::inline(config)
            }

            fn decl(_: &Config) -> String {
                format!("type {0}<{1}> = {2};", $object.name, stringify!($row), object_type(&$object, stringify!($row)))
            }

            fn decl_concrete(config: &Config) -> String {
                format!("type {} = {};", $object.name, Self::inline(config))
            }

            fn visit_dependencies(visitor: &mut impl TypeVisitor)
            where
                Self: 'static,
            {
                if $object.keys().any(|key| matches!(key.value, JsonValue::Links)) {
                    visitor.visit::<PageLink>();
                }
                Self::visit_generics(visitor);
            }

            fn visit_generics(visitor: &mut impl TypeVisitor)
            where
                Self: 'static,
            {
                visitor.visit::<$row>();
                $row::visit_generics(visitor);
            }

            fn output_path() -> Option<PathBuf> {
                Some(concat!(stringify!($page), ".ts").into())
            }
        }
    )+};
    ($($plain:ident: $object:ident;)+) => {$(
        impl TS for $plain {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn docs() -> Option<String> {
                Some(comment($object.description))
            }

            fn name(_: &Config) -> String {
                $object.name.to_owned()
            }

            fn inline(_: &Config) -> String {
                object_type(&$object, "")
            }

            fn inline_flattened(config: &Config) -> String {
                Self::inline(config)
            }

            fn decl(config: &Config) -> String {
                format!("type {} = {};", $object.name, Self::inline(config))
            }

            fn decl_concrete(config: &Config) -> String {
                Self::decl(config)
            }

            fn output_path() -> Option<PathBuf> {
                Some(concat!(stringify!($plain), ".ts").into())
            }
        }
    )+};
}
for_each_json_type!(implement);
