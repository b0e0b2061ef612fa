//! The derive of `ColumnValue`: how the values of an enum or a newtype are stored. It reads the attributes of sqlx, so
//! that both store the same.
//!
//! The implementation is the macro `__column_value!` of the runtime; the expansion names the variants or the field:
//!
//! | type | stored as | expansion |
//! |---|---|---|
//! | `enum State { Draft, Live }` | its text | `__column_value! { State: str { Draft = "Draft", Live = "Live" } }` |
//! | `#[repr(i16)] enum Level { Low = 1 }` | its number | `__column_value! { Level: i16 { Low } }` |
//! | `struct PostId(i64)` | its field | `__column_value! { PostId { 0: i64 } }` |

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Field, Fields, Ident, Index, Meta, Path, Token, Type, Variant, parse_quote,
    punctuated::Punctuated, spanned::Spanned,
};

use crate::{
    attrs::{self, SqlxTypeAttrs, SqlxVariantAttrs, ValueAttrs},
    errors::{Errors, SpanRange},
    expand::assert_never_null,
    field, names,
};

/// The integers that a database can store.
const INTEGERS: [&str; 8] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];

/// The message for a union.
const NO_UNION: &str = "a union has no single value; derive `ColumnValue` on an enum or a newtype";

/// How the values of a type are stored.
enum Storage<'a> {
    /// As texts, one for each variant.
    Texts(Vec<(&'a Ident, String)>),
    /// As the variants' numbers, in this integer type.
    Numbers(Ident, Vec<&'a Ident>),
    /// Like its only field.
    Field(TokenStream, &'a Type),
}

/// The whole output for a type: its mistakes, or the implementation.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let expansion = check(input, &mut errors).map(|(krate, storage)| expand(&input.ident, &krate, &storage));
    quote!(#errors #expansion)
}

/// The path of the folio crate, and how the values of a type are stored; `None` after a mistake.
fn check<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Option<(Path, Storage<'a>)> {
    let ValueAttrs { krate } = attrs::paginate(&input.attrs, errors);
    let storage = storage(input, errors).filter(|_| errors.is_empty())?;
    Some((krate.unwrap_or_else(|| parse_quote!(::folio)), storage))
}

/// The mistakes in a type, for tests.
#[cfg(test)]
pub(crate) fn mistakes(input: &DeriveInput) -> Errors {
    let mut errors = Errors::default();
    check(input, &mut errors);
    errors
}

/// The implementation for a type.
fn expand(ident: &Ident, krate: &Path, storage: &Storage<'_>) -> TokenStream {
    match storage {
        Storage::Texts(variants) => {
            let variants = variants.iter().map(|(variant, text)| quote!(#variant = #text));
            quote!(#krate::__column_value! { #ident: str { #(#variants),* } })
        }
        Storage::Numbers(number, variants) => {
            quote!(#krate::__column_value! { #ident: #number { #(#variants),* } })
        }
        Storage::Field(field, ty) => {
            // `check` has rejected an explicit `Option`; the compiler finds an alias of one.
            let assertion = assert_never_null(krate, ty, &never_null(ident), &SpanRange::of(ty));
            quote!(#krate::__column_value! { #ident { #field: #ty } } #assertion)
        }
    }
}

/// The message for a newtype of an `Option`.
fn never_null(ident: &Ident) -> String {
    format!(
        "`{ident}` is in an `Option` if its column may be NULL; write the type without `Option` here, and \
         `Option<{ident}>` in the model"
    )
}

/// How the values of a type are stored; `None` after a mistake.
fn storage<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Option<Storage<'a>> {
    if !input.generics.params.is_empty() {
        let message = format!("`{}` is generic, but a column has one type; remove the parameters", input.ident);
        errors.over(&input.generics, message);
    }
    match &input.data {
        Data::Enum(data) => of_enum(input, data, errors),
        Data::Struct(data) => of_struct(input, &data.fields, errors),
        Data::Union(data) => {
            errors.at(data.union_token.span(), NO_UNION);
            None
        }
    }
}

/// How the variants of an enum are stored.
fn of_enum<'a>(input: &'a DeriveInput, data: &'a DataEnum, errors: &mut Errors) -> Option<Storage<'a>> {
    let ident = &input.ident;
    if data.variants.is_empty() {
        errors.at(ident.span(), format!("`{ident}` has no variants, so no column can store it"));
    }
    for Variant { ident, attrs, fields, .. } in &data.variants {
        refuse_attributes(attrs, "a variant", errors);
        if !matches!(fields, Fields::Unit) {
            let message = format!(
                "`{ident}` has fields, which a column of an enum does not store; remove them, or read the column with \
                 `#[sqlx(json)]`"
            );
            errors.over(fields, message);
        }
    }

    // sqlx stores an enum as numbers if it has an integer type in `#[repr(...)]`.
    let items = |attribute: &Attribute| attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok();
    let mut items = attrs::named(&input.attrs, "repr").filter_map(items).flatten();
    let Some(number) = items.find_map(|item| item.require_path_only().ok()?.get_ident().cloned()) else {
        return Some(Storage::Texts(texts(input, data, errors)));
    };
    if !INTEGERS.iter().any(|integer| number == integer) {
        errors.at(number.span(), format!("no database stores `{number}`; write an integer such as `#[repr(i32)]`"));
        return None;
    }
    Some(Storage::Numbers(number, data.variants.iter().map(|variant| &variant.ident).collect()))
}

/// The variants of an enum with the texts that sqlx stores for them: a variant's own `rename`, or else its name under
/// the enum's `rename_all`. Two variants with the same text are a mistake, because only one of them could be read back.
fn texts<'a>(input: &DeriveInput, data: &'a DataEnum, errors: &mut Errors) -> Vec<(&'a Ident, String)> {
    let SqlxTypeAttrs { rename_all, transparent: _ } = attrs::sqlx(&input.attrs);
    let text = |variant: &'a Variant| {
        let SqlxVariantAttrs { rename } = attrs::sqlx(&variant.attrs);
        let name = variant.ident.to_string();
        let renamed = || rename_all.as_ref().map_or(name.clone(), |rule| names::renamed(&name, rule));
        (&variant.ident, rename.unwrap_or_else(renamed))
    };
    let texts: Vec<_> = data.variants.iter().map(text).collect();
    let mut seen = HashSet::new();
    for (variant, text) in texts.iter().filter(|(_, text)| !seen.insert(text)) {
        errors.at(variant.span(), format!("another variant is stored as `{text}`; rename one of them"));
    }
    texts
}

/// How a newtype is stored: as its only field.
fn of_struct<'a>(input: &'a DeriveInput, fields: &'a Fields, errors: &mut Errors) -> Option<Storage<'a>> {
    if fields.len() != 1 {
        let message = "a column stores one value; derive `ColumnValue` on a struct with one field";
        errors.at(input.ident.span(), message);
        return None;
    }
    let Field { ident, ty, attrs, .. } = fields.iter().next()?;
    refuse_attributes(attrs, "the field of a newtype", errors);
    let SqlxTypeAttrs { transparent, rename_all: _ } = attrs::sqlx(&input.attrs);
    if ident.is_some() && transparent.is_none() {
        let message = "sqlx stores a struct with a named field as a composite type; write `#[sqlx(transparent)]`";
        errors.at(input.ident.span(), message);
    }
    if field::is_option(ty) {
        errors.over(ty, never_null(&input.ident));
    }
    let member = ident.as_ref().map_or_else(|| Index::from(0).to_token_stream(), ToTokens::to_token_stream);
    Some(Storage::Field(member, ty))
}

/// Reports `#[paginate(...)]` on a variant or a field, which take no such attribute.
fn refuse_attributes(attributes: &[Attribute], place: &str, errors: &mut Errors) {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("paginate")) {
        errors.at(attribute.span(), format!("`paginate` has no meaning on {place}; remove it"));
    }
}
