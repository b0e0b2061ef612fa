//! Inertia pages with lists that are loaded when they are asked for, shared props, and ways out of the front end.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use folio::inertia::{Inertia, InertiaResponse, ScrollProp};
use folio::{ActiveRequest, FrameworkError, Result};
use serde_json::{Value, json};
use tower::{ServiceExt as _, util::MapRequestLayer};

use crate::service::{folio, packages, walked};

#[derive(Debug, sqlx::FromRow, serde::Serialize, folio::Paginate)]
#[paginate(table = "packages", cursor_key = "depends_count desc nulls last")]
struct Package {
    id: i64,
    depends_count: Option<i64>,
}

/// The response to a request of the front end, with these headers.
async fn visit(app: &Router, uri: &str, headers: &[(&str, &str)]) -> Response {
    let (method, uri) = uri.split_once(' ').unwrap_or(("GET", uri));
    let request = Request::builder().method(method).uri(uri);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

async fn text(response: Response) -> String {
    let body = http_body_util::BodyExt::collect(response.into_body()).await.unwrap().to_bytes();
    String::from_utf8(body.to_vec()).unwrap()
}

const INERTIA: (&str, &str) = ("X-Inertia", "true");

/// The page object of a partial reload of the component `Page`; all of it without `only`.
async fn page(app: &Router, uri: &str, only: &str) -> Value {
    let partial = [("X-Inertia-Partial-Component", "Page"), ("X-Inertia-Partial-Data", only)];
    let partial = if only.is_empty() { &[][..] } else { &partial[..] };
    let response = visit(app, uri, &[&[INERTIA][..], partial].concat()).await;
    assert_eq!(response.status(), 200, "{uri}, {only}");
    serde_json::from_str(&text(response).await).unwrap()
}

fn ids(rows: &Value) -> Vec<i64> {
    rows.as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

/// A simple list under a page name of its own.
async fn simple(page_name: &str) -> Result<ScrollProp> {
    let page = ActiveRequest::current().map_or(1, |request| request.page(page_name));
    let packages = Package::query().order_by(Package::ID.asc()).page(page).simple_paginate(3).await?;
    Ok(ScrollProp::from(packages).with_page_name(page_name))
}

/// What the client is told of a list that it does not reset.
fn place(page_name: &str, previous: Option<u64>, next: u64, current: u64) -> Value {
    json!({
        "pageName": page_name,
        "previousPage": previous,
        "nextPage": next,
        "currentPage": current,
        "reset": false,
    })
}

#[tokio::test]
async fn two_simple_lists_have_separate_pages() {
    let lists = async || {
        let page = Inertia::render("Page").scroll("left", async || simple("left").await).await?;
        page.scroll("right", async || simple("right").await).await
    };
    let app = Router::new().route("/", get(lists)).layer(folio(packages(8).await).layer());
    let page = page(&app, "/?right=2", "").await;
    assert_eq!((ids(&page["props"]["left"]), ids(&page["props"]["right"])), (vec![1, 2, 3], vec![4, 5, 6]));
    assert_eq!(page["scrollProps"]["left"], place("left", None, 2, 1));
    assert_eq!(page["scrollProps"]["right"], place("right", Some(1), 3, 2));
}

/// A handler's own error.
#[derive(Debug)]
enum Problem {
    Teapot,
    Folio(FrameworkError),
}

impl From<FrameworkError> for Problem {
    fn from(error: FrameworkError) -> Self {
        Self::Folio(error)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        match self {
            Self::Teapot => StatusCode::IM_A_TEAPOT.into_response(),
            Self::Folio(error) => error.into_response(),
        }
    }
}

#[tokio::test]
async fn a_list_that_is_not_asked_for_is_not_read() {
    let read = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&read);
    let lists = async move || -> Result<InertiaResponse, Problem> {
        let by_need = async || {
            seen.lock().unwrap().push("by_need");
            Ok::<_, Problem>(Package::query().with_cursor_name("by_need").cursor_paginate(3).await?)
        };
        let page = Inertia::render("Page").scroll("lists.by_need", by_need).await?;
        let broken = async || {
            seen.lock().unwrap().push("broken");
            let is_asked = ActiveRequest::current().is_some_and(|request| request.value("break").is_some());
            if is_asked { Err(Problem::Teapot) } else { Ok(simple("broken").await?) }
        };
        page.scroll("lists.broken", broken).await
    };
    let app = Router::new().route("/", get(lists)).layer(folio(packages(8).await).layer());
    let take = || std::mem::take(&mut *read.lock().unwrap());

    let all = page(&app, "/", "").await;
    assert_eq!(take(), ["by_need", "broken"]);
    assert_eq!(ids(&all["props"]["lists"]["by_need"]), walked(8)[..3]);
    let next = all["scrollProps"]["lists.by_need"]["nextPage"].as_str().unwrap();
    let later = page(&app, &format!("/?break&by_need={next}"), "lists.by_need").await;
    assert_eq!(take(), ["by_need"]);
    assert_eq!(later["props"], json!({ "errors": {}, "lists": { "by_need": later["props"]["lists"]["by_need"] } }));
    assert_eq!(ids(&later["props"]["lists"]["by_need"]), walked(8)[3..6]);
    assert_eq!(later["mergeProps"], json!(["lists.by_need"]));

    assert_eq!(visit(&app, "/?break", &[INERTIA]).await.status(), 418);
    assert_eq!(visit(&app, "/?by_need=altered", &[INERTIA]).await.status(), 400);
}

#[derive(Clone)]
struct User(&'static str);

#[tokio::test]
async fn shared_props_read_the_extensions_of_middleware() {
    fn name() -> Option<&'static str> {
        ActiveRequest::current()?.extension().map(|User(name)| *name)
    }
    let loads = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&loads);
    let initials = move || {
        *counted.lock().unwrap() += 1;
        async {
            tokio::task::yield_now().await;
            name()
                .map(|name| json!([&name[..1]]))
                .ok_or_else(|| FrameworkError::Domain { message: "sign in first".into(), status_code: 401 })
        }
    };
    let folio = folio(packages(3).await).share("auth.user", name).share_async("auth.initials", initials);
    let own = async || Inertia::render("Page").prop("auth.initials", "none");
    let unread = async || -> Result<InertiaResponse> {
        Inertia::render("Page").defer_prop("unread", async || Ok(name().map(str::len))).await
    };
    let app = Router::new()
        .route("/", get(async || Inertia::render("Page").prop("title", "All").load_shared().await))
        .route("/forgotten", get(async || Inertia::render("Page")))
        .route("/own", get(own))
        .route("/unread", get(async move || unread().await?.load_shared().await));
    let app = app.layer(folio.layer());
    let signed_in = MapRequestLayer::new(|mut request: Request| {
        request.extensions_mut().insert(User("Ada"));
        request
    });
    let nobody = app.clone();
    let app = app.layer(signed_in);

    let all = page(&app, "/", "").await;
    let auth = json!({ "user": "Ada", "initials": ["A"] });
    assert_eq!(all["props"], json!({ "errors": {}, "title": "All", "auth": auth }));
    assert_eq!(page(&app, "/", "auth").await["props"], json!({ "errors": {}, "auth": auth }));
    assert_eq!(*loads.lock().unwrap(), 2);
    assert_eq!(page(&app, "/", "title").await["props"], json!({ "errors": {}, "title": "All" }));
    assert_eq!(page(&app, "/forgotten", "auth.user").await["props"]["auth"], json!({ "user": "Ada" }));
    assert_eq!(page(&app, "/own", "").await["props"]["auth"], json!({ "user": "Ada", "initials": "none" }));
    assert_eq!(page(&app, "/unread", "unread").await["props"]["unread"], 3);
    assert_eq!(*loads.lock().unwrap(), 2, "a value that is not sent is not loaded");

    assert_eq!(visit(&nobody, "/", &[INERTIA]).await.status(), 401);
    // The cause is in the log.
    let forgotten = visit(&app, "/forgotten", &[INERTIA]).await;
    assert_eq!(
        (forgotten.status().as_u16(), text(forgotten).await),
        (500, r#"{"message":"Internal Server Error"}"#.into())
    );
}

/// Signs in a user, inside of the layer.
async fn sign_in(mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(User("Max"));
    let active = ActiveRequest::current().unwrap();
    active.with_extensions(request.extensions().clone()).scope(next.run(request)).await
}

#[tokio::test]
async fn middleware_inside_the_layer_passes_on_its_extensions() {
    let user = || ActiveRequest::current()?.extension().map(|User(name)| *name);
    let folio = folio(packages(0).await).share("user", user);
    let app = Router::new().route("/", get(async || Inertia::render("Page")));
    let app = app.layer(from_fn(sign_in)).layer(folio.layer());
    let page = page(&app, "/?page=2", "").await;
    assert_eq!((&page["props"]["user"], &page["url"]), (&json!("Max"), &json!("/?page=2")));
}

#[tokio::test]
async fn rows_are_wrapped_in_the_whole_application() {
    let folio = folio(packages(8).await).wrap_rows("data");
    let lists = async || {
        let page = Inertia::render("Page").scroll("users", async || Package::query().cursor_paginate(3).await).await?;
        let rows =
            async || Ok(ScrollProp::from(Package::query().cursor_paginate(3).await?).wrapped("rows").match_on("id"));
        let bare = async || Ok(ScrollProp::from(Package::query().cursor_paginate(3).await?).unwrapped());
        page.defer("rows", rows).await?.optional("bare", bare).await
    };
    let app = Router::new().route("/", get(lists)).layer(folio.layer());
    let first = page(&app, "/", "").await;
    assert_eq!(ids(&first["props"]["users"]["data"]), walked(8)[..3]);
    assert_eq!(first["props"]["users"]["per_page"], 3);
    assert_eq!(first["mergeProps"], json!(["users.data"]));
    assert_eq!(first["scrollProps"]["users"]["currentPage"], 1);
    let later = page(&app, "/", "rows,bare").await;
    assert_eq!(later["mergeProps"], json!(["rows.rows", "bare"]));
    assert_eq!(later["matchPropsOn"], json!(["rows.rows.id"]));
    assert_eq!(ids(&later["props"]["bare"]), walked(8)[..3]);
}

#[tokio::test]
async fn a_location_leaves_the_front_end() {
    let pay = || async { Inertia::location("https://example.com/pay?for=a b") };
    let hostile = async || Inertia::location("/a\r\nSet-Cookie: b=c");
    let app = Router::new().route("/pay", get(pay).post(pay)).route("/hostile", post(hostile));
    let app = app.layer(folio(packages(0).await).layer());
    for uri in ["/pay", "POST /pay"] {
        for (headers, status, name) in [(&[][..], 303, "location"), (&[INERTIA], 409, "x-inertia-location")] {
            let response = visit(&app, uri, headers).await;
            assert_eq!(response.status(), status, "{uri}");
            assert_eq!(response.headers()[name], "https://example.com/pay?for=a%20b");
            assert_eq!(response.headers()["vary"], "X-Inertia");
            assert_eq!(response.headers().keys().filter(|key| key.as_str().ends_with("location")).count(), 1);
            assert_eq!(text(response).await, "");
        }
    }
    let response = visit(&app, "POST /hostile", &[INERTIA]).await;
    assert_eq!((response.status().as_u16(), response.headers().get("set-cookie")), (409, None));
    assert_eq!(response.headers()["x-inertia-location"], "/a%0D%0ASet-Cookie:%20b=c");
}
