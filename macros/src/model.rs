//! Checks a struct and builds the model for the expansion. The model contains no mistakes, so the expansion cannot
//! fail.
//!
//! A struct has to have named fields, because columns are found by name, and no parameters, because the model's table
//! is a constant. All other mistakes are reported and left out of the model: an unknown attribute, a key column that
//! does not exist, an `Option` in the primary key.

use quote::ToTokens;
use syn::{
    Data, DeriveInput, Fields, Ident, LitStr, Path, Token, Visibility, ext::IdentExt, parse_quote,
    punctuated::Punctuated,
};

use crate::{
    attrs::{self, ModelAttrs, SeaOrmModelAttrs},
    errors::Errors,
    field::{Column, Field, Rules, ToOne},
    key::{Keys, Tenant},
    names,
};

/// The fields of a struct, each with its name.
pub(crate) type NamedFields = Punctuated<syn::Field, Token![,]>;

/// A struct that is a row of a table.
pub(crate) struct Model {
    /// The struct's name.
    pub(crate) ident: Ident,
    /// The visibility of the struct and of everything derived for it.
    pub(crate) vis: Visibility,
    /// The path of the folio crate.
    pub(crate) krate: Path,
    /// The table that rows are read from.
    pub(crate) table: Table,
    /// The fields that are columns.
    pub(crate) columns: Vec<Column>,
    /// Whether a flattened field reads columns that are not in `columns`.
    pub(crate) flattened: bool,
    /// The primary key and the cursor key.
    pub(crate) keys: Keys,
    /// The column with the tenant that a row belongs to, if the model has tenants.
    pub(crate) tenant: Option<Tenant>,
    /// The relationships to one resource, if the model is a resource.
    pub(crate) relationships: Vec<ToOne>,
}

/// The attributes of the table.
pub(crate) struct Table {
    /// The table's name, without its schema.
    pub(crate) name: String,
    /// The schema, if one is given.
    pub(crate) schema: Option<String>,
    /// The registered connection that the table is read from, if one is given.
    pub(crate) connection: Option<String>,
    /// The condition that the model's queries have by default, if one is given.
    pub(crate) filter: Option<String>,
    /// The JSON:API type of a row, if one is given.
    pub(crate) resource: Option<LitStr>,
}

impl Model {
    /// Builds a model from a struct, and adds mistakes to `errors`.
    ///
    /// The valid parts become a model even if others are not. Code that uses the model then compiles, so that one
    /// mistake is one error. `None` if nothing valid is left.
    pub(crate) fn new(input: &DeriveInput, errors: &mut Errors) -> Option<Self> {
        let attrs: ModelAttrs = attrs::paginate(&input.attrs, errors);
        let named = named_fields(input, "Paginate", errors);
        let is_generic = !input.generics.params.is_empty();
        if is_generic {
            let message =
                format!("`{}` is generic, but a table has one type of row; remove the parameters", input.ident);
            errors.over(&input.generics, message);
        }

        let table = Table::new(input, &attrs, errors);
        let rules = Rules::new(&input.attrs);
        let read = |field| Field::new(field, &rules, errors);
        let fields: Vec<Field> = named?.iter().filter_map(read).collect();
        for to_one in fields.iter().filter_map(|field| field.to_one.as_ref()).filter(|_| attrs.resource.is_none()) {
            let advice = "write `#[paginate(resource = \"...\")]` on the struct";
            errors.at(to_one.span(), format!("a relationship belongs to a resource; {advice}"));
        }
        let keys = Keys::new(&input.ident, &attrs, &fields, errors);
        let tenant = attrs.tenant.as_ref().and_then(|name| Tenant::new(name, &fields, errors));

        (!is_generic).then(|| Self {
            ident: input.ident.clone(),
            vis: input.vis.clone(),
            krate: attrs.krate.clone().unwrap_or_else(|| parse_quote!(::folio)),
            table,
            flattened: fields.iter().any(Field::is_row),
            relationships: fields.iter().filter_map(Field::relationship).collect(),
            columns: fields.into_iter().filter(Field::is_column).map(|field| field.column).collect(),
            keys,
            tenant,
        })
    }
}

impl Table {
    /// The table that the attributes of folio name, or else those of sea-orm, or else the default table.
    ///
    /// sea-orm calls every entity's struct `Model`, and an entity without `table_name` has its table elsewhere. So a
    /// struct of this name has no default table, even though it may be no entity: the derive sees no other derives.
    fn new(input: &DeriveInput, attrs: &ModelAttrs, errors: &mut Errors) -> Self {
        // Destructured, so that a new attribute cannot be forgotten here.
        let ModelAttrs {
            table,
            schema,
            connection,
            filter,
            resource,
            tenant: _,
            cursor_key: _,
            primary_key: _,
            krate: _,
        } = attrs;
        let SeaOrmModelAttrs { table_name, schema_name, rename_all: _ } = attrs::sea_orm(&input.attrs);
        let name = table.as_ref().or(table_name.as_ref());
        // After another mistake, the missing table may just be a misspelled one.
        if name.is_none() && input.ident == "Model" && errors.is_empty() {
            let message = "`Model` does not say which table it is a row of; write `#[paginate(table = \"...\")]` on it";
            errors.at(input.ident.span(), message);
        }
        let text = |text: Option<&LitStr>| text.map(LitStr::value);
        Self {
            name: text(name).unwrap_or_else(|| names::table(&input.ident.unraw().to_string())),
            schema: text(schema.as_ref().or(schema_name.as_ref())),
            connection: text(connection.as_ref()),
            filter: text(filter.as_ref()),
            resource: resource.clone(),
        }
    }
}

/// The named fields of a struct. Anything else is a mistake.
pub(crate) fn named_fields<'a>(input: &'a DeriveInput, derive: &str, errors: &mut Errors) -> Option<&'a NamedFields> {
    let (offender, what): (&dyn ToTokens, _) = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => return Some(&fields.named),
            Fields::Unnamed(fields) => (fields, "a tuple struct"),
            Fields::Unit => (&input.ident, "a unit struct"),
        },
        Data::Enum(data) => (&data.enum_token, "an enum"),
        Data::Union(data) => (&data.union_token, "a union"),
    };
    errors.over(offender, format!("{what} has no named fields; derive `{derive}` on a struct with named fields"));
    None
}
