//! Pages, documents and errors from a service of actix-web, beside the same handlers on axum.

use std::net::SocketAddr;

use actix_web::web::{self, ServiceConfig};
use actix_web::{App, HttpServer, ResponseError};
use axum::Router;
use axum::routing::get;
use folio::actix::WithLinkHeader;
use folio::inertia::{Inertia, InertiaLocation, InertiaResponse};
use folio::json_api::{CursorDocument, CursorWindow, JsonApi, JsonApiError, Resource};
use folio::{ActiveRequest, Around, CursorPaginator, Folio, FrameworkError, LengthAwarePaginator, Paginator, PerPage};
use folio_tests::recorder::Recorder;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::service::{Answer, Service, folio, ids, packages, walked};

/// How many packages there are.
const ROWS: i64 = 30;

#[derive(Debug, sqlx::FromRow, Serialize, folio::Paginate)]
#[paginate(table = "packages", resource = "packages", cursor_key = "depends_count desc nulls last")]
struct Package {
    id: i64,
    depends_count: Option<i64>,
}

fn per_page() -> folio::Result<u64> {
    PerPage::from_request(4, 10)
}

async fn numbered() -> folio::Result<LengthAwarePaginator<Package>> {
    Package::query().with_query_string().paginate(per_page()?).await
}

async fn simple() -> folio::Result<Paginator<Package>> {
    Package::query().simple_paginate(per_page()?).await
}

async fn cursor() -> folio::Result<CursorPaginator<Package>> {
    Package::query().with_query_string().cursor_paginate(per_page()?).await
}

async fn numbered_links() -> folio::Result<WithLinkHeader<LengthAwarePaginator<Package>>> {
    Ok(numbered().await?.with_link_header())
}

async fn simple_links() -> folio::Result<WithLinkHeader<Paginator<Package>>> {
    Ok(simple().await?.with_link_header())
}

async fn cursor_links() -> folio::Result<WithLinkHeader<CursorPaginator<Package>>> {
    Ok(cursor().await?.with_link_header())
}

/// The row that the request names by its page number, with its neighbours.
async fn around() -> folio::Result<Around<Package>> {
    let id = ActiveRequest::current().map_or(9, |request| request.page("row"));
    Package::query().with_query_string().with_positions().around_id(i64::try_from(id).unwrap(), 1, 2).await
}

async fn around_links() -> folio::Result<WithLinkHeader<Around<Package>>> {
    Ok(around().await?.with_link_header())
}

async fn document() -> Result<JsonApi<Package, LengthAwarePaginator<Package>>, JsonApiError> {
    let size = PerPage::from_request_using("page[size]", 4, 10)?;
    Ok(Resource::paginated(Package::query().with_page_name("page[number]").with_query_string().paginate(size).await?))
}

async fn window() -> Result<CursorDocument<Package>, JsonApiError> {
    let window = CursorWindow::from_request(4, 10)?;
    Ok(Resource::cursor_paginated(Package::query().with_query_string().counted().cursor_window(window).await?))
}

async fn inertia() -> folio::Result<InertiaResponse> {
    Ok(Inertia::paginate("Packages", "packages", simple().await?))
}

async fn location() -> InertiaLocation {
    Inertia::location("https://example.com/ä b")
}

/// One with a header that HTTP does not allow.
async fn broken_location() -> InertiaLocation {
    let mut location = Inertia::location("/");
    location.headers.push(("X-Broken", "secret\n".into()));
    location
}

/// The error with the status of the request's page number.
fn error() -> FrameworkError {
    let status_code = ActiveRequest::current().map_or(0, |request| request.page("page"));
    FrameworkError::Domain { message: "secret, above 499".into(), status_code: status_code.try_into().unwrap_or(0) }
}

async fn failure() -> FrameworkError {
    error()
}

async fn failed() -> Result<Paginator<Package>, FrameworkError> {
    Err(error())
}

async fn api_failure() -> JsonApiError {
    error().into()
}

async fn api_failed() -> Result<CursorDocument<Package>, JsonApiError> {
    Err(error().into())
}

#[derive(Debug, Clone)]
struct Failing;

impl Serialize for Failing {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("secret: this value does not serialize"))
    }
}

async fn unwritable() -> WithLinkHeader<Paginator<Failing>> {
    Paginator::new(vec![Failing], 1, 1, false).with_link_header()
}

/// The same handlers under the same paths, on both frameworks.
macro_rules! handlers {
    ($($path:literal => $handler:ident,)*) => {
        const PATHS: &[&str] = &[$($path),*];

        fn on_actix(config: &mut ServiceConfig) {
            config$(.route($path, web::get().to($handler)))*;
        }

        fn on_axum() -> Router {
            Router::new()$(.route($path, get($handler)))*
        }
    };
}

handlers! {
    "/numbered" => numbered,
    "/simple" => simple,
    "/cursor" => cursor,
    "/numbered/links" => numbered_links,
    "/simple/links" => simple_links,
    "/cursor/links" => cursor_links,
    "/around" => around,
    "/around/links" => around_links,
    "/api/numbered" => document,
    "/api/window" => window,
    "/inertia" => inertia,
    "/location" => location,
    "/location/broken" => broken_location,
    "/failure" => failure,
    "/failed" => failed,
    "/api/failure" => api_failure,
    "/api/failed" => api_failed,
    "/unwritable" => unwritable,
}

/// Starts an application of actix-web on a free port, with two threads.
pub(crate) fn start(folio: Folio, routes: impl Fn(&mut ServiceConfig) + Clone + Send + 'static) -> Service {
    let app = move || App::new().wrap(folio.middleware()).configure(routes.clone());
    let server = HttpServer::new(app).workers(2).disable_signals().bind(("127.0.0.1", 0)).unwrap();
    let address: SocketAddr = server.addrs()[0];
    tokio::spawn(server.run());
    Service::at(address)
}

async fn service() -> Service {
    start(folio(packages(ROWS).await).asset_version("v1"), on_actix)
}

#[tokio::test]
async fn a_numbered_page_has_links_that_keep_the_query() {
    let service = service().await;
    let page = service.get("/numbered?section=libs&page=2&per_page=3").await.json();
    assert_eq!((ids(&page), page["total"].as_i64()), (vec![4, 5, 6], Some(ROWS)));
    assert_eq!(page["next_page_url"], "/numbered?section=libs&per_page=3&page=3");
    assert_eq!(page["prev_page_url"], "/numbered?section=libs&per_page=3&page=1");
    assert_eq!(page["path"], "/numbered");
    let next = service.get(page["next_page_url"].as_str().unwrap()).await.json();
    assert_eq!(ids(&next), [7, 8, 9]);
    assert_eq!(ids(&service.get("/numbered?per_page=100").await.json()).len(), 10);
}

#[tokio::test]
async fn a_list_is_walked_to_its_end_and_back() {
    let service = service().await;
    for path in ["/cursor", "/cursor?per_page=7", "/cursor?per_page=1"] {
        let mut pages = vec![service.get(path).await.json()];
        while let Some(next) = pages.last().unwrap()["next_page_url"].as_str() {
            let next = service.get(next).await.json();
            pages.push(next);
        }
        assert_eq!(pages.iter().flat_map(ids).collect::<Vec<_>>(), walked(ROWS), "{path}");
        while let Some(page) = pages.pop() {
            let Some(previous) = page["prev_page_url"].as_str() else { break };
            assert_eq!(ids(&service.get(previous).await.json()), ids(pages.last().unwrap()), "{path}");
        }
        assert_eq!(pages.len(), 0, "{path}");
    }
}

#[tokio::test]
async fn a_link_header_has_the_pages_around_a_page() {
    let service = service().await;
    let link = |answer: Answer| answer.headers.get("link").map(|link| link.to_str().unwrap().to_owned());
    let answer = service.get("/simple/links?page=2").await;
    assert_eq!(ids(&answer.json()), [5, 6, 7, 8]);
    let expected = r#"<?page=1>; rel="first", <?page=1>; rel="prev", <?page=3>; rel="next""#;
    assert_eq!(link(answer).as_deref(), Some(expected));
    assert!(link(service.get("/numbered/links").await).unwrap().ends_with(r#"rel="last""#));
    let next = link(service.get("/cursor/links").await).unwrap();
    assert!(next.starts_with("</cursor/links?cursor=") && next.ends_with(r#">; rel="next""#), "{next}");
    assert_eq!(link(service.get("/simple").await), None);
}

#[tokio::test]
async fn a_row_with_its_neighbours_says_which_it_is() {
    for service in [service().await, Service::start(on_axum().layer(folio(packages(ROWS).await).layer())).await] {
        let list = walked(ROWS);
        for id in [list[0], list[7], list[29]] {
            let answer = service.get(&format!("/around/links?row={id}")).await;
            let has_links = answer.headers.contains_key("link");
            let around = answer.json();
            let index = usize::try_from(around["index"].as_u64().unwrap()).unwrap();
            let at = list.iter().position(|other| *other == id).unwrap();
            assert_eq!((ids(&around), ids(&around)[index]), (list[at - index..(at + 3).min(30)].to_vec(), id));
            assert!(has_links && around["start_cursor"].is_string() && around["end_cursor"].is_string());

            // The links lead on, although they keep the row.
            let Some(next) = around["next_page_url"].as_str() else { continue };
            assert!(next.starts_with(&format!("/around/links?row={id}&cursor=")), "{next}");
            let next = service.get(next).await.json();
            assert_eq!((ids(&next), &next["index"]), (list[at + 3..(at + 7).min(30)].to_vec(), &json!(null)));
        }
        let missing = service.get("/around?row=99").await;
        assert_eq!(
            (missing.status.as_u16(), missing.json()),
            (404, json!({ "message": "The list has no row with this id" }))
        );
        assert_eq!(service.get("/around?row=7&cursor=altered").await.status, 400);
    }
}

#[tokio::test]
async fn json_api_has_its_media_types() {
    let service = service().await;
    let document = service.get("/api/numbered?page%5Bnumber%5D=3&page%5Bsize%5D=2").await.document();
    assert_eq!((&document["data"][0]["id"], &document["meta"]["pagination"]["total"]), (&json!("5"), &json!(ROWS)));
    let first = service.get("/api/window?page%5Bsize%5D=2").await.profiled();
    let next = service.get(first["links"]["next"].as_str().unwrap()).await.profiled();
    let expected: Vec<Value> = walked(ROWS)[2..4].iter().map(|id| json!(id.to_string())).collect();
    assert_eq!([&next["data"][0]["id"], &next["data"][1]["id"]], [&expected[0], &expected[1]]);
    let error = service.get("/api/window?page[size]=11").await;
    assert_eq!((error.status.as_u16(), &error.profiled()["errors"][0]["meta"]["page"]["maxSize"]), (400, &json!(10)));
}

#[tokio::test]
async fn an_error_has_a_status_and_a_message() {
    let service = service().await;
    for (path, status, message) in [
        ("/cursor?cursor=altered", 400, "Invalid pagination cursor"),
        ("/failed?page=409", 409, "secret, above 499"),
        ("/failure?page=404", 404, "secret, above 499"),
        ("/failed?page=503", 503, "Internal Server Error"),
        ("/failure?page=500", 500, "Internal Server Error"),
        ("/failed?page=100", 500, "Internal Server Error"),
        ("/unwritable", 500, "Internal Server Error"),
        ("/location/broken", 500, "Internal Server Error"),
    ] {
        let answer = service.get(path).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (status, json!({ "message": message })), "{path}");
    }
    let answer = service.get("/numbered?per_page=0").await;
    let body = json!({ "message": "`per_page` is a number from 1 to 10", "parameter": "per_page" });
    assert_eq!((answer.status.as_u16(), answer.json()), (400, body));
    let answer = service.get("/api/failed?page=500").await;
    let error = json!({ "status": "500", "title": "Internal Server Error" });
    assert_eq!((answer.status.as_u16(), answer.document()), (500, json!({ "errors": [error] })));
}

/// What two responses have to share. Cursors are sealed at random, so a page that has some is compared without them.
fn comparable(answer: &Answer) -> (u16, Vec<Option<String>>, String) {
    let names = ["content-type", "link", "vary", "x-inertia", "x-inertia-location", "x-inertia-version", "location"];
    let header = |name| answer.headers.get(name).map(|value| without_cursors(value.to_str().unwrap()));
    (answer.status.as_u16(), names.into_iter().map(header).collect(), without_cursors(&answer.text))
}

/// A text without its cursors, which are longer than any word of a page.
fn without_cursors(text: &str) -> String {
    let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
    words.filter(|word| word.len() < 60).collect()
}

#[tokio::test]
async fn actix_and_axum_answer_alike() {
    let folio = folio(packages(ROWS).await).asset_version("v1").share("site", || "Catalogue");
    let axum = Service::start(on_axum().layer(folio.layer())).await;
    let actix = start(folio, on_actix);
    let visit = [("X-Inertia", "true"), ("X-Inertia-Version", "v1")];
    let stale = [("X-Inertia", "true"), ("X-Inertia-Version", "v0")];
    for path in PATHS {
        for query in
            ["", "?page=2", "?page=404&a=%20b", "?page=500", "?per_page=0", "?page[size]=2", "?page%5Bsize%5D=x"]
        {
            let asked = format!("{path}{query}");
            for headers in [&[][..], &visit, &stale] {
                let (on_actix, on_axum) = (actix.get_with(&asked, headers).await, axum.get_with(&asked, headers).await);
                assert_eq!(comparable(&on_actix), comparable(&on_axum), "{asked} {headers:?}");
            }
        }
    }
    assert_eq!(actix.get_with("/numbered", &stale).await.headers["x-inertia-location"], "/numbered");
}

#[test]
fn the_cause_of_a_5xx_is_logged_and_that_of_a_4xx_is_not() {
    let logged = |error: &dyn ResponseError| {
        let recorder = Recorder::of_target("folio::actix");
        let status = error.error_response().status();
        assert_eq!(status, error.status_code());
        (status.as_u16(), recorder.take().join("\n"))
    };
    let domain = FrameworkError::Domain { message: "told".into(), status_code: 404 };
    assert_eq!(logged(&domain), (404, String::new()));
    assert_eq!(logged(&JsonApiError::from(domain)), (404, String::new()));
    let internal = || FrameworkError::Internal { message: "secret".into() };
    for (status, line) in [logged(&internal()), logged(&JsonApiError::from(internal()))] {
        assert_eq!((status, line.contains("secret"), line.lines().count()), (500, true, 1), "{line}");
    }
}

#[tokio::test]
async fn hostile_queries_are_not_a_server_error() {
    let service = service().await;
    let noise = ["'", "1 OR 1=1", "%", "%FF%FE", "%00", "%0d%0aset-cookie:a=b", "&&&&", "[$ne]=1", "1e308", "\u{e4}"];
    let numbers = ["-9223372036854775808", "18446744073709551615", "18446744073709551616", "0", "x"];
    let keys = ["page", "per_page", "cursor", "page[number]", "page[size]", "page[after]", "page[before]", "'"];
    for path in ["/numbered", "/simple/links", "/cursor", "/api/numbered", "/api/window", "/inertia"] {
        for value in noise.iter().chain(&numbers) {
            for key in keys {
                let asked = format!("{path}?{key}={value}");
                let (status, body) = service.get_raw(asked.as_bytes()).await;
                assert!(status == 200 || status == 400, "{asked}: {status} {body}");
            }
        }
        for bytes in [&b"\xFF\xFE"[..], b"\xC3\x28", b"\x7F", b"<>\"{}|^`"] {
            let (status, body) = service.get_raw(&[path.as_bytes(), b"?page=", bytes].concat()).await;
            assert!(status == 200 || status == 400, "{path} {bytes:?}: {status} {body}");
        }
        for size in [60_000, 500_000] {
            let (status, body) = service.get_raw(format!("{path}?{}", "page=1&".repeat(size / 7)).as_bytes()).await;
            assert!(matches!(status, 0 | 200 | 400 | 414 | 431), "{path}, {size}: {status} {body:.200}");
        }
    }
    assert_eq!(service.get("/numbered").await.json()["total"], ROWS);
}
