//! Pages of SQL text that sqlx has checked at compile time, with its overrides.

use folio::{Column, Result, Select};
use futures_util::TryStreamExt as _;

use crate::server::ID;
use crate::suite::db;

#[derive(Debug, PartialEq, sqlx::FromRow)]
pub(crate) struct Card {
    pub(crate) id: i64,
    pub(crate) title: String,
    pub(crate) length: Option<i64>,
}

/// Cards of two authors, with titles that tie in length.
pub(crate) async fn folio() -> (folio::Folio, db::Pool) {
    let row = |id: i64| format!("({id}, {}, '{}')", id % 2, "x".repeat(usize::try_from(id % 4).unwrap()));
    let rows: Vec<String> = (1..=20).map(row).collect();
    let table = format!("CREATE TABLE cards (id {ID}, author BIGINT NOT NULL, title VARCHAR(20))");
    db::folio(&format!("{table}; INSERT INTO cards VALUES {}", rows.join(", "))).await
}

/// Walks the cards of author 1 by length and id, and compares them with the same rows by number.
pub(crate) async fn check(cards: Select<Card>) -> Result<()> {
    let (length, id) = (Column::<i64>::new("length"), Column::<i64>::new("id"));
    let ordered = || cards.clone().order_by((length, id));
    let numbered = ordered().paginate(20).await?;
    let ids: Vec<i64> = numbered.data.iter().map(|card| card.id).collect();
    assert_eq!(ids, [1, 5, 9, 13, 17, 3, 7, 11, 15, 19]);
    assert!(numbered.data.iter().all(|card| card.length == i64::try_from(card.title.len()).ok()));
    let walked: Vec<Card> = ordered().cursor_stream(3).try_collect().await?;
    assert_eq!(walked, numbered.data);
    assert_eq!(cards.clone().count().await?, 10);
    Ok(())
}
