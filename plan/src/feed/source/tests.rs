use super::*;
use crate::dialect::Dialect::{MySql, Postgres, Sqlite};
use crate::testing;

fn groups<T: Into<Value>>(values: impl IntoIterator<Item = T>) -> Groups {
    testing::groups(&["author"], values)
}

fn pairs() -> Groups {
    testing::groups::<Value>(&["author", "tag"], [7_i64.into(), "a".into(), 8_i64.into(), "b".into()])
}

#[test]
fn a_database_takes_values_as_one_parameter_if_it_can() {
    let json = |kind| Source::Json(vec![kind]);
    for (groups, expected) in [
        (groups([7_i64, 8]), [Source::Arrays, json(JsonType::Signed), Source::Rows(2)]),
        (groups([7_u64, 8]), [Source::Rows(2), json(JsonType::Unsigned), Source::Rows(2)]),
        (groups([uuid::Uuid::nil()]), [Source::Arrays, json(JsonType::Uuid), Source::Rows(1)]),
        (groups(["a".to_owned()]), [Source::Arrays, Source::Rows(1), Source::Rows(1)]),
        (groups([true]), [Source::Rows(1), Source::Rows(1), Source::Rows(1)]),
        (pairs(), [Source::Arrays, Source::Rows(2), Source::Rows(2)]),
    ] {
        let sources = [Postgres, MySql, Sqlite].map(|dialect| Source::of(&groups, dialect));
        assert_eq!(sources, expected, "{groups:?}");
    }
}

#[test]
fn parameters_are_a_table_with_a_row_for_each_group() {
    let pairs = pairs();
    let source = Source::rows(&pairs);
    let text = |is_numbered| source.select(Postgres, &pairs, is_numbered).sql().text();
    let [first, second] = [["$1", "$2"], ["$3", "$4"]]
        .map(|[author, tag]| format!(r#"SELECT {author} AS "folio_group_0", {tag} AS "folio_group_1""#));
    assert_eq!(text(false), format!("{first} UNION ALL ({second})"));
    let numbered = r#"AS "folio_group""#;
    assert_eq!(text(true), format!("{first}, 1 {numbered} UNION ALL ({second}, 2 {numbered})"));
}

#[test]
fn integers_are_a_json_array() {
    assert_eq!(json_of_integers(&groups([7_i64, -8])).as_deref(), Some("[-8,7]"));
    assert_eq!(json_of_integers(&groups([u64::MAX])).as_deref(), Some("[18446744073709551615]"));
    assert_eq!(json_of_integers(&groups(["7".to_owned()])), None);
    assert_eq!(json_of_integers(&groups([uuid::Uuid::nil()])), None);
}

#[test]
fn there_are_few_sizes_of_blocks_and_little_padding() {
    let cases = [(1, 1), (8, 8), (9, 10), (10, 10), (33, 40), (100, 112), (129, 160), (1_025, 1_280), (5_000, 5_120)];
    for (count, size) in cases {
        assert_eq!(block(count), size, "{count} groups");
    }
    let sizes: std::collections::BTreeSet<usize> = (1..=128).map(block).collect();
    assert_eq!(sizes.len(), 24);
}
