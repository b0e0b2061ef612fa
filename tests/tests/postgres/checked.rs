//! SQL text that sqlx has checked for PostgreSQL. The folder `.sqlx` has what it found.

use folio::{Column, Folio};

use crate::suite::checked::{Card, check, folio};

#[tokio::test]
async fn a_checked_text_is_paged() {
    let (folio, _pool) = folio().await;
    let author = 1_i64;
    let cards = folio::query_as!(
        Card,
        r#"SELECT id, coalesce(title, '') AS "title!", length(title)::int8 AS "length?"
           FROM cards WHERE author = $1 AND title <> $2 AND $1 > 0"#,
        author,
        "yes"
    );
    folio.scope(check(cards.clone())).await.unwrap();

    // Another database would read the text in another way.
    let sqlite = Folio::new(sqlx::SqlitePool::connect("sqlite::memory:").await.unwrap());
    let error = sqlite.scope(cards.order_by(Column::<i64>::new("id")).simple_paginate(3)).await.unwrap_err();
    assert!(error.to_string().contains("checked for PostgreSQL"), "{error}");
}
