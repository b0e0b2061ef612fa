//! What a developer sees of a service that is set up incorrectly. Whether a `tracing` subscriber is set, and whether
//! folio is, are facts of the whole process, so each test runs itself again in another process and reads its stderr.

use std::process::Command;

use axum::Router;
use axum::response::IntoResponse as _;
use axum::routing::get;
use folio::json_api::JsonApiError;
use folio::{Folio, FrameworkError, Key, Keyring, Paginate, Paginator};
use folio_tests::recorder::Recorder;
use serde::Serialize;
use sqlx::SqlitePool;

use crate::service::Service;

const CHILD: &str = "FOLIO_TESTS_FIRST_CONTACT";

/// The stderr of another process that runs this test alone; `None` in that process.
fn stderr_of_child(test: &str) -> Option<String> {
    if std::env::var_os(CHILD).is_some() {
        return None;
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    let test = format!("first_contact::{test}");
    let output = child.args(["--exact", &test, "--nocapture"]).env(CHILD, "").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stderr).unwrap())
}

fn internal(message: &str) -> FrameworkError {
    FrameworkError::Internal { message: message.into() }
}

/// An error for the client, and two internal ones.
fn fail() {
    drop(FrameworkError::Domain { message: "told to the client".into(), status_code: 404 }.into_response());
    let cause = std::io::Error::new(std::io::ErrorKind::NotFound, "no such socket");
    drop(FrameworkError::from(sqlx::Error::Configuration(Box::new(cause))).into_response());
    drop(JsonApiError::from(internal("the second")).into_response());
}

#[test]
fn without_a_subscriber_the_first_internal_error_is_written_to_stderr() {
    let Some(stderr) = stderr_of_child("without_a_subscriber_the_first_internal_error_is_written_to_stderr") else {
        return fail();
    };
    let lines: Vec<&str> = stderr.lines().filter(|line| line.starts_with("folio: ")).collect();
    assert_eq!(lines[0], "folio: a request failed: error with configuration: no such socket");
    assert!(lines[1].contains("`tracing_subscriber::fmt::init()`"), "{stderr}");
    assert_eq!(lines.len(), 2, "{stderr}");
    assert!(!stderr.contains("told to the client") && !stderr.contains("the second"), "{stderr}");
}

#[test]
fn with_a_subscriber_nothing_is_written_to_stderr() {
    let Some(stderr) = stderr_of_child("with_a_subscriber_nothing_is_written_to_stderr") else {
        let recorder = Recorder::of_errors();
        fail();
        return assert_eq!(recorder.take().len(), 2);
    };
    assert!(!stderr.contains("folio"), "{stderr}");
}

#[test]
fn an_internal_error_of_a_graphql_field_is_written_to_stderr() {
    use async_graphql::ErrorExtensions as _;

    let Some(stderr) = stderr_of_child("an_internal_error_of_a_graphql_field_is_written_to_stderr") else {
        return drop(internal("no keyring is set").extend());
    };
    assert!(stderr.contains("folio: a request failed: no keyring is set\n"), "{stderr}");
}

#[derive(Debug, Serialize, sqlx::FromRow, Paginate)]
struct Note {
    id: i64,
}

async fn notes() -> folio::Result<Paginator<Note>> {
    Note::query().simple_paginate(2).await
}

async fn notes_in_a_task() -> folio::Result<Paginator<Note>> {
    tokio::spawn(notes()).await.unwrap()
}

fn folio() -> Folio {
    Folio::new(SqlitePool::connect_lazy("sqlite::memory:").unwrap())
}

/// Requests `/notes`, which fails.
#[tokio::main(flavor = "current_thread")]
async fn request_notes(service: impl FnOnce(Router) -> Router) {
    let app = service(Router::new().route("/", get(async || "")));
    let answer = Service::start(app).await.get("/notes").await;
    assert_eq!((answer.status.as_u16(), answer.text.as_str()), (500, r#"{"message":"Internal Server Error"}"#));
}

#[test]
fn a_service_without_the_layer_is_told_to_add_it() {
    let Some(stderr) = stderr_of_child("a_service_without_the_layer_is_told_to_add_it") else {
        return request_notes(|app| app.route("/notes", get(notes)));
    };
    let told = "folio: a request failed: folio is not set up: call `.layer(folio.layer())` on the router of a service \
                (`.wrap(folio.middleware())` in actix-web), or `Folio::new(pool).install()?` once at startup\n";
    assert!(stderr.contains(told), "{stderr}");
}

#[test]
fn a_route_after_the_layer_is_told_to_come_before_it() {
    let Some(stderr) = stderr_of_child("a_route_after_the_layer_is_told_to_come_before_it") else {
        return request_notes(|app| app.layer(folio().layer()).route("/notes", get(notes)));
    };
    let told = "folio is not set up in this task, because it is outside of the layer: `.layer(folio.layer())` covers the \
                routes that were added before it, so call it last;";
    assert!(stderr.contains(told), "{stderr}");
}

#[test]
fn a_task_that_a_handler_spawns_is_told_to_take_the_application_with_it() {
    let test = "a_task_that_a_handler_spawns_is_told_to_take_the_application_with_it";
    let Some(stderr) = stderr_of_child(test) else {
        return request_notes(|app| app.route("/notes", get(notes_in_a_task)).layer(folio().layer()));
    };
    let told = "; a spawned task has to take `Folio::current()?` with it and run in its `scope`\n";
    assert!(stderr.contains(told), "{stderr}");
}

#[test]
fn a_page_without_an_active_request_is_told_of_the_layer() {
    let Some(stderr) = stderr_of_child("a_page_without_an_active_request_is_told_of_the_layer") else {
        let recorder = Recorder::of_target("folio");
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async { folio().scope(notes()).await.unwrap_err() });
        return eprintln!("{:?}", recorder.take());
    };
    let told = "a page has no active request, so it is the first one: in a service, call `.layer(folio.layer())` on the \
                router, after its routes (`.wrap(folio.middleware())` in actix-web); elsewhere, set the position with \
                `page` or `cursor`, or read the page in `ActiveRequest::scope`";
    assert!(stderr.contains(told), "{stderr}");
}

#[tokio::test]
async fn a_cursor_page_without_a_keyring_says_what_to_call() {
    let error = folio().scope(async { Note::query().cursor(None).cursor_paginate(2).await.unwrap_err() }).await;
    let told = "no keyring is set: cursors are encrypted, so call `Folio::keyring` with `Keyring::from_env()?`";
    assert_eq!(error.to_string(), told);
}

#[test]
fn a_task_that_is_spawned_in_a_scope_is_told_to_take_the_application_with_it() {
    let test = "a_task_that_is_spawned_in_a_scope_is_told_to_take_the_application_with_it";
    let Some(stderr) = stderr_of_child(test) else {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let error = runtime.block_on(async { folio().scope(notes_in_a_task()).await.unwrap_err() });
        return eprintln!("{error}");
    };
    let told = "folio is not set up in this task, because it is outside of the scope: a spawned task has to take \
                `Folio::current()?` with it and run in its `scope`;";
    assert!(stderr.contains(told), "{stderr}");
}

#[tokio::test]
async fn an_application_without_a_keyring_says_so_when_it_becomes_a_layer() {
    let recorder = Recorder::of_target("folio");
    let folio = folio();
    assert!(recorder.take().is_empty());
    // actix-web makes a middleware for each of its threads.
    let _layers = (folio.layer(), folio.middleware(), folio.clone().layer());
    let told = "no keyring is set, so cursor pages will fail and numbered pages will not: for cursors, call \
                `Folio::keyring` with `Keyring::from_env()?`";
    assert_eq!(recorder.take(), [told]);
    drop(folio.keyring(Keyring::new(Key::generate())).layer());
    assert!(recorder.take().is_empty());
}

#[test]
fn an_application_without_a_keyring_says_so_when_it_is_installed() {
    let test = "an_application_without_a_keyring_says_so_when_it_is_installed";
    let Some(stderr) = stderr_of_child(test) else {
        let recorder = Recorder::of_target("folio");
        tokio::runtime::Runtime::new().unwrap().block_on(async { folio().install() }).unwrap();
        return eprintln!("{:?}", recorder.take());
    };
    assert!(stderr.contains(r#"["no keyring is set, "#), "{stderr}");
}
