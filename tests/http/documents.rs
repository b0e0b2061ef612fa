//! The cases of the specification as a client receives them, byte for byte.

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::response::IntoResponse;
use axum::routing::get;
use folio::{CursorPaginator, LengthAwarePaginator, PageLink, Paginator};
use folio_tests::cases::{Case, read};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::service::{Service, folio};

/// Serves the page that `page` makes of each case's input, and compares the response.
async fn serve<I, P>(file: &str, count: usize, page: fn(&I) -> P)
where
    I: DeserializeOwned + Send + Sync + 'static,
    P: IntoResponse + 'static,
{
    let cases: Arc<Vec<Case<I>>> = Arc::new(read(file));
    assert_eq!(cases.len(), count);
    let served = cases.clone();
    let handler = get(async move |Path(case): Path<usize>| page(&served[case].input));
    let service = Service::start(Router::new().route("/{case}", handler)).await;
    for (place, case) in cases.iter().enumerate() {
        let answer = service.get(&format!("/{place}")).await;
        assert_eq!(answer.status, 200, "{}", case.name);
        assert_eq!(answer.headers["content-type"], "application/json", "{}", case.name);
        assert_eq!(answer.text, case.expected.to_string(), "{}", case.name);
    }
}

#[derive(Deserialize)]
struct LengthAware {
    total: u64,
    per_page: u64,
    current_page: u64,
    rows: Vec<Value>,
    path: Option<String>,
    page_name: Option<String>,
}

#[tokio::test]
async fn length_aware_pages() {
    serve("length_aware", 140, |input: &LengthAware| {
        let page = LengthAwarePaginator::new(input.rows.clone(), input.total, input.per_page, input.current_page);
        LengthAwarePaginator { path: input.path.clone(), page_name: input.page_name.clone(), ..page }
    })
    .await;
}

#[derive(Deserialize)]
struct Simple {
    per_page: u64,
    current_page: u64,
    fetched: Vec<Value>,
    path: Option<String>,
}

#[tokio::test]
async fn simple_pages() {
    serve("simple", 54, |input: &Simple| {
        let page = Paginator::new(input.fetched.clone(), input.current_page, input.per_page, false);
        Paginator { path: input.path.clone(), ..page }
    })
    .await;
}

#[derive(Deserialize)]
struct Cursor {
    data: Vec<Value>,
    per_page: u64,
    next_cursor: Option<String>,
    prev_cursor: Option<String>,
    path: Option<String>,
    cursor_name: Option<String>,
}

#[tokio::test]
async fn cursor_pages() {
    let count = read::<Case<Cursor>>("cursor").len();
    assert!(count > 20, "{count}");
    serve("cursor", count, |input: &Cursor| {
        let (next, prev) = (input.next_cursor.clone(), input.prev_cursor.clone());
        let page = CursorPaginator::new(input.data.clone(), input.per_page, next, prev);
        CursorPaginator { path: input.path.clone(), cursor_name: input.cursor_name.clone(), ..page }
    })
    .await;
}

#[derive(Deserialize)]
struct Url {
    path: Option<String>,
    page_name: Option<String>,
    page: u64,
}

#[tokio::test]
async fn urls() {
    let cases: Arc<Vec<Case<Url>>> = Arc::new(read("url"));
    assert_eq!(cases.len(), 301);
    let served = cases.clone();
    let handler = get(async move |Path(case): Path<usize>| {
        let Url { path, page_name, page } = &served[case].input;
        let list = LengthAwarePaginator { last_page: *page, ..LengthAwarePaginator::new(vec![0], 1, 1, 1) };
        LengthAwarePaginator { path: path.clone(), page_name: page_name.clone(), ..list }
    });
    let service = Service::start(Router::new().route("/{case}", handler)).await;
    for (place, Case { input, expected, .. }) in cases.iter().enumerate() {
        let page = service.get(&format!("/{place}")).await.json();
        assert_eq!(page["last_page_url"], *expected, "{:?} {:?} {}", input.path, input.page_name, input.page);
    }
}

#[derive(Debug, sqlx::FromRow, serde::Serialize, folio::Paginate)]
#[paginate(table = "t")]
struct Row {
    id: i64,
}

/// A list of this many rows, under `/paginate/{per_page}` and `/simple_paginate/{per_page}`.
async fn list(rows: u64) -> Service {
    let pool = crate::service::packages(0).await;
    sqlx::query("CREATE TABLE t (id INTEGER PRIMARY KEY)").execute(&pool).await.unwrap();
    for id in 1..=rows {
        sqlx::query("INSERT INTO t VALUES (?)").bind(id.cast_signed()).execute(&pool).await.unwrap();
    }
    let numbered = get(async |Path(per_page): Path<u64>| Row::query().with_path("/t").paginate(per_page).await);
    let simple = get(async |Path(per_page): Path<u64>| Row::query().with_path("/t").simple_paginate(per_page).await);
    let app = Router::new().route("/paginate/{per_page}", numbered).route("/simple_paginate/{per_page}", simple);
    Service::start(app.layer(folio(pool).layer())).await
}

#[derive(Deserialize)]
struct Listed {
    table_rows: u64,
    op: String,
    per_page: u64,
    page: u64,
    expected: Value,
}

#[tokio::test]
async fn pages_of_a_database() {
    let cases: Vec<Listed> = read("offset_db");
    assert_eq!(cases.len(), 48);
    for Listed { table_rows, op, per_page, page, expected } in cases {
        let answer = list(table_rows).await.get(&format!("/{op}/{per_page}?page={page}")).await;
        assert_eq!(answer.text, expected.to_string(), "{op}({per_page}) of {table_rows}, page {page}");
    }
}

#[derive(Deserialize)]
struct PageInput {
    raw: Option<String>,
    page: u64,
}

#[tokio::test]
async fn page_input() {
    let service = list(3).await;
    let cases: Vec<PageInput> = read("page_input");
    assert_eq!(cases.len(), 17);
    for PageInput { raw, page } in cases {
        let encoded = |text: &String| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
        let query = raw.as_ref().map(|text| format!("?page={}", encoded(text))).unwrap_or_default();
        for op in ["paginate", "simple_paginate"] {
            let answer = service.get(&format!("/{op}/1{query}")).await.json();
            assert_eq!(answer["current_page"], page, "{raw:?}");
            assert_eq!(answer["data"].as_array().unwrap().len(), usize::from(page <= 3), "{raw:?}");
        }
    }
}

#[tokio::test]
async fn other_values_answer_as_json() {
    let value = async |Path(what): Path<String>| match what.as_str() {
        "links" => folio::json_response!(LengthAwarePaginator::new(vec![1], 1, 1, 1).links()),
        "created" => folio::json_response!(serde_json::json!({ "id": 7 }), 201, [("location", "/t/7")]),
        _ => folio::json_response!("teapot", axum::http::StatusCode::IM_A_TEAPOT),
    };
    let service = Service::start(Router::new().route("/{what}", get(value))).await;

    let links: Vec<PageLink> = LengthAwarePaginator::new(vec![1], 1, 1, 1).links();
    assert_eq!(service.get("/links").await.json(), serde_json::to_value(links).unwrap());
    let created = service.get("/created").await;
    assert_eq!((created.status.as_u16(), &created.headers["location"]), (201, &"/t/7".parse().unwrap()));
    assert_eq!(created.text, r#"{"id":7}"#);
    let teapot = service.get("/teapot").await;
    assert_eq!((teapot.status.as_u16(), teapot.json()), (418, "teapot".into()));
}
