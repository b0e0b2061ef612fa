//! SQL text that sqlx has checked for SQLite. The folder `.sqlx` has what it found.

use crate::suite::checked::{Card, check, folio};

#[tokio::test]
async fn a_checked_text_is_paged() {
    let (folio, _pool) = folio().await;
    let author = 1_i64;
    let cards = folio::query_as!(
        Card,
        r#"SELECT id AS "id!", coalesce(title, '') AS "title!: _", length(title) AS "length?: i64"
           FROM cards WHERE author = ? AND title <> ?"#,
        author,
        "yes"
    );
    folio.scope(check(cards)).await.unwrap();
}

/// sqlx does not check the second text. It may have overrides too.
#[tokio::test]
async fn a_text_is_added_to_a_checked_one() {
    let (folio, _pool) = folio().await;
    let cards = folio::query_as!(
        Card,
        r#"SELECT id AS "id!", coalesce(title, '') AS "title!: _", length(title) AS "length?: i64"
           FROM cards WHERE author = ? AND title <> ?"#,
        1_i64,
        "xxx"
    );
    let added = r#"SELECT id AS "id!", title, length(title) AS length FROM cards WHERE author = ? AND title = ?"#;
    folio.scope(check(cards.union_all(added).bind(1_i64).bind("xxx"))).await.unwrap();
}
