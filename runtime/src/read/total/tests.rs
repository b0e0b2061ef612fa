use super::*;

fn slice(offset: u64, limit: u64) -> Slice {
    Slice { offset, limit, backwards: false }
}

#[test]
fn a_count_that_reached_its_limit_is_a_minimum() {
    for (up_to, count, expected) in [
        (None, 9, Total::Exact(9)),
        (Some(9), 8, Total::Exact(8)),
        (Some(9), 9, Total::AtLeast(9)),
        (Some(9), 10, Total::AtLeast(9)),
    ] {
        assert_eq!(counted_up_to(up_to, count), expected, "{count} rows up to {up_to:?}");
    }
}

#[test]
fn a_page_is_read_from_the_nearer_end() {
    // Of a list of 100 rows: the page from the end, as its offset and its number of rows.
    for (offset, limit, expected) in [
        (0, 15, None),
        (42, 15, None),
        (42, 16, None),
        (43, 15, Some((42, 15))),
        (85, 15, Some((0, 15))),
        (95, 15, Some((0, 5))),
        (99, 15, Some((0, 1))),
    ] {
        let Slice { offset: from_end, limit: rows, backwards } = nearer(slice(offset, limit), 100);
        assert_eq!(backwards.then_some((from_end, rows)), expected, "from {offset}");
        assert!(backwards || (from_end, rows) == (offset, limit), "from {offset}");
    }
}

#[test]
fn a_total_is_corrected_by_the_rows_of_the_page() {
    // A total of 100, and pages of ten rows.
    for (offset, read, expected) in
        [(50, 10, 100), (90, 10, 100), (100, 10, 110), (50, 9, 59), (120, 3, 123), (50, 0, 50), (120, 0, 100)]
    {
        assert_eq!(adjusted(100, slice(offset, 10), read), expected, "{read} rows from {offset}");
    }
}

#[cfg(feature = "sqlite")]
#[tokio::test]
async fn a_total_is_an_estimate_only_above_its_limit() {
    use crate::read::tests::{list, posts};

    let mut connection = posts::connect().await;
    let list = list(folio_plan::dialect::Dialect::Sqlite, TotalSource::Counted);
    let mut reader = ListReader { connection: &mut connection, list: &list };
    // SQLite has no estimates, so the three posts are counted.
    assert_eq!(reader.estimate().await.expect("the table exists"), 3);
    for (exact, count, expected) in
        [(1, 2, Total::Estimated(3)), (9, 10, Total::Estimated(10)), (2, 2, Total::Exact(2)), (2, 1, Total::Exact(1))]
    {
        let total = reader.estimated_above(exact, count).await.expect("the table exists");
        assert_eq!(total, expected, "{count} rows, exact up to {exact}");
    }
}
