//! What is valid: the model, as the expansion needs it. It contains no mistakes, so the expansion cannot fail.

use quote::ToTokens;
use syn::{
    Data, DataStruct, DeriveInput, Fields, Ident, LitStr, Path, Token, Visibility, ext::IdentExt, parse_quote,
    punctuated::Punctuated,
};

use crate::{
    attrs::{self, ModelAttrs, SerdeModelAttrs, SqlxModelAttrs},
    errors::Errors,
    field::{Column, Field, Rules},
    key::Keys,
    names,
};

/// A struct that is a row of a table.
pub(crate) struct Model {
    /// The struct's name.
    pub(crate) ident: Ident,
    /// The visibility of the struct and of everything derived for it.
    pub(crate) vis: Visibility,
    /// The path of the folio crate.
    pub(crate) krate: Path,
    pub(crate) table: Table,
    /// The fields that are columns.
    pub(crate) columns: Vec<Column>,
    /// Whether a flattened field reads columns that are not in `columns`.
    pub(crate) flattened: bool,
    pub(crate) keys: Keys,
}

/// The attributes of the table.
pub(crate) struct Table {
    /// The table's name, without its schema.
    pub(crate) name: String,
    /// The schema, if one is given.
    pub(crate) schema: Option<String>,
    /// The registered connection that the table is read from, if one is given.
    pub(crate) connection: Option<String>,
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
        let sqlx: SqlxModelAttrs = attrs::sqlx(&input.attrs);
        let serde: SerdeModelAttrs = attrs::serde(&input.attrs);
        let fields = fields(input, errors);
        let concrete = concrete(input, errors);
        let rules = Rules { column: sqlx.rename_all.as_deref(), key: serde.rename_all.as_deref() };
        let fields: Vec<_> = fields?.iter().filter_map(|field| Field::new(field, rules, errors)).collect();
        let keys = Keys::new(&input.ident, &attrs, &fields, errors);
        concrete.then(|| Self {
            ident: input.ident.clone(),
            vis: input.vis.clone(),
            krate: attrs.krate.clone().unwrap_or_else(|| parse_quote!(::folio)),
            table: Table::new(&input.ident, &attrs),
            flattened: fields.iter().any(Field::is_row),
            columns: fields.into_iter().filter(Field::is_column).map(|field| field.column).collect(),
            keys,
        })
    }
}

impl Table {
    /// The table of the struct `ident`, with the default name if none is given.
    fn new(ident: &Ident, attrs: &ModelAttrs) -> Self {
        // Destructured, so that a new attribute cannot be forgotten here.
        let ModelAttrs { table, schema, connection, resource, cursor_key: _, primary_key: _, krate: _ } = attrs;
        let text = |text: &Option<LitStr>| text.as_ref().map(LitStr::value);
        Self {
            name: text(table).unwrap_or_else(|| names::table(&ident.unraw().to_string())),
            schema: text(schema),
            connection: text(connection),
            resource: resource.clone(),
        }
    }
}

/// The named fields of a struct. Anything else is a mistake.
fn fields<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Option<&'a Punctuated<syn::Field, Token![,]>> {
    let (word, what): (&dyn ToTokens, _) = match &input.data {
        Data::Struct(DataStruct { fields: Fields::Named(fields), .. }) => return Some(&fields.named),
        Data::Struct(DataStruct { fields: Fields::Unnamed(fields), .. }) => (fields, "a tuple struct"),
        Data::Struct(DataStruct { fields: Fields::Unit, .. }) => (&input.ident, "a unit struct"),
        Data::Enum(data) => (&data.enum_token, "an enum"),
        Data::Union(data) => (&data.union_token, "a union"),
    };
    errors.over(word, format!("{what} has no named fields; derive `Paginate` on a struct with named fields"));
    None
}

/// Whether the struct has no type or const parameters.
fn concrete(input: &DeriveInput, errors: &mut Errors) -> bool {
    let generic = !input.generics.params.is_empty();
    if generic {
        let message = format!("`{}` is generic, but a table has one type of row; remove the parameters", input.ident);
        errors.over(&input.generics, message);
    }
    !generic
}
