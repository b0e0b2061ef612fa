//! Connections and errors as a GraphQL client and the log see them.

use std::sync::Arc;

use async_graphql::connection::Connection as GraphqlConnection;
use async_graphql::{Context, EmptyMutation, Error, ErrorExtensions, Object, ResultExt as _, Schema, Subscription};
use folio::FrameworkError;
use folio::async_graphql::{Errors, TotalCount};
use folio::relay::{Connection, Edge, PageInfo};
use folio_tests::recorder::Recorder;
use futures_util::{Stream, StreamExt as _, stream};
use serde_json::{Value, json};

fn domain(status_code: u16) -> FrameworkError {
    FrameworkError::Domain { message: format!("told with {status_code}"), status_code }
}

fn parameter() -> FrameworkError {
    FrameworkError::ParamError { param_name: "per_page".into() }
}

fn internal() -> FrameworkError {
    FrameworkError::Internal { message: "secret: what went wrong".into() }
}

fn database() -> FrameworkError {
    sqlx::Error::Protocol("secret: what the database said".into()).into()
}

/// An error of the application.
#[derive(Debug)]
struct Closed;

impl ErrorExtensions for Closed {
    fn extend(&self) -> Error {
        Error::new("the list is closed")
    }
}

fn connection(cursors: &[&str], total_count: Option<u64>) -> Connection<String> {
    let edge = |cursor: &&str| Edge { node: format!("row {cursor}"), cursor: (*cursor).to_owned() };
    let at = |cursor: Option<&&str>| cursor.map(|cursor| (*cursor).to_owned());
    let page_info = PageInfo {
        has_next_page: true,
        has_previous_page: false,
        start_cursor: at(cursors.first()),
        end_cursor: at(cursors.last()),
    };
    Connection { edges: cursors.iter().map(edge).collect(), page_info, total_count }
}

struct Query;

#[Object]
impl Query {
    async fn domain(&self, status: u16) -> folio::Result<Option<i32>> {
        Err(domain(status))
    }

    async fn parameter(&self) -> folio::Result<Option<i32>> {
        Err(parameter())
    }

    async fn listed(&self) -> folio::Result<Option<i32>> {
        let (parameter, rule) = ("state".into(), "is `open` or `closed`".into());
        Err(FrameworkError::InvalidParameter { parameter, rule, allowed: vec!["open".into(), "closed".into()] })
    }

    async fn internal(&self) -> async_graphql::Result<Option<i32>> {
        Err(internal())?
    }

    async fn database(&self) -> folio::Result<Option<i32>> {
        Err(database())
    }

    /// What the application adds itself stays.
    async fn added(&self) -> async_graphql::Result<Option<i32>> {
        Err(Error::from(database()).extend_with(|_, extensions| extensions.set("retry", true)))
    }

    /// An error of a data loader, which is shared by all fields that it fails.
    async fn shared(&self) -> Result<Option<i32>, Arc<FrameworkError>> {
        Err(Arc::new(database()))
    }

    async fn shared_domain(&self) -> async_graphql::Result<Option<i32>> {
        Err(Arc::new(domain(404)))?
    }

    /// An error of another library.
    async fn foreign(&self) -> Result<Option<i32>, Arc<sqlx::Error>> {
        Err(Arc::new(sqlx::Error::Protocol("secret: what the database said".into())))
    }

    /// The application shows its own error.
    async fn declared(&self) -> async_graphql::Result<Option<i32>> {
        Err(Closed.extend_with(|_, extensions| extensions.set("code", "CLOSED")))
    }

    /// Texts that the resolver wrote itself.
    async fn other(&self) -> async_graphql::Result<Option<i32>> {
        Err("the application's own")?
    }

    async fn written(&self) -> async_graphql::Result<Option<i32>> {
        Err(Error::new("the application's own"))
    }

    async fn formatted(&self) -> Result<Option<i32>, String> {
        Err(format!("the application's {}", "own"))
    }

    async fn extended(&self, ctx: &Context<'_>) -> async_graphql::Result<Option<i32>> {
        let errors = [domain(400), parameter(), internal(), database()];
        let at = ctx.data::<usize>()?;
        let error = errors.into_iter().nth(*at).ok_or("the list of errors is shorter")?;
        Err::<Option<i32>, _>(error).extend()
    }

    async fn shared_and_extended(&self) -> async_graphql::Result<Option<i32>> {
        Err(Arc::new(database())).map_err(|error| error.extend())
    }

    async fn letters(&self, is_counted: bool) -> GraphqlConnection<String, String, TotalCount> {
        connection(&["a", "b"], is_counted.then_some(7)).into()
    }

    async fn none(&self) -> GraphqlConnection<String, String, TotalCount> {
        connection(&[], None).into()
    }
}

struct Events;

#[Subscription]
impl Events {
    async fn ticks(&self) -> impl Stream<Item = async_graphql::Result<i32>> {
        stream::iter([Ok(1), Err(database().into()), Ok(3)])
    }
}

type Failing = Schema<Query, EmptyMutation, Events>;

fn schema() -> Failing {
    Schema::build(Query, EmptyMutation, Events).extension(Errors).finish()
}

/// The errors of a query, each with its message, path and extensions.
async fn errors(schema: &Failing, request: impl Into<async_graphql::Request>) -> Vec<Value> {
    let errors = schema.execute(request).await.errors;
    let told = |mut error: Value| json!([error["message"].take(), error["path"].take(), error["extensions"].take()]);
    errors.iter().map(|error| told(serde_json::to_value(error).unwrap())).collect()
}

#[tokio::test]
async fn an_error_has_a_code() {
    let schema = schema();
    for (status, code) in [
        (400, "BAD_USER_INPUT"),
        (401, "UNAUTHENTICATED"),
        (403, "FORBIDDEN"),
        (404, "NOT_FOUND"),
        (409, "BAD_USER_INPUT"),
        (499, "BAD_USER_INPUT"),
    ] {
        let told = errors(&schema, format!("{{ domain(status: {status}) }}")).await;
        assert_eq!(told, [json!([format!("told with {status}"), ["domain"], { "code": code }])]);
    }
    let told = errors(&schema, "{ alias: parameter }").await;
    let extensions = json!({ "code": "BAD_USER_INPUT", "parameter": "per_page" });
    assert_eq!(told, [json!(["invalid parameter `per_page`", ["alias"], extensions])]);
    let told = errors(&schema, "{ listed }").await;
    let extensions = json!({ "code": "BAD_USER_INPUT", "parameter": "state", "allowed": ["open", "closed"] });
    assert_eq!(told, [json!(["`state` is `open` or `closed`", ["listed"], extensions])]);
    let told = errors(&schema, "{ sharedDomain }").await;
    assert_eq!(told, [json!(["told with 404", ["sharedDomain"], { "code": "NOT_FOUND" }])]);
    for name in ["other", "written", "formatted"] {
        assert_eq!(errors(&schema, format!("{{ {name} }}")).await, [json!(["the application's own", [name], null])]);
    }
    let told = errors(&schema, "{ declared }").await;
    assert_eq!(told, [json!(["the list is closed", ["declared"], { "code": "CLOSED" }])]);
    let told = errors(&schema, "{ missing }").await;
    assert_eq!(told, [json!(["Unknown field \"missing\" on type \"Query\".", null, null])]);
}

#[tokio::test]
async fn no_client_is_told_the_cause_of_a_5xx() {
    let schema = schema();
    let told = |path: &str| json!(["Internal Server Error", [path], { "code": "INTERNAL_SERVER_ERROR" }]);
    for query in ["{ at: internal }", "{ at: database }", "{ at: shared }", "{ at: foreign }"] {
        assert_eq!(errors(&schema, query).await, [told("at")], "{query}");
    }
    // 503, and numbers that are not a final status.
    for status in [500, 503, 599, 600, 0, 100, 199] {
        assert_eq!(errors(&schema, format!("{{ at: domain(status: {status}) }}")).await, [told("at")], "{status}");
    }
    let extensions = json!({ "code": "INTERNAL_SERVER_ERROR", "retry": true });
    assert_eq!(errors(&schema, "{ added }").await, [json!(["Internal Server Error", ["added"], extensions])]);
    // Each field that failed.
    let mut all = errors(&schema, "{ a: database b: internal c: letters(isCounted: false) { totalCount } }").await;
    all.sort_by_key(Value::to_string);
    assert_eq!(all, [told("a"), told("b")]);
}

#[tokio::test]
async fn a_subscription_reports_errors_like_a_query() {
    let events: Vec<Value> = schema()
        .execute_stream("subscription { ticks }")
        .map(|response| serde_json::to_value(response).unwrap())
        .collect()
        .await;
    assert!(events.len() > 1 && events[0]["data"]["ticks"] == 1, "{events:?}");
    let error = &events[1]["errors"][0];
    assert_eq!(error["message"], "Internal Server Error");
    assert_eq!(error["extensions"], json!({ "code": "INTERNAL_SERVER_ERROR" }));
    assert!(!json!(events).to_string().contains("secret"));
}

/// Without the extension in the schema, `extend` does it for one result.
#[tokio::test]
async fn an_error_is_extended_by_hand() {
    let schema = Schema::new(Query, EmptyMutation, Events);
    let internal = json!(["Internal Server Error", ["extended"], { "code": "INTERNAL_SERVER_ERROR" }]);
    let extensions = json!({ "code": "BAD_USER_INPUT", "parameter": "per_page" });
    let expected = [
        json!(["told with 400", ["extended"], { "code": "BAD_USER_INPUT" }]),
        json!(["invalid parameter `per_page`", ["extended"], extensions]),
        internal.clone(),
        internal,
    ];
    for (at, expected) in expected.into_iter().enumerate() {
        let request = async_graphql::Request::new("{ extended }").data(at);
        assert_eq!(errors(&schema, request).await, [expected]);
    }
    let shared = json!(["Internal Server Error", ["sharedAndExtended"], { "code": "INTERNAL_SERVER_ERROR" }]);
    assert_eq!(errors(&schema, "{ sharedAndExtended }").await, [shared]);
}

#[tokio::test]
async fn the_cause_of_a_5xx_is_logged_once() {
    let schema = schema();
    // Another test may log for the first time while the recorder starts, and tracing would then miss the recorder.
    errors(&schema, "{ internal }").await;
    let recorder = Recorder::of_target("folio::async_graphql");
    errors(&schema, "{ domain(status: 404) parameter other }").await;
    assert_eq!(recorder.take(), [""; 0]);
    for (request, cause) in [
        (async_graphql::Request::new("{ internal }"), "secret: what went wrong"),
        (async_graphql::Request::new("{ database }"), "secret: what the database said"),
        (async_graphql::Request::new("{ shared }"), "secret: what the database said"),
        (async_graphql::Request::new("{ foreign }"), "secret: what the database said"),
        (async_graphql::Request::new("{ extended }").data(3_usize), "secret: what the database said"),
    ] {
        errors(&schema, request).await;
        let lines = recorder.take();
        assert!(lines.len() == 1 && lines.concat().contains(cause), "{lines:?}");
    }
}

#[tokio::test]
async fn a_connection_has_the_fields_of_the_specification() {
    let fields = "edges { cursor node } nodes totalCount
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }";
    let query = format!("{{ letters(isCounted: true) {{ {fields} }} none {{ {fields} }} }}");
    let data = schema().execute(query).await.into_result().unwrap().data.into_json().unwrap();
    let edge = |cursor: &str| json!({ "cursor": cursor, "node": format!("row {cursor}") });
    let info = |start: Option<&str>, end: Option<&str>| json!({ "hasNextPage": true, "hasPreviousPage": false, "startCursor": start, "endCursor": end });
    let letters = json!({
        "edges": [edge("a"), edge("b")], "nodes": ["row a", "row b"], "totalCount": 7,
        "pageInfo": info(Some("a"), Some("b")),
    });
    let none = json!({ "edges": [], "nodes": [], "totalCount": null, "pageInfo": info(None, None) });
    assert_eq!(data, json!({ "letters": letters, "none": none }));
}
