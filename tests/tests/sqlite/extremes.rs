//! Numbers from the client, however large: a page that is right or empty, never an error of the database.

use std::fmt::Debug;

use folio::{
    ActiveRequest, Column, CursorPaginator, Folio, FrameworkError, LengthAwarePaginator, Paginate, Pagination,
    Paginator, Result,
};
use sea_query::{Order, Query, SelectStatement};
use serde_json::Value as Json;
use sqlx::SqlitePool;

use crate::suite::db;

#[derive(Debug, Clone, PartialEq, serde::Serialize, sqlx::FromRow, Paginate)]
struct Item {
    id: i64,
}

/// A table of the ids from 1 to `total`.
async fn items(total: u64) -> (Folio, SqlitePool) {
    let (folio, pool) = db::folio("CREATE TABLE items (id INTEGER PRIMARY KEY)").await;
    for _ in 0..total {
        sqlx::raw_sql("INSERT INTO items DEFAULT VALUES").execute(&pool).await.unwrap();
    }
    (folio, pool)
}

fn select() -> SelectStatement {
    Query::select().column("id").from("items").order_by("id", Order::Asc).take()
}

const ID: Column<i64> = Column::new("id");
const I64_MAX: u64 = i64::MAX.unsigned_abs();

/// Numbers at which something could turn over, whatever the table.
const LIMITS: [u64; 16] = [
    0,
    1,
    2,
    3,
    i32::MAX.unsigned_abs() as u64,
    u32::MAX as u64,
    1 << 32,
    (1 << 53) + 1,
    I64_MAX / 2,
    I64_MAX - 1,
    I64_MAX,
    I64_MAX + 1,
    I64_MAX + 2,
    u64::MAX / 2 + 2,
    u64::MAX - 1,
    u64::MAX,
];

/// Page sizes: the limits, and those around the size of the table.
fn sizes(total: u64) -> Vec<u64> {
    let mut sizes = LIMITS[1..].to_vec();
    sizes.extend([total.saturating_sub(1).max(1), total.max(1), total + 1]);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Pages: the limits, those around the last page, and those around the last offset that a database can count to.
fn pages(total: u64, per_page: u64) -> Vec<u64> {
    let mut pages = LIMITS.to_vec();
    for edge in [total.div_ceil(per_page), I64_MAX / per_page, u64::MAX / per_page] {
        pages.extend([edge.saturating_sub(1), edge, edge.saturating_add(1), edge.saturating_add(2)]);
    }
    pages.sort_unstable();
    pages.dedup();
    pages
}

/// The ids on a page, counted in numbers that nothing turns over in.
fn on_page(total: u64, per_page: u64, page: u64) -> Vec<i64> {
    let first = u128::from(page.max(1) - 1) * u128::from(per_page);
    let last = (first + u128::from(per_page)).min(u128::from(total));
    (first..last).map(|before| i64::try_from(before + 1).unwrap()).collect()
}

fn ids(data: &[Item]) -> Vec<i64> {
    data.iter().map(|item| item.id).collect()
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

const TOTALS: [u64; 6] = [0, 1, 2, 9, 10, 11];

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

/// The same through the request, where a number is a text first.
#[tokio::test]
async fn every_page_that_a_request_asks_for_is_right_or_empty() {
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

#[tokio::test]
async fn a_hostile_page_text_is_a_page() {
    const LAST: u64 = u64::MAX;
    let cases = [
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
        ("page=18446744073709551615", LAST),
        ("page=18446744073709551616", LAST),
        ("page=99999999999999999999999999999999999999999", LAST),
        ("page=340282366920938463463374607431768211457", LAST),
    ];
    let long = [
        (format!("page={}", "9".repeat(100_000)), LAST),
        (format!("page={}2", "0".repeat(100_000)), 2),
        (format!("page=2{}", "&".repeat(100_000)), 2),
    ];
    let cases = cases.into_iter().map(|(text, page)| (text.to_owned(), page)).chain(long);
    let (folio, _pool) = items(25).await;
    let work = async {
        for (query, number) in cases {
            let request = || ActiveRequest::new(&format!("/items?{query}"));
            let page = request().scope(Item::paginate(10)).await.unwrap();
            assert_length_aware(&page, 25, 10, number);
            let page = request().scope(Item::simple_paginate(10)).await.unwrap();
            assert_simple(&page, 25, 10, number);
        }
    };
    folio.scope(work).await;
}

async fn walked(per_page: u64, cursor: Option<&str>) -> CursorPaginator<Item> {
    Item::query().cursor(cursor).cursor_paginate(per_page).await.unwrap()
}

#[tokio::test]
async fn a_walk_by_pages_of_any_size_sees_every_row_once() {
    for total in TOTALS {
        let (folio, _pool) = items(total).await;
        let work = async {
            for per_page in sizes(total) {
                let case = format!("{total} by {per_page}");
                let last = total.div_ceil(per_page).max(1);
                let (mut cursor, mut back) = (None, None);
                for number in 1..=last {
                    let page = walked(per_page, cursor.as_deref()).await;
                    assert_eq!(
                        (ids(&page.data), page.per_page),
                        (on_page(total, per_page, number), per_page),
                        "{case}"
                    );
                    assert_eq!((page.has_more_pages(), page.on_first_page()), (number < last, number == 1), "{case}");
                    let select = Pagination::cursor::<Item>(select(), None, per_page, ID).await.unwrap();
                    assert_eq!(ids(&select.data), on_page(total, per_page, 1), "{case}");
                    assert!(serde_json::to_value(&page).is_ok());
                    (cursor, back) = (page.next_cursor, page.prev_cursor);
                }
                for number in (1..last).rev() {
                    let page = walked(per_page, back.as_deref()).await;
                    assert_eq!(ids(&page.data), on_page(total, per_page, number), "{case} backwards");
                    assert_eq!((page.has_more_pages(), page.on_first_page()), (true, number == 1), "{case} backwards");
                    back = page.prev_cursor;
                }
            }
        };
        folio.scope(work).await;
    }
}

/// From the middle, with a page size that holds all that is left on either side.
#[tokio::test]
async fn a_walk_takes_another_page_size_half_way() {
    let (folio, _pool) = items(11).await;
    let work = async {
        let first = walked(3, None).await;
        let second = walked(3, first.next_cursor.as_deref()).await;
        for per_page in sizes(11).into_iter().filter(|per_page| *per_page >= 5) {
            let rest = walked(per_page, second.next_cursor.as_deref()).await;
            assert_eq!((ids(&rest.data), rest.next_cursor.is_some()), ((7..=11).collect(), false), "{per_page}");
            let before = walked(per_page, second.prev_cursor.as_deref()).await;
            assert_eq!((ids(&before.data), before.prev_cursor.is_some()), ((1..=3).collect(), false), "{per_page}");
            assert!(rest.prev_cursor.is_some() && before.next_cursor.is_some());
        }
    };
    folio.scope(work).await;
}

#[track_caller]
fn assert_refused<T: Debug>(page: Result<T>, operation: &str) {
    match page {
        Err(error @ FrameworkError::ParamError { .. }) => {
            assert!(
                matches!(&error, FrameworkError::ParamError { param_name } if param_name == "per_page"),
                "{operation}: {error:?}"
            );
            assert_eq!(error.status(), 400, "{operation}");
        }
        other => panic!("{operation}: {other:?}"),
    }
}

/// Every operation with a page size of 0, on a connection that is not there where one can be named.
async fn refuse_all(connection: &str) {
    let builder = || Item::on(connection).cursor(Some("not a cursor"));
    assert_refused(builder().paginate(0).await, "paginate");
    assert_refused(builder().paginate_using("p", 0).await, "paginate_using");
    assert_refused(builder().simple_paginate(0).await, "simple_paginate");
    assert_refused(builder().cursor_paginate(0).await, "cursor_paginate");
    assert_refused(builder().cursor_by(Item::ID.desc()).cursor_paginate(0).await, "cursor_paginate by another key");
    assert_refused(Item::paginate(0).await, "Item::paginate");
    assert_refused(Item::paginate_using("p", 0).await, "Item::paginate_using");
    assert_refused(Item::simple_paginate(0).await, "Item::simple_paginate");
    assert_refused(Item::cursor_paginate(0).await, "Item::cursor_paginate");
    assert_refused(Pagination::length_aware::<Item>(select(), 0, 1).await, "length_aware");
    assert_refused(Pagination::length_aware_on::<Item>(connection, select(), 0, 1).await, "length_aware_on");
    assert_refused(Pagination::simple::<Item>(select(), 0, 1).await, "simple");
    assert_refused(Pagination::simple_on::<Item>(connection, select(), 0, 1).await, "simple_on");
    for cursor in [None, Some(""), Some("not a cursor")] {
        assert_refused(Pagination::cursor::<Item>(select(), cursor, 0, ID).await, "cursor");
        assert_refused(Pagination::cursor_on::<Item>(connection, select(), cursor, 0, ID).await, "cursor_on");
    }
}

#[tokio::test]
async fn a_page_size_of_0_is_refused_before_anything_is_looked_at() {
    for total in [0, 3] {
        let (folio, pool) = items(total).await;
        folio.scope(refuse_all("__primary__")).await;
        folio.scope(refuse_all("not a connection")).await;
        // Neither a keyring nor a table nor a pool that is open.
        let bare = Folio::new(pool.clone());
        bare.scope(refuse_all("not a connection")).await;
        sqlx::raw_sql("DROP TABLE items").execute(&pool).await.unwrap();
        bare.scope(refuse_all("not a connection")).await;
        pool.close().await;
        bare.scope(refuse_all("__primary__")).await;
        // In a request that asks for a page of its own.
        let asked = ActiveRequest::new("?page=2&per_page=10&cursor=x&p=3").scope(refuse_all("not a connection"));
        bare.scope(asked).await;
    }
    // With no application at all.
    refuse_all("not a connection").await;
}

#[tokio::test]
async fn a_connection_is_looked_at_before_the_cursor() {
    let (folio, pool) = items(3).await;
    let work = async {
        for cursor in [Some("not a cursor"), Some(""), None] {
            let of_model = Item::on("elsewhere").cursor(cursor).cursor_paginate(3).await;
            let of_select = Pagination::cursor_on::<Item>("elsewhere", select(), cursor, 3, ID).await;
            for page in [of_model, of_select] {
                let Err(error @ FrameworkError::Database(_)) = page else { panic!("{cursor:?}: {page:?}") };
                assert!(error.to_string().contains("elsewhere"), "{error}");
            }
        }
    };
    folio.scope(work).await;
    // Before the keyring, too; and the keyring before the cursor.
    let bare = Folio::new(pool);
    let page = bare.scope(Item::on("elsewhere").cursor(Some("x")).cursor_paginate(3)).await;
    assert!(matches!(page, Err(FrameworkError::Database(_))), "{page:?}");
    let page = bare.scope(Item::query().cursor(Some("x")).cursor_paginate(3)).await;
    assert!(matches!(page, Err(FrameworkError::Internal { .. })), "{page:?}");
}

/// A select that brings a LIMIT and an OFFSET of its own.
#[tokio::test]
async fn the_limits_of_the_select_itself_are_kept() {
    let (folio, _pool) = items(10).await;
    let work = async {
        for (limit, offset) in LIMITS.iter().flat_map(|limit| LIMITS.iter().map(move |offset| (*limit, *offset))) {
            let limited = || select().limit(limit).offset(offset).take();
            let expected: Vec<i64> = (1..=10)
                .filter(|id: &i64| id.unsigned_abs() > offset)
                .take(usize::try_from(limit).unwrap_or(usize::MAX))
                .collect();
            let total = expected.len() as u64;
            for number in [1, 2, u64::MAX] {
                let skipped = usize::try_from((number - 1).saturating_mul(4)).unwrap_or(usize::MAX);
                let rows: Vec<i64> = expected.iter().copied().skip(skipped).take(4).collect();
                let page = Pagination::length_aware::<Item>(limited(), 4, number).await.unwrap();
                assert_eq!((page.total, ids(&page.data)), (total, rows.clone()), "{limit} {offset} {number}");
                let page = Pagination::simple::<Item>(limited(), 4, number).await.unwrap();
                let more = skipped.saturating_add(4) < expected.len();
                assert_eq!((page.has_more, ids(&page.data)), (more, rows), "{limit} {offset} {number}");
            }
            let page = Pagination::cursor::<Item>(limited(), None, 4, ID).await.unwrap();
            assert_eq!(ids(&page.data), expected[..expected.len().min(4)], "{limit} {offset}");
            assert_eq!(page.next_cursor.is_some(), expected.len() > 4, "{limit} {offset}");
        }
    };
    folio.scope(work).await;
}
