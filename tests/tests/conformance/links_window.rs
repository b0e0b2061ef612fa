//! Which pages the row of links lists, and what its entries carry.

use std::ops::RangeInclusive;

use folio::{LengthAwarePaginator, PageLink};
use folio_tests::cases::read;

/// The row between previous and next, when page `current` of `last` is shown.
fn row(last: u64, current: u64) -> Vec<PageLink> {
    let page = LengthAwarePaginator::new(vec![(); 10], last * 10, 10, current);
    let mut links = page.links();
    assert_eq!(serde_json::to_value(&page).unwrap()["links"], serde_json::to_value(&links).unwrap());
    assert_eq!(links.remove(0).label, "&laquo; Previous");
    assert_eq!(links.pop().unwrap().label, "Next &raquo;");
    links
}

/// The runs of pages between the gaps. Each entry is checked on the way.
fn runs(links: &[PageLink], current: u64) -> Vec<RangeInclusive<u64>> {
    let mut runs = Vec::new();
    for run in links.split(|link| link.label == "...") {
        let pages: Vec<u64> = run.iter().map(|link| link.page.unwrap()).collect();
        for (link, page) in run.iter().zip(&pages) {
            assert_eq!((&link.label, &link.url), (&page.to_string(), &Some(format!("?page={page}"))));
            assert_eq!(link.active, *page == current);
        }
        assert!(pages.windows(2).all(|pair| pair[1] == pair[0] + 1));
        runs.push(pages[0]..=pages[pages.len() - 1]);
    }
    runs
}

#[test]
fn the_listed_runs_are_exact() {
    let cases: Vec<(u64, u64, String, String)> = read("links_window");
    assert_eq!(cases.len(), 251);
    for (last, current, expected, _basis) in cases {
        let runs = runs(&row(last, current), current);
        let listed: Vec<_> = runs.iter().map(|run| format!("{}-{}", run.start(), run.end())).collect();
        assert_eq!(listed.join(" "), expected, "page {current} of {last}");
    }
}

#[test]
fn a_gap_has_no_url_and_no_page() {
    let row = row(50, 25);
    let gaps: Vec<_> = row.iter().filter(|link| link.label == "...").collect();
    assert_eq!(gaps.len(), 2);
    for gap in gaps {
        assert_eq!((&gap.url, gap.page, gap.active), (&None, None, false));
        assert_eq!(serde_json::to_string(gap).unwrap(), r#"{"url":null,"label":"...","active":false}"#);
    }
}

#[test]
fn every_window_has_the_ends_and_the_neighbours_of_its_page() {
    let mut rows = 0;
    for last in 1..=60 {
        for current in 1..=70 {
            let row = row(last, current);
            let runs = runs(&row, current);
            assert_eq!((*runs[0].start(), *runs[runs.len() - 1].end()), (1, last), "page {current} of {last}");
            assert!(runs.windows(2).all(|pair| pair[0].end() + 1 < *pair[1].start()), "page {current} of {last}");
            for page in current.saturating_sub(3).max(1)..=current.saturating_add(3).min(last) {
                assert!(runs.iter().any(|run| run.contains(&page)), "page {page} beside {current} of {last}");
            }
            assert_eq!(row.len() as u64, last.min(13), "page {current} of {last}");
            rows += 1;
        }
    }
    assert_eq!(rows, 4200);
}

#[test]
fn a_list_without_rows_has_no_page_entries() {
    let links = LengthAwarePaginator::new(Vec::<()>::new(), 0, 10, 1).links();
    assert_eq!(links.len(), 2);
    assert!(links.iter().all(|link| link.url.is_none() && link.page.is_none() && !link.active));
}
