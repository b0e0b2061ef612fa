//! The URL of a page.

use folio::{LengthAwarePaginator, Paginator};
use folio_tests::cases::{Case, read};
use serde::Deserialize;

#[derive(Deserialize)]
struct Input {
    path: Option<String>,
    page_name: Option<String>,
    page: u64,
}

#[test]
fn a_page_has_one_url() {
    let cases: Vec<Case<Input>> = read("url");
    assert_eq!(cases.len(), 301);
    for Case { input: Input { path, page_name, page: number }, expected, .. } in cases {
        if page_name.is_none() {
            let simple = Paginator { path: path.clone(), ..Paginator::new(vec![0], 1, 1, false) };
            assert_eq!(simple.url_for_page(number), expected, "{path:?} {number}");
        }
        let page = LengthAwarePaginator { path, page_name, ..LengthAwarePaginator::new(vec![0], 1, 1, 1) };
        assert_eq!(page.url_for_page(number), expected, "{:?} {:?} {number}", page.path, page.page_name);
    }
}
