//! The keys of a query: renamed, several on one page, repeated, encoded; and the page size.

use axum::Router;
use axum::routing::get;
use folio::{ActiveRequest, CursorPaginator, LengthAwarePaginator, PerPage, Result, json_response};
use serde_json::{Value, json};

use crate::service::{Service, example, folio, ids, packages, walked};

#[derive(Debug, sqlx::FromRow, serde::Serialize, folio::Paginate)]
#[paginate(table = "packages", cursor_key = "depends_count desc nulls last")]
struct Package {
    id: i64,
    section: String,
    depends_count: Option<i64>,
}

/// Two lists by number and one by cursor, each under a key of its own.
async fn dashboard() -> Result<axum::response::Response> {
    let games = Package::query().with_path("/lists").paginate_using("games", 2).await?;
    let libs = Package::query().with_path("/lists").with_page_name("libs[page]").paginate(3).await?;
    let feed = Package::query().with_path("/lists").with_cursor_name("feed after").cursor_paginate(2).await?;
    Ok(json_response!(json!({ "games": games, "libs": libs, "feed": feed })))
}

async fn service() -> Service {
    let named = get(async || Package::query().with_page_name("ße&=").paginate(2).await);
    let size = get(async || Ok::<_, folio::FrameworkError>(json_response!(PerPage::from_request(15, 100)?)));
    let app = Router::new().route("/lists", get(dashboard)).route("/named", named).route("/size", size);
    Service::start(app.layer(folio(packages(10).await).layer())).await
}

#[tokio::test]
async fn several_lists_on_one_page_are_independent() {
    let service = service().await;
    let first = service.get("/lists").await.json();
    let after = first["feed"]["next_cursor"].as_str().unwrap();
    let lists =
        service.get(&format!("/lists?games=4&libs%5Bpage%5D=2&feed+after={after}&page=9&cursor=x")).await.json();
    assert_eq!((ids(&lists["games"]), ids(&lists["libs"])), (vec![7, 8], vec![4, 5, 6]));
    assert_eq!((ids(&first["feed"]), ids(&lists["feed"])), (walked(10)[..2].to_vec(), walked(10)[2..4].to_vec()));
    assert_eq!(lists["libs"]["next_page_url"], "/lists?libs%5Bpage%5D=3");
    assert!(lists["feed"]["next_page_url"].as_str().unwrap().starts_with("/lists?feed+after="));
    // An invalid cursor of one list does not affect the other list.
    let altered = service.get("/lists?games=4&feed+after=altered").await;
    assert_eq!((altered.status.as_u16(), altered.json()), (400, json!({ "message": "Invalid pagination cursor" })));
}

/// The page of a simple list on a screen that has two: `page` belongs to the list that `list` names.
fn page_of(list: &str) -> u64 {
    let Some(request) = ActiveRequest::current() else { return 1 };
    let key = if request.value("list").as_deref() == Some(list) { "page" } else { list };
    request.page(key)
}

async fn two_simple_lists() -> Result<axum::response::Response> {
    let (games, libs) = (page_of("games"), page_of("libs"));
    let list = |section: &str, page: u64, other: &str, other_page: u64| {
        let path = format!("/screen?list={section}&{other}={other_page}");
        Package::query().filter(Package::SECTION.eq(section)).page(page).with_path(path)
    };
    let games_page = list("games", games, "libs", libs).simple_paginate(2).await?;
    let libs_page = list("libs", libs, "games", games).simple_paginate(3).await?;
    Ok(json_response!(json!({ "games": games_page, "libs": libs_page })))
}

#[tokio::test]
async fn two_simple_lists_on_one_screen_are_independent() {
    let app = Router::new().route("/screen", get(two_simple_lists));
    let service = Service::start(app.layer(folio(packages(20).await).layer())).await;
    let games: Vec<i64> = (1..=20).filter(|id| id % 3 == 0).collect();
    let libs: Vec<i64> = (1..=20).filter(|id| id % 3 != 0).collect();
    let mut screen = service.get("/screen").await.json();
    for (clicked, link, places) in [
        ("games", "next_page_url", (2, 1)),
        ("libs", "next_page_url", (2, 2)),
        ("libs", "next_page_url", (2, 3)),
        ("games", "next_page_url", (3, 3)),
        ("games", "prev_page_url", (2, 3)),
        ("libs", "current_page_url", (2, 3)),
        ("libs", "prev_page_url", (2, 2)),
        ("games", "first_page_url", (1, 2)),
    ] {
        let url = screen[clicked][link].as_str().unwrap();
        let next = service.get(url).await.json();
        assert_eq!(ids(&next["games"]), games.chunks(2).nth(places.0 - 1).unwrap(), "{clicked}, {url}");
        assert_eq!(ids(&next["libs"]), libs.chunks(3).nth(places.1 - 1).unwrap(), "{clicked}, {url}");
        screen = next;
    }
}

#[tokio::test]
async fn a_walk_over_the_urls_of_pages_sees_every_row_once() {
    let service = example(40).await;
    let walk = async |first: &str, key: &str| {
        let (mut url, mut seen) = (Some(first.to_owned()), Vec::new());
        while let Some(next) = url {
            let page = service.get(&next).await.json();
            let mut rows = ids(&page);
            if key.starts_with("prev") {
                rows.reverse();
            }
            seen.extend(rows);
            url = page[key].as_str().map(str::to_owned);
            assert!(seen.len() <= 40, "{next}");
        }
        seen
    };
    let games: Vec<i64> = (1..=40).filter(|id| id % 3 == 0).collect();
    assert_eq!(walk("/packages?section=games&per_page=4", "next_page_url").await, games);
    assert_eq!(walk("/packages/simple?per_page=7&q=age-", "next_page_url").await, (1..=40).collect::<Vec<_>>());
    assert_eq!(walk("/packages/cursor?per_page=3", "next_page_url").await, walked(40));
    let backwards: Vec<i64> = (1..=40).rev().collect();
    assert_eq!(walk("/packages?page=8&per_page=5", "prev_page_url").await, backwards);
}

#[tokio::test]
async fn names_are_decoded_when_read_and_the_last_one_counts() {
    let service = service().await;
    for (query, expected) in [
        ("%C3%9Fe%26%3D=2", vec![3, 4]),
        ("%c3%9fe%26%3d=2&%C3%9Fe%26%3D=3", vec![5, 6]),
        ("%C3%9Fe%26%3D=2&%C3%9Fe%26%3D=x", vec![1, 2]),
        ("page=2", vec![1, 2]),
        ("%C3%9Fe%26%3D=99", vec![]),
    ] {
        assert_eq!(ids(&service.get(&format!("/named?{query}")).await.json()), expected, "{query}");
    }
    let page = service.get("/named").await.json();
    assert_eq!(page["next_page_url"], "?%C3%9Fe%26%3D=2");
}

#[tokio::test]
async fn a_page_size_is_capped_or_refused() {
    let service = service().await;
    for (query, expected) in [
        ("", 15),
        ("?per_page", 15),
        ("?per_page=", 15),
        ("?per_page=1", 1),
        ("?per_page=100", 100),
        ("?per_page=101", 100),
        ("?per_page=18446744073709551616", 100),
        ("?per_page=0&per_page=7", 7),
        ("?per%5Fpage=%37", 7),
        ("?per_page[]=7", 15),
    ] {
        assert_eq!(service.get(&format!("/size{query}")).await.json(), expected, "{query}");
    }
    for text in ["0", "000", "-1", "+5", "%205", "1.5", "1e2", "all", "%EF%BC%95", "5%00", "7&per_page=x"] {
        let answer = service.get(&format!("/size?per_page={text}")).await;
        assert_eq!(answer.status, 400, "{text}");
        assert_eq!(
            answer.json(),
            json!({ "message": "`per_page` is a number from 1 to 100", "parameter": "per_page" }),
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_link_header_leads_where_the_json_does() {
    let numbered = get(async || {
        let page = LengthAwarePaginator::new(vec![3, 4], 6, 2, 2).with_path("/käse>; rel=\"evil\"?a=ü");
        page.with_link_header()
    });
    let walked = get(async || CursorPaginator::new(vec![1], 1, None, None).with_link_header());
    let service = Service::start(Router::new().route("/numbered", numbered).route("/walked", walked)).await;

    let answer = service.get("/numbered").await;
    let target = |page| format!("</k%C3%A4se%3E;%20rel=%22evil%22?a=%C3%BC&page={page}>");
    let [one, three] = [1, 3].map(target);
    let expected = format!(r#"{one}; rel="first", {one}; rel="prev", {three}; rel="next", {three}; rel="last""#);
    assert_eq!(answer.headers["link"].to_str().unwrap(), expected);
    assert_eq!(answer.json()["data"], json!([3, 4]));
    assert_eq!(service.get("/walked").await.headers.get("link"), None);

    let example = example(5).await;
    let page = example.get("/packages/simple?q=age&per_page=2&page=2").await;
    let link = page.headers["link"].to_str().unwrap();
    let json: Value = page.json();
    for (relation, key) in [("first", "first_page_url"), ("prev", "prev_page_url"), ("next", "next_page_url")] {
        let url = json[key].as_str().unwrap();
        assert!(link.contains(&format!("<{url}>; rel=\"{relation}\"")), "{link}");
    }
}
