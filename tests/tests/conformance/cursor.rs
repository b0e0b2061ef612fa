//! The JSON of cursor pages.

use folio::CursorPaginator;
use folio_tests::cases::{Case, assert_json, read};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Input {
    data: Vec<Value>,
    per_page: u64,
    next_cursor: Option<String>,
    prev_cursor: Option<String>,
    path: Option<String>,
    cursor_name: Option<String>,
}

impl Input {
    fn page(self) -> CursorPaginator<Value> {
        let mut page = CursorPaginator::new(self.data, self.per_page, self.next_cursor, self.prev_cursor);
        if let Some(path) = self.path {
            page = page.with_path(path);
        }
        match self.cursor_name {
            Some(name) => page.with_cursor_name(name),
            None => page,
        }
    }
}

#[test]
fn pages_serialize_exactly() {
    let cases: Vec<Case<Input>> = read("cursor");
    assert_eq!(cases.len(), 30);
    for Case { name, input, expected, .. } in cases {
        let page = CursorPaginator { cursor: Some("not in the JSON".into()), ..input.page() };
        assert_json(&page, &expected, &name);
        assert_json(&page.next_page_url(), &expected["next_page_url"], &name);
        assert_json(&page.previous_page_url(), &expected["prev_page_url"], &name);
    }
}

#[test]
fn position_follows_from_the_cursors() {
    for (next, prev, [more, first, last, pages]) in [
        (None, None, [false, true, true, false]),
        (Some("n"), None, [true, true, false, true]),
        (None, Some("p"), [false, false, true, true]),
        (Some("n"), Some("p"), [true, false, false, true]),
    ] {
        let page = CursorPaginator::new(vec![1], 1, next.map(Into::into), prev.map(Into::into));
        let position = [page.has_more_pages(), page.on_first_page(), page.on_last_page(), page.has_pages()];
        assert_eq!(position, [more, first, last, pages], "{next:?} {prev:?}");
    }
}

#[test]
fn a_cursor_of_any_text_is_form_encoded() {
    let page = CursorPaginator::new(vec![1], 1, Some("a+b/c=&d ü".into()), None).with_path("/users?cursor=x#top");
    assert_eq!(page.next_page_url().as_deref(), Some("/users?cursor=a%2Bb%2Fc%3D%26d+%C3%BC#top"));
}
