//! URIs and headers of any content.

use super::*;

#[test]
fn a_uri_has_a_path_and_a_query() {
    for (uri, path, query) in [
        ("", "", None),
        ("?", "", Some("")),
        ("/users", "/users", None),
        ("/users#a?page=2", "/users", None),
        ("?page=2#top", "", Some("page=2")),
        ("/users?a=1?b", "/users", Some("a=1?b")),
        ("http://example.com", "", None),
        ("http://example.com?to=/x", "", Some("to=/x")),
        ("HTTP://u:p@[::1]:80/users?page=2", "/users", Some("page=2")),
        ("/go?to=http://example.com/x", "/go", Some("to=http://example.com/x")),
        ("/go/http://example.com/x", "/go/http://example.com/x", None),
    ] {
        let request = ActiveRequest::new(uri);
        assert_eq!((request.path(), request.query()), (path, query), "{uri}");
    }
}

#[test]
fn a_hostile_query_is_only_text() {
    for noise in ["&", "=", "%", "%FF", "page&", "page=1e9&", "cursor=&", "%70age=%00&", "?#&"] {
        let query = noise.repeat(200_000);
        let request = ActiveRequest::new(&format!("/users?{query}"));
        assert_eq!(request.page("page"), 1, "{noise}");
        assert_eq!(request.cursor("cursor"), None, "{noise}");
    }
}

#[test]
fn no_value_of_a_header_is_shown() {
    let request = ActiveRequest::new("/users").with_header("Cookie", "session=secret");
    let shown = format!("{request:?}");
    assert_eq!(shown, r#"ActiveRequest { uri: "/users", method: "GET", headers: ["cookie"] }"#);
}

#[test]
fn the_first_readable_value_of_a_header_counts_in_any_case() {
    let mut headers = HeaderMap::new();
    headers.append("x-test", HeaderValue::from_bytes(b"\xFF").unwrap());
    let request = ActiveRequest::new("/").with_headers(headers).with_header("X-TEST", "€").with_header("x-test", "b");
    for (name, value) in [("X-Test", Some("€")), ("x-test", Some("€")), ("", None), ("x test", None), ("€", None)]
    {
        assert_eq!(request.header(name), value, "{name}");
    }
    assert_eq!(ActiveRequest::new("/").with_header("a", "").header("A"), Some(""));
}

#[test]
fn no_header_given_by_hand_panics() {
    let long = "a".repeat(100_000);
    for (name, value) in [("", "a"), ("a b", "a"), ("ü", "a"), ("a:", "a"), (&long, "a"), ("a", "\0"), ("a", "\n")] {
        let request = ActiveRequest::new("/").with_header(name, value);
        assert_eq!(request, ActiveRequest::new("/"), "{name:.9}");
    }
    // More names than a `HeaderMap` has room for.
    let request = (0..40_000).fold(ActiveRequest::new("/"), |request, n| request.with_header(&format!("x-{n}"), "a"));
    assert_eq!((request.header("x-0"), request.header("x-39999")), (Some("a"), None));
}

#[test]
fn a_clone_keeps_what_it_had() {
    let request = ActiveRequest::new("/users");
    let posted = request.clone().with_method("POST").with_header("a", "b");
    assert_eq!((request.method(), request.header("a")), ("GET", None));
    assert_eq!((posted.method(), posted.header("a"), posted.uri()), ("POST", Some("b"), "/users"));
}
