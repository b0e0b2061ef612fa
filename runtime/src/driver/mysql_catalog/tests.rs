use super::*;

#[test]
fn the_server_is_known_by_its_version() {
    for (version, expected) in [
        ("9.7.4-2", Server::MYSQL),
        ("8.0.36", Server::MYSQL),
        ("10.11.19-MariaDB-0+deb12u1", Server::mariadb(10)),
        ("5.5.5-10.4.2-MariaDB", Server::mariadb(10)),
        ("11.8.9-MariaDB-ubu2404", Server::mariadb(11)),
        ("MariaDB", Server::mariadb(0)),
    ] {
        assert_eq!(server(version), expected, "{version}");
    }
}

#[test]
fn an_index_has_few_rows_for_each_value_from_a_column_on() {
    for (numbers, rows, expected) in [
        (&[Some(10_000), Some(1_000_000)][..], 1_000_000, Some(1)),
        (&[Some(9_999), Some(1_000_000)], 1_000_000, Some(2)),
        (&[Some(4), Some(9), Some(9)], 1_000, None),
        (&[None, Some(900)], 1_000, Some(2)),
        (&[Some(i64::MAX)], i64::MAX, Some(1)),
        (&[Some(0), Some(0)], 0, None),
        (&[], 1_000, None),
    ] {
        assert_eq!(selective_prefix(numbers, rows), expected, "{numbers:?} of {rows} rows");
    }
}

#[test]
fn each_index_has_the_statistics_of_its_own_columns() {
    let column = |index: &str, column: &str| (index.to_owned(), column.to_owned(), false, None);
    let columns = vec![column("a", "tenant"), column("a", "moment"), column("b", "author"), column("PRIMARY", "id")];
    let numbers = vec![Some(4), Some(900), Some(300), Some(1_000)];
    let indexes = with_selective_prefixes(by_index(columns), numbers);
    let few: Vec<_> = indexes.iter().map(|index| (&*index.name, index.selective_prefix)).collect();
    assert_eq!(few, [("a", Some(2)), ("b", Some(1)), ("PRIMARY", Some(1))]);
}
