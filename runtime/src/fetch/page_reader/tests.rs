use super::*;
use crate::dialect::Dialect::{MySql, Postgres, Sqlite};
use crate::fetch::tests::query;
use crate::model::table::Nulls;

fn interval(after: Option<Cursor>, before: Option<Cursor>) -> Interval {
    let first = Interval::from_cursor(None, 9);
    Interval { after, before, ..first }
}

#[test]
fn texts_are_checked_only_if_several_selects_make_a_page() {
    for dialect in [Sqlite, Postgres, MySql] {
        assert!(!has_columns_to_check(&query(dialect, true, 0, None)), "{dialect:?}");
    }
    // PostgreSQL's index has NULLs last, and the other databases' have them first.
    for (dialect, nulls, expected) in [
        (Postgres, Nulls::Last, false),
        (Postgres, Nulls::First, true),
        (Sqlite, Nulls::First, false),
        (Sqlite, Nulls::Last, true),
    ] {
        assert_eq!(has_columns_to_check(&query(dialect, false, 0, Some(nulls))), expected, "{dialect:?}, {nulls:?}");
    }
}

#[test]
fn the_catalog_is_read_only_for_pages_that_depend_on_it() {
    let cursor = || Some(Cursor::at(CursorDirection::Next, Vec::new()));
    let first = interval(None, None);
    let needs = needs_catalog;
    for is_cached in [false, true] {
        let plain = query(Sqlite, true, 0, None);
        assert!(!needs(&plain, &first, is_cached));
        assert!(needs(&plain, &interval(cursor(), None), is_cached));
        assert!(needs(&plain, &interval(None, cursor()), is_cached));
        assert!(!needs(&query(Postgres, false, 0, None), &first, is_cached));
        assert_eq!(needs(&query(Postgres, true, 0, None), &first, is_cached), is_cached, "a plan may be kept");
        assert!(needs(&query(MySql, false, 0, None), &first, is_cached), "an index is named");
        assert!(needs(&query(Sqlite, false, 2, None), &first, is_cached), "a feed");
        assert!(needs(&query(Sqlite, false, 0, Some(Nulls::Last)), &first, is_cached), "NULLs at another end");
    }
}
