//! Errors as a client and the log see them.

use axum::Router;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query};
use axum::routing::get;
use folio::json_api::{JsonApiError, JsonResource, Resource};
use folio::{FrameworkError, LengthAwarePaginator};
use folio_tests::recorder::Recorder;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::service::{Service, example};

#[derive(Debug, Clone)]
struct Failing;

impl Serialize for Failing {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("secret: this value does not serialize"))
    }
}

impl JsonResource for Failing {
    fn resource_type(&self) -> &str {
        "failures"
    }
    fn id(&self) -> String {
        "1".into()
    }
    fn attributes(&self) -> impl Serialize {
        self
    }
}

fn failing() -> LengthAwarePaginator<Failing> {
    LengthAwarePaginator::new(vec![Failing], 1, 1, 1)
}

fn domain(status_code: u16) -> FrameworkError {
    FrameworkError::Domain { message: format!("told with {status_code}"), status_code }
}

fn internal() -> FrameworkError {
    FrameworkError::Internal { message: "secret: what went wrong".into() }
}

fn database() -> FrameworkError {
    sqlx::Error::Protocol("secret: what the database said".into()).into()
}

async fn service() -> Service {
    let app = Router::new()
        .route("/domain", get(async || domain(409)))
        .route("/internal", get(async || internal()))
        .route("/database", get(async || Err::<String, _>(database())))
        .route("/unavailable", get(async || domain(503)))
        .route("/continue", get(async || domain(100)))
        .route("/none", get(async || domain(0)))
        .route("/failing", get(async || failing()))
        .route("/macro", get(async || folio::json_response!(failing(), 201)))
        .route("/api/domain", get(async || JsonApiError::from(domain(409))))
        .route("/api/internal", get(async || Err::<String, JsonApiError>(internal().into())))
        .route("/api/database", get(async || JsonApiError::from(sqlx::Error::PoolClosed)))
        .route("/api/odd", get(async || JsonApiError::from(domain(451))))
        .route("/api/none", get(async || JsonApiError::from(domain(7))))
        .route("/api/failing", get(async || Resource::paginated(failing())));
    Service::start(app).await
}

#[tokio::test]
async fn an_error_has_a_message() {
    let service = service().await;
    let answer = service.get("/domain").await;
    assert_eq!((answer.status.as_u16(), answer.json()), (409, json!({ "message": "told with 409" })));
    for path in ["/internal", "/database", "/failing", "/macro", "/continue", "/none"] {
        let answer = service.get(path).await;
        assert_eq!((answer.status.as_u16(), answer.text.contains("secret")), (500, false), "{path}");
        assert_eq!(answer.json(), json!({ "message": "Internal Server Error" }), "{path}");
    }
    let answer = service.get("/unavailable").await;
    assert_eq!((answer.status.as_u16(), answer.json()), (503, json!({ "message": "Internal Server Error" })));
}

#[tokio::test]
async fn a_json_api_error_is_an_error_object() {
    let service = service().await;
    let told = |status: &str, title: &str| json!({ "status": status, "title": title, "detail": "told with 409" });
    for (path, status, error) in [
        ("/api/domain", 409, told("409", "Conflict")),
        ("/api/odd", 451, json!({ "status": "451", "detail": "told with 451" })),
        ("/api/internal", 500, json!({ "status": "500", "title": "Internal Server Error" })),
        ("/api/database", 500, json!({ "status": "500", "title": "Internal Server Error" })),
        ("/api/none", 500, json!({ "status": "500", "title": "Internal Server Error" })),
        ("/api/failing", 500, json!({ "status": "500", "title": "Internal Server Error" })),
    ] {
        let answer = service.get(path).await;
        let body = answer.json_of("application/vnd.api+json");
        assert_eq!((answer.status.as_u16(), body), (status, json!({ "errors": [error] })), "{path}");
    }
}

#[tokio::test]
async fn a_service_reports_invalid_requests() {
    let service = example(30).await;
    let parameter = json!({ "message": "`per_page` is a number from 1 to 100", "parameter": "per_page" });
    let cursor = json!({ "message": "Invalid pagination cursor" });
    for (path, body) in [
        ("/packages?per_page=0", &parameter),
        ("/packages/simple?per_page=-1", &parameter),
        ("/packages/cursor?per_page=ten", &parameter),
        ("/packages/cursor?cursor=altered", &cursor),
    ] {
        let answer = service.get(path).await;
        assert_eq!((answer.status.as_u16(), &answer.json()), (400, body), "{path}");
    }
    let missing = service.get("/package").await;
    assert_eq!((missing.status.as_u16(), missing.json()), (404, json!({ "message": "There is nothing here" })));
    let answer = service.get("/api/packages/cursor?page[cursor]=altered").await;
    let error = json!({ "status": "400", "title": "Bad Request", "detail": "Invalid pagination cursor" });
    assert_eq!(answer.json_of("application/vnd.api+json"), json!({ "errors": [error] }));
}

#[derive(serde::Deserialize)]
struct Filter {
    author: i64,
}

/// What axum's extractors reject has the same form, by `?`.
#[tokio::test]
async fn a_rejection_of_axum_names_its_parameter() {
    async fn by_query(filter: Result<Query<Filter>, QueryRejection>) -> folio::Result<String> {
        Ok(filter?.author.to_string())
    }
    async fn by_path(id: Result<Path<i64>, PathRejection>) -> folio::Result<String> {
        Ok(id?.to_string())
    }
    async fn by_flag(open: Result<Path<bool>, PathRejection>) -> folio::Result<String> {
        Ok(open?.to_string())
    }
    async fn by_name(named: Result<Path<Filter>, PathRejection>) -> folio::Result<String> {
        Ok(named?.author.to_string())
    }
    async fn by_two(ids: Result<Path<(i64, i64)>, PathRejection>) -> folio::Result<String> {
        Ok(format!("{:?}", *ids?))
    }
    let app = Router::new()
        .route("/query", get(by_query))
        .route("/path/{id}", get(by_path))
        .route("/state/{open}", get(by_flag))
        .route("/named/{author}", get(by_name))
        .route("/two/{id}", get(by_two));
    let service = Service::start(app).await;
    assert_eq!(service.get("/query?author=7").await.text, "7");
    let author = "`author` is not valid: invalid digit found in string";
    let missing = "Failed to deserialize query string: missing field `author`";
    for (path, status, body) in [
        ("/query?author=me", 400, json!({ "message": author, "parameter": "author" })),
        ("/query", 400, json!({ "message": missing })),
        ("/path/one", 400, json!({ "message": "A part of the path is not a whole number" })),
        ("/path/%FF", 400, json!({ "message": "`id` is not valid: it is not UTF-8", "parameter": "id" })),
        ("/state/1", 400, json!({ "message": "A part of the path is not `true` or `false`" })),
        ("/named/one", 400, json!({ "message": "`author` is a whole number", "parameter": "author" })),
        ("/two/1", 500, json!({ "message": "Internal Server Error" })),
    ] {
        let answer = service.get(path).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (status, body), "{path}");
    }
}

#[test]
fn the_cause_of_a_5xx_is_logged_and_that_of_a_4xx_is_not() {
    use axum::response::IntoResponse;

    let logged = |answer: &dyn Fn()| {
        let recorder = Recorder::of_errors();
        answer();
        recorder.take().join("\n")
    };
    assert_eq!(logged(&|| drop(domain(404).into_response())), "");
    assert_eq!(logged(&|| drop(JsonApiError::from(domain(404)).into_response())), "");
    for (answer, cause) in [
        (&(|| drop(internal().into_response())) as &dyn Fn(), "secret: what went wrong"),
        (&|| drop(database().into_response()), "secret: what the database said"),
        (&|| drop(JsonApiError::from(internal()).into_response()), "secret: what went wrong"),
        (&|| drop(failing().into_response()), "secret: this value does not serialize"),
        (&|| drop(Resource::paginated(failing()).into_response()), "secret: this value does not serialize"),
    ] {
        let line = logged(answer);
        assert!(line.contains(cause), "{line}");
        assert_eq!(line.lines().count(), 1, "{line}");
    }
}
