//! A field of the struct: its column, what it is read from, and whether it can be used in a key.

use proc_macro2::Span;
use syn::{GenericArgument, Ident, LitStr, PathArguments, PathSegment, Type, TypeGroup, TypeParen, ext::IdentExt};

use crate::{
    attrs::{self, FieldAttrs, SerdeFieldAttrs, SqlxFieldAttrs},
    errors::Errors,
    names,
};

/// A field with its attributes.
pub(crate) struct Field {
    /// Its column. It does not exist if the field is skipped or flattened.
    pub(crate) column: Column,
    /// What it is read from.
    source: Source,
    /// The span of `#[paginate(primary_key)]`, if the field has it.
    pub(crate) mark: Option<Span>,
}

/// A field and its column.
#[derive(Clone)]
pub(crate) struct Column {
    /// The field.
    pub(crate) field: Ident,
    /// The column's name.
    pub(crate) name: String,
    /// The field's type.
    pub(crate) ty: Type,
    /// The type that the column is read as. It differs from the field's under sqlx's `try_from`.
    pub(crate) stored: Type,
    /// The key under which serde serializes the field.
    pub(crate) key: String,
    /// Whether the column stores the type as JSON.
    pub(crate) json: bool,
}

/// The struct's rules for deriving names from field names.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    /// For columns: sqlx's `rename_all`.
    pub(crate) column: Option<&'a str>,
    /// For the keys of the JSON: serde's `rename_all`.
    pub(crate) key: Option<&'a str>,
}

/// What a field is read from.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// A column of the field's type.
    Column,
    /// A column that stores the field as JSON.
    Json,
    /// Several columns, whose names the derive cannot see: the field is flattened.
    Row,
    /// Nothing: the field is skipped.
    Nowhere,
}

impl Field {
    /// Reads a field; `None` if it has no name.
    pub(crate) fn new(field: &syn::Field, rules: Rules<'_>, errors: &mut Errors) -> Option<Self> {
        let ident = field.ident.clone()?;
        let attrs: FieldAttrs = attrs::paginate(&field.attrs, errors);
        let sqlx: SqlxFieldAttrs = attrs::sqlx(&field.attrs);
        let source = Source::new(&attrs, &sqlx);
        let in_row = in_row(&ident, &sqlx, rules.column);
        agree(&attrs, source, in_row.as_deref(), errors);
        // `agree` reports `skip` beside `primary_key`, so drop the mark: the key must not be reported as well.
        let mark = (attrs.primary_key.is_present() && !attrs.skip.is_present()).then(|| attrs.primary_key.span());
        let name = attrs.column.map(|column| column.value()).or(in_row).unwrap_or_else(|| ident.unraw().to_string());
        let stored = sqlx.try_from.unwrap_or_else(|| field.ty.clone());
        let json = source == Source::Json;
        let key = in_json(&ident, attrs::serde(&field.attrs), rules.key);
        Some(Self { column: Column { field: ident, name, ty: field.ty.clone(), stored, json, key }, source, mark })
    }

    /// The field's name, as users write it in a key: without `r#`.
    pub(crate) fn name(&self) -> String {
        self.column.field.unraw().to_string()
    }

    /// Whether it is a column.
    pub(crate) fn is_column(&self) -> bool {
        self.source.is_column()
    }

    /// Whether it is flattened.
    pub(crate) fn is_row(&self) -> bool {
        self.source == Source::Row
    }

    /// Whether its type is written as an `Option`. An alias of one is found by the compiler: see
    /// [`crate::errors::Hidden`].
    pub(crate) fn is_option(&self) -> bool {
        is_option(&self.column.ty)
    }

    /// The column, if it can be used in a key.
    pub(crate) fn in_key(&self) -> Result<&Column, String> {
        let why = match self.source {
            Source::Column => return Ok(&self.column),
            Source::Json => "is JSON, which has no order",
            Source::Row => "is flattened and has no column of its own",
            Source::Nowhere => "is skipped and has no column",
        };
        Err(format!("`{}` {why}; choose another field", self.name()))
    }
}

impl Source {
    /// What the attributes say about where a field comes from.
    fn new(attrs: &FieldAttrs, sqlx: &SqlxFieldAttrs) -> Self {
        // Destructured, so that a new attribute cannot be forgotten here.
        let FieldAttrs { skip, primary_key: _, column: _ } = attrs;
        let SqlxFieldAttrs { skip: unread, flatten, json, rename: _, try_from: _ } = sqlx;
        if skip.is_present() || unread.is_present() {
            Self::Nowhere
        } else if flatten.is_present() {
            Self::Row
        } else if json.is_present() {
            Self::Json
        } else {
            Self::Column
        }
    }

    /// Whether there is one column to select.
    fn is_column(self) -> bool {
        matches!(self, Self::Column | Self::Json)
    }
}

/// The column name that sqlx's attributes specify, if they do.
fn in_row(ident: &Ident, sqlx: &SqlxFieldAttrs, rename_all: Option<&str>) -> Option<String> {
    let renamed = || rename_all.map(|rule| names::renamed(&ident.unraw().to_string(), rule));
    sqlx.rename.as_ref().map(LitStr::value).or_else(renamed)
}

/// The key under which serde serializes the field.
fn in_json(ident: &Ident, serde: SerdeFieldAttrs, rename_all: Option<&str>) -> String {
    let name = ident.unraw().to_string();
    serde.rename.unwrap_or_else(|| rename_all.map_or(name.clone(), |rule| names::key(&name, rule)))
}

/// Reports attributes that contradict each other.
fn agree(attrs: &FieldAttrs, source: Source, in_row: Option<&str>, errors: &mut Errors) {
    let FieldAttrs { skip, primary_key, column } = attrs;
    if skip.is_present() && primary_key.is_present() {
        errors.at(primary_key.span(), "`skip` leaves no column for `primary_key`; keep one of the two");
    }
    let Some(column) = column else { return };
    if !source.is_column() {
        errors.at(column.span(), "this field has no column of its own; remove `column`");
    } else if let Some(in_row) = in_row.filter(|in_row| *in_row != column.value()) {
        errors.at(column.span(), format!("sqlx reads this field from `{in_row}`; remove `column`"));
    }
}

/// Whether a type is written as an `Option`.
pub(crate) fn is_option(ty: &Type) -> bool {
    let Type::Path(ty) = ungrouped(ty) else { return false };
    let path: Vec<_> = ty.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let path: Vec<_> = path.iter().map(String::as_str).collect();
    let named = matches!(*path, ["Option"] | ["option", "Option"] | ["std" | "core", "option", "Option"]);
    named && ty.path.segments.last().is_some_and(of_one_type)
}

/// A type without its parentheses, and without the invisible group in which a `macro_rules!` macro passes it on.
fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(TypeGroup { elem, .. }) | Type::Paren(TypeParen { elem, .. }) => ungrouped(elem),
        ty => ty,
    }
}

/// Whether a path segment has exactly one type as its argument, as in `Option<T>`.
fn of_one_type(segment: &PathSegment) -> bool {
    let PathArguments::AngleBracketed(list) = &segment.arguments else { return false };
    list.args.len() == 1 && matches!(list.args.first(), Some(GenericArgument::Type(_)))
}
