//! The JSON and the predicates of length-aware pages.

use folio::LengthAwarePaginator;
use folio_tests::cases::{Case, assert_json, read};
use folio_tests::predicates;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Input {
    total: u64,
    per_page: u64,
    current_page: u64,
    rows: Vec<Value>,
    path: Option<String>,
    page_name: Option<String>,
}

impl Input {
    fn page(self) -> LengthAwarePaginator<Value> {
        let mut page = LengthAwarePaginator::new(self.rows, self.total, self.per_page, self.current_page);
        if let Some(path) = self.path {
            page = page.with_path(path);
        }
        match self.page_name {
            Some(name) => page.with_page_name(name),
            None => page,
        }
    }
}

#[test]
fn pages_serialize_exactly() {
    let cases: Vec<Case<Input>> = read("length_aware");
    assert_eq!(cases.len(), 140);
    for Case { name, input, expected, is } in cases {
        let page = input.page();
        assert_json(&page, &expected, &name);
        assert_eq!(predicates!(page), is, "{name}");
    }
}

#[test]
fn accessors_match_the_json() {
    let cases: Vec<Case<Input>> = read("length_aware");
    for Case { name, input, expected, .. } in cases {
        let page = input.page();
        assert_json(&page.links(), &expected["links"], &name);
        assert_json(&page.next_page_url(), &expected["next_page_url"], &name);
        assert_json(&page.previous_page_url(), &expected["prev_page_url"], &name);
        assert_json(&page.url_for_page(page.last_page), &expected["last_page_url"], &name);
        assert_json(&page.first_item(), &expected["from"], &name);
        assert_json(&page.last_item(), &expected["to"], &name);
    }
}

#[test]
fn a_page_rebuilt_from_its_fields_keeps_its_counters() {
    let page = LengthAwarePaginator::new(vec![1, 2], 5, 2, 2).with_path("/users").with_page_name("p");
    let rebuilt = LengthAwarePaginator {
        data: vec!["one", "two"],
        current_page: page.current_page,
        last_page: page.last_page,
        per_page: page.per_page,
        total: page.total,
        from: page.from,
        to: page.to,
        path: page.path.clone(),
        page_name: page.page_name.clone(),
    };
    assert_eq!(rebuilt.links(), page.links());
    let json = serde_json::to_string(&page).unwrap().replace("[1,2]", r#"["one","two"]"#);
    assert_eq!(serde_json::to_string(&rebuilt).unwrap(), json);
}
