use folio_plan::dialect::Dialect::{MySql, Postgres, Sqlite};
use folio_plan::schema::table::Nulls;

use super::*;
use crate::read::tests::{ENABLED, query};

fn window(start: Option<Cursor>, end: Option<Cursor>) -> Window<Cursor> {
    Window { start, end, ..Window::first(9) }
}

#[test]
fn texts_are_checked_only_if_several_selects_make_a_page() {
    for &dialect in ENABLED {
        assert!(!query(dialect, true, 0, None).has_columns_to_check(), "{dialect:?}");
    }
    // PostgreSQL's index has NULLs last, and the other databases' have them first.
    for (dialect, nulls, expected) in [
        (Postgres, Nulls::Last, false),
        (Postgres, Nulls::First, true),
        (Sqlite, Nulls::First, false),
        (Sqlite, Nulls::Last, true),
    ] {
        if !ENABLED.contains(&dialect) {
            continue;
        }
        assert_eq!(query(dialect, false, 0, Some(nulls)).has_columns_to_check(), expected, "{dialect:?}, {nulls:?}");
    }
}

#[test]
fn the_catalog_is_read_only_for_pages_that_depend_on_it() {
    let needs = |query: &KeysetQuery, has_boundary, is_cached| query.table_to_learn(has_boundary, is_cached).is_some();
    for is_cached in [false, true] {
        for &dialect in ENABLED {
            let (plain, filtered) = (query(dialect, false, 0, None), query(dialect, true, 0, None));
            let names_index = dialect == MySql;
            // PostgreSQL may be Citus, where a literal limit would be that of each server.
            let has_literal_limit = is_cached && dialect == Postgres;
            assert_eq!(needs(&plain, false, is_cached), names_index || has_literal_limit, "{dialect:?}");
            assert_eq!(needs(&filtered, false, is_cached), is_cached || names_index, "a plan may be kept");
            assert!(needs(&plain, true, is_cached));
            assert!(needs(&query(dialect, false, 2, None), false, is_cached), "a feed");
            let nulls = if dialect == Postgres { Nulls::First } else { Nulls::Last };
            assert!(needs(&query(dialect, false, 0, Some(nulls)), false, is_cached), "NULLs at another end");
        }
    }
}

#[cfg(feature = "sqlite")]
mod on_sqlite {
    use super::*;
    use crate::read::tests::posts;

    fn at(direction: CursorDirection, id: i64) -> Cursor {
        Cursor::at(direction, vec![BoundaryValue::plain(id.into())])
    }

    /// The page of a window of the posts.
    async fn read(window: &Window<Cursor>) -> WindowPage<Cursor> {
        let (mut connection, query) = (posts::connect().await, query(Sqlite, false, 0, None));
        let mut rows = posts::none();
        let mut reader = PageReader { connection: &mut connection, query: &query, window };
        let page = reader.read(&mut rows).await.expect("the table exists");
        assert!(rows.into_vec().is_empty());
        *page
    }

    #[tokio::test]
    async fn an_empty_page_leads_back_to_the_rows_before_it() {
        use CursorDirection::{Next, Prev};
        // The row that the cursor was made from was deleted.
        let page = read(&window(Some(at(Next, 7)), None)).await;
        assert_eq!((page.next, page.prev), (None, Some(Cursor { inclusive: true, ..at(Prev, 7) })));
        let page = read(&Window { direction: Prev, ..window(Some(at(Prev, 0)), None) }).await;
        assert_eq!((page.next, page.prev), (Some(Cursor { inclusive: true, ..at(Next, 0) }), None));
        // All rows were skipped.
        let skipped = Window { skip: 3, ..window(None, None) };
        let page = read(&skipped).await;
        assert_eq!((page.next, page.prev), (None, Some(Cursor { inclusive: true, ..at(Prev, 3) })));
        let page = read(&Window { direction: Prev, ..skipped }).await;
        assert_eq!((page.next, page.prev), (Some(Cursor { inclusive: true, ..at(Next, 1) }), None));
    }

    #[tokio::test]
    async fn the_catalog_is_read_if_the_page_depends_on_it() {
        let (mut connection, query) = (posts::connect().await, query(Sqlite, false, 0, None));
        for (after, is_asked) in [(None, false), (Some(at(CursorDirection::Next, 1)), true)] {
            let window = window(after, None);
            let mut reader = PageReader { connection: &mut connection, query: &query, window: &window };
            let order = reader.order().await.expect("the catalog is readable");
            assert_eq!(order.info().is_some(), is_asked, "{order:?}");
        }
    }
}
