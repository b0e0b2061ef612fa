//! SQL text that sqlx has checked for MySQL and MariaDB. The folder `.sqlx` has what it found.

use crate::suite::checked::{Card, check, folio};

#[tokio::test]
async fn a_checked_text_is_paged() {
    let (folio, _pool) = folio().await;
    let author = 1_i64;
    let cards = folio::query_as!(
        Card,
        "SELECT id, coalesce(title, '') AS `title!: String`, length(title) AS `length?: i64`
         FROM cards WHERE author = ? AND title <> ?",
        author,
        "yes"
    );
    folio.scope(check(cards)).await.unwrap();
}
