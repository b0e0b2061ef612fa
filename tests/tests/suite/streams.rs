//! A walk as a stream of pages or rows: each row once, in order, wherever it starts and runs.

use folio::{ActiveRequest, CursorDirection, DB, FrameworkError, Paginate};
use futures_util::{StreamExt as _, TryStreamExt as _};

use crate::server::ID;
use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "streamed", cursor_key = "part desc nulls last")]
struct Streamed {
    id: i64,
    part: Option<i64>,
}

const ROWS: i64 = 100;

fn schema() -> String {
    let part = |id: i64| if id % 4 == 0 { "NULL".to_owned() } else { (id % 3).to_string() };
    let rows: Vec<String> = (1..=ROWS).map(|id| format!("({id}, {})", part(id))).collect();
    format!("CREATE TABLE streamed (id {ID}, part BIGINT); INSERT INTO streamed VALUES {}", rows.join(", "))
}

/// The ids in the order of the walk.
fn expected() -> Vec<i64> {
    let mut ids: Vec<i64> = (1..=ROWS).collect();
    ids.sort_by_key(|id| (id % 4 == 0, if id % 4 == 0 { 0 } else { -(id % 3) }, -id));
    ids
}

async fn ids(query: folio::Builder<Streamed>, page_size: u64) -> folio::Result<Vec<i64>> {
    query.cursor_stream(page_size).map_ok(|row| row.id).try_collect().await
}

#[tokio::test]
async fn a_stream_has_each_row_once_and_in_order() {
    let (folio, _pool) = db::folio(&schema()).await;
    let check = async {
        for page_size in [1, 7, 99, 100, 101, u64::MAX] {
            assert_eq!(ids(Streamed::query(), page_size).await.unwrap(), expected(), "by {page_size}");
        }
        assert_eq!(ids(Streamed::query().filter(Streamed::ID.lt(0)), 7).await.unwrap(), [0; 0]);
        // It ignores the cursor of the request: a job that a request starts begins at the first row.
        let page = Streamed::query().cursor_paginate(9).await.unwrap();
        let request = ActiveRequest::new(&format!("?cursor={}", page.next_cursor.unwrap()));
        assert_eq!(request.scope(ids(Streamed::query(), 7)).await.unwrap(), expected());
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_stream_goes_on_where_another_stopped() {
    let (folio, _pool) = db::folio(&schema()).await;
    let check = async {
        let pages: Vec<_> = Streamed::query().cursor_chunks(8).take(3).try_collect().await.unwrap();
        let rest = Streamed::query().cursor(pages[2].next_cursor.as_deref());
        assert_eq!(ids(rest, 5).await.unwrap(), expected()[24..]);

        let rows: Vec<_> = Streamed::query().cursor_stream(8).take(30).try_collect().await.unwrap();
        let behind = rows[29].cursor_key().encode(CursorDirection::Next).unwrap();
        assert_eq!(ids(Streamed::query().cursor(Some(&behind)), 5).await.unwrap(), expected()[30..]);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_stream_in_a_transaction_sees_what_it_wrote() {
    let (folio, _pool) = db::folio(&schema()).await;
    let check = async {
        let outcome: Result<(), FrameworkError> = DB::transaction(async || {
            db::here("DELETE FROM streamed WHERE id > 10").await?;
            assert_eq!(ids(Streamed::query(), 3).await?.len(), 10);
            Err(FrameworkError::Internal { message: "on purpose".into() })
        })
        .await;
        assert_eq!(outcome.unwrap_err().to_string(), "on purpose");
        assert_eq!(ids(Streamed::query(), 3).await.unwrap().len(), 100);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn an_error_ends_a_stream() {
    let (folio, _pool) = db::folio(&schema()).await;
    let check = async {
        for (query, page_size) in [(Streamed::query(), 0), (Streamed::query().cursor(Some("AbC")), 5)] {
            let items: Vec<_> = query.cursor_stream(page_size).collect().await;
            assert_eq!(items.len(), 1);
            assert_eq!(items[0].as_ref().unwrap_err().status(), 400);
        }
    };
    folio.scope(check).await;
}
