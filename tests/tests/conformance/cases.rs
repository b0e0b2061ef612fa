//! The files of cases, and what most cases look like.

use serde::de::{Deserialize, DeserializeOwned};
use serde_json::Value;

/// A case with named input. `expected` and `is` keep the file's order of keys.
#[derive(serde::Deserialize)]
pub(crate) struct Case<I> {
    #[serde(default)]
    pub(crate) name: String,
    pub(crate) input: I,
    pub(crate) expected: Value,
    /// What the predicates say.
    #[serde(default)]
    pub(crate) is: Value,
}

/// The cases of `data/{file}.json`.
pub(crate) fn read<C: DeserializeOwned>(file: &str) -> Vec<C> {
    let path = format!("{}/data/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let mut content: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    Deserialize::deserialize(content["cases"].take()).unwrap()
}

/// Asserts that `value` is written as exactly the text of `expected`, with the same order of keys.
#[track_caller]
pub(crate) fn assert_json(value: &impl serde::Serialize, expected: &Value, case: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), expected.to_string(), "{case}");
}

/// What the predicates of a page say, and more methods if named, as the files have it.
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
pub(crate) use predicates;
