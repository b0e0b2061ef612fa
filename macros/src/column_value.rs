//! The derive of `ColumnValue`: how the values of an enum or a newtype are stored. It reads the attributes of sqlx and
//! sea-orm, so that all store the same.
//!
//! The implementation is the macro `__column_value!` of the runtime; the expansion names the variants or the field:
//!
//! | type | stored as | expansion |
//! |---|---|---|
//! | `enum State { Draft, Live }` | its text | `__column_value! { State: str { Draft = "Draft", Live = "Live" } }` |
//! | `#[repr(i16)] enum Level { Low = 1 }` | its number | `__column_value! { Level: i16 { Low } }` |
//! | `struct PostId(i64)` | its field | `__column_value! { PostId { 0: i64 } }` |
//! | an enum of sea-orm | a text | `__column_value! { Tea: str as text { Green = "green" } }` |
//! | | PostgreSQL's enum | `__column_value! { Tea: str as "\"tea\"" { Green = "green" } }` |
//! | | a number | `__column_value! { Level: i16 { Low = 1 } }` |
//! | `#[sea_orm(value_type = "String")]` | a text | `__column_value! { Tag through str::to_owned, Tag::parse }` |
//!
//! The conversions into sea-query's `Value` are a macro of their own, `__into_value!`. sea-orm's derives have them, so
//! a type of sea-orm gets none. `DeriveValueType` needs no attribute on a newtype, and the derive cannot see it: then
//! `#[paginate(sea_orm)]` says that the type is sea-orm's.

use std::{collections::HashSet, fmt::Display, hash::Hash};

use darling::ast::NestedMeta;
use heck::ToPascalCase;
use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Expr, ExprLit, ExprUnary, Field, Fields, Ident, Index, Lit, LitStr, Meta,
    Path, Type, UnOp, Variant, parse_quote, spanned::Spanned,
};

use crate::{
    attrs::{self, SeaOrmTypeAttrs, SeaOrmVariantAttrs, SqlxTypeAttrs, SqlxVariantAttrs, ValueAttrs},
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
    /// As texts, one for each variant, in a column of this type.
    Texts(TextColumn, Vec<(&'a Ident, String)>),
    /// As the variants' own numbers, in this integer type.
    Numbers(Ident, Vec<&'a Ident>),
    /// As numbers that are written for the variants, in this integer type.
    WrittenNumbers(Ident, Vec<(&'a Ident, i128)>),
    /// Like its only field.
    Field(TokenStream, &'a Type),
    /// As a text, by a function that writes it and one that reads it.
    Through { to_str: TokenStream, from_str: TokenStream },
}

/// The column of an enum's texts, on PostgreSQL.
enum TextColumn {
    /// Of the type that sqlx's trait names, if the enum implements it.
    OfSqlx,
    /// A text.
    Text,
    /// Of an enum with this name.
    Enum(String),
}

/// A type that is the type of a column.
struct Value<'a> {
    krate: Path,
    storage: Storage<'a>,
    /// Whether sea-orm's derives implement the conversions into sea-query's `Value`.
    is_sea_orm: bool,
}

/// The whole output for a type: its mistakes, or the implementation.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let expansion = check(input, &mut errors).map(|value| expand(&input.ident, &value));
    quote!(#errors #expansion)
}

/// How the values of a type are stored; `None` after a mistake.
fn check<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Option<Value<'a>> {
    let ValueAttrs { sea_orm, krate } = attrs::paginate(&input.attrs, errors);
    let storage = storage(input, errors).filter(|_| errors.is_empty())?;
    let is_sea_orm = sea_orm.is_present() || attrs::has_sea_orm(input);
    Some(Value { krate: krate.unwrap_or_else(|| parse_quote!(::folio)), storage, is_sea_orm })
}

/// The mistakes in a type, for tests.
#[cfg(test)]
pub(crate) fn mistakes(input: &DeriveInput) -> Errors {
    let mut errors = Errors::default();
    check(input, &mut errors);
    errors
}

/// The implementation for a type.
fn expand(ident: &Ident, Value { krate, storage, is_sea_orm }: &Value<'_>) -> TokenStream {
    let (stored, assertion) = match storage {
        Storage::Texts(column, variants) => {
            let column = match column {
                TextColumn::OfSqlx => TokenStream::new(),
                TextColumn::Text => quote!(as text),
                TextColumn::Enum(name) => quote!(as #name),
            };
            let variants = variants.iter().map(|(variant, text)| quote!(#variant = #text));
            (quote!(: str #column { #(#variants),* }), None)
        }
        Storage::Numbers(number, variants) => (quote!(: #number { #(#variants),* }), None),
        Storage::WrittenNumbers(number, variants) => {
            let variants = variants.iter().map(|(variant, number)| {
                let minus = number.is_negative().then(|| quote!(-));
                let magnitude = Literal::u128_unsuffixed(number.unsigned_abs());
                quote!(#variant = #minus #magnitude)
            });
            (quote!(: #number { #(#variants),* }), None)
        }
        Storage::Field(field, ty) => {
            // `check` has rejected an explicit `Option`; the compiler finds an alias of one.
            let assertion = assert_never_null(krate, ty, &never_null(ident), &SpanRange::of(ty));
            (quote!({ #field: #ty }), Some(assertion))
        }
        Storage::Through { to_str, from_str } => (quote!(through #to_str, #from_str), None),
    };
    let conversions = (!is_sea_orm).then(|| quote!(#krate::__into_value! { #ident }));
    quote!(#krate::__column_value! { #ident #stored } #conversions #assertion)
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
    let sea_orm: SeaOrmTypeAttrs = attrs::sea_orm(&input.attrs);
    if sea_orm.value_type.is_some() {
        let or_else = |function: Option<Expr>, other| function.map_or(other, Expr::into_token_stream);
        let to_str = or_else(sea_orm.to_str, quote!(::std::string::ToString::to_string));
        let from_str = or_else(sea_orm.from_str, quote!(::core::str::FromStr::from_str));
        return Some(Storage::Through { to_str, from_str });
    }
    match &input.data {
        Data::Enum(data) => of_enum(input, data, &sea_orm, errors),
        Data::Struct(data) => of_struct(input, &data.fields, errors),
        Data::Union(data) => {
            errors.at(data.union_token.span(), NO_UNION);
            None
        }
    }
}

/// How the variants of an enum are stored.
fn of_enum<'a>(
    input: &'a DeriveInput,
    data: &'a DataEnum,
    sea_orm: &SeaOrmTypeAttrs,
    errors: &mut Errors,
) -> Option<Storage<'a>> {
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

    if sea_orm.db_type.is_some() {
        return of_active_enum(ident, data, sea_orm, errors);
    }
    // sqlx stores an enum as numbers if it has an integer type in `#[repr(...)]`.
    let number = attrs::items(&input.attrs, "repr").find_map(|item| match item {
        NestedMeta::Meta(Meta::Path(word)) => word.get_ident().cloned(),
        _ => None,
    });
    let Some(number) = number else {
        return Some(Storage::Texts(TextColumn::OfSqlx, sqlx_texts(input, data, errors)));
    };
    if !INTEGERS.iter().any(|integer| number == integer) {
        errors.at(number.span(), format!("no database stores `{number}`; write an integer such as `#[repr(i32)]`"));
        return None;
    }
    Some(Storage::Numbers(number, data.variants.iter().map(|variant| &variant.ident).collect()))
}

/// How sea-orm's `DeriveActiveEnum` stores the variants of an enum. Where sea-orm reports a mistake itself, such as a
/// variant without a value, any value will do.
fn of_active_enum<'a>(
    ident: &Ident,
    data: &'a DataEnum,
    SeaOrmTypeAttrs { db_type, rs_type, enum_name, rename_all, .. }: &SeaOrmTypeAttrs,
    errors: &mut Errors,
) -> Option<Storage<'a>> {
    let stored = rs_type.as_ref().map_or_else(String::new, LitStr::value);
    if INTEGERS.contains(&&*stored) {
        let number = |(place, variant): (usize, &'a Variant)| {
            let SeaOrmVariantAttrs { num_value, .. } = attrs::sea_orm(&variant.attrs);
            let own = || variant.discriminant.as_ref().and_then(|(_, number)| integer(number));
            let number = num_value.as_ref().and_then(integer).or_else(own);
            (&variant.ident, number.unwrap_or(i128::try_from(place).unwrap_or_default()))
        };
        let numbers: Vec<_> = data.variants.iter().enumerate().map(number).collect();
        refuse_same(&numbers, "write another number for one of them", errors);
        return Some(Storage::WrittenNumbers(Ident::new(&stored, Span::call_site()), numbers));
    }
    if let Some(rs_type) = rs_type
        && !["String", "Enum"].contains(&&*stored)
    {
        let advice = "write `rs_type = \"String\"`, or an integer such as `rs_type = \"i32\"`";
        errors.at(rs_type.span(), format!("no database stores `{stored}`; {advice}"));
        return None;
    }
    let text = |variant: &'a Variant| {
        let SeaOrmVariantAttrs { string_value, rename, .. } = attrs::sea_orm(&variant.attrs);
        let name = variant.ident.to_string();
        let renamed = || Some(names::renamed_by_sea_orm(&name, rename.as_ref().or(rename_all.as_ref())?));
        (&variant.ident, string_value.or_else(renamed).unwrap_or_else(|| name.clone()))
    };
    let texts: Vec<_> = data.variants.iter().map(text).collect();
    refuse_same(&texts, "write another text for one of them", errors);
    let column = match db_type.as_deref() {
        // sea-orm quotes the name, so it is not folded to small letters.
        Some("Enum") => {
            let name = enum_name.clone().unwrap_or_else(|| ident.to_string().to_pascal_case());
            TextColumn::Enum(format!("\"{}\"", name.replace('"', "\"\"")))
        }
        _ => TextColumn::Text,
    };
    Some(Storage::Texts(column, texts))
}

/// An integer that is written as a literal, or as one after a minus.
fn integer(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => integer(expr)?.checked_neg(),
        Expr::Group(group) => integer(&group.expr),
        _ => None,
    }
}

/// The variants of an enum with the texts that sqlx stores for them: a variant's own `rename`, or else its name under
/// the enum's `rename_all`.
fn sqlx_texts<'a>(input: &DeriveInput, data: &'a DataEnum, errors: &mut Errors) -> Vec<(&'a Ident, String)> {
    let SqlxTypeAttrs { rename_all, transparent: _ } = attrs::sqlx(&input.attrs);
    let text = |variant: &'a Variant| {
        let SqlxVariantAttrs { rename } = attrs::sqlx(&variant.attrs);
        let name = variant.ident.to_string();
        let renamed = || rename_all.as_ref().map_or(name.clone(), |rule| names::renamed(&name, rule));
        (&variant.ident, rename.unwrap_or_else(renamed))
    };
    let texts: Vec<_> = data.variants.iter().map(text).collect();
    refuse_same(&texts, "rename one of them", errors);
    texts
}

/// Reports variants that are stored like another one, because only one of them could be read back.
fn refuse_same<T: Eq + Hash + Display>(variants: &[(&Ident, T)], advice: &str, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for (variant, value) in variants.iter().filter(|(_, value)| !seen.insert(value)) {
        errors.at(variant.span(), format!("another variant is stored as `{value}`; {advice}"));
    }
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
    if ident.is_some() && !transparent.is_present() && !attrs::has_sea_orm(input) {
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
    for attribute in attrs::named(attributes, "paginate") {
        errors.at(attribute.span(), format!("`paginate` has no meaning on {place}; remove it"));
    }
}
