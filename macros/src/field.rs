//! A field of the struct: its column, its source, and whether it can be used in a key.
//!
//! A column has up to four names: those of the field, the column and the constant, and the key in the JSON. sqlx and
//! serde have attributes for two of them, and folio follows these, so that a struct is renamed in one place.

use proc_macro2::Span;
use syn::{
    Attribute, GenericArgument, Ident, LitStr, PathArguments, PathSegment, Type, TypeGroup, TypeParen, ext::IdentExt,
};

use crate::{
    attrs::{self, FieldAttrs, SerdeFieldAttrs, SerdeModelAttrs, SqlxFieldAttrs, SqlxModelAttrs},
    errors::Errors,
    names,
};

/// A field with its attributes.
pub(crate) struct Field {
    /// Its column. If the field is skipped or flattened, the table does not have it, and only the names are used.
    pub(crate) column: Column,
    /// Its source.
    source: Source,
    /// The span of `#[paginate(primary_key)]`, if the field has it.
    pub(crate) mark: Option<Span>,
    /// The JSON:API type of the resource that the field identifies, if it does.
    pub(crate) to_one: Option<LitStr>,
}

/// A relationship of a resource to one other resource, whose id is a column.
pub(crate) struct ToOne {
    /// The column.
    pub(crate) column: Column,
    /// The type of the other resource.
    pub(crate) resource: LitStr,
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
    column: Option<&'a str>,
    /// For the keys of the JSON: serde's `rename_all`.
    key: Option<&'a str>,
}

impl<'a> Rules<'a> {
    /// The rules that the struct's attributes state.
    pub(crate) fn new(sqlx: &'a SqlxModelAttrs, serde: &'a SerdeModelAttrs) -> Self {
        Self { column: sqlx.rename_all.as_deref(), key: serde.rename_all.as_deref() }
    }
}

/// The source of a field.
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

impl Column {
    /// A column that stores the field as its own type.
    fn new(field: &Ident, ty: &Type, name: String, key: String) -> Self {
        Self { field: field.clone(), name, ty: ty.clone(), stored: ty.clone(), key, json: false }
    }

    /// Stores the field as another type, if one is given, or as JSON, if its source is.
    fn stored_as(self, other: Option<Type>, source: Source) -> Self {
        Self { stored: other.unwrap_or(self.stored), json: source == Source::Json, ..self }
    }
}

impl Field {
    /// Reads a field under the naming rules of its struct; `None` if it has no name.
    pub(crate) fn new(field: &syn::Field, rules: Rules<'_>, errors: &mut Errors) -> Option<Self> {
        let ident = field.ident.as_ref()?;
        let attrs: FieldAttrs = attrs::paginate(&field.attrs, errors);
        let sqlx: SqlxFieldAttrs = attrs::sqlx(&field.attrs);
        let source = Source::new(&attrs, &sqlx);
        let sqlx_name = sqlx_name(ident, &sqlx, rules.column);
        check_conflicts(&attrs, source, sqlx_name.as_deref(), errors);
        let name = attrs.column_name().or(sqlx_name).unwrap_or_else(|| unraw(ident));
        let key = json_key(ident, &field.attrs, rules.key);
        let column = Column::new(ident, &field.ty, name, key).stored_as(sqlx.try_from, source);
        Some(Self { column, source, mark: attrs.primary_key_mark(), to_one: attrs.to_one })
    }

    /// The field's name, as users write it in a key: without `r#`.
    pub(crate) fn name(&self) -> String {
        unraw(&self.column.field)
    }

    /// Whether it is a column.
    pub(crate) fn is_column(&self) -> bool {
        self.source.is_column()
    }

    /// Whether it is flattened.
    pub(crate) fn is_row(&self) -> bool {
        self.source == Source::Row
    }

    /// Whether the field or its column is named `id`, and can be used in a key.
    pub(crate) fn is_id(&self) -> bool {
        self.in_key().is_ok_and(|column| self.name() == "id" || column.name == "id")
    }

    /// The relationship that it states, if it does.
    pub(crate) fn relationship(&self) -> Option<ToOne> {
        let resource = self.to_one.clone().filter(|_| self.source == Source::Column)?;
        Some(ToOne { column: self.column.clone(), resource })
    }

    /// Whether its type is written as an `Option`. The compiler finds an alias of one: see
    /// [`crate::errors::CompilerCheck`].
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
    /// The source that the attributes specify.
    fn new(attrs: &FieldAttrs, sqlx: &SqlxFieldAttrs) -> Self {
        // Destructured, so that a new attribute cannot be forgotten here.
        let FieldAttrs { skip, primary_key: _, column: _, to_one: _ } = attrs;
        let SqlxFieldAttrs { skip: unread, flatten, json, rename: _, try_from: _ } = sqlx;
        if skip.is_some() || unread.is_some() {
            Self::Nowhere
        } else if flatten.is_some() {
            Self::Row
        } else if json.is_some() {
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

impl FieldAttrs {
    /// The name that `column = "name"` gives.
    fn column_name(&self) -> Option<String> {
        self.column.as_ref().map(LitStr::value)
    }

    /// The span of `primary_key`. It is ignored together with `skip`, because [`check_conflicts`] has reported the
    /// pair, and the key without a column should not be reported as well.
    fn primary_key_mark(&self) -> Option<Span> {
        self.primary_key.filter(|_| self.skip.is_none())
    }
}

/// A field's name, without `r#`.
fn unraw(field: &Ident) -> String {
    field.unraw().to_string()
}

/// The column name that sqlx's attributes specify, if they do. sqlx's own derive reads the field from this column.
fn sqlx_name(ident: &Ident, sqlx: &SqlxFieldAttrs, rename_all: Option<&str>) -> Option<String> {
    let renamed = || rename_all.map(|rule| names::renamed(&unraw(ident), rule));
    sqlx.rename.as_ref().map(LitStr::value).or_else(renamed)
}

/// The key under which serde serializes the field. JSON:API identifies a row by it.
fn json_key(ident: &Ident, attributes: &[Attribute], rename_all: Option<&str>) -> String {
    let SerdeFieldAttrs { rename } = attrs::serde(attributes);
    let name = unraw(ident);
    rename.unwrap_or_else(|| rename_all.map_or(name.clone(), |rule| names::key(&name, rule)))
}

/// Reports attributes that contradict each other.
fn check_conflicts(attrs: &FieldAttrs, source: Source, sqlx_name: Option<&str>, errors: &mut Errors) {
    // Destructured, so that a new attribute cannot be forgotten here.
    let FieldAttrs { skip, primary_key, column, to_one } = attrs;
    check_mark(*primary_key, *skip, errors);
    check_relationship(to_one.as_ref(), source, errors);
    check_column(column.as_ref(), source, sqlx_name, errors);
}

/// Reports `column` on a field that cannot have it.
fn check_column(column: Option<&LitStr>, source: Source, sqlx_name: Option<&str>, errors: &mut Errors) {
    if let Some(column) = column
        && let Some(conflict) = column_conflict(&column.value(), source, sqlx_name)
    {
        errors.at(column.span(), conflict);
    }
}

/// Reports `primary_key` on a field that is skipped.
fn check_mark(primary_key: Option<Span>, skip: Option<Span>, errors: &mut Errors) {
    if let (Some(primary_key), Some(_)) = (primary_key, skip) {
        errors.at(primary_key, "`skip` leaves no column for `primary_key`; keep one of the two");
    }
}

/// Reports `to_one` on a field that is not a column with one value.
fn check_relationship(to_one: Option<&LitStr>, source: Source, errors: &mut Errors) {
    if let Some(to_one) = to_one.filter(|_| source != Source::Column) {
        errors.at(to_one.span(), "only a column with one value identifies a resource; remove `to_one`");
    }
}

/// Why a field cannot have the attribute `column`.
fn column_conflict(column: &str, source: Source, sqlx_name: Option<&str>) -> Option<String> {
    if !source.is_column() {
        return Some("this field has no column of its own; remove `column`".to_owned());
    }
    let other = sqlx_name.filter(|name| *name != column)?;
    Some(format!("sqlx reads this field from `{other}`; remove `column`"))
}

/// The paths of `Option`.
const OPTION: [&str; 4] = ["Option", "option::Option", "std::option::Option", "core::option::Option"];

/// Whether a type is written as an `Option`, by any path of the standard library.
pub(crate) fn is_option(ty: &Type) -> bool {
    let Type::Path(ty) = ungrouped(ty) else { return false };
    let path: Vec<_> = ty.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    OPTION.contains(&path.join("::").as_str()) && ty.path.segments.last().is_some_and(has_one_type)
}

/// A type without its parentheses, and without the invisible group in which a `macro_rules!` macro passes it on.
fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(TypeGroup { elem, .. }) | Type::Paren(TypeParen { elem, .. }) => ungrouped(elem),
        ty => ty,
    }
}

/// Whether a path segment has exactly one type as its argument, as in `Option<T>`.
fn has_one_type(segment: &PathSegment) -> bool {
    let PathArguments::AngleBracketed(list) = &segment.arguments else { return false };
    list.args.len() == 1 && matches!(list.args.first(), Some(GenericArgument::Type(_)))
}
