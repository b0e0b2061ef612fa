//! A field of the struct: its column, its source, and whether it can be used in a key.
//!
//! A column has up to four names: those of the field, the column and the constant, and the key in the JSON. sqlx and
//! serde have attributes for two of them, and folio follows these, so that a struct is renamed in one place.

use proc_macro2::Span;
use syn::{GenericArgument, Ident, LitStr, PathArguments, PathSegment, Type, TypeGroup, TypeParen, ext::IdentExt};

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

impl Field {
    /// Reads a field under the naming rules of its struct; `None` if it has no name.
    pub(crate) fn new(field: &syn::Field, rules: Rules<'_>, errors: &mut Errors) -> Option<Self> {
        let attrs = attrs::paginate(&field.attrs, errors);
        Self::with(attrs, field, rules, errors)
    }

    /// A field with these attributes of folio.
    pub(crate) fn with(attrs: FieldAttrs, field: &syn::Field, rules: Rules<'_>, errors: &mut Errors) -> Option<Self> {
        let ident = field.ident.as_ref()?;
        let sqlx: SqlxFieldAttrs = attrs::sqlx(&field.attrs);
        let source = Source::new(&attrs, &sqlx);
        // sqlx's own derive reads the field from the column that its attributes name.
        let renamed = || rules.column.map(|rule| names::renamed(&unraw(ident), rule));
        let sqlx_name = sqlx.rename.as_ref().map(LitStr::value).or_else(renamed);
        check_conflicts(&attrs, source, sqlx_name.as_deref(), errors);

        let SerdeFieldAttrs { rename: key } = attrs::serde(&field.attrs);
        let column = Column {
            name: attrs.column.as_ref().map(LitStr::value).or(sqlx_name).unwrap_or_else(|| unraw(ident)),
            ty: field.ty.clone(),
            stored: sqlx.try_from.unwrap_or_else(|| field.ty.clone()),
            key: key.unwrap_or_else(|| rules.key.map_or_else(|| unraw(ident), |rule| names::key(&unraw(ident), rule))),
            json: source == Source::Json,
            field: ident.clone(),
        };
        // After the conflict with `skip`, the key without a column is not reported as well.
        let mark = attrs.primary_key.filter(|_| attrs.skip.is_none());
        Some(Self { column, source, mark, to_one: attrs.to_one })
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

/// A field's name, without `r#`.
fn unraw(field: &Ident) -> String {
    field.unraw().to_string()
}

/// Reports attributes that contradict each other.
fn check_conflicts(attrs: &FieldAttrs, source: Source, sqlx_name: Option<&str>, errors: &mut Errors) {
    // Destructured, so that a new attribute cannot be forgotten here.
    let FieldAttrs { skip, primary_key, column, to_one } = attrs;
    if let (Some(primary_key), Some(_)) = (primary_key, skip) {
        errors.at(*primary_key, "`skip` leaves no column for `primary_key`; keep one of the two");
    }
    if let Some(to_one) = to_one
        && source != Source::Column
    {
        errors.at(to_one.span(), "only a column with one value identifies a resource; remove `to_one`");
    }
    if let Some(column) = column {
        if !source.is_column() {
            errors.at(column.span(), "this field has no column of its own; remove `column`");
        } else if let Some(other) = sqlx_name.filter(|name| *name != column.value()) {
            errors.at(column.span(), format!("sqlx reads this field from `{other}`; remove `column`"));
        }
    }
}

/// The paths of `Option`.
const OPTION: [&str; 4] = ["Option", "option::Option", "std::option::Option", "core::option::Option"];

/// Whether a type is written as an `Option`, by any path of the standard library.
pub(crate) fn is_option(ty: &Type) -> bool {
    let Type::Path(ty) = ungrouped(ty) else { return false };
    let path: Vec<_> = ty.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let has_one_type = |segment: &PathSegment| match &segment.arguments {
        PathArguments::AngleBracketed(list) => {
            list.args.len() == 1 && matches!(list.args.first(), Some(GenericArgument::Type(_)))
        }
        _ => false,
    };
    OPTION.contains(&path.join("::").as_str()) && ty.path.segments.last().is_some_and(has_one_type)
}

/// A type without its parentheses, and without the invisible group in which a `macro_rules!` macro passes it on.
fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(TypeGroup { elem, .. }) | Type::Paren(TypeParen { elem, .. }) => ungrouped(elem),
        ty => ty,
    }
}
