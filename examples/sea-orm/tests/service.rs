//! The service on SQLite, and on PostgreSQL, which needs a server, and a user who may create databases:
//!
//! ```console
//! $ DATABASE_URL=postgres://… cargo test -p example-sea-orm -- --include-ignored
//! ```

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that finds something else than it expects has to fail"
)]

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use example_sea_orm::app;
use folio::{Key, Keyring};
use sea_orm::{ConnectionTrait as _, Database};
use serde_json::{Value, json};
use tower::ServiceExt as _;

async fn send(app: &Router, request: Request<Body>) -> (StatusCode, Value) {
    let response = app.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap())
}

async fn get(app: &Router, path: &str) -> Value {
    let (status, json) = send(app, Request::get(path).body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::OK, "{path}: {json}");
    json
}

async fn post(app: &Router, json: &Value) -> (StatusCode, Value) {
    let request = Request::post("/posts").header("content-type", "application/json");
    send(app, request.body(Body::from(json.to_string())).unwrap()).await
}

/// The values of a key in the rows of a page.
fn column(page: &Value, name: &str) -> Vec<Value> {
    page["data"].as_array().unwrap().iter().map(|row| row[name].clone()).collect()
}

/// The ids of all pages from a path on, which follows the cursors.
async fn walk(app: &Router, path: &str) -> Vec<i64> {
    let (mut ids, mut next) = (Vec::new(), Some(path.to_owned()));
    while let Some(url) = next {
        let page = get(app, &url).await;
        ids.extend(column(&page, "id").iter().map(|id| id.as_i64().unwrap()));
        next = page["next_page_url"].as_str().map(str::to_owned);
    }
    ids
}

async fn check(url: &str) {
    let app = app(url, Keyring::new(Key::generate())).await.unwrap();

    let page = get(&app, "/posts?page=2&per_page=10").await;
    assert_eq!((&page["total"], &page["last_page"]), (&json!(30), &json!(3)));
    assert!(column(&page, "author").iter().all(|author| author["name"] == "Edsger"), "sorted by name: {page}");
    assert_eq!(column(&page, "id"), (21..=30).rev().map(|id| json!(id)).collect::<Vec<_>>());

    assert_eq!(walk(&app, "/posts/latest?per_page=7").await, (1..=30).rev().collect::<Vec<_>>());
    let followed = walk(&app, "/feed?authors=1,3&per_page=4").await;
    assert_eq!(followed, (21..=30).rev().chain((1..=10).rev()).collect::<Vec<_>>());
    let (status, error) = send(&app, Request::get("/feed?authors=ada").body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{error}");

    let authors = get(&app, "/authors").await;
    let newest = &authors["data"][1]["newest"];
    assert_eq!(newest.as_array().unwrap().iter().map(|post| &post["id"]).collect::<Vec<_>>(), [20, 19, 18]);

    // Written by sea-orm, and read by folio in the same transaction.
    let (status, page) = post(&app, &json!({ "title": "New", "author_id": 2, "tags": ["rust", "sql"] })).await;
    assert_eq!((status, &page["data"][0]["title"]), (StatusCode::CREATED, &json!("New")));
    let latest = get(&app, "/posts/latest?per_page=1").await;
    assert_eq!(latest["data"][0]["tags"], json!(["rust", "sql"]));

    // A tag that is named twice breaks a constraint after the post was written, so the post is gone as well.
    let (status, _) = post(&app, &json!({ "title": "Lost", "author_id": 2, "tags": ["twice", "twice"] })).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    let (status, error) = post(&app, &json!({ "title": "Lost", "author_id": 9, "tags": [] })).await;
    assert_eq!((status, error), (StatusCode::UNPROCESSABLE_ENTITY, json!({ "message": "the author does not exist" })));
    assert_eq!(get(&app, "/posts").await["total"], 31);
}

#[tokio::test]
async fn the_blog_on_sqlite() {
    let folder = std::env::temp_dir().join(format!("folio-example-sea-orm-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    check(&format!("sqlite:{}/blog.db?mode=rwc", folder.display())).await;
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
#[ignore = "needs PostgreSQL: set DATABASE_URL and add --include-ignored"]
async fn the_blog_on_postgres() {
    let url = std::env::var("DATABASE_URL").unwrap();
    let server = Database::connect(&url).await.unwrap();
    let name = format!("folio_example_sea_orm_{}", std::process::id());
    server.execute_unprepared(&format!("CREATE DATABASE {name}")).await.unwrap();
    check(&format!("{}/{name}", url.rsplit_once('/').unwrap().0)).await;
    server.execute_unprepared(&format!("DROP DATABASE {name} WITH (FORCE)")).await.unwrap();
}
