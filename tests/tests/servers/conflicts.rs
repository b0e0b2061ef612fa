//! A page whose statement loses against another transaction.

use folio::{DB, Folio, FrameworkError, Paginate, Retryable as _};
use sea_query::Expr;

use crate::server::{FAILS_ONCE, ID};
use crate::suite::db;

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "contested")]
struct Row {
    id: i64,
}

async fn set_up() -> (Folio, impl Sized) {
    db::folio(&format!("CREATE TABLE contested (id {ID}); INSERT INTO contested VALUES (1), (2); {FAILS_ONCE}")).await
}

#[tokio::test]
async fn outside_of_a_transaction_it_is_read_once_more() {
    let (folio, _pool) = set_up().await;
    let query = || Row::query().filter(Expr::cust("fails_once()"));
    let page = folio.scope(query().cursor_paginate(1)).await.unwrap();
    assert_eq!(page.data[0].id, 1);
    let page = folio.scope(query().paginate(1)).await.unwrap();
    assert_eq!((page.data[0].id, page.total), (1, 2));
}

#[tokio::test]
async fn in_a_transaction_it_is_an_error_after_which_the_transaction_can_be_run_again() {
    let (folio, _pool) = set_up().await;
    let lost = DB::transaction(async || {
        Row::query().filter(Expr::cust("fails_once()")).cursor_paginate(1).await?;
        Ok::<_, FrameworkError>(())
    });
    let error = folio.scope(lost).await.unwrap_err();
    assert!(error.is_retryable(), "{error:?}");
}
