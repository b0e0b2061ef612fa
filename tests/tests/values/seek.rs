//! Pages that begin at a value: with the rows that have it in the database itself, or with those after it.

use folio::{Builder, CursorPaginator, Result};

use super::by_hand::{Column, ids};
use crate::server;
use crate::values::Keyed;

/// A page that begins at a value, or after it.
pub(crate) async fn sought<M: Keyed>(value: M::Value, inclusive: bool) -> Result<CursorPaginator<M>> {
    let list = Builder::<M>::new();
    let list = if inclusive { list.seek_inclusive(value) } else { list.seek(value) };
    list.cursor(None).cursor_paginate(100).await
}

/// At the value of each row of a column, a page begins where the database's own order and equality say.
pub(crate) async fn seeks<M: Keyed>(declared: &str, values: &[&str]) {
    let column = Column { pool: server::pool(1).await, declared, values };
    let (folio, rows) = column.rows::<M>().await;
    let list = folio.scope(Builder::<M>::new().cursor(None).cursor_paginate(100)).await.unwrap().data;
    for row in &rows {
        let same = column.equal_to(row.id()).await;
        let begin = list.iter().position(|row| same.contains(&row.id())).unwrap();
        for (inclusive, begin) in [(true, begin), (false, begin + same.len())] {
            let page = folio.scope(sought::<M>(row.value(), inclusive)).await;
            let page = page.unwrap_or_else(|error| panic!("{row:?} in {declared}: {error}"));
            assert_eq!(ids(&page.data), ids(&list[begin..]), "{row:?} in {declared}, {inclusive}");
            assert_eq!(page.prev_cursor.is_some(), begin > 0, "{row:?} in {declared}, {inclusive}");
        }
    }
}

impl Column<'_> {
    /// The rows whose value the database considers equal to that of a row.
    async fn equal_to(&self, id: i64) -> Vec<i64> {
        let value = format!("(SELECT v FROM t WHERE id = {id})");
        let sql = format!("SELECT id FROM t WHERE v = {value} OR v IS NULL AND {value} IS NULL");
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(&self.pool).await.unwrap()
    }
}
