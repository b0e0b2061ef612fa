use super::*;
use crate::read::tests::{ENABLED, list};

fn of(page: u64, per_page: u64) -> Option<Slice> {
    slice(page, PageSize::new(per_page).expect("a page has rows"))
}

#[test]
fn only_a_far_page_of_a_counted_list_is_read_from_the_end() {
    for &dialect in ENABLED {
        let counted = list(dialect, TotalSource::Counted);
        assert!(!is_from_end(&counted, of(1_000, 10)), "{dialect:?}: 9,990 rows are before it");
        assert!(is_from_end(&counted, of(1_001, 10)), "{dialect:?}: 10,000 rows are before it");
        assert!(!is_from_end(&counted, None));
        assert!(!is_from_end(&list(dialect, TotalSource::Known(20_000)), of(1_001, 10)));
    }
}

#[test]
fn a_page_that_no_database_counts_up_to_has_no_rows() {
    let rows = |page, per_page| of(page, per_page).map(|Slice { offset, limit, .. }| (offset, limit));
    assert_eq!(rows(0, 15), Some((0, 15)));
    assert_eq!(rows(1, 15), Some((0, 15)));
    assert_eq!(rows(3, 15), Some((30, 15)));
    assert_eq!(rows(1, u64::MAX), Some((0, MAX_PER_PAGE)));
    assert_eq!(rows(1 << 62, 3), None);
    assert_eq!(rows(u64::MAX, u64::MAX), None);
}
