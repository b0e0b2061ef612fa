//! Reads the attributes of the struct and of its fields, with darling.
//!
//! The name of each item is checked before darling reads its value. So folio says itself that a name is unknown,
//! repeated or in the wrong place, and a mistake in one item does not hide the others.
//!
//! The attributes of sqlx, sea-orm and serde are read as well, because they name tables, columns and keys. Mistakes in
//! those are ignored here: their own derives report them.
//!
//! | receiver | attribute | on |
//! |---|---|---|
//! | [`ModelAttrs`], [`FieldAttrs`] | `paginate` | a model, its fields |
//! | [`RowAttrs`], [`RowFieldAttrs`] | `paginate` | a row of a model, its fields |
//! | [`ValueAttrs`] | `paginate` | a column's own type |
//! | [`SqlxModelAttrs`], [`SqlxFieldAttrs`] | `sqlx` | a model, its fields |
//! | [`SqlxTypeAttrs`], [`SqlxVariantAttrs`] | `sqlx` | a column's own type, its variants |
//! | [`SeaOrmModelAttrs`], [`SeaOrmFieldAttrs`] | `sea_orm` | a model, its fields |
//! | [`SeaOrmTypeAttrs`], [`SeaOrmVariantAttrs`] | `sea_orm` | a column's own type, its variants |
//! | [`SerdeModelAttrs`], [`SerdeFieldAttrs`] | `serde` | a model, its fields |
//!
//! Values keep their spans, so that a later check can point at them.

use std::collections::HashMap;

use darling::{
    Error, FromMeta, Result,
    ast::NestedMeta,
    util::{Flag, path_to_string},
};
use proc_macro2::Span;
use quote::ToTokens;
use syn::{
    Attribute, Data, DeriveInput, Expr, ExprPath, LitStr, Meta, Path, Token, Type, punctuated::Punctuated,
    spanned::Spanned,
};

use crate::{errors::Errors, names};

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
    /// `filter = "deleted_at IS NULL"`: the condition that the model's queries have by default.
    #[darling(with = condition)]
    pub(crate) filter: Option<LitStr>,
    /// `tenant = "tenant_id"`: the column with the tenant that a row belongs to.
    #[darling(with = text)]
    pub(crate) tenant: Option<LitStr>,
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

/// `#[paginate(...)]` on a struct that derives `RowOf`.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct RowAttrs {
    /// `of = Product`: the model.
    #[darling(with = model)]
    pub(crate) of: Option<Path>,
    /// `crate = "path"`: the path of the folio crate, if it is renamed.
    #[darling(rename = "crate", with = path)]
    pub(crate) krate: Option<Path>,
}

/// `#[paginate(...)]` on a field of such a struct.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct RowFieldAttrs {
    /// `expr = "price * 2"`: the field is computed.
    #[darling(with = expression)]
    pub(crate) expr: Option<LitStr>,
    /// `column = "name"`: the column, if its name is not the field's.
    #[darling(with = text)]
    pub(crate) column: Option<LitStr>,
    /// `skip`: the field has no column.
    #[darling(with = word)]
    pub(crate) skip: Flag,
}

/// `#[paginate(...)]` on a type that derives `ColumnValue`.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct ValueAttrs {
    /// `sea_orm`: the type has the conversions of sea-orm's `DeriveValueType`, whose attributes it need not have.
    #[darling(with = word)]
    pub(crate) sea_orm: Flag,
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

/// `#[sea_orm(...)]` on the struct: the items that name the table and its columns. Only an entity's have them.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SeaOrmModelAttrs {
    /// `table_name = "posts"`: the table's name.
    pub(crate) table_name: Option<LitStr>,
    /// `schema_name = "blog"`: the schema of the table.
    pub(crate) schema_name: Option<LitStr>,
    /// `rename_all = "camelCase"`: the case of column names.
    pub(crate) rename_all: Option<String>,
}

/// `#[sea_orm(...)]` on a field: the items of `DeriveEntityModel` and of `FromQueryResult` that determine what is
/// read from the row.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SeaOrmFieldAttrs {
    /// `column_name = "name"`: the column's name.
    pub(crate) column_name: Option<LitStr>,
    /// `enum_name = "Name"`: the variant of the enum `Column`, from which a column without other names gets one.
    pub(crate) enum_name: Option<String>,
    /// `primary_key`: the field belongs to the primary key.
    #[darling(with = present)]
    pub(crate) primary_key: Flag,
    /// `ignore`: the entity has no such column.
    #[darling(with = present)]
    pub(crate) ignore: Flag,
    /// `from_alias = "name"`: the column's name in a row that is not an entity.
    pub(crate) from_alias: Option<LitStr>,
    /// `alias = "name"`: another word for `from_alias`.
    pub(crate) alias: Option<LitStr>,
    /// `skip`: the row has no such column.
    #[darling(with = present)]
    pub(crate) skip: Flag,
    /// `nested` or `nested(prefix = "...")`: the field is a struct that is read from columns of the same row.
    #[darling(with = present)]
    pub(crate) nested: Flag,
}

/// `#[sea_orm(...)]` on a type: the items of `DeriveActiveEnum` and `DeriveValueType` that determine how its values
/// are stored.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SeaOrmTypeAttrs {
    /// `db_type = "Enum"`: the type of an enum's column.
    pub(crate) db_type: Option<String>,
    /// `rs_type = "i32"`: the type that an enum is stored as.
    pub(crate) rs_type: Option<LitStr>,
    /// `enum_name = "tea"`: the name of PostgreSQL's enum.
    pub(crate) enum_name: Option<String>,
    /// `rename_all = "snake_case"`: the case of the variants' texts.
    pub(crate) rename_all: Option<String>,
    /// `value_type = "String"`: the type is converted to a text.
    pub(crate) value_type: Option<String>,
    /// `to_str = "path"`: the function that converts it to a text.
    pub(crate) to_str: Option<Expr>,
    /// `from_str = "path"`: the function that converts it back.
    pub(crate) from_str: Option<Expr>,
}

/// `#[sea_orm(...)]` on a variant of an enum.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SeaOrmVariantAttrs {
    /// `string_value = "text"`: the text that is stored.
    pub(crate) string_value: Option<String>,
    /// `num_value = 1`: the number that is stored.
    pub(crate) num_value: Option<Expr>,
    /// `rename = "snake_case"`: the case of the variant's text.
    pub(crate) rename: Option<String>,
}

/// `#[serde(...)]` on the struct: the items that name the keys of its JSON.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SerdeModelAttrs {
    /// `rename_all = "camelCase"`: the case of the keys. It may be repeated, for writing and for reading.
    #[darling(multiple, with = serialized)]
    pub(crate) rename_all: Vec<Option<String>>,
}

/// `#[serde(...)]` on a field: the item that names its key in the JSON.
#[derive(Default, FromMeta)]
#[darling(default, allow_unknown_fields)]
pub(crate) struct SerdeFieldAttrs {
    /// `rename = "name"`: the key. It may be repeated, for writing and for reading.
    #[darling(multiple, with = serialized)]
    pub(crate) rename: Vec<Option<String>>,
}

/// Names of items.
type Words = &'static [&'static str];

/// A receiver of `#[paginate(...)]`.
///
/// darling does not tell the names of a receiver's items, so they are repeated here, for suggestions and for items that
/// belong somewhere else.
pub(crate) trait Receiver: FromMeta + Default {
    /// The names of its items.
    const WORDS: Words;
    /// The names of the items that belong somewhere else, and where.
    const ELSEWHERE: (Words, &'static str);
}

impl Receiver for ModelAttrs {
    const WORDS: Words =
        &["table", "schema", "cursor_key", "primary_key", "filter", "tenant", "connection", "resource", "crate"];
    const ELSEWHERE: (Words, &'static str) = (FieldAttrs::WORDS, "a field");
}

impl Receiver for FieldAttrs {
    const WORDS: Words = &["primary_key", "column", "skip", "to_one"];
    const ELSEWHERE: (Words, &'static str) = (ModelAttrs::WORDS, "the struct");
}

impl Receiver for RowAttrs {
    const WORDS: Words = &["of", "crate"];
    const ELSEWHERE: (Words, &'static str) = (RowFieldAttrs::WORDS, "a field");
}

impl Receiver for RowFieldAttrs {
    const WORDS: Words = &["expr", "column", "skip"];
    const ELSEWHERE: (Words, &'static str) = (RowAttrs::WORDS, "the struct");
}

impl Receiver for ValueAttrs {
    const WORDS: Words = &["sea_orm", "crate"];
    const ELSEWHERE: (Words, &'static str) = (&[], "");
}

/// Reads every `#[paginate(...)]` among `attributes`. Invalid items are reported and left out.
pub(crate) fn paginate<R: Receiver>(attributes: &[Attribute], errors: &mut Errors) -> R {
    let (mut names, mut valid) = (Vec::new(), Vec::new());
    for attribute in named(attributes, "paginate") {
        for item in errors.read(list(attribute)).unwrap_or_default() {
            let (name, span) = name_and_span(&item);
            if names.contains(&name) {
                errors.at(span, format!("`{name}` is given twice; keep one"));
            } else if R::WORDS.contains(&name.as_str()) {
                names.push(name);
                // darling reads all items or none, so each is tried alone.
                if errors.read(R::from_list(std::slice::from_ref(&item))).is_some() {
                    valid.push(item);
                }
            } else if let (elsewhere, place) = R::ELSEWHERE
                && elsewhere.contains(&name.as_str())
            {
                errors.at(span, format!("`{name}` does not belong here; write it on {place}"));
            } else {
                errors.at(span, format!("unknown attribute `{name}`; {}", names::instead(&name, R::WORDS)));
            }
        }
    }
    errors.read(R::from_list(&valid)).unwrap_or_default()
}

/// The attributes with this name.
pub(crate) fn named<'a>(attributes: &'a [Attribute], name: &str) -> impl Iterator<Item = &'a Attribute> {
    attributes.iter().filter(move |attribute| attribute.path().is_ident(name))
}

/// Whether a struct, one of its fields, or a variant of an enum has an attribute of sea-orm.
pub(crate) fn has_sea_orm(input: &DeriveInput) -> bool {
    let inner: Vec<&[Attribute]> = match &input.data {
        Data::Struct(data) => data.fields.iter().map(|field| &*field.attrs).collect(),
        Data::Enum(data) => data.variants.iter().map(|variant| &*variant.attrs).collect(),
        Data::Union(_) => Vec::new(),
    };
    inner.into_iter().chain([&*input.attrs]).any(|attributes| named(attributes, "sea_orm").next().is_some())
}

/// Reads every `#[sqlx(...)]` among `attributes`. sqlx itself reports mistakes in them.
pub(crate) fn sqlx<R: FromMeta + Default>(attributes: &[Attribute]) -> R {
    foreign("sqlx", attributes)
}

/// Reads every `#[sea_orm(...)]` among `attributes`. sea-orm itself reports mistakes in them.
pub(crate) fn sea_orm<R: FromMeta + Default>(attributes: &[Attribute]) -> R {
    foreign("sea_orm", attributes)
}

/// Reads every `#[serde(...)]` among `attributes`. serde itself reports mistakes in them.
pub(crate) fn serde<R: FromMeta + Default>(attributes: &[Attribute]) -> R {
    let items: Vec<_> = items(attributes, "serde").collect();
    R::from_list(&items).unwrap_or_default()
}

/// Reads every attribute of another derive. After a mistake, which that derive reports, all of them are ignored.
fn foreign<R: FromMeta + Default>(name: &str, attributes: &[Attribute]) -> R {
    // sqlx and sea-orm take the last of some repeated items. darling refuses them.
    let last: HashMap<_, _> = items(attributes, name).map(|item| (name_and_span(&item).0, item)).collect();
    let items: Vec<_> = last.into_values().collect();
    R::from_list(&items).unwrap_or_default()
}

/// The items of every attribute with this name. An attribute that is not a list has none.
pub(crate) fn items(attributes: &[Attribute], name: &str) -> impl Iterator<Item = NestedMeta> {
    named(attributes, name).filter_map(|attribute| list(attribute).ok()).flatten()
}

/// The items between an attribute's parentheses.
fn list(attribute: &Attribute) -> syn::Result<Punctuated<NestedMeta, Token![,]>> {
    attribute.parse_args_with(Punctuated::parse_terminated)
}

/// An item's name, with its span. A literal has no name, and counts as one.
fn name_and_span(item: &NestedMeta) -> (String, Span) {
    let path = match item {
        NestedMeta::Meta(meta) => meta.path(),
        NestedMeta::NameValueInvalidExpr(meta) => &meta.path,
        NestedMeta::Lit(literal) => return (literal.to_token_stream().to_string(), literal.span()),
    };
    (path_to_string(path), path.span())
}

/// A mistake in the value of an item, or in its name if it has no value. The message begins with the name.
fn mistake(item: &Meta, message: impl FnOnce(&str) -> String) -> Error {
    let span = match item {
        Meta::NameValue(item) => item.value.span(),
        Meta::Path(_) | Meta::List(_) => item.path().span(),
    };
    Error::custom(message(&path_to_string(item.path()))).with_span(&span)
}

/// Reads `name = "text"`.
fn string(item: &Meta) -> Result<LitStr> {
    let message = |name: &str| format!("`{name}` takes a string; write `{name} = \"...\"`");
    LitStr::from_meta(item).map_err(|_| mistake(item, message))
}

/// Reads `name = "text"`. Fails if the text is blank.
fn text(item: &Meta) -> Result<Option<LitStr>> {
    let text = string(item)?;
    if text.value().trim().is_empty() {
        return Err(mistake(item, |name| format!("`{name}` is empty; write a name, or leave `{name}` out")));
    }
    Ok(Some(text))
}

/// A table's name, without its schema.
fn table_name(item: &Meta) -> Result<Option<LitStr>> {
    let text = text(item)?;
    if let Some(name) = &text
        && let Some((schema, table)) = name.value().split_once('.')
    {
        let advice = format!("write `schema = \"{schema}\", table = \"{table}\"`");
        return Err(mistake(item, |name| format!("`{name}` is a name without its schema; {advice}")));
    }
    Ok(text)
}

/// A condition in SQL.
fn condition(item: &Meta) -> Result<Option<LitStr>> {
    sql(item, "a condition", "deleted_at IS NULL")
}

/// An expression in SQL.
fn expression(item: &Meta) -> Result<Option<LitStr>> {
    sql(item, "an expression", "price * 2")
}

/// SQL that folio puts into parentheses. `what` says what it is, with its article, and `example` shows one.
fn sql(item: &Meta, what: &str, example: &str) -> Result<Option<LitStr>> {
    let sql = string(item)?;
    if sql.value().trim().is_empty() {
        let advice = format!("write {what} such as `{example}`");
        return Err(mistake(item, |name| format!("`{name}` is empty; {advice}, or leave `{name}` out")));
    }
    if let Some(mark) = escape(&sql.value()) {
        let advice = format!("write {what} without comments and parameters, such as `{example}`");
        return Err(mistake(item, |name| format!("`{name}` has `{mark}`; {advice}")));
    }
    Ok(Some(sql))
}

/// The first mark in SQL that would close the parentheses around it, end the statement, hide what follows, or be a
/// parameter. Strings and quoted names may have any. A quote or a parenthesis that is left open counts too.
fn escape(sql: &str) -> Option<String> {
    let (mut open, mut brackets, mut chars) = (0_u32, 0_u32, sql.chars().peekable());
    while let Some(char) = chars.next() {
        let next = chars.peek().copied();
        match (char, next) {
            // Up to the other quote. Two quotes in a string are read as its end and as the beginning of another one.
            ('\'' | '"' | '`', _) => match chars.by_ref().find(|inner| *inner == char) {
                Some(_) => {}
                None => return Some(char.into()),
            },
            ('-', Some('-')) => return Some("--".to_owned()),
            ('/', Some('*')) => return Some("/*".to_owned()),
            // PostgreSQL's operators for JSON, `#>`, `#>>` and `#-`. On MySQL, each begins a comment. It also hides the
            // closing parenthesis on its line, so the statement fails.
            ('#', Some('>' | '-')) => {}
            (';' | '?' | '#', _) => return Some(char.into()),
            // The slice of an array, `tags[1:2]`.
            (':', _) if brackets > 0 => {}
            ('$' | ':' | '@', Some(next)) if next.is_ascii_alphanumeric() || next == '_' => {
                return Some([char, next].iter().collect());
            }
            // A cast, `::text`.
            (':', Some(':')) => drop(chars.next()),
            ('[', _) => brackets = brackets.saturating_add(1),
            (']', _) => brackets = brackets.saturating_sub(1),
            ('(', _) => open = open.saturating_add(1),
            (')', _) => match open.checked_sub(1) {
                Some(rest) => open = rest,
                None => return Some(")".to_owned()),
            },
            _ => {}
        }
    }
    (open > 0).then(|| "(".to_owned())
}

/// Reads `name = Type`.
fn model(item: &Meta) -> Result<Option<Path>> {
    match ExprPath::from_meta(item) {
        // darling reads a path from a string, too.
        Ok(ExprPath { qself: None, path, .. }) if LitStr::from_meta(item).is_err() => Ok(Some(path)),
        _ => Err(mistake(item, |name| format!("`{name}` takes a model; write `{name} = Product`"))),
    }
}

/// Reads `name = "a::path"`.
fn path(item: &Meta) -> Result<Option<Path>> {
    let path = text(item)?.map(|text| text.parse_with(Path::parse_mod_style)).transpose();
    let message = |name: &str| format!("`{name}` takes a path; write `{name} = \"folio\"`");
    path.map_err(|_| mistake(item, message))
}

/// Reads an item without a value.
fn word(item: &Meta) -> Result<Flag> {
    let message = |name: &str| format!("`{name}` takes no value; write `{name}`");
    Flag::from_meta(item).map_err(|_| mistake(item, message))
}

/// Reads an item as present, whatever its value is.
fn present(item: &Meta) -> Result<Flag> {
    Flag::from_meta(&Meta::Path(item.path().clone()))
}

/// Reads `name = "text"`, or the text of `name(serialize = "text")`. An item that is only for reading has none.
fn serialized(item: &Meta) -> Result<Option<String>> {
    let Meta::List(list) = item else { return String::from_meta(item).map(Some) };
    let items = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
    items.iter().find(|item| item.path().is_ident("serialize")).map(String::from_meta).transpose()
}
