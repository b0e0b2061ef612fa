//! The derive macro of [folio](https://docs.rs/folio). Its documentation for users is on `folio::Paginate`, where the
//! examples can be compiled. Do not depend on this crate directly: its output names items of `folio`, so both crates
//! need the same version.
//!
//! The derive runs in three stages:
//!
//! 1. `attrs.rs` reads what was written: the attributes of the struct and its fields.
//! 2. `model.rs`, `field.rs` and `key.rs` check it and build a model. All mistakes are collected and reported at once.
//! 3. `expand.rs` turns the model into tokens. A model contains no mistakes, so this stage cannot fail.
//!
//! There are two other derives, with the same stages: `row_of.rs` for rows with some columns of a model, and
//! `column_value.rs` for column types.
//!
//! `order.rs` parses the text of a cursor key, and `names.rs` derives names of tables and columns. Mistakes that depend
//! on types are left to the compiler: the expansion contains const assertions for them.
//!
//! To add an attribute, add a field to a receiver in `attrs.rs`, and its name to `WORDS`. Receivers are destructured in
//! the places that use them, so the compiler then shows what to change.
//!
//! | test | checks |
//! |---|---|
//! | `tests/expansions` | whole expansions as text, and their length |
//! | `tests/mistakes` | the message of each mistake, and the tokens that it points to |
//! | `ui-tests` | each mistake as the compiler shows it to a user |

mod attrs;
mod column_value;
mod errors;
mod expand;
mod field;
mod key;
mod model;
mod names;
mod order;
mod row_of;
#[cfg(test)]
mod tests;

/// Derives `folio::Model` for a struct with named fields: typed columns, the key type and the query methods. See
/// `folio::Paginate` for the attributes.
#[proc_macro_derive(Paginate, attributes(paginate))]
pub fn paginate(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand::derive(&syn::parse_macro_input!(input)).into()
}

/// Derives `folio::RowOf` for a struct with named fields: a row with some columns of a model. See `folio::RowOf`.
#[proc_macro_derive(RowOf, attributes(paginate))]
pub fn row_of(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    row_of::derive(&syn::parse_macro_input!(input)).into()
}

/// Derives `folio::ColumnValue` and `folio::CursorValue` for an enum or a newtype. See `folio::ColumnValue`.
#[proc_macro_derive(ColumnValue, attributes(paginate, sqlx))]
pub fn column_value(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    column_value::derive(&syn::parse_macro_input!(input)).into()
}
