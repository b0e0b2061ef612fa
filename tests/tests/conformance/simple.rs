//! The JSON and the predicates of simple pages.

use folio::Paginator;
use folio_tests::cases::{Case, assert_json, read};
use folio_tests::predicates;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Input {
    per_page: u64,
    current_page: u64,
    /// What `LIMIT per_page + 1` returned.
    fetched: Vec<Value>,
    path: Option<String>,
}

#[test]
fn pages_serialize_exactly() {
    let cases: Vec<Case<Input>> = read("simple");
    assert_eq!(cases.len(), 54);
    for Case { name, input: Input { per_page, current_page, fetched, path }, expected, is } in cases {
        let has_more = fetched.len() as u64 > per_page;
        let page = Paginator { path, ..Paginator::new(fetched, current_page, per_page, has_more) };
        assert_json(&page, &expected, &name);
        assert_json(&page.next_page_url(), &expected["next_page_url"], &name);
        assert_json(&page.previous_page_url(), &expected["prev_page_url"], &name);
        assert_json(&page.url_for_page(current_page), &expected["current_page_url"], &name);
        assert_eq!(predicates!(page, first_item, last_item), is, "{name}");
    }
}

#[test]
fn the_extra_row_is_dropped_and_shows_that_a_page_follows() {
    for (rows, has_more, data, more) in [
        (vec![], false, vec![], false),
        (vec![1, 2], false, vec![1, 2], false),
        (vec![1, 2], true, vec![1, 2], true),
        (vec![1, 2, 3], false, vec![1, 2], true),
        (vec![1, 2, 3], true, vec![1, 2], true),
    ] {
        let page = Paginator::new(rows, 1, 2, has_more);
        assert_eq!((page.data, page.has_more), (data, more));
    }
}
