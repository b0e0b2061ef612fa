//! The tokens: data about the model, and thin calls into the runtime, where all behaviour lives.
//!
//! Paths are absolute and introduced names begin with `__`, so that nothing in the user's scope can get in between.
//! A field's type keeps its own span: a type that cannot stand in a key is reported there.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{DeriveInput, Ident, Path, Visibility, ext::IdentExt};

use crate::{
    errors::Errors,
    model::{Column, KeyColumn, Model, Table},
    order::{Direction, Nulls},
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
    [key_struct(model, &key), key_methods(model, &key), key_impl(model, &key), methods(model, &key), table(model, &key)]
        .into_iter()
        .collect()
}

/// The key type: a public field for each column of the cursor key.
fn key_struct(Model { ident, vis, keys, .. }: &Model, key: &Ident) -> TokenStream {
    let doc = format!(" The cursor key of [`{}`]: where a page of a cursor walk begins or ends.", ident.unraw());
    let fields = keys.cursor.iter().map(|KeyColumn { column: Column { field, name, ty, .. }, .. }| {
        let doc = format!(" Column `{name}`.");
        quote!(#[doc = #doc] pub #field: #ty)
    });
    quote! {
        #[doc = #doc]
        #[derive(::core::fmt::Debug, ::core::clone::Clone, ::core::cmp::PartialEq)]
        #vis struct #key { #(#fields),* }
    }
}

/// The key type's tags, and its way into a cursor and back.
fn key_methods(Model { krate, keys, .. }: &Model, key: &Ident) -> TokenStream {
    let types = keys.types();
    let count = Literal::usize_unsuffixed(keys.cursor.len());
    quote! {
        impl #key {
            /// The variant tags of the key's columns, in their order.
            pub const VARIANTS: [#krate::Variant; #count] = [#(<#types as #krate::CursorValue>::VARIANT),*];

            /// Seals the key and a direction as a cursor. Without a keyring it is an `Internal` error.
            pub fn encode(&self, direction: #krate::CursorDirection) -> #krate::Result<::std::string::String> {
                #krate::__private::encode_key(self, direction)
            }

            /// Opens what [`encode`](Self::encode) has sealed. Any other text is a `Domain` error, status 400.
            pub fn decode(cursor: &str) -> #krate::Result<(Self, #krate::CursorDirection)> {
                #krate::__private::decode_key(cursor)
            }
        }
    }
}

/// The key as values, and from values.
fn key_impl(Model { ident, krate, keys, .. }: &Model, key: &Ident) -> TokenStream {
    let (fields, types) = (keys.fields(), keys.types());
    quote! {
        #[automatically_derived]
        impl #krate::CursorKey for #key {
            type Model = #ident;

            fn into_values(self) -> ::std::vec::Vec<#krate::Value> {
                ::std::vec![#(<#types as #krate::CursorValue>::into_value(self.#fields)),*]
            }

            fn from_values(__values: &mut #krate::__private::Values) -> #krate::Result<Self> {
                ::core::result::Result::Ok(Self { #(#fields: __values.take()?),* })
            }
        }
    }
}

/// The model's columns and query methods.
fn methods(Model { ident, vis, krate, columns, keys, .. }: &Model, key: &Ident) -> TokenStream {
    let columns = columns.iter().map(|Column { field, name, stored, .. }| {
        let doc = format!(" Column `{name}`.");
        let constant = format_ident!("{}", field.unraw().to_string().to_uppercase(), span = field.span());
        quote!(#[doc = #doc] #vis const #constant: #krate::Column<#stored> = #krate::Column::__of::<Self>(#name);)
    });
    let fields = keys.fields();
    let queries = queries(vis, krate);
    quote! {
        impl #ident {
            #(#columns)*
            #queries

            /// The place of this row in a cursor walk.
            #vis fn cursor_key(&self) -> #key {
                #key { #(#fields: ::core::clone::Clone::clone(&self.#fields)),* }
            }
        }
    }
}

/// The query methods, each a call of the builder's.
///
/// They hand on the builder's futures: four `async fn`s a struct would cost the compiler as much again as all the rest.
fn queries(vis: &Visibility, krate: &Path) -> TokenStream {
    let future = |page| {
        let page = format_ident!("{page}");
        quote!(impl ::core::future::Future<Output = #krate::Result<#krate::#page<Self>>>)
    };
    let [length_aware, simple, cursor] = ["LengthAwarePaginator", "Paginator", "CursorPaginator"].map(future);
    quote! {
        /// A query over all rows.
        #vis fn query() -> #krate::Builder<Self> {
            #krate::Builder::new()
        }

        /// A query that reads from a registered connection.
        #vis fn on(connection: &str) -> #krate::Builder<Self> {
            Self::query().on(connection)
        }

        /// One page with the total and page numbers; see `Builder::paginate`.
        #vis fn paginate(per_page: u64) -> #length_aware {
            Self::query().paginate(per_page)
        }

        /// As [`paginate`](Self::paginate), under another query key than `page`.
        #vis fn paginate_using(page_key: &str, per_page: u64) -> #length_aware {
            Self::query().paginate_using(page_key, per_page)
        }

        /// One page without the total; see `Builder::simple_paginate`.
        #vis fn simple_paginate(per_page: u64) -> #simple {
            Self::query().simple_paginate(per_page)
        }

        /// One page of a walk by the cursor key; see `Builder::cursor_paginate`.
        #vis fn cursor_paginate(per_page: u64) -> #cursor {
            Self::query().cursor_paginate(per_page)
        }
    }
}

/// The model's table: names, and how its keys are sorted.
fn table(model: &Model, key: &Ident) -> TokenStream {
    let Model { ident, krate, table: Table { name, schema, connection, resource }, columns, flattened, keys, .. } =
        model;
    let [schema, connection, resource] = [schema, connection, resource].map(|text| optional(text.as_ref()));
    let names = columns.iter().map(|column| &column.name);
    let columns = if *flattened { quote!(All) } else { quote!(Named(&[#(#names),*])) };
    let primary = keys.primary.iter().map(|column| key_column(krate, column, Direction::Asc, None));
    let cursor = keys.cursor.iter().map(|key| key_column(krate, &key.column, key.direction, key.nulls));
    quote! {
        #[automatically_derived]
        impl #krate::Model for #ident {
            type Key = #key;
            const TABLE: &'static #krate::__private::Table = &#krate::__private::Table {
                schema: #schema,
                name: #name,
                connection: #connection,
                resource: #resource,
                columns: #krate::__private::Columns::#columns,
                primary_key: &[#(#primary),*],
                cursor_key: &[#(#cursor),*],
            };
            const READER: #krate::__private::Reader<Self> = #krate::__reader!(#ident);
        }

        // Looked at here, for else a row that no driver can read would be reported only where it is first used.
        const _: #krate::__private::Reader<#ident> = <#ident as #krate::Model>::READER;
    }
}

/// A column of a key, and how it is sorted.
fn key_column(krate: &Path, column: &Column, direction: Direction, nulls: Option<Nulls>) -> TokenStream {
    let Column { name, ty, .. } = column;
    let direction = format_ident!("{direction:?}");
    let nulls = nulls.map(|nulls| format_ident!("{nulls:?}"));
    let nulls = optional(nulls.map(|nulls| quote!(#krate::Nulls::#nulls)));
    quote!(#krate::__private::KeyColumn::new::<#ty>(#name, #krate::__private::Direction::#direction, #nulls))
}

/// An `Option` of tokens as tokens of an `Option`.
fn optional(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
