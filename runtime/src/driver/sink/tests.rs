use super::*;

/// Reads no rows.
fn reader() -> Reader<i64> {
    Reader { sqlite: Default::default(), postgres: Default::default(), mysql: Default::default(), fields: || &[] }
}

#[test]
fn rows_are_reversed_and_cleared() {
    let mut rows = TypedRows { reader: reader(), rows: vec![1, 2, 3] };
    rows.reverse();
    assert_eq!((rows.len(), &*rows.rows), (3, &[3, 2, 1][..]));
    rows.clear();
    assert_eq!(rows.len(), 0);
}

#[test]
fn each_group_has_rows_of_its_own() {
    let groups = TypedRows::of_groups(reader(), 3);
    assert!(groups.len() == 3 && groups.into_iter().all(|rows| rows.into_vec().is_empty()));
}
