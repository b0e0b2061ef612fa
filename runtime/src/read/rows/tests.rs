use folio_plan::boundary::BoundaryValue;
use folio_plan::cursor::CursorDirection;
use folio_plan::dialect::Dialect;
use folio_plan::statement::template::BoundSql;
use sea_query::Values;
use sqlx::Sqlite;

use super::*;
use crate::read::tests::{posts, query};

/// A window of all rows, or of those before a post.
fn window(before: Option<i64>) -> Window<Cursor> {
    let end = before.map(|id| Cursor::at(CursorDirection::Prev, vec![BoundaryValue::plain(id.into())]));
    Window { end, ..Window::first(2) }
}

/// Adds rows to a page of this window. Returns the error, and otherwise the page's ids and whether there is a row
/// after it that is within the window.
async fn added(window: &Window<Cursor>, sql: &'static str) -> Result<(Vec<i64>, Option<bool>), String> {
    let mut connection = posts::connect().await;
    let mut read = Vec::new();
    let take = |row| {
        read.push(row);
        Ok(())
    };
    connection.fetch(BoundSql::new(sql, Values(Vec::new())), 9, take).await.expect("the table exists");
    let query = query(Dialect::Sqlite, false, 0, None);
    let mut sink = posts::none();
    let mut rows = Rows::<Sqlite>::new(&mut sink, window);
    for row in read {
        rows.add(&query, row).map_err(|error| error.to_string())?;
    }
    let is_within = rows.extra.map(|extra| extra.is_within);
    Ok((sink.into_vec(), is_within))
}

#[tokio::test]
async fn a_page_ends_at_its_limit_or_at_the_end_of_its_window() {
    let all = window(None);
    assert_eq!(added(&all, "SELECT id FROM posts WHERE id < 3").await, Ok((vec![1, 2], None)));
    assert_eq!(added(&all, "SELECT id FROM posts").await, Ok((vec![1, 2], Some(true))));
    let before = window(Some(3));
    let marked = "SELECT id, CASE WHEN id < 3 THEN 1 END AS folio_within FROM posts";
    assert_eq!(added(&before, marked).await, Ok((vec![1, 2], Some(false))));
    let marked = "SELECT id, CASE WHEN id < 2 THEN 1 END AS folio_within FROM posts";
    assert_eq!(added(&before, marked).await, Ok((vec![1], Some(false))));
}

#[tokio::test]
async fn two_columns_of_a_name_are_refused_if_the_page_reads_one_of_its_own() {
    let twice = "SELECT id, 'a' AS title, 'b' AS title, 1 AS folio_within FROM posts WHERE id = 1";
    assert_eq!(added(&window(None), twice).await, Ok((vec![1], None)));
    let error = added(&window(Some(3)), twice).await.expect_err("the mark could be the table's own column");
    assert!(error.contains("title"), "{error}");
}
