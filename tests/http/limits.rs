//! Lists with limits, and requests that exceed them: a 400 that names the parameter, or a 503 that says what to do.

use std::time::Duration;

use axum::Router;
use axum::extract::Query;
use axum::routing::get;
use folio::inertia::{Inertia, InertiaResponse};
use folio::json_api::{JsonApiError, JsonResource, Resource};
use folio::relay::Window;
use folio::{Column, Folio, Key, Keyring, Paginate, Result, Select};
use serde::Serialize;
use serde_json::json;
use sqlx::sqlite::SqlitePoolOptions;

use crate::hostile::NOISE;
use crate::service::{Answer, Service};

#[derive(Debug, Clone, Serialize, sqlx::FromRow, Paginate)]
struct Entry {
    id: i64,
}

impl JsonResource for Entry {
    fn resource_type(&self) -> &str {
        "entries"
    }
    fn id(&self) -> String {
        self.id.to_string()
    }
    fn attributes(&self) -> impl Serialize {
        json!({})
    }
}

/// Counts for minutes.
fn slow() -> Select<(i64,)> {
    let text = "SELECT n FROM (SELECT MAX(c.n) AS n FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c \
                WHERE n < 9000000000) SELECT n FROM c) AS c) AS d";
    Select::sql(text).order_by(Column::<i64>::new("n"))
}

/// A service whose pages skip at most 20 rows of 100, and take at most a fifth of a second.
async fn service() -> Service {
    let pool = SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await.unwrap();
    let schema = "CREATE TABLE entries (id INTEGER PRIMARY KEY);
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100) INSERT INTO entries SELECT n FROM c";
    sqlx::raw_sql(schema).execute(&pool).await.unwrap();
    let folio = Folio::new(pool)
        .keyring(Keyring::new(Key::generate()))
        .max_offset(20)
        .max_window(30)
        .remember_totals(Duration::from_secs(60))
        .statement_timeout(Duration::from_millis(200));
    let inertia = async || -> Result<InertiaResponse> {
        Ok(Inertia::paginate("Entries", "entries", Entry::query().paginate(10).await?))
    };
    let app = Router::new()
        .route("/numbered", get(async || Entry::query().paginate(10).await))
        .route("/simple", get(async || Entry::query().simple_paginate(10).await))
        .route(
            "/select",
            get(async || Select::<Entry>::sql("SELECT id FROM entries").order_by(Entry::ID).paginate(10).await),
        )
        .route("/inertia", get(inertia))
        .route("/cursor", get(async || Entry::query().counted().cursor_paginate(10).await))
        .route(
            "/window",
            get(async |Query(window): Query<Window>| {
                Entry::query().connection(window).await.map(|rows| serde_json::to_string(&rows).unwrap())
            }),
        )
        .route(
            "/api",
            get(async || -> Result<_, JsonApiError> {
                Ok(Resource::paginated(Entry::query().with_page_name("page[number]").paginate(10).await?))
            }),
        )
        .route("/slow", get(async || slow().simple_paginate(10).await))
        .route(
            "/api/slow",
            get(async || -> Result<_, JsonApiError> {
                slow().simple_paginate(10).await?;
                Ok("read")
            }),
        )
        .layer(folio.layer());
    Service::start(app).await
}

#[tokio::test]
async fn a_page_beyond_the_limit_is_refused_under_its_parameter() {
    let service = service().await;
    let detail = |name: &str| {
        format!(
            "`{name}` is a number up to 3, because a page skips at most 20 rows: narrow the filter, or read the list by cursor"
        )
    };
    for path in ["/numbered", "/simple", "/select", "/inertia"] {
        for page in ["", "0", "1", "3", "003"] {
            assert_eq!(service.get(&format!("{path}?page={page}")).await.status, 200, "{path}, {page}");
        }
        for page in ["4", "11", "1000000", "18446744073709551615", "99999999999999999999999"] {
            let Answer { status, text, .. } = service.get(&format!("{path}?page={page}")).await;
            let body: serde_json::Value = serde_json::from_str(&text).unwrap();
            let expected = json!({ "message": detail("page"), "parameter": "page" });
            assert_eq!((status.as_u16(), body), (400, expected), "{path}, {page}");
        }
    }
    let first = service.get("/api?page[number]=1").await;
    assert_eq!(
        (first.status.as_u16(), first.json_of("application/vnd.api+json")["meta"]["pagination"]["last_page"].clone()),
        (200, json!(10))
    );
    let answer = service.get("/api?page[number]=4").await;
    let error = json!({
        "status": "400",
        "title": "Bad Request",
        "detail": detail("page[number]"),
        "source": { "parameter": "page[number]" },
    });
    let body = answer.json_of("application/vnd.api+json");
    assert_eq!((answer.status.as_u16(), body), (400, json!({ "errors": [error] })));
}

#[tokio::test]
async fn a_statement_that_takes_too_long_is_a_503_that_says_what_to_do() {
    let service = service().await;
    let text = "reading this list took longer than 200ms, which is the limit: narrow the filter, or ask for fewer rows or a \
                page nearer to the beginning";
    let answer = service.get("/slow").await;
    assert_eq!((answer.status.as_u16(), answer.json()), (503, json!({ "message": text })));
    let answer = service.get("/api/slow").await;
    let error = json!({ "status": "503", "title": "Service Unavailable", "detail": text });
    let body = answer.json_of("application/vnd.api+json");
    assert_eq!((answer.status.as_u16(), body), (503, json!({ "errors": [error] })));
    assert_eq!(service.get("/numbered").await.status, 200);
}

/// Whatever a client sends, the answer is a page or a 400.
#[tokio::test]
async fn hostile_parameters_are_pages_or_refused() {
    let service = service().await;
    let numbers = ["2", "3", "4", "30", "31", "-1", "1001", "9223372036854775807", "9223372036854775808"];
    for value in NOISE.into_iter().chain(numbers) {
        for path in [
            "/numbered?page=",
            "/simple?page=",
            "/select?page=",
            "/inertia?page=",
            "/api?page[number]=",
            "/cursor?cursor=",
            "/window?first=",
            "/window?last=",
            "/window?first=5&after=",
            "/window?last=5&before=",
        ] {
            let asked = format!("{path}{value}");
            let (status, _) = service.get_raw(asked.as_bytes()).await;
            assert!(matches!(status, 200 | 400), "{asked}: {status}");
        }
    }
    for (window, status) in [("first=30", 200), ("last=30", 200), ("first=31", 400), ("last=9223372036854775807", 400)]
    {
        assert_eq!(service.get(&format!("/window?{window}")).await.status, status, "{window}");
    }
}
