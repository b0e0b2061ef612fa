//! The expansion: data about the model, and thin calls into the runtime, which has all the behaviour.
//!
//! Paths are absolute and introduced names begin with `__`, so nothing in the user's scope can shadow them. A field's
//! type keeps its own span, so the compiler reports there that a type cannot be used in a key. The code that is the
//! same for all models is in macros of the runtime, such as `folio::__queries!`, which are parsed once and keep the
//! expansion short.
//!
//! A struct `Post` with the fields `id` and `score` expands to:
//!
//! ```text
//! pub struct PostKey { pub id: i64 }                       the key type, with a field for each key column
//! folio::__key! { … }                                      its methods and traits
//! folio::__columns! { … }                                  the constants `Post::ID` and `Post::SCORE`
//! folio::__queries! { … }                                  `Post::query()`, `Post::paginate()` and their siblings
//! impl folio::Model for Post { … }                         the table, and how to read a row
//! folio::__resource! { … }                                 `JsonResource`, if the attribute `resource` is written
//! const _: () = folio::__private::assert(…);               checks that need the compiler
//! ```
//!
//! `tests/expansions` has whole expansions.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{DeriveInput, Ident, Path, Type, ext::IdentExt};

use crate::{
    errors::{CompilerCheck, Errors, SpanRange},
    field::{Column, ToOne},
    key::KeyColumn,
    model::{Model, Table},
    names,
};

/// The whole output for a struct: its mistakes, and the expansion of its valid items.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let expansion = Model::new(input, &mut errors).map(|model| expand(&model));
    quote!(#errors #expansion)
}

/// The expansion of a model.
fn expand(model: &Model) -> TokenStream {
    // Located at the struct's name, but with the macro's hygiene, so that lints about names only apply to the struct.
    let span = Span::call_site().located_at(model.ident.span());
    let key = format_ident!("{}Key", model.ident.unraw(), span = span);
    let items =
        [key_struct(model, &key), columns(model), model_impl(model, &key), resource(model), compiler_checks(model)];
    items.into_iter().collect()
}

/// The key type, with a public field for each column of the cursor key. `__key!` implements its methods and traits.
fn key_struct(model: &Model, key: &Ident) -> TokenStream {
    let Model { ident, vis, keys, .. } = model;
    let doc = key_doc(ident);
    let fields = keys.cursor.iter().map(key_field);
    let implementation = key_impl(model, key);
    quote! {
        #[doc = #doc]
        #vis struct #key { #(#fields),* }
        #implementation
    }
}

/// The documentation of the key type of the model `ident`.
fn key_doc(ident: &Ident) -> String {
    format!(" The cursor key of [`{}`]: the values at which a page starts or ends.", ident.unraw())
}

/// The call of `__key!`, which names the columns of the key and their orders.
fn key_impl(Model { ident, vis, krate, keys, .. }: &Model, key: &Ident) -> TokenStream {
    let columns = keys.cursor.iter().map(key_column);
    quote!(#krate::__key! { #vis #key of #ident { #(#columns)* } })
}

/// A field of the key type.
fn key_field(KeyColumn { column, .. }: &KeyColumn) -> TokenStream {
    let Column { field, name, ty, .. } = column;
    let doc = format!(" Column `{name}`.");
    quote!(#[doc = #doc] pub #field: #ty)
}

/// A column of the key, as `__key!` takes it: `score: Option<i32> = "score" Desc Last;`.
fn key_column(KeyColumn { column, direction, nulls, .. }: &KeyColumn) -> TokenStream {
    let Column { field, name, ty, .. } = column;
    let direction = format_ident!("{direction:?}");
    let nulls = nulls.map(|nulls| format_ident!("{nulls:?}"));
    quote!(#field: #ty = #name #direction #nulls;)
}

/// A constant for each column, and the query methods.
fn columns(Model { ident, vis, krate, columns, .. }: &Model) -> TokenStream {
    let constants = columns.iter().map(column_constant);
    quote! {
        #krate::__columns! { #vis #ident { #(#constants)* } }
        #krate::__queries! { #vis #ident }
    }
}

/// The constant of a column, as `__columns!` takes it: `AUTHOR_ID: i64 = "author_id";`. It has the span of the field,
/// so that editors find one through the other.
fn column_constant(Column { field, name, stored, .. }: &Column) -> TokenStream {
    let constant = format_ident!("{}", field.unraw().to_string().to_uppercase(), span = field.span());
    quote!(#constant: #stored = #name;)
}

/// The implementation of `Model`: the table, and the function that reads a row.
fn model_impl(model: &Model, key: &Ident) -> TokenStream {
    let Model { ident, krate, .. } = model;
    let table = table(model, key);
    quote! {
        #[automatically_derived]
        impl #krate::Model for #ident {
            type Key = #key;
            const TABLE: &'static #krate::__private::Table = &#table;
            const READER: #krate::__private::Reader<Self> = #krate::__reader!(#ident);
        }
    }
}

/// The expression that makes the model's table.
fn table(Model { krate, table, columns, flattened, keys, .. }: &Model, key: &Ident) -> TokenStream {
    let name = &table.name;
    let columns = columns.iter().map(table_column);
    let primary = keys.primary.iter().map(|column| &column.name);
    let settings = settings(table, *flattened);
    quote! {
        #krate::__private::Table::new(
            #name, #krate::__fields![#(#columns),*], &[#(#primary),*], <#key as #krate::CursorKey>::COLUMNS
        ) #settings
    }
}

/// A column of the table, as `__fields!` takes it: `"id": i64`. A JSON column has no type, because no column type
/// compares like JSON.
fn table_column(Column { name, stored, json, .. }: &Column) -> TokenStream {
    let ty = (!json).then(|| quote!(: #stored));
    quote!(#name #ty)
}

/// The calls that set the properties that only some tables have.
fn settings(Table { schema, connection, name: _, resource: _ }: &Table, flattened: bool) -> TokenStream {
    let (schema, connection) = (schema.iter(), connection.iter());
    let all_columns = flattened.then(|| quote!(.all_columns()));
    quote!(#(.schema(#schema))* #(.connection(#connection))* #all_columns)
}

/// Checks for mistakes that only the compiler can find, each with the span of the offending tokens. Each is a separate
/// constant, so that one error does not hide another.
fn compiler_checks(model: &Model) -> TokenStream {
    let nullable = model.keys.cursor.iter().filter_map(|key| not_nullable(&model.krate, key));
    nullable.chain([readable(model)]).collect()
}

/// Checks that some enabled driver reads each column as its type, and the whole row.
fn readable(Model { ident, krate, columns, .. }: &Model) -> TokenStream {
    let types = columns.iter().map(|column| &column.stored);
    let places = 0..columns.len();
    quote!(#krate::__readable! { #ident { #(#places: #types;)* } })
}

/// Asserts that the type of a key column is not an alias of `Option`, unless it may be one.
fn not_nullable(krate: &Path, KeyColumn { column, option, .. }: &KeyColumn) -> Option<TokenStream> {
    let CompilerCheck { span, message } = option.as_ref()?;
    Some(assert_never_null(krate, &column.ty, message, span))
}

/// Asserts that a type is not an alias of `Option`. If it is one, `message` is the compiler's error at `span`.
pub(crate) fn assert_never_null(krate: &Path, ty: &Type, message: &str, span: &SpanRange) -> TokenStream {
    let function = quote!(#krate::__private::assert);
    const_check(function, quote!(!#krate::__is_nullable!(#ty), #message), span)
}

/// A call that runs at compile time. If it fails, the compiler's error points to `span`.
///
/// The compiler joins the spans of the function and of the parentheses, which is how an error can cover several tokens
/// of the user's.
fn const_check(function: TokenStream, arguments: TokenStream, span: &SpanRange) -> TokenStream {
    let function = respan(function, span.first);
    let mut arguments = TokenTree::Group(Group::new(Delimiter::Parenthesis, arguments));
    arguments.set_span(Span::call_site().located_at(span.last));
    quote!(const _: () = #function #arguments;)
}

/// The tokens with the location of `span`, so that the compiler's errors about them point to it.
fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    let locate = |mut token: TokenTree| {
        token.set_span(Span::call_site().located_at(span));
        token
    };
    tokens.into_iter().map(locate).collect()
}

/// The implementation of `JsonResource`, if the model has a resource type.
fn resource(Model { ident, krate, table, keys, relationships, .. }: &Model) -> TokenStream {
    let Some(name) = &table.resource else { return TokenStream::new() };
    let primary = keys.primary.iter().map(id_field);
    let attributes = attributes_type(krate, name.span());
    let relationships = relationships_of(relationships);
    // The call is located at the attribute, where a stand-in for the macro reports that the feature is missing.
    let call = respan(quote!(#krate::__resource!), name.span());
    let mut input = Group::new(Delimiter::Brace, quote!(#ident = #name, #attributes { #(#primary)* } #relationships));
    input.set_span(Span::call_site().located_at(name.span()));
    quote!(#call #input)
}

/// The relationships of a resource, if it has any, as `__resource!` takes them.
fn relationships_of(relationships: &[ToOne]) -> Option<TokenStream> {
    let fields = relationships.iter().map(to_one_field);
    (!relationships.is_empty()).then(|| quote!({ #(#fields)* }))
}

/// A foreign key field, its type and its key in the JSON, then the relationship and the type of the other resource.
fn to_one_field(ToOne { column: Column { field, ty, key, .. }, resource }: &ToOne) -> TokenStream {
    let name = names::relationship(key);
    quote!(#field: #ty = #key, #name to #resource;)
}

/// The type of a resource's attributes. It is located at the attribute `resource`, where the compiler then reports a
/// model that does not implement `Serialize`.
fn attributes_type(krate: &Path, attribute: Span) -> TokenStream {
    respan(quote!(#krate::json_api::__private::SerializedModel<'_, Self>), attribute)
}

/// A primary key field, its type and its key in the JSON, as `__resource!` takes them.
fn id_field(Column { field, ty, key, .. }: &Column) -> TokenStream {
    quote!(#field: #ty = #key;)
}
