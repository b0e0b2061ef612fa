//! Filters that clients choose: what each parameter finds, what is refused and how, and the OpenAPI document.

use std::collections::BTreeSet;

use axum::Router;
use axum::routing::get;
use folio::json_api::{JsonApi, JsonApiError, Resource};
use folio::openapi::filter_parameters;
use folio::{CursorPaginator, ExprTrait as _, Filters, LengthAwarePaginator, Paginate, Result};
use serde_json::{Value, json};

use crate::hostile::{NOISE, json_of};
use crate::service::{Service, folio, ids, package, packages};

/// A row of [`packages`].
#[derive(Debug, sqlx::FromRow, serde::Serialize, Paginate)]
#[paginate(table = "packages", resource = "packages")]
struct Package {
    id: i64,
    name: String,
    section: String,
    download_bytes: i64,
    depends_count: Option<i64>,
}

fn filters() -> Filters<Package> {
    Filters::new()
        .allow("id", Package::ID.eq_any())
        .allow("section", Package::SECTION.eq_any())
        .allow("q", Package::NAME.search())
        .allow("bytes", Package::DOWNLOAD_BYTES.ranges())
        .allow("depends", Package::DEPENDS_COUNT.nulls())
        .allow_with("even", |is_even: bool| Package::ID.to_expr().modulo(2).eq(i64::from(!is_even)))
}

async fn numbered() -> Result<LengthAwarePaginator<Package>> {
    Package::query().filter(filters().from_request()?).with_query_string().paginate(40).await
}

async fn cursor() -> Result<CursorPaginator<Package>> {
    Package::query().filter(filters().from_request()?).bind_filters().with_query_string().cursor_paginate(3).await
}

async fn document() -> Result<JsonApi<Package, LengthAwarePaginator<Package>>, JsonApiError> {
    let filters = filters().prefix("filter").from_request()?;
    Ok(Resource::paginated(Package::query().filter(filters).with_query_string().paginate(40).await?))
}

async fn mistaken() -> Result<LengthAwarePaginator<Package>> {
    let filters = filters().allow("id", Package::ID.eq_any()).from_request()?;
    Package::query().filter(filters).paginate(40).await
}

async fn service(rows: i64) -> Service {
    let app = Router::new()
        .route("/packages", get(numbered))
        .route("/packages/cursor", get(cursor))
        .route("/packages/mistaken", get(mistaken))
        .route("/api/packages", get(document));
    Service::start(app.layer(folio(packages(rows).await).layer())).await
}

fn matching(matches: impl Fn(i64) -> bool) -> Vec<i64> {
    (1..=20).filter(|id| matches(*id)).collect()
}

#[tokio::test]
async fn each_parameter_finds_its_rows() {
    let service = service(20).await;
    for (query, expected) in [
        ("", matching(|_| true)),
        ("id=7,3&page=1", vec![3, 7]),
        ("id%5B%5D=7&id[]=3", vec![3, 7]),
        ("section=games", matching(|id| package(id).section == "games")),
        ("section=games&section=libs", matching(|_| true)),
        ("section=games,libs", vec![]),
        ("q=AGE-1", matching(|id| id == 1 || id > 9 && id < 20)),
        ("bytes=3000", vec![3]),
        ("bytes[gt]=3000&bytes%5Blte%5D=5000", vec![4, 5]),
        ("depends=null", matching(|id| id % 7 == 0)),
        ("depends=not_null&even=true", matching(|id| id % 7 != 0 && id % 2 == 0)),
        ("section=&q=&bytes[gt]=&depends=", matching(|_| true)),
        ("filter[id]=7&unknown=1&[gt]=2", matching(|_| true)),
    ] {
        assert_eq!(ids(&service.get(&format!("/packages?{query}")).await.json()), expected, "{query}");
    }
    let page =
        service.get("/api/packages?filter%5Bsection%5D=games&filter%5Bbytes%5D%5Bgte%5D=9000&id=1").await.document();
    let found: Vec<&str> = page["data"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(found, ["9", "12", "15", "18"]);
}

#[tokio::test]
async fn links_keep_the_filters_and_cursors_are_bound_to_them() {
    let service = service(20).await;
    let (mut url, mut seen) = (Some("/packages/cursor?section=libs&bytes[lt]=15000".to_owned()), Vec::new());
    let mut next = String::new();
    while let Some(asked) = url {
        let page = service.get(&asked).await.json();
        seen.extend(ids(&page));
        url = page["next_page_url"].as_str().map(str::to_owned);
        next = url.clone().unwrap_or(next);
    }
    assert_eq!(seen, matching(|id| id % 3 != 0 && id < 15));
    // The same filters, written in another way.
    let same = next.replace("section=libs&bytes[lt]=15000", "bytes%5Blt%5D=15000&q=&section[]=libs");
    assert!(same != next && service.get(&same).await.status == 200, "{same}");
    let answer = service.get(&next.replace("15000", "16000")).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (400, json!({ "message": "Invalid pagination cursor" })));
}

#[tokio::test]
async fn what_is_refused_names_the_parameter_and_what_is_allowed() {
    let service = service(3).await;
    let answer = service.get("/packages?bytes[between]=1").await;
    let allowed = json!(["bytes", "bytes[gt]", "bytes[gte]", "bytes[lt]", "bytes[lte]"]);
    let message = "`bytes[between]` is not a filter of this list, which has `bytes`, `bytes[gt]`, `bytes[gte]`, \
                   `bytes[lt]`, `bytes[lte]`";
    let expected = json!({ "message": message, "parameter": "bytes[between]", "allowed": allowed });
    assert_eq!((answer.status.as_u16(), answer.json()), (400, expected));
    let answer = service.get("/api/packages?filter[depends]=0").await;
    let expected = json!({ "errors": [{
        "status": "400",
        "title": "Bad Request",
        "detail": "`filter[depends]` is one of `null`, `not_null`",
        "source": { "parameter": "filter[depends]" },
        "meta": { "allowed": ["null", "not_null"] },
    }] });
    assert_eq!((answer.status.as_u16(), answer.document()), (400, expected));
    let answer = service.get("/packages/mistaken").await;
    assert_eq!((answer.status.as_u16(), answer.json()), (500, json!({ "message": "Internal Server Error" })));
}

#[tokio::test]
async fn hostile_filters_are_answered_with_rows_or_refused_under_their_name() {
    let service = service(20).await;
    for noise in NOISE.into_iter().filter(|noise| !noise.contains([' ', '&'])) {
        for (path, prefix) in [("/packages", false), ("/packages/cursor", false), ("/api/packages", true)] {
            for (name, suffix) in [
                ("id", ""),
                ("id", "[]"),
                ("section", ""),
                ("q", ""),
                ("bytes", ""),
                ("bytes", "[gte]"),
                ("depends", ""),
                ("even", ""),
            ] {
                let parameter = if prefix { format!("filter[{name}]{suffix}") } else { format!("{name}{suffix}") };
                let asked = format!("{path}?{parameter}={noise}");
                let (status, body) = service.get_raw(asked.as_bytes()).await;
                assert!(matches!(status, 200 | 400), "{asked}: {status} {body}");
                let is_text = matches!(name, "section" | "q");
                let is_number = noise == "-9223372036854775808" && !matches!(name, "depends" | "even");
                assert_eq!(status == 200, is_text || is_number, "{asked}: {body}");
                if status == 400 {
                    let body = json_of(path, &asked, &body);
                    let named = body.pointer("/parameter").or_else(|| body.pointer("/errors/0/source/parameter"));
                    assert_eq!(named, Some(&json!(parameter.trim_end_matches("[]"))), "{asked}");
                }
            }
            // As the name of a filter, and as its operator.
            for parameter in [format!("filter[{noise}]"), format!("filter[id][{noise}]"), format!("bytes[{noise}]")] {
                let asked = format!("{path}?{parameter}");
                let (status, body) = service.get_raw(asked.as_bytes()).await;
                let is_refused = parameter.starts_with("filter") == prefix;
                assert_eq!(status, if is_refused { 400 } else { 200 }, "{asked}: {body}");
            }
        }
    }
    for unit in
        ["id=1&", "id=,", "section=a&", "q=a&", "bytes[gt]=1&", "filter[id]=1&", "filter[", "bytes[", "1,", "_", "%25"]
    {
        for size in [1_000, 60_000, 70_000, 500_000] {
            for start in ["", "id=", "q=", "section=", "filter[q]=", "bytes[gt]="] {
                for path in ["/packages", "/packages/cursor", "/api/packages"] {
                    let asked = format!("{path}?{start}{}", unit.repeat(size / unit.len()));
                    let (status, body) = service.get_raw(asked.as_bytes()).await;
                    assert!(
                        matches!(status, 0 | 200 | 400 | 414 | 431),
                        "{start}{unit} to {size}: {status} {body:.200}"
                    );
                }
            }
        }
    }
    // The table is unchanged.
    assert_eq!(service.get("/packages").await.json()["total"], 20);
}

/// The parameters of the OpenAPI document, with a valid value for each.
#[tokio::test]
async fn every_parameter_of_the_document_is_answered() {
    let service = service(20).await;
    let parameters = serde_json::to_value(filter_parameters(&filters())).unwrap();
    let mut found = BTreeSet::new();
    for parameter in parameters.as_array().unwrap() {
        assert_eq!((&parameter["in"], &parameter["required"]), (&json!("query"), &json!(false)), "{parameter}");
        let (name, schema) = (parameter["name"].as_str().unwrap(), &parameter["schema"]);
        assert!(jsonschema::draft202012::meta::is_valid(schema), "{schema}");
        let item = if schema["type"] == "array" { &schema["items"] } else { schema };
        let values = match (&item["enum"], item["type"].as_str().unwrap()) {
            (Value::Array(values), _) => {
                values.iter().map(|value| value.as_str().map_or(value.to_string(), str::to_owned)).collect()
            }
            (_, "integer") => vec!["7".to_owned(), "3000".to_owned()],
            _ => vec!["games".to_owned()],
        };
        for value in &values {
            let answer = service.get(&format!("/packages?{name}={value}")).await;
            assert_eq!(answer.status, 200, "{name}={value}: {answer:?}");
        }
        if schema["type"] == "array" {
            let separator = if parameter["explode"] == true { format!("&{name}=") } else { ",".to_owned() };
            let answer = service.get(&format!("/packages?{name}={}", values.join(&separator))).await;
            assert!(!ids(&answer.json()).is_empty(), "{name}");
        }
        found.insert(name.to_owned());
    }
    let expected =
        ["bytes", "bytes[gt]", "bytes[gte]", "bytes[lt]", "bytes[lte]", "depends", "even", "id", "q", "section"];
    assert!(found.iter().eq(&expected), "{found:?}");
    let named = serde_json::to_value(filter_parameters(&filters().prefix("filter"))).unwrap();
    assert_eq!(named[5]["name"], "filter[bytes][gte]");
}
