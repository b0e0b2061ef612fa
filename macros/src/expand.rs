//! The expansion: data about the model, and thin calls into the runtime, which has all the behaviour.
//!
//! Paths are absolute and introduced names begin with `__`, so nothing in the user's scope can shadow them. A field's
//! type keeps its own span, so the compiler reports there that a type cannot be used in a key. What is the same for
//! every model is a macro of the runtime, such as `folio::__queries!`: it is parsed once and keeps the expansion short.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{DeriveInput, Ident, ext::IdentExt};

use crate::{
    errors::{Errors, Hidden, Words},
    field::Column,
    key::KeyColumn,
    model::{Model, Table},
};

/// The whole output for a struct: its mistakes, and the expansion of what is valid.
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
    [key_struct(model, &key), columns(model), table(model, &key), resource(model), hidden(model)].into_iter().collect()
}

/// The key type, with a public field for each column of the cursor key. `__key!` implements its methods and traits.
fn key_struct(Model { ident, vis, krate, keys, .. }: &Model, key: &Ident) -> TokenStream {
    let doc = format!(" The cursor key of [`{}`]: where a page of a cursor walk begins or ends.", ident.unraw());
    let fields = keys.cursor.iter().map(|KeyColumn { column: Column { field, name, ty, .. }, .. }| {
        let doc = format!(" Column `{name}`.");
        quote!(#[doc = #doc] pub #field: #ty)
    });
    let columns =
        keys.cursor.iter().map(|KeyColumn { column: Column { field, name, ty, .. }, direction, nulls, .. }| {
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
fn columns(Model { ident, vis, krate, columns, .. }: &Model) -> TokenStream {
    let columns = columns.iter().map(|Column { field, name, stored, .. }| {
        let constant = format_ident!("{}", field.unraw().to_string().to_uppercase(), span = field.span());
        quote!(#constant: #stored = #name;)
    });
    quote! {
        #krate::__columns! { #vis #ident { #(#columns)* } }
        #krate::__queries! { #vis #ident }
    }
}

/// The implementation of `Model`: the table, and the function that reads a row.
fn table(Model { ident, krate, table, columns, flattened, keys, .. }: &Model, key: &Ident) -> TokenStream {
    let Table { name, schema, connection, resource: _ } = table;
    let columns = columns.iter().map(|Column { name, stored, json, .. }| {
        let kind = (!json).then(|| quote!(: #stored));
        quote!(#name #kind)
    });
    let primary = keys.primary.iter().map(|column| &column.name);
    let schema = schema.as_ref().map(|schema| quote!(.schema(#schema)));
    let connection = connection.as_ref().map(|connection| quote!(.connection(#connection)));
    let all = flattened.then(|| quote!(.all_columns()));
    quote! {
        #[automatically_derived]
        impl #krate::Model for #ident {
            type Key = #key;
            const TABLE: &'static #krate::__private::Table = &#krate::__private::Table::new(
                #name, #krate::__fields![#(#columns),*], &[#(#primary),*], <#key as #krate::CursorKey>::COLUMNS
            ) #schema #connection #all;
            const READER: #krate::__private::Reader<Self> = #krate::__reader!(#ident);
        }
    }
}

/// Const assertions for mistakes that only the compiler can find, each with the span of the offending tokens. Each is a
/// constant of its own, so that one does not hide another.
fn hidden(Model { ident, krate, columns, keys, .. }: &Model) -> TokenStream {
    let options = keys.cursor.iter().filter_map(|KeyColumn { column: Column { ty, .. }, option, .. }| {
        let Hidden { words, message } = option.as_ref()?;
        let assert = quote!(#krate::__private::assert);
        Some(checked(assert, quote!(!#krate::__is_nullable!(#ty), #message), words))
    });
    let columns = columns.iter().enumerate().map(|(at, Column { stored, .. })| {
        checked(quote!(#krate::__private::assert_held::<#ident>), quote!(#at), &Words::of(stored))
    });
    let row = quote!(#krate::__private::assert_readable::<#ident>());
    options.chain(columns).chain([quote!(const _: () = #row;)]).collect()
}

/// A call that runs at compile time. If it fails, the compiler's error points to `words`.
pub(crate) fn checked(function: TokenStream, arguments: TokenStream, words: &Words) -> TokenStream {
    let function = placed(function, words.first);
    let mut arguments = TokenTree::Group(Group::new(Delimiter::Parenthesis, arguments));
    arguments.set_span(Span::call_site().located_at(words.last));
    quote!(const _: () = #function #arguments;)
}

/// The tokens with the location of `span`, so that the compiler's errors about them point there.
fn placed(tokens: TokenStream, span: Span) -> TokenStream {
    let place = |mut token: TokenTree| {
        token.set_span(Span::call_site().located_at(span));
        token
    };
    tokens.into_iter().map(place).collect()
}

/// The implementation of `JsonResource`, if the model has a resource type.
fn resource(Model { ident, krate, table, keys, .. }: &Model) -> TokenStream {
    let Some(name) = &table.resource else { return TokenStream::new() };
    let primary = keys.primary.iter().map(|Column { field, ty, key, .. }| quote!(#field: #ty = #key;));
    // Located at the attribute, where the compiler then reports a model that does not implement `Serialize`.
    let attributes = placed(quote!(#krate::__private::SerializedModel<'_, Self>), name.span());
    quote!(#krate::__resource! { #ident = #name, #attributes { #(#primary)* } })
}
