use super::*;

#[test]
fn rows_are_reversed_and_cleared() {
    let reader = Reader { sqlite: None, postgres: None, mysql: None, fields: || &[] };
    let mut rows = TypedRows { reader, rows: vec![1, 2, 3] };
    rows.reverse();
    assert_eq!((rows.len(), &*rows.rows), (3, &[3, 2, 1][..]));
    rows.clear();
    assert_eq!(rows.len(), 0);
}

#[test]
fn each_group_has_rows_of_its_own() {
    let reader = Reader { sqlite: None, postgres: None, mysql: None, fields: || &[] };
    let groups = TypedRows::<i64>::of_groups(reader, 3);
    assert!(groups.len() == 3 && groups.into_iter().all(|rows| rows.into_vec().is_empty()));
}
