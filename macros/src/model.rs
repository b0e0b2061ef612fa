//! What is valid: a model as the expansion needs it. It holds no mistake, so the expansion cannot fail.

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

/// A struct that is a table's row.
pub(crate) struct Model {
    /// The struct's name.
    pub(crate) ident: Ident,
    /// The struct's visibility, and that of all that is derived.
    pub(crate) vis: Visibility,
    /// The path of folio.
    pub(crate) krate: Path,
    /// The table.
    pub(crate) table: Table,
    /// The fields that are columns.
    pub(crate) columns: Vec<Column>,
    /// Whether a flattened field reads columns that are not among these.
    pub(crate) flattened: bool,
    /// The two keys.
    pub(crate) keys: Keys,
}

/// Where the rows come from.
pub(crate) struct Table {
    /// The table's name.
    pub(crate) name: String,
    /// Its schema, if one is given.
    pub(crate) schema: Option<String>,
    /// The connection that it is read from, if one is given.
    pub(crate) connection: Option<String>,
    /// The type of its rows in JSON:API, if one is given.
    pub(crate) resource: Option<LitStr>,
}

impl Model {
    /// Makes a model of a struct. Mistakes are added to `errors`. The valid rest of the struct becomes a model anyway,
    /// so that code that uses it compiles and one mistake is one error. `None` if nothing is left.
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
    /// The table of the struct `ident`.
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

/// The fields of a struct, if they have names.
fn fields<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Option<&'a Punctuated<syn::Field, Token![,]>> {
    let (word, what): (&dyn ToTokens, _) = match &input.data {
        Data::Struct(DataStruct { fields: Fields::Named(fields), .. }) => return Some(&fields.named),
        Data::Struct(DataStruct { fields: Fields::Unnamed(fields), .. }) => (fields, "a tuple struct"),
        Data::Struct(DataStruct { fields: Fields::Unit, .. }) => (&input.ident, "a unit struct"),
        Data::Enum(data) => (&data.enum_token, "an enum"),
        Data::Union(data) => (&data.union_token, "a union"),
    };
    errors.over(word, format!("{what} names no columns; derive `Paginate` on a struct with named fields"));
    None
}

/// Whether the struct is one type, as a table has one type of row.
fn concrete(input: &DeriveInput, errors: &mut Errors) -> bool {
    let generic = !input.generics.params.is_empty();
    if generic {
        let message = format!("`{}` is generic, but a table has one type of row; remove the parameters", input.ident);
        errors.over(&input.generics, message);
    }
    !generic
}
