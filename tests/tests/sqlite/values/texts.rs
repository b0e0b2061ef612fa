//! Texts by collation, and texts that hold numbers.

use super::{bound, written};
use crate::values::models::*;

/// Texts of any length, with NUL characters, and with equal texts under each collation.
fn texts() -> Vec<String> {
    let short = ["", " ", "a", "A", "a ", "aB", "AB", "e\u{301}", "日本", "a\0", "a\0b", "a\0c", "\0", "'", "?1", "zz"];
    let items = (0..40).map(|n| ["item", "Item", "ITEM"][n % 3].to_owned() + &(n / 3).to_string());
    short.map(str::to_owned).into_iter().chain(items).chain(["long".repeat(200)]).collect()
}

#[tokio::test]
async fn texts_sort_by_the_collation_of_their_column() {
    for collation in ["", "COLLATE BINARY", "COLLATE NOCASE", "COLLATE RTRIM"] {
        let table = bound(&format!("TEXT NOT NULL {collation}"), texts()).await;
        table.walks_by_hand::<OfString>().await;
        table.walks_by_hand::<OfSlug>().await;
    }
    let nullable: Vec<Option<String>> = texts().into_iter().map(Some).chain([None, None, None]).collect();
    bound("TEXT COLLATE NOCASE", nullable.clone()).await.walks_by_hand::<MaybeString>().await;
    bound("VARCHAR(9)", nullable).await.walks_by_hand::<MaybeString>().await;
}

#[tokio::test]
async fn numbers_sort_by_the_type_of_their_column() {
    let decimals =
        ["'1.10'", "'1.1'", "'10.5'", "'9'", "'-1.25'", "'0.00'", "'1e3'", "'12345678901234567890.1234567890'"];
    written("TEXT NOT NULL", &decimals).await.walks_by_hand::<OfString>().await;
    let numbers = ["1.10", "1.1", "10.5", "9", "-1.25", "0.00", "1e3"];
    written("REAL NOT NULL", &numbers).await.walks_by_hand::<OfF64>().await;
}

#[tokio::test]
async fn uuids_in_a_column_of_any_name() {
    use sea_query::prelude::Uuid;

    let ids = vec![Uuid::nil(), Uuid::max(), Uuid::from_u128(1), Uuid::from_u128(1 << 100)];
    bound("UUID NOT NULL", ids).await.walks_by_hand::<OfUuid>().await;
}
