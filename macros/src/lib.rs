//! The derive macro of folio. It is documented where it is used: on `folio::Paginate`.

mod attrs;
mod errors;
mod expand;
mod field;
mod key;
mod model;
mod names;
mod order;
#[cfg(test)]
mod tests;

/// Derives `Model`: typed columns, the key type and the query methods.
#[proc_macro_derive(Paginate, attributes(paginate))]
pub fn paginate(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand::derive(&syn::parse_macro_input!(input)).into()
}
