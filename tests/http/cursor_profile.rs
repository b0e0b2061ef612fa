//! The cursor pagination profile of JSON:API: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/>. Each
//! document that a test reads is checked: see `specification`.

use axum::Router;
use axum::extract::Query;
use axum::routing::get;
use folio::json_api::{
    CursorDocument, CursorWindow, Fieldsets, Included, JsonApiError, JsonResource, Relationship, Resource,
    ResourceIdentifier,
};
use folio::{Column, FrameworkError, Paginate, Select};
use serde::Serialize;
use serde_json::{Value, json};

use crate::service::{Answer, Service, example, folio, packages, walked};
use crate::specification::unlinked;

/// The ids of the profile's examples.
const IDS: [i64; 5] = [1, 5, 7, 8, 9];

#[derive(Debug, Serialize, sqlx::FromRow, Paginate)]
#[paginate(table = "packages", resource = "examples")]
struct Example {
    id: i64,
}

async fn examples(max: u64) -> Result<CursorDocument<Example>, JsonApiError> {
    let window = CursorWindow::from_request(2, max)?;
    let query = Example::query().filter(Example::ID.any_of(IDS)).with_query_string();
    Ok(Resource::cursor_paginated(query.cursor_window(window).await?))
}

/// The list of the profile's examples, with a maximum of 100 rows, and of 2.
async fn service() -> Service {
    let app = Router::new()
        .route("/example-data", get(async || examples(100).await))
        .route("/small", get(async || examples(2).await));
    Service::start(app.layer(folio(packages(9).await).layer())).await
}

/// The document of a window.
async fn read(service: &Service, path: &str, query: &str) -> Value {
    service.get(&format!("{path}?{query}")).await.profiled()
}

/// The ids of a document's resources.
fn ids(document: &Value) -> Vec<i64> {
    let data = document["data"].as_array().unwrap();
    data.iter().map(|resource| resource["id"].as_str().unwrap().parse().unwrap()).collect()
}

/// The cursor of the resource with this id.
fn cursor(document: &Value, id: i64) -> String {
    let at = ids(document).iter().position(|found| *found == id).unwrap();
    document["data"][at]["meta"]["page"]["cursor"].as_str().unwrap().to_owned()
}

/// A link without its cursor, which differs in each response.
fn link(document: &Value, relation: &str) -> Option<String> {
    let url = document["links"].get(relation).expect("`prev` and `next` are always there").as_str()?;
    let (before, cursor) = url.rsplit_once('=').unwrap();
    assert!(cursor.len() > 40, "{url}");
    Some(before.to_owned())
}

/// All rows, whose cursors the examples name.
async fn cursors_of(service: &Service) -> impl Fn(i64) -> String {
    let all = read(service, "/example-data", "page[size]=9").await;
    assert_eq!(ids(&all), IDS);
    move |id| cursor(&all, id)
}

#[tokio::test]
async fn the_examples_of_the_profile_get_its_responses() {
    let service = service().await;
    let at = cursors_of(&service).await;

    // Two after 5.
    let page = read(&service, "/example-data", &format!("page[after]={}&page[size]=2", at(5))).await;
    assert_eq!(ids(&page), [7, 8]);
    assert_eq!(link(&page, "prev").as_deref(), Some("/example-data?page%5Bsize%5D=2&page%5Bbefore%5D"));
    assert_eq!(link(&page, "next").as_deref(), Some("/example-data?page%5Bsize%5D=2&page%5Bafter%5D"));
    assert_eq!(page.get("meta"), None);

    // Three before 9.
    let page = read(&service, "/example-data", &format!("page[before]={}&page[size]=3", at(9))).await;
    assert_eq!(ids(&page), [5, 7, 8]);
    assert_eq!(link(&page, "prev").as_deref(), Some("/example-data?page%5Bsize%5D=3&page%5Bbefore%5D"));
    assert_eq!(link(&page, "next").as_deref(), Some("/example-data?page%5Bsize%5D=3&page%5Bafter%5D"));
    let (prev, next) = (page["links"]["prev"].as_str().unwrap(), page["links"]["next"].as_str().unwrap());
    assert_eq!(ids(&service.get(prev).await.profiled()), [1]);
    assert_eq!(ids(&service.get(next).await.profiled()), [9]);

    // All between 5 and 9: without a size, as many as the maximum.
    let between = format!("page[after]={}&page[before]={}", at(5), at(9));
    let page = read(&service, "/example-data", &between).await;
    assert_eq!((ids(&page), page.get("meta")), (vec![7, 8], None));
    assert_eq!(link(&page, "prev").as_deref(), Some("/example-data?page%5Bbefore%5D"));
    assert_eq!(link(&page, "next").as_deref(), Some("/example-data?page%5Bafter%5D"));

    // One of them: the range is truncated, and the next page begins after the one.
    let page = read(&service, "/example-data", &format!("{between}&page[size]=1")).await;
    assert_eq!((ids(&page), &page["meta"]), (vec![7], &json!({ "page": { "rangeTruncated": true } })));
    assert_eq!(link(&page, "next").as_deref(), Some("/example-data?page%5Bsize%5D=1&page%5Bafter%5D"));
    let next = service.get(page["links"]["next"].as_str().unwrap()).await.profiled();
    assert_eq!((ids(&next), next.get("meta")), (vec![8], None));
}

#[tokio::test]
async fn a_range_has_as_many_rows_as_the_maximum() {
    let service = service().await;
    let at = cursors_of(&service).await;
    let range = |after, before| format!("page[after]={}&page[before]={}", at(after), at(before));
    for (path, after, before, expected, truncated) in [
        ("/example-data", 1, 9, vec![5, 7, 8], false),
        ("/small", 1, 9, vec![5, 7], true),
        ("/small", 1, 8, vec![5, 7], false),
        ("/small", 7, 8, vec![], false),
        ("/small", 7, 7, vec![], false),
        ("/small", 8, 1, vec![], false),
    ] {
        let page = read(&service, path, &range(after, before)).await;
        let meta = truncated.then(|| json!({ "page": { "rangeTruncated": true } }));
        assert_eq!((ids(&page), page.get("meta")), (expected, meta.as_ref()), "{path}: {after} to {before}");
    }
}

#[tokio::test]
async fn both_ends_of_a_list_are_null() {
    let service = service().await;
    let at = cursors_of(&service).await;
    for (query, expected, prev, next) in [
        (String::new(), vec![1, 5], false, true),
        ("page[size]=5".into(), vec![1, 5, 7, 8, 9], false, false),
        (format!("page[after]={}", at(7)), vec![8, 9], true, false),
        (format!("page[after]={}", at(9)), vec![], true, false),
        (format!("page[before]={}", at(7)), vec![1, 5], false, true),
        (format!("page[before]={}", at(1)), vec![], false, true),
    ] {
        let page = read(&service, "/example-data", &query).await;
        let links = [link(&page, "prev").is_some(), link(&page, "next").is_some()];
        assert_eq!((ids(&page), links), (expected, [prev, next]), "{query}");
    }
    // Back from beyond either end.
    for (query, relation, expected) in
        [(format!("page[after]={}", at(9)), "prev", [8, 9]), (format!("page[before]={}", at(1)), "next", [1, 5])]
    {
        let page = read(&service, "/example-data", &query).await;
        let back = service.get(page["links"][relation].as_str().unwrap()).await.profiled();
        assert_eq!(ids(&back), expected, "{query}");
    }
}

#[tokio::test]
async fn an_empty_list_has_no_neighbours() {
    let service = example(0).await;
    let document = service.get("/api/packages/window").await.profiled();
    let expected = json!({
        "jsonapi": { "profile": [CursorWindow::PROFILE] },
        "data": [],
        "meta": { "page": { "total": 0 } },
        "links": { "first": "/api/packages/window", "prev": null, "next": null },
    });
    assert_eq!(document, expected);
}

#[tokio::test]
async fn a_walk_by_the_links_sees_every_row_in_both_directions() {
    let service = example(23).await;
    let walk = async |first: String, relation: &str| {
        let (mut pages, mut url) = (Vec::new(), Some(first));
        while let Some(next) = url {
            let document = service.get(&next).await.profiled();
            url = document["links"][relation].as_str().map(str::to_owned);
            assert!(url.iter().all(|url| url.starts_with("/api/packages/window?q=package&page%5Bsize%5D=5&page%5B")));
            assert_eq!(document["meta"], json!({ "page": { "total": 23 } }));
            pages.push(document);
        }
        pages
    };
    let forwards = walk("/api/packages/window?q=package&page[size]=5".into(), "next").await;
    assert_eq!(forwards.iter().flat_map(ids).collect::<Vec<_>>(), walked(23));
    let last = cursor(forwards.last().unwrap(), *walked(23).last().unwrap());
    let backwards = format!("/api/packages/window?page[before]={last}&q=package&page[size]=5");
    let mut backwards = walk(backwards, "prev").await;
    backwards.reverse();
    assert_eq!(backwards.iter().flat_map(ids).collect::<Vec<_>>(), walked(23)[..22]);
    for page in forwards.iter().chain(&backwards) {
        let first = page["links"]["first"].as_str().unwrap();
        assert_eq!(first, "/api/packages/window?q=package&page%5Bsize%5D=5");
    }
}

/// The only error of a document that follows the profile.
#[track_caller]
fn error_of(answer: &Answer) -> Value {
    assert_eq!(answer.status, 400);
    let document = answer.profiled();
    assert_eq!(document["errors"].as_array().unwrap().len(), 1);
    document["errors"][0].clone()
}

#[tokio::test]
async fn a_size_above_the_maximum_names_the_maximum() {
    let service = example(3).await;
    for size in ["101", "200", "18446744073709551616"] {
        let error = error_of(&service.get(&format!("/api/packages/window?page[size]={size}")).await);
        let expected = json!({
            "links": { "type": "https://jsonapi.org/profiles/ethanresnick/cursor-pagination/max-size-exceeded" },
            "status": "400",
            "title": "Bad Request",
            "detail": "`page[size]` is larger than the maximum, 100",
            "source": { "parameter": "page[size]" },
            "meta": { "page": { "maxSize": 100 } },
        });
        assert_eq!(error, expected, "{size}");
    }
    assert_eq!(ids(&service.get("/api/packages/window?page[size]=100").await.profiled()).len(), 3);
}

#[tokio::test]
async fn an_invalid_parameter_is_named() {
    let service = service().await;
    let at = cursors_of(&service).await;
    let (good, bad) = (at(5), &at(5)[1..]);
    for (query, parameter, detail) in [
        ("page[size]=0".to_owned(), "page[size]", "`page[size]` is a number from 1"),
        ("page[size]=-1".to_owned(), "page[size]", "`page[size]` is a number from 1"),
        ("page[size]=".to_owned(), "page[size]", "`page[size]` is a number from 1"),
        (format!("page[after]={bad}"), "page[after]", "Invalid pagination cursor"),
        (format!("page[before]={bad}"), "page[before]", "Invalid pagination cursor"),
        ("page[before]=".to_owned(), "page[before]", "Invalid pagination cursor"),
        (format!("page[after]={good}&page[before]={bad}"), "page[before]", "Invalid pagination cursor"),
        (format!("page[after]={bad}&page[before]={good}"), "page[after]", "Invalid pagination cursor"),
    ] {
        let error = error_of(&service.get(&format!("/example-data?{query}")).await);
        let expected = json!({
            "status": "400",
            "title": "Bad Request",
            "detail": detail,
            "source": { "parameter": parameter },
        });
        assert_eq!(error, expected, "{query}");
    }
}

#[tokio::test]
async fn other_errors_are_not_part_of_the_profile() {
    let app = Router::new()
        .route("/limits", get(async || examples(1).await))
        .route(
            "/combined",
            get(async || -> Result<CursorDocument<Example>, JsonApiError> {
                let window = CursorWindow::from_request(2, 100)?;
                Ok(Resource::cursor_paginated(Example::query().after(Some("a")).cursor_window(window).await?))
            }),
        )
        .route(
            "/missing",
            get(async || -> Result<CursorDocument<Missing>, JsonApiError> {
                let window = CursorWindow::from_request(2, 100)?;
                Ok(Resource::cursor_paginated(Missing::query().cursor_window(window).await?))
            }),
        );
    let service = Service::start(app.layer(folio(packages(1).await).layer())).await;
    for path in ["/limits", "/combined", "/missing"] {
        let answer = service.get(path).await;
        assert_eq!(answer.status, 500, "{path}");
        let expected = json!({ "errors": [{ "status": "500", "title": "Internal Server Error" }] });
        assert_eq!(answer.document(), expected, "{path}");
    }
    let sort = example(1).await.get("/api/packages/window?sort=secret").await;
    assert_eq!(sort.document()["errors"][0]["source"], json!({ "parameter": "sort" }));
}

#[tokio::test]
async fn a_position_of_the_query_is_refused_with_a_window() {
    let query = Example::query;
    for placed in [
        query().after(Some("a")),
        query().before(Some("a")),
        query().cursor(Some("a")),
        query().cursor(None),
        query().with_cursor_name("page[cursor]"),
    ] {
        let error = placed.cursor_window(CursorWindow::resolve("", 2, 100).unwrap()).await.unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("`cursor_window` cannot be combined with `cursor`, `after`, `before`"), "{text}");
        assert_eq!((error.status(), error.parameter()), (500, None));
    }
}

/// A table that the database does not have.
#[derive(Debug, Serialize, sqlx::FromRow, Paginate)]
#[paginate(resource = "missing")]
struct Missing {
    id: i64,
}

#[test]
fn a_handler_without_json_api_keeps_status_and_text() {
    let error = FrameworkError::from(CursorWindow::resolve("page[size]=101", 20, 100).unwrap_err());
    assert_eq!((error.status(), error.to_string().as_str()), (400, "`page[size]` is larger than the maximum, 100"));
    let error = FrameworkError::from(CursorWindow::resolve("page[size]=0", 20, 100).unwrap_err());
    assert!(matches!(error, FrameworkError::InvalidParameter { parameter, .. } if parameter == "page[size]"));
}

#[tokio::test]
async fn a_total_says_how_exact_it_is() {
    #[derive(serde::Deserialize)]
    struct Asked {
        total: String,
    }
    let app = Router::new().route(
        "/list",
        get(async |Query(Asked { total }): Query<Asked>| {
            let query = match total.as_str() {
                "exact" => Example::query().counted(),
                "limited" => Example::query().counted().count_up_to(4),
                _ => Example::query(),
            };
            let page = query.cursor_window(CursorWindow::from_request(2, 100)?).await?;
            Ok::<_, JsonApiError>(Resource::cursor_paginated(page))
        }),
    );
    let service = Service::start(app.layer(folio(packages(9).await).layer())).await;
    for (total, meta) in [
        ("exact", Some(json!({ "page": { "total": 9 } }))),
        ("limited", Some(json!({ "page": { "estimatedTotal": { "bestGuess": 4 } } }))),
        ("none", None),
    ] {
        let page = read(&service, "/list", &format!("total={total}")).await;
        assert_eq!(page.get("meta"), meta.as_ref(), "{total}");
    }
}

/// A row with its own metadata, and a related resource.
struct ByHand(i64);

impl JsonResource for ByHand {
    fn resource_type(&self) -> &str {
        "rows"
    }
    fn id(&self) -> String {
        self.0.to_string()
    }
    fn attributes(&self) -> impl Serialize {
        json!({ "a": 1, "b": 2 })
    }
    fn relationships(&self) -> Option<Value> {
        Some(json!({ "example": Relationship::to_one(ResourceIdentifier::new("examples", 7)) }))
    }
    fn meta(&self) -> Option<Value> {
        match self.0 {
            1 => Some(json!({ "seen": true })),
            2 => Some(json!({ "page": { "rank": 2 } })),
            3 => None,
            4 => Some(json!({ "page": 4 })),
            _ => Some(json!(5)),
        }
    }
}

#[tokio::test]
async fn a_cursor_joins_the_metadata_of_its_row() {
    let app = Router::new().route(
        "/list",
        get(async || {
            let rows = Select::<(i64,)>::sql("SELECT id FROM packages").order_by(Column::<i64>::new("id"));
            let page = rows.cursor_window(CursorWindow::from_request(3, 5)?).await?.map(|(id,)| ByHand(id));
            let fields = Fieldsets::new().allow("rows", ["a", "b", "example"]).from_request()?;
            let included = Included::new().with([Example { id: 7 }]);
            Ok::<_, JsonApiError>(Resource::cursor_paginated(page).with_included(included)?.with_fields(fields))
        }),
    );
    let service = Service::start(app.layer(folio(packages(5).await).layer())).await;
    let document = read(&service, "/list", "fields[rows]=a,example").await;
    let meta = |id: i64| document["data"][usize::try_from(id - 1).unwrap()]["meta"].clone();
    assert_eq!(meta(1), json!({ "seen": true, "page": { "cursor": cursor(&document, 1) } }));
    assert_eq!(meta(2), json!({ "page": { "rank": 2, "cursor": cursor(&document, 2) } }));
    assert_eq!(meta(3), json!({ "page": { "cursor": cursor(&document, 3) } }));
    assert_eq!(document["data"][0]["attributes"], json!({ "a": 1 }));
    // An included resource is not part of the list, so it has no cursor.
    assert_eq!(document["included"], json!([{ "type": "examples", "id": "7", "attributes": {} }]));
    assert_eq!(unlinked(&document), []);
    assert_eq!(link(&document, "next").as_deref(), Some("?page%5Bafter%5D"));
    for (after, row) in [(3, 4), (4, 5)] {
        let list = Router::new().route(
            "/list",
            get(async move || {
                let rows = Select::<(i64,)>::sql("SELECT id FROM packages").order_by(Column::<i64>::new("id"));
                let page = rows.seek(after).cursor_window(CursorWindow::resolve("", 1, 1)?).await?;
                Ok::<_, JsonApiError>(Resource::cursor_paginated(page.map(|(id,)| ByHand(id))))
            }),
        );
        let answer = Service::start(list.layer(folio(packages(5).await).layer())).await.get("/list").await;
        assert_eq!(answer.status, 500, "the metadata of row {row} has no place for a cursor");
    }
}

/// The positions are beside what the profile defines, and only on request.
#[tokio::test]
async fn a_document_has_positions_on_request() {
    let with_positions = get(async || {
        let window = CursorWindow::from_request(2, 100)?;
        let query = Example::query().filter(Example::ID.any_of(IDS)).with_positions();
        Ok::<_, JsonApiError>(Resource::cursor_paginated(query.cursor_window(window).await?))
    });
    let app = Router::new().route("/placed", with_positions).route("/example-data", get(async || examples(100).await));
    let service = Service::start(app.layer(folio(packages(9).await).layer())).await;
    assert_eq!(read(&service, "/example-data", "").await.get("meta"), None);

    let last = read(&service, "/placed", "page[size]=5").await;
    assert_eq!((ids(&last), &last["links"]["next"]), (IDS.to_vec(), &json!(null)));
    let end = last["meta"]["endCursor"].as_str().unwrap();
    let empty = read(&service, "/placed", &format!("page[after]={end}")).await;
    assert!(ids(&empty).is_empty() && empty["meta"]["endCursor"].is_string());
    let back =
        read(&service, "/placed", &format!("page[before]={}", empty["meta"]["startCursor"].as_str().unwrap())).await;
    assert_eq!(ids(&back), [8, 9]);
}
