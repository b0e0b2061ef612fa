//! Expressions whose value, as it is sent, is not the one that MySQL and MariaDB compare.

use folio::{Column, Folio, IntoOrder as _, Key, Keyring, Order, Paginate};
use sea_query::Expr;
use sea_query::prelude::Decimal;

use crate::server;
use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "shares")]
struct Share {
    id: i64,
}

/// The ids of all rows, one page after the other.
async fn walk(order: Order) -> folio::Result<Vec<i64>> {
    let (mut ids, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let page = Share::query().order_by(order.clone()).cursor(cursor.as_deref()).cursor_paginate(1).await?;
        ids.extend(page.data.iter().map(|share| share.id));
        cursor = page.next_cursor;
        if cursor.is_none() || ids.len() > 40 {
            return Ok(ids);
        }
    }
}

/// Whether a row's value, as it is sent, does not equal the value itself.
async fn is_rounded(pool: &db::Pool, sql: &str) -> bool {
    let sent = format!("SELECT id, CAST({sql} AS CHAR) AS sent FROM shares");
    let rounded = format!(
        "SELECT COUNT(*) > 0 FROM shares JOIN ({sent}) AS texts USING (id) \
         WHERE {sql} <> CAST(sent AS DECIMAL(65, 30))"
    );
    sqlx::query_scalar(sqlx::AssertSqlSafe(rounded)).fetch_one(pool).await.unwrap()
}

/// The average of the squares of up to three ids.
const AVERAGE: &str =
    "(SELECT AVG(near.id * near.id) FROM shares AS near WHERE near.id BETWEEN shares.id - 2 AND shares.id)";

/// MySQL sends the average of 1, 4 and 9 as 4.6667, which it does not equal. A cursor made from that could lose or
/// repeat rows.
#[tokio::test]
async fn a_rounded_decimal_is_refused_or_finds_its_row() {
    let pool = server::pool(1).await;
    let rows: Vec<String> = (1..=40).map(|id| format!("({id})")).collect();
    db::run(
        &pool,
        format!("CREATE TABLE shares (id BIGINT PRIMARY KEY); INSERT INTO shares VALUES {}", rows.join(", ")),
    )
    .await;
    let check = async {
        let by = |sql: &'static str| Column::<Decimal>::expr("third", Expr::cust(sql)).not_null();
        for sql in ["id / 3", "FLOOR(id / 2) / 3", AVERAGE] {
            let is_rounded = is_rounded(&pool, sql).await;
            for order in [by(sql).erased(), by(sql).desc().erased()] {
                match walk(order).await {
                    Ok(mut ids) => {
                        ids.sort_unstable();
                        assert!(!is_rounded && ids == (1..=40).collect::<Vec<_>>(), "{sql}: {ids:?}");
                    }
                    Err(error) => {
                        assert!(is_rounded && error.to_string().contains("wrap it in ROUND"), "{sql}: {error}");
                    }
                }
            }
        }
        let mut ids = walk(by("ROUND(FLOOR(id / 2) / 3, 4)").desc().erased()).await.unwrap();
        assert!(ids.is_sorted_by_key(|id| (-(id / 2), -id)), "{ids:?}");
        ids.sort_unstable();
        assert_eq!(ids, (1..=40).collect::<Vec<_>>());
    };
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(check).await;
}
