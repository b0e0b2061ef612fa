//! One mistake is one error in `cargo check`, at the word at fault, also in the JSON that editors show. trybuild compares
//! rendered text, in which several errors of the same text look like one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

/// The cases in `fail`, and the word at fault in each.
const CASES: [(&str, &str); 20] = [
    ("column_value_generic", "<T>"),
    ("column_value_of_an_option_behind_an_alias", "Maybe"),
    ("column_value_of_no_cursor_value", "Money"),
    ("comparison_with_an_own_type", "State::Open"),
    ("cursor_key_nullable_behind_an_alias", "\"score\""),
    ("cursor_key_of_no_cursor_value", "Money"),
    ("cursor_order_by_a_condition", "Post::TITLE.eq(\"x\")"),
    ("cursor_order_nullable", "Post::SCORE.desc()"),
    ("cursor_order_nullable_erased", "erased"),
    ("cursor_order_nullable_in_a_tuple", "Post::SCORE.desc()"),
    ("cursor_order_nullable_of_no_cursor_value", "Product::PRICE.desc().nulls_last()"),
    ("cursor_order_of_no_cursor_value", "PRICE.desc()"),
    ("filter_combined_with_a_text", "\"title = 'x'\""),
    ("filter_combined_with_another_model", "Comment::POST_ID.eq(7)"),
    ("filter_if_of_another_model", "Some(Comment::POST_ID.is_null())"),
    ("filter_of_another_model", "Comment::POST_ID.eq(Post::ID)"),
    ("nested_struct", "Author"),
    ("order_by_nullable", "Post::SCORE"),
    ("primary_key_of_no_cursor_value", "ProductId"),
    ("sort_nullable", "Post::SCORE.desc()"),
];

/// The flags that trybuild compiles with. With them, its tests and this one share build scripts and macros.
const FLAGS: &str = r#"build.rustflags=["--cfg", "trybuild", "--verbose", "-A", "dead_code"]"#;

/// The manifest of a package in which each case is a program. Its dependencies are those of this package.
fn manifest(cases: &Path, root: &Path) -> String {
    let mut manifest = format!(
        "[package]\nname = \"diagnostics\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         axum = {{ version = \"0.8\", default-features = false, features = [\"tokio\"] }}\n\
         folio = {{ path = {:?}, features = [\"axum\", \"chrono\"] }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n\
         serde_json = \"1\"\n\
         sqlx = {{ version = \"0.9.0\", default-features = false, features = [\"derive\", \"json\"] }}\n",
        root.join("runtime")
    );
    for (case, _) in CASES {
        let path = cases.join(case).with_extension("rs");
        manifest.push_str(&format!("\n[[bin]]\nname = {case:?}\npath = {path:?}\n"));
    }
    manifest
}

/// The errors of each case, as the words that they point to.
fn errors() -> BTreeMap<String, Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let package = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("diagnostics");
    fs::create_dir_all(&package).unwrap();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("fail");
    fs::write(package.join("Cargo.toml"), manifest(&cases, &root)).unwrap();
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    let mut check = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    check.args(["check", "--keep-going", "--bins", "--message-format=json"]).current_dir(&package);
    check.args(["--target", "host-tuple", "--config", FLAGS]).env_remove("RUSTFLAGS");
    check.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("../tests/trybuild"));
    let output = check.output().unwrap();
    let output = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let mut errors = BTreeMap::new();
    for line in output.0.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let message = &line["message"];
        if line["reason"] == "compiler-message" && message["level"] == "error" {
            let case = line["target"]["name"].as_str().unwrap().to_owned();
            errors.entry(case).or_insert_with(Vec::new).extend(word(message));
        }
    }
    assert!(!errors.is_empty(), "{}", output.1);
    errors
}

/// The word that an error points to; `None` for the summary at the end, which points nowhere.
fn word(message: &Value) -> Option<String> {
    let span = message["spans"].as_array()?.iter().find(|span| span["is_primary"] == true)?;
    let line = &span["text"][0];
    let at = |end: &str| usize::try_from(line[end].as_u64().unwrap()).unwrap() - 1;
    let text = line["text"].as_str().unwrap();
    Some(text[at("highlight_start")..at("highlight_end")].to_owned())
}

#[test]
fn one_mistake_is_one_error_at_its_word() {
    let expected = CASES.map(|(case, word)| (case.to_owned(), vec![word.to_owned()]));
    assert_eq!(errors(), BTreeMap::from(expected));
}
