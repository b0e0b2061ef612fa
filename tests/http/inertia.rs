//! The requests of an Inertia front end: headers and bytes of each response.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::routing::{get, post};
use folio::Result;
use folio::inertia::{Inertia, InertiaResponse};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::service::{Service, folio, packages, walked};

#[derive(Debug, sqlx::FromRow, serde::Serialize, folio::Paginate)]
#[paginate(table = "packages", cursor_key = "depends_count desc nulls last")]
struct Package {
    id: i64,
    depends_count: Option<i64>,
}

async fn list() -> Result<InertiaResponse> {
    Ok(Inertia::paginate("Packages", "packages", Package::query().cursor_paginate(3).await?))
}

/// The application, and how often its handlers ran.
async fn app() -> (Router, Arc<AtomicUsize>) {
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let list = async move || {
        counted.fetch_add(1, Ordering::Relaxed);
        list().await
    };
    let folio = folio(packages(10).await).asset_version("v2").share("site", || "Catalogue");
    let folio = folio.root_view(|app| format!("<!doctype html><title>Packages</title>{app}"));
    let app = Router::new().route("/packages", get(list.clone())).route("/save", post(list));
    (app.layer(folio.layer()), runs)
}

/// A visit of the front end.
async fn visit(app: &Router, uri: &str, headers: &[(&str, &str)]) -> (u16, Vec<(String, String)>, String) {
    let (method, uri) = uri.split_once(' ').unwrap_or(("GET", uri));
    let request = Request::builder().method(method).uri(uri).header("X-Inertia", "true");
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let answer = app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let header = |(name, value): (&axum::http::HeaderName, &axum::http::HeaderValue)| {
        (name.as_str().to_owned(), value.to_str().unwrap().to_owned())
    };
    let (status, headers) = (answer.status().as_u16(), answer.headers().iter().map(header).collect());
    let body = http_body_util::BodyExt::collect(answer.into_body()).await.unwrap().to_bytes();
    (status, headers, String::from_utf8(body.to_vec()).unwrap())
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
}

const VERSION: (&str, &str) = ("X-Inertia-Version", "v2");

#[tokio::test]
async fn a_browser_gets_an_html_document() {
    let service = Service::start(app().await.0).await;
    let answer = service.get("/packages?section=libs").await;
    assert_eq!(
        (answer.status.as_u16(), &answer.headers["content-type"]),
        (200, &"text/html; charset=utf-8".parse().unwrap())
    );
    assert_eq!(answer.headers["vary"], "X-Inertia");
    assert_eq!(answer.headers.get("x-inertia"), None);
    let begin = "<!doctype html><title>Packages</title><script data-page=\"app\" type=\"application/json\">";
    let page = answer.text.strip_prefix(begin).unwrap();
    let page: Value = serde_json::from_str(page.strip_suffix("</script><div id=\"app\"></div>").unwrap()).unwrap();
    assert_eq!((&page["component"], &page["url"]), (&json!("Packages"), &json!("/packages?section=libs")));
    assert_eq!(page["props"]["site"], "Catalogue");
}

#[tokio::test]
async fn a_list_is_scrolled_to_its_end_and_back() {
    let (app, _) = app().await;
    let ids = |page: &Value| -> Vec<i64> {
        page["props"]["packages"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
    };
    let read = async |cursor: &Value, intent: &'static str| {
        let uri = cursor.as_str().map_or("/packages".to_owned(), |cursor| format!("/packages?cursor={cursor}"));
        let headers = [
            VERSION,
            ("X-Inertia-Partial-Component", "Packages"),
            ("X-Inertia-Partial-Data", "packages"),
            ("X-Inertia-Infinite-Scroll-Merge-Intent", intent),
        ];
        let (status, headers, body) = visit(&app, &uri, &headers).await;
        assert_eq!((status, header(&headers, "content-type")), (200, Some("application/json")), "{body}");
        assert_eq!((header(&headers, "x-inertia"), header(&headers, "vary")), (Some("true"), Some("X-Inertia")));
        let page: Value = serde_json::from_str(&body).unwrap();
        let (merged, other) =
            if intent == "append" { ("mergeProps", "prependProps") } else { ("prependProps", "mergeProps") };
        assert_eq!((&page[merged], page.get(other)), (&json!(["packages"]), None));
        // The first page is 1, however it was reached: the client then removes the cursor from the address.
        let is_first = page["scrollProps"]["packages"]["previousPage"].is_null();
        let expected = if is_first { json!(1) } else { cursor.clone() };
        assert_eq!(page["scrollProps"]["packages"]["currentPage"], expected);
        page
    };
    let mut seen = Vec::new();
    let mut page = read(&Value::Null, "append").await;
    loop {
        seen.extend(ids(&page));
        let next = page["scrollProps"]["packages"]["nextPage"].clone();
        if next.is_null() {
            break;
        }
        page = read(&next, "append").await;
    }
    assert_eq!(seen, walked(10));
    let mut back = ids(&page);
    loop {
        let previous = page["scrollProps"]["packages"]["previousPage"].clone();
        if previous.is_null() {
            break;
        }
        page = read(&previous, "prepend").await;
        back.splice(0..0, ids(&page));
    }
    assert_eq!(back, walked(10));
}

#[tokio::test]
async fn a_stale_version_reloads_the_page() {
    let (app, runs) = app().await;
    for version in [&[("X-Inertia-Version", "v1")][..], &[("X-Inertia-Version", "")], &[]] {
        let (status, headers, body) = visit(&app, "/packages?a=%20b&page=2", version).await;
        assert_eq!((status, body.as_str()), (409, ""), "{version:?}");
        assert_eq!(header(&headers, "x-inertia-location"), Some("/packages?a=%20b&page=2"));
        assert_eq!(header(&headers, "x-inertia-version"), Some("v2"));
        assert_eq!(header(&headers, "x-inertia"), None);
    }
    assert_eq!(runs.load(Ordering::Relaxed), 0, "no handler runs");
    // What is sent with a form must not be lost.
    assert_eq!(visit(&app, "POST /save", &[("X-Inertia-Version", "v1")]).await.0, 200);
    assert_eq!(visit(&app, "/packages", &[VERSION]).await.0, 200);
    assert_eq!(runs.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn shared_errors_are_sent_with_every_page() {
    let folio = folio(packages(4).await).share("errors", || json!({ "name": "is missing" }));
    let own = async || Inertia::render("Packages").errors(json!({ "name": "is taken" }));
    let app = Router::new().route("/packages", get(list)).route("/own", get(own)).layer(folio.layer());
    let of_packages = ("X-Inertia-Partial-Component", "Packages");
    for headers in [
        &[][..],
        &[of_packages, ("X-Inertia-Partial-Data", "packages")],
        &[of_packages, ("X-Inertia-Partial-Except", "errors")],
    ] {
        for (uri, error) in [("/packages", "is missing"), ("/own", "is taken")] {
            let page: Value = serde_json::from_str(&visit(&app, uri, headers).await.2).unwrap();
            assert_eq!(page["props"]["errors"], json!({ "name": error }), "{uri}, {headers:?}");
        }
    }
}

#[tokio::test]
async fn an_altered_cursor_is_refused() {
    let (app, _) = app().await;
    let (status, headers, body) = visit(&app, "/packages?cursor=AbC", &[VERSION]).await;
    assert_eq!((status, body.as_str()), (400, r#"{"message":"Invalid pagination cursor"}"#));
    assert_eq!(header(&headers, "x-inertia"), None);
}
