//! actix's middleware: in any scope of the application, and until the response is written.

use std::convert::Infallible;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actix_web::body::{MessageBody, to_bytes};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::middleware::{Next, from_fn};
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web::{self, Bytes};
use actix_web::{App, Error, HttpMessage, HttpResponse, Responder};
use folio::actix::FolioBody;
use folio::inertia::{Inertia, InertiaResponse};
use folio::{ActiveRequest, Folio, LengthAwarePaginator};

use crate::actix::start;
use crate::service::{Package, active, folio, ids, packages, walked};

/// A page, under the path that the client asked for.
async fn page() -> folio::Result<LengthAwarePaginator<Package>> {
    Package::query().with_query_string().paginate(2).await
}

/// What a response says.
async fn text(response: ServiceResponse<impl MessageBody>) -> String {
    let body = to_bytes(response.into_body()).await.unwrap_or_else(|_| panic!("the body has an error"));
    String::from_utf8(body.to_vec()).unwrap()
}

#[tokio::test]
async fn the_full_path_is_kept_in_every_scope() {
    let folio = folio(packages(5).await);
    let service = start(folio.clone(), move |config| {
        let list = || web::scope("/{any}").route("/list", web::get().to(page)).route("/active", web::get().to(active));
        config.service(web::scope("/outside").service(list()));
        config.service(web::scope("/inside").service(list().wrap(folio.middleware())));
    });
    for path in ["/outside/a%20b", "/inside/7"] {
        let list = service.get(&format!("{path}/list?page=2&a=%20")).await.json();
        assert_eq!((ids(&list), &list["path"]), (vec![3, 4], &format!("{path}/list").into()));
        assert_eq!(list["next_page_url"], format!("{path}/list?a=%20&page=3"));
        assert_eq!(service.get(&format!("{path}/active?a")).await.text, format!("GET {path}/active?a none"));
    }
}

#[tokio::test]
async fn the_active_request_has_the_method_and_headers() {
    let app = App::new().wrap(folio(packages(0).await).middleware()).default_service(web::to(active));
    let app = init_service(app).await;
    for (method, uri, seen) in [
        ("POST", "/a?b=c", "POST /a?b=c yes"),
        ("PROPFIND", "/", "PROPFIND / yes"),
        // A proxy sends the whole URI. folio ignores the host.
        ("GET", "http://evil.example/a?b", "GET /a?b yes"),
    ] {
        let request = TestRequest::with_uri(uri).method(method.parse().unwrap());
        let request = request.append_header(("x-test", "yes")).append_header(("X-TEST", "no"));
        let request = request.append_header(("x-bytes", &b"\xFF"[..]));
        assert_eq!(text(call_service(&app, request.to_request()).await).await, seen);
    }
}

#[tokio::test]
async fn a_page_without_the_middleware_is_an_internal_error() {
    let app = init_service(App::new().route("/", web::get().to(page)).route("/active", web::get().to(active))).await;
    let response = call_service(&app, TestRequest::get().to_request()).await;
    assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(text(response).await, r#"{"message":"Internal Server Error"}"#);
    assert_eq!(text(call_service(&app, TestRequest::with_uri("/active").to_request()).await).await, "none");
}

/// A page, by a handler whose future cannot move to another thread.
async fn local_page() -> impl Responder {
    let local = Rc::new(());
    let page = page().await;
    drop(local);
    page
}

#[tokio::test]
async fn each_request_has_its_own_scope() {
    let (one, other) = (folio(packages(3).await), folio(packages(7).await));
    // Two applications in one process, and requests to both at once.
    let service = start(one, move |config| {
        let other = web::scope("/other").wrap(other.middleware()).route("", web::get().to(local_page));
        config.route("/one", web::get().to(local_page)).service(other);
    });
    let asked = (0..200_u64).map(|n| {
        let (path, total) = if n % 2 == 0 { ("/one", 3) } else { ("/other", 7) };
        let service = &service;
        async move {
            let list = service.get(&format!("{path}?page={}", n % 5 + 1)).await.json();
            assert_eq!((&list["total"], &list["current_page"]), (&total.into(), &(n % 5 + 1).into()));
        }
    });
    futures_util::future::join_all(asked).await;
}

/// The ids of all packages, a line each, read page by page while the body is written.
async fn export() -> HttpResponse {
    // The stream is polled after the handler returns, and reads its pages then.
    let pages = futures_util::stream::unfold(Some(None::<String>), async |cursor| {
        let page = Package::query().cursor(cursor?.as_deref()).cursor_paginate(4).await.unwrap();
        let lines: String = page.data.iter().map(|package| format!("{}\n", package.id)).collect();
        assert!(ActiveRequest::current().unwrap().uri().ends_with("/export?page=9"));
        Some((Ok::<_, Infallible>(Bytes::from(lines)), page.next_cursor.map(Some)))
    });
    HttpResponse::Ok().streaming(pages)
}

#[tokio::test]
async fn a_streamed_body_is_written_inside_the_scope() {
    let service = start(folio(packages(30).await), |config| {
        config.route("/export", web::get().to(export));
    });
    let lines = service.get("/export?page=9").await.text;
    assert_eq!(lines.lines().map(|line| line.parse::<i64>().unwrap()).collect::<Vec<_>>(), walked(30));
}

#[tokio::test]
async fn an_application_can_be_passed_to_a_task() {
    let spawned = async |handed: web::Path<bool>| {
        let (folio, request) = (Folio::current().unwrap(), ActiveRequest::current().unwrap());
        let task =
            async move { if *handed { folio.scope(request.scope(page())).await } else { folio.scope(page()).await } };
        actix_web::rt::spawn(task).await.unwrap()
    };
    let service = start(folio(packages(5).await), move |config| {
        config.route("/{handed}", web::get().to(spawned));
    });
    assert_eq!(ids(&service.get("/true?page=2").await.json()), [3, 4]);
    assert_eq!(ids(&service.get("/false?page=2").await.json()), [1, 2]);
}

/// The user who is signed in.
#[derive(Debug, Clone)]
struct User(&'static str);

/// Finds the user, and passes them on to the active request.
async fn sign_in(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let user = User("Ada");
    let mut extensions = axum::http::Extensions::new();
    extensions.insert(user.clone());
    request.extensions_mut().insert(user);
    let active = ActiveRequest::current().unwrap_or_else(|| ActiveRequest::new("/"));
    active.with_extensions(extensions).scope(next.call(request)).await
}

#[tokio::test]
async fn a_shared_prop_reads_the_extensions_of_middleware() {
    let user = || ActiveRequest::current().and_then(|request| request.extension::<User>().map(|user| user.0));
    let folio = folio(packages(5).await).share("user", user);
    let handler =
        async || -> folio::Result<InertiaResponse> { Ok(Inertia::paginate("Packages", "packages", page().await?)) };
    let service = start(folio, move |config| {
        let pages = web::scope("").wrap(from_fn(sign_in)).route("/packages", web::get().to(handler));
        config.service(pages);
    });
    let answer = service.get_with("/packages?page=2", &[("X-Inertia", "true")]).await.json();
    assert_eq!((&answer["props"]["user"], &answer["url"]), (&"Ada".into(), &"/packages?page=2".into()));
    assert_eq!(answer["props"]["packages"][0]["id"], 3);
}

#[tokio::test]
async fn a_client_with_stale_assets_reloads_and_no_handler_runs() {
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let handler = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        page()
    };
    let service = start(folio(packages(5).await).asset_version("v2"), move |config| {
        config.route("/packages", web::get().to(handler.clone()));
    });
    let stale = [("X-Inertia", "true"), ("X-Inertia-Version", "v1")];
    let answer = service.get_with("/packages?page=2", &stale).await;
    assert_eq!((answer.status.as_u16(), answer.text.as_str(), runs.load(Ordering::Relaxed)), (409, "", 0));
    assert_eq!(answer.headers["x-inertia-location"], "/packages?page=2");
    assert_eq!(
        (&answer.headers["x-inertia-version"], &answer.headers["content-length"]),
        (&"v2".parse().unwrap(), &"0".parse().unwrap())
    );
    let current = [("X-Inertia", "true"), ("X-Inertia-Version", "v2")];
    assert_eq!(ids(&service.get_with("/packages?page=2", &current).await.json()), [3, 4]);
}

#[tokio::test]
async fn a_body_without_a_response_is_empty() {
    let body = FolioBody::<String>::default();
    assert_eq!(to_bytes(body).await.unwrap(), "");
}
