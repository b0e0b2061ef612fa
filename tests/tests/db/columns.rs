//! Walks by one column: of a table `t` whose column `v` has any type that the server knows.

use std::fmt::Debug;

use folio::{
    Builder, Column, CursorDirection, CursorOrder as _, CursorValue, ErasedOrder, Folio, FrameworkError, Key, Keyring,
    Model, Pagination, Result,
};
use sea_query::Query;

use crate::suite::db::{self, Pool};

/// A model of the table `t`.
pub(crate) trait Keyed: Model + Debug + 'static {
    /// The type of `v`.
    type Value: CursorValue;
    fn id(&self) -> i64;
    /// A cursor from the row's key alone.
    fn sealed(&self, direction: CursorDirection) -> Result<String>;
}

/// Models of `t` by the type of `v`, and their cursor keys.
macro_rules! keyed {
    ($($model:ident: $(#[$attribute:meta])? $type:ty = $key:literal;)*) => {$(
        #[derive(Debug, Clone, PartialEq, sqlx::FromRow, folio::Paginate)]
        #[paginate(table = "t", cursor_key = $key)]
        struct $model {
            id: i64,
            $(#[$attribute])?
            v: $type,
        }

        impl $crate::columns::Keyed for $model {
            type Value = $type;

            fn id(&self) -> i64 {
                self.id
            }

            fn sealed(&self, direction: folio::CursorDirection) -> folio::Result<String> {
                self.cursor_key().encode(direction)
            }
        }
    )*};
}
pub(crate) use keyed;

/// How many rows a table has. The last page is not full, and where there are few values, they tie over several pages.
const ROWS: usize = 203;
const PER_PAGE: u64 = 13;

/// An application, and its database with the table `t`.
pub(crate) struct Table {
    pub(crate) folio: Folio,
    pub(crate) pool: Pool,
}

impl Table {
    /// The table with a `v` that is declared as `declared`, an index over `index`, and `ROWS` rows with the values, which
    /// are in SQL, in turn.
    pub(crate) async fn new(pool: Pool, declared: &str, index: &str, values: &[impl AsRef<str>]) -> Self {
        // Ids say nothing about the values.
        let id = |row: usize| i64::try_from((row * 7_919) % 10_007).unwrap() - 5_000;
        let row = |(row, value): (usize, &str)| format!("({}, {value})", id(row));
        let rows: Vec<String> = values.iter().map(AsRef::as_ref).cycle().take(ROWS).enumerate().map(row).collect();
        db::run(&pool, format!("CREATE TABLE t (id BIGINT PRIMARY KEY, v {declared})")).await;
        db::run(&pool, format!("INSERT INTO t VALUES {}", rows.join(", "))).await;
        db::run(&pool, format!("CREATE INDEX t_v ON t ({index})")).await;
        let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
        Self { folio, pool }
    }

    /// The ids in the order that the database itself gives them.
    async fn sorted(&self, order: &str) -> Vec<i64> {
        let sql = format!("SELECT id FROM t ORDER BY {order}");
        let ids: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(&self.pool).await.unwrap();
        assert_eq!(ids.len(), ROWS);
        ids
    }

    /// Walks by `v` in every direction, with the model and without: each row is seen once, in the database's own order.
    pub(crate) async fn walks<M: Keyed>(&self) {
        self.walks_of::<M>(async |order, cursor| of_model::<M>(order, cursor).await).await;
        self.walks_of_select::<M>().await;
    }

    /// As [`walks`](Self::walks), without the model only.
    pub(crate) async fn walks_of_select<M: Keyed>(&self) {
        self.walks_of::<M>(async |order, cursor| of_select(order, cursor).await).await;
    }

    async fn walks_of<M: Keyed>(&self, page: impl AsyncFn(&ErasedOrder, Option<&str>) -> Result<Page>) {
        for (order, sql) in orders::<M>() {
            let expected = self.sorted(&sql).await;
            let walked = self.folio.scope(walk(async |cursor| page(&order, cursor).await)).await;
            let case = format!("{} by {sql}", std::any::type_name::<M::Value>());
            let [forwards, backwards] = walked.unwrap_or_else(|error| panic!("{case}: {error}"));
            assert_eq!(forwards, expected, "{case}");
            assert_eq!(backwards, expected, "{case}, backwards");
        }
    }

    /// The first page by `v` is refused, with the model and without, in an error that has these words.
    pub(crate) async fn refuses<M: Keyed>(&self, words: &[&str]) {
        self.refuses_of_model::<M>(words).await;
        for (order, sql) in orders::<M>() {
            assert_refused(self.folio.scope(of_select(&order, None)).await.unwrap_err(), words, &sql);
        }
    }

    /// As [`refuses`](Self::refuses), with the model only.
    pub(crate) async fn refuses_of_model<M: Keyed>(&self, words: &[&str]) {
        for (order, sql) in orders::<M>() {
            assert_refused(self.folio.scope(of_model::<M>(&order, None)).await.unwrap_err(), words, &sql);
            self.sorted(&sql).await;
        }
    }

    /// The walk is right up to the page that is refused, with the model and without, in an error that has these words.
    pub(crate) async fn meets<M: Keyed>(&self, words: &[&str]) {
        for (order, sql) in orders::<M>() {
            let expected = self.sorted(&sql).await;
            let of_model = self.folio.scope(stops(async |cursor| of_model::<M>(&order, cursor).await)).await;
            let of_select = self.folio.scope(stops(async |cursor| of_select(&order, cursor).await)).await;
            for (seen, error) in [of_model, of_select] {
                assert!(expected.starts_with(&seen), "by {sql}: {seen:?}");
                assert_refused(error, words, &sql);
            }
        }
    }
}

/// Orders by `v`, and the same in words that every database has.
fn orders<M: Keyed>() -> Vec<(ErasedOrder, String)> {
    let (v, id) = (Column::<M::Value>::new("v"), Column::<i64>::new("id"));
    let (first, last) = ("CASE WHEN v IS NULL THEN 0 ELSE 1 END", "CASE WHEN v IS NULL THEN 1 ELSE 0 END");
    let orders = [
        (v.asc().nulls_first().erased().then(id), format!("{first}, v ASC, id ASC")),
        (v.desc().nulls_first().erased().then(id.desc()), format!("{first}, v DESC, id DESC")),
        (v.desc().nulls_last().erased().then(id), format!("{last}, v DESC, id ASC")),
        (v.asc().nulls_last().erased().then(id.desc()), format!("{last}, v ASC, id DESC")),
    ];
    orders.into()
}

/// A page's ids, and the cursors to the next and to the previous one.
type Page = (Vec<i64>, Option<String>, Option<String>);

async fn of_model<M: Keyed>(order: &ErasedOrder, cursor: Option<&str>) -> Result<Page> {
    let page = Builder::<M>::new().cursor_by(order.clone()).cursor(cursor).cursor_paginate(PER_PAGE).await?;
    Ok((page.data.iter().map(Keyed::id).collect(), page.next_cursor, page.prev_cursor))
}

async fn of_select(order: &ErasedOrder, cursor: Option<&str>) -> Result<Page> {
    let select = Query::select().column("id").from("t").take();
    let page = Pagination::cursor::<(i64,)>(select, cursor, PER_PAGE, order.clone()).await?;
    Ok((page.data.into_iter().map(|(id,)| id).collect(), page.next_cursor, page.prev_cursor))
}

/// All ids on the way to the end, and all on the way back from there.
async fn walk(page: impl AsyncFn(Option<&str>) -> Result<Page>) -> Result<[Vec<i64>; 2]> {
    let (mut forwards, mut next, mut prev) = page(None).await?;
    let mut backwards = forwards.clone();
    while let Some(cursor) = next {
        assert!(forwards.len() < ROWS, "the walk goes in circles");
        (backwards, next, prev) = page(Some(&cursor)).await?;
        forwards.extend(&backwards);
    }
    while let Some(cursor) = prev {
        assert!(backwards.len() < ROWS, "the walk back goes in circles");
        let (ids, _, further) = page(Some(&cursor)).await?;
        backwards.splice(0..0, ids);
        prev = further;
    }
    Ok([forwards, backwards])
}

/// The ids up to the page that is refused, and its error.
async fn stops(page: impl AsyncFn(Option<&str>) -> Result<Page>) -> (Vec<i64>, FrameworkError) {
    let mut seen = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        assert!(seen.len() <= ROWS, "the walk goes in circles");
        match page(cursor.as_deref()).await {
            Ok((ids, next, _)) => {
                seen.extend(ids);
                cursor = Some(next.expect("a page is refused"));
            }
            Err(error) => return (seen, error),
        }
    }
}

/// The error names the column, and has these words.
#[track_caller]
fn assert_refused(error: FrameworkError, words: &[&str], case: &str) {
    assert!(matches!(error, FrameworkError::Database(_)), "{case}: {error:?}");
    let message = error.to_string();
    for word in words.iter().chain(&["\"v\""]) {
        assert!(message.contains(word), "{case}: {word} is not in: {message}");
    }
}
