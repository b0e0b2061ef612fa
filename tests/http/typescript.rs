//! What folio sends, as the npm package in `npm/` has it: `npm/test/fixtures.js` holds responses with the types that
//! `npm/index.d.ts` declares for them. This test compares them with the responses of a service, and the package's tests
//! compare the types with them.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Duration;
use std::{env, fs};

use async_graphql::connection::Connection as GraphqlConnection;
use async_graphql::{EmptyMutation, EmptySubscription, Object, Schema, SimpleObject};
use axum::Router;
use axum::extract::{Path, Query};
use axum::response::Response;
use axum::routing::get;
use folio::async_graphql::{Errors, TotalCount};
use folio::inertia::{Inertia, InertiaResponse, PageIdentifier, ScrollMetadata, ScrollProp};
use folio::json_api::{
    CursorDocument, CursorWindow, Included, JsonApi, JsonApiError, JsonResource, Relationship, Resource,
    ResourceIdentifier,
};
use folio::relay::Window;
use folio::{
    Around, Builder, CursorPaginator, FrameworkError, LengthAwarePaginator, Paginate, Paginator, Result, json_response,
};
use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Value, json};

use crate::service::{Service, folio, packages};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../npm/test/fixtures.js");

/// A response of the service.
struct Fixture {
    /// The constant that holds it.
    name: &'static str,
    /// Its type in TypeScript.
    ty: &'static str,
    /// The path to request. `{name/key}` is replaced by the text under that key of an earlier fixture. After a `#`, a
    /// JSON pointer to the part of the response that is kept.
    request: &'static str,
    headers: &'static [(&'static str, &'static str)],
}

const fn of(ty: &'static str, name: &'static str, request: &'static str) -> Fixture {
    Fixture { name, ty, request, headers: &[] }
}

const VISIT: (&str, &str) = ("X-Inertia", "true");

const fn inertia(ty: &'static str, name: &'static str, request: &'static str) -> Fixture {
    Fixture { headers: &[VISIT], ..of(ty, name, request) }
}

/// Pages of Inertia whose list is a page, and whose list has nothing but rows.
const NUMBERED: &str = "InertiaPage<{ posts: folio.NumberedPage<Post> }>";
const CURSOR: &str = "InertiaPage<{ posts: folio.CursorPage<Post> }>";
const ROWS: &str = "InertiaPage<{ posts: Post[] }>";

const FIXTURES: &[Fixture] = &[
    of("NumberedPage<Post>", "numberedFirst", "/numbered/all?page=1"),
    // Of twenty pages, so that the row of links has gaps.
    of("NumberedPage<Post>", "numberedMiddle", "/numbered/all?page=10"),
    of("NumberedPage<Post>", "numberedLast", "/numbered/all?page=20"),
    of("NumberedPage<Post>", "numberedPastEnd", "/numbered/all?page=30"),
    of("NumberedPage<Post>", "numberedEmpty", "/numbered/none"),
    of("NumberedPage<Post>", "numberedWithoutPath", "/numbered/bare"),
    of("SimplePage<Post>", "simpleFirst", "/simple/all?page=1"),
    of("SimplePage<Post>", "simpleMiddle", "/simple/all?page=10"),
    of("SimplePage<Post>", "simpleLast", "/simple/all?page=20"),
    of("SimplePage<Post>", "simpleEmpty", "/simple/none"),
    of("SimplePage<Post>", "simpleWithoutPath", "/simple/bare"),
    of("CursorPage<Post>", "cursorFirst", "/cursor/all"),
    of("CursorPage<Post>", "cursorMiddle", "/cursor/all?cursor={cursorFirst/next_cursor}"),
    of("CursorPage<Post>", "cursorLast", "/cursor/last"),
    of("CursorPage<Post>", "cursorEmpty", "/cursor/none"),
    of("CursorPage<Post>", "cursorWithoutPath", "/cursor/bare"),
    of("CursorPage<Post>", "cursorCounted", "/cursor/counted"),
    of("AroundPage<Post>", "aroundFound", "/around/7"),
    of("AroundPage<Post>", "aroundGone", "/around/8"),
    of("Connection<Post>", "connectionFirst", "/connection/all?first=2"),
    of("Connection<Post>", "connectionMiddle", "/connection/all?first=2&after={connectionFirst/pageInfo/endCursor}"),
    of("Connection<Post>", "connectionLast", "/connection/all?last=2"),
    of("Connection<Post>", "connectionEmpty", "/connection/none?first=2"),
    of("Connection<Post>", "connectionCounted", "/connection/counted?first=2"),
    of("GraphqlConnection<Post>", "graphqlFirst", "/graphql/list/all#/data/list"),
    of("GraphqlConnection<Post>", "graphqlCounted", "/graphql/list/counted#/data/list"),
    of("NumberedPageDocument<PostObject>", "numberedDocumentFirst", "/documents/numbered/all?page=1"),
    of("NumberedPageDocument<PostObject>", "numberedDocumentMiddle", "/documents/numbered/all?page=10"),
    of("NumberedPageDocument<PostObject>", "numberedDocumentLast", "/documents/numbered/all?page=20"),
    of("NumberedPageDocument<ArticleObject>", "numberedDocumentWhole", "/documents/whole/numbered"),
    of("SimplePageDocument<PostObject>", "simpleDocumentFirst", "/documents/simple/all?page=1"),
    of("SimplePageDocument<PostObject>", "simpleDocumentMiddle", "/documents/simple/all?page=10"),
    of("SimplePageDocument<PostObject>", "simpleDocumentLast", "/documents/simple/all?page=20"),
    of("SimplePageDocument<ArticleObject>", "simpleDocumentWhole", "/documents/whole/simple"),
    of("CursorPageDocument<PostObject>", "cursorDocumentFirst", "/documents/cursor/all"),
    of("CursorPageDocument<PostObject>", "cursorDocumentLast", "/documents/cursor/last"),
    of("CursorPageDocument<PostObject>", "cursorDocumentCounted", "/documents/cursor/counted"),
    of("CursorPageDocument<PostObject>", "cursorDocumentEstimated", "/documents/cursor/estimated"),
    of("CursorPageDocument<ArticleObject>", "cursorDocumentWhole", "/documents/whole/cursor"),
    of("CursorProfileDocument<ProfiledPost>", "profileFirst", "/documents/window/all?page[size]=2"),
    of(
        "CursorProfileDocument<ProfiledPost>",
        "profileMiddle",
        "/documents/window/all?page[size]=2&page[after]={profileFirst/data/1/meta/page/cursor}",
    ),
    of(
        "CursorProfileDocument<ProfiledPost>",
        "profileTruncated",
        "/documents/window/all?page[size]=1&page[after]={profileFirst/data/0/meta/page/cursor}\
         &page[before]={profileMiddle/data/1/meta/page/cursor}",
    ),
    of("CursorProfileDocument<ProfiledPost>", "profileEmpty", "/documents/window/none"),
    of("CursorProfileDocument<ProfiledPost>", "profileCounted", "/documents/window/counted?page[size]=2"),
    of("CursorProfileDocument<ProfiledPost>", "profileEstimated", "/documents/window/estimated?page[size]=2"),
    of("CursorProfileDocument<ProfiledPost>", "profilePlaced", "/documents/window/placed?page[size]=2"),
    of("CursorProfileDocument<ProfiledArticle>", "profileWhole", "/documents/whole/window"),
    of("ErrorBody", "errorPlain", "/cursor/all?cursor=altered"),
    of("ErrorBody", "errorParameter", "/errors/parameter"),
    of("ErrorBody", "errorAllowed", "/errors/allowed"),
    of("ErrorBody", "errorInternal", "/errors/internal"),
    of("ErrorBody", "errorTimedOut", "/errors/timed-out"),
    of("ErrorDocument", "errorDocumentPlain", "/documents/errors/gone"),
    of("ErrorDocument", "errorDocumentParameter", "/documents/errors/parameter"),
    of("ErrorDocument", "errorDocumentAllowed", "/documents/errors/allowed"),
    of("ErrorDocument", "errorDocumentInternal", "/documents/errors/internal"),
    of("ErrorDocument", "errorDocumentTimedOut", "/documents/errors/timed-out"),
    of("ErrorDocument", "errorDocumentUncommon", "/documents/errors/uncommon"),
    of("ErrorDocument", "errorDocumentProfile", "/documents/window/all?page[after]=altered"),
    of("ErrorDocument", "errorDocumentMaxSize", "/documents/window/all?page[size]=101"),
    of("GraphqlErrorExtensions", "graphqlUnauthenticated", "/graphql/error/unauthenticated#/errors/0/extensions"),
    of("GraphqlErrorExtensions", "graphqlForbidden", "/graphql/error/forbidden#/errors/0/extensions"),
    of("GraphqlErrorExtensions", "graphqlNotFound", "/graphql/error/not-found#/errors/0/extensions"),
    of("GraphqlErrorExtensions", "graphqlAllowed", "/graphql/error/allowed#/errors/0/extensions"),
    of("GraphqlErrorExtensions", "graphqlInternal", "/graphql/error/internal#/errors/0/extensions"),
    inertia(NUMBERED, "inertiaNumbered", "/inertia/numbered?page=10"),
    inertia(CURSOR, "inertiaFirst", "/inertia/cursor/all"),
    inertia(CURSOR, "inertiaMiddle", "/inertia/cursor/all?cursor={inertiaFirst/scrollProps/posts/nextPage}"),
    Fixture {
        headers: &[VISIT, ("X-Inertia-Infinite-Scroll-Merge-Intent", "prepend")],
        ..inertia(
            CURSOR,
            "inertiaPrepended",
            "/inertia/cursor/all?cursor={inertiaMiddle/scrollProps/posts/previousPage}",
        )
    },
    Fixture {
        headers: &[VISIT, ("X-Inertia-Reset", "posts")],
        ..inertia(CURSOR, "inertiaReset", "/inertia/cursor/all")
    },
    inertia(CURSOR, "inertiaLast", "/inertia/cursor/last"),
    inertia(ROWS, "inertiaUnknownPlace", "/inertia/unknown"),
    inertia("InertiaPage<{ title: string }>", "inertiaDeferred", "/inertia/deferred"),
];

#[derive(Debug, Serialize, sqlx::FromRow, Paginate, SimpleObject)]
#[paginate(table = "packages", resource = "posts")]
#[graphql(name = "Post")]
struct Post {
    id: i64,
    name: String,
}

/// A post with everything that a resource object can have.
#[derive(Clone)]
struct Article(i64);

impl JsonResource for Article {
    fn resource_type(&self) -> &str {
        "articles"
    }

    fn id(&self) -> String {
        self.0.to_string()
    }

    fn attributes(&self) -> impl Serialize {
        json!({ "title": format!("Article {}", self.0) })
    }

    fn relationships(&self) -> Option<Value> {
        let url = |name: &str| format!("/articles/{}/{name}", self.0);
        let author = ResourceIdentifier::new("people", 7).with_meta(json!({ "since": 2026 }));
        let author = Relationship::to_one(author);
        Some(json!({
            "author": author.with_self_link(url("relationships/author")).with_related_link(url("author")),
            "editor": Relationship::to_one(None),
            "tags": Relationship::to_many([ResourceIdentifier::new("tags", "rust")]).with_meta(json!({ "count": 1 })),
            "history": Relationship::related(url("history")),
            "versions": Relationship::to_many([]).with_self_link(url("relationships/versions")),
        }))
    }

    fn links(&self) -> Option<Value> {
        Some(json!({ "self": format!("/articles/{}", self.0) }))
    }

    fn meta(&self) -> Option<Value> {
        Some(json!({ "words": 900 }))
    }
}

/// A resource with nothing but attributes.
struct Person;

impl JsonResource for Person {
    fn resource_type(&self) -> &str {
        "people"
    }

    fn id(&self) -> String {
        "7".into()
    }

    fn attributes(&self) -> impl Serialize {
        json!({ "name": "Ada" })
    }
}

/// A list by its name.
fn posts(list: &str) -> Builder<Post> {
    let posts = if list == "bare" { Post::query() } else { Post::query().with_path("/posts") };
    match list {
        "none" => posts.filter(Post::ID.lt(0)),
        "counted" => posts.counted().with_row_cursors().with_positions(),
        "estimated" => posts.counted().count_up_to(2),
        "placed" => posts.with_positions(),
        _ => posts,
    }
}

/// An error by its name.
fn error(kind: &str) -> FrameworkError {
    let domain = |status_code| FrameworkError::Domain { message: format!("this is {kind}"), status_code };
    let parameter = |allowed: &[&str]| FrameworkError::InvalidParameter {
        parameter: "state".into(),
        rule: "has a value that is not allowed".into(),
        allowed: allowed.iter().map(|&value| value.to_owned()).collect(),
    };
    match kind {
        "parameter" => parameter(&[]),
        "allowed" => parameter(&["open", "closed"]),
        "unauthenticated" => domain(401),
        "forbidden" => domain(403),
        "not-found" => domain(404),
        "gone" => domain(410),
        "uncommon" => domain(418),
        "timed-out" => FrameworkError::TimedOut { limit: Duration::from_millis(200), cause: sqlx::Error::PoolTimedOut },
        _ => FrameworkError::Internal { message: "a text for the log".into() },
    }
}

async fn numbered(Path(list): Path<String>) -> Result<LengthAwarePaginator<Post>> {
    posts(&list).paginate(1).await
}

async fn simple(Path(list): Path<String>) -> Result<Paginator<Post>> {
    posts(&list).simple_paginate(1).await
}

async fn cursor_page(list: &str) -> Result<CursorPaginator<Post>> {
    if list == "last" { posts(list).last_page(2).await } else { posts(list).cursor_paginate(2).await }
}

async fn cursor(Path(list): Path<String>) -> Result<CursorPaginator<Post>> {
    cursor_page(&list).await
}

/// The row 8 is gone, its neighbours are not.
async fn around(Path(id): Path<i64>) -> Result<Around<Post>> {
    posts("all").filter(Post::ID.ne(8)).around(&PostKey { id }, 1, 1).await
}

async fn connection(Path(list): Path<String>, Query(window): Query<Window>) -> Result<Response> {
    Ok(json_response!(posts(&list).connection(window).await?))
}

struct GraphqlQuery;

#[Object]
impl GraphqlQuery {
    async fn list(&self, name: String) -> Result<GraphqlConnection<String, Post, TotalCount>> {
        Ok(posts(&name).connection(Window::first(2)).await?.into())
    }

    async fn error(&self, kind: String) -> Result<Option<bool>> {
        Err(error(&kind))
    }
}

async fn graphql(query: &str) -> Response {
    let schema = Schema::build(GraphqlQuery, EmptyMutation, EmptySubscription).extension(Errors).finish();
    json_response!(schema.execute(query).await)
}

async fn graphql_list(Path(list): Path<String>) -> Response {
    let fields = "edges { node { id name } cursor } nodes { id name }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount";
    graphql(&format!(r#"{{ list(name: "{list}") {{ {fields} }} }}"#)).await
}

async fn graphql_error(Path(kind): Path<String>) -> Response {
    graphql(&format!(r#"{{ error(kind: "{kind}") }}"#)).await
}

async fn window(list: &str) -> Result<CursorDocument<Post>, JsonApiError> {
    let page = posts(list).cursor_window(CursorWindow::from_request(2, 100)?).await?;
    Ok(Resource::cursor_paginated(page))
}

fn author() -> Included {
    Included::new().with([Person])
}

type ArticleDocument<P> = Result<JsonApi<Article, P>, JsonApiError>;

async fn whole_numbered() -> ArticleDocument<LengthAwarePaginator<Article>> {
    Ok(Resource::paginated(LengthAwarePaginator::new(vec![Article(1)], 1, 15, 1)).with_included(author())?)
}

async fn whole_simple() -> ArticleDocument<Paginator<Article>> {
    Ok(Resource::paginated(Paginator::new(vec![Article(1)], 1, 15, false)).with_included(author())?)
}

async fn whole_cursor() -> ArticleDocument<CursorPaginator<Article>> {
    Ok(Resource::paginated(CursorPaginator::new(vec![Article(1)], 15, None, None)).with_included(author())?)
}

async fn whole_window() -> Result<CursorDocument<Article>, JsonApiError> {
    let page = posts("all").cursor_window(CursorWindow::from_request(1, 100)?).await?;
    Ok(Resource::cursor_paginated(page.map(|post| Article(post.id))).with_included(author())?)
}

async fn inertia_cursor(Path(list): Path<String>) -> Result<InertiaResponse> {
    let page = ScrollProp::from(cursor_page(&list).await?);
    Ok(Inertia::paginate("Posts", "posts", page.wrapped("data").match_on("id")))
}

async fn inertia_numbered() -> Result<InertiaResponse> {
    let page = ScrollProp::from(posts("all").paginate(1).await?);
    Ok(Inertia::paginate("Posts", "posts", page.wrapped("data")).errors(json!({ "name": "is missing" })))
}

/// A list of another origin, which does not tell the page's own place.
async fn inertia_unknown() -> InertiaResponse {
    let place = ScrollMetadata {
        page_name: "page".into(),
        previous_page: None,
        next_page: Some(PageIdentifier::Number(2)),
        current_page: None,
    };
    let rows: [Post; 0] = [];
    Inertia::paginate("Posts", "posts", ScrollProp::new(rows, &place))
}

async fn inertia_deferred() -> Result<InertiaResponse> {
    let page = Inertia::render("Posts").prop("title", "All posts");
    page.defer("posts", async || posts("all").cursor_paginate(2).await).await
}

async fn service() -> Service {
    let documents = Router::new()
        .route("/numbered/{list}", get(async |list| numbered(list).await.map(Resource::paginated)))
        .route("/simple/{list}", get(async |list| simple(list).await.map(Resource::paginated)))
        .route("/cursor/{list}", get(async |list| cursor(list).await.map(Resource::paginated)))
        .route("/window/{list}", get(async |Path(list): Path<String>| window(&list).await))
        .route("/whole/numbered", get(whole_numbered))
        .route("/whole/simple", get(whole_simple))
        .route("/whole/cursor", get(whole_cursor))
        .route("/whole/window", get(whole_window))
        .route("/errors/{kind}", get(async |Path(kind): Path<String>| JsonApiError::from(error(&kind))));
    let inertia = Router::new()
        .route("/numbered", get(inertia_numbered))
        .route("/cursor/{list}", get(inertia_cursor))
        .route("/unknown", get(inertia_unknown))
        .route("/deferred", get(inertia_deferred));
    let app = Router::new()
        .route("/numbered/{list}", get(numbered))
        .route("/simple/{list}", get(simple))
        .route("/cursor/{list}", get(cursor))
        .route("/around/{id}", get(around))
        .route("/connection/{list}", get(connection))
        .route("/graphql/list/{list}", get(graphql_list))
        .route("/graphql/error/{kind}", get(graphql_error))
        .route("/errors/{kind}", get(async |Path(kind): Path<String>| error(&kind)))
        .nest("/documents", documents)
        .nest("/inertia", inertia);
    Service::start(app.layer(folio(packages(20).await).layer())).await
}

/// Replaces each `{name/key}` with that text of an earlier response.
fn filled(path: &str, earlier: &HashMap<&str, Value>) -> String {
    let mut filled = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('{') {
        let (reference, after) = after.split_once('}').unwrap();
        let (name, key) = reference.split_once('/').unwrap();
        let text = earlier[name].pointer(&format!("/{key}")).and_then(Value::as_str);
        filled += before;
        filled += text.unwrap_or_else(|| panic!("{reference} is not a text: {:#}", earlier[name]));
        rest = after;
    }
    filled + rest
}

/// The JSON of a fixture. Cursors differ each time, so each is replaced by its number among those of the fixture.
fn written(response: &Value) -> String {
    let mut json = Vec::new();
    let format = PrettyFormatter::with_indent(b"    ");
    response.serialize(&mut Serializer::with_formatter(&mut json, format)).unwrap();
    let json = String::from_utf8(json).unwrap();

    let mut cursors = Vec::new();
    let mut stable = json.clone();
    for word in json.split(|char: char| !(char.is_ascii_alphanumeric() || "-_".contains(char))) {
        if word.len() > 60 && !cursors.contains(&word) {
            cursors.push(word);
            stable = stable.replace(word, &format!("cursor{}", cursors.len()));
        }
    }
    stable
}

#[tokio::test]
async fn the_fixtures_of_the_npm_package_are_what_folio_sends() {
    let service = service().await;
    let mut responses = HashMap::new();
    let mut file = String::from(
        "// @ts-check\n\
         // Responses of folio, each with its type. Written by tests/http/typescript.rs: see CONTRIBUTING.md.\n\n\
         /** @import * as folio from \"folio-pages\" */\n\n\
         /** @typedef {{ id: number, name: string }} Post */\n\
         /** @typedef {folio.ResourceObject<{ name: string }, \"posts\">} PostObject */\n\
         /** @typedef {folio.ResourceObject<{ title: string }, \"articles\">} ArticleObject */\n\
         /** @typedef {folio.CursorResourceObject<{ name: string }, \"posts\">} ProfiledPost */\n\
         /** @typedef {folio.CursorResourceObject<{ title: string }, \"articles\">} ProfiledArticle */\n",
    );
    for Fixture { name, ty, request, headers } in FIXTURES {
        let (path, part) = request.split_once('#').unwrap_or((request, ""));
        let answer = service.get_with(&filled(path, &responses), headers).await;
        let json: Value =
            serde_json::from_str(&answer.text).unwrap_or_else(|error| panic!("{name}: {error}: {answer:?}"));
        let json = json.pointer(part).unwrap_or_else(|| panic!("{name}: {answer:?}")).clone();
        let json = responses.entry(*name).insert_entry(json).into_mut();
        write!(file, "\n/** @satisfies {{folio.{ty}}} */\nexport const {name} = {};\n", written(json)).unwrap();
    }

    if env::var_os("FOLIO_WRITE_FIXTURES").is_some() {
        fs::write(FILE, &file).unwrap();
    }
    let found = fs::read_to_string(FILE).unwrap_or_default();
    let line = found.lines().zip(file.lines()).position(|(found, sent)| found != sent);
    assert!(
        found == file,
        "npm/test/fixtures.js differs from what folio sends, from line {}. After an intended change, run this test \
         with FOLIO_WRITE_FIXTURES=1, and change npm/index.d.ts to match",
        line.unwrap_or_else(|| found.lines().count().min(file.lines().count())) + 1
    );
}
