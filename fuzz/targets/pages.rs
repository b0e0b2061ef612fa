//! Pages of a table on SQLite, requested with any URI. A page has the rows of its number, an unknown cursor is refused,
//! and the links have the parameters of the request on the same host.
//!
//! The fields of an input are the query key, the page size, and the URI.

#![no_main]

use std::sync::LazyLock;

use folio::{ActiveRequest, LengthAwarePaginator, Paginate};
use folio_fuzz::{fields, is_refused, last, number, pairs, query, runtime};
use libfuzzer_sys::fuzz_target;
use url::Url;

#[derive(Debug, Clone, PartialEq, serde::Serialize, sqlx::FromRow, Paginate)]
struct Post {
    id: i64,
}

static INSTALLED: LazyLock<()> = LazyLock::new(|| {
    folio_fuzz::install(
        "CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2), (3), (4), (5)",
    );
});

fn ids(rows: &[Post]) -> Vec<i64> {
    rows.iter().map(|post| post.id).collect()
}

/// The rows of a page.
fn slice(page: u64, per_page: u64) -> Vec<i64> {
    let skipped = (page - 1).saturating_mul(per_page);
    (1..=5).filter(|id| *id > skipped && *id <= skipped.saturating_add(per_page)).map(|id| id as i64).collect()
}

/// The link has the parameters of the request, with this page, and leads to the same host.
fn check_link(link: &str, asked: &[(String, String)], name: &str, page: &str, is_local: bool) {
    let mut expected: Vec<_> = asked.iter().filter(|(key, _)| key != name).cloned().collect();
    expected.push((name.to_owned(), page.to_owned()));
    assert_eq!(pairs(query(link).expect("a query")), expected, "{link:?}");
    let base = Url::parse("https://folio.example/list?a=1").unwrap();
    if is_local && let Ok(url) = base.join(link) {
        assert_eq!(url.host_str(), base.host_str(), "{link:?}");
        assert_eq!(url.scheme(), base.scheme(), "{link:?}");
    }
}

fn check_numbered(
    page: &LengthAwarePaginator<Post>,
    asked: &[(String, String)],
    name: &str,
    per_page: u64,
    local: bool,
) {
    let wanted = last(asked, name).as_deref().and_then(number).unwrap_or(1).max(1);
    assert_eq!((page.current_page, page.total, page.per_page), (wanted, 5, per_page));
    assert_eq!(ids(&page.data), slice(wanted, per_page));
    check_link(&page.url_for_page(7), asked, name, "7", local);
    let json = serde_json::to_value(page).unwrap();
    let again: LengthAwarePaginator<serde_json::Value> = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(&again).unwrap(), json, "the JSON of the page that was read from JSON");
}

fuzz_target!(|data: &[u8]| {
    LazyLock::force(&INSTALLED);
    let [name, size, uri] = fields(data);
    let per_page = number(&size).unwrap_or(2);
    let asked = pairs(query(&uri).unwrap_or_default());
    let request = ActiveRequest::new(&uri);
    // A server passes a path on, which begins with a slash.
    let local = request.path().is_empty() || request.path().starts_with('/');
    let read = request.scope(async {
        let page = Post::query().with_query_string().paginate_using(&name, per_page).await;
        match page {
            Ok(page) => check_numbered(&page, &asked, &name, per_page, local),
            Err(error) => assert!(per_page == 0 && error.status() == 400, "{error}"),
        }
        let simple = Post::query().simple_paginate(per_page).await;
        match simple {
            Ok(page) => assert_eq!(ids(&page.data), slice(page.current_page, per_page)),
            Err(error) => assert!(per_page == 0 && error.status() == 400, "{error}"),
        }
        let by_cursor =
            Post::query().with_query_string().with_cursor_name(&name).cursor_paginate(per_page.max(1)).await;
        match last(&asked, &name).filter(|text| !text.is_empty()) {
            Some(_) => assert!(is_refused(&by_cursor)),
            None => {
                let page = by_cursor.unwrap();
                assert_eq!(ids(&page.data), slice(1, per_page.max(1)));
                if let (Some(link), Some(cursor)) = (page.next_page_url(), &page.next_cursor) {
                    check_link(&link, &asked, &name, cursor, local);
                }
            }
        }
    });
    runtime().block_on(read);
});
