//! The bytes of the response in each case of the protocol.

use std::collections::BTreeMap;

use serde_json::Value;

use super::html::document;
use super::settings::InertiaSettings;
use super::*;
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
    let expected = r#"{"component":"Posts","props":{"errors":{},"posts":[3,4]},"url":"/posts?tag=%C3%BC+b&page=2","version":"","mergeProps":["posts"],"scrollProps":{"posts":{"pageName":"page","previousPage":1,"nextPage":3,"currentPage":2,"reset":false}}}"#;
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
        \"\\u003c\\/script>\\u003c!-- \u{2028}\\\"'&\\u003cscript>\"},\"url\":\"\\/posts?page=2\",\
        \"version\":\"\"}</script>\
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
fn a_partial_reload_gets_the_requested_props() {
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
    page.split_once(r#""version":"""#).unwrap().1.to_owned()
}

#[test]
fn a_list_has_its_path_and_how_to_merge_its_rows() {
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
fn deferred_lists_are_sent_on_request() {
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
fn two_lists_have_separate_keys() {
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
fn errors_that_are_set_as_a_prop_are_sent_on_every_visit() {
    let headers = [OF_POSTS, ("X-Inertia-Partial-Data", "title"), ("X-Inertia-Partial-Except", "errors")];
    for request in [inertia(&[]), inertia(&headers)] {
        let page = || Inertia::render("Posts").prop("errors", BTreeMap::from([("title", "is empty")])).page_object();
        let page = runtime().block_on(request.scope(async { page().unwrap() }));
        assert!(page.starts_with(r#"{"component":"Posts","props":{"errors":{"title":"is empty"}}"#), "{page}");
    }
    let page = Inertia::render("P").prop("errors", 1).errors(2).prop("errors", 3).page_object().unwrap();
    assert!(page.contains(r#""props":{"errors":3}"#), "{page}");
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

/// The page object of a page, as a value.
fn value(page: InertiaResponse) -> Value {
    serde_json::from_str(&page.page_object().unwrap()).unwrap()
}

#[test]
fn a_key_with_dots_is_a_path() {
    let feed = serde_json::json!({ "title": "News", "users": "replaced" });
    let users = ScrollProp::from(posts()).match_on("id");
    let page =
        Inertia::render("Feed").paginate("feed.users", users).prop("feed", &feed).prop("errors.name", "is empty");
    let page =
        value(page.prop("a..b", 1).prop(".", 2).prop("feed.next.by", "date").prop("nothing", ()).prop("nothing.a", 3));
    let props = serde_json::json!({
        "errors": { "name": "is empty" },
        "feed": { "title": "News", "users": [3, 4], "next": { "by": "date" } },
        "a": { "": { "b": 1 } },
        "": { "": 2 },
        "nothing": { "a": 3 },
    });
    assert_eq!(page["props"], props);
    assert_eq!(page["mergeProps"], serde_json::json!(["feed.users"]));
    assert_eq!(page["matchPropsOn"], serde_json::json!(["feed.users.id"]));
    assert_eq!(page["scrollProps"]["feed.users"]["nextPage"], 3);

    let wrapped = value(Inertia::paginate("Feed", "feed.users", ScrollProp::from(posts()).wrapped("data")));
    assert_eq!(wrapped["props"]["feed"]["users"]["data"], serde_json::json!([3, 4]));
    assert_eq!(wrapped["mergeProps"], serde_json::json!(["feed.users.data"]));
}

#[test]
fn a_path_into_a_value_that_is_not_an_object_is_an_error() {
    let list = Inertia::paginate("Feed", "feed", posts()).prop("feed.users.first", 1);
    let text = Inertia::render("Feed").prop("feed.users", "none").prop("feed.users.first", 1);
    for (page, parent) in [(list, "feed"), (text, "users")] {
        let error = page.page_object().unwrap_err();
        assert_eq!(error.status(), 500);
        let expected = format!("the prop `feed.users.first` cannot be set, because `{parent}` on its path is not");
        assert!(error.to_string().starts_with(&expected), "{error}");
    }
}

#[test]
fn a_partial_reload_requests_paths() {
    let page = || {
        let page = Inertia::render("Posts").prop("title", "All").prop("feed.title", "News");
        page.paginate("feed.users", posts()).prop("feeds", 1)
    };
    let of = |headers: &[(&str, &str)]| {
        let headers = [&[OF_POSTS][..], headers].concat();
        let page = runtime().block_on(inertia(&headers).scope(async { page().page_object().unwrap() }));
        serde_json::from_str::<Value>(&page).unwrap()
    };
    let users = serde_json::json!({ "errors": {}, "feed": { "users": [3, 4] } });
    let all = serde_json::json!({ "errors": {}, "feed": { "title": "News", "users": [3, 4] } });
    for (only, props) in [("feed.users", &users), ("feed.users.0.id", &users), ("feed", &all)] {
        let page = of(&[("X-Inertia-Partial-Data", only)]);
        assert_eq!((&page["props"], &page["mergeProps"]), (props, &serde_json::json!(["feed.users"])), "{only}");
    }
    let without = serde_json::json!({ "errors": {}, "title": "All", "feeds": 1 });
    assert_eq!(of(&[("X-Inertia-Partial-Except", "feed")])["props"], without);
    let reset = of(&[("X-Inertia-Partial-Data", "feed.users"), ("X-Inertia-Reset", "feed.users")]);
    assert_eq!(reset["scrollProps"]["feed.users"]["reset"], true);
    assert_eq!(reset.get("mergeProps"), None);
    let odd = of(&[("X-Inertia-Partial-Data", "feed., .feed, .users,feed..users,..,FEED")]);
    assert_eq!(odd["props"], serde_json::json!({ "errors": {} }));
}

#[test]
fn every_key_that_folio_writes_is_refused() {
    let append = || Inertia::paginate("Posts", "posts", ScrollProp::from(posts()).match_on("id"));
    let prepend = inertia(&[("X-Inertia-Infinite-Scroll-Merge-Intent", "prepend")]);
    let pages = runtime().block_on(async {
        let defer = async |page: InertiaResponse| page.defer("tags", async || Ok(posts())).await.unwrap();
        [value(defer(append().preserve_big_integers(true)).await), prepend.scope(async { value(append()) }).await]
    });
    let mut written: Vec<&str> =
        pages.iter().flat_map(|page| page.as_object().unwrap().keys()).map(|key| &**key).collect();
    written.sort_unstable();
    written.dedup();
    assert_eq!(written.len(), 10, "{written:?}");
    for key in written {
        let error = Inertia::render("Posts").page_key(key, 1).page_object().unwrap_err();
        let expected = format!("the key `{key}` of the page object is written by folio: set it through the other");
        assert!(error.status() == 500 && error.to_string().starts_with(&expected), "{error}");
    }
    let page = Inertia::render("Posts").page_key("flash", 1).page_key("clearHistory", true).page_key("flash", [2]);
    let expected =
        r#"{"component":"Posts","props":{"errors":{}},"url":"","version":"","clearHistory":true,"flash":[2]}"#;
    assert_eq!(page.page_object().unwrap(), expected);
    let error = Inertia::render("P").page_key("flash", BTreeMap::from([((1, 2), 3)])).page_object().unwrap_err();
    assert!(error.to_string().starts_with("the key `flash` of the page object cannot be written as JSON"), "{error}");
}

#[test]
fn a_list_that_is_not_sent_is_not_loaded() {
    #[derive(Debug, PartialEq)]
    struct Refused;
    let page = async |asked: &std::cell::RefCell<Vec<&str>>| {
        let list = |key| {
            async move || {
                asked.borrow_mut().push(key);
                Ok::<_, Refused>(posts())
            }
        };
        let number = |key| {
            async move || {
                asked.borrow_mut().push(key);
                Ok::<_, Refused>(7)
            }
        };
        let page =
            Inertia::render("Posts").scroll("posts", list("posts")).await?.scroll("feed.tags", list("tags")).await?;
        let page = page.defer_prop("feed.views", number("views")).await?.optional_prop("rare", number("rare")).await?;
        page.defer_prop_in("side", "stars", number("stars")).await
    };
    let run = |request: ActiveRequest| {
        let asked = std::cell::RefCell::default();
        let page = async { value(page(&asked).await.unwrap()) };
        let page = runtime().block_on(request.scope(page));
        (page, asked.into_inner())
    };

    let (full, asked) = run(inertia(&[]));
    assert_eq!(asked, ["posts", "tags"]);
    assert_eq!(full["props"], serde_json::json!({ "errors": {}, "posts": [3, 4], "feed": { "tags": [3, 4] } }));
    assert_eq!(full["mergeProps"], serde_json::json!(["posts", "feed.tags"]));
    assert_eq!(full["deferredProps"], serde_json::json!({ "default": ["feed.views"], "side": ["stars"] }));

    let (scrolled, asked) = run(inertia(&[OF_POSTS, ("X-Inertia-Partial-Data", "feed.tags")]));
    assert_eq!(asked, ["tags"]);
    assert_eq!(scrolled["props"], serde_json::json!({ "errors": {}, "feed": { "tags": [3, 4] } }));

    let (late, asked) = run(inertia(&[OF_POSTS, ("X-Inertia-Partial-Data", "feed.views,rare,stars")]));
    assert_eq!(asked, ["views", "rare", "stars"]);
    assert_eq!(late["props"], serde_json::json!({ "errors": {}, "rare": 7, "stars": 7, "feed": { "views": 7 } }));
    assert_eq!(late.get("deferredProps"), None);

    let refused = async || Inertia::render("Posts").scroll("posts", async || Err::<ScrollProp, _>(Refused)).await;
    assert_eq!(runtime().block_on(refused()).unwrap_err(), Refused);
}

#[test]
fn large_integers_are_marked_in_props_and_flash() {
    #[derive(serde::Serialize)]
    struct Order {
        id: i64,
        total: f64,
        digits: u128,
        note: &'static str,
    }
    let large = 9_007_199_254_740_993_i64;
    let order = || Order { id: -large, total: 1e300, digits: u128::MAX, note: "9007199254740993" };
    let page = || {
        let page = Inertia::render("Orders").paginate("orders", Paginator::new(vec![order()], 1, 1, true));
        let page = page.prop("feed.next", large).prop("errors.id", large);
        page.page_key("flash", large).page_key("other", large)
    };
    let marked = |digits: &str| serde_json::json!({ "$bigint": digits });
    let marks = page().preserve_big_integers(true).page_object().unwrap();
    let marks: Value = serde_json::from_str(&marks).unwrap();
    let expected = serde_json::json!({
        "id": marked("-9007199254740993"),
        "total": 1e300,
        "digits": marked("340282366920938463463374607431768211455"),
        "note": "9007199254740993",
    });
    assert_eq!(marks["props"]["orders"][0], expected);
    assert_eq!(marks["props"]["feed"]["next"], marked("9007199254740993"));
    assert_eq!(marks["props"]["errors"]["id"], marked("9007199254740993"));
    assert_eq!((&marks["flash"], &marks["other"]), (&marked("9007199254740993"), &large.into()));
    assert_eq!((&marks["preserveBigIntegers"], &marks["scrollProps"]["orders"]["nextPage"]), (&true.into(), &2.into()));

    let numbers = value(page());
    assert_eq!(numbers["props"]["feed"]["next"], large);
    assert_eq!((&numbers["flash"], numbers.get("preserveBigIntegers")), (&large.into(), None));

    // Another prop cannot be set inside a mark.
    let error = page().prop("feed.next.id", 1).preserve_big_integers(true).page_object().unwrap_err();
    assert!(error.to_string().contains("`next` on its path is not an object"), "{error}");
}
