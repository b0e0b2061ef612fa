//! The tokens: data about the model, and thin calls into the runtime, where all behaviour lives.
//!
//! Paths are absolute and introduced names begin with `__`, so that nothing in the user's scope can get in between.
//! A field's type keeps its own span: a type that cannot be used in a key is reported there.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{DeriveInput, Ident, ext::IdentExt};

use crate::{
    errors::{Errors, Hidden, Words},
    field::Column,
    key::KeyColumn,
    model::{Model, Table},
};

/// All that is derived for a struct, after its mistakes.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let expansion = Model::new(input, &mut errors).map(|model| expand(&model));
    quote!(#errors #expansion)
}

/// All that is derived for a model.
fn expand(model: &Model) -> TokenStream {
    // Placed on the struct's name, but derived: lints about names are the struct's alone.
    let span = Span::call_site().located_at(model.ident.span());
    let key = format_ident!("{}Key", model.ident.unraw(), span = span);
    [key_struct(model, &key), columns(model), table(model, &key), resource(model), hidden(model)].into_iter().collect()
}

/// The key type: a public field for each column of the cursor key. `__key!` adds what is the same for every key.
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

/// A constant for each column, and the query methods, which are the same for every model.
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

/// The model's table, and how a row of it is read.
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

/// What only the compiler can find, each mistake on the words at fault and in no other's way.
fn hidden(Model { ident, krate, columns, keys, .. }: &Model) -> TokenStream {
    let options = keys.cursor.iter().filter_map(|KeyColumn { column: Column { ty, .. }, option, .. }| {
        let Hidden { words, message } = option.as_ref()?;
        let assert = quote!(#krate::__private::assert);
        Some(checked(assert, quote!(!<#ty as #krate::CursorValue>::NULLABLE, #message), words))
    });
    let columns = columns.iter().enumerate().map(|(at, Column { stored, .. })| {
        checked(quote!(#krate::__private::assert_held::<#ident>), quote!(#at), &Words::of(stored))
    });
    let row = quote!(#krate::__private::assert_readable::<#ident>());
    options.chain(columns).chain([quote!(const _: () = #row;)]).collect()
}

/// A call while compiling, which the compiler takes for `words` where it fails.
fn checked(function: TokenStream, arguments: TokenStream, words: &Words) -> TokenStream {
    let function = placed(function, words.first);
    let mut arguments = TokenTree::Group(Group::new(Delimiter::Parenthesis, arguments));
    arguments.set_span(Span::call_site().located_at(words.last));
    quote!(const _: () = #function #arguments;)
}

/// Tokens that the compiler takes for the words at `span` where it reports something about them.
fn placed(tokens: TokenStream, span: Span) -> TokenStream {
    let place = |mut token: TokenTree| {
        token.set_span(Span::call_site().located_at(span));
        token
    };
    tokens.into_iter().map(place).collect()
}

/// The model as a JSON:API resource, if it has a type.
fn resource(Model { ident, krate, table, keys, .. }: &Model) -> TokenStream {
    let Some(name) = &table.resource else { return TokenStream::new() };
    let primary = keys.primary.iter().map(|Column { field, ty, key, .. }| quote!(#field: #ty = #key;));
    // Every token of the type, for a model that does not serialize is told so there.
    let attributes = placed(quote!(#krate::__private::Whole<'_, Self>), name.span());
    quote!(#krate::__resource! { #ident = #name, #attributes { #(#primary)* } })
}
