//! Walks by one column: a table `t` whose column `v` has any type that the database knows. Its rows are in ten groups,
//! by the column `g`.

pub(crate) mod by_hand;
mod cases;
pub(crate) mod found;
pub(crate) mod models;
pub(crate) mod seek;

use std::fmt::Debug;

use folio::{
    Builder, Column, CursorDirection, CursorPaginator, CursorValue, Folio, IntoOrder as _, Key, Keyring, Model, Order,
    Pagination, Result,
};
use sea_query::Query;
use sqlx::QueryBuilder;

use crate::server::{Driver, ID};
use crate::suite::db::{self, Pool};

/// The number of rows of a table. The last page is not full, and a few values tie over several pages.
pub(crate) const ROWS: usize = 203;
pub(crate) const PER_PAGE: usize = 13;

/// A model of the table `t`.
pub(crate) trait Keyed: Model + Debug + 'static {
    /// The type of `v`.
    type Value: CursorValue;
    /// The order of the model.
    const KEY: &'static str;
    fn id(&self) -> i64;
    fn value(&self) -> Self::Value;
    /// A cursor from the row's key alone.
    fn sealed(&self, direction: CursorDirection) -> Result<String>;
    /// Whether a cursor decodes to the row's own key.
    fn is_at(&self, cursor: &str, direction: CursorDirection) -> bool;
}

/// An application, and its database with the table `t`.
pub(crate) struct Table {
    pub(crate) folio: Folio,
    pub(crate) pool: Pool,
}

impl Table {
    /// The table with `v` declared as `declared`, an index over `index`, and `ROWS` rows that repeat the values, which
    /// are SQL.
    pub(crate) async fn new(pool: Pool, declared: &str, index: &str, values: &[impl AsRef<str>]) -> Self {
        let table = Self::empty(pool, declared, index).await;
        let row = |(row, value): (usize, &str)| format!("({}, {value}, {})", id(row), group(row));
        let rows: Vec<String> = values.iter().map(AsRef::as_ref).cycle().take(ROWS).enumerate().map(row).collect();
        db::run(&table.pool, format!("INSERT INTO t VALUES {}", rows.join(", "))).await;
        table
    }

    /// The same with values that sqlx binds.
    pub(crate) async fn bound<T>(pool: Pool, declared: &str, values: Vec<T>) -> Self
    where
        T: for<'q> sqlx::Encode<'q, Driver> + sqlx::Type<Driver> + Clone + Send + 'static,
    {
        let table = Self::empty(pool, declared, "v, id").await;
        let mut insert = QueryBuilder::<Driver>::new("INSERT INTO t (id, v, g) ");
        insert.push_values(values.into_iter().cycle().take(ROWS).enumerate(), |mut values, (row, value)| {
            values.push_bind(id(row)).push_bind(value).push_bind(group(row));
        });
        insert.build().execute(&table.pool).await.unwrap();
        table
    }

    async fn empty(pool: Pool, declared: &str, index: &str) -> Self {
        db::run(&pool, format!("CREATE TABLE t (id {ID}, v {declared}, g BIGINT NOT NULL DEFAULT 0)")).await;
        db::run(&pool, format!("CREATE INDEX t_v ON t ({index})")).await;
        db::run(&pool, format!("CREATE INDEX t_g ON t (g, {index})")).await;
        let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
        Self { folio, pool }
    }

    /// The ids in the order of the database itself.
    pub(crate) async fn sorted(&self, order: &str) -> Vec<i64> {
        let sql = format!("SELECT id FROM t ORDER BY {order}");
        let ids: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(&self.pool).await.unwrap();
        assert_eq!(ids.len(), ROWS);
        ids
    }

    /// Walks by `v` in every direction, with the model and without: each row is seen once, in the database's own order.
    /// And walks by the rows of single values.
    pub(crate) async fn walks<M: Keyed>(&self) {
        self.walks_unfiltered::<M>().await;
        self.walks_of_values::<M>().await;
    }

    /// The same as [`walks`](Self::walks), for values that a filter has to cast.
    pub(crate) async fn walks_unfiltered<M: Keyed>(&self) {
        let own = own_order::<M>();
        self.walks_of::<M>(&own, async |cursor| of_own_order::<M>(cursor).await).await;
        for (order, sql) in orders::<M>() {
            self.walks_of::<M>(&sql, async |cursor| of_model::<M>(&order, cursor).await).await;
        }
        // No index has the mixed orders, so a feed in these is a list with a filter.
        for (order, sql) in orders::<M>().into_iter().take(2) {
            self.walks_of::<M>(&sql, async |cursor| of_feed::<M>(&order, cursor).await).await;
        }
        self.walks_of_select::<M>().await;
    }

    /// Walks by the rows that have the same value, for several values. A numbered list has the same rows.
    async fn walks_of_values<M: Keyed>(&self) {
        let (value, order) = (Column::<M::Value>::new("v"), Column::<i64>::new("id").erased());
        let case = format!("the rows with a {}", std::any::type_name::<M::Value>());
        let work = async {
            let rows = Builder::<M>::new().page(1).paginate(u64::MAX).await?.data;
            for row in rows.iter().step_by(29) {
                let list = || Builder::<M>::new().filter(value.eq(row.value()));
                let expected = ids(&list().order_by(order.clone()).page(1).paginate(u64::MAX).await?.data);
                if !expected.is_empty() {
                    walk(async |cursor| of_query(list(), &order, cursor).await, &expected, &case).await?;
                }
            }
            Ok::<_, folio::FrameworkError>(())
        };
        self.folio.scope(work).await.unwrap_or_else(|error| panic!("{case}: {error}"));
    }

    /// The same as [`walks`](Self::walks), without the model only.
    pub(crate) async fn walks_of_select<M: Keyed>(&self) {
        for (order, sql) in orders::<M>() {
            self.walks_of::<M>(&sql, async |cursor| of_select(&order, cursor).await).await;
        }
    }

    async fn walks_of<M: Keyed>(&self, sql: &str, page: impl AsyncFn(Option<&str>) -> Result<Page>) {
        let expected = self.sorted(sql).await;
        let case = format!("{} by {sql}", std::any::type_name::<M::Value>());
        let walked = self.folio.scope(walk(page, &expected, &case)).await;
        walked.unwrap_or_else(|error| panic!("{case}: {error}"));
    }

    /// The same as [`walks`](Self::walks), and a cursor from a row's key continues after and before the row.
    pub(crate) async fn walks_by_hand<M: Keyed>(&self) {
        self.walks::<M>().await;
        let expected = self.sorted(&own_order::<M>()).await;
        let work = async {
            let rows = Builder::<M>::new().page(1).paginate(u64::MAX).await.unwrap().data;
            for row in rows.iter().step_by(11) {
                let at = expected.iter().position(|id| *id == row.id()).unwrap();
                let next = own_page::<M>(Some(&row.sealed(CursorDirection::Next).unwrap())).await.unwrap();
                assert_eq!(ids(&next.data), expected[at + 1..(at + 1 + PER_PAGE).min(ROWS)], "after {row:?}");
                let prev = own_page::<M>(Some(&row.sealed(CursorDirection::Prev).unwrap())).await.unwrap();
                assert_eq!(ids(&prev.data), expected[at.saturating_sub(PER_PAGE)..at], "before {row:?}");
            }
        };
        self.folio.scope(work).await;
    }
}

/// The id of a row, which is unrelated to its value.
fn id(row: usize) -> i64 {
    i64::try_from((row * 7_919) % 10_007).unwrap() - 5_000
}

/// The group of a row.
fn group(row: usize) -> i64 {
    i64::try_from(row / 7 % 10).unwrap()
}

/// The values, and NULLs.
pub(crate) fn nullable<'a>(values: &[&'a str]) -> Vec<&'a str> {
    [values, &["NULL", "NULL"]].concat()
}

const NULLS_FIRST: &str = "CASE WHEN v IS NULL THEN 0 ELSE 1 END";
const NULLS_LAST: &str = "CASE WHEN v IS NULL THEN 1 ELSE 0 END";

/// The model's order in terms that every database has.
fn own_order<M: Keyed>() -> String {
    let nulls = if M::KEY.ends_with("nulls first") { NULLS_FIRST } else { NULLS_LAST };
    let direction = if M::KEY.contains(" desc") { "DESC" } else { "ASC" };
    format!("{nulls}, v {direction}, id {direction}")
}

/// Orders by `v`, and the same in terms that every database has.
pub(crate) fn orders<M: Keyed>() -> Vec<(Order, String)> {
    let (v, id) = (Column::<M::Value>::new("v"), Column::<i64>::new("id"));
    let orders = [
        (v.asc().nulls_first().erased().then(id), format!("{NULLS_FIRST}, v ASC, id ASC")),
        (v.desc().nulls_first().erased().then(id.desc()), format!("{NULLS_FIRST}, v DESC, id DESC")),
        (v.desc().nulls_last().erased().then(id), format!("{NULLS_LAST}, v DESC, id ASC")),
        (v.asc().nulls_last().erased().then(id.desc()), format!("{NULLS_LAST}, v ASC, id DESC")),
    ];
    orders.into()
}

/// A page's ids, and the cursors to the next and to the previous page.
pub(crate) type Page = (Vec<i64>, Option<String>, Option<String>);

pub(crate) async fn own_page<M: Keyed>(cursor: Option<&str>) -> Result<CursorPaginator<M>> {
    Builder::<M>::new().cursor(cursor).cursor_paginate(PER_PAGE as u64).await
}

/// A page in the model's own order. Its cursors decode to the keys of its first and last row.
async fn of_own_order<M: Keyed>(cursor: Option<&str>) -> Result<Page> {
    let page = own_page::<M>(cursor).await?;
    if let (Some(next), Some(last)) = (&page.next_cursor, page.data.last()) {
        assert!(last.is_at(next, CursorDirection::Next), "{last:?} {next}");
    }
    if let (Some(prev), Some(first)) = (&page.prev_cursor, page.data.first()) {
        assert!(first.is_at(prev, CursorDirection::Prev), "{first:?} {prev}");
    }
    Ok((ids(&page.data), page.next_cursor, page.prev_cursor))
}

pub(crate) async fn of_model<M: Keyed>(order: &Order, cursor: Option<&str>) -> Result<Page> {
    of_query(Builder::<M>::new(), order, cursor).await
}

/// A page of all groups, each of which may be read by itself.
async fn of_feed<M: Keyed>(order: &Order, cursor: Option<&str>) -> Result<Page> {
    of_query(Builder::<M>::new().among(Column::<i64>::new("g"), 0..10_i64), order, cursor).await
}

async fn of_query<M: Keyed>(query: Builder<M>, order: &Order, cursor: Option<&str>) -> Result<Page> {
    let page = query.cursor_by(order.clone()).cursor(cursor).cursor_paginate(PER_PAGE as u64).await?;
    Ok((ids(&page.data), page.next_cursor, page.prev_cursor))
}

pub(crate) async fn of_select(order: &Order, cursor: Option<&str>) -> Result<Page> {
    of_rows(Query::select().column("id").from("t").take(), order, cursor).await
}

/// A page of a select of ids.
pub(crate) async fn of_rows(
    select: sea_query::SelectStatement,
    order: &Order,
    cursor: Option<&str>,
) -> Result<Page> {
    let page = Pagination::cursor::<(i64,)>(select, cursor, PER_PAGE as u64, order.clone()).await?;
    Ok((page.data.into_iter().map(|(id,)| id).collect(), page.next_cursor, page.prev_cursor))
}

pub(crate) fn ids<M: Keyed>(rows: &[M]) -> Vec<i64> {
    rows.iter().map(Keyed::id).collect()
}

/// Walks to the end and back. Every page is a slice of `expected`, and has a cursor on each side that has more rows.
pub(crate) async fn walk(
    page: impl AsyncFn(Option<&str>) -> Result<Page>,
    expected: &[i64],
    case: &str,
) -> Result<()> {
    let pages: Vec<&[i64]> = expected.chunks(PER_PAGE).collect();
    let last = pages.len() - 1;
    let (mut next, mut prev) = (None, None);
    for (at, ids) in pages.iter().enumerate() {
        let (rows, on, back) = page(next.as_deref()).await?;
        assert_eq!((rows.as_slice(), on.is_some(), back.is_some()), (*ids, at < last, at > 0), "{case}, page {at}");
        (next, prev) = (on, back);
    }
    for (at, ids) in pages.iter().enumerate().rev().skip(1) {
        let (rows, on, back) = page(prev.as_deref()).await?;
        let found = (rows.as_slice(), on.is_some(), back.is_some());
        assert_eq!(found, (*ids, true, at > 0), "{case}, page {at} backwards");
        prev = back;
    }
    Ok(())
}

/// The error names the column and contains these words.
#[track_caller]
pub(crate) fn assert_refused(error: folio::FrameworkError, words: &[&str], case: &str) {
    assert!(matches!(error, folio::FrameworkError::Database(_)), "{case}: {error:?}");
    let message = error.to_string();
    for word in words.iter().chain(&["\"v\""]) {
        assert!(message.contains(word), "{case}: {word} is not in: {message}");
    }
}
