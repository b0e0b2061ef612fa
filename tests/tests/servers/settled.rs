//! A job that reads on from a position, while a transaction that has written an earlier row is in progress.

use std::time::Duration;

use folio::sea_query::prelude::chrono::NaiveDateTime;
use folio::{Builder, Paginate};
use futures_util::TryStreamExt as _;

use crate::server;
use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "late", cursor_key = "at")]
#[expect(dead_code, reason = "the order is the database's")]
struct Late {
    id: i64,
    at: NaiveDateTime,
}

/// The rows after a position, which is moved on.
async fn job(list: Builder<Late>, position: &mut Option<String>) -> Vec<i64> {
    let pages: Vec<_> = list.cursor(position.as_deref()).cursor_chunks(2).try_collect().await.unwrap();
    *position = pages.last().unwrap().end_cursor.clone();
    pages.iter().flat_map(|page| page.data.iter().map(|row| row.id)).collect()
}

#[tokio::test]
async fn a_row_that_is_committed_late_is_not_skipped() {
    let (id, moment) = (server::ID, server::types::DATE_TIME);
    let (folio, pool) = db::folio(&format!("CREATE TABLE late (id {id}, at {moment} NOT NULL)")).await;
    let check = async {
        let insert = |id: i64| format!("INSERT INTO late VALUES ({id}, CURRENT_TIMESTAMP(6))");
        let mut early = pool.begin().await.unwrap();
        sqlx::raw_sql(sqlx::AssertSqlSafe(insert(1))).execute(&mut *early).await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
        db::run(&pool, insert(2)).await;

        let (mut hasty, mut patient) = (None, None);
        let settled = || Late::query().settled(Late::AT, Duration::from_secs(2));
        assert_eq!(job(Late::query(), &mut hasty).await, [2]);
        assert_eq!(job(settled(), &mut patient).await, [0; 0]);
        early.commit().await.unwrap();
        assert_eq!(job(Late::query(), &mut hasty).await, [0; 0], "the row is before the position");
        tokio::time::sleep(Duration::from_millis(2_100)).await;
        assert_eq!(job(settled(), &mut patient).await, [1, 2]);
        assert_eq!(job(settled(), &mut patient).await, [0; 0]);
    };
    folio.scope(check).await;
}
