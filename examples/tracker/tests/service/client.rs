//! Calls the service without a socket.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use chrono::{TimeDelta, Utc};
use example_tracker::{Database, app, generate};
use folio::{Key, Keyring};
use serde_json::Value;
use tower::ServiceExt as _;

/// 60 for each of the 20 projects.
const ISSUES: i64 = 1_200;

/// A response whose body is JSON, or text.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {}", self.text))
    }
}

/// The service, and the database behind it.
pub(crate) struct Client {
    app: Router,
    database: Database,
}

impl Client {
    pub(crate) async fn new(database: Database) -> Self {
        assert!(generate(&database, ISSUES).await.unwrap());
        let app = app(database.clone(), Keyring::new(Key::generate())).await.unwrap();
        Self { app, database }
    }

    pub(crate) async fn send(&self, method: &str, uri: &str) -> Answer {
        let request = Request::builder().method(method).uri(uri).body(Body::empty()).unwrap();
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        Answer { status, headers, text: String::from_utf8(body.into()).unwrap() }
    }

    /// The JSON of a page.
    pub(crate) async fn get(&self, uri: &str) -> Value {
        let answer = self.send("GET", uri).await;
        assert_eq!(answer.status, 200, "{uri}: {}", answer.text);
        answer.json()
    }

    /// The rows of each page, from `uri` along the links named `link`.
    pub(crate) async fn pages(&self, uri: &str, link: &str) -> Vec<Vec<Value>> {
        let (mut pages, mut next) = (Vec::new(), Some(uri.to_owned()));
        while let Some(uri) = next {
            let page = self.get(&uri).await;
            pages.push(page["data"].as_array().unwrap().clone());
            next = page[link].as_str().map(str::to_owned);
            assert!(pages.len() < 1_000, "{uri} leads in a circle");
        }
        pages
    }

    /// The rows of all pages, from `uri` to the end of the list.
    pub(crate) async fn walk(&self, uri: &str) -> Vec<Value> {
        self.pages(uri, "next_page_url").await.concat()
    }

    /// Adds an open issue to the first project that was created a while from now, and returns its id.
    pub(crate) async fn insert(&self, title: &str, from_now: TimeDelta) -> i64 {
        let insert = "INSERT INTO issues (project_id, author_id, title, state, priority, created_at)
            VALUES (1, 1, $1, 'open', 1, $2) RETURNING id";
        let at = Utc::now() + from_now;
        match &self.database {
            Database::Postgres(pool) => sqlx::query_scalar(insert).bind(title).bind(at).fetch_one(pool).await.unwrap(),
            Database::Sqlite(pool) => sqlx::query_scalar(insert).bind(title).bind(at).fetch_one(pool).await.unwrap(),
        }
    }

    /// The first column of a select, which is the same on both databases.
    pub(crate) async fn select(&self, select: &'static str) -> Vec<i64> {
        match &self.database {
            Database::Postgres(pool) => sqlx::query_scalar(select).fetch_all(pool).await.unwrap(),
            Database::Sqlite(pool) => sqlx::query_scalar(select).fetch_all(pool).await.unwrap(),
        }
    }
}

/// The ids of rows.
pub(crate) fn ids(rows: &[Value]) -> Vec<i64> {
    rows.iter().map(|row| row["id"].as_i64().unwrap()).collect()
}
