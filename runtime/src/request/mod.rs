//! The active request, found through a task-local: its URI, method and headers.

pub(crate) mod context;
pub(crate) mod filters;
pub(crate) mod parse;
pub(crate) mod per_page;
pub(crate) mod sorts;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use folio_plan::url;
use http::{Extensions, HeaderMap, HeaderName, HeaderValue};

tokio::task_local! {
    /// The request that the current task handles.
    static ACTIVE: ActiveRequest;
}

/// The request that is being handled: its URI, method and headers.
///
/// Inside [`scope`](Self::scope), queries read their page number or cursor from it. Cloning is cheap.
///
/// The active request belongs to the task. A spawned task has none, so its queries read the first page unless you pass
/// the request on:
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
///     let passed_on = tokio::spawn(async move { request.scope(page()).await });
///     assert_eq!(passed_on.await.unwrap(), Some(3));
/// }).await;
/// # });
/// ```
///
/// With the feature `axum`, the layer from `Folio::layer` opens the scope for each request; with the feature `actix`,
/// the middleware from `Folio::middleware` does. With any other framework, wrap the handler:
/// `ActiveRequest::new(uri).scope(handler).await`, where `uri` is the URI that the client sent. folio itself only uses
/// the method and the headers for [Inertia pages](crate::inertia).
#[derive(Clone, PartialEq, Eq)]
pub struct ActiveRequest {
    // Shared, because a request is cloned more often than it is built.
    parts: Arc<Parts>,
}

#[derive(Clone, PartialEq, Eq)]
struct Parts {
    uri: String,
    method: Cow<'static, str>,
    headers: HeaderMap,
    extensions: RequestExtensions,
    has_written: Flag,
}

/// Whether the request may have written to the database. It is ignored when requests are compared.
#[derive(Default)]
struct Flag(AtomicBool);

impl Clone for Flag {
    fn clone(&self) -> Self {
        Self(AtomicBool::new(self.0.load(Ordering::Relaxed)))
    }
}

impl PartialEq for Flag {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Flag {}

/// Values that middleware has added to a request. They are ignored when requests are compared.
#[derive(Clone, Default)]
struct RequestExtensions(Extensions);

impl PartialEq for RequestExtensions {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for RequestExtensions {}

impl fmt::Debug for ActiveRequest {
    /// Shows only the names of the headers, because their values can be credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<&str> = self.parts.headers.keys().map(HeaderName::as_str).collect();
        f.debug_struct("ActiveRequest")
            .field("uri", &self.uri())
            .field("method", &self.method())
            .field("headers", &headers)
            .finish()
    }
}

impl ActiveRequest {
    /// Creates a `GET` request without headers. `uri` is a path with or without a query, a query alone, or an absolute
    /// URI.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// assert_eq!(ActiveRequest::new("/users?page=2").page("page"), 2);
    /// assert_eq!(ActiveRequest::new("?page=2").page("page"), 2);
    /// assert_eq!(ActiveRequest::new("https://example.com/users?page=2").page("page"), 2);
    /// ```
    #[must_use]
    pub fn new(uri: &str) -> Self {
        let (uri, method, headers) = (uri.to_owned(), Cow::Borrowed("GET"), HeaderMap::new());
        let parts =
            Parts { uri, method, headers, extensions: RequestExtensions::default(), has_written: Flag::default() };
        Self { parts: Arc::new(parts) }
    }

    /// Sets the method, in upper case. The default is `GET`.
    ///
    /// ```
    /// let request = folio::ActiveRequest::new("/users").with_method("HEAD");
    /// assert_eq!(request.method(), "HEAD");
    /// ```
    #[must_use]
    pub fn with_method(mut self, method: &str) -> Self {
        // The usual methods need no allocation.
        let method = match method {
            "GET" => Cow::Borrowed("GET"),
            "HEAD" => Cow::Borrowed("HEAD"),
            "POST" => Cow::Borrowed("POST"),
            other => Cow::Owned(other.to_owned()),
        };
        self.parts_mut().method = method;
        self
    }

    /// Sets all headers, for a framework that has them as a [`HeaderMap`] of the crate `http`.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// let (received, ()) = http::Request::get("/users").header("X-Inertia", "true").body(())?.into_parts();
    /// let request = ActiveRequest::new(&received.uri.to_string())
    ///     .with_method(received.method.as_str())
    ///     .with_headers(received.headers);
    /// assert_eq!(request.header("x-inertia"), Some("true"));
    /// # http::Result::Ok(())
    /// ```
    #[must_use]
    pub fn with_headers(mut self, headers: HeaderMap) -> Self {
        self.parts_mut().headers = headers;
        self
    }

    /// Adds a header. If the request already has headers with this name, it is added to them.
    ///
    /// A header whose name or value HTTP does not allow, such as one with a line break, is left out, and its name is
    /// logged through `tracing`.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// let request = ActiveRequest::new("/users").with_header("X-Inertia", "true");
    /// assert_eq!(request.header("x-inertia"), Some("true"));
    ///
    /// let request = ActiveRequest::new("/users").with_header("not a name", "").with_header("a", "1\r\nb: 2");
    /// assert_eq!((request.header("not a name"), request.header("a")), (None, None));
    /// ```
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        // `append` would panic on a full map.
        let added = header(name, value).map(|(name, value)| self.parts_mut().headers.try_append(name, value));
        if !matches!(added, Some(Ok(_))) {
            tracing::warn!(name, "an invalid header was left out of the active request");
        }
        self
    }

    /// Sets the extensions: values by type that middleware adds to a request, such as the signed-in user.
    ///
    /// With the feature `axum`, the layer from `Folio::layer` sets the extensions that middleware outside of it has
    /// added. Middleware inside it, for example one that reads the user from the database, has to open a scope itself
    /// for what it adds:
    ///
    /// ```
    /// use axum::{extract::Request, middleware::Next, response::Response};
    /// use folio::ActiveRequest;
    ///
    /// async fn sign_in(mut request: Request, next: Next) -> Response {
    ///     request.extensions_mut().insert(User(7));
    ///     let active = ActiveRequest::current().unwrap_or_else(|| ActiveRequest::new("/"));
    ///     active.with_extensions(request.extensions().clone()).scope(next.run(request)).await
    /// }
    /// # #[derive(Clone)]
    /// # struct User(i64);
    /// # let _ = axum::middleware::from_fn::<_, (Request,)>(sign_in);
    /// ```
    ///
    /// actix-web's extensions cannot leave their thread, so folio's middleware does not copy them. Middleware inside it
    /// can pass on extensions in the same way: see [the guide](crate::guide::frameworks#actix-web).
    ///
    /// Comparing two requests ignores their extensions.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// #[derive(Clone, Debug, PartialEq)]
    /// struct User(i64);
    ///
    /// let mut extensions = http::Extensions::new();
    /// extensions.insert(User(7));
    /// let request = ActiveRequest::new("/users").with_extensions(extensions);
    /// assert_eq!(request.extension(), Some(&User(7)));
    /// ```
    #[must_use]
    pub fn with_extensions(mut self, extensions: Extensions) -> Self {
        self.parts_mut().extensions = RequestExtensions(extensions);
        self
    }

    /// Runs `future` with this as its active request. If scopes are nested, the innermost one applies.
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

    /// The active request of this task; `None` outside of a [`scope`](Self::scope).
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

    /// The method, as the client sent it.
    ///
    /// ```
    /// assert_eq!(folio::ActiveRequest::new("/users").method(), "GET");
    /// ```
    #[must_use]
    pub fn method(&self) -> &str {
        &self.parts.method
    }

    /// The first value of the header `name`, which is compared case-insensitively. Values that are not UTF-8 are
    /// ignored.
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
        let mut values = self.parts.headers.get_all(name).iter();
        values.find_map(|value| str::from_utf8(value.as_bytes()).ok())
    }

    /// The extension of type `T`: see [`with_extensions`](Self::with_extensions).
    ///
    /// ```
    /// let request = folio::ActiveRequest::new("/users");
    /// assert_eq!(request.extension::<String>(), None);
    /// ```
    #[must_use]
    pub fn extension<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.parts.extensions.0.get()
    }

    /// The path as the client sent it, without scheme and host; empty if the URI has no path.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// assert_eq!(ActiveRequest::new("https://example.com/users?page=2").path(), "/users");
    /// assert_eq!(ActiveRequest::new("?page=2").path(), "");
    /// ```
    #[must_use]
    pub fn path(&self) -> &str {
        parse::path_and_query(self.uri()).0
    }

    /// The query as the client sent it, without the `?` and without a fragment.
    ///
    /// ```
    /// use folio::ActiveRequest;
    ///
    /// assert_eq!(ActiveRequest::new("/users?page=2#top").query(), Some("page=2"));
    /// assert_eq!(ActiveRequest::new("/users").query(), None);
    /// ```
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        parse::path_and_query(self.uri()).1
    }

    /// The decoded value of the query key `name`. If the key repeats, the last one counts.
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
    /// A page number consists of ASCII digits. Any other text, 0 and a missing key count as page 1, and a number above
    /// `u64::MAX` as `u64::MAX`. If the key repeats, the last one counts.
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
        self.value(name).map_or(1, |text| parse::page_number(&text))
    }

    /// The cursor under the query key `name`. An empty value counts as none, which means the first page.
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

    /// Notes that the request may write to the database from now on.
    pub(crate) fn may_write(&self) {
        self.parts.has_written.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn has_written(&self) -> bool {
        self.parts.has_written.0.load(Ordering::Relaxed)
    }

    /// The parts, to be changed. They are cloned if other clones share them.
    fn parts_mut(&mut self) -> &mut Parts {
        Arc::make_mut(&mut self.parts)
    }
}

/// Runs `work` with `request` as its active request.
#[cfg(any(feature = "actix", feature = "axum"))]
pub(crate) fn within<R>(request: ActiveRequest, work: impl FnOnce() -> R) -> R {
    ACTIVE.sync_scope(request, work)
}

/// A header, if HTTP allows its name and its value.
fn header(name: &str, value: &str) -> Option<(HeaderName, HeaderValue)> {
    HeaderName::try_from(name).ok().zip(HeaderValue::from_bytes(value.as_bytes()).ok())
}

#[cfg(test)]
mod tests;
