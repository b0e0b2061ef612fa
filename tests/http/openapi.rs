//! The OpenAPI document of `example-api`: its references resolve, and the service responds as it says.

use std::collections::BTreeSet;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::service::{Service, example, ids};

async fn document(service: &Service) -> Value {
    service.get("/openapi.json").await.json()
}

/// The schema of a route's response, with the schemas that it refers to.
fn stated(document: &Value, route: &str, status: &str) -> Validator {
    let response = &document["paths"][route]["get"]["responses"][status];
    let mut schema = response["content"]["application/json"]["schema"].clone();
    assert!(schema.is_object(), "{route} {status}");
    // Schemas refer to each other from the root of the document.
    schema["components"] = document["components"].clone();
    jsonschema::draft202012::options().should_validate_formats(true).build(&schema).unwrap()
}

/// Calls `visit` on every object in a document.
fn walk<'d>(value: &'d Value, visit: &mut impl FnMut(&'d serde_json::Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            visit(object);
            object.values().for_each(|value| walk(value, visit));
        }
        Value::Array(values) => values.iter().for_each(|value| walk(value, visit)),
        _ => {}
    }
}

#[tokio::test]
async fn every_reference_leads_to_a_schema() {
    let document = document(&example(0).await).await;
    let mut references = BTreeSet::new();
    walk(&document, &mut |object| references.extend(object.get("$ref").map(|to| to.as_str().unwrap().to_owned())));
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for reference in &references {
        let name = reference.strip_prefix("#/components/schemas/").unwrap();
        assert!(schemas.contains_key(name), "{reference}");
    }
    let pages =
        ["LengthAwarePaginator_Package", "Paginator_Package", "CursorPaginator_Package", "PageLink", "ErrorBody"];
    assert!(pages.iter().all(|name| references.contains(&format!("#/components/schemas/{name}"))), "{references:?}");
    for page in &pages[..3] {
        let rows = &schemas[*page]["properties"]["data"]["items"];
        assert_eq!(rows, &json!({ "$ref": "#/components/schemas/Package" }), "{page}");
    }
    for schema in schemas.values() {
        assert!(jsonschema::draft202012::meta::is_valid(schema), "{schema}");
    }
}

/// A schema of the parts of OpenAPI 3.1 that the document uses.
fn openapi() -> Value {
    let parameter = json!({
        "type": "object",
        "required": ["name", "in", "schema"],
        "properties": {
            "name": { "type": "string" },
            "in": { "const": "query" },
            "required": { "type": "boolean" },
            "description": { "type": "string" },
            "schema": { "type": "object" },
            "style": { "const": "form" },
            "explode": { "type": "boolean" },
        },
        "additionalProperties": false,
    });
    let response = json!({
        "type": "object",
        "required": ["description"],
        "properties": {
            "description": { "type": "string" },
            "headers": { "additionalProperties": { "type": "object", "required": ["schema"] } },
            "content": { "propertyNames": { "pattern": "^[a-z]+/[a-z.+]+$" } },
        },
        "additionalProperties": false,
    });
    let operation = json!({
        "type": "object",
        "required": ["responses"],
        "properties": {
            "operationId": { "type": "string" },
            "summary": { "type": "string" },
            "description": { "type": "string" },
            "tags": { "type": "array", "items": { "type": "string" } },
            "parameters": { "type": "array", "uniqueItems": true, "items": parameter },
            "x-speakeasy-pagination": { "type": "object" },
            "x-ms-pageable": { "type": "object" },
            "responses": { "minProperties": 1, "propertyNames": { "pattern": "^[1-5][0-9][0-9]$" }, "additionalProperties": response },
        },
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "required": ["openapi", "info", "paths"],
        "properties": {
            "openapi": { "pattern": "^3\\.1\\.[0-9]+$" },
            "info": { "required": ["title", "version"], "properties": { "title": { "type": "string" }, "version": { "type": "string" } } },
            "paths": {
                "propertyNames": { "pattern": "^/" },
                "additionalProperties": { "properties": { "get": operation }, "additionalProperties": false },
            },
            "components": { "properties": { "schemas": { "propertyNames": { "pattern": "^[a-zA-Z0-9._-]+$" } } } },
        },
        "additionalProperties": false,
    })
}

#[tokio::test]
async fn the_document_is_valid_openapi() {
    let document = document(&example(0).await).await;
    let validator = jsonschema::validator_for(&openapi()).unwrap();
    let errors = validator.iter_errors(&document).map(|error| format!("{error} at {}", error.instance_path()));
    assert_eq!(errors.collect::<Vec<_>>(), [""; 0]);
}

#[tokio::test]
async fn operations_have_unique_ids() {
    let document = document(&example(0).await).await;
    let mut operations = BTreeSet::new();
    walk(&document, &mut |object| {
        if let Some(id) = object.get("operationId") {
            assert!(operations.insert(id.as_str().unwrap()), "{id} occurs twice");
        }
    });
    assert_eq!(operations.len(), 3);
}

#[tokio::test]
async fn the_service_responds_as_its_document_says() {
    let service = example(200).await;
    let document = document(&service).await;
    for (route, query, status) in [
        ("/packages", "", "200"),
        ("/packages", "?page=7&per_page=10", "200"),
        ("/packages", "?page=999", "200"),
        ("/packages", "?q=nothing", "200"),
        ("/packages", "?per_page=0", "400"),
        ("/packages", "?sort=-name,id", "200"),
        ("/packages", "?sort=size", "400"),
        ("/packages/simple", "", "200"),
        ("/packages/simple", "?page=2&per_page=100", "200"),
        ("/packages/simple", "?page=99", "200"),
        ("/packages/simple", "?per_page=-1", "400"),
        ("/packages/cursor", "", "200"),
        ("/packages/cursor", "?q=nothing", "200"),
        ("/packages/cursor", "?cursor=altered", "400"),
    ] {
        let answer = service.get(&format!("{route}{query}")).await;
        assert_eq!(answer.status.as_str(), status, "{route}{query}");
        let body = answer.json();
        let errors: Vec<_> = stated(&document, route, status)
            .iter_errors(&body)
            .map(|error| format!("{error} at {}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{route}{query}: {errors:?}");
    }
    // The body of another route does not match.
    let simple = service.get("/packages/simple").await.json();
    assert!(!stated(&document, "/packages", "200").is_valid(&simple));
}

/// The names of `sort` in the document, each with its order.
#[tokio::test]
async fn every_sort_of_the_document_is_answered() {
    let service = example(40).await;
    let document = document(&service).await;
    for (route, default) in [("/packages", "id"), ("/packages/simple", "id"), ("/packages/cursor", "dependencies")] {
        let parameters = document["paths"][route]["get"]["parameters"].as_array().unwrap();
        let sort = parameters.iter().find(|parameter| parameter["name"] == "sort").unwrap();
        assert_eq!((&sort["style"], &sort["explode"]), (&json!("form"), &json!(false)));
        assert_eq!(sort["schema"]["default"], json!([default]));
        let names = sort["schema"]["items"]["enum"].as_array().unwrap();
        assert_eq!(names.len(), 8);
        let mut orders = BTreeSet::new();
        for name in names {
            let answer = service.get(&format!("{route}?per_page=40&sort={}", name.as_str().unwrap())).await;
            assert_eq!(answer.status, 200, "{name}");
            orders.insert(ids(&answer.json()));
        }
        assert_eq!(orders.len(), 8, "{route}");
        let by_default = ids(&service.get(&format!("{route}?per_page=40")).await.json());
        assert_eq!(by_default, ids(&service.get(&format!("{route}?per_page=40&sort={default}")).await.json()));
    }
}

/// What a JSON path such as `$.data` leads to.
fn at<'j>(json: &'j Value, path: &Value) -> &'j Value {
    &json[path.as_str().unwrap().strip_prefix("$.").unwrap()]
}

/// Walks each list as a client does that Speakeasy has generated: it changes the marked parameter, and ends where the
/// marks say.
#[tokio::test]
async fn the_marks_lead_through_all_pages() {
    let service = example(40).await;
    let document = document(&service).await;
    for (route, pages) in [("/packages", 6), ("/packages/simple", 7), ("/packages/cursor", 6)] {
        let marks = &document["paths"][route]["get"]["x-speakeasy-pagination"];
        let (input, outputs) = (&marks["inputs"][0], &marks["outputs"]);
        assert_eq!((&input["in"], marks["inputs"].as_array().unwrap().len()), (&json!("parameters"), 1));
        let parameter = input["name"].as_str().unwrap();
        let (mut seen, mut requests, mut number, mut value) = (Vec::new(), 0, 1, String::new());
        loop {
            let page = service.get(&format!("{route}?per_page=7{value}")).await.json();
            requests += 1;
            let rows = at(&page, &outputs["results"]).as_array().unwrap().len();
            seen.extend(ids(&page));
            number += 1;
            let next = match marks["type"].as_str().unwrap() {
                "cursor" => at(&page, &outputs["nextCursor"]).as_str().map(str::to_owned),
                "offsetLimit" if outputs.get("numPages").is_none() => (rows > 0).then(|| number.to_string()),
                "offsetLimit" => {
                    (number <= at(&page, &outputs["numPages"]).as_u64().unwrap()).then(|| number.to_string())
                }
                other => panic!("{other}"),
            };
            let Some(next) = next else { break };
            value = format!("&{parameter}={next}");
        }
        assert_eq!((requests, seen.len()), (pages, 40), "{route}");
        assert_eq!(BTreeSet::from_iter(seen).len(), 40, "{route}");
    }
}

/// Walks each list as a client of AutoRest does, by the URLs of its pages.
#[tokio::test]
async fn the_next_link_leads_through_all_pages() {
    let service = example(40).await;
    let document = document(&service).await;
    for route in ["/packages", "/packages/simple", "/packages/cursor"] {
        let marks = &document["paths"][route]["get"]["x-ms-pageable"];
        let (mut url, mut rows) = (format!("{route}?per_page=7"), 0);
        loop {
            let page = service.get(&url).await.json();
            rows += page[marks["itemName"].as_str().unwrap()].as_array().unwrap().len();
            let Some(next) = page[marks["nextLinkName"].as_str().unwrap()].as_str() else { break };
            url = next.to_owned();
        }
        assert_eq!(rows, 40, "{route}");
    }
}

#[tokio::test]
async fn the_page_size_is_that_of_the_handlers() {
    let service = example(120).await;
    let document = document(&service).await;
    for route in ["/packages", "/packages/simple", "/packages/cursor"] {
        let parameters = document["paths"][route]["get"]["parameters"].as_array().unwrap();
        let size = &parameters.iter().find(|parameter| parameter["name"] == "per_page").unwrap()["schema"];
        let rows = async |query: &str| ids(&service.get(&format!("{route}{query}")).await.json()).len();
        assert_eq!(size["default"], rows("").await);
        assert_eq!(size["maximum"], rows("?per_page=5000").await);
    }
}
