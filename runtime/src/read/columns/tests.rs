use super::*;

#[test]
fn the_columns_of_a_text_are_kept() {
    let key = (Dialect::Sqlite, "SELECT id FROM a_text_that_only_this_test_has".into());
    assert!(KNOWN.find(&key).is_none());
    remember(key.clone(), vec!["id".to_owned()]);
    assert!(KNOWN.find(&key).is_some_and(|names| *names == ["id"]));
}
