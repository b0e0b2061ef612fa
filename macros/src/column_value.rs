//! The derive of `ColumnValue`: how the values of an enum or a newtype are stored. It reads the attributes of sqlx, so
//! that both store the same.
//!
//! The implementation is the macro `__column_value!` of the runtime; the expansion names the variants or the field.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Field, Fields, Ident, Index, Meta, Path, Token, Type, Variant, parse_quote,
    punctuated::Punctuated, spanned::Spanned,
};

use crate::{
    attrs::{self, SqlxTypeAttrs, SqlxVariantAttrs, ValueAttrs},
    errors::{Errors, Words},
    expand::checked,
    field, names,
};

/// The integers that a database can store.
const INTEGERS: [&str; 8] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];

/// How the values of a type are stored.
enum Storage<'a> {
    /// As texts, one for each variant.
    Texts(Vec<(&'a Ident, String)>),
    /// As the variants' numbers, in this integer type.
    Numbers(Ident, Vec<&'a Ident>),
    /// As the only field is stored.
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
        Storage::Numbers(number, variants) => quote!(#krate::__column_value! { #ident: #number { #(#variants),* } }),
        Storage::Field(field, ty) => {
            // An alias of `Option`, which only the compiler finds.
            let (assert, message) = (quote!(#krate::__private::assert), never_null(ident));
            let condition = quote!(!#krate::__is_nullable!(#ty), #message);
            let assert = checked(assert, condition, &Words::of(ty));
            quote!(#krate::__column_value! { #ident { #field: #ty } } #assert)
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
            errors.at(
                data.union_token.span(),
                "a union has no single value; derive `ColumnValue` on an enum or a newtype",
            );
            None
        }
    }
}

/// How the variants of an enum are stored.
fn of_enum<'a>(input: &'a DeriveInput, data: &'a DataEnum, errors: &mut Errors) -> Option<Storage<'a>> {
    if data.variants.is_empty() {
        errors.at(input.ident.span(), format!("`{}` has no variants, so no column can store it", input.ident));
    }
    for variant in &data.variants {
        refuse_attributes(&variant.attrs, "a variant", errors);
        if !matches!(variant.fields, Fields::Unit) {
            let message = format!(
                "`{}` has fields, which a column of an enum does not store; remove them, or read the column with \
                 `#[sqlx(json)]`",
                variant.ident
            );
            errors.over(&variant.fields, message);
        }
    }
    match representation(&input.attrs) {
        Some(number) if INTEGERS.iter().any(|integer| number == integer) => {
            Some(Storage::Numbers(number, data.variants.iter().map(|variant| &variant.ident).collect()))
        }
        Some(other) => {
            errors.at(other.span(), format!("no database stores `{other}`; write an integer such as `#[repr(i32)]`"));
            None
        }
        None => Some(Storage::Texts(texts(input, data, errors))),
    }
}

/// The integer type of `#[repr(...)]`, if it is written.
fn representation(attributes: &[Attribute]) -> Option<Ident> {
    let parse = |attribute: &Attribute| attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    let reprs = attributes.iter().filter(|attribute| attribute.path().is_ident("repr"));
    let mut words = reprs.filter_map(|attribute| parse(attribute).ok()).flatten();
    words.find_map(|word| word.require_path_only().ok()?.get_ident().cloned())
}

/// The variants of an enum with the texts that sqlx stores for them.
fn texts<'a>(input: &DeriveInput, data: &'a DataEnum, errors: &mut Errors) -> Vec<(&'a Ident, String)> {
    let SqlxTypeAttrs { rename_all, transparent: _ } = attrs::sqlx(&input.attrs);
    let text = |variant: &Variant| {
        let SqlxVariantAttrs { rename } = attrs::sqlx(&variant.attrs);
        let name = variant.ident.to_string();
        rename.unwrap_or_else(|| rename_all.as_deref().map_or(name.clone(), |rule| names::renamed(&name, rule)))
    };
    let texts: Vec<_> = data.variants.iter().map(|variant| (&variant.ident, text(variant))).collect();
    let mut seen = HashSet::new();
    for (variant, text) in &texts {
        if !seen.insert(text) {
            errors.at(variant.span(), format!("another variant is stored as `{text}`; rename one of them"));
        }
    }
    texts
}

/// How a newtype is stored.
fn of_struct<'a>(input: &'a DeriveInput, fields: &'a Fields, errors: &mut Errors) -> Option<Storage<'a>> {
    let SqlxTypeAttrs { transparent, rename_all: _ } = attrs::sqlx(&input.attrs);
    let (Some(field), 1) = (fields.iter().next(), fields.len()) else {
        let message = "a column stores one value; derive `ColumnValue` on a struct with one field";
        errors.at(input.ident.span(), message);
        return None;
    };
    refuse_attributes(&field.attrs, "the field of a newtype", errors);
    if field.ident.is_some() && !transparent.is_present() {
        let message = "sqlx stores a struct with a named field as a composite type; write `#[sqlx(transparent)]`";
        errors.at(input.ident.span(), message);
    }
    if field::is_option(&field.ty) {
        errors.over(&field.ty, never_null(&input.ident));
    }
    Some(Storage::Field(member(field), &field.ty))
}

/// The name of the only field, or its index.
fn member(field: &Field) -> TokenStream {
    match &field.ident {
        Some(ident) => ident.to_token_stream(),
        None => Index::from(0).to_token_stream(),
    }
}

/// Reports `#[paginate(...)]` on a variant or a field, which take no such attribute.
fn refuse_attributes(attributes: &[Attribute], place: &str, errors: &mut Errors) {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("paginate")) {
        errors.at(attribute.span(), format!("`paginate` has no meaning on {place}; remove it"));
    }
}
