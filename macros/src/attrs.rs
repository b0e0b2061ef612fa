//! Parses the attributes of the struct and of its fields, with darling receivers.
//!
//! The name of each item is checked before darling reads its value. So folio reports an unknown or repeated name
//! itself, and the other items of the attribute still count.
//!
//! The attributes of sqlx and serde are read as well, because they rename columns and keys. Mistakes in those are
//! ignored here: their own derives report them.
//!
//! | receiver | attribute | on |
//! |---|---|---|
//! | [`ModelAttrs`], [`FieldAttrs`], [`ValueAttrs`] | `paginate` | a model, its fields, a column's own type |
//! | [`SqlxModelAttrs`], [`SqlxFieldAttrs`] | `sqlx` | a model, its fields |
//! | [`SqlxTypeAttrs`], [`SqlxVariantAttrs`] | `sqlx` | a column's own type, its variants |
//! | [`SerdeModelAttrs`], [`SerdeFieldAttrs`] | `serde` | a model, its fields |
//!
//! Values keep their spans, so that a later check can point at them.

use darling::{
    Error, FromMeta, Result,
    ast::NestedMeta,
    util::{Flag, path_to_string},
};
use proc_macro2::Span;
use quote::ToTokens;
use syn::{Attribute, LitStr, Meta, Path, Token, Type, punctuated::Punctuated, spanned::Spanned};

use crate::{errors::Errors, names};

/// Items that are separated by commas.
type List<T> = Punctuated<T, Token![,]>;

/// `#[paginate(...)]` on the struct.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct ModelAttrs {
    /// `table = "posts"`: the table's name, if it is not the plural of the struct's.
    #[darling(with = table_name)]
    pub(crate) table: Option<LitStr>,
    /// `schema = "blog"`: the schema of the table, if it is not the connection's default.
    #[darling(with = text)]
    pub(crate) schema: Option<LitStr>,
    /// `cursor_key = "created_at desc, id"`: the order of cursor pages; ascending by primary key by default.
    #[darling(with = text)]
    pub(crate) cursor_key: Option<LitStr>,
    /// `primary_key = "tenant_id, id"`: the primary key, if no field is marked.
    #[darling(with = text)]
    pub(crate) primary_key: Option<LitStr>,
    /// `connection = "reports"`: the registered connection that the model is read from.
    #[darling(with = text)]
    pub(crate) connection: Option<LitStr>,
    /// `resource = "articles"`: the JSON:API type of a row.
    #[darling(with = text)]
    pub(crate) resource: Option<LitStr>,
    /// `crate = "path"`: the path of the folio crate, if it is renamed.
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
    /// `to_one = "people"`: the JSON:API type of the resource that the field identifies.
    #[darling(with = text)]
    pub(crate) to_one: Option<LitStr>,
}

/// `#[paginate(...)]` on a type that derives `ColumnValue`.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct ValueAttrs {
    /// `crate = "path"`: the path of the folio crate, if it is renamed.
    #[darling(rename = "crate", with = path)]
    pub(crate) krate: Option<Path>,
}

/// `#[sqlx(...)]` on the struct: the items that name columns.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SqlxModelAttrs {
    /// `rename_all = "camelCase"`: the case of column names.
    pub(crate) rename_all: Option<String>,
}

/// `#[sqlx(...)]` on a field: the items that determine what is read from the row.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SqlxFieldAttrs {
    /// `rename = "name"`: the column's name.
    pub(crate) rename: Option<LitStr>,
    /// `skip`: the field is not read.
    pub(crate) skip: Flag,
    /// `flatten`: the field is a struct that is read from columns of the same row.
    pub(crate) flatten: Flag,
    /// `json` or `json(nullable)`: the column stores the field as JSON.
    #[darling(with = present)]
    pub(crate) json: Flag,
    /// `try_from = "i64"`: the type that the column is read as, before it is converted to the field's type.
    pub(crate) try_from: Option<Type>,
}

/// `#[sqlx(...)]` on a type: the items that determine how its values are stored.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SqlxTypeAttrs {
    /// `transparent`: the struct is stored as its field.
    pub(crate) transparent: Flag,
    /// `rename_all = "snake_case"`: the case of the variants' texts.
    pub(crate) rename_all: Option<String>,
}

/// `#[sqlx(...)]` on a variant of an enum.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SqlxVariantAttrs {
    /// `rename = "text"`: the text that is stored.
    pub(crate) rename: Option<String>,
}

/// `#[serde(...)]` on the struct: the items that name the keys of its JSON.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SerdeModelAttrs {
    /// `rename_all = "camelCase"`: the case of the keys.
    #[darling(with = serialized)]
    pub(crate) rename_all: Option<String>,
}

/// `#[serde(...)]` on a field: the item that names its key in the JSON.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SerdeFieldAttrs {
    /// `rename = "name"`: the key.
    #[darling(with = serialized)]
    pub(crate) rename: Option<String>,
}

/// A receiver of `#[paginate(...)]`.
///
/// darling does not expose the names of a receiver's fields, so they are repeated here, for suggestions and to
/// recognize an item that belongs somewhere else.
pub(crate) trait Receiver: FromMeta + Default {
    /// The names of its items.
    const WORDS: &'static [&'static str];
    /// The names of the items that belong somewhere else, and where.
    const ELSEWHERE: (&'static [&'static str], &'static str);
}

impl Receiver for ModelAttrs {
    const WORDS: &'static [&'static str] =
        &["table", "schema", "cursor_key", "primary_key", "connection", "resource", "crate"];
    const ELSEWHERE: (&'static [&'static str], &'static str) = (FieldAttrs::WORDS, "a field");
}

impl Receiver for FieldAttrs {
    const WORDS: &'static [&'static str] = &["primary_key", "column", "skip", "to_one"];
    const ELSEWHERE: (&'static [&'static str], &'static str) = (ModelAttrs::WORDS, "the struct");
}

impl Receiver for ValueAttrs {
    const WORDS: &'static [&'static str] = &["crate"];
    const ELSEWHERE: (&'static [&'static str], &'static str) = (&[], "");
}

/// Reads every `#[paginate(...)]` among `attributes`. Invalid items are reported and left out.
pub(crate) fn paginate<R: Receiver>(attributes: &[Attribute], errors: &mut Errors) -> R {
    let mut items = known_items::<R>(attributes, errors);
    // Darling reads all items or none, so try each one alone first.
    items.retain(|item| R::from_list(std::slice::from_ref(item)).map_err(|error| errors.append(error)).is_ok());
    R::from_list(&items).unwrap_or_default()
}

/// The items of every `#[paginate(...)]` whose names the receiver knows, each once. The others are reported.
fn known_items<R: Receiver>(attributes: &[Attribute], errors: &mut Errors) -> Vec<NestedMeta> {
    let mut items = Vec::new();
    for attribute in named(attributes, "paginate") {
        for item in list_or_report(attribute, errors) {
            accept::<R>(item, &mut items, errors);
        }
    }
    items
}

/// The attributes with this name.
pub(crate) fn named<'a>(attributes: &'a [Attribute], name: &str) -> impl Iterator<Item = &'a Attribute> {
    attributes.iter().filter(move |attribute| attribute.path().is_ident(name))
}

/// Reads every `#[sqlx(...)]` among `attributes`. sqlx itself reports mistakes in them.
pub(crate) fn sqlx<R: FromMeta + Default>(attributes: &[Attribute]) -> R {
    foreign("sqlx", attributes)
}

/// Reads every `#[serde(...)]` among `attributes`. serde itself reports mistakes in them.
pub(crate) fn serde<R: FromMeta + Default>(attributes: &[Attribute]) -> R {
    foreign("serde", attributes)
}

/// Reads every attribute of another derive, and ignores mistakes in them.
fn foreign<R: FromMeta + Default>(name: &str, attributes: &[Attribute]) -> R {
    let items: Vec<_> = named(attributes, name).filter_map(|attribute| list(attribute).ok()).flatten().collect();
    R::from_list(&items).unwrap_or_default()
}

/// The items between an attribute's parentheses.
fn list(attribute: &Attribute) -> syn::Result<List<NestedMeta>> {
    attribute.parse_args_with(List::parse_terminated)
}

/// The items of an attribute. If they cannot be read, this is reported, and the list is empty.
fn list_or_report(attribute: &Attribute, errors: &mut Errors) -> List<NestedMeta> {
    list(attribute).unwrap_or_else(|error| {
        errors.append(error.into());
        List::new()
    })
}

/// Adds an item if the receiver knows its name and it is not repeated; otherwise reports it.
fn accept<R: Receiver>(item: NestedMeta, items: &mut Vec<NestedMeta>, errors: &mut Errors) {
    let (name, span) = name_of(&item);
    match refusal::<R>(&name, items) {
        Some(message) => errors.at(span, message),
        None => items.push(item),
    }
}

/// Why an item with this name is not allowed after the items before it.
fn refusal<R: Receiver>(name: &str, items: &[NestedMeta]) -> Option<String> {
    if !R::WORDS.contains(&name) {
        return Some(unknown::<R>(name));
    }
    let is_repeated = items.iter().any(|earlier| name_of(earlier).0 == name);
    is_repeated.then(|| format!("`{name}` is given twice; keep one"))
}

/// An item's name, and its span.
fn name_of(item: &NestedMeta) -> (String, Span) {
    let path = match item {
        NestedMeta::Meta(meta) => meta.path(),
        NestedMeta::NameValueInvalidExpr(meta) => &meta.path,
        NestedMeta::Lit(literal) => return (literal.to_token_stream().to_string(), literal.span()),
    };
    (path_to_string(path), path.span())
}

/// The message for an unknown name.
fn unknown<R: Receiver>(name: &str) -> String {
    let (elsewhere, place) = R::ELSEWHERE;
    if elsewhere.contains(&name) {
        format!("`{name}` does not belong here; write it on {place}")
    } else {
        format!("unknown attribute `{name}`; {}", names::instead(name, R::WORDS))
    }
}

/// A mistake in the value at `span`.
fn mistake(span: Span, message: String) -> Error {
    Error::custom(message).with_span(&span)
}

/// A table's name, without its schema.
fn table_name(meta: &Meta) -> Result<Option<LitStr>> {
    let table = text(meta)?;
    if let Some(name) = &table
        && let Some((schema, table)) = name.value().split_once('.')
    {
        let message =
            format!("`table` is a name without its schema; write `schema = \"{schema}\", table = \"{table}\"`");
        return Err(mistake(name.span(), message));
    }
    Ok(table)
}

/// Reads `name = "text"`.
fn text(item: &Meta) -> Result<Option<LitStr>> {
    let name = path_to_string(item.path());
    let wrong = || mistake(value(item), format!("`{name}` takes a string; write `{name} = \"...\"`"));
    let text = LitStr::from_meta(item).map_err(|_| wrong())?;
    filled(text, &name).map(Some)
}

/// The text of the item `name`. Fails if it is blank.
fn filled(text: LitStr, name: &str) -> Result<LitStr> {
    if text.value().trim().is_empty() {
        return Err(mistake(text.span(), format!("`{name}` is empty; write a name, or leave `{name}` out")));
    }
    Ok(text)
}

/// Reads `name = "a::path"`.
fn path(item: &Meta) -> Result<Option<Path>> {
    let name = path_to_string(item.path());
    let path = text(item)?.map(|text| text.parse_with(Path::parse_mod_style)).transpose();
    path.map_err(|_| mistake(value(item), format!("`{name}` takes a path; write `{name} = \"folio\"`")))
}

/// Reads `name = "text"`, or the text of `name(serialize = "text")`.
fn serialized(item: &Meta) -> Result<Option<String>> {
    let Meta::List(list) = item else { return String::from_meta(item).map(Some) };
    let items = list.parse_args_with(List::<Meta>::parse_terminated)?;
    items.iter().find(|item| item.path().is_ident("serialize")).map(String::from_meta).transpose()
}

/// Reads an item without a value.
fn word(item: &Meta) -> Result<Flag> {
    let name = path_to_string(item.path());
    Flag::from_meta(item).map_err(|_| mistake(value(item), format!("`{name}` takes no value; write `{name}`")))
}

/// Reads an item as present, whatever its value is.
fn present(_: &Meta) -> Result<Flag> {
    Ok(Flag::present())
}

/// The span of an item's value, or of its name if it has no value.
fn value(item: &Meta) -> Span {
    match item {
        Meta::NameValue(item) => item.value.span(),
        Meta::Path(_) | Meta::List(_) => item.path().span(),
    }
}
