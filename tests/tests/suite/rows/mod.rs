//! Rows of another shape than the table's: orders by columns that a row does not select, rows with some columns, and the
//! values of expressions.

mod cards;
mod hidden_orders;
mod with;

use std::fmt::Debug;

use folio::{CursorPaginator, Folio, Paginate, Query, QuerySource, Result};

use crate::server::{ID, TEXT};
use crate::suite::db::{self, Pool};

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "writers")]
struct Writer {
    id: i64,
    name: String,
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "essays")]
struct Essay {
    id: i64,
    writer: i64,
    name: String,
    grade: Option<i64>,
}

/// Five writers with eight essays each, whose ids are in another order than those of the writers.
async fn library() -> (Folio, Pool) {
    let writers: Vec<String> = (1..=5).map(|id| format!("({id}, 'writer {}')", id * 3 % 5)).collect();
    let essay = |at: i64| {
        let grade = if at % 3 == 0 { "NULL".to_owned() } else { (at % 4).to_string() };
        format!("({}, {}, 'essay {at:02}', {grade})", at * 7 % 41, at % 5 + 1)
    };
    let essays: Vec<String> = (1..=40).map(essay).collect();
    db::folio(&format!(
        "CREATE TABLE writers (id {ID}, name {TEXT} NOT NULL); INSERT INTO writers VALUES {};
         CREATE TABLE essays (id {ID}, writer BIGINT NOT NULL, name {TEXT} NOT NULL, grade BIGINT);
         CREATE INDEX essays_of_writer ON essays (writer, id); CREATE INDEX essays_by_name ON essays (writer, name, id);
         INSERT INTO essays VALUES {}",
        writers.join(", "),
        essays.join(", ")
    ))
    .await
}

/// The rows of all pages, forwards and then backwards.
pub(super) async fn walk<S: QuerySource<Row: Clone>>(
    list: impl Fn() -> Query<S>,
    per_page: u64,
) -> Result<[Vec<S::Row>; 2]> {
    let page = async |cursor: Option<&str>| -> Result<CursorPaginator<S::Row>> {
        list().cursor(cursor).cursor_paginate(per_page).await
    };
    let mut current = page(None).await?;
    let mut forwards = current.data.clone();
    while let Some(next) = current.next_cursor.clone() {
        assert!(forwards.len() < 500, "the walk does not end");
        current = page(Some(&next)).await?;
        forwards.extend(current.data.clone());
    }
    let mut backwards = current.data.clone();
    while let Some(prev) = current.prev_cursor.clone() {
        assert!(backwards.len() < 500, "the walk does not end");
        current = page(Some(&prev)).await?;
        backwards.splice(0..0, current.data.clone()).for_each(drop);
    }
    Ok([forwards, backwards])
}

/// Checks that each kind of page has the expected rows. `value` is what is compared of a row.
async fn check<S: QuerySource<Row: Clone>, V: PartialEq + Debug>(
    list: impl Fn() -> Query<S>,
    expected: &[V],
    value: impl Fn(&S::Row) -> V,
    what: &str,
) {
    let values = |rows: &[S::Row]| rows.iter().map(&value).collect::<Vec<_>>();
    for per_page in [1, 7, 100] {
        let [forwards, backwards] =
            walk(&list, per_page).await.unwrap_or_else(|error| panic!("{what}, {per_page} rows a page: {error}"));
        assert_eq!(values(&forwards), expected, "{what}, {per_page} rows a page");
        assert_eq!(values(&backwards), expected, "{what}, {per_page} rows a page, backwards");
    }
    let (mut numbered, mut simple) = (Vec::new(), Vec::new());
    for page in 1..=7 {
        let counted = list().page(page).paginate(7).await.unwrap();
        assert_eq!(counted.total, expected.len() as u64, "{what}");
        numbered.extend(values(&counted.data));
        simple.extend(values(&list().page(page).simple_paginate(7).await.unwrap().data));
    }
    assert_eq!((&*numbered, &*simple), (expected, expected), "{what}, by number");
    let counted = list().counted().cursor_paginate(3).await.unwrap();
    assert_eq!(counted.total.unwrap().rows(), expected.len() as u64, "{what}");
    assert_eq!(list().first().await.unwrap().as_ref().map(&value).as_ref(), expected.first(), "{what}");
    assert_eq!(list().count().await.unwrap(), expected.len() as u64, "{what}");
}
