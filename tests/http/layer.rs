//! The layer: on any service, at any position, and until the response is written.

use std::convert::Infallible;
use std::future::ready;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::{Request, Response};
use axum::routing::{get, get_service};
use folio::{ActiveRequest, Folio, LengthAwarePaginator};
use http_body_util::{BodyExt, Full};
use tower::{Layer, Service as _, ServiceExt, service_fn};

use crate::service::{Package, Service, active, folio, ids, packages, walked};

/// A page, under the path that the client asked for.
async fn page() -> folio::Result<LengthAwarePaginator<Package>> {
    let request = ActiveRequest::current();
    Package::query().with_path(request.map(|request| request.path().to_owned()).unwrap_or_default()).paginate(2).await
}

#[tokio::test]
async fn the_full_path_is_kept_at_every_nesting_depth() {
    let layer = folio(packages(5).await).layer();
    let inner = || Router::new().route("/list/{id}", get(page)).route("/active", get(active));
    let app = Router::new()
        .nest("/inside", Router::new().nest("/{any}", inner().layer(layer.clone())))
        .nest("/between", Router::new().nest("/more", inner()).layer(layer.clone()))
        .nest("/outside", inner())
        .nest_service("/service", inner().layer(layer.clone()))
        .route_layer(layer.clone())
        .layer(layer);
    let service = Service::start(app).await;
    for path in ["/inside/a%20b", "/between/more", "/outside", "/service"] {
        let list = service.get(&format!("{path}/list/7?page=2&a=%20")).await.json();
        assert_eq!((ids(&list), list["path"].as_str()), (vec![3, 4], Some(&*format!("{path}/list/7"))));
        assert_eq!(service.get(&format!("{path}/active?a")).await.text, format!("GET {path}/active?a none"));
    }
}

#[tokio::test]
async fn a_page_without_the_layer_is_an_internal_error() {
    let service = Service::start(Router::new().route("/", get(page)).route("/active", get(active))).await;
    let answer = service.get("/").await;
    assert_eq!((answer.status.as_u16(), answer.text.as_str()), (500, r#"{"message":"Internal Server Error"}"#));
    assert_eq!(service.get("/active").await.text, "none");
}

#[tokio::test]
async fn each_request_has_its_own_scope() {
    let one = folio(packages(3).await);
    let other = folio(packages(7).await);
    // Two applications in one process, and requests to both at once.
    let app = Router::new()
        .nest("/one", Router::new().route("/", get(page)).layer(one.layer()))
        .nest("/other", Router::new().route("/", get(page)).layer(other.layer()));
    let service = Service::start(app).await;
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

#[tokio::test]
async fn the_active_request_has_the_method_and_headers() {
    let folio = folio(packages(0).await);
    let mut app = Router::new().fallback(active).layer(folio.layer());
    for (method, uri, seen) in [
        ("POST", "/a?b=c", "POST /a?b=c yes"),
        ("PROPFIND", "/", "PROPFIND / yes"),
        // A proxy sends the whole URI. folio ignores the host.
        ("GET", "http://evil.example/a?b", "GET /a?b yes"),
    ] {
        let request = Request::builder().method(method).uri(uri).header("x-test", "yes").header("X-TEST", "no");
        let request = request.header("x-bytes", &b"\xFF"[..]).body(Body::empty()).unwrap();
        let answer = app.call(request).await.unwrap();
        assert_eq!(answer.into_body().collect().await.unwrap().to_bytes(), seen);
    }
}

/// The ids of all packages, a line each, read page by page while the body is written.
async fn export() -> Body {
    // The stream is polled after the handler returns, and reads its pages then.
    let pages = futures_util::stream::unfold(Some(None::<String>), async |cursor| {
        let page = Package::query().cursor(cursor?.as_deref()).cursor_paginate(4).await.unwrap();
        let lines: String = page.data.iter().map(|package| format!("{}\n", package.id)).collect();
        assert!(ActiveRequest::current().unwrap().uri().ends_with("/export?page=9"));
        Some((Ok::<_, Infallible>(lines), page.next_cursor.map(Some)))
    });
    Body::from_stream(pages)
}

#[tokio::test]
async fn a_streamed_body_is_written_inside_the_scope() {
    let app = Router::new().nest("/{any}", Router::new().route("/export", get(export)));
    let service = Service::start(app.layer(folio(packages(30).await).layer())).await;
    let lines = service.get("/all/export?page=9").await.text;
    assert_eq!(lines.lines().map(|line| line.parse::<i64>().unwrap()).collect::<Vec<_>>(), walked(30));
}

#[tokio::test]
async fn the_layer_wraps_any_service_of_http_types() {
    let layer = folio(packages(5).await).layer();
    // Neither body is axum's, and the service reads the active request before it returns a future.
    let eager = service_fn(|request: Request<()>| {
        let uri = ActiveRequest::current().map(|request| request.uri().to_owned());
        assert_eq!(uri.as_deref(), Some(request.uri().path()));
        ready(Ok::<_, Infallible>(Response::new(Full::new(Bytes::from("eager")))))
    });
    let eager = layer.layer(eager);
    for path in ["/a", "/b"] {
        let answer = eager.clone().oneshot(Request::get(path).body(()).unwrap()).await.unwrap();
        let hint = http_body_size(answer.body());
        assert_eq!((hint, answer.into_body().collect().await.unwrap().to_bytes()), (Some(5), Bytes::from("eager")));
    }

    let failing = layer.layer(service_fn(|_: Request<()>| ready(Err::<Response<Full<Bytes>>, _>("refused"))));
    assert_eq!(failing.oneshot(Request::new(())).await.unwrap_err(), "refused");

    let lazy = service_fn(async |_: Request<Body>| {
        let page = page().await.unwrap();
        Ok::<_, Infallible>(Response::new(Body::from(serde_json::to_string(&page.data).unwrap())))
    });
    let service = Service::start(Router::new().route("/lazy/{id}", get_service(layer.layer(lazy)))).await;
    let data: serde_json::Value = serde_json::from_str(&service.get("/lazy/1?page=3").await.text).unwrap();
    assert_eq!(data, serde_json::json!([{ "id": 5, "depends_count": 0 }]));
}

/// The size that a body says it has.
fn http_body_size(body: &impl axum::body::HttpBody) -> Option<u64> {
    body.size_hint().exact()
}

#[tokio::test]
async fn an_application_can_be_passed_to_a_task() {
    let spawned = get(async |Path(handed): Path<bool>| {
        let (folio, request) = (Folio::current().unwrap(), ActiveRequest::current().unwrap());
        let task = tokio::spawn(async move {
            if handed { folio.scope(request.scope(page())).await } else { folio.scope(page()).await }
        });
        task.await.unwrap()
    });
    let service =
        Service::start(Router::new().route("/{handed}", spawned).layer(folio(packages(5).await).layer())).await;
    assert_eq!(ids(&service.get("/true?page=2").await.json()), [3, 4]);
    assert_eq!(ids(&service.get("/false?page=2").await.json()), [1, 2]);
}
