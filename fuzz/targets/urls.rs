//! Links made from any path and query key. They stay on the host of the page, and have the parameters of the path with
//! the page's own as the last one.
//!
//! The fields of an input are the query key, the page number, the cursor, and the path.

#![no_main]

use folio::{CursorPaginator, LengthAwarePaginator, Paginator};
use folio_fuzz::{fields, number, pairs, query};
use libfuzzer_sys::fuzz_target;
use url::Url;

/// Whether browsers read a path as a URL with a scheme, which is the caller's mistake.
fn has_scheme(path: &str) -> bool {
    let path = path.replace(['\t', '\n', '\r'], "");
    path.split(['/', '\\', '?', '#']).next().is_some_and(|first| first.contains(':'))
}

fn check(link: &str, path: &str, key: &str, value: &str) {
    let mut expected = pairs(query(path).unwrap_or_default());
    expected.retain(|(name, _)| name != key);
    expected.push((key.to_owned(), value.to_owned()));
    assert_eq!(pairs(query(link).expect("a query")), expected, "{link:?} of {path:?}");
    let fragment = |url: &str| url.split_once('#').map(|(_, fragment)| fragment.to_owned());
    assert_eq!(fragment(link), fragment(path), "{link:?} of {path:?}");
    if !has_scheme(path) {
        let base = Url::parse("https://folio.example/list/all?a=1#b").unwrap();
        if let Ok(url) = base.join(link) {
            assert_eq!((url.scheme(), url.host_str()), ("https", Some("folio.example")), "{link:?} of {path:?}");
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let [key, page, cursor, path] = fields(data);
    let wanted = number(&page).unwrap_or(2);
    let numbered = LengthAwarePaginator::new(vec![1], 30, 1, wanted).with_path(&path).with_page_name(&key);
    check(&numbered.url_for_page(wanted), &path, &key, &wanted.max(1).to_string());
    let simple = Paginator::new(vec![1], wanted, 1, true).with_path(&path);
    check(&simple.url_for_page(wanted), &path, "page", &wanted.max(1).to_string());
    let by_cursor =
        CursorPaginator::new(vec![1], 1, Some(cursor.clone()), None).with_path(&path).with_cursor_name(&key);
    check(&by_cursor.next_page_url().unwrap(), &path, &key, &cursor);

    // What was read from the JSON has the same JSON.
    macro_rules! assert_same {
        ($page:expr, $of:ident) => {
            let json = serde_json::to_value(&$page).unwrap();
            let again: $of<i32> = serde_json::from_value(json.clone()).unwrap();
            assert_eq!(serde_json::to_value(&again).unwrap(), json, "{:?} of {path:?}", again);
        };
    }
    assert_same!(numbered, LengthAwarePaginator);
    assert_same!(simple, Paginator);
    assert_same!(by_cursor, CursorPaginator);
});
