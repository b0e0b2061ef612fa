//! Expressions whose value, as it is sent, is not the one that MySQL and MariaDB compare.

use folio::{Column, CursorOrder as _, ErasedOrder, Folio, Key, Keyring, Paginate};
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
async fn walk(order: ErasedOrder) -> folio::Result<Vec<i64>> {
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

/// A third of 20 is shown as 6.6667, which it does not equal. A cursor made from that could lose or repeat rows.
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
        for rounded in [by("id / 3").erased(), by("id / 3").desc().erased(), by("FLOOR(id / 2) / 3").erased()] {
            match walk(rounded).await {
                Ok(mut ids) => {
                    ids.sort_unstable();
                    assert_eq!(ids, (1..=40).collect::<Vec<_>>());
                }
                Err(error) => assert!(error.to_string().contains("wrap it in ROUND"), "{error}"),
            }
        }
        let mut ids = walk(by("ROUND(FLOOR(id / 2) / 3, 4)").desc().erased()).await.unwrap();
        assert!(ids.is_sorted_by_key(|id| (-(id / 2), -id)), "{ids:?}");
        ids.sort_unstable();
        assert_eq!(ids, (1..=40).collect::<Vec<_>>());
    };
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())).scope(check).await;
}
