//! The request that is being answered, found through the task: its page number, its cursor and its headers.

pub(crate) mod headers;
pub(crate) mod per_page;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::request::headers::Headers;
use crate::{app, url};

tokio::task_local! {
    /// The request that the current task answers.
    static ACTIVE: ActiveRequest;
}

/// The request that is being answered.
///
/// Inside [`scope`](Self::scope) a query reads its page number or cursor from here. A clone is cheap.
///
/// The active request belongs to the task: a task that is spawned has none, and reads the first page, until the
/// request is handed on to it.
///
/// ```
/// use folio::ActiveRequest;
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let page = async || ActiveRequest::current().map(|request| request.page("page"));
/// ActiveRequest::new("/users?page=3").scope(async {
///     assert_eq!(page().await, Some(3));
///     assert_eq!(tokio::spawn(async move { page().await }).await.unwrap(), None);
///
///     let request = ActiveRequest::current().unwrap();
///     let handed_on = tokio::spawn(async move { request.scope(page()).await });
///     assert_eq!(handed_on.await.unwrap(), Some(3));
/// }).await;
/// # });
/// ```
///
/// Feature `axum` has a layer that does this for each request. With any other framework it is one line around the
/// handler: `ActiveRequest::new(uri).scope(handler).await`, where `uri` is what the client sent.
#[derive(Clone, PartialEq, Eq)]
pub struct ActiveRequest {
    // One allocation to share: a request is handed on more often than it is put together.
    parts: Arc<Parts>,
}

/// What is known of a request.
#[derive(Clone, PartialEq, Eq)]
struct Parts {
    uri: String,
    method: Cow<'static, str>,
    headers: Headers,
}

impl fmt::Debug for ActiveRequest {
    /// Of the headers only the names are shown: values are cookies and credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<&str> = self.parts.headers.names().collect();
        f.debug_struct("ActiveRequest")
            .field("uri", &self.uri())
            .field("method", &self.method())
            .field("headers", &headers)
            .finish()
    }
}

impl ActiveRequest {
    /// A request for `uri`: a path with or without a query, a query alone, or an absolute URI.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// assert_eq!(ActiveRequest::new("/users?page=2").page("page"), 2);
    /// assert_eq!(ActiveRequest::new("?page=2").page("page"), 2);
    /// ```
    #[must_use]
    pub fn new(uri: &str) -> Self {
        Self::with_parts(uri.to_owned(), Cow::Borrowed("GET"), Headers::default())
    }

    fn with_parts(uri: String, method: Cow<'static, str>, headers: Headers) -> Self {
        Self { parts: Arc::new(Parts { uri, method, headers }) }
    }

    /// The same request with this method; without one it is a `GET`.
    ///
    /// ```
    /// let request = folio::ActiveRequest::new("/users").with_method("HEAD");
    /// assert_eq!(request.method(), "HEAD");
    /// ```
    #[must_use]
    pub fn with_method(mut self, method: &str) -> Self {
        Arc::make_mut(&mut self.parts).method = Cow::Owned(method.to_owned());
        self
    }

    /// The same request with one more header.
    ///
    /// ```
    /// let request = folio::ActiveRequest::new("/users").with_header("X-Inertia", "true");
    /// assert_eq!(request.header("x-inertia"), Some("true"));
    /// ```
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        Arc::make_mut(&mut self.parts).headers.push(name, value);
        self
    }

    /// Runs `future` with this as its active request, which hides the one around it.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let request = ActiveRequest::new("/users?page=2");
    /// let active = request.clone().scope(async { ActiveRequest::current() }).await;
    /// assert_eq!(active, Some(request));
    /// # });
    /// ```
    // Not an `async fn`, which would store the future twice.
    pub fn scope<F: Future>(self, future: F) -> impl Future<Output = F::Output> {
        ACTIVE.scope(self, future)
    }

    /// The active request of this task, if it has one.
    ///
    /// ```
    /// assert_eq!(folio::ActiveRequest::current(), None);
    /// ```
    #[must_use]
    pub fn current() -> Option<Self> {
        ACTIVE.try_with(Self::clone).ok()
    }

    /// The URI as it was given.
    ///
    /// ```
    /// let request = folio::ActiveRequest::new("/users?page=2#top");
    /// assert_eq!(request.uri(), "/users?page=2#top");
    /// ```
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.parts.uri
    }

    /// The method, in capitals as the client sent it.
    ///
    /// ```
    /// assert_eq!(folio::ActiveRequest::new("/users").method(), "GET");
    /// ```
    #[must_use]
    pub fn method(&self) -> &str {
        &self.parts.method
    }

    /// The value of the first header of this name, case-insensitively. Values that are not UTF-8 are ignored.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// let request = ActiveRequest::new("/users").with_header("accept", "text/html");
    /// assert_eq!(request.header("Accept"), Some("text/html"));
    /// assert_eq!(request.header("cookie"), None);
    /// ```
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.parts.headers.value(name)
    }

    /// The path as the client sent it, without scheme and host; empty where the URI has none.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// assert_eq!(ActiveRequest::new("https://example.com/users?page=2").path(), "/users");
    /// assert_eq!(ActiveRequest::new("?page=2").path(), "");
    /// ```
    #[must_use]
    pub fn path(&self) -> &str {
        self.parts().0
    }

    /// The query as the client sent it, without its `?` and without a fragment.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// assert_eq!(ActiveRequest::new("/users?page=2#top").query(), Some("page=2"));
    /// assert_eq!(ActiveRequest::new("/users").query(), None);
    /// ```
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.parts().1
    }

    /// The value under the query key `name`, decoded. Of a repeated key the last one counts.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// assert_eq!(ActiveRequest::new("?q=a+b%26c").value("q").as_deref(), Some("a b&c"));
    /// assert_eq!(ActiveRequest::new("?q").value("q").as_deref(), Some(""));
    /// assert_eq!(ActiveRequest::new("?q").value("page"), None);
    /// ```
    #[must_use]
    pub fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        url::value(self.query()?, name)
    }

    /// The page number under the query key `name`, at least 1.
    ///
    /// Only ASCII digits are a number: anything else, 0 and a missing key are page 1, and a number too large for a
    /// `u64` is the largest one. Of a repeated key the last one counts.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// assert_eq!(ActiveRequest::new("?page=7").page("page"), 7);
    /// assert_eq!(ActiveRequest::new("?page=-7").page("page"), 1);
    /// assert_eq!(ActiveRequest::new("?page=99999999999999999999").page("page"), u64::MAX);
    /// ```
    #[must_use]
    pub fn page(&self, name: &str) -> u64 {
        self.value(name).map_or(1, |text| page_number(&text))
    }

    /// The cursor under the query key `name`. An empty one is none: the first page.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// assert_eq!(ActiveRequest::new("?cursor=AbC").cursor("cursor").as_deref(), Some("AbC"));
    /// assert_eq!(ActiveRequest::new("?cursor=").cursor("cursor"), None);
    /// ```
    #[must_use]
    pub fn cursor(&self, name: &str) -> Option<String> {
        self.value(name).filter(|text| !text.is_empty()).map(String::from)
    }

    /// The path and the query.
    fn parts(&self) -> (&str, Option<&str>) {
        let uri = self.uri().split_once('#').map_or(self.uri(), |(before, _)| before);
        match uri.split_once('?') {
            Some((address, query)) => (path(address), Some(query)),
            None => (path(uri), None),
        }
    }
}

#[cfg(feature = "axum")]
impl ActiveRequest {
    /// A request as it came in. `uri` has its path whole, where a router has taken off a part.
    pub(crate) fn received(
        uri: &axum::http::Uri,
        method: &axum::http::Method,
        headers: &axum::http::HeaderMap,
    ) -> Self {
        // What is before the path names the server, which no URL of folio's does.
        let uri = uri.path_and_query().map_or("", |sent| sent.as_str());
        let method = match method.as_str() {
            "GET" => Cow::Borrowed("GET"),
            "HEAD" => Cow::Borrowed("HEAD"),
            other => Cow::Owned(other.to_owned()),
        };
        let texts = headers.iter().filter_map(|(name, value)| {
            // Values that are not UTF-8 are ignored.
            Some((name.as_str(), str::from_utf8(value.as_bytes()).ok()?))
        });
        Self::with_parts(uri.to_owned(), method, texts.collect())
    }
}

/// Runs `work` with this as its active request.
#[cfg(feature = "axum")]
pub(crate) fn within<R>(request: ActiveRequest, work: impl FnOnce() -> R) -> R {
    ACTIVE.sync_scope(request, work)
}

/// The page that the active request asks for under the key `name`, or the first.
pub(crate) fn current_page(name: &str) -> u64 {
    ACTIVE.try_with(|request| request.page(name)).unwrap_or(1)
}

/// The cursor that the active request carries under the key `name`.
pub(crate) fn current_cursor(name: &str) -> Option<String> {
    ACTIVE.try_with(|request| request.cursor(name)).ok().flatten()
}

/// A page number from the text that a client sent.
fn page_number(text: &str) -> u64 {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return 1;
    }
    // Digits only fail to parse if there are too many.
    text.parse().unwrap_or(u64::MAX).max(1)
}

/// An address without its scheme and host.
fn path(address: &str) -> &str {
    match address.split_once("://") {
        Some((scheme, rest)) if !scheme.contains('/') => rest.find('/').and_then(|at| rest.get(at..)).unwrap_or(""),
        _ => address,
    }
}

/// The path and the query of the active request as the path of page URLs, if a query or the application keeps them.
///
/// The query begins with `&`, so that the URLs have it and the JSON's `path` does not: see [`crate::url::bare`].
pub(crate) fn page_path(keeps_query_string: bool) -> Option<String> {
    if !keeps_query_string && !app::keeps_query_string() {
        return None;
    }
    let path_and_query = |request: &ActiveRequest| match request.query() {
        None | Some("") => request.path().to_owned(),
        Some(query) => format!("{}?&{query}", request.path()),
    };
    ACTIVE.try_with(path_and_query).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_falls_into_path_and_query() {
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
    fn only_ascii_digits_are_a_page() {
        for (text, page) in [("007", 7), ("18446744073709551615", u64::MAX), ("18446744073709551616", u64::MAX)] {
            assert_eq!(page_number(text), page, "{text}");
        }
        for text in ["", "0", "000", "+5", " 5", "5 ", "1.5", "-1", "1e3", "0x5", "1_0", "９", "5\0"] {
            assert_eq!(page_number(text), 1, "{text:?}");
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
        assert_eq!(shown, r#"ActiveRequest { uri: "/users", method: "GET", headers: ["Cookie"] }"#);
    }

    #[test]
    fn a_clone_keeps_what_it_had() {
        let request = ActiveRequest::new("/users");
        let posted = request.clone().with_method("POST").with_header("a", "b");
        assert_eq!((request.method(), request.header("a")), ("GET", None));
        assert_eq!((posted.method(), posted.header("a"), posted.uri()), ("POST", Some("b"), "/users"));
    }

    #[test]
    fn without_a_request_the_first_page_is_read() {
        assert_eq!((current_page("page"), current_cursor("cursor")), (1, None));
        let inside = ACTIVE.sync_scope(ActiveRequest::new("?page=2&cursor=c"), || {
            (current_page("page"), current_cursor("cursor"), current_page("other"))
        });
        assert_eq!(inside, (2, Some("c".to_owned()), 1));
    }
}
