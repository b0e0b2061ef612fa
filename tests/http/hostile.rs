//! Queries that no front end sends: the answer is a page or a 4xx, never a 5xx or the rows of another list.

use axum::Router;
use axum::body::Body;
use axum::http::HeaderValue;
use axum::routing::get;
use folio::ActiveRequest;
use folio::inertia::{Inertia, InertiaResponse};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::service::{Service, example, folio, ids, packages};
use crate::specification::violations;

/// Parts of hostile queries.
pub(crate) const NOISE: [&str; 22] = [
    "'",
    "';DROP TABLE packages;--",
    "1 OR 1=1",
    "\\",
    "%",
    "%%",
    "%2",
    "%FF%FE",
    "%00",
    "%0d%0aset-cookie:a=b",
    "&&&&",
    "=",
    "==",
    "[]",
    "[$ne]=1",
    "?",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "../../etc/passwd",
    "%f0%9f%92%a9",
];

/// All lists of the example.
const PATHS: [&str; 7] = [
    "/packages",
    "/packages/simple",
    "/packages/cursor",
    "/api/packages",
    "/api/packages/simple",
    "/api/packages/cursor",
    "/api/packages/window",
];

/// The JSON of a body. One of JSON:API is a valid document, apart from the links around the page: they keep the
/// request's query byte for byte, and here it is not one that a URI may have.
pub(crate) fn json_of(path: &str, asked: &str, body: &str) -> Value {
    let json: Value = serde_json::from_str(body).unwrap();
    if path.starts_with("/api") {
        let mut document = json.clone();
        document.as_object_mut().unwrap().remove("links");
        assert_eq!(violations(&document), [""; 0], "{asked}: {json:#}");
    }
    json
}

#[tokio::test]
async fn noise_anywhere_in_a_query_is_not_a_server_error() {
    let service = example(20).await;
    let keys = [
        "page",
        "per_page",
        "cursor",
        "sort",
        "section",
        "q",
        "page%5Bcursor%5D",
        "page%5Bsize%5D",
        "page%5Bafter%5D",
        "page[before]",
        "page%5Bafter%5D=&page%5Bbefore%5D",
        "include",
        "fields",
        "fields%5Bpackages%5D",
    ];
    for path in PATHS {
        for noise in NOISE {
            for key in keys.into_iter().chain([noise]) {
                let asked = format!("{path}?{key}={noise}");
                let (status, body) = service.get_raw(asked.as_bytes()).await;
                assert!(status == 200 || status == 400, "{asked}: {status} {body}");
                // hyper refuses what is not a URI, without a body.
                if (status, body.as_str()) != (400, "") {
                    let page = json_of(path, &asked, &body);
                    assert!(status == 400 || page["data"].as_array().unwrap().len() <= 20, "{asked}");
                }
            }
        }
    }
    // The table is unchanged.
    assert_eq!(service.get("/packages").await.json()["total"], 20);
}

#[tokio::test]
async fn a_pattern_is_matched_as_text() {
    let service = example(20).await;
    for (q, found) in [("ge-2", vec![2, 20]), ("%25", vec![]), ("_", vec![]), ("%5C", vec![]), ("", (1..=15).collect())]
    {
        assert_eq!(ids(&service.get(&format!("/packages?q={q}")).await.json()), found, "{q}");
    }
}

#[tokio::test]
async fn invalid_utf8_in_a_query_is_not_a_server_error() {
    let service = example(3).await;
    for bytes in [&b"\xFF\xFE"[..], b"\xC3\x28", b"a\x80", b"\x7F", b"<>\"{}|^`"] {
        for key in [&b"page="[..], b"cursor=", b"per_page=", b""] {
            let asked = [b"/packages?", key, bytes].concat();
            let (status, body) = service.get_raw(&asked).await;
            assert!(status == 200 || status == 400, "{asked:?}: {status} {body}");
        }
    }
}

#[tokio::test]
async fn an_oversized_query_is_answered_or_refused() {
    let service = example(3).await;
    for unit in ["page=1&", "&", "=", "%70age=2&", "cursor=&", "per_page=5&", "q=a&", "a", "%"] {
        // Up to the 64 KiB that a URI may have, and beyond.
        for size in [1_000, 60_000, 70_000, 500_000] {
            let asked = format!("/packages/cursor?{}", unit.repeat(size / unit.len()));
            let (status, body) = service.get_raw(asked.as_bytes()).await;
            let refused = if size < 65_536 { status == 400 } else { matches!(status, 0 | 400 | 414 | 431) };
            assert!(status == 200 || refused, "{unit} to {size}: {status} {body}");
        }
    }
    let long = "A".repeat(50_000);
    let (status, body) = service.get_raw(format!("/packages/cursor?cursor={long}").as_bytes()).await;
    assert_eq!((status, body.as_str()), (400, r#"{"message":"Invalid pagination cursor"}"#));
    let (status, _) = service.get_raw(format!("/packages?page={}", "9".repeat(50_000)).as_bytes()).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn every_other_spelling_of_a_cursor_is_refused() {
    let service = example(20).await;
    let page = service.get("/packages/cursor?per_page=5").await.json();
    let cursor = page["next_cursor"].as_str().unwrap();
    let refused = async |text: &str| {
        let encoded: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let answer = service.get(&format!("/packages/cursor?per_page=5&cursor={encoded}")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.text.as_str()),
            (400, r#"{"message":"Invalid pagination cursor"}"#),
            "{text}"
        );
    };
    for place in 0..cursor.len() {
        let other = if &cursor[place..=place] == "A" { "B" } else { "A" };
        refused(&format!("{}{other}{}", &cursor[..place], &cursor[place + 1..])).await;
    }
    for text in [
        format!("{cursor}="),
        format!("{cursor}A"),
        format!(" {cursor}"),
        format!("{cursor}\n"),
        cursor[1..].to_owned(),
        cursor[..cursor.len() - 1].to_owned(),
        cursor.to_uppercase(),
        format!("{cursor}{cursor}"),
    ] {
        refused(&text).await;
    }
    // Another route to the same list accepts it: a cursor is bound to the table and the key.
    let other = service.get(&format!("/api/packages/cursor?page[size]=5&page[cursor]={cursor}")).await;
    assert_eq!(other.status, 200);
}

/// Sorts, cursors of other sorts, and page sizes, in every combination.
#[tokio::test]
async fn a_cursor_of_another_sort_is_refused_at_every_page_size() {
    let service = example(20).await;
    let sorts =
        ["id", "-id", "name", "-name", "section", "-dependencies", "name,id", "section,-name", "dependencies,id"];
    let mut cursors = Vec::new();
    for sort in sorts {
        let page = service.get(&format!("/packages/cursor?sort={sort}&per_page=5")).await.json();
        cursors.push(page["next_cursor"].as_str().unwrap().to_owned());
    }
    for (own, cursor) in sorts.iter().zip(&cursors) {
        for sort in sorts {
            for (size, accepted) in
                [("1", true), ("100", true), ("18446744073709551615", true), ("0", false), ("x", false)]
            {
                let asked = format!("/packages/cursor?sort={sort}&cursor={cursor}&per_page={size}");
                let same = order_of(own) == order_of(sort);
                let status = service.get(&asked).await.status;
                assert_eq!(status, if same && accepted { 200 } else { 400 }, "{own} as {asked}");
            }
        }
    }
}

/// A sort of the same order: `section` is by name already, and the id ends each order.
fn order_of(sort: &str) -> &str {
    match sort {
        "name,id" => "name",
        "section,-name" => "section",
        other => other,
    }
}

/// A scope may be anything, such as a name that the client chose. A cursor opens in its own scope alone.
#[tokio::test]
async fn a_scope_is_only_compared() {
    let list = async || {
        let tenant = ActiveRequest::current().and_then(|request| request.value("tenant").map(String::from));
        Scoped::query().cursor_scope(&tenant.unwrap_or_default()).with_query_string().cursor_paginate(5).await
    };
    let app = Router::new().route("/list", get(list)).layer(folio(packages(20).await).layer());
    let service = Service::start(app).await;
    let mut cursors: Vec<(&str, String)> = Vec::new();
    for tenant in NOISE.into_iter().filter(|noise| !noise.contains([' ', '&'])) {
        let (status, body) = service.get_raw(format!("/list?tenant={tenant}").as_bytes()).await;
        let page: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((status, ids(&page)), (200, vec![1, 2, 3, 4, 5]), "{tenant}");
        let next = page["next_cursor"].as_str().unwrap().to_owned();
        let (status, body) = service.get_raw(format!("/list?tenant={tenant}&cursor={next}").as_bytes()).await;
        assert_eq!((status, ids(&serde_json::from_str(&body).unwrap())), (200, vec![6, 7, 8, 9, 10]), "{tenant}");
        for (other, cursor) in &cursors {
            let (status, body) = service.get_raw(format!("/list?tenant={tenant}&cursor={cursor}").as_bytes()).await;
            let refused = r#"{"message":"Invalid pagination cursor"}"#;
            assert_eq!((status, body.as_str()), (400, refused), "{other} as {tenant}");
        }
        cursors.push((tenant, next));
    }
}

#[derive(Debug, sqlx::FromRow, serde::Serialize, folio::Paginate)]
#[paginate(table = "packages")]
struct Scoped {
    id: i64,
}

/// Header values that no front end sends.
const ODD: [&[u8]; 20] = [
    b"",
    b" ",
    b",",
    b",,,,",
    b".",
    b"..",
    b".posts",
    b"posts.",
    b"posts..data",
    b"feed..posts",
    b"feed.posts.data.0.id.",
    b"feed,feed.posts,.feed",
    b"errors",
    b"errors.name",
    b"*",
    b"__proto__.constructor",
    b"feed[posts]",
    b"feed.posts\0x",
    b"\xFF\xFE",
    b"\xC3\xBC.\xE2\x82\xAC",
];

#[tokio::test]
async fn headers_of_odd_content_are_not_a_server_error() {
    let page = async || -> folio::Result<InertiaResponse> {
        let posts = async || Scoped::query().cursor_paginate(5).await;
        let page =
            Inertia::render("Page").prop("title", "All").prop("feed.title", "News").scroll("feed.posts", posts).await?;
        let page = page.defer("feed.late", posts).await?.optional("rare", posts).await?;
        page.defer_prop("feed.count", async || folio::Result::Ok(20)).await
    };
    let folio = folio(packages(20).await).asset_version("v1").share("errors", || json!({ "name": "is missing" }));
    let app =
        Router::new().route("/", get(page)).route("/go", get(async || Inertia::location("/"))).layer(folio.layer());
    let long = b"feed.posts,".repeat(5_000);
    let deep = b"feed.".repeat(10_000);
    for value in ODD.into_iter().chain([&*long, &*deep]) {
        let Ok(value) = HeaderValue::from_bytes(value) else { continue };
        for name in [
            "X-Inertia",
            "X-Inertia-Version",
            "X-Inertia-Partial-Component",
            "X-Inertia-Partial-Data",
            "X-Inertia-Partial-Except",
            "X-Inertia-Reset",
            "X-Inertia-Error-Bag",
            "X-Inertia-Infinite-Scroll-Merge-Intent",
        ] {
            let request = axum::http::Request::get("/").header("X-Inertia-Version", "v1").header("X-Inertia", "true");
            let mut request = request.header("X-Inertia-Partial-Component", "Page").body(Body::empty()).unwrap();
            request.headers_mut().insert(name, value.clone());
            let answer = app.clone().oneshot(request).await.unwrap();
            let status = answer.status().as_u16();
            assert!(status == 200 || (status == 409 && name == "X-Inertia-Version"), "{name}: {value:?}: {status}");
            let body = axum::body::to_bytes(Body::new(answer.into_body()), usize::MAX).await.unwrap();
            if status == 200 && name != "X-Inertia" {
                let page: Value = serde_json::from_slice(&body).unwrap();
                assert_eq!(page["props"]["errors"], json!({ "name": "is missing" }), "{name}: {value:?}");
                // The client's paths select props, and create none.
                let props = page["props"].as_object().unwrap().keys();
                assert!(
                    props.into_iter().all(|key| ["errors", "title", "feed", "rare"].contains(&&**key)),
                    "{value:?}"
                );
            }
            let request = axum::http::Request::get("/go").header(name, value.clone()).body(Body::empty()).unwrap();
            let status = app.clone().oneshot(request).await.unwrap().status();
            assert_eq!(status, 303, "{name}: {value:?}");
        }
    }
}
