//! A session that has changed its database with USE: a model without a schema is the table of the current one.

use folio::{Builder, Folio, Key, Keyring, Paginate};

use sqlx::Connection as _;
use sqlx::mysql::MySqlPool;

use crate::server;
use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "places", cursor_key = "name")]
struct Place {
    id: i64,
    region: i64,
    name: String,
    kind: String,
}

fn of_region() -> Builder<Place> {
    Place::query().filter(Place::REGION.eq(1))
}

/// The ids of all pages.
async fn walk(list: impl Fn() -> Builder<Place>) -> folio::Result<Vec<i64>> {
    let (mut cursor, mut ids) = (None, Vec::new());
    loop {
        let page = list().cursor(cursor.as_deref()).cursor_paginate(4).await?;
        assert!(page.data.iter().all(|place| place.region == 1 && !place.name.is_empty() && !place.kind.is_empty()));
        ids.extend(page.data.iter().map(|place| place.id));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(ids);
        }
    }
}

fn sorted(ids: folio::Result<Vec<i64>>) -> Vec<i64> {
    let mut ids = ids.unwrap();
    ids.sort_unstable();
    ids
}

/// Changes the database of the only session. A prepared statement belongs to the database that it was prepared in.
async fn change_to(pool: &MySqlPool, database: &str) {
    let mut session = pool.acquire().await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("USE `{database}`"))).execute(&mut *session).await.unwrap();
    session.clear_cached_statements().await.unwrap();
}

/// What the catalog said about the first database's table costs time, and neither a row nor an error.
#[tokio::test]
async fn a_session_that_changed_its_database_pages_through_that_ones_table() {
    let pool = server::pool(1).await;
    let first: String = sqlx::query_scalar("SELECT DATABASE()").fetch_one(&pool).await.unwrap();
    let other = format!("{first}_other");
    let columns = "id BIGINT PRIMARY KEY, region BIGINT NOT NULL, name VARCHAR(20) NOT NULL";
    let rows = |ids: std::ops::Range<i64>| {
        let rows: Vec<String> = ids.map(|id| format!("({id}, 1, 'name {}', 'b')", id * 7 % 50)).collect();
        format!("INSERT INTO places VALUES {}", rows.join(", "))
    };
    for sql in [
        format!("CREATE TABLE places ({columns}, kind ENUM('b', 'a') NOT NULL)"),
        rows(0..20),
        "CREATE INDEX by_region ON places (region, name, id)".to_owned(),
        format!("DROP DATABASE IF EXISTS `{other}`"),
        format!("CREATE DATABASE `{other}`"),
        format!("CREATE TABLE `{other}`.places ({columns}, kind VARCHAR(20) NOT NULL)"),
        rows(100..130).replace("places", &format!("`{other}`.places")),
    ] {
        db::run(&pool, sql).await;
    }
    let by_kind = || of_region().cursor_by((Place::KIND, Place::ID));
    let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()));
    let check = async {
        assert_eq!(sorted(walk(of_region).await), (0..20).collect::<Vec<_>>());
        let refused = walk(by_kind).await.unwrap_err();
        assert!(refused.to_string().contains("ENUM"), "{refused}");
        // So is the first row in this order, unless it is that of numbered pages, which compare nothing.
        let refused = of_region().order_by((Place::KIND, Place::ID)).first().await.err().unwrap();
        assert!(refused.to_string().contains("ENUM"), "{refused}");
        assert!(of_region().order_by_asc(Place::KIND).first().await.unwrap().is_some());
        change_to(&pool, &other).await;
        assert_eq!(sorted(walk(by_kind).await), (100..130).collect::<Vec<_>>());
        assert_eq!(sorted(walk(of_region).await), (100..130).collect::<Vec<_>>());
        change_to(&pool, &first).await;
        assert_eq!(sorted(walk(of_region).await), (0..20).collect::<Vec<_>>());
    };
    folio.scope(check).await;
    db::run(&pool, format!("DROP DATABASE `{other}`")).await;
}
