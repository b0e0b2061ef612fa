//! What no client ought to send. It is answered, and never with a server error.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::client::{Client, names};

/// A window of all packages, of the sections, and of a section's packages.
const PACKAGES: &str = "query ($first: Int, $after: String, $last: Int, $before: String, $filter: PackageFilter) {
    packages(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        nodes { name } edges { cursor }
    }
}";
const SECTIONS: &str = "query ($first: Int, $after: String, $last: Int, $before: String) {
    sections(first: $first, after: $after, last: $last, before: $before) { nodes { name } edges { cursor } }
}";
const SECTION: &str = "query ($name: String!, $first: Int, $after: String, $last: Int, $before: String) {
    section(name: $name) {
        packages(first: $first, after: $after, last: $last, before: $before) { nodes { name } edges { cursor } }
    }
}";

const INVALID_CURSOR: &str = "Invalid pagination cursor";

#[tokio::test]
async fn a_window_that_is_not_valid_is_a_mistake_of_the_client() {
    let client = Client::new().await;
    let windows = [
        (json!({ "first": -1 }), "`first` cannot be negative", Some("first")),
        (json!({ "last": i32::MIN }), "`last` cannot be negative", Some("last")),
        (json!({ "first": 1, "last": 1 }), "`first` and `last` cannot be combined", None),
        (json!({ "after": "" }), INVALID_CURSOR, None),
        (json!({ "before": "altered" }), INVALID_CURSOR, None),
        (json!({ "after": "\u{0}' OR 1=1 --" }), INVALID_CURSOR, None),
        (json!({ "last": 1, "after": "A".repeat(10_000) }), INVALID_CURSOR, None),
    ];
    for query in [PACKAGES, SECTIONS, SECTION] {
        for (window, message, parameter) in &windows {
            let mut variables = window.clone();
            // A variable that the query does not declare is ignored.
            variables["name"] = json!("games");
            let mut extensions = json!({ "code": "BAD_USER_INPUT" });
            if let Some(parameter) = parameter {
                extensions["parameter"] = json!(parameter);
            }
            let expected = ((*message).to_owned(), extensions);
            assert_eq!(client.error(query, variables).await, expected, "{query} with {window}");
        }
    }
}

#[tokio::test]
async fn windows_have_a_maximum_size() {
    let client = Client::new().await;
    for window in [json!({ "first": i32::MAX }), json!({ "last": i32::MAX }), json!({})] {
        assert_eq!(names(&client.data(PACKAGES, window).await["packages"]).len(), 7);
    }
    assert_eq!(client.data(PACKAGES, json!({ "first": 0 })).await["packages"]["nodes"], json!([]));
    for rows in [json!(1_i64 << 31), json!(u64::MAX), json!(1e300), json!(1.5), json!("1"), json!([[1]]), json!({})] {
        let answer = client.ask(PACKAGES, json!({ "first": rows })).await;
        let messages = answer["errors"].to_string();
        assert!(answer["data"].is_null() && messages.contains("\\\"Int\\\""), "{rows}: {answer}");
    }
}

/// A cursor of each of the lists.
async fn cursor(client: &Client, query: &str, variables: Value, list: &str) -> Value {
    client.data(query, variables).await.pointer(list).unwrap()["edges"][0]["cursor"].clone()
}

#[tokio::test]
async fn a_cursor_opens_in_its_own_list_only() {
    let client = Client::new().await;
    let lists = [
        (PACKAGES, json!({}), "/packages"),
        (PACKAGES, json!({ "filter": { "name": "e" } }), "/packages"),
        (SECTIONS, json!({}), "/sections"),
        (SECTION, json!({ "name": "games" }), "/section/packages"),
        (SECTION, json!({ "name": "web" }), "/section/packages"),
    ];
    for (at, (query, variables, list)) in lists.iter().enumerate() {
        let cursor = cursor(&client, query, variables.clone(), list).await;
        for (other, (query, variables, _)) in lists.iter().enumerate() {
            let mut variables = variables.clone();
            variables["after"] = cursor.clone();
            if at == other {
                client.data(query, variables).await;
            } else {
                let expected = (INVALID_CURSOR.to_owned(), json!({ "code": "BAD_USER_INPUT" }));
                assert_eq!(client.error(query, variables).await, expected, "list {other} with a cursor of list {at}");
            }
        }
    }
    let ordered = "query ($after: String) { packages(after: $after, orderBy: SIZE) { nodes { name } } }";
    let cursor = cursor(&client, PACKAGES, json!({}), "/packages").await;
    assert_eq!(client.error(ordered, json!({ "after": cursor })).await.0, INVALID_CURSOR);
}

#[tokio::test]
async fn a_query_has_a_maximum_cost() {
    let client = Client::new().await;
    let nested = |sections: i32, packages: i32| {
        format!("{{ sections(first: {sections}) {{ nodes {{ packages(last: {packages}) {{ nodes {{ name }} }} }} }} }}")
    };
    client.data(&nested(40, 100), json!({})).await;
    for (sections, packages) in [(100, 100), (i32::MAX, i32::MAX)] {
        let (message, _) = client.error(&nested(sections, packages), json!({})).await;
        assert_eq!(message, "Query is too complex.");
    }
    let aliases: String = (0..100).map(|at| format!("a{at}: packages(first: 100) {{ nodes {{ name }} }} ")).collect();
    assert_eq!(client.error(&format!("{{ {aliases} }}"), json!({})).await.0, "Query is too complex.");
    let counts: String = (0..600).map(|at| format!("a{at}: packages(first: 0) {{ totalCount }} ")).collect();
    assert_eq!(client.error(&format!("{{ {counts} }}"), json!({})).await.0, "Query is too complex.");
}

/// Texts with any characters are values, and an unknown name of an order or a filter is an error.
#[tokio::test]
async fn filters_are_values() {
    let client = Client::new().await;
    for text in ["%", "_", "' OR 1=1 --", "\u{10ffff}", &"x".repeat(200)] {
        let data = client.data(PACKAGES, json!({ "filter": { "name": text } })).await;
        assert_eq!(data["packages"]["nodes"], json!([]), "{text:.10}");
    }
    for text in ["\u{0}", &"x".repeat(201), &"x".repeat(100_000)] {
        let (message, extensions) = client.error(PACKAGES, json!({ "filter": { "name": text } })).await;
        assert_eq!(message, "`name` is a text of at most 200 bytes without NUL characters");
        assert_eq!(extensions, json!({ "code": "BAD_USER_INPUT", "parameter": "name" }));
    }
    for name in ["%", "_", "\u{0}", "games\u{0}", "' OR 1=1 --", &"x".repeat(100_000)] {
        let data = client.data(PACKAGES, json!({ "filter": { "section": name } })).await;
        assert_eq!(data["packages"]["nodes"], json!([]), "{name:.10}");
        assert_eq!(client.data(SECTION, json!({ "name": name })).await["section"], Value::Null);
    }
    for filter in [json!({ "id": 1 }), json!({ "name": 1 }), json!("games"), json!([])] {
        client.error(PACKAGES, json!({ "filter": filter })).await;
    }
    let (message, _) = client.error("{ packages(orderBy: PRICE) { nodes { name } } }", json!({})).await;
    assert!(message.contains("PackageOrder"), "{message}");
}

#[tokio::test]
async fn other_requests_than_graphql_are_refused() {
    let client = Client::new().await;
    let json =
        |body: &'static str| Request::post("/graphql").header("content-type", "application/json").body(body.into());
    for (request, expected) in [
        (json("{"), 400),
        (json(r#"{ "query": 1 }"#), 422),
        (json("{}"), 200),
        (json(r#"{ "query": "{ packages" }"#), 200),
        (json(r#"{ "query": "{ unknown }", "operationName": "none" }"#), 200),
        (Request::post("/graphql").body(Body::from(r#"{ "query": "{ __typename }" }"#)), 415),
        (Request::get("/graphql").body(Body::empty()), 405),
        (Request::get("/").body(Body::empty()), 404),
    ] {
        let (status, text) = client.send(request.unwrap()).await;
        assert_eq!((status, status == 200 && !text.contains("\"errors\"")), (expected, false), "{text}");
    }
}
