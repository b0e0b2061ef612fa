//! What was written: the attributes of the struct and of its fields, as darling receivers.
//!
//! The words are looked up before darling reads their values, so that an unknown or repeated one is told in folio's
//! own words and costs no other word its meaning.

use darling::{
    Error, FromMeta, Result,
    ast::NestedMeta,
    util::{Flag, path_to_string},
};
use proc_macro2::Span;
use quote::ToTokens;
use syn::{Attribute, LitStr, Meta, Path, Token, Type, punctuated::Punctuated, spanned::Spanned};

use crate::{errors::Errors, names};

/// `#[paginate(...)]` on the struct.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct ModelAttrs {
    /// `table = "posts"`: the table's name, if it is not the plural of the struct's.
    #[darling(with = text)]
    pub(crate) table: Option<LitStr>,
    /// `schema = "blog"`: the schema in which the table lies.
    #[darling(with = text)]
    pub(crate) schema: Option<LitStr>,
    /// `cursor_key = "created_at desc, id"`: the order of a cursor walk; ascending by primary key by default.
    #[darling(with = text)]
    pub(crate) cursor_key: Option<LitStr>,
    /// `primary_key = "tenant_id, id"`: the primary key, where no field is marked.
    #[darling(with = text)]
    pub(crate) primary_key: Option<LitStr>,
    /// `connection = "reports"`: the registered connection that the model is read from.
    #[darling(with = text)]
    pub(crate) connection: Option<LitStr>,
    /// `resource = "articles"`: the type of a row in a JSON:API document.
    #[darling(with = text)]
    pub(crate) resource: Option<LitStr>,
    /// `crate = "path"`: where folio is found under another name.
    #[darling(rename = "crate", with = path)]
    pub(crate) krate: Option<Path>,
}

/// `#[paginate(...)]` on a field.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct FieldAttrs {
    /// `primary_key`: the field belongs to the primary key.
    #[darling(with = word)]
    pub(crate) primary_key: Flag,
    /// `column = "name"`: the column, if its name is not the field's.
    #[darling(with = text)]
    pub(crate) column: Option<LitStr>,
    /// `skip`: the field has no column.
    #[darling(with = word)]
    pub(crate) skip: Flag,
}

/// `#[sqlx(...)]` on the struct: the parts that name columns.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SqlxModelAttrs {
    /// `rename_all = "camelCase"`: how a column's name comes from its field's.
    pub(crate) rename_all: Option<String>,
}

/// `#[sqlx(...)]` on a field: the parts that say what is read from the row.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SqlxFieldAttrs {
    /// `rename = "name"`: the column's name.
    pub(crate) rename: Option<LitStr>,
    /// `skip`: the field is not read.
    pub(crate) skip: Flag,
    /// `flatten`: the field is a row of its own, read from the same columns.
    pub(crate) flatten: Flag,
    /// `json` or `json(nullable)`: the column holds the field as JSON.
    #[darling(with = present)]
    pub(crate) json: Flag,
    /// `try_from = "i64"`: the type as which the column is read.
    pub(crate) try_from: Option<Type>,
}

/// `#[serde(...)]` on the struct: the parts that name the keys of its JSON.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SerdeModelAttrs {
    /// `rename_all = "camelCase"`: how a key comes from its field's name.
    #[darling(with = serialized)]
    pub(crate) rename_all: Option<String>,
}

/// `#[serde(...)]` on a field: the parts that name the key of its JSON.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SerdeFieldAttrs {
    /// `rename = "name"`: the key.
    #[darling(with = serialized)]
    pub(crate) rename: Option<String>,
}

/// A receiver of `#[paginate(...)]`.
pub(crate) trait Receiver: FromMeta + Default {
    /// The words that it takes.
    const WORDS: &'static [&'static str];
    /// The words that are taken elsewhere, and where.
    const ELSEWHERE: (&'static [&'static str], &'static str);
}

impl Receiver for ModelAttrs {
    const WORDS: &'static [&'static str] =
        &["table", "schema", "cursor_key", "primary_key", "connection", "resource", "crate"];
    const ELSEWHERE: (&'static [&'static str], &'static str) = (FieldAttrs::WORDS, "a field");
}

impl Receiver for FieldAttrs {
    const WORDS: &'static [&'static str] = &["primary_key", "column", "skip"];
    const ELSEWHERE: (&'static [&'static str], &'static str) = (ModelAttrs::WORDS, "the struct");
}

/// Reads every `#[paginate(...)]` among `attributes`. A word that is at fault is reported and left out.
pub(crate) fn paginate<R: Receiver>(attributes: &[Attribute], errors: &mut Errors) -> R {
    let mut items = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("paginate")) {
        match list(attribute) {
            Ok(list) => list.into_iter().for_each(|item| admit::<R>(item, &mut items, errors)),
            Err(error) => errors.append(error.into()),
        }
    }
    // Darling gives all or nothing, so each word is tried alone first.
    items.retain(|item| R::from_list(std::slice::from_ref(item)).map_err(|error| errors.append(error)).is_ok());
    R::from_list(&items).unwrap_or_default()
}

/// Reads every `#[sqlx(...)]` among `attributes`. What sqlx will not take, sqlx itself reports.
pub(crate) fn sqlx<R: FromMeta + Default>(attributes: &[Attribute]) -> R {
    foreign("sqlx", attributes)
}

/// Reads every `#[serde(...)]` among `attributes`. What serde will not take, serde itself reports.
pub(crate) fn serde<R: FromMeta + Default>(attributes: &[Attribute]) -> R {
    foreign("serde", attributes)
}

/// Reads every attribute of another derive.
fn foreign<R: FromMeta + Default>(name: &str, attributes: &[Attribute]) -> R {
    let attributes = attributes.iter().filter(|attribute| attribute.path().is_ident(name));
    let items: Vec<_> = attributes.filter_map(|attribute| list(attribute).ok()).flatten().collect();
    R::from_list(&items).unwrap_or_default()
}

/// The items between an attribute's parentheses.
fn list(attribute: &Attribute) -> syn::Result<Punctuated<NestedMeta, Token![,]>> {
    attribute.parse_args_with(Punctuated::parse_terminated)
}

/// Takes an item whose word the receiver knows and has not seen yet.
fn admit<R: Receiver>(item: NestedMeta, items: &mut Vec<NestedMeta>, errors: &mut Errors) {
    let (name, span) = word_of(&item);
    if !R::WORDS.contains(&name.as_str()) {
        errors.at(span, unknown::<R>(&name));
    } else if items.iter().any(|earlier| word_of(earlier).0 == name) {
        errors.at(span, format!("`{name}` is given twice; keep one"));
    } else {
        items.push(item);
    }
}

/// An item's word, and where it stands.
fn word_of(item: &NestedMeta) -> (String, Span) {
    let path = match item {
        NestedMeta::Meta(meta) => meta.path(),
        NestedMeta::NameValueInvalidExpr(meta) => &meta.path,
        NestedMeta::Lit(literal) => return (literal.to_token_stream().to_string(), literal.span()),
    };
    (path_to_string(path), path.span())
}

/// What to write instead of an unknown word.
fn unknown<R: Receiver>(name: &str) -> String {
    let (elsewhere, place) = R::ELSEWHERE;
    if elsewhere.contains(&name) {
        format!("`{name}` does not belong here; write it on {place}")
    } else {
        format!("there is no attribute `{name}`; {}", names::instead(name, R::WORDS))
    }
}

/// Reads `word = "text"`.
fn text(item: &Meta) -> Result<Option<LitStr>> {
    let name = path_to_string(item.path());
    let text = LitStr::from_meta(item).map_err(|_| {
        Error::custom(format!("`{name}` takes a string; write `{name} = \"...\"`")).with_span(&value(item))
    })?;
    if text.value().trim().is_empty() {
        return Err(Error::custom(format!("`{name}` is empty; write a name, or leave `{name}` out")).with_span(&text));
    }
    Ok(Some(text))
}

/// Reads `word = "a::path"`.
fn path(item: &Meta) -> Result<Option<Path>> {
    let name = path_to_string(item.path());
    let path = text(item)?.map(|text| text.parse_with(Path::parse_mod_style)).transpose();
    path.map_err(|_| {
        Error::custom(format!("`{name}` takes a path; write `{name} = \"folio\"`")).with_span(&value(item))
    })
}

/// Reads `word = "text"`, or the text of `word(serialize = "text")`.
fn serialized(item: &Meta) -> Result<Option<String>> {
    let Meta::List(list) = item else { return String::from_meta(item).map(Some) };
    let items = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
    items.iter().find(|item| item.path().is_ident("serialize")).map(String::from_meta).transpose()
}

/// Reads a word without a value.
fn word(item: &Meta) -> Result<Flag> {
    let name = path_to_string(item.path());
    Flag::from_meta(item)
        .map_err(|_| Error::custom(format!("`{name}` takes no value; write `{name}`")).with_span(&value(item)))
}

/// Notes that a word was written, whatever follows it.
fn present(_: &Meta) -> Result<Flag> {
    Ok(Flag::present())
}

/// The place of an item's value, or else of its word.
fn value(item: &Meta) -> Span {
    match item {
        Meta::NameValue(item) => item.value.span(),
        Meta::Path(_) | Meta::List(_) => item.path().span(),
    }
}
