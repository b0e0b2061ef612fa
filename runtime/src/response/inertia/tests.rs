//! The bytes of the response in each case of the protocol.

use std::collections::BTreeMap;

use serde_json::Value;

use super::document::document;
use super::*;
use crate::inertia_settings::InertiaSettings;
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};
use crate::request::ActiveRequest;

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}

/// A request of the front end with these headers, for page 2.
fn inertia(headers: &[(&str, &str)]) -> ActiveRequest {
    let request = ActiveRequest::new("/posts?tag=%C3%BC+b&page=2").with_header("X-Inertia", "true");
    headers.iter().fold(request, |request, (name, value)| request.with_header(name, value))
}

const OF_POSTS: (&str, &str) = ("X-Inertia-Partial-Component", "Posts");

/// Page 2 of 3, of numbers.
fn posts() -> LengthAwarePaginator<i64> {
    LengthAwarePaginator::new(vec![3, 4], 5, 2, 2)
}

/// The page of a component that has a title, tags, and posts.
fn page(request: ActiveRequest, posts: impl Into<ScrollProp>) -> String {
    let page = || Inertia::render("Posts").prop("title", "All").prop("tags", ["a"]).paginate("posts", posts);
    runtime().block_on(request.scope(async { page().page_object().unwrap() }))
}

#[test]
fn an_inertia_visit_gets_the_page_object() {
    let answer = runtime()
        .block_on(inertia(&[]).scope(async { Inertia::paginate("Posts", "posts", posts()).answer().unwrap() }));
    assert_eq!(answer.headers, [("Content-Type", "application/json"), ("Vary", "X-Inertia"), ("X-Inertia", "true")]);
    let expected = r#"{"component":"Posts","props":{"errors":{},"posts":[3,4]},"url":"/posts?tag=%C3%BC+b&page=2","version":null,"mergeProps":["posts"],"scrollProps":{"posts":{"pageName":"page","previousPage":1,"nextPage":3,"currentPage":2,"reset":false}}}"#;
    assert_eq!(answer.body, expected);
}

#[test]
fn a_first_visit_gets_a_document() {
    let request = ActiveRequest::new("/posts?page=2");
    let hostile = "</script><!-- \u{2028}\"'&<script>";
    let answer =
        runtime().block_on(request.scope(async { Inertia::render("Posts").prop("title", hostile).answer().unwrap() }));
    assert_eq!(answer.headers, [("Content-Type", "text/html; charset=utf-8"), ("Vary", "X-Inertia")]);
    let expected = "<!doctype html><html><head><meta charset=\"utf-8\"></head><body>\
        <script data-page=\"app\" type=\"application/json\">{\"component\":\"Posts\",\"props\":{\"errors\":{},\"title\":\
        \"\\u003c\\/script>\\u003c!-- \u{2028}\\\"'&\\u003cscript>\"},\"url\":\"\\/posts?page=2\",\"version\":null}</script>\
        <div id=\"app\"></div></body></html>";
    assert_eq!(answer.body, expected);
}

#[test]
fn an_attribute_holds_any_page_object() {
    let settings = InertiaSettings { in_attribute: true, ..InertiaSettings::default() };
    let page = r#"{"a":"</div>'&<"}"#;
    let document = document(&settings, page);
    let attribute = "<div id=\"app\" data-page=\"{&quot;a&quot;:&quot;&lt;/div&gt;&#039;&amp;&lt;&quot;}\"></div>";
    assert!(document.contains(attribute), "{document}");
}

#[test]
fn a_partial_reload_gets_what_it_asks_for() {
    let cases: [(&[(&str, &str)], &str); 7] = [
        (&[], r#"{"errors":{},"title":"All","tags":["a"],"posts":[3,4]}"#),
        (
            &[("X-Inertia-Partial-Component", "Other"), ("X-Inertia-Partial-Data", "tags")],
            r#"{"errors":{},"title":"All","tags":["a"],"posts":[3,4]}"#,
        ),
        (&[OF_POSTS, ("X-Inertia-Partial-Data", "tags, title")], r#"{"errors":{},"title":"All","tags":["a"]}"#),
        (&[OF_POSTS, ("X-Inertia-Partial-Data", "posts.data,none")], r#"{"errors":{},"posts":[3,4]}"#),
        (&[OF_POSTS, ("X-Inertia-Partial-Except", "posts,errors")], r#"{"errors":{},"title":"All","tags":["a"]}"#),
        (
            &[OF_POSTS, ("X-Inertia-Partial-Data", "tags,title"), ("X-Inertia-Partial-Except", "title")],
            r#"{"errors":{},"tags":["a"]}"#,
        ),
        (&[OF_POSTS, ("X-Inertia-Partial-Data", " ,")], r#"{"errors":{},"title":"All","tags":["a"],"posts":[3,4]}"#),
    ];
    for (headers, props) in cases {
        let page = page(inertia(headers), posts());
        assert!(page.starts_with(&format!(r#"{{"component":"Posts","props":{props},"url":"#)), "{headers:?}: {page}");
        // A list that is not sent has no metadata.
        assert_eq!(page.contains("scrollProps"), props.contains("posts"), "{headers:?}: {page}");
        assert_eq!(page.contains("mergeProps"), props.contains("posts"), "{headers:?}: {page}");
    }
}

/// What follows the version in a page object.
fn told(request: ActiveRequest, posts: impl Into<ScrollProp>) -> String {
    let page = page(request, posts);
    page.split_once(r#""version":null"#).unwrap().1.to_owned()
}

#[test]
fn a_list_says_where_it_is_and_what_becomes_of_its_rows() {
    let scroll = |previous: &str, next: &str, current: &str, reset: bool| {
        format!(
            r#""scrollProps":{{"posts":{{"pageName":"page","previousPage":{previous},"nextPage":{next},"currentPage":{current},"reset":{reset}}}}}}}"#
        )
    };
    let middle = scroll("1", "3", "2", false);
    let headers = |more: (&'static str, &'static str)| inertia(&[OF_POSTS, ("X-Inertia-Partial-Data", "posts"), more]);
    let intent = "X-Inertia-Infinite-Scroll-Merge-Intent";
    assert_eq!(told(headers((intent, "append")), posts()), format!(r#","mergeProps":["posts"],{middle}"#));
    assert_eq!(told(headers((intent, "prepend")), posts()), format!(r#","prependProps":["posts"],{middle}"#));
    assert_eq!(told(headers(("X-Inertia-Reset", "tags,posts")), posts()), format!(",{}", scroll("1", "3", "2", true)));

    let whole = || ScrollProp::from(posts()).wrapped("data");
    assert_eq!(told(inertia(&[]), whole()), format!(r#","mergeProps":["posts.data"],{middle}"#));
    let matched = format!(r#","mergeProps":["posts"],"matchPropsOn":["posts.id"],{middle}"#);
    assert_eq!(told(inertia(&[]), ScrollProp::from(posts()).match_on("id")), matched);
    let reset = told(headers(("X-Inertia-Reset", "posts")), whole().match_on("id"));
    assert_eq!(reset, format!(",{}", scroll("1", "3", "2", true)));

    let only = Paginator::new(vec![1], 1, 2, false);
    assert_eq!(told(inertia(&[]), only), format!(r#","mergeProps":["posts"],{}"#, scroll("null", "null", "1", false)));
    let past = LengthAwarePaginator::new(Vec::<i64>::new(), 5, 2, 9);
    assert_eq!(told(inertia(&[]), past), format!(r#","mergeProps":["posts"],{}"#, scroll("8", "null", "9", false)));
}

#[test]
fn a_cursor_page_is_known_by_its_cursor() {
    let first = CursorPaginator::new(vec![1], 1, Some("on".into()), None).with_cursor_name("after");
    let told_first = told(inertia(&[]), first.clone());
    assert!(
        told_first
            .ends_with(r#"{"pageName":"after","previousPage":null,"nextPage":"on","currentPage":1,"reset":false}}}"#)
    );
    // Reached backwards, the first page has a cursor, but it is where the list starts, so the address needs none.
    let told_reached = told(inertia(&[]), CursorPaginator { cursor: Some("at".into()), ..first.clone() });
    assert_eq!(told_reached, told_first);

    let later = CursorPaginator {
        cursor: Some("at".into()),
        prev_cursor: Some("back".into()),
        next_cursor: None,
        cursor_name: None,
        ..first
    };
    let told_later = told(inertia(&[]), later);
    assert!(told_later.ends_with(
        r#"{"pageName":"cursor","previousPage":"back","nextPage":null,"currentPage":"at","reset":false}}}"#
    ));
}

#[test]
fn the_page_itself_can_be_the_prop() {
    let props = |posts: ScrollProp| {
        let page: Value = serde_json::from_str(&page(inertia(&[]), posts)).unwrap();
        page["props"]["posts"].clone()
    };
    let whole = props(ScrollProp::from(posts()).wrapped("data"));
    assert_eq!(whole, serde_json::to_value(posts()).unwrap());
    assert_eq!(props(ScrollProp::from(posts()).wrapped("items")), serde_json::json!({ "items": [3, 4] }));
    assert_eq!(props(ScrollProp::new(["x"], &posts()).wrapped("data")), serde_json::json!({ "data": ["x"] }));
}

#[test]
fn lists_that_are_late_come_when_they_are_asked_for() {
    let page = async |asked: &std::cell::Cell<u32>| {
        let load = async || {
            asked.set(asked.get() + 1);
            Ok(posts())
        };
        let page = Inertia::render("Posts").prop("title", "All").defer("posts", load).await?;
        let page = page.defer("more", load).await?.defer_in("side", "tags", load).await?;
        page.optional("rare", load).await?.page_object()
    };
    let run = |request: ActiveRequest| {
        let asked = std::cell::Cell::new(0);
        let page: Value = serde_json::from_str(&runtime().block_on(request.scope(page(&asked))).unwrap()).unwrap();
        (page, asked.get())
    };

    let (full, asked) = run(inertia(&[]));
    assert_eq!(asked, 0, "nothing is read that is not sent");
    assert_eq!(full["props"], serde_json::json!({ "errors": {}, "title": "All" }));
    assert_eq!(full["deferredProps"], serde_json::json!({ "default": ["posts", "more"], "side": ["tags"] }));
    assert_eq!(full.get("scrollProps"), None);

    let (later, asked) = run(inertia(&[OF_POSTS, ("X-Inertia-Partial-Data", "posts,rare")]));
    assert_eq!(asked, 2);
    assert_eq!(later["props"], serde_json::json!({ "errors": {}, "posts": [3, 4], "rare": [3, 4] }));
    assert_eq!(later["mergeProps"], serde_json::json!(["posts", "rare"]));
    assert_eq!(later.get("deferredProps"), None);
}

#[test]
fn two_lists_have_keys_of_their_own() {
    let users = LengthAwarePaginator::new(vec!["u"], 3, 1, 3).with_page_name("users");
    let page = Inertia::paginate("Two", "posts", posts()).paginate("users", users).page_object().unwrap();
    let page: Value = serde_json::from_str(&page).unwrap();
    assert_eq!(page["mergeProps"], serde_json::json!(["posts", "users"]));
    assert_eq!(page["scrollProps"]["posts"]["pageName"], "page");
    assert_eq!(page["scrollProps"]["users"]["pageName"], "users");
    assert_eq!(page["scrollProps"]["users"]["previousPage"], 2);
}

#[test]
fn errors_are_sent_on_every_visit() {
    let only = inertia(&[OF_POSTS, ("X-Inertia-Partial-Data", "title"), ("X-Inertia-Partial-Except", "errors")]);
    let errors = BTreeMap::from([("title", "is empty")]);
    let page = runtime().block_on(only.scope(async { Inertia::render("Posts").errors(errors).page_object().unwrap() }));
    assert!(page.starts_with(r#"{"component":"Posts","props":{"errors":{"title":"is empty"}}"#), "{page}");
}

#[test]
fn a_prop_that_cannot_be_written_is_an_error() {
    let value = BTreeMap::from([((1, 2), 3)]);
    let error = Inertia::render("Posts").prop("map", value).page_object().unwrap_err();
    assert_eq!(error.status(), 500);
    assert!(error.to_string().starts_with("the prop `map` cannot be written as JSON"), "{error}");
}

#[test]
fn a_later_prop_takes_the_place_of_an_earlier_one() {
    let page = Inertia::render("P").prop("a", 1).prop("a", 2).page_object().unwrap();
    assert!(page.contains(r#""props":{"errors":{},"a":2}"#), "{page}");
}
