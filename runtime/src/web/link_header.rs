//! The `Link` header of RFC 8288: the pages around a page, for clients that read headers.
//!
//! GitHub's API made it common for lists: a client follows `rel="next"` until there is none. The header holds ASCII
//! only, and a `>` ends a URL, so URLs are percent-encoded where RFC 3986 asks for it.

use std::fmt::Write as _;

use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};

/// The header with these relations; `None` if the list has no other pages.
fn value(relations: [(&str, Option<String>); 4]) -> Option<String> {
    let mut header = String::new();
    for (relation, url) in relations {
        let Some(url) = url else { continue };
        header.push_str(if header.is_empty() { "<" } else { ", <" });
        push_target(&mut header, &url);
        header.extend([">; rel=\"", relation, "\""]);
    }
    (!header.is_empty()).then_some(header)
}

/// Writes a URL as a URI reference (RFC 3986), the only thing that the header allows between the brackets. All other
/// characters, such as `>`, spaces and letters beyond ASCII, are percent-encoded.
fn push_target(header: &mut String, url: &str) {
    for (place, byte) in url.bytes().enumerate() {
        let is_allowed = match byte {
            // An encoded byte.
            b'%' => matches!(
                url.as_bytes().get(place..),
                Some([_, first, second, ..]) if first.is_ascii_hexdigit() && second.is_ascii_hexdigit()
            ),
            // A URI has one fragment.
            b'#' => url.find('#') == Some(place),
            _ => byte.is_ascii_alphanumeric() || b"-._~:/?@!$&'()*+,;=".contains(&byte),
        };
        if is_allowed {
            header.push(char::from(byte));
        } else {
            let _ = write!(header, "%{byte:02X}");
        }
    }
}

/// Gives each paginator its method. `$first` and `$last` are the URLs of these pages, if the paginator knows them.
/// `$arguments` are those of a `new` whose page has a next one, and `$header` is that page's header, for the example.
macro_rules! link_headers {
    ($($page:ident: $first:expr, $last:expr, $arguments:literal, $header:literal;)*) => {$(
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
                let (first, last): (fn(&Self) -> Option<String>, fn(&Self) -> Option<String>) = ($first, $last);
                let (prev, next) = (self.previous_page_url(), self.next_page_url());
                value([("first", first(self)), ("prev", prev), ("next", next), ("last", last(self))])
            }
        }
    )*};
}

link_headers! {
    LengthAwarePaginator: |page| Some(page.url_for_page(1)), |page| Some(page.url_for_page(page.last_page)),
        "vec![1, 2], 3, 2, 1",
        r#"</users?page=1>; rel="first", </users?page=2>; rel="next", </users?page=2>; rel="last""#;
    Paginator: |page| Some(page.url_for_page(1)), |_| None,
        "vec![1, 2], 1, 2, true",
        r#"</users?page=1>; rel="first", </users?page=2>; rel="next""#;
    CursorPaginator: |_| None, |_| None,
        "vec![1], 1, Some(\"bmV4dA\".into()), None",
        r#"</users?cursor=bmV4dA>; rel="next""#;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(url: &str) -> Option<String> {
        value([("first", None), ("prev", None), ("next", Some(url.to_owned())), ("last", None)])
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
