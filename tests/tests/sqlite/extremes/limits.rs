//! Selects with their own LIMIT and OFFSET.

use folio::Pagination;

use super::{ID, Item, LIMITS, ids, items, select};

/// A select with its own LIMIT and OFFSET.
#[tokio::test]
async fn the_limit_and_offset_of_a_select_are_kept() {
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
