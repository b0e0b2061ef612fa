//! The derive's attributes, including those of sqlx, on a table.

use std::collections::BTreeMap;

use folio::{Column, CursorDirection, CursorValue, ExprTrait, IntoOrder, Paginate, Variant, sea_query};

use crate::server::{ID, JSON, TEXT};
use crate::suite::db::{self, quoted};

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[sqlx(rename_all = "camelCase")]
#[paginate(table = "odd names", cursor_key = "published_on desc, r#type")]
struct Odd {
    #[paginate(primary_key)]
    tenant_id: i64,
    #[paginate(primary_key)]
    r#type: String,
    #[sqlx(rename = "when?")]
    published_on: i32,
    #[sqlx(json)]
    tags: Vec<String>,
    #[sqlx(skip)]
    computed: u8,
    #[sqlx(default)]
    query: Option<String>,
    #[sqlx(try_from = "i64")]
    level: Level,
}

#[derive(Debug, Clone, PartialEq)]
struct Level(u8);

impl TryFrom<i64> for Level {
    type Error = std::num::TryFromIntError;

    fn try_from(level: i64) -> Result<Self, Self::Error> {
        level.try_into().map(Self)
    }
}

fn odd() -> String {
    let [table, tenant, kind, when, query, level, other] =
        ["odd names", "tenantId", "type", "when?", "query", "level", "not in the model"].map(quoted);
    format!(
        "CREATE TABLE {table} ({tenant} BIGINT NOT NULL, {kind} {TEXT} NOT NULL, {when} INTEGER NOT NULL, \
         tags {JSON} NOT NULL, {query} {TEXT}, {level} BIGINT NOT NULL, {other} INTEGER, PRIMARY KEY ({tenant}, {kind}))"
    )
}

#[tokio::test]
async fn sqlx_attributes_are_honoured() {
    let (folio, pool) = db::folio(&odd()).await;
    for (tenant, kind, when) in [(1, "a", 5), (1, "b", 5), (2, "a", 5), (2, "b", 9)] {
        let row = format!(r#"({tenant}, '{kind}', {when}, '["x"]', NULL, 3, 0)"#);
        db::run(&pool, format!("INSERT INTO {} VALUES {row}", quoted("odd names"))).await;
    }
    let check = async {
        let page = Odd::query().filter(Odd::TYPE.eq("a").or(Odd::PUBLISHED_ON.gt(8))).paginate(5).await.unwrap();
        assert_eq!(page.total, 3);
        let odd = &page.data[0];
        assert_eq!((odd.tags.as_slice(), odd.computed, &odd.level), (["x".to_owned()].as_slice(), 0, &Level(3)));

        let mut seen = Vec::new();
        let mut cursor = None;
        loop {
            let page = Odd::query().cursor(cursor.as_deref()).cursor_paginate(1).await.unwrap();
            seen.extend(page.data.iter().map(|odd| (odd.published_on, odd.r#type.clone(), odd.tenant_id)));
            assert!(seen.len() <= 4, "the walk goes in circles");
            let Some(next) = page.next_cursor else { break };
            let (key, direction) = OddKey::decode(&next).unwrap();
            assert_eq!((key, direction), (page.data[0].cursor_key(), CursorDirection::Next));
            cursor = Some(next);
        }
        let expected = [(9, "b", 2), (5, "a", 1), (5, "a", 2), (5, "b", 1)];
        assert_eq!(seen, expected.map(|(when, kind, tenant)| (when, kind.to_owned(), tenant)));
        assert_eq!(OddKey::VARIANTS, [Variant::Int, Variant::String, Variant::BigInt]);
    };
    folio.scope(check).await;
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
struct Times {
    created: i64,
    updated: i64,
}

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "rank desc nulls last")]
struct Entry {
    id: i64,
    rank: Option<i32>,
    #[sqlx(flatten)]
    times: Times,
}

/// A table of entries: their id, when they were created, their rank.
async fn entries(rows: impl Iterator<Item = (i64, i64, Option<i64>)>) -> (folio::Folio, db::Pool) {
    let rank = quoted("rank");
    let schema = format!("CREATE TABLE entries (id {ID}, created BIGINT, updated BIGINT, {rank} INTEGER)");
    let (folio, pool) = db::folio(&schema).await;
    let row = |(id, created, rank): (i64, i64, Option<i64>)| {
        format!("({id}, {created}, {}, {})", -id, rank.map_or("NULL".to_owned(), |rank| rank.to_string()))
    };
    let rows: Vec<String> = rows.map(row).collect();
    db::run(&pool, format!("INSERT INTO entries VALUES {}", rows.join(", "))).await;
    (folio, pool)
}

#[tokio::test]
async fn a_flattened_model_selects_all_columns() {
    let (folio, _pool) = entries((0..9).map(|id| (id, id, (id % 3 != 0).then_some(id % 3)))).await;
    let check = async {
        let first = Entry::cursor_paginate(4).await.unwrap();
        let second = Entry::query().cursor(first.next_cursor.as_deref()).cursor_paginate(5).await.unwrap();
        let seen: Vec<i64> = first.data.iter().chain(&second.data).map(|entry| entry.id).collect();
        assert_eq!(seen, [8, 5, 2, 7, 4, 1, 6, 3, 0]);
        assert_eq!(second.data[0].times, Times { created: 4, updated: -4 });
        let back = Entry::query().cursor(second.prev_cursor.as_deref()).cursor_paginate(4).await.unwrap();
        assert_eq!(back.data, first.data);
    };
    folio.scope(check).await;
}

/// A key type of the application.
#[derive(Debug, Clone, Copy, PartialEq, sqlx::Type)]
#[sqlx(transparent)]
struct UserId(i64);

impl CursorValue for UserId {
    const VARIANT: Variant = Variant::BigInt;

    fn into_value(self) -> folio::Value {
        self.0.into_value()
    }

    fn from_value(value: folio::Value) -> Option<Self> {
        i64::from_value(value).map(Self)
    }
}

#[derive(Debug, sqlx::FromRow, Paginate)]
struct User {
    id: UserId,
}

#[tokio::test]
async fn a_newtype_can_be_the_key() {
    let (folio, pool) = db::folio(&format!("CREATE TABLE users (id {ID})")).await;
    db::run(&pool, "INSERT INTO users VALUES (1), (2), (3)").await;
    let check = async {
        let page = User::query().filter(User::ID.gt(UserId(1))).cursor_paginate(1).await.unwrap();
        assert_eq!(page.data[0].id, UserId(2));
        let page = User::query().cursor(page.next_cursor.as_deref()).cursor_paginate(1).await.unwrap();
        assert_eq!(page.data[0].id, UserId(3));
    };
    folio.scope(check).await;
}

/// Its key is declared as the primary key, but two rows of the table can have the same.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "covers", primary_key = "artist")]
struct Cover {
    artist: i32,
    year: i32,
}

#[tokio::test]
async fn a_page_that_ends_between_rows_with_the_same_primary_key_is_refused() {
    let (folio, pool) = db::folio("CREATE TABLE covers (artist INTEGER NOT NULL, year INTEGER NOT NULL)").await;
    db::run(&pool, "INSERT INTO covers VALUES (1, 1970), (2, 1980), (2, 1990), (3, 2000)").await;
    let check = async {
        let error = Cover::cursor_paginate(2).await.unwrap_err().to_string();
        assert!(error.contains("rows tie in the cursor order (artist), so a page would lose one"), "{error}");
        assert!(
            error.contains("its primary key is not unique: name the columns that are with `primary_key`"),
            "{error}"
        );

        let page = Cover::cursor_paginate(3).await.unwrap();
        assert_eq!(page.data.iter().map(|cover| cover.artist).collect::<Vec<_>>(), [1, 2, 2]);
        let page = Cover::query().cursor(page.next_cursor.as_deref()).cursor_paginate(3).await.unwrap();
        assert_eq!(page.data.iter().map(|cover| cover.year).collect::<Vec<_>>(), [2000]);
    };
    folio.scope(check).await;
}

/// The facade appends the primary key of the model whose columns are in an order, and refuses to lose a row.
#[tokio::test]
async fn selects_without_a_model_walk_too() {
    let (folio, pool) = entries((0..50).map(|id| (id, id / 10, (id % 4 != 0).then_some(id % 2)))).await;
    let check = async {
        // The order's column is neither selected nor unique, and the statement has an OR and an order.
        let select = sea_query::Query::select()
            .column("id")
            .from("entries")
            .and_where(sea_query::Expr::col("created").eq(1).or(sea_query::Expr::col("created").gt(2)))
            .order_by("updated", sea_query::Order::Asc)
            .take();
        let by_rank = Entry::RANK.desc().nulls_last();
        let rank = quoted("rank");
        let sql = format!(
            "SELECT id FROM entries WHERE created = 1 OR created > 2 \
             ORDER BY CASE WHEN {rank} IS NULL THEN 1 ELSE 0 END, {rank} DESC, id DESC"
        );
        let expected: Vec<(i64,)> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&pool).await.unwrap();
        assert_eq!(walk::<(i64,)>(&select, by_rank).await, expected);

        let bare = Column::<Option<i32>>::new("rank").desc().nulls_last();
        let error = folio::Pagination::cursor::<(i64,)>(select.clone(), None, 4, bare).await.unwrap_err();
        assert!(error.to_string().contains("rows tie in the cursor order (rank)"), "{error}");
        assert!(error.to_string().contains("end the order with columns that tell all rows apart"), "{error}");
        assert_eq!(walk::<(i64,)>(&select, (bare, Column::<i64>::new("id").desc())).await, expected);

        // A select with more than FROM and WHERE is walked as a subquery.
        let grouped = sea_query::Query::select()
            .column("created")
            .expr_as(sea_query::Func::count(sea_query::Expr::col("id")), "rows")
            .from("entries")
            .group_by_col("created")
            .order_by("created", sea_query::Order::Asc)
            .take();
        let page = folio::Pagination::length_aware::<(i64, i64)>(grouped.clone(), 2, 3).await.unwrap();
        assert_eq!((page.total, page.last_page, page.data), (5, 3, vec![(4, 10)]));
        let groups = walk::<(i64, i64)>(&grouped, Column::<i64>::new("created").desc()).await;
        assert_eq!(groups, [(4, 10), (3, 10), (2, 10), (1, 10), (0, 10)]);
        let union = sea_query::Query::select()
            .column("id")
            .from("entries")
            .union(sea_query::UnionType::Distinct, sea_query::Query::select().column("created").from("entries").take())
            .take();
        assert_eq!(folio::Pagination::length_aware::<(i64,)>(union.clone(), 2, 1).await.unwrap().total, 50);
        assert_eq!(walk::<(i64,)>(&union, Column::<i64>::new("id")).await.len(), 50);
    };
    folio.scope(check).await;
}

async fn walk<T>(select: &sea_query::SelectStatement, order: impl IntoOrder + Copy) -> Vec<T>
where
    T: folio::FromDatabaseRow,
{
    let mut rows = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = folio::Pagination::cursor::<T>(select.clone(), cursor.as_deref(), 4, order).await.unwrap();
        rows.extend(page.data);
        // No list here has more rows.
        assert!(rows.len() <= 50, "the walk goes in circles");
        cursor = page.next_cursor;
        if cursor.is_none() {
            return rows;
        }
    }
}

#[derive(Debug, sqlx::FromRow, Paginate)]
struct Category {
    id: i64,
}

#[tokio::test]
async fn a_table_is_named_after_its_model() {
    let (folio, pool) = db::folio(&format!("CREATE TABLE categories (id {ID})")).await;
    db::run(&pool, "INSERT INTO categories VALUES (1)").await;
    let page = folio.scope(Category::paginate(5)).await.unwrap();
    assert_eq!(page.data[0].id, 1);
    assert_eq!(BTreeMap::from([("id", Category::ID.name())]), BTreeMap::from([("id", "id")]));
}
