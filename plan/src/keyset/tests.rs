use sea_query::Value;

use super::*;
use crate::cursor::Cursor;
use crate::schema::table::Nulls;
use crate::testing::{by_column_of, nullable};

static POSTS: Table = Table::new("posts", &[], &["id"], &[]);

fn by_id(dialect: Dialect) -> KeysetOrder {
    KeysetOrder::of_model(dialect, &POSTS, vec![by_column_of(&POSTS, "id")]).unwrap()
}

fn by_score(dialect: Dialect, nulls: Nulls) -> KeysetOrder {
    KeysetOrder::of_model(dialect, &POSTS, vec![nullable("score", nulls), by_column_of(&POSTS, "id")]).unwrap()
}

#[test]
fn an_order_matches_an_index_if_its_nulls_are_where_the_database_puts_them() {
    for (dialect, own) in
        [(Dialect::Sqlite, Nulls::First), (Dialect::MySql, Nulls::First), (Dialect::Postgres, Nulls::Last)]
    {
        for nulls in [Nulls::First, Nulls::Last] {
            assert_eq!(by_score(dialect, nulls).matches_index, nulls == own, "{dialect:?} {nulls:?}");
        }
        assert!(by_id(dialect).matches_index, "{dialect:?}");
    }
}

#[test]
fn an_order_with_more_columns_takes_more_memory() {
    let (one, two) = (by_id(Dialect::Sqlite).size(), by_score(Dialect::Sqlite, Nulls::First).size());
    assert!(size_of::<KeysetOrder>() < one && one < two, "{one} and {two} bytes");
}

#[test]
fn a_cursor_is_valid_if_its_values_have_the_columns_types() {
    let types = by_score(Dialect::Sqlite, Nulls::First).types;
    let is_valid = |values: [Value; 2]| Cursor::of_key(CursorDirection::Next, values.into()).has_values_of(&types);
    assert!(is_valid([5_i32.into(), 7_i64.into()]));
    assert!(is_valid([None::<i32>.into(), 7_i64.into()]));
    assert!(!is_valid([5_i32.into(), "seven".into()]));
    assert!(!is_valid([5_i32.into(), None::<i64>.into()]));
}

#[test]
fn pages_with_an_end_or_skipped_rows_have_no_template_and_no_literal_limit() {
    let value = Value::from(7);
    let values = [BoundaryValue::plain(value.clone())];
    let boundary = Boundary { values: &values, inclusive: false };
    let usual = PageRequest {
        direction: CursorDirection::Next,
        start: Some(boundary),
        end: None,
        skip: 0,
        limit: 9,
        candidates: None,
    };
    let (access, order) = (AccessPath::unknown(Dialect::Postgres), by_id(Dialect::Postgres));
    let limit = |page: PageRequest<'_>| page.span(&access, &order.sorts, Some(12)).limit;
    assert!(usual.has_template());
    assert_eq!((limit(usual).literal_limit, limit(usual).rows), (Some(12), Number::Page(9)));
    for page in [PageRequest { skip: 3, ..usual }, PageRequest { end: Some(boundary), ..usual }] {
        assert!(!page.has_template());
        assert_eq!((limit(page).literal_limit, limit(page).rows, limit(page).skip), (None, Number::Page(9), page.skip));
    }
}

#[test]
fn a_page_is_read_from_the_groups_that_were_found_unless_there_are_none_or_too_many() {
    let value = Value::from(7);
    let upper = [BoundaryValue::plain(value.clone())];
    for (groups, expected) in [(0, None), (1, Some(1)), (MAX_NEAREST, Some(MAX_NEAREST)), (MAX_NEAREST + 1, None)] {
        let groups: Vec<usize> = (0..groups).collect();
        let candidates = Candidates::new(&groups, &upper);
        assert_eq!(candidates.map(|candidates| candidates.groups.len()), expected);
        assert_eq!(candidates.is_some_and(|candidates| !candidates.upper.is_empty()), expected.is_some());
    }
}
