//! A job that reads on by the transactions of rows, whatever the transactions in progress commit, and when.

use folio::sea_query::Expr;
use folio::{Builder, Column, Paginate};
use futures_util::TryStreamExt as _;

use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "by_transaction")]
struct Written {
    id: i64,
}

/// The list in the order of the transactions.
fn list() -> Builder<Written> {
    let transaction = Column::<i64>::expr("xact", Expr::cust("xact::text::bigint")).not_null();
    Written::query().order_by((transaction.asc(), Written::ID)).settled_by_transaction(Column::<i64>::new("xact"))
}

/// The rows after a position, which is moved on.
async fn job(position: &mut Option<String>) -> Vec<i64> {
    let pages: Vec<_> = list().cursor(position.as_deref()).cursor_chunks(2).try_collect().await.unwrap();
    *position = pages.last().unwrap().end_cursor.clone();
    pages.iter().flat_map(|page| page.data.iter().map(|row| row.id)).collect()
}

#[tokio::test]
async fn rows_are_settled_when_no_older_transaction_is_in_progress() {
    let (folio, pool) = db::folio(
        "CREATE TABLE by_transaction (id BIGINT PRIMARY KEY, xact xid8 NOT NULL DEFAULT pg_current_xact_id()); \
         CREATE INDEX by_transaction_xact ON by_transaction ((xact::text::bigint), id)",
    )
    .await;
    let check = async {
        let insert = |id: i64| sqlx::AssertSqlSafe(format!("INSERT INTO by_transaction VALUES ({id})"));
        let mut early = pool.begin().await.unwrap();
        sqlx::raw_sql(insert(3)).execute(&mut *early).await.unwrap();
        db::run(&pool, "INSERT INTO by_transaction VALUES (1), (2)").await;

        let mut position = None;
        assert_eq!(job(&mut position).await, [0; 0], "an older transaction is in progress");
        sqlx::raw_sql(insert(4)).execute(&mut *early).await.unwrap();
        early.commit().await.unwrap();
        // Another test's transaction may be older for a while.
        let mut seen = Vec::new();
        for _ in 0..3_000 {
            seen.extend(job(&mut position).await);
            if seen.len() >= 4 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        assert_eq!(seen, [3, 4, 1, 2]);

        let settled = || Written::query().settled_by_transaction(Column::<i64>::new("xact"));
        let error = settled().cursor_paginate(9).await.unwrap_err();
        assert!(error.to_string().contains("in the order of `xact`"), "{error}");
        assert_eq!(settled().paginate(9).await.unwrap().total, 4, "the oldest transaction only moves forward");
        assert_eq!(settled().count().await.unwrap(), 4);
        // The column is part of the order, and not only of a name in it.
        let by = |name: &'static str, sql: &'static str| Column::<i64>::expr(name, Expr::cust(sql)).not_null();
        for order in [by("exact", "id + length('xact')"), by("table", "xact.id"), by("longer", "id + 0 * xact_count")] {
            let error = settled().order_by((order, Written::ID)).cursor_paginate(9).await.unwrap_err();
            assert!(error.to_string().contains("in the order of `xact`"), "{error}");
        }
        let elsewhere = Written::query().settled_by_transaction(Column::<i64>::new("xact").of("elsewhere"));
        let error = elsewhere.paginate(9).await.unwrap_err();
        assert!(error.to_string().contains("`elsewhere`"), "{error}");
    };
    folio.scope(check).await;
}
