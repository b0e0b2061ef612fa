//! Documents of JSON:API with related resources, and with the fields and resources that the client asks for.

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use folio::json_api::{
    Fieldsets, Included, Includes, JsonApiError, JsonResource, Paginated, Relationship, Resource, ResourceIdentifier,
};
use folio::{CursorPaginator, FrameworkError, LengthAwarePaginator, Paginate, Paginator};
use folio_tests::recorder::Recorder;
use serde::Serialize;
use serde_json::{Value, json};

use crate::service::{Service, example, folio, packages};
use crate::specification::unlinked;

/// An article with relationships of every kind.
#[derive(Clone, Serialize)]
struct Article {
    id: i64,
    title: String,
    author: Option<i64>,
    comments: Vec<i64>,
}

impl JsonResource for Article {
    const ID_KEYS: &'static [&'static str] = &["id", "author", "comments"];

    fn resource_type(&self) -> &str {
        "articles"
    }
    fn id(&self) -> String {
        self.id.to_string()
    }
    fn attributes(&self) -> impl Serialize {
        self
    }
    fn relationships(&self) -> Option<Value> {
        let url = |name: &str| format!("/articles/{}/{name}", self.id);
        let author = self.author.map(|id| ResourceIdentifier::new("people", id).with_meta(json!({ "since": 2026 })));
        let comments = self.comments.iter().map(|id| ResourceIdentifier::new("comments", id));
        Some(json!({
            "author": Relationship::to_one(author)
                .with_self_link(url("relationships/author"))
                .with_related_link(url("author")),
            "comments": Relationship::to_many(comments).with_meta(json!({ "count": self.comments.len() })),
            "history": Relationship::related(url("history")),
        }))
    }
}

/// A comment, which has an author as well.
struct Comment(i64, i64);

impl JsonResource for Comment {
    fn resource_type(&self) -> &str {
        "comments"
    }
    fn id(&self) -> String {
        self.0.to_string()
    }
    fn attributes(&self) -> impl Serialize {
        json!({ "zeta": 1, "body": format!("comment {}", self.0) })
    }
    fn relationships(&self) -> Option<Value> {
        Some(json!({ "author": Relationship::to_one(ResourceIdentifier::new("people", self.1)) }))
    }
}

#[derive(Serialize, sqlx::FromRow, Paginate)]
#[paginate(resource = "people")]
struct Person {
    id: i64,
    name: String,
    email: String,
}

fn article(id: i64, author: Option<i64>, comments: &[i64]) -> Article {
    Article { id, title: format!("article {id}"), author, comments: comments.to_vec() }
}

fn person(id: i64) -> Person {
    Person { id, name: format!("person {id}"), email: format!("{id}@example.com") }
}

/// Two articles by the same author, and one by nobody.
fn articles() -> Vec<Article> {
    vec![article(1, Some(7), &[5, 12]), article(2, Some(7), &[]), article(3, None, &[12])]
}

fn identities(included: &Value) -> Vec<(&str, &str)> {
    let resources = included.as_array().unwrap().iter();
    resources.map(|one| (one["type"].as_str().unwrap(), one["id"].as_str().unwrap())).collect()
}

/// The list of articles, with what the client asks for, on a page of each kind.
async fn list<P: Paginated<Article>>(page: P) -> Result<Response, JsonApiError>
where
    folio::json_api::JsonApi<Article, P>: IntoResponse,
{
    let include = Includes::new().allow("author").allow("comments.author").from_request()?;
    let fields = Fieldsets::new()
        .allow("articles", ["title", "author", "comments", "history"])
        .allow("comments", ["body", "zeta", "author"])
        .allow("people", ["name", "email"])
        .from_request()?;
    let mut included = Included::new();
    if include.has("author") {
        included = included.with([person(7), person(7)]);
    }
    if include.has("comments") {
        included = included.with([Comment(5, 2), Comment(12, 7)]);
    }
    if include.has("comments.author") {
        included = included.with([person(2), person(7)]);
    }
    Ok(Resource::paginated(page).with_included(included)?.with_fields(fields).into_response())
}

async fn service() -> Service {
    let numbered = async || list(LengthAwarePaginator::new(articles(), 9, 3, 2).with_path("/articles?a=b")).await;
    let simple = async || list(Paginator::new(articles(), 1, 3, true)).await;
    let cursor = async || list(CursorPaginator::new(articles(), 3, Some("AbC".into()), None)).await;
    let unlinked = async || {
        let included = Included::new().with([person(8)]);
        Resource::paginated(Paginator::new(articles(), 1, 3, false)).with_included(included).map_err(JsonApiError::from)
    };
    let app = Router::new()
        .route("/articles", get(numbered))
        .route("/simple", get(simple))
        .route("/cursor", get(cursor))
        .route("/unlinked", get(unlinked));
    Service::start(app.layer(folio(packages(0).await).layer())).await
}

#[tokio::test]
async fn a_relationship_has_its_linkage_links_and_meta() {
    let document = service().await.get("/articles").await.document();
    let relationships = json!({
        "author": {
            "links": { "self": "/articles/1/relationships/author", "related": "/articles/1/author" },
            "data": { "type": "people", "id": "7", "meta": { "since": 2026 } },
        },
        "comments": {
            "data": [{ "type": "comments", "id": "5" }, { "type": "comments", "id": "12" }],
            "meta": { "count": 2 },
        },
        "history": { "links": { "related": "/articles/1/history" } },
    });
    assert_eq!(document["data"][0]["relationships"], relationships);
    assert_eq!(document["data"][0]["attributes"], json!({ "title": "article 1" }));
    assert_eq!(document["data"][1]["relationships"]["comments"]["data"], json!([]));
    assert_eq!(document["data"][2]["relationships"]["author"]["data"], Value::Null);
}

#[tokio::test]
async fn every_kind_of_page_includes_each_resource_once() {
    let service = service().await;
    for path in ["/articles", "/simple", "/cursor"] {
        for (include, expected) in [
            ("", vec![]),
            ("author", vec![("people", "7")]),
            ("comments", vec![("comments", "5"), ("comments", "12")]),
            ("comments,author", vec![("people", "7"), ("comments", "5"), ("comments", "12")]),
            ("comments.author", vec![("comments", "5"), ("comments", "12"), ("people", "2"), ("people", "7")]),
            (
                "author,comments.author,comments",
                vec![("people", "7"), ("comments", "5"), ("comments", "12"), ("people", "2")],
            ),
        ] {
            let document = service.get(&format!("{path}?include={include}")).await.document();
            assert_eq!(identities(&document["included"]), expected, "{path}, {include}");
            assert_eq!(unlinked(&document), [], "{path}, {include}");
            assert_eq!(document["data"].as_array().unwrap().len(), 3);
        }
    }
    let text = service.get("/simple?include=comments").await.text;
    let comment =
        r#"{"type":"comments","id":"5","attributes":{"zeta":1,"body":"comment 5"},"relationships":{"author":"#;
    // Attributes keep their order, which `json!` here keeps as well.
    assert!(text.contains(&format!(r#","included":[{comment}"#)), "{text}");
}

#[tokio::test]
async fn fields_restrict_every_resource_of_their_type() {
    let service = service().await;
    let asked =
        "/articles?include=author,comments&fields%5Barticles%5D=author&fields%5Bpeople%5D=name&fields%5Bcomments%5D=";
    let document = service.get(asked).await.document();
    for resource in document["data"].as_array().unwrap() {
        assert_eq!(resource["attributes"], json!({}));
        assert_eq!(resource["relationships"].as_object().unwrap().keys().collect::<Vec<_>>(), ["author"]);
    }
    let expected = json!([
        { "type": "people", "id": "7", "attributes": { "name": "person 7" } },
        { "type": "comments", "id": "5", "attributes": {} },
        { "type": "comments", "id": "12", "attributes": {} },
    ]);
    assert_eq!(document["included"], expected);
    // The fieldset left out the relationship to the comments, as JSON:API allows.
    assert_eq!(unlinked(&document), [("comments", "5"), ("comments", "12")]);

    let document = service.get("/cursor?fields[articles]=title").await.document();
    assert_eq!(document["data"][0], json!({ "type": "articles", "id": "1", "attributes": { "title": "article 1" } }));
}

#[tokio::test]
async fn an_unknown_field_or_path_is_refused_under_its_parameter() {
    let service = service().await;
    let include = "takes `author`, `comments.author`, separated by commas";
    let paths = json!(["author", "comments.author"]);
    let (articles, people) = (json!(["title", "author", "comments", "history"]), json!(["name", "email"]));
    let other = "is not a parameter of this list, which has `fields[articles]`, `fields[comments]`, `fields[people]`";
    let types = json!(["fields[articles]", "fields[comments]", "fields[people]"]);
    for (query, parameter, rule, allowed) in [
        ("include=editor", "include", include, &paths),
        ("include=author,", "include", include, &paths),
        ("include=author.name", "include", include, &paths),
        (
            "fields[articles]=body",
            "fields[articles]",
            "takes `title`, `author`, `comments`, `history`, separated by commas",
            &articles,
        ),
        ("fields%5Bpeople%5D=name,name,age", "fields[people]", "takes `name`, `email`, separated by commas", &people),
        ("fields[tags]=name", "fields[tags]", other, &types),
        ("fields=title", "fields", other, &types),
    ] {
        for path in ["/articles", "/simple", "/cursor"] {
            let answer = service.get(&format!("{path}?{query}")).await;
            let error = json!({
                "status": "400",
                "title": "Bad Request",
                "detail": format!("`{parameter}` {rule}"),
                "source": { "parameter": parameter },
                "meta": { "allowed": allowed },
            });
            assert_eq!((answer.status.as_u16(), answer.document()), (400, json!({ "errors": [error] })), "{query}");
        }
    }
}

#[tokio::test]
async fn an_unlinked_resource_is_a_500_that_the_log_explains() {
    let service = service().await;
    let recorder = Recorder::of_errors();
    let answer = service.get("/unlinked").await;
    let error = json!({ "status": "500", "title": "Internal Server Error" });
    assert_eq!((answer.status.as_u16(), answer.document()), (500, json!({ "errors": [error] })));
    let logged = recorder.take().join("\n");
    assert!(logged.contains("add `ResourceIdentifier::new(\"people\", \"8\")`"), "{logged}");
}

fn document(rows: Vec<Article>, included: Included) -> Result<Value, FrameworkError> {
    let page = Paginator::new(rows, 1, 3, false);
    Ok(serde_json::to_value(Resource::paginated(page).with_included(included)?).unwrap())
}

#[test]
fn a_row_of_the_page_is_not_included() {
    let rows = vec![article(1, Some(7), &[])];
    let included = Included::new().with([article(1, None, &[])]).with([person(7)]);
    assert_eq!(identities(&document(rows, included).unwrap()["included"]), [("people", "7")]);
    // An id is compared within its type.
    let rows = vec![article(7, Some(7), &[])];
    assert_eq!(identities(&document(rows, Included::new().with([person(7)])).unwrap()["included"]), [("people", "7")]);
}

#[test]
fn the_error_for_an_unlinked_resource_says_what_to_write() {
    let error = document(articles(), Included::new().with([person(7), person(8)])).unwrap_err();
    let expected = "no relationship in the document refers to the included resource `people` with the id `8`, as \
                    JSON:API requires: add `ResourceIdentifier::new(\"people\", \"8\")` to the `relationships` of a \
                    resource, or do not include it";
    assert!(matches!(error, FrameworkError::Internal { message } if message == expected));
    // What links to it has to be in the document itself.
    let linked_elsewhere = Included::new().with([article(1, Some(8), &[])]).with([person(8)]);
    assert!(document(articles(), linked_elsewhere).is_err());
    assert!(document(vec![], Included::new().with([person(7)])).is_err());
    assert_eq!(document(vec![], Included::new()).unwrap()["included"], json!([]));
}

#[test]
fn a_compound_document_has_each_row_once() {
    let error = document(vec![article(1, None, &[]), article(1, None, &[])], Included::new()).unwrap_err();
    assert!(error.to_string().starts_with("the page has the resource `articles` with the id `1` twice"), "{error}");
}

/// A model whose foreign keys are relationships.
#[derive(Debug, Serialize, sqlx::FromRow, Paginate)]
#[paginate(table = "packages", resource = "packages", cursor_key = "depends_count nulls first")]
#[serde(rename_all = "camelCase")]
struct Derived {
    #[serde(rename = "number")]
    id: i64,
    name: String,
    #[serde(rename = "sectionId")]
    #[paginate(to_one = "sections")]
    section: String,
    #[paginate(to_one = "counts")]
    depends_count: Option<i64>,
}

#[tokio::test]
async fn a_derived_foreign_key_is_a_relationship() {
    let list = async || {
        let fields = Fieldsets::new().allow("packages", ["name", "section", "dependsCount"]).from_request()?;
        let page = Derived::query().cursor_paginate(2).await?;
        Ok::<_, JsonApiError>(Resource::paginated(page).with_fields(fields))
    };
    let app = Router::new().route("/list", get(list)).layer(folio(packages(8).await).layer());
    let service = Service::start(app).await;
    let resource = |id: &str, section: &str, count: Value| {
        json!({
            "type": "packages",
            "id": id,
            "attributes": { "name": format!("package-{id}") },
            "relationships": {
                "section": { "data": { "type": "sections", "id": section } },
                "dependsCount": { "data": count },
            },
        })
    };
    let document = service.get("/list").await.document();
    let count = json!({ "type": "counts", "id": "0" });
    assert_eq!(document["data"], json!([resource("7", "libs", Value::Null), resource("5", "libs", count)]));
    let document = service.get("/list?fields%5Bpackages%5D=section").await.document();
    let section = json!({ "section": { "data": { "type": "sections", "id": "libs" } } });
    let expected = json!({ "type": "packages", "id": "7", "attributes": {}, "relationships": section });
    assert_eq!(document["data"][0], expected);
}

#[tokio::test]
async fn the_packages_of_the_example_include_their_sections() {
    let service = example(23).await;
    let url = "/api/packages/simple?include=section&page%5Bsize%5D=4&fields%5Bpackages%5D=name%2Csection";
    let document = service.get(url).await.document();
    let package = json!({
        "type": "packages",
        "id": "1",
        "attributes": { "name": "package-1" },
        "relationships": { "section": { "data": { "type": "sections", "id": "libs" } } },
    });
    assert_eq!(document["data"][0], package);
    let section =
        |id: &str, packages: u64| json!({ "type": "sections", "id": id, "attributes": { "packages": packages } });
    assert_eq!(document["included"], json!([section("games", 7), section("libs", 16)]));
    assert_eq!(document["links"]["next"], format!("{url}&page=2"));
    assert_eq!(unlinked(&document), []);

    let document = service.get("/api/packages/simple").await.document();
    assert_eq!(document["included"], json!([]));
    assert_eq!(document["data"][0]["attributes"]["download_bytes"], 1000);
    // The other lists include nothing, and say so.
    for path in ["/api/packages?include=section", "/api/packages/cursor?include="] {
        let answer = service.get(path).await;
        assert_eq!(answer.status, 400, "{path}");
        assert_eq!(answer.document()["errors"][0]["source"], json!({ "parameter": "include" }), "{path}");
    }
}
