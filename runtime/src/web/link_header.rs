//! The `Link` header of RFC 8288: the pages around a page, for clients that read headers.
//!
//! GitHub's API made it common for lists: a client follows `rel="next"` until there is none. The header holds ASCII
//! only, and a `>` ends a URL, so URLs are percent-encoded where RFC 3986 asks for it.

use std::fmt::Write as _;

use super::paginated::{Paginated, Relationships};
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};

/// The header's value; `None` if the list has no other pages.
fn value(relations: &Relationships) -> Option<String> {
    let links = targets(relations).into_iter().filter_map(|(relation, url)| Some(link(relation, url?)));
    let links: Vec<_> = links.collect();
    (!links.is_empty()).then(|| links.join(", "))
}

/// The relations in the order of the header, each with its URL.
fn targets(relations: &Relationships) -> [(&'static str, Option<&str>); 4] {
    // Destructured, so that a new relation is not forgotten here. A page does not link to itself, and the header only
    // has other pages.
    let Relationships { current: _, related: _, first, last, prev, next } = relations;
    [("first", first), ("prev", prev), ("next", next), ("last", last)].map(|(name, url)| (name, url.as_deref()))
}

/// One link of the header.
fn link(relation: &str, url: &str) -> String {
    let mut link = "<".to_owned();
    push_target(&mut link, url);
    link.extend([">; rel=\"", relation, "\""]);
    link
}

/// Writes a URL as a URI reference (RFC 3986), the only thing that the header allows between the brackets. All other
/// characters, such as `>`, spaces and letters beyond ASCII, are percent-encoded.
fn push_target(header: &mut String, url: &str) {
    for (place, byte) in url.bytes().enumerate() {
        if is_allowed(url, place, byte) {
            header.push(char::from(byte));
        } else {
            let _ = write!(header, "%{byte:02X}");
        }
    }
}

/// Whether a URI reference may have the byte in this place.
fn is_allowed(url: &str, place: usize, byte: u8) -> bool {
    match byte {
        b'%' => is_encoded(url.as_bytes().get(place..)),
        // A URI has one fragment.
        b'#' => url.find('#') == Some(place),
        _ => byte.is_ascii_alphanumeric() || b"-._~:/?@!$&'()*+,;=".contains(&byte),
    }
}

/// Whether the text, which begins with `%`, begins with an encoded byte.
fn is_encoded(text: Option<&[u8]>) -> bool {
    matches!(text, Some([_, first, second, ..]) if first.is_ascii_hexdigit() && second.is_ascii_hexdigit())
}

/// Gives each paginator its method. `$arguments` are those of a `new` whose page has a next one, and `$header` is that
/// page's header, for the example.
macro_rules! link_headers {
    ($($page:ident: $arguments:literal, $header:literal;)*) => {$(
        impl<T> $page<T> {
            /// The value of a `Link` header (RFC 8288) with the pages around this one: `first`, `prev`, `next` and
            /// `last`, if they exist. `None` if none of them exists.
            ///
            /// Characters that a URI does not allow are percent-encoded, so a path cannot break out of the header.
            ///
            /// ```
            #[doc = concat!("let page = folio::", stringify!($page), "::new(", $arguments, ").with_path(\"/users\");")]
            #[doc = concat!("assert_eq!(page.link_header().as_deref(), Some(r#\"", $header, "\"#));")]
            /// ```
            #[must_use]
            pub fn link_header(&self) -> Option<String> {
                value(&self.relations())
            }
        }
    )*};
}

link_headers! {
    LengthAwarePaginator: "vec![1, 2], 3, 2, 1",
        r#"</users?page=1>; rel="first", </users?page=2>; rel="next", </users?page=2>; rel="last""#;
    Paginator: "vec![1, 2], 1, 2, true",
        r#"</users?page=1>; rel="first", </users?page=2>; rel="next""#;
    CursorPaginator: "vec![1], 1, Some(\"bmV4dA\".into()), None",
        r#"</users?cursor=bmV4dA>; rel="next""#;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(url: &str) -> Option<String> {
        value(&Relationships { next: Some(url.to_owned()), ..Relationships::default() })
    }

    #[test]
    fn a_target_is_a_uri_reference() {
        for (url, target) in [
            ("/users?page=2", "/users?page=2"),
            ("?page=2#top", "?page=2#top"),
            ("/a>; rel=\"next\", <//evil>?page=2", "/a%3E;%20rel=%22next%22,%20%3C//evil%3E?page=2"),
            ("/käse?q=€", "/k%C3%A4se?q=%E2%82%AC"),
            ("/a\r\nset-cookie: b", "/a%0D%0Aset-cookie:%20b"),
            ("/a?page[size]=5&q=%7e%zz%4", "/a?page%5Bsize%5D=5&q=%7e%25zz%254"),
            ("/a\\b^c`d{e|f}\u{7f}\0", "/a%5Cb%5Ec%60d%7Be%7Cf%7D%7F%00"),
            ("/a#b#c", "/a#b%23c"),
        ] {
            assert_eq!(header(url), Some(format!("<{target}>; rel=\"next\"")), "{url}");
        }
    }

    #[test]
    fn a_page_without_neighbours_has_no_header() {
        assert_eq!(CursorPaginator::new(vec![1], 1, None, None).link_header(), None);
    }

    #[test]
    fn relations_have_one_order() {
        let page = LengthAwarePaginator::new(vec![3, 4], 6, 2, 2);
        let expected = r#"<?page=1>; rel="first", <?page=1>; rel="prev", <?page=3>; rel="next", <?page=3>; rel="last""#;
        assert_eq!(page.link_header().as_deref(), Some(expected));
    }
}
