//! Numbered pages of every size.

use folio::{ActiveRequest, LengthAwarePaginator, Pagination, Paginator};
use serde_json::Value as Json;

use super::{I64_MAX, Item, LIMITS, TOTALS, ids, items, on_page, select, sizes};

/// Pages: the limits, the pages around the last one, and those around the largest offset that a database accepts.
fn pages(total: u64, per_page: u64) -> Vec<u64> {
    let mut pages = LIMITS.to_vec();
    for edge in [total.div_ceil(per_page), I64_MAX / per_page, u64::MAX / per_page] {
        pages.extend([edge.saturating_sub(1), edge, edge.saturating_add(1), edge.saturating_add(2)]);
    }
    pages.sort_unstable();
    pages.dedup();
    pages
}

#[track_caller]
fn assert_length_aware(page: &LengthAwarePaginator<Item>, total: u64, per_page: u64, number: u64) {
    let case = format!("page {number} of {total} by {per_page}");
    let expected = on_page(total, per_page, number);
    let current = number.max(1);
    assert_eq!(ids(&page.data), expected, "{case}");
    assert_eq!((page.total, page.per_page, page.current_page), (total, per_page, current), "{case}");
    assert_eq!(u128::from(page.last_page), u128::from(total).div_ceil(u128::from(per_page)), "{case}");
    let ends = (expected.first(), expected.last());
    let indexes = (page.from.map(u64::cast_signed), page.to.map(u64::cast_signed));
    assert_eq!((indexes.0.as_ref(), indexes.1.as_ref()), ends, "{case}");
    assert_eq!(page.next_page_url().is_some(), current < page.last_page, "{case}");
    assert_eq!(page.previous_page_url().is_some(), current > 1, "{case}");
    let json: Json = serde_json::to_value(page).unwrap();
    assert_eq!((&json["total"], &json["from"].is_null()), (&Json::from(total), &expected.is_empty()), "{case}");
    assert_eq!(json["links"].as_array().unwrap().len(), page.links().len(), "{case}");
}

#[track_caller]
fn assert_simple(page: &Paginator<Item>, total: u64, per_page: u64, number: u64) {
    let case = format!("page {number} of {total} by {per_page}");
    let expected = on_page(total, per_page, number);
    let more = u128::from(number.max(1)) * u128::from(per_page) < u128::from(total);
    assert_eq!(ids(&page.data), expected, "{case}");
    assert_eq!((page.current_page, page.per_page, page.has_more), (number.max(1), per_page, more), "{case}");
    assert_eq!(page.first_item().map(u64::cast_signed).as_ref(), expected.first(), "{case}");
    assert_eq!(page.last_item().map(u64::cast_signed).as_ref(), expected.last(), "{case}");
    assert_eq!(page.next_page_url().is_some(), more, "{case}");
    let json: Json = serde_json::to_value(page).unwrap();
    assert_eq!((json["next_page_url"].is_null(), json["from"].is_null()), (!more, expected.is_empty()), "{case}");
}

#[tokio::test]
async fn every_page_of_every_size_is_right_or_empty() {
    let mut checked: u32 = 0;
    for total in TOTALS {
        let (folio, _pool) = items(total).await;
        let work = async {
            for per_page in sizes(total) {
                for number in pages(total, per_page) {
                    let page = Item::query().page(number).paginate(per_page).await.unwrap();
                    assert_length_aware(&page, total, per_page, number);
                    let page = Pagination::length_aware(select(), per_page, number).await.unwrap();
                    assert_length_aware(&page, total, per_page, number);
                    let page = Item::query().page(number).simple_paginate(per_page).await.unwrap();
                    assert_simple(&page, total, per_page, number);
                    let page = Pagination::simple(select(), per_page, number).await.unwrap();
                    assert_simple(&page, total, per_page, number);
                    checked += 1;
                }
            }
        };
        folio.scope(work).await;
    }
    assert!(checked > 1_500, "{checked} pairs");
}

/// The same through a request, in which a number is text.
#[tokio::test]
async fn every_requested_page_is_right_or_empty() {
    let total = 10;
    let (folio, _pool) = items(total).await;
    let work = async {
        for per_page in sizes(total) {
            for number in pages(total, per_page) {
                let uri = format!("/items?p={number}&page={number}");
                let work = async {
                    let page = Item::paginate(per_page).await.unwrap();
                    assert_length_aware(&page, total, per_page, number);
                    let page = Item::paginate_using("p", per_page).await.unwrap();
                    assert_eq!(page.page_name.as_deref(), Some("p"));
                    assert_length_aware(&page, total, per_page, number);
                    let page = Item::simple_paginate(per_page).await.unwrap();
                    assert_simple(&page, total, per_page, number);
                };
                ActiveRequest::new(&uri).scope(work).await;
            }
        }
    };
    folio.scope(work).await;
}

/// The query of a request, and the page that it asks for.
const QUERIES: &[(&str, u64)] = &[
    ("", 1),
    ("page", 1),
    ("page=", 1),
    ("page=0", 1),
    ("page=000", 1),
    ("page=1", 1),
    ("page=2", 2),
    ("page=007", 7),
    ("page=%32", 2),
    ("%70age=2", 2),
    ("page=3&page=2", 2),
    ("page=2&page=", 1),
    ("page=2&page=x", 1),
    ("page=-1", 1),
    ("page=-9223372036854775808", 1),
    ("page=+2", 1),
    ("page=%2B2", 1),
    ("page=2+", 1),
    ("page=%202", 1),
    ("page=2%00", 1),
    ("page=%00", 1),
    ("page=2.0", 1),
    ("page=1e3", 1),
    ("page=0x10", 1),
    ("page=2_000", 1),
    ("page=2,000", 1),
    ("page=NaN", 1),
    ("page=Infinity", 1),
    ("page=null", 1),
    ("page=true", 1),
    ("page[]=2", 1),
    ("page[0]=2", 1),
    ("Page=2", 1),
    ("page=%D9%A2", 1),
    ("page=%EF%BC%92", 1),
    ("page=%FF%FE", 1),
    ("page=%", 1),
    ("page=%zz", 1),
    ("page=2;DROP TABLE items", 1),
    ("page=1 OR 1=1", 1),
    ("page=' OR ''='", 1),
    ("page=${7*7}", 1),
    ("page=9223372036854775807", I64_MAX),
    ("page=9223372036854775808", I64_MAX + 1),
    ("page=18446744073709551615", u64::MAX),
    ("page=18446744073709551616", u64::MAX),
    ("page=99999999999999999999999999999999999999999", u64::MAX),
    ("page=340282366920938463463374607431768211457", u64::MAX),
];

#[tokio::test]
async fn a_hostile_page_parameter_still_gives_a_page() {
    let long = [
        (format!("page={}", "9".repeat(100_000)), u64::MAX),
        (format!("page={}2", "0".repeat(100_000)), 2),
        (format!("page=2{}", "&".repeat(100_000)), 2),
    ];
    let queries = QUERIES.iter().map(|(text, page)| ((*text).to_owned(), *page)).chain(long);
    let (folio, _pool) = items(25).await;
    let work = async {
        for (query, number) in queries {
            let request = || ActiveRequest::new(&format!("/items?{query}"));
            let page = request().scope(Item::paginate(10)).await.unwrap();
            assert_length_aware(&page, 25, 10, number);
            let page = request().scope(Item::simple_paginate(10)).await.unwrap();
            assert_simple(&page, 25, 10, number);
        }
    };
    folio.scope(work).await;
}
