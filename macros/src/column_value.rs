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
        Storage::Texts(variants) => expand_texts(ident, krate, variants),
        Storage::Numbers(number, variants) => expand_numbers(ident, krate, number, variants),
        Storage::Field(field, ty) => expand_newtype(ident, krate, field, ty),
    }
}

/// The implementation for an enum that is stored as texts.
fn expand_texts(ident: &Ident, krate: &Path, variants: &[(&Ident, String)]) -> TokenStream {
    let variants = variants.iter().map(|(variant, text)| quote!(#variant = #text));
    quote!(#krate::__column_value! { #ident: str { #(#variants),* } })
}

/// The implementation for an enum that is stored as numbers.
fn expand_numbers(ident: &Ident, krate: &Path, number: &Ident, variants: &[&Ident]) -> TokenStream {
    quote!(#krate::__column_value! { #ident: #number { #(#variants),* } })
}

/// The implementation for a newtype. `check` has rejected an explicit `Option`; the compiler finds an alias of one.
fn expand_newtype(ident: &Ident, krate: &Path, field: &TokenStream, ty: &Type) -> TokenStream {
    let assertion = assert_never_null(krate, ty, &never_null(ident), &SpanRange::of(ty));
    quote!(#krate::__column_value! { #ident { #field: #ty } } #assertion)
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
    check_generics(input, errors);
    match &input.data {
        Data::Enum(data) => of_enum(input, data, errors),
        Data::Struct(data) => of_struct(input, &data.fields, errors),
        Data::Union(data) => {
            errors.at(data.union_token.span(), NO_UNION);
            None
        }
    }
}

/// Reports the parameters of a generic type.
fn check_generics(input: &DeriveInput, errors: &mut Errors) {
    if !input.generics.params.is_empty() {
        let message = format!("`{}` is generic, but a column has one type; remove the parameters", input.ident);
        errors.over(&input.generics, message);
    }
}

/// How the variants of an enum are stored.
fn of_enum<'a>(input: &'a DeriveInput, data: &'a DataEnum, errors: &mut Errors) -> Option<Storage<'a>> {
    check_variants(&input.ident, data, errors);
    match representation(&input.attrs) {
        Some(number) => of_numbers(number, data, errors),
        None => Some(Storage::Texts(texts(input, data, errors))),
    }
}

/// The storage of an enum whose `repr` is `number`.
fn of_numbers<'a>(number: Ident, data: &'a DataEnum, errors: &mut Errors) -> Option<Storage<'a>> {
    if !is_integer(&number) {
        errors.at(number.span(), format!("no database stores `{number}`; write an integer such as `#[repr(i32)]`"));
        return None;
    }
    Some(Storage::Numbers(number, data.variants.iter().map(|variant| &variant.ident).collect()))
}

/// Whether a database can store this type of number.
fn is_integer(number: &Ident) -> bool {
    INTEGERS.iter().any(|integer| number == integer)
}

/// Reports an enum without variants, and variants that have more than a name.
fn check_variants(ident: &Ident, data: &DataEnum, errors: &mut Errors) {
    if data.variants.is_empty() {
        errors.at(ident.span(), format!("`{ident}` has no variants, so no column can store it"));
    }
    data.variants.iter().for_each(|variant| check_variant(variant, errors));
}

/// Reports a variant with fields, or with folio's attributes.
fn check_variant(variant: &Variant, errors: &mut Errors) {
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

/// The integer type of `#[repr(...)]`, if it is written. sqlx stores an enum as numbers if it has one.
fn representation(attributes: &[Attribute]) -> Option<Ident> {
    let mut items = attrs::named(attributes, "repr").filter_map(readable_items).flatten();
    items.find_map(|item| item.require_path_only().ok()?.get_ident().cloned())
}

/// The items between an attribute's parentheses, if they can be read.
fn readable_items(attribute: &Attribute) -> Option<Punctuated<Meta, Token![,]>> {
    attribute.parse_args_with(Punctuated::parse_terminated).ok()
}

/// The variants of an enum with the texts that sqlx stores for them. Two variants with the same text are a mistake,
/// because only one of them could be read back.
fn texts<'a>(input: &DeriveInput, data: &'a DataEnum, errors: &mut Errors) -> Vec<(&'a Ident, String)> {
    let SqlxTypeAttrs { rename_all, transparent: _ } = attrs::sqlx(&input.attrs);
    let texts = named_texts(data, rename_all.as_deref());
    report_repeated(&texts, errors);
    texts
}

/// The variants of an enum with their texts, under the enum's `rename_all`.
fn named_texts<'a>(data: &'a DataEnum, rename_all: Option<&str>) -> Vec<(&'a Ident, String)> {
    data.variants.iter().map(|variant| (&variant.ident, text(variant, rename_all))).collect()
}

/// Reports each variant with the text of an earlier one.
fn report_repeated(texts: &[(&Ident, String)], errors: &mut Errors) {
    let mut seen = HashSet::new();
    for (variant, text) in texts.iter().filter(|(_, text)| !seen.insert(text)) {
        errors.at(variant.span(), format!("another variant is stored as `{text}`; rename one of them"));
    }
}

/// The text that sqlx stores for a variant: its own `rename`, or else its name under the enum's `rename_all`.
fn text(variant: &Variant, rename_all: Option<&str>) -> String {
    let SqlxVariantAttrs { rename } = attrs::sqlx(&variant.attrs);
    let name = variant.ident.to_string();
    rename.unwrap_or_else(|| rename_all.map_or(name.clone(), |rule| names::renamed(&name, rule)))
}

/// How a newtype is stored.
fn of_struct<'a>(input: &'a DeriveInput, fields: &'a Fields, errors: &mut Errors) -> Option<Storage<'a>> {
    let field = only_field(input, fields, errors)?;
    check_field(input, field, errors);
    Some(Storage::Field(member(field), &field.ty))
}

/// Reports the field of a newtype if it cannot be stored as the newtype's value.
fn check_field(input: &DeriveInput, field: &Field, errors: &mut Errors) {
    refuse_attributes(&field.attrs, "the field of a newtype", errors);
    check_transparent(input, field, errors);
    if field::is_option(&field.ty) {
        errors.over(&field.ty, never_null(&input.ident));
    }
}

/// Reports a newtype with a named field that sqlx does not store as the field's value.
fn check_transparent(input: &DeriveInput, field: &Field, errors: &mut Errors) {
    let SqlxTypeAttrs { transparent, rename_all: _ } = attrs::sqlx(&input.attrs);
    if field.ident.is_some() && transparent.is_none() {
        let message = "sqlx stores a struct with a named field as a composite type; write `#[sqlx(transparent)]`";
        errors.at(input.ident.span(), message);
    }
}

/// The field of a struct with one field. Any other number is a mistake.
fn only_field<'a>(input: &DeriveInput, fields: &'a Fields, errors: &mut Errors) -> Option<&'a Field> {
    if fields.len() != 1 {
        let message = "a column stores one value; derive `ColumnValue` on a struct with one field";
        errors.at(input.ident.span(), message);
        return None;
    }
    fields.iter().next()
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
