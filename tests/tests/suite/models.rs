//! What the derive makes of attributes, sqlx's own among them, at work on a table.

use std::collections::BTreeMap;

use folio::{Column, CursorDirection, CursorOrder, CursorValue, ExprTrait, Paginate, Variant, sea_query};

use crate::suite::db;

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

const ODD: &str = r#"CREATE TABLE "odd names" ("tenantId" INTEGER NOT NULL, "type" TEXT NOT NULL, "when?" INTEGER NOT NULL,
    tags TEXT NOT NULL, query TEXT, level INTEGER NOT NULL, "not in the model" BLOB, PRIMARY KEY ("tenantId", "type"))"#;

#[tokio::test]
async fn sqlx_attributes_are_honoured() {
    let (folio, pool) = db::folio(ODD).await;
    for (tenant, kind, when) in [(1, "a", 5), (1, "b", 5), (2, "a", 5), (2, "b", 9)] {
        let sql = r#"INSERT INTO "odd names" VALUES (?, ?, ?, '["x"]', NULL, 3, x'00')"#;
        sqlx::query(sql).bind(tenant).bind(kind).bind(when).execute(&pool).await.unwrap();
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

#[tokio::test]
async fn a_flattened_model_selects_all_columns() {
    let (folio, pool) =
        db::folio("CREATE TABLE entries (id INTEGER PRIMARY KEY, created INTEGER, updated INTEGER, rank INTEGER)")
            .await;
    for id in 0..9_i64 {
        let rank = (id % 3 != 0).then_some(id % 3);
        sqlx::query("INSERT INTO entries VALUES (?, ?, ?, ?)")
            .bind(id)
            .bind(id)
            .bind(-id)
            .bind(rank)
            .execute(&pool)
            .await
            .unwrap();
    }
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

/// A key type of the application's own.
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
    let (folio, pool) = db::folio("CREATE TABLE users (id INTEGER PRIMARY KEY)").await;
    sqlx::query("INSERT INTO users VALUES (1), (2), (3)").execute(&pool).await.unwrap();
    let check = async {
        let page = User::query().filter(User::ID.gt(UserId(1))).cursor_paginate(1).await.unwrap();
        assert_eq!(page.data[0].id, UserId(2));
        let page = User::query().cursor(page.next_cursor.as_deref()).cursor_paginate(1).await.unwrap();
        assert_eq!(page.data[0].id, UserId(3));
    };
    folio.scope(check).await;
}

/// The facade closes an order with the primary key of the model that its columns are of, and refuses to lose a row.
#[tokio::test]
async fn selects_without_a_model_walk_too() {
    let (folio, pool) =
        db::folio("CREATE TABLE entries (id INTEGER PRIMARY KEY, created INTEGER, updated INTEGER, rank INTEGER)")
            .await;
    for id in 0..50_i64 {
        let rank = (id % 4 != 0).then_some(id % 2);
        sqlx::query("INSERT INTO entries VALUES (?, ?, ?, ?)")
            .bind(id)
            .bind(id / 10)
            .bind(-id)
            .bind(rank)
            .execute(&pool)
            .await
            .unwrap();
    }
    let check = async {
        // The order's column is neither selected nor unique, and the statement has an OR, an order and a limit.
        let select = sea_query::Query::select()
            .column("id")
            .from("entries")
            .and_where(sea_query::Expr::col("created").eq(1).or(sea_query::Expr::col("created").gt(2)))
            .order_by("updated", sea_query::Order::Asc)
            .limit(3)
            .take();
        let by_rank = Entry::RANK.desc().nulls_last();
        let expected: Vec<(i64,)> = sqlx::query_as(
            "SELECT id FROM entries WHERE created = 1 OR created > 2 ORDER BY rank DESC NULLS LAST, id DESC",
        )
        .fetch_all(&pool)
        .await
        .unwrap();
        assert_eq!(walk::<(i64,)>(&select, by_rank).await, expected);

        let bare = Column::<Option<i64>>::new("rank").desc().nulls_last();
        let error = folio::Pagination::cursor::<(i64,)>(select.clone(), None, 4, bare).await.unwrap_err();
        assert!(error.to_string().contains("unique column"), "{error}");
        assert_eq!(walk::<(i64,)>(&select, (bare, Column::<i64>::new("id").desc())).await, expected);

        // What is more than FROM and WHERE is walked as a whole.
        let grouped = sea_query::Query::select()
            .column("created")
            .expr_as(sea_query::Func::count(sea_query::Expr::col("id")), "rows")
            .from("entries")
            .group_by_col("created")
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

async fn walk<T>(select: &sea_query::SelectStatement, order: impl CursorOrder + Copy) -> Vec<T>
where
    T: folio::Rows,
{
    let mut rows = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = folio::Pagination::cursor::<T>(select.clone(), cursor.as_deref(), 4, order).await.unwrap();
        rows.extend(page.data);
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
    let (folio, pool) = db::folio("CREATE TABLE categories (id INTEGER PRIMARY KEY)").await;
    sqlx::query("INSERT INTO categories VALUES (1)").execute(&pool).await.unwrap();
    let page = folio.scope(Category::paginate(5)).await.unwrap();
    assert_eq!(page.data[0].id, 1);
    assert_eq!(BTreeMap::from([("id", Category::ID.name())]), BTreeMap::from([("id", "id")]));
}
