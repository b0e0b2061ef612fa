//! URLs of pages: reading one parameter of a query string, and replacing it to address another page.
//!
//! Names are compared after form-decoding, so `page%5Bnumber%5D` is the key `page[number]`. All other bytes stay, empty
//! parameters included: they are the application's filters, and folio must not change how they are written.
//!
//! [`URLS_ONLY`] at the beginning of a query string marks a query that only the URLs contain: the JSON of the page has
//! the path `/posts`, and its links have `/posts?sort=title&page=2`.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};

use serde::{Serialize, Serializer};

/// The mark at the beginning of a query that only the URLs of a page have.
///
/// It is a tab, because no URL contains one: HTTP servers reject it, and browsers drop it.
pub const URLS_ONLY: char = '\t';

/// A path for URLs and headers that cannot point to another host.
///
/// Browsers read `//host` and `/\host` as an address on that host, so leading slashes and backslashes collapse to one
/// slash. Browsers also drop tabs and line breaks anywhere, and spaces and control characters at the beginning.
pub fn local(path: &str) -> Cow<'_, str> {
    let start = path.trim_start_matches(|c: char| c <= ' ');
    let rest = start.trim_start_matches(|c| is_slash(c) || matches!(c, '\t' | '\n' | '\r'));
    match path.strip_suffix(rest) {
        Some(before) if before.contains('\\') || before.matches('/').nth(1).is_some() => Cow::Owned(format!("/{rest}")),
        _ => Cow::Borrowed(path),
    }
}

/// Whether browsers read a character as a slash.
const fn is_slash(c: char) -> bool {
    matches!(c, '/' | '\\')
}

/// A URL without its fragment, and the fragment with its `#`, or an empty string.
fn split_fragment(url: &str) -> (&str, &str) {
    url.split_at(url.find('#').unwrap_or(url.len()))
}

/// A URL without its query, and the query's parameters, without the `?` and the mark. `/users?` has none;
/// `/users?a&` has an empty one.
fn split_query(address: &str) -> (&str, impl Iterator<Item = &str>) {
    let (base, query) = address.split_once('?').unwrap_or((address, ""));
    let query = query.strip_prefix(URLS_ONLY).unwrap_or(query);
    (base, query.split('&').filter(move |_| !query.is_empty()))
}

/// The URLs of a list's pages. The common part is parsed once.
#[derive(Debug)]
pub struct PageUrls<'a> {
    /// Everything before the value: the path, the other parameters, the key and `=`.
    before: String,
    /// `#` and the fragment, or an empty string.
    fragment: &'a str,
}

impl<'a> PageUrls<'a> {
    /// Removes the parameter `key` from `path`, and puts it last, before the fragment.
    pub fn new(path: Option<&'a str>, key: &str) -> Self {
        let (address, fragment) = split_fragment(path.unwrap_or_default());
        let (base, pairs) = split_query(address);
        let mut before = format!("{}?", local(base));
        for pair in pairs.filter(|pair| !has_name(pair, key)) {
            before.extend([pair, "&"]);
        }
        before.extend(form_urlencoded::byte_serialize(key.as_bytes()));
        before.push('=');
        Self { before, fragment }
    }

    /// The URL of page `number`. Page 0 counts as page 1.
    pub fn page(&self, number: u64) -> PageUrl<'_, u64> {
        PageUrl { urls: self, value: number.max(1) }
    }

    /// The URL of the page at `cursor`.
    pub fn cursor<'u>(&'u self, cursor: &'u str) -> PageUrl<'u, &'u str> {
        PageUrl { urls: self, value: cursor }
    }
}

/// The URL of one page, formatted without allocating a string.
#[derive(Debug)]
pub struct PageUrl<'a, V> {
    urls: &'a PageUrls<'a>,
    value: V,
}

impl<V: Display> Display for PageUrl<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.urls.before)?;
        write!(FormEncoder(f), "{}", self.value)?;
        f.write_str(self.urls.fragment)
    }
}

impl<V: Display> Serialize for PageUrl<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Form-encodes what is written through it.
struct FormEncoder<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl fmt::Write for FormEncoder<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        form_urlencoded::byte_serialize(text.as_bytes()).try_for_each(|part| self.0.write_str(part))
    }
}

/// A URL with several parameters replaced: each is removed from `path`, and put last if it has a value, before the
/// fragment.
pub fn replaced(path: Option<&str>, parameters: &[(&str, Option<&str>)]) -> String {
    let (address, fragment) = split_fragment(path.unwrap_or_default());
    let (base, pairs) = split_query(address);
    let kept = pairs.filter(|pair| !parameters.iter().any(|(key, _)| has_name(pair, key)));
    let added = parameters.iter().filter_map(|(key, value)| {
        let encoded = form_urlencoded::Serializer::new(String::new()).append_pair(key, (*value)?).finish();
        Some(Cow::Owned(encoded))
    });
    let pairs: Vec<_> = kept.map(Cow::Borrowed).chain(added).collect();
    match local(base) {
        // An empty URL would keep the query of the current page.
        base if pairs.is_empty() && !base.is_empty() => format!("{base}{fragment}"),
        base => format!("{base}?{}{fragment}", pairs.join("&")),
    }
}

/// The form-decoded value of the parameter `key` in `query`. If there are several, the last one counts, as in PHP.
pub fn value<'q>(query: &'q str, key: &str) -> Option<Cow<'q, str>> {
    query.rsplit('&').filter_map(decode).find_map(|(name, value)| (name == key).then_some(value))
}

/// The length of a query string without the parameters of these names.
pub fn length_without(query: &str, names: &[&str]) -> usize {
    let kept = query.split('&').filter(|pair| !names.iter().any(|name| has_name(pair, name)));
    kept.map(|pair| pair.len().saturating_add(1)).fold(0, usize::saturating_add).saturating_sub(1)
}

/// Whether a parameter has the name `key`. An empty parameter has no name.
fn has_name(pair: &str, key: &str) -> bool {
    decode(pair).is_some_and(|(name, _)| name == key)
}

/// A parameter's name and value, form-decoded. Invalid escapes are kept. `None` for an empty parameter.
fn decode(pair: &str) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
    form_urlencoded::parse(pair.as_bytes()).next()
}

/// The path of a page's JSON: without a marked query, which only its URLs have.
pub fn bare(path: &str) -> Option<Cow<'_, str>> {
    let (address, _) = split_fragment(path);
    match address.split_once('?') {
        Some(("", query)) if query.starts_with(URLS_ONLY) => None,
        Some((base, query)) if query.starts_with(URLS_ONLY) => Some(local(base)),
        _ => Some(local(path)),
    }
}

/// The path and the query key of a page's URL, given the bare path of its JSON: the reverse of [`PageUrls`].
///
/// The query is marked if the JSON's path does not have it.
pub fn split(url: &str, bare: Option<String>) -> (Option<String>, Option<String>) {
    let (address, fragment) = split_fragment(url);
    let (base, query) = address.split_once('?').unwrap_or((address, ""));
    // The page's own parameter is the last one.
    let (kept, pair) = match query.rsplit_once('&') {
        // Without the page's parameter, a single empty one would be no query.
        Some(("", pair)) => (query, pair),
        Some(kept_and_pair) => kept_and_pair,
        None => ("", query),
    };
    let path = match bare {
        // If the JSON's path has a query or a fragment, it has those of the URLs.
        Some(bare) if bare.contains(['?', '#']) => Some(bare),
        bare if kept.is_empty() && fragment.is_empty() => bare.or((!base.is_empty()).then(|| base.to_owned())),
        _ => Some(format!("{base}?{URLS_ONLY}{kept}{fragment}")),
    };
    (path, decode(pair).map(|(name, _)| name.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_parameter_is_replaced() {
        for (path, key, expected) in [
            (None, "page", "?page=2"),
            (Some(""), "page", "?page=2"),
            (Some("?"), "page", "?page=2"),
            (Some("#top"), "page", "?page=2#top"),
            (Some("?#"), "page", "?page=2#"),
            (Some("/users"), "page", "/users?page=2"),
            (Some("/users?"), "page", "/users?page=2"),
            (Some("/users?page=1"), "page", "/users?page=2"),
            (Some("/users?page"), "page", "/users?page=2"),
            (Some("/users?page=1#top"), "page", "/users?page=2#top"),
            (Some("https://example.com/users?a=1"), "page", "https://example.com/users?a=1&page=2"),
            // Empty parameters are kept.
            (Some("/users?&"), "page", "/users?&&page=2"),
            (Some("/users?&a=1"), "page", "/users?&a=1&page=2"),
            (Some("/users?&&a=1"), "page", "/users?&&a=1&page=2"),
            (Some("/users?a=1&"), "page", "/users?a=1&&page=2"),
            (Some("/users?a=1&&b=2"), "page", "/users?a=1&&b=2&page=2"),
            (Some("/users?a=1&page=1&&b=2#top"), "page", "/users?a=1&&b=2&page=2#top"),
            (Some("/users?&page=1"), "page", "/users?&page=2"),
            (Some("?&a=1"), "page", "?&a=1&page=2"),
            (Some("/users?page&a&page=3&page=4"), "page", "/users?a&page=2"),
            (Some("/users?p%61ge=7&Page=1"), "page", "/users?Page=1&page=2"),
            (Some("/users?page[number]=7"), "page[number]", "/users?page%5Bnumber%5D=2"),
            (Some("/users?weird+key=7&weird%20key=8"), "weird key", "/users?weird+key=2"),
            (Some("/users?q=a?page=3"), "page", "/users?q=a?page=3&page=2"),
            (Some("/users?q=%zz%FF"), "page", "/users?q=%zz%FF&page=2"),
            (Some("/users??page=3"), "page", "/users??page=3&page=2"),
            (Some("/users#a?page=3&b"), "page", "/users?page=2#a?page=3&b"),
            (Some("/users?=1&a=2"), "", "/users?a=2&=2"),
            (Some("/käse#ü"), "ß", "/käse?%C3%9F=2#ü"),
        ] {
            assert_eq!(PageUrls::new(path, key).page(2).to_string(), expected, "{path:?} {key}");
        }
    }

    #[test]
    fn several_parameters_are_replaced() {
        for (path, size, after, expected) in [
            (None, None, None, "?"),
            (Some("/"), None, None, "/"),
            (Some("/users?"), None, None, "/users"),
            (Some("/users?&"), None, None, "/users?&"),
            (Some("/users?\t&a=1&&page[size]=7"), Some("2"), None, "/users?&a=1&&page%5Bsize%5D=2"),
            (Some("/users#top"), None, None, "/users#top"),
            (Some("/users?a=1&&page[size]=7&b"), None, None, "/users?a=1&&b"),
            (Some("/users?page[after]=x&p%61ge%5Bsize%5D=7"), None, Some("y"), "/users?page%5Bafter%5D=y"),
            (Some("/users?a=%zz&a#top"), Some("2"), None, "/users?a=%zz&a&page%5Bsize%5D=2#top"),
            (Some("?\tpage[other]=1"), Some("2"), Some("a b"), "?page[other]=1&page%5Bsize%5D=2&page%5Bafter%5D=a+b"),
            (Some("//host/users"), None, None, "/host/users"),
        ] {
            let url = replaced(path, &[("page[size]", size), ("page[after]", after)]);
            assert_eq!(url, expected, "{path:?}");
        }
    }

    #[test]
    fn a_path_never_names_a_host() {
        for (path, expected) in [
            ("", ""),
            ("/", "/"),
            ("/users//7", "/users//7"),
            ("users", "users"),
            (" users", " users"),
            // A space names no host.
            (" /users", " /users"),
            ("\\users", "/users"),
            (" \\users\\7", "/users\\7"),
            ("\\\tusers", "/users"),
            ("/\tusers", "/\tusers"),
            ("//host/a", "/host/a"),
            ("/\\host", "/host"),
            ("\\\\host\\a", "/host\\a"),
            ("/\t/host", "/host"),
            ("\n\r//host", "/host"),
            ("\u{1} //host", "/host"),
            ("//", "/"),
            ("https://example.com//a", "https://example.com//a"),
        ] {
            assert_eq!(local(path), expected, "{path:?}");
        }
    }

    #[test]
    fn a_cursor_is_form_encoded() {
        let urls = PageUrls::new(Some("/users#top"), "cursor");
        assert_eq!(urls.cursor("a b&c=ü").to_string(), "/users?cursor=a+b%26c%3D%C3%BC#top");
        assert_eq!(urls.cursor("").to_string(), "/users?cursor=#top");
    }

    #[test]
    fn the_last_pair_of_a_name_counts() {
        for (query, expected) in [
            ("", None),
            ("pages=2&mypage=3", None),
            ("page", Some("")),
            ("page=2&page=3&a=4", Some("3")),
            ("page=2&page", Some("")),
            ("p%61ge=a+b%20c=d", Some("a b c=d")),
            ("page=%zz%FF%", Some("%zz\u{FFFD}%")),
        ] {
            assert_eq!(value(query, "page").as_deref(), expected, "{query}");
        }
    }

    #[test]
    fn only_a_marked_query_is_not_part_of_the_json() {
        for (path, expected, next) in [
            ("/users", Some("/users"), "/users?page=2"),
            ("/users?a=1", Some("/users?a=1"), "/users?a=1&page=2"),
            ("/users?&a=1", Some("/users?&a=1"), "/users?&a=1&page=2"),
            ("?&a=1", Some("?&a=1"), "?&a=1&page=2"),
            ("/users?\ta=1&page=1&b", Some("/users"), "/users?a=1&b&page=2"),
            ("/users?\t&a=1&&b#top", Some("/users"), "/users?&a=1&&b&page=2#top"),
            ("/users?\tpage=1", Some("/users"), "/users?page=2"),
            ("/users?\t", Some("/users"), "/users?page=2"),
            ("//host?\ta=1", Some("/host"), "/host?a=1&page=2"),
            ("?\ta=1", None, "?a=1&page=2"),
            // A tab elsewhere in the query is not the mark.
            ("/users?a=1?\tb", Some("/users?a=1?\tb"), "/users?a=1?\tb&page=2"),
            ("/users#?\tb", Some("/users#?\tb"), "/users?page=2#?\tb"),
        ] {
            assert_eq!(bare(path).as_deref(), expected, "{path}");
            assert_eq!(PageUrls::new(Some(path), "page").page(2).to_string(), next, "{path}");
        }
    }

    #[test]
    fn a_path_follows_from_a_url_and_the_path_of_the_json() {
        for path in [
            "/users",
            "/users?",
            "/users?a=1",
            "/users?&a=1",
            "/users?a=1&&b=2&",
            "/users?&page=3",
            "?&",
            "/users?\ta=1",
            "/users?\t&",
            "/users?\t&page=3",
            "/users?\t&a=1&page=3#top",
            "?\t&a=1",
            "?\t&page=3",
        ] {
            let links = |path: Option<&str>| PageUrls::new(path, "page").page(2).to_string();
            let (again, key) = split(&links(Some(path)), bare(path).map(Cow::into_owned));
            assert_eq!(key.as_deref(), Some("page"), "{path:?}");
            assert_eq!(links(again.as_deref()), links(Some(path)), "{path:?}");
            assert_eq!(again.as_deref().and_then(bare), bare(path), "{path:?}");
        }
    }
}
