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
    attrs,
    errors::{CompilerCheck, Errors, SpanRange},
    field::{Column, ToOne},
    key::{KeyColumn, Tenant},
    model::{Model, Table},
    names,
};

/// The whole output for a struct: its mistakes, and the expansion of its valid items.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    // `#[sea_orm::model]` copies an entity and its derives, with relations in place of columns. The copy is not a row.
    if input.ident == "ModelEx" && attrs::has_sea_orm(input) {
        return TokenStream::new();
    }
    let mut errors = Errors::default();
    let expansion = Model::new(input, &mut errors).map(|model| {
        // Located at the struct's name, but with the macro's hygiene, so that lints about names only apply to the
        // struct.
        let span = Span::call_site().located_at(model.ident.span());
        let key = format_ident!("{}Key", model.ident.unraw(), span = span);
        let (key_struct, columns, model_impl) = (key_struct(&model, &key), columns(&model), model_impl(&model, &key));
        let (resource, compiler_checks) = (resource(&model), compiler_checks(&model));
        quote!(#key_struct #columns #model_impl #resource #compiler_checks)
    });
    quote!(#errors #expansion)
}

/// The key type, with a public field for each column of the cursor key. `__key!` implements its methods and traits.
fn key_struct(Model { ident, vis, krate, keys, .. }: &Model, key: &Ident) -> TokenStream {
    let doc = format!(" The cursor key of [`{}`]: the values at which a page starts or ends.", ident.unraw());
    let fields = keys.cursor.iter().map(|KeyColumn { column: Column { field, name, ty, .. }, .. }| {
        let doc = format!(" Column `{name}`.");
        quote!(#[doc = #doc] pub #field: #ty)
    });
    // As in `score: Option<i32> = "score" Desc Last;`.
    let columns = keys.cursor.iter().map(|KeyColumn { column, direction, nulls, .. }| {
        let Column { field, name, ty, .. } = column;
        let direction = format_ident!("{direction:?}");
        let nulls = nulls.map(|nulls| format_ident!("{nulls:?}"));
        quote!(#field: #ty = #name #direction #nulls;)
    });
    quote! {
        #[doc = #doc]
        #vis struct #key { #(#fields),* }
        #krate::__key! { #vis #key of #ident { #(#columns)* } }
    }
}

/// A constant for each column, and the query methods.
fn columns(Model { ident, vis, krate, table, columns, tenant, .. }: &Model) -> TokenStream {
    // As in `AUTHOR_ID: i64 = "author_id";`.
    let constants = columns.iter().map(|Column { field, name, stored, .. }| {
        let constant = names::constant(field);
        quote!(#constant: #stored = #name;)
    });
    // As in `Product of i64 = "tenant_id"` or `Post where "deleted_at IS NULL"`.
    let default = match (tenant, &table.filter) {
        (Some(Tenant { column: Column { name, ty, .. }, .. }), _) => quote!(of #ty = #name),
        (None, Some(filter)) => quote!(where #filter),
        (None, None) => TokenStream::new(),
    };
    quote! {
        #krate::__columns! { #vis #ident { #(#constants)* } }
        #krate::__queries! { #vis #ident #default }
    }
}

/// The implementation of `Model`: the table, and the function that reads a row.
fn model_impl(model: &Model, key: &Ident) -> TokenStream {
    let Model { ident, krate, table, columns, flattened, keys, tenant, .. } = model;
    let Table { name, schema, connection, filter, resource: _ } = table;
    // As in `"id": i64`. A JSON column has no type, because no column type compares like JSON.
    let columns = columns.iter().map(|Column { name, stored, json, .. }| {
        let ty = (!json).then(|| quote!(: #stored));
        quote!(#name #ty)
    });
    let primary = keys.primary.iter().map(|column| &column.name);
    let (schema, connection, filter) = (schema.iter(), connection.iter(), filter.iter());
    let tenant = tenant.iter().map(|tenant| &tenant.column.name);
    // Of one column, its type; of several, a tuple.
    let types: Vec<&Type> = keys.primary.iter().map(|column| &column.ty).collect();
    let id = if let [only] = &*types { quote!(#only) } else { quote!((#(#types),*)) };
    let all_columns = flattened.then(|| quote!(.all_columns()));
    quote! {
        #[automatically_derived]
        impl #krate::Model for #ident {
            type Key = #key;
            const TABLE: &'static #krate::__private::Table = &#krate::__private::Table::new(
                #name, #krate::__fields![#(#columns),*], &[#(#primary),*], <#key as #krate::CursorKey>::COLUMNS
            ) #(.schema(#schema))* #(.connection(#connection))* #(.filter(#filter))* #(.tenant(#tenant))* #all_columns;
            const READER: #krate::__private::Reader<Self> = #krate::__reader!(#ident);
        }
        #[automatically_derived]
        impl #krate::IdentifiedBy<#id> for #ident {}
    }
}

/// Checks for mistakes that only the compiler can find, each with the span of the offending tokens. Each is a separate
/// constant, so that one error does not hide another.
fn compiler_checks(Model { ident, krate, columns, keys, tenant, .. }: &Model) -> TokenStream {
    // The type of a key column is not an alias of `Option`, unless it may be one.
    let never_null = keys.cursor.iter().filter_map(|KeyColumn { column, option, .. }| {
        let CompilerCheck { span, message } = option.as_ref()?;
        Some(assert_never_null(krate, &column.ty, message, span))
    });
    let tenant = tenant.iter().map(|Tenant { column, option: CompilerCheck { span, message } }| {
        assert_never_null(krate, &column.ty, message, span)
    });
    // Some enabled driver reads each column as its type, and the whole row.
    let types = columns.iter().map(|column| &column.stored);
    let places = 0..columns.len();
    quote! {
        #(#never_null)*
        #(#tenant)*
        #krate::__readable! { #ident { #(#places: #types;)* } }
    }
}

/// Asserts that a type is not an alias of `Option`. If it is one, `message` is the compiler's error at `span`.
pub(crate) fn assert_never_null(krate: &Path, ty: &Type, message: &str, span: &SpanRange) -> TokenStream {
    // The compiler joins the spans of the function and of the parentheses, which is how an error can cover several
    // tokens of the user's.
    let function = respan(quote!(#krate::__private::assert), span.first);
    let arguments = quote!(!#krate::__is_nullable!(#ty), #message);
    let mut arguments = TokenTree::Group(Group::new(Delimiter::Parenthesis, arguments));
    arguments.set_span(Span::call_site().located_at(span.last));
    quote!(const _: () = #function #arguments;)
}

/// The tokens with the location of `span`, so that the compiler's errors about them point to it.
pub(crate) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    let locate = |mut token: TokenTree| {
        token.set_span(Span::call_site().located_at(span));
        token
    };
    tokens.into_iter().map(locate).collect()
}

/// The implementation of `JsonResource`, if the model has a resource type.
fn resource(Model { ident, krate, table, keys, relationships, .. }: &Model) -> TokenStream {
    let Some(name) = &table.resource else { return TokenStream::new() };
    // The primary key fields, with their types and their keys in the JSON.
    let primary = keys.primary.iter().map(|Column { field, ty, key, .. }| quote!(#field: #ty = #key;));
    // Located at the attribute `resource`, where the compiler then reports a model that does not implement `Serialize`.
    let attributes = respan(quote!(#krate::json_api::__private::SerializedModel<'_, Self>), name.span());
    // The foreign key fields in the same form, then the relationship and the type of the other resource.
    let to_one = relationships.iter().map(|ToOne { column: Column { field, ty, key, .. }, resource }| {
        let name = names::relationship(key);
        quote!(#field: #ty = #key, #name to #resource;)
    });
    let relationships = (!relationships.is_empty()).then(|| quote!({ #(#to_one)* }));
    // The call is located at the attribute, where a stand-in for the macro reports that the feature is missing.
    let call = respan(quote!(#krate::__resource!), name.span());
    let mut input = Group::new(Delimiter::Brace, quote!(#ident = #name, #attributes { #(#primary)* } #relationships));
    input.set_span(Span::call_site().located_at(name.span()));
    quote!(#call #input)
}
