//! Parses the attributes of the struct and of its fields.
//!
//! Each item of an attribute is read by itself. So an unknown, repeated or wrong item is reported, and the others still
//! count.
//!
//! The attributes of sqlx, sea-orm and serde are read as well, because they name tables, columns and keys. Mistakes in
//! those are ignored here: their own derives report them.
//!
//! | structure | attribute | on |
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

use proc_macro2::Span;
use quote::ToTokens;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, ExprLit, ExprPath, ExprUnary, Lit, LitStr, Meta, MetaNameValue, Path,
    Result, Token, Type, UnOp,
    parse::{Parse, ParseStream},
    punctuated::Punctuated,
    spanned::Spanned,
};

use crate::{errors::Errors, names};

/// Declares structures with an optional value for each item of an attribute: the item's name, and the function that
/// reads it.
macro_rules! attributes {
    ($(
        $(#[$doc:meta])*
        struct $name:ident { $($(#[$item_doc:meta])* $word:literal => $field:ident: $ty:ty = $read:ident,)* }
    )*) => {$(
        $(#[$doc])*
        #[derive(Default)]
        pub(crate) struct $name {
            $($(#[$item_doc])* pub(crate) $field: Option<$ty>,)*
        }

        impl Attributes for $name {
            const WORDS: &'static [&'static str] = &[$($word),*];

            fn read(&mut self, name: &str, item: &Meta) -> Result<()> {
                match name {
                    $($word => self.$field = $read(item)?.into(),)*
                    _ => {}
                }
                Ok(())
            }
        }
    )*};
}

attributes! {
    /// `#[paginate(...)]` on the struct.
    struct ModelAttrs {
        /// `table = "posts"`: the table's name, if it is not the plural of the struct's.
        "table" => table: LitStr = table_name,
        /// `schema = "blog"`: the schema of the table, if it is not the connection's default.
        "schema" => schema: LitStr = text,
        /// `cursor_key = "created_at desc, id"`: the order of cursor pages; ascending by primary key by default.
        "cursor_key" => cursor_key: LitStr = text,
        /// `primary_key = "tenant_id, id"`: the primary key, if no field is marked.
        "primary_key" => primary_key: LitStr = text,
        /// `filter = "deleted_at IS NULL"`: the condition that the model's queries have by default.
        "filter" => filter: LitStr = condition,
        /// `tenant = "tenant_id"`: the column with the tenant that a row belongs to.
        "tenant" => tenant: LitStr = text,
        /// `connection = "reports"`: the registered connection that the model is read from.
        "connection" => connection: LitStr = text,
        /// `resource = "articles"`: the JSON:API type of a row.
        "resource" => resource: LitStr = text,
        /// `crate = "path"`: the path of the folio crate, if it is renamed.
        "crate" => krate: Path = path,
    }

    /// `#[paginate(...)]` on a field.
    struct FieldAttrs {
        /// `primary_key`: the field belongs to the primary key.
        "primary_key" => primary_key: Span = word,
        /// `column = "name"`: the column, if its name is not the field's.
        "column" => column: LitStr = text,
        /// `skip`: the field has no column.
        "skip" => skip: Span = word,
        /// `to_one = "people"`: the JSON:API type of the resource that the field identifies.
        "to_one" => to_one: LitStr = text,
    }

    /// `#[paginate(...)]` on a struct that derives `RowOf`.
    struct RowAttrs {
        /// `of = Product`: the model.
        "of" => of: Path = model,
        /// `crate = "path"`: the path of the folio crate, if it is renamed.
        "crate" => krate: Path = path,
    }

    /// `#[paginate(...)]` on a field of such a struct.
    struct RowFieldAttrs {
        /// `expr = "price * 2"`: the field is computed.
        "expr" => expr: LitStr = expression,
        /// `column = "name"`: the column, if its name is not the field's.
        "column" => column: LitStr = text,
        /// `skip`: the field has no column.
        "skip" => skip: Span = word,
    }

    /// `#[paginate(...)]` on a type that derives `ColumnValue`.
    struct ValueAttrs {
        /// `sea_orm`: the type has the conversions of sea-orm's `DeriveValueType`, whose attributes it need not have.
        "sea_orm" => sea_orm: Span = word,
        /// `crate = "path"`: the path of the folio crate, if it is renamed.
        "crate" => krate: Path = path,
    }

    /// `#[sqlx(...)]` on the struct: the items that name columns.
    struct SqlxModelAttrs {
        /// `rename_all = "camelCase"`: the case of column names.
        "rename_all" => rename_all: String = value,
    }

    /// `#[sqlx(...)]` on a field: the items that determine what is read from the row.
    struct SqlxFieldAttrs {
        /// `rename = "name"`: the column's name.
        "rename" => rename: LitStr = literal,
        /// `skip`: the field is not read.
        "skip" => skip: Span = word,
        /// `flatten`: the field is a struct that is read from columns of the same row.
        "flatten" => flatten: Span = word,
        /// `json` or `json(nullable)`: the column stores the field as JSON.
        "json" => json: Span = present,
        /// `try_from = "i64"`: the type that the column is read as, before it is converted to the field's type.
        "try_from" => try_from: Type = parsed,
    }

    /// `#[sqlx(...)]` on a type: the items that determine how its values are stored.
    struct SqlxTypeAttrs {
        /// `transparent`: the struct is stored as its field.
        "transparent" => transparent: Span = word,
        /// `rename_all = "snake_case"`: the case of the variants' texts.
        "rename_all" => rename_all: String = value,
    }

    /// `#[sqlx(...)]` on a variant of an enum.
    struct SqlxVariantAttrs {
        /// `rename = "text"`: the text that is stored.
        "rename" => rename: String = value,
    }

    /// `#[sea_orm(...)]` on the struct: the items that name the table and its columns. Only an entity's have them.
    struct SeaOrmModelAttrs {
        /// `table_name = "posts"`: the table's name.
        "table_name" => table_name: LitStr = literal,
        /// `schema_name = "blog"`: the schema of the table.
        "schema_name" => schema_name: LitStr = literal,
        /// `rename_all = "camelCase"`: the case of column names.
        "rename_all" => rename_all: String = value,
    }

    /// `#[sea_orm(...)]` on a field: the items of `DeriveEntityModel` and of `FromQueryResult` that determine what is
    /// read from the row.
    struct SeaOrmFieldAttrs {
        /// `column_name = "name"`: the column's name.
        "column_name" => column_name: LitStr = literal,
        /// `enum_name = "Name"`: the variant of the enum `Column`, from which a column without other names gets one.
        "enum_name" => enum_name: String = value,
        /// `primary_key`: the field belongs to the primary key.
        "primary_key" => primary_key: Span = present,
        /// `ignore`: the entity has no such column.
        "ignore" => ignore: Span = present,
        /// `from_alias = "name"`: the column's name in a row that is not an entity.
        "from_alias" => from_alias: LitStr = literal,
        /// `alias = "name"`: another word for `from_alias`.
        "alias" => alias: LitStr = literal,
        /// `skip`: the row has no such column.
        "skip" => skip: Span = present,
        /// `nested` or `nested(prefix = "...")`: the field is a struct that is read from columns of the same row.
        "nested" => nested: Span = present,
    }

    /// `#[sea_orm(...)]` on a type: the items of `DeriveActiveEnum` and `DeriveValueType` that determine how its values
    /// are stored.
    struct SeaOrmTypeAttrs {
        /// `db_type = "Enum"`: the type of an enum's column.
        "db_type" => db_type: String = value,
        /// `rs_type = "i32"`: the type that an enum is stored as.
        "rs_type" => rs_type: LitStr = literal,
        /// `enum_name = "tea"`: the name of PostgreSQL's enum.
        "enum_name" => enum_name: String = value,
        /// `rename_all = "snake_case"`: the case of the variants' texts.
        "rename_all" => rename_all: String = value,
        /// `value_type = "String"`: the type is converted to a text.
        "value_type" => value_type: String = value,
        /// `to_str = "path"`: the function that converts it to a text.
        "to_str" => to_str: Expr = function,
        /// `from_str = "path"`: the function that converts it back.
        "from_str" => from_str: Expr = function,
    }

    /// `#[sea_orm(...)]` on a variant of an enum.
    struct SeaOrmVariantAttrs {
        /// `string_value = "text"`: the text that is stored.
        "string_value" => string_value: String = value,
        /// `num_value = 1`: the number that is stored.
        "num_value" => num_value: i128 = number,
        /// `rename = "snake_case"`: the case of the variant's text.
        "rename" => rename: String = value,
    }

    /// `#[serde(...)]` on the struct: the items that name the keys of its JSON.
    struct SerdeModelAttrs {
        /// `rename_all = "camelCase"`: the case of the keys.
        "rename_all" => rename_all: String = serialized,
    }

    /// `#[serde(...)]` on a field: the item that names its key in the JSON.
    struct SerdeFieldAttrs {
        /// `rename = "name"`: the key.
        "rename" => rename: String = serialized,
    }
}

/// The items of an attribute.
pub(crate) trait Attributes: Default {
    /// Their names.
    const WORDS: &'static [&'static str];

    /// Reads an item. If it has another name, it is ignored.
    fn read(&mut self, name: &str, item: &Meta) -> Result<()>;
}

/// The items of `#[paginate(...)]`.
pub(crate) trait PaginateAttributes: Attributes {
    /// The names of the items that belong somewhere else, and where.
    const ELSEWHERE: (&'static [&'static str], &'static str);
}

impl PaginateAttributes for ModelAttrs {
    const ELSEWHERE: (&'static [&'static str], &'static str) = (FieldAttrs::WORDS, "a field");
}

impl PaginateAttributes for FieldAttrs {
    const ELSEWHERE: (&'static [&'static str], &'static str) = (ModelAttrs::WORDS, "the struct");
}

impl PaginateAttributes for RowAttrs {
    const ELSEWHERE: (&'static [&'static str], &'static str) = (RowFieldAttrs::WORDS, "a field");
}

impl PaginateAttributes for RowFieldAttrs {
    const ELSEWHERE: (&'static [&'static str], &'static str) = (RowAttrs::WORDS, "the struct");
}

impl PaginateAttributes for ValueAttrs {
    const ELSEWHERE: (&'static [&'static str], &'static str) = (&[], "");
}

/// Reads every `#[paginate(...)]` among `attributes`. Invalid items are reported and left out.
pub(crate) fn paginate<A: PaginateAttributes>(attributes: &[Attribute], errors: &mut Errors) -> A {
    let (mut read, mut names) = (A::default(), Vec::new());
    for attribute in named(attributes, "paginate") {
        let items = list(attribute).unwrap_or_else(|error| {
            errors.append(error);
            Punctuated::new()
        });
        for item in items {
            let (name, span) = item.name();
            match item {
                Item::Meta(item) if A::WORDS.contains(&name.as_str()) && !names.contains(&name) => {
                    read.read(&name, &item).unwrap_or_else(|error| errors.append(error));
                    names.push(name);
                }
                _ if names.contains(&name) => errors.at(span, format!("`{name}` is given twice; keep one")),
                _ => {
                    let (elsewhere, place) = A::ELSEWHERE;
                    let advice = if elsewhere.contains(&name.as_str()) {
                        format!("`{name}` does not belong here; write it on {place}")
                    } else {
                        format!("unknown attribute `{name}`; {}", names::instead(&name, A::WORDS))
                    };
                    errors.at(span, advice);
                }
            }
        }
    }
    read
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
pub(crate) fn sqlx<A: Attributes>(attributes: &[Attribute]) -> A {
    foreign("sqlx", attributes)
}

/// Reads every `#[sea_orm(...)]` among `attributes`. sea-orm itself reports mistakes in them.
pub(crate) fn sea_orm<A: Attributes>(attributes: &[Attribute]) -> A {
    foreign("sea_orm", attributes)
}

/// Reads every `#[serde(...)]` among `attributes`. serde itself reports mistakes in them.
pub(crate) fn serde<A: Attributes>(attributes: &[Attribute]) -> A {
    foreign("serde", attributes)
}

/// Reads every attribute of another derive. After a mistake, which that derive reports, all of them are ignored.
fn foreign<A: Attributes>(name: &str, attributes: &[Attribute]) -> A {
    let mut read = A::default();
    let mut items = named(attributes, name).filter_map(|attribute| list(attribute).ok()).flatten();
    let all_read = items.try_for_each(|item| match &item {
        Item::Meta(meta) => read.read(&item.name().0, meta),
        Item::Literal(_) => Ok(()),
    });
    all_read.map(|()| read).unwrap_or_default()
}

/// The items between an attribute's parentheses.
fn list(attribute: &Attribute) -> Result<Punctuated<Item, Token![,]>> {
    attribute.parse_args_with(Punctuated::parse_terminated)
}

/// An item of an attribute.
enum Item {
    Meta(Box<Meta>),
    /// A value whose name is missing.
    Literal(Lit),
}

impl Item {
    /// The item's name, or the literal's text, with its span.
    fn name(&self) -> (String, Span) {
        match self {
            Self::Meta(meta) => (path_text(meta.path()), meta.path().span()),
            Self::Literal(literal) => (literal.to_token_stream().to_string(), literal.span()),
        }
    }
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        match input.peek(Lit) {
            true => input.parse().map(Self::Literal),
            false => input.parse().map(|meta| Self::Meta(Box::new(meta))),
        }
    }
}

/// A path as text.
fn path_text(path: &Path) -> String {
    let segments: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    segments.join("::")
}

/// A table's name, without its schema.
fn table_name(item: &Meta) -> Result<LitStr> {
    let name = text(item)?;
    if let Some((schema, table)) = name.value().split_once('.') {
        let message =
            format!("`table` is a name without its schema; write `schema = \"{schema}\", table = \"{table}\"`");
        return Err(Error::new(name.span(), message));
    }
    Ok(name)
}

/// A condition in SQL.
fn condition(item: &Meta) -> Result<LitStr> {
    sql(item, "a condition", "deleted_at IS NULL")
}

/// An expression in SQL.
fn expression(item: &Meta) -> Result<LitStr> {
    sql(item, "an expression", "price * 2")
}

/// SQL that folio puts into parentheses. `what` says what it is, with its article, and `example` shows one.
fn sql(item: &Meta, what: &str, example: &str) -> Result<LitStr> {
    let (name, sql) = (path_text(item.path()), literal(item)?);
    if sql.value().trim().is_empty() {
        let message = format!("`{name}` is empty; write {what} such as `{example}`, or leave `{name}` out");
        return Err(Error::new(sql.span(), message));
    }
    if let Some(mark) = escape(&sql.value()) {
        let advice = format!("write {what} without comments and parameters, such as `{example}`");
        return Err(Error::new(sql.span(), format!("`{name}` has `{mark}`; {advice}")));
    }
    Ok(sql)
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

/// Reads `name = "text"`. Fails if the text is blank.
fn text(item: &Meta) -> Result<LitStr> {
    let text = literal(item)?;
    if text.value().trim().is_empty() {
        let name = path_text(item.path());
        return Err(Error::new(text.span(), format!("`{name}` is empty; write a name, or leave `{name}` out")));
    }
    Ok(text)
}

/// Reads `name = Type`.
fn model(item: &Meta) -> Result<Path> {
    if let Meta::NameValue(MetaNameValue { value: Expr::Path(ExprPath { qself: None, path, .. }), .. }) = item {
        return Ok(path.clone());
    }
    let name = path_text(item.path());
    Err(Error::new(span_of_value(item), format!("`{name}` takes a model; write `{name} = Product`")))
}

/// Reads `name = "a::path"`.
fn path(item: &Meta) -> Result<Path> {
    let name = path_text(item.path());
    let path = text(item)?.parse_with(Path::parse_mod_style);
    path.map_err(|_| Error::new(span_of_value(item), format!("`{name}` takes a path; write `{name} = \"folio\"`")))
}

/// Reads `name = "text"`.
fn literal(item: &Meta) -> Result<LitStr> {
    if let Meta::NameValue(MetaNameValue { value, .. }) = item {
        let mut value = value;
        // The invisible parentheses around what a `macro_rules!` macro passes on.
        while let Expr::Group(group) = value {
            value = &group.expr;
        }
        if let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = value {
            return Ok(text.clone());
        }
    }
    let name = path_text(item.path());
    Err(Error::new(span_of_value(item), format!("`{name}` takes a string; write `{name} = \"...\"`")))
}

/// Reads the value of `name = "text"`.
fn value(item: &Meta) -> Result<String> {
    literal(item).map(|text| text.value())
}

/// Reads the type of `name = "type"`.
fn parsed(item: &Meta) -> Result<Type> {
    literal(item)?.parse()
}

/// Reads the function of `name = "path"`.
fn function(item: &Meta) -> Result<Expr> {
    literal(item)?.parse()
}

/// Reads the integer of `name = 1`.
fn number(item: &Meta) -> Result<Option<i128>> {
    Ok(item.require_name_value().ok().and_then(|item| integer(&item.value)))
}

/// An integer that is written as a literal, or as one after a minus.
pub(crate) fn integer(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => integer(expr)?.checked_neg(),
        Expr::Group(group) => integer(&group.expr),
        _ => None,
    }
}

/// Reads `name = "text"`, or the text of `name(serialize = "text")`.
fn serialized(item: &Meta) -> Result<Option<String>> {
    let Meta::List(list) = item else { return value(item).map(Some) };
    let items = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
    items.iter().find(|item| item.path().is_ident("serialize")).map(value).transpose()
}

/// Reads an item without a value.
fn word(item: &Meta) -> Result<Span> {
    let Meta::Path(path) = item else {
        let name = path_text(item.path());
        return Err(Error::new(span_of_value(item), format!("`{name}` takes no value; write `{name}`")));
    };
    Ok(path.span())
}

/// Reads an item as present, whatever its value is. It cannot fail; the other functions that read an item can.
fn present(item: &Meta) -> Result<Span> {
    Ok(item.path().span())
}

/// The span of an item's value, or of its name if it has no value.
fn span_of_value(item: &Meta) -> Span {
    match item {
        Meta::NameValue(item) => item.value.span(),
        Meta::Path(_) | Meta::List(_) => item.path().span(),
    }
}
