//! Walks with pages of every size.

use folio::{CursorPaginator, Pagination};

use super::{ID, Item, TOTALS, ids, items, on_page, select, sizes};

async fn walked(per_page: u64, cursor: Option<&str>) -> CursorPaginator<Item> {
    Item::query().cursor(cursor).cursor_paginate(per_page).await.unwrap()
}

#[tokio::test]
async fn a_walk_with_any_page_size_sees_every_row_once() {
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

/// From the middle, with pages that hold all remaining rows on either side.
#[tokio::test]
async fn the_page_size_may_change_during_a_walk() {
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
