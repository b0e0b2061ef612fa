//! The largest and smallest numbers: every page is made, read and written without a panic.

use folio::{LengthAwarePaginator, Paginator};

const NUMBERS: [u64; 11] =
    [0, 1, 2, 10, 13, 14, u32::MAX as u64, i64::MAX as u64, i64::MAX as u64 + 1, u64::MAX - 1, u64::MAX];

/// Every combination of three of the numbers with a few rows.
fn grid() -> impl Iterator<Item = (u64, u64, u64, usize)> {
    NUMBERS.into_iter().flat_map(|a| {
        NUMBERS.into_iter().flat_map(move |b| {
            NUMBERS.into_iter().flat_map(move |c| [0, 1, 3].into_iter().map(move |rows| (a, b, c, rows)))
        })
    })
}

#[test]
fn length_aware_pages_hold_at_every_number() {
    for (total, per_page, current, rows) in grid() {
        let page = LengthAwarePaginator::new(vec![(); rows], total, per_page, current);
        let case = format!("{page:?}");
        assert!(page.current_page >= 1, "{case}");
        assert!(u128::from(page.last_page) * u128::from(per_page.max(1)) >= u128::from(total), "{case}");
        assert_eq!(page.from.is_none(), rows == 0, "{case}");
        assert!(page.from <= page.to, "{case}");
        assert_eq!(page.next_page_url().is_some(), page.has_more_pages(), "{case}");
        assert_eq!(page.previous_page_url().is_none(), page.on_first_page(), "{case}");
        assert!(page.links().len() <= 15, "{case}");
        serde_json::to_string(&page).unwrap();
    }
}

#[test]
fn simple_pages_hold_at_every_number() {
    for (current, per_page, more, rows) in grid() {
        let page = Paginator::new(vec![(); rows], current, per_page, more > 1);
        let case = format!("{page:?}");
        assert!(page.data.len() as u64 <= per_page, "{case}");
        assert!(page.first_item() <= page.last_item(), "{case}");
        assert_eq!(page.next_page_url().is_some(), page.has_more, "{case}");
        serde_json::to_string(&page).unwrap();
    }
}

#[test]
fn fields_set_by_hand_hold_at_every_number() {
    for (current_page, last_page, total, rows) in grid() {
        let page = LengthAwarePaginator::new(vec![(); rows], total, 10, 1);
        let page = LengthAwarePaginator { current_page, last_page, ..page };
        let json = serde_json::to_value(&page).unwrap();
        assert_eq!(json["links"], serde_json::to_value(page.links()).unwrap(), "{page:?}");
        assert_eq!(json["next_page_url"].is_null(), page.on_last_page(), "{page:?}");
    }
}
