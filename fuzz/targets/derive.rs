//! The derives of folio-macros, whose modules are compiled into this program. What they write is Rust, and a list of
//! terms reads as it was written.
//!
//! The fields of an input are the kind of text, and the text: a type, the attributes of a struct or of a field, or the
//! text of a cursor key.

#![no_main]

#[path = "../../macros/src/attrs.rs"]
mod attrs;
#[path = "../../macros/src/column_value.rs"]
mod column_value;
#[path = "../../macros/src/errors.rs"]
mod errors;
#[path = "../../macros/src/expand.rs"]
mod expand;
#[path = "../../macros/src/field.rs"]
mod field;
#[path = "../../macros/src/key.rs"]
mod key;
#[path = "../../macros/src/model.rs"]
mod model;
#[path = "../../macros/src/names.rs"]
mod names;
#[path = "../../macros/src/order.rs"]
mod order;
#[path = "../../macros/src/row_of.rs"]
mod row_of;

use folio_fuzz::fields;
use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;
use syn::DeriveInput;

/// What a derive writes is a list of items, whatever mistakes it reports.
fn assert_items(output: &TokenStream, of: &str) {
    syn::parse2::<syn::File>(output.clone()).unwrap_or_else(|error| panic!("{error} in {output} of {of:?}"));
}

/// The type that a text describes.
fn source(kind: &str, text: &str) -> String {
    let fields = "id: i64, title: String, score: Option<i32>";
    match kind {
        "struct" => format!("#[paginate({text})] struct Post {{ {fields} }}"),
        "field" => format!("struct Post {{ id: i64, #[paginate({text})] score: Option<i32> }}"),
        "sqlx" => format!("#[sqlx({text})] #[serde({text})] struct Post {{ id: i64, #[sqlx({text})] r#type: u8 }}"),
        "sea_orm" => format!(
            "#[sea_orm({text})] struct Model {{ #[sea_orm(primary_key)] id: i64, #[sea_orm({text})] line_1: String }}"
        ),
        "key" => format!("#[paginate(cursor_key = {text:?})] struct Post {{ {fields} }}"),
        "primary" => format!("#[paginate(primary_key = {text:?})] struct Post {{ {fields} }}"),
        "table" => format!("#[paginate(table = {text:?}, resource = {text:?})] struct Post {{ {fields} }}"),
        "row" => format!("#[paginate({text})] struct Card {{ id: i64 }}"),
        "expr" => format!("#[paginate(of = Post)] struct Card {{ id: i64, #[paginate(expr = {text:?})] twice: i64 }}"),
        "variant" => format!("#[sqlx({text})] enum State {{ #[sqlx({text})] InReview, Done }}"),
        "active" => {
            format!("#[sea_orm(db_type = \"Enum\", {text})] enum Tea {{ #[sea_orm({text})] InReview, Done = 2 }}")
        }
        _ => text.to_owned(),
    }
}

/// The terms of a text, each with its order, if the text has no mistakes.
fn written(text: &str) -> Option<Vec<String>> {
    let shown = |term: order::Term| match term.nulls {
        None => term.to_string(),
        Some(order::Nulls::First) => format!("{term} nulls first"),
        Some(order::Nulls::Last) => format!("{term} nulls last"),
    };
    order::terms(text).map(|term| term.map(shown).ok()).collect()
}

fuzz_target!(|data: &[u8]| {
    let [kind, text] = fields(data);
    if let Some(terms) = written(&text) {
        assert_eq!(written(&terms.join(", ")), Some(terms));
    }
    let Ok(input) = syn::parse_str::<DeriveInput>(&source(&kind, &text)) else { return };
    assert_items(&expand::derive(&input), &text);
    assert_items(&column_value::derive(&input), &text);
    assert_items(&row_of::derive(&input), &text);
});
