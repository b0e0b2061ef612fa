//! Documents of JSON:API. Each one that a test reads is checked: see `specification`.

use axum::Router;
use axum::extract::Path;
use axum::routing::get;
use folio::json_api::{JsonApi, JsonApiError, JsonResource, Resource};
use folio::{CursorPaginator, LengthAwarePaginator, Paginate, Paginator};
use serde::Serialize;
use serde_json::{Value, json};

use crate::service::{Service, example, folio, packages, walked};

#[tokio::test]
async fn every_numbered_page_is_a_document() {
    let service = example(23).await;
    for (number, rows, prev, next) in [(1, 10, None, Some(2)), (2, 10, Some(1), Some(3)), (3, 3, Some(2), None)] {
        let answer = service.get(&format!("/api/packages?page%5Bnumber%5D={number}&page%5Bsize%5D=10")).await;
        let document = answer.document();
        let url = |page: u64| format!("/api/packages?page%5Bsize%5D=10&page%5Bnumber%5D={page}");
        let mut links = json!({ "self": url(number), "first": url(1), "last": url(3) });
        for (relation, page) in [("prev", prev), ("next", next)] {
            if let Some(page) = page {
                links[relation] = url(page).into();
            }
        }
        assert_eq!(document["links"], links);
        let pagination = json!({ "total": 23, "per_page": 10, "current_page": number, "last_page": 3 });
        assert_eq!(document["meta"], json!({ "pagination": pagination }));
        assert_eq!(document["data"].as_array().unwrap().len(), rows);
        assert_eq!(answer.text.find("{\"data\":"), Some(0));
    }
    let past = service.get("/api/packages?page%5Bnumber%5D=9&page%5Bsize%5D=10").await.document();
    assert_eq!(past["data"], json!([]));
    assert_eq!(past["links"].as_object().unwrap().keys().collect::<Vec<_>>(), ["self", "first", "last", "prev"]);
}

#[tokio::test]
async fn an_empty_list_is_a_document() {
    let service = example(0).await;
    let document = service.get("/api/packages").await.document();
    let url = "/api/packages?page%5Bnumber%5D=1";
    assert_eq!(document["links"], json!({ "self": url, "first": url, "last": url }));
    assert_eq!(document["meta"]["pagination"]["last_page"], 0);
    let document = service.get("/api/packages/cursor").await.document();
    let pagination = json!({ "next_cursor": null, "prev_cursor": null });
    assert_eq!(document, json!({ "data": [], "meta": { "pagination": pagination }, "links": {} }));
}

#[tokio::test]
async fn a_walk_by_the_links_of_documents_sees_every_row() {
    let service = example(23).await;
    let (mut seen, mut url) = (Vec::new(), Some("/api/packages/cursor?page%5Bsize%5D=5".to_owned()));
    let mut last = String::new();
    while let Some(next) = url {
        let document = service.get(&next).await.document();
        seen.extend(ids(&document));
        let cursor = &document["meta"]["pagination"]["next_cursor"];
        url = document["links"]["next"].as_str().map(str::to_owned);
        assert_eq!(url.as_ref().map(|url| url.ends_with(cursor.as_str().unwrap())), cursor.as_str().map(|_| true));
        last = next;
    }
    assert_eq!(seen, walked(23));
    let document = service.get(&last).await.document();
    assert_eq!(document["links"].as_object().unwrap().keys().collect::<Vec<_>>(), ["prev"]);
}

#[tokio::test]
async fn errors_are_documents() {
    let service = example(1).await;
    for path in
        ["/api/packages?page[size]=0", "/api/packages/cursor?page[cursor]=a", "/api/packages/cursor?page[size]=x"]
    {
        let answer = service.get(path).await;
        assert_eq!(answer.status, 400, "{path}");
        assert_eq!(answer.document()["errors"][0]["status"], "400", "{path}");
    }
    let document = service.get("/api/packages?page[size]=0").await.document();
    assert_eq!(document["errors"][0]["source"], json!({ "parameter": "page[size]" }));
}

/// The ids of a document's resources.
fn ids(document: &Value) -> Vec<i64> {
    let data = document["data"].as_array().unwrap();
    data.iter().map(|resource| resource["id"].as_str().unwrap().parse().unwrap()).collect()
}

/// A row whose JSON names differ from its columns.
#[derive(Debug, Serialize, sqlx::FromRow, Paginate)]
#[paginate(table = "packages", resource = "system-packages", primary_key = "id")]
#[serde(rename_all = "camelCase")]
struct Renamed {
    #[serde(rename(serialize = "package number", deserialize = "n"))]
    id: i64,
    name: String,
    download_bytes: i64,
    #[serde(skip_serializing)]
    #[expect(dead_code, reason = "read from the table, and not written")]
    version: String,
    #[serde(rename = "Part")]
    section: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    depends_count: Option<i64>,
}

/// A row with a primary key of two columns, one of which is named `type`.
#[derive(Debug, Serialize, sqlx::FromRow, Paginate)]
#[paginate(table = "packages", resource = "parts", primary_key = "section, type_name")]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
struct Composite {
    #[serde(rename = "type")]
    section: String,
    #[paginate(column = "name")]
    #[sqlx(rename = "name")]
    type_name: String,
    download_bytes: i64,
}

/// A hand-written resource with everything that it can have.
struct ByHand(i64);

impl JsonResource for ByHand {
    fn resource_type(&self) -> &str {
        if self.0 == 1 { "people" } else { "robots" }
    }
    fn id(&self) -> String {
        self.0.to_string()
    }
    fn attributes(&self) -> impl Serialize {
        json!({ "id": "left out", "age": self.0 })
    }
    fn relationships(&self) -> Option<Value> {
        Some(json!({ "friends": { "data": [{ "type": "robots", "id": "2" }], "links": { "related": "/friends" } } }))
    }
    fn links(&self) -> Option<Value> {
        (self.0 == 1).then(|| json!({ "self": "/people/1" }))
    }
    fn meta(&self) -> Option<Value> {
        (self.0 == 1).then(|| json!({ "seen": true }))
    }
}

async fn renamed(Path(way): Path<String>) -> Result<axum::response::Response, JsonApiError> {
    use axum::response::IntoResponse;
    let query = Renamed::query().with_path("/renamed").filter(Renamed::ID.lte(3));
    Ok(match way.as_str() {
        "simple" => Resource::paginated(query.simple_paginate(2).await?).into_response(),
        _ => Resource::paginated(query.paginate(2).await?).into_response(),
    })
}

async fn composite() -> Result<JsonApi<Composite, CursorPaginator<Composite>>, JsonApiError> {
    Ok(Resource::paginated(Composite::query().cursor_paginate(1).await?))
}

async fn service() -> Service {
    let by_hand = get(async || Resource::paginated(Paginator::new(vec![ByHand(1), ByHand(2)], 1, 2, false)));
    let app = Router::new()
        .route("/renamed/{way}", get(renamed))
        .route("/composite", get(composite))
        .route("/by-hand", by_hand);
    let pool = packages(3).await;
    sqlx::query("UPDATE packages SET section = 'a~b%' WHERE id = 3").execute(&pool).await.unwrap();
    Service::start(app.layer(folio(pool).layer())).await
}

#[tokio::test]
async fn attributes_are_what_serde_writes() {
    let service = service().await;
    let first = json!({ "name": "package-1", "downloadBytes": 1000, "Part": "libs", "dependsCount": 1 });
    let document = service.get("/renamed/numbered").await.document();
    assert_eq!(document["data"][0], json!({ "type": "system-packages", "id": "1", "attributes": first }));
    let text = service.get("/renamed/numbered").await.text;
    assert!(text.contains(r#"{"name":"package-1","downloadBytes":1000,"Part":"libs","dependsCount":1}"#), "{text}");
}

#[tokio::test]
async fn a_simple_page_tells_whether_more_follows() {
    let service = service().await;
    let document = service.get("/renamed/simple").await.document();
    let pagination = json!({ "per_page": 2, "current_page": 1, "has_more": true });
    assert_eq!(document["meta"], json!({ "pagination": pagination }));
    let links = json!({ "self": "/renamed?page=1", "first": "/renamed?page=1", "next": "/renamed?page=2" });
    assert_eq!(document["links"], links);
}

#[tokio::test]
async fn a_key_of_several_columns_is_one_id() {
    let service = service().await;
    let answer = service.get("/composite").await;
    let resource = json!({ "type": "parts", "id": "a%7Eb%25~package-3", "attributes": { "DOWNLOAD-BYTES": 3000 } });
    assert_eq!(answer.document()["data"], json!([resource]));
}

#[tokio::test]
async fn a_hand_written_resource_has_all_its_members() {
    let service = service().await;
    let friends =
        json!({ "friends": { "data": [{ "type": "robots", "id": "2" }], "links": { "related": "/friends" } } });
    let expected = json!([
        {
            "type": "people",
            "id": "1",
            "attributes": { "age": 1 },
            "relationships": friends,
            "links": { "self": "/people/1" },
            "meta": { "seen": true },
        },
        { "type": "robots", "id": "2", "attributes": { "age": 2 }, "relationships": friends },
    ]);
    assert_eq!(service.get("/by-hand").await.document()["data"], expected);
}

#[test]
fn an_attribute_that_json_api_keeps_is_refused() {
    #[derive(Serialize, sqlx::FromRow, Paginate)]
    #[paginate(resource = "things")]
    struct Thing {
        id: i64,
        r#type: String,
    }
    let page = LengthAwarePaginator::new(vec![Thing { id: 1, r#type: "a".into() }], 1, 1, 1);
    let error = serde_json::to_string(&Resource::paginated(page)).unwrap_err().to_string();
    assert_eq!(error, "an attribute cannot be named `type`, because every resource has a type");
}
