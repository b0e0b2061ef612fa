//! Calls the server without a socket.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use example_graphql::app;
use folio::{Folio, Key, Keyring};
use serde_json::{Value, json};
use sqlx::sqlite::SqlitePoolOptions;
use tower::ServiceExt as _;

/// Seven packages in three sections. Two of them tie, and two have no number of dependencies.
const PACKAGES: &str = "
    CREATE TABLE packages (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, section TEXT NOT NULL,
        priority TEXT NOT NULL, installed_size_kib INTEGER, download_bytes INTEGER NOT NULL, depends_count INTEGER
    );
    INSERT INTO packages VALUES
        (1, 'chess', '1.0', 'games', 'optional', 10, 1, 4),
        (2, 'go', '1.0', 'games', 'optional', 20, 2, NULL),
        (3, 'mill', '1.0', 'games', 'optional', NULL, 3, 4),
        (4, 'reversi', '1.0', 'games', 'optional', 40, 4, 9),
        (5, 'curl', '8.0', 'web', 'optional', 50, 5, 2),
        (6, 'wget', '2.0', 'web', 'optional', 60, 6, NULL),
        (7, 'vim', '9.0', 'editors', 'important', 70, 7, 5);
";

/// The server.
pub(crate) struct Client {
    app: Router,
}

impl Client {
    pub(crate) async fn new() -> Self {
        let pool = SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await.unwrap();
        sqlx::raw_sql(PACKAGES).execute(&pool).await.unwrap();
        Self { app: app(&Folio::new(pool).keyring(Keyring::new(Key::generate()))) }
    }

    /// The status and the body of a response.
    pub(crate) async fn send(&self, request: Request<Body>) -> (u16, String) {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, String::from_utf8(body.into()).unwrap())
    }

    /// The answer to a query: `data` and `errors`.
    pub(crate) async fn ask(&self, query: &str, variables: Value) -> Value {
        let body = json!({ "query": query, "variables": variables }).to_string();
        let request = Request::post("/graphql").header("content-type", "application/json").body(body.into()).unwrap();
        let (status, text) = self.send(request).await;
        assert_eq!(status, 200, "{query} with {variables}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// The data of a query that succeeds.
    pub(crate) async fn data(&self, query: &str, variables: Value) -> Value {
        let mut answer = self.ask(query, variables).await;
        assert_eq!(answer.get("errors"), None, "{query}");
        answer["data"].take()
    }

    /// The message and the extensions of the only error of a query.
    pub(crate) async fn error(&self, query: &str, variables: Value) -> (String, Value) {
        let mut answer = self.ask(query, variables).await;
        let [error] = &mut answer["errors"].as_array_mut().unwrap()[..] else { panic!("not one error: {answer}") };
        (error["message"].as_str().unwrap().to_owned(), error["extensions"].take())
    }
}

/// The names of a connection's nodes.
pub(crate) fn names(connection: &Value) -> Vec<&str> {
    connection["nodes"].as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap()).collect()
}
