//! The derive of `RowOf`: a row with some columns of a model, and computed ones.
//!
//! A struct `Card` with the fields `id` and `#[paginate(expr = "price * 2")] doubled` expands to:
//!
//! ```text
//! folio::__row_of! { Card of Product { "id": i64 } { "doubled" = "price * 2" } }
//! const _: () = folio::__private::assert_column::<i64, _, Product>(&Product::ID, "id", "…");
//! const _: () = folio::__private::assert(!folio::__private::has_field::<Product>("doubled"), "…");
//! ```
//!
//! The derive sees only the path of the model, and not its fields. So the expansion has the compiler compare each field
//! with the model's column, and report differences at the field.

use darling::util::Flag;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{DeriveInput, Ident, LitStr, Path, ext::IdentExt, parse_quote};

use crate::{
    attrs::{self, FieldAttrs, RowAttrs, RowFieldAttrs},
    errors::Errors,
    expand::respan,
    field::{Column, Field, Rules},
    model::named_fields,
    names,
};

/// A struct that is a row of a model.
struct Row {
    ident: Ident,
    krate: Path,
    /// The model.
    of: Path,
    /// The fields that are columns of the model.
    columns: Vec<Column>,
    /// The fields that are computed, each with its SQL.
    computed: Vec<(Column, LitStr)>,
}

/// The whole output for a struct: its mistakes, or the implementation.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let expansion = Row::new(input, &mut errors).filter(|_| errors.is_empty()).map(|row| expand(&row));
    quote!(#errors #expansion)
}

/// The mistakes in a struct, for tests.
#[cfg(test)]
pub(crate) fn mistakes(input: &DeriveInput) -> Errors {
    let mut errors = Errors::default();
    let _ = Row::new(input, &mut errors);
    errors
}

impl Row {
    /// Reads a struct, and adds mistakes to `errors`.
    fn new(input: &DeriveInput, errors: &mut Errors) -> Option<Self> {
        let RowAttrs { of, krate } = attrs::paginate(&input.attrs, errors);
        let named = named_fields(input, "RowOf", errors)?;
        if !input.generics.params.is_empty() {
            let message =
                format!("`{}` is generic, but it has one list of columns; remove the parameters", input.ident);
            errors.over(&input.generics, message);
        }
        let rules = Rules::new(&input.attrs);
        let (mut columns, mut computed): (Vec<Column>, _) = (Vec::new(), Vec::new());
        for field in named {
            let RowFieldAttrs { expr, column, skip } = attrs::paginate(&field.attrs, errors);
            let attrs = FieldAttrs { primary_key: Flag::default(), column, skip, to_one: None };
            let Some(read) = Field::with(attrs, field, &rules, errors) else { continue };
            if read.is_row() {
                let advice = format!("write them as fields of `{}`", input.ident);
                errors.at(read.column.field.span(), format!("a flattened field hides its columns; {advice}"));
            }
            if !read.is_column() {
                if let Some(expr) = expr.filter(|_| !read.is_row()) {
                    errors.at(expr.span(), "`skip` leaves no column for `expr`; keep one of the two");
                }
                continue;
            }
            let earlier = columns.iter().chain(computed.iter().map(|(column, _)| column));
            if let Some(earlier) = earlier.into_iter().find(|earlier| earlier.name == read.column.name) {
                let (earlier, name) = (earlier.field.unraw(), &earlier.name);
                let message = format!("`{earlier}` is read from the column `{name}` as well; keep one of the two");
                errors.at(read.column.field.span(), message);
            }
            match expr {
                Some(expr) => computed.push((read.column, expr)),
                None => columns.push(read.column),
            }
        }
        if columns.is_empty() && computed.is_empty() && errors.is_empty() {
            errors.at(input.ident.span(), format!("`{}` has no columns; write a field for each", input.ident));
        }
        if of.is_none() && errors.is_empty() {
            let advice = "write `#[paginate(of = Product)]` on the struct";
            errors.at(input.ident.span(), format!("`{}` does not say whose rows it reads; {advice}", input.ident));
        }
        let krate = krate.unwrap_or_else(|| parse_quote!(::folio));
        Some(Self { ident: input.ident.clone(), krate, of: of?, columns, computed })
    }
}

fn expand(Row { ident, krate, of, columns, computed }: &Row) -> TokenStream {
    let fields = columns.iter().map(|Column { name, stored, json, .. }| {
        let ty = (!json).then(|| quote!(: #stored));
        quote!(#name #ty)
    });
    let expressions = computed.iter().map(|(Column { name, .. }, sql)| quote!(#name = #sql));
    let model = quote!(#of).to_string().replace(' ', "");
    let same_columns = columns.iter().map(|Column { field, name, stored, .. }| {
        let constant = names::constant(field);
        let message = format!(
            "`{}` is read from the column `{name}` here, and from another one in `{model}`; write the same \
             `#[sqlx(rename = \"...\")]` on both",
            field.unraw()
        );
        let check = quote!(#krate::__private::assert_column::<#stored, _, #of>(&<#of>::#constant, #name, #message));
        at(field.span(), &check)
    });
    let other_names = computed.iter().map(|(Column { field, name, .. }, _)| {
        let message = format!("`{name}` is computed, but `{model}` has a column of this name; rename the field");
        let check = quote!(#krate::__private::assert(!#krate::__private::has_field::<#of>(#name), #message));
        at(field.span(), &check)
    });
    quote! {
        #krate::__row_of! { #ident of #of { #(#fields),* } { #(#expressions),* } }
        #(#same_columns)*
        #(#other_names)*
    }
}

/// A check whose mistake the compiler reports at `span`.
fn at(span: Span, check: &TokenStream) -> TokenStream {
    let check = respan(check.clone(), span);
    quote!(const _: () = #check;)
}
