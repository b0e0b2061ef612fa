//! The files of the conformance cases.

use serde::de::{Deserialize, DeserializeOwned};
use serde_json::Value;

/// A case with named input. `expected` and `is` keep the file's order of keys.
#[derive(serde::Deserialize)]
pub struct Case<I> {
    #[serde(default)]
    pub name: String,
    pub input: I,
    pub expected: Value,
    /// The expected results of the predicates.
    #[serde(default)]
    pub is: Value,
}

/// The cases of `data/{file}.json`.
pub fn read<C: DeserializeOwned>(file: &str) -> Vec<C> {
    let path = format!("{}/data/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let mut content: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    Deserialize::deserialize(content["cases"].take()).unwrap()
}

/// Asserts that `value` is written as exactly the text of `expected`, with the same order of keys.
#[track_caller]
pub fn assert_json(value: &impl serde::Serialize, expected: &Value, case: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), expected.to_string(), "{case}");
}

/// The results of a page's predicates and of further methods, in the form of the files.
#[macro_export]
macro_rules! predicates {
    ($page:expr $(, $more:ident)*) => {
        serde_json::json!({
            "has_more_pages": $page.has_more_pages(),
            "on_first_page": $page.on_first_page(),
            "on_last_page": $page.on_last_page(),
            "has_pages": $page.has_pages(),
            "is_empty": $page.is_empty(),
            "is_not_empty": $page.is_not_empty(),
            "count": $page.count(),
            $(stringify!($more): $page.$more(),)*
        })
    };
}
