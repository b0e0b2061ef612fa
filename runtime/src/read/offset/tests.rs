use super::*;
use crate::read::tests::{ENABLED, list};

fn of(page: u64, per_page: u64) -> Option<Slice> {
    PageSize::new(per_page).expect("a page has rows").slice(page)
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
