//! A field of the struct: its column, its source, and whether it can be used in a key.
//!
//! A column has up to four names: those of the field, the column and the constant, and the key in the JSON. sqlx,
//! sea-orm and serde have attributes for two of them, and folio follows these, so that a struct is renamed in one place.

use proc_macro2::Span;
use syn::{
    Attribute, GenericArgument, Ident, LitStr, PathArguments, PathSegment, Type, TypeGroup, TypeParen, ext::IdentExt,
};

use crate::{
    attrs::{
        self, FieldAttrs, SeaOrmFieldAttrs, SeaOrmModelAttrs, SerdeFieldAttrs, SerdeModelAttrs, SqlxFieldAttrs,
        SqlxModelAttrs,
    },
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
    /// The span of `#[sea_orm(primary_key)]`, if the field has it.
    pub(crate) sea_orm_mark: Option<Span>,
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
pub(crate) struct Rules {
    /// For columns: sqlx's `rename_all`.
    column: Option<String>,
    /// For the columns of an entity: sea-orm's attributes. An entity's columns have sea-orm's names even without a rule.
    entity: Option<SeaOrmModelAttrs>,
    /// For the keys of the JSON: serde's `rename_all`.
    key: Option<String>,
}

impl Rules {
    /// The rules that a struct's attributes state.
    pub(crate) fn new(attributes: &[Attribute]) -> Self {
        let (sqlx, serde): (SqlxModelAttrs, SerdeModelAttrs) = (attrs::sqlx(attributes), attrs::serde(attributes));
        let entity: SeaOrmModelAttrs = attrs::sea_orm(attributes);
        let is_entity = entity.table_name.is_some() || entity.rename_all.is_some();
        Self {
            column: sqlx.rename_all,
            entity: is_entity.then_some(entity),
            key: serde.rename_all.into_iter().flatten().next(),
        }
    }

    /// The column that sea-orm reads a field from, if its attributes say so.
    fn sea_orm(&self, field: &str, attrs: &SeaOrmFieldAttrs) -> Option<String> {
        let stated = attrs.column_name.as_ref().or(attrs.from_alias.as_ref()).or(attrs.alias.as_ref());
        let of_entity = |entity: &SeaOrmModelAttrs| {
            names::entity_column(field, entity.rename_all.as_deref(), attrs.enum_name.as_deref())
        };
        stated.map(LitStr::value).or_else(|| self.entity.as_ref().map(of_entity))
    }

    /// The column that sqlx reads a field from, if its attributes say so.
    fn sqlx(&self, field: &str, attrs: &SqlxFieldAttrs) -> Option<String> {
        let renamed = || self.column.as_ref().map(|rule| names::renamed(field, rule));
        attrs.rename.as_ref().map(LitStr::value).or_else(renamed)
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
    pub(crate) fn new(field: &syn::Field, rules: &Rules, errors: &mut Errors) -> Option<Self> {
        let attrs = attrs::paginate(&field.attrs, errors);
        Self::with(attrs, field, rules, errors)
    }

    /// A field with these attributes of folio.
    pub(crate) fn with(attrs: FieldAttrs, field: &syn::Field, rules: &Rules, errors: &mut Errors) -> Option<Self> {
        let ident = field.ident.as_ref()?;
        let name = unraw(ident);
        let (sqlx, sea_orm): (SqlxFieldAttrs, SeaOrmFieldAttrs) =
            (attrs::sqlx(&field.attrs), attrs::sea_orm(&field.attrs));
        let source = Source::new(&attrs, &sqlx, &sea_orm);
        // The derives of sea-orm and sqlx read the field from the column that their attributes name.
        let by_sea_orm = rules.sea_orm(&name, &sea_orm).map(|column| ("sea-orm", column));
        if let (Some((_, column)), Some(rename)) = (&by_sea_orm, &sqlx.rename)
            && rename.value() != *column
        {
            errors.at(rename.span(), format!("sea-orm reads this field from `{column}`; write the same name here"));
        }
        let read_from = by_sea_orm.or_else(|| Some(("sqlx", rules.sqlx(&name, &sqlx)?)));
        check_conflicts(&attrs, source, read_from.as_ref(), errors);

        let SerdeFieldAttrs { rename: key } = attrs::serde(&field.attrs);
        let renamed_key = || rules.key.as_ref().map(|rule| names::key(&name, rule));
        let column = Column {
            name: (attrs.column.as_ref().map(LitStr::value))
                .or(read_from.map(|(_, column)| column))
                .unwrap_or_else(|| name.clone()),
            ty: field.ty.clone(),
            stored: sqlx.try_from.unwrap_or_else(|| field.ty.clone()),
            key: key.into_iter().flatten().next().or_else(renamed_key).unwrap_or_else(|| name.clone()),
            json: source == Source::Json,
            field: ident.clone(),
        };
        // After the conflict with `skip`, the key without a column is not reported as well.
        let is_marked = attrs.primary_key.is_present() && !attrs.skip.is_present();
        // sea-orm leaves an ignored field out of the key.
        let is_marked_for_sea_orm = sea_orm.primary_key.is_present() && source != Source::Nowhere;
        Some(Self {
            column,
            source,
            mark: is_marked.then(|| attrs.primary_key.span()),
            sea_orm_mark: is_marked_for_sea_orm.then(|| sea_orm.primary_key.span()),
            to_one: attrs.to_one,
        })
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
    fn new(attrs: &FieldAttrs, sqlx: &SqlxFieldAttrs, sea_orm: &SeaOrmFieldAttrs) -> Self {
        // Destructured, so that a new attribute cannot be forgotten here.
        let FieldAttrs { skip, primary_key: _, column: _, to_one: _ } = attrs;
        let SqlxFieldAttrs { skip: unread, flatten, json, rename: _, try_from: _ } = sqlx;
        let SeaOrmFieldAttrs {
            ignore,
            skip: not_in_row,
            nested,
            column_name: _,
            enum_name: _,
            primary_key: _,
            from_alias: _,
            alias: _,
        } = sea_orm;
        if [skip, unread, ignore, not_in_row].iter().any(|skip| skip.is_present()) {
            Self::Nowhere
        } else if flatten.is_present() || nested.is_present() {
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

/// A field's name, without `r#`.
fn unraw(field: &Ident) -> String {
    field.unraw().to_string()
}

/// Reports attributes that contradict each other. `read_from` is the column that another library reads the field from.
fn check_conflicts(attrs: &FieldAttrs, source: Source, read_from: Option<&(&str, String)>, errors: &mut Errors) {
    // Destructured, so that a new attribute cannot be forgotten here.
    let FieldAttrs { skip, primary_key, column, to_one } = attrs;
    if primary_key.is_present() && skip.is_present() {
        errors.at(primary_key.span(), "`skip` leaves no column for `primary_key`; keep one of the two");
    }
    if let Some(to_one) = to_one
        && source != Source::Column
    {
        errors.at(to_one.span(), "only a column with one value identifies a resource; remove `to_one`");
    }
    if let Some(column) = column {
        if !source.is_column() {
            errors.at(column.span(), "this field has no column of its own; remove `column`");
        } else if let Some((library, other)) = read_from.filter(|(_, name)| *name != column.value()) {
            errors.at(column.span(), format!("{library} reads this field from `{other}`; remove `column`"));
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
