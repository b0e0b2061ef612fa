//! The JSON of a page: the same requests over the same rows give the same bytes on every database.

use folio::{ActiveRequest, Paginate};
use serde::{Serialize, Serializer};
use sqlx::types::chrono::{DateTime, Utc};

use crate::server::{ID, MOMENT, TEXT};
use crate::suite::db;

#[derive(Debug, Serialize, sqlx::FromRow, Paginate)]
#[paginate(cursor_key = "score desc nulls last, at")]
struct Entry {
    id: i64,
    count: i32,
    large: i64,
    score: Option<i64>,
    label: Option<String>,
    done: bool,
    ratio: f64,
    #[serde(serialize_with = "rfc3339")]
    at: DateTime<Utc>,
}

fn rfc3339<S: Serializer>(at: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&at.format("%Y-%m-%dT%H:%M:%S%.fZ"))
}

async fn folio() -> folio::Folio {
    let (folio, pool) = db::folio(&format!(
        "CREATE TABLE entries (id {ID}, count INTEGER NOT NULL, large BIGINT NOT NULL, score BIGINT, label {TEXT}, \
         done BOOLEAN NOT NULL, ratio DOUBLE PRECISION NOT NULL, at {MOMENT} NOT NULL)"
    ))
    .await;
    let rows = "INSERT INTO entries VALUES \
        (1, -7, 9223372036854775807, 5, 'plain', TRUE, 0.1, '2026-05-14 18:30:00'), \
        (2, 2147483647, -9223372036854775808, NULL, NULL, FALSE, 0.30000000000000004, '2026-05-14 18:30:00.123456'), \
        (3, 0, 0, 5, '\"quoted\" & <é> 日本 🦀', TRUE, -2.5, '1999-12-31 23:59:59.999999'), \
        (4, 1, 9007199254740993, 0, '', FALSE, 1e15, '2001-01-01 00:00:00.5'), \
        (5, 2, 2, NULL, 'it''s', TRUE, 5e-324, '2030-06-01 12:00:00')";
    db::run(&pool, rows).await;
    folio
}

const FIRST: &str = r#"{"id":1,"count":-7,"large":9223372036854775807,"score":5,"label":"plain","done":true,"ratio":0.1,"at":"2026-05-14T18:30:00Z"}"#;
const SECOND: &str = r#"{"id":2,"count":2147483647,"large":-9223372036854775808,"score":null,"label":null,"done":false,"ratio":0.30000000000000004,"at":"2026-05-14T18:30:00.123456Z"}"#;
const THIRD: &str = r#"{"id":3,"count":0,"large":0,"score":5,"label":"\"quoted\" & <é> 日本 🦀","done":true,"ratio":-2.5,"at":"1999-12-31T23:59:59.999999Z"}"#;
const FOURTH: &str = r#"{"id":4,"count":1,"large":9007199254740993,"score":0,"label":"","done":false,"ratio":1000000000000000.0,"at":"2001-01-01T00:00:00.500Z"}"#;
const FIFTH: &str = r#"{"id":5,"count":2,"large":2,"score":null,"label":"it's","done":true,"ratio":5e-324,"at":"2030-06-01T12:00:00Z"}"#;

fn text(page: &impl Serialize) -> String {
    serde_json::to_string(page).unwrap()
}

#[tokio::test]
async fn a_length_aware_page_is_the_same_everywhere() {
    let request = ActiveRequest::new("/entries?page=2");
    let page = folio().await.scope(request.scope(Entry::query().with_path("/entries").paginate(2))).await.unwrap();
    let expected = [
        r#"{"current_page":2,"data":["#,
        THIRD,
        ",",
        FOURTH,
        r#"],"first_page_url":"/entries?page=1","from":3,"last_page":3,"last_page_url":"/entries?page=3","links":["#,
        r#"{"url":"/entries?page=1","label":"&laquo; Previous","page":1,"active":false},"#,
        r#"{"url":"/entries?page=1","label":"1","page":1,"active":false},"#,
        r#"{"url":"/entries?page=2","label":"2","page":2,"active":true},"#,
        r#"{"url":"/entries?page=3","label":"3","page":3,"active":false},"#,
        r#"{"url":"/entries?page=3","label":"Next &raquo;","page":3,"active":false}],"#,
        r#""next_page_url":"/entries?page=3","path":"/entries","per_page":2,"prev_page_url":"/entries?page=1","to":4,"total":5}"#,
    ];
    assert_eq!(text(&page), expected.concat());
}

#[tokio::test]
async fn a_simple_page_is_the_same_everywhere() {
    let request = ActiveRequest::new("/entries?page=1");
    let page = folio().await.scope(request.scope(Entry::query().simple_paginate(2))).await.unwrap();
    let expected = [
        r#"{"current_page":1,"current_page_url":"?page=1","data":["#,
        FIRST,
        ",",
        SECOND,
        r#"],"first_page_url":"?page=1","from":1,"has_more":true,"next_page_url":"?page=2","per_page":2,"prev_page_url":null,"to":2}"#,
    ];
    assert_eq!(text(&page), expected.concat());
}

/// Cursors are sealed with a salt, so each is replaced by a name. They lead through the same rows as well.
#[tokio::test]
async fn a_cursor_page_is_the_same_everywhere() {
    let folio = folio().await;
    let page = async |cursor: Option<&str>| {
        let query = Entry::query().with_path("/entries?tab=all").cursor(cursor);
        folio.scope(query.cursor_paginate(2)).await.unwrap()
    };
    let first = page(None).await;
    let next = first.next_cursor.clone().unwrap();
    let expected = [
        r#"{"data":["#,
        THIRD,
        ",",
        FIRST,
        r#"],"path":"/entries?tab=all","per_page":2,"next_cursor":"NEXT","next_page_url":"/entries?tab=all&cursor=NEXT","#,
        r#""prev_cursor":null,"prev_page_url":null}"#,
    ];
    assert_eq!(text(&first).replace(&next, "NEXT"), expected.concat());

    let second = page(Some(&next)).await;
    let (next, prev) = (second.next_cursor.clone().unwrap(), second.prev_cursor.clone().unwrap());
    let expected = [
        r#"{"data":["#,
        FOURTH,
        ",",
        SECOND,
        r#"],"path":"/entries?tab=all","per_page":2,"next_cursor":"NEXT","next_page_url":"/entries?tab=all&cursor=NEXT","#,
        r#""prev_cursor":"PREV","prev_page_url":"/entries?tab=all&cursor=PREV"}"#,
    ];
    assert_eq!(text(&second).replace(&next, "NEXT").replace(&prev, "PREV"), expected.concat());

    let third = page(Some(&next)).await;
    let prev = third.prev_cursor.clone().unwrap();
    let expected = [
        r#"{"data":["#,
        FIFTH,
        r#"],"path":"/entries?tab=all","per_page":2,"next_cursor":null,"next_page_url":null,"#,
        r#""prev_cursor":"PREV","prev_page_url":"/entries?tab=all&cursor=PREV"}"#,
    ];
    assert_eq!(text(&third).replace(&prev, "PREV"), expected.concat());
}
