//! Paths that start like a host name: browsers read `//host/list` and `/\host/list` as another site.

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::response::IntoResponse as _;
use folio::inertia::Inertia;
use folio::json_api::{JsonResource, Paginated, Resource};
use folio::{ActiveRequest, CursorPaginator, LengthAwarePaginator, Paginator};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::service::{Service, folio, packages};

/// What a client sends, and the path in the links.
const PATHS: [(&str, &str); 12] = [
    ("/posts", "/posts"),
    ("//evil.example/posts", "/evil.example/posts"),
    ("////evil.example", "/evil.example"),
    ("/\\evil.example/posts", "/evil.example/posts"),
    ("\\\\evil.example\\posts", "/evil.example\\posts"),
    ("\\/evil.example", "/evil.example"),
    // Browsers drop tabs and line breaks, and leading spaces and control characters.
    ("/\t/evil.example", "/evil.example"),
    (" \u{1}//evil.example", "/evil.example"),
    ("/\r\n\\evil.example", "/evil.example"),
    ("//", "/"),
    ("/posts//7", "/posts//7"),
    ("", ""),
];

#[derive(Debug, Clone)]
struct Post(i64);

impl JsonResource for Post {
    fn resource_type(&self) -> &str {
        "posts"
    }

    fn id(&self) -> String {
        self.0.to_string()
    }

    fn attributes(&self) -> impl serde::Serialize {
        json!({})
    }
}

/// All the URLs of a page, without `null`.
fn urls(page: &Value) -> Vec<&str> {
    let keys = ["first_page_url", "last_page_url", "next_page_url", "prev_page_url", "current_page_url"];
    let links = page["links"].as_array().into_iter().flatten().map(|link| &link["url"]);
    keys.iter().map(|key| &page[key]).chain(links).filter_map(Value::as_str).collect()
}

#[track_caller]
fn assert_json(page: impl serde::Serialize, path: &str) {
    let page = serde_json::to_value(page).unwrap();
    assert_eq!(page["path"], path);
    let urls = urls(&page);
    assert!(!urls.is_empty());
    for url in urls {
        assert!(url.starts_with(&format!("{path}?")), "{url} under {path}");
    }
}

/// The `Link` header percent-encodes characters that a URI cannot contain.
#[track_caller]
fn assert_links(header: Option<String>, path: &str) {
    let path = path.replace('\\', "%5C");
    for link in header.unwrap().split(", ") {
        assert!(link.starts_with(&format!("<{path}?")), "{link} under {path}");
    }
}

#[test]
fn page_urls_stay_on_the_site() {
    for (sent, path) in PATHS {
        let numbered = LengthAwarePaginator::new(vec![Post(3), Post(4)], 6, 2, 2).with_path(sent);
        assert_eq!(numbered.url_for_page(3), format!("{path}?page=3"));
        assert_eq!(numbered.next_page_url().unwrap(), format!("{path}?page=3"));
        assert_eq!(numbered.links().first().unwrap().url.as_deref(), Some(&*format!("{path}?page=1")));
        assert_eq!(Paginated::links(&numbered).first.unwrap(), format!("{path}?page=1"));
        assert_links(numbered.link_header(), path);
        let resource = serde_json::to_value(Resource::paginated(numbered)).unwrap();
        assert_eq!(resource["links"]["self"], format!("{path}?page=2"));
        assert_eq!(resource["links"]["next"], format!("{path}?page=3"));

        assert_json(LengthAwarePaginator::new(vec![3, 4], 6, 2, 2).with_path(sent), path);
        let simple = Paginator::new(vec![3, 4], 2, 2, true).with_path(sent);
        assert_links(simple.link_header(), path);
        assert_json(simple, path);
        let cursor = CursorPaginator::new(vec![3, 4], 2, Some("bmV4dA".into()), None).with_path(sent);
        assert_links(cursor.link_header(), path);
        assert_json(cursor, path);
    }
}

/// A front end puts the page object's URL into the address bar, and goes where the header of a stale version says.
#[tokio::test]
async fn inertia_redirects_stay_on_the_site() {
    for (sent, path) in PATHS {
        let request = ActiveRequest::new(&format!("{sent}?a=//b")).with_header("X-Inertia", "true");
        let page = request.scope(async { Inertia::render("Posts").page_object() }).await.unwrap();
        let page: Value = serde_json::from_str(&page).unwrap();
        assert_eq!(page["url"], format!("{path}?a=//b"));
    }
    let app = Router::new().fallback(async || Inertia::render("Posts"));
    let app = app.layer(folio(packages(0).await).asset_version("v2").layer());
    let request = Request::get("//evil.example/posts?a=1").header("X-Inertia", "true").body(Body::empty()).unwrap();
    let answer = app.oneshot(request).await.unwrap();
    assert_eq!(
        (answer.status().as_u16(), &answer.headers()["x-inertia-location"]),
        (409, &"/evil.example/posts?a=1".parse().unwrap())
    );
}

/// The original bug: the URI of the request as the path of the list.
#[tokio::test]
async fn a_path_that_looks_like_a_host_links_to_this_host() {
    let list = async |request: Request<Body>| {
        let page = LengthAwarePaginator::new(vec![1, 2], 6, 2, 1).with_path(request.uri().to_string());
        page.with_link_header().into_response()
    };
    let service = Service::start(Router::new().fallback(list)).await;
    let answer = service.get("//evil.example/posts?tab=new&page=1").await;
    let path = "/evil.example/posts?tab=new";
    assert!(answer.headers["link"].to_str().unwrap().starts_with(&format!("<{path}&page=1>")), "{answer:?}");
    let page = answer.json();
    assert_eq!(
        (&page["path"], &page["next_page_url"]),
        (&json!(format!("{path}&page=1")), &json!(format!("{path}&page=2")))
    );
}
