//! Cursors that expire: see `Folio::cursor_lifetime`.

use std::time::Duration;

use axum::Router;
use axum::routing::get;
use folio::json_api::{CursorWindow, JsonApiError};
use folio::{Folio, Key, Keyring, json_response};
use serde_json::{Value, json};
use sqlx::SqlitePool;

use crate::service::{Answer, Package, Service, ids, packages, walked};

const ROWS: i64 = 10;
const HOUR: Duration = Duration::from_secs(3_600);

/// A service whose cursors have this lifetime. All services of a test share their key.
async fn service(pool: &SqlitePool, key: [u8; 32], lifetime: Option<Duration>) -> Service {
    let folio = Folio::new(pool.clone()).keyring(Keyring::new(Key::from_bytes(key)));
    let folio = lifetime.into_iter().fold(folio, Folio::cursor_lifetime);
    let list = get(async || Package::query().with_path("/list").cursor_paginate(3).await);
    let window = get(async || {
        let window = CursorWindow::from_request(3, 3)?;
        Package::query().cursor_window(window).await?;
        Ok::<_, JsonApiError>(json_response!({}))
    });
    Service::start(Router::new().route("/list", list).route("/window", window).layer(folio.layer())).await
}

/// The cursor after the first page.
async fn cursor(service: &Service) -> String {
    service.get("/list").await.json()["next_cursor"].as_str().unwrap().to_owned()
}

fn status_and_body(answer: &Answer) -> (u16, Value) {
    (answer.status.as_u16(), answer.json())
}

#[tokio::test]
async fn a_walk_with_a_lifetime_reads_the_list_in_both_directions() {
    let service = service(&packages(ROWS).await, [7; 32], Some(HOUR)).await;
    let (mut seen, mut page) = (Vec::new(), service.get("/list").await.json());
    loop {
        seen.extend(ids(&page));
        let Some(next) = page["next_page_url"].as_str() else { break };
        page = service.get(next).await.json();
    }
    assert_eq!(seen, walked(ROWS));
    let mut back = ids(&page);
    while let Some(previous) = page["prev_page_url"].as_str() {
        page = service.get(previous).await.json();
        back.splice(0..0, ids(&page));
    }
    assert_eq!(back, walked(ROWS));
}

#[tokio::test]
async fn an_expired_cursor_has_its_own_message() {
    let pool = packages(ROWS).await;
    // Ages are in whole seconds, so a cursor is valid until the next one.
    let service = service(&pool, [7; 32], Some(Duration::ZERO)).await;
    let cursor = cursor(&service).await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    let answer = service.get(&format!("/list?cursor={cursor}")).await;
    assert_eq!(status_and_body(&answer), (400, json!({ "message": "Pagination cursor has expired" })));
    // Only an authentic cursor is told apart.
    let altered = service.get(&format!("/list?cursor={}", cursor.to_lowercase())).await;
    assert_eq!(status_and_body(&altered), (400, json!({ "message": "Invalid pagination cursor" })));

    let window = service.get(&format!("/window?page[after]={cursor}")).await;
    let errors: Value = serde_json::from_str(&window.text).unwrap();
    assert_eq!(window.status.as_u16(), 400);
    assert_eq!(errors["errors"][0]["source"]["parameter"], "page[after]");
    assert_eq!(errors["errors"][0]["detail"], "Pagination cursor has expired");
}

#[tokio::test]
async fn a_lifetime_can_be_set_and_removed() {
    let pool = packages(ROWS).await;
    let (forever, hour) = (service(&pool, [7; 32], None).await, service(&pool, [7; 32], Some(HOUR)).await);
    // A cursor without a time has expired as soon as there is a lifetime.
    let old = hour.get(&format!("/list?cursor={}", cursor(&forever).await)).await;
    assert_eq!(status_and_body(&old), (400, json!({ "message": "Pagination cursor has expired" })));
    let second = forever.get(&format!("/list?cursor={}", cursor(&hour).await)).await.json();
    assert_eq!(ids(&second), walked(ROWS)[3..6]);
    // The time fills one or two blocks more. A block is 16 characters.
    let longer = cursor(&hour).await.len().checked_sub(cursor(&forever).await.len());
    assert!(longer.is_some_and(|more| [16, 32].contains(&more)), "{longer:?}");
}
