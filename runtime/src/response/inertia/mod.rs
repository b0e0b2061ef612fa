//! Pages for an Inertia front end, with lists that `<InfiniteScroll>` scrolls through.
//!
//! The page object is written here and not by an adapter, for none on crates.io knows scroll props. The client is that
//! of version 2.3 or 3.

mod config;
mod scroll;
mod visit;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::value::{RawValue, to_raw_value};

pub use self::scroll::{PageIdentifier, ProvidesScrollMetadata, ScrollMetadata, ScrollProp};
use self::visit::Visit;
#[cfg(feature = "axum")]
pub(crate) use self::visit::location_of_stale;
use crate::app;
use crate::error::{FrameworkError, Result};
use crate::inertia_settings::Shell;

/// The group of deferred props that the client asks for together, where no other is named.
const DEFAULT_GROUP: &str = "default";

/// Answers with a page of an Inertia front end: a component and its props.
///
/// ```
/// # #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
/// # struct Post { id: i64, title: String }
/// use folio::{Inertia, InertiaResponse, Result};
///
/// /// Rendered by `<InfiniteScroll data="posts">` in the component `Posts/Index`.
/// async fn posts() -> Result<InertiaResponse> {
///     let posts = Post::query().cursor_paginate(15).await?;
///     Ok(Inertia::render("Posts/Index").prop("title", "All posts").paginate("posts", posts))
/// }
/// # let response = Inertia::render("Posts/Index");
/// # assert!(response.page_object().unwrap().starts_with(r#"{"component":"Posts/Index","props":{"errors":{}}"#));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Inertia;

impl Inertia {
    /// A page that shows `component`, so far without props.
    ///
    /// ```
    /// let page = folio::Inertia::render("Posts/Show").page_object()?;
    /// assert!(page.starts_with(r#"{"component":"Posts/Show","props":{"errors":{}}"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn render(component: impl Into<String>) -> InertiaResponse {
        let component = component.into();
        let visit = Visit::of(&component);
        InertiaResponse { component, visit, errors: None, props: Vec::new(), late: Vec::new(), failure: None }
    }

    /// A page that shows `component` with a list under `key`.
    ///
    /// ```
    /// use folio::{Inertia, LengthAwarePaginator};
    ///
    /// let posts = LengthAwarePaginator::new(vec!["c", "d"], 5, 2, 2);
    /// let page = Inertia::paginate("Posts", "posts", posts).page_object()?;
    /// assert!(page.contains(r#""posts":["c","d"]"#));
    /// assert!(page.contains(r#""scrollProps":{"posts":{"pageName":"page","previousPage":1,"nextPage":3,"currentPage":2,"reset":false}}"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn paginate(component: impl Into<String>, key: &str, page: impl Into<ScrollProp>) -> InertiaResponse {
        Self::render(component).paginate(key, page)
    }
}

/// A page of an Inertia front end, made by [`Inertia`]: the whole page for a first visit, else the props that are asked
/// for. It reads the active request when it is made.
///
/// With feature `axum` it is a response; with any other framework [`answer`](Self::answer) gives its parts.
///
/// ```
/// use folio::{Inertia, InertiaResponse, Paginator};
///
/// let response: InertiaResponse = Inertia::paginate("Posts", "posts", Paginator::new(vec![1, 2], 1, 2, true));
/// assert!(response.wants("posts"));
/// assert!(response.page_object()?.contains(r#""posts":[1,2]"#));
/// # Ok::<_, folio::FrameworkError>(())
/// ```
#[derive(Debug)]
pub struct InertiaResponse {
    component: String,
    visit: Visit,
    errors: Option<Box<RawValue>>,
    props: Vec<Prop>,
    /// The deferred props that the client has still to ask for, by group.
    late: Vec<(String, Vec<String>)>,
    failure: Option<FrameworkError>,
}

#[derive(Debug)]
struct Prop {
    key: String,
    value: Box<RawValue>,
    scroll: Option<Scroll>,
}

/// What the client is told of a list.
#[derive(Debug)]
struct Scroll {
    metadata: ScrollMetadata,
    /// Where in the prop the rows are.
    path: String,
    match_on: Option<String>,
    reset: bool,
}

impl InertiaResponse {
    /// Adds a prop, which takes the place of one that has its key.
    ///
    /// On a partial reload that does not ask for it, it is not sent; [`wants`](Self::wants) tells before it is made.
    ///
    /// ```
    /// let page = folio::Inertia::render("Posts").prop("title", "All").prop("title", "All posts").page_object()?;
    /// assert!(page.contains(r#""title":"All posts""#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn prop(mut self, key: &str, value: impl Serialize) -> Self {
        if self.visit.wants(key, false) {
            self.push(key, to_raw_value(&value), None);
        }
        self
    }

    /// Adds a list that the client scrolls through: any of the three pages, or a [`ScrollProp`].
    ///
    /// ```
    /// use folio::{Inertia, Paginator};
    ///
    /// let posts = Paginator::new(vec![1, 2], 1, 2, true);
    /// let page = Inertia::render("Posts").prop("title", "All posts").paginate("posts", posts).page_object()?;
    /// assert!(page.contains(r#""title":"All posts","posts":[1,2]"#));
    /// assert!(page.contains(r#""mergeProps":["posts"]"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn paginate(mut self, key: &str, page: impl Into<ScrollProp>) -> Self {
        if self.visit.wants(key, false) {
            self.scroll(key, page.into());
        }
        self
    }

    /// Adds a list that the client asks for once it shows the page: `load` runs only then.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// use folio::{Inertia, Paginator};
    ///
    /// let load = async || -> folio::Result<Paginator<i64>> { unreachable!("the first visit does not ask for it") };
    /// let page = Inertia::render("Posts").defer("posts", load).await?.page_object()?;
    /// assert!(page.contains(r#""deferredProps":{"default":["posts"]}"#));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of `load`.
    pub async fn defer<P: Into<ScrollProp>>(self, key: &str, load: impl AsyncFnOnce() -> Result<P>) -> Result<Self> {
        self.defer_in(DEFAULT_GROUP, key, load).await
    }

    /// As [`defer`](Self::defer); all of a group are asked for in one request.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// use folio::{Inertia, Paginator};
    ///
    /// let posts = async || Ok(Paginator::new(vec![1, 2], 1, 2, true));
    /// let tags = async || Ok(Paginator::new(vec!["rust"], 1, 1, false));
    /// let page = Inertia::render("Posts").defer_in("lists", "posts", posts).await?.defer_in("lists", "tags", tags).await?;
    /// assert!(page.page_object()?.contains(r#""deferredProps":{"lists":["posts","tags"]}"#));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of `load`.
    pub async fn defer_in<P: Into<ScrollProp>>(
        mut self,
        group: &str,
        key: &str,
        load: impl AsyncFnOnce() -> Result<P>,
    ) -> Result<Self> {
        if self.visit.is_partial() {
            return self.optional(key, load).await;
        }
        match self.late.iter_mut().find(|(name, _)| name == group) {
            Some((_, keys)) => keys.push(key.to_owned()),
            None => self.late.push((group.to_owned(), vec![key.to_owned()])),
        }
        Ok(self)
    }

    /// Adds a list that is sent only where the client asks for it: `load` runs only then.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// use folio::{ActiveRequest, Inertia, Paginator};
    ///
    /// let page = async || {
    ///     let posts = async || Ok(Paginator::new(vec![1, 2], 1, 2, true));
    ///     Inertia::render("Posts").optional("posts", posts).await?.page_object()
    /// };
    /// assert!(!page().await?.contains("posts"));
    ///
    /// let request = ActiveRequest::new("/")
    ///     .with_header("X-Inertia", "true")
    ///     .with_header("X-Inertia-Partial-Component", "Posts")
    ///     .with_header("X-Inertia-Partial-Data", "posts");
    /// assert!(request.scope(page()).await?.contains(r#""posts":[1,2]"#));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Those of `load`.
    pub async fn optional<P: Into<ScrollProp>>(
        mut self,
        key: &str,
        load: impl AsyncFnOnce() -> Result<P>,
    ) -> Result<Self> {
        if self.visit.wants(key, true) {
            self.scroll(key, load().await?.into());
        }
        Ok(self)
    }

    /// Sets the errors of a form, by field. They are sent on every visit.
    ///
    /// ```
    /// use folio::Inertia;
    ///
    /// let errors = serde_json::json!({ "title": "is missing" });
    /// let page = Inertia::render("Posts/Edit").errors(errors).page_object()?;
    /// assert!(page.contains(r#""errors":{"title":"is missing"}"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn errors(mut self, errors: impl Serialize) -> Self {
        match to_raw_value(&errors) {
            Ok(errors) => self.errors = Some(errors),
            Err(error) => self.fail("errors", &error),
        }
        self
    }

    /// Whether this visit requests a prop, so that expensive props can be skipped.
    ///
    /// ```
    /// use folio::{ActiveRequest, Inertia};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let request = ActiveRequest::new("/posts?page=2")
    ///     .with_header("X-Inertia", "true")
    ///     .with_header("X-Inertia-Partial-Component", "Posts")
    ///     .with_header("X-Inertia-Partial-Data", "posts");
    /// let response = request.scope(async { Inertia::render("Posts") }).await;
    /// assert!(response.wants("posts") && !response.wants("tags"));
    /// # }
    /// ```
    #[must_use]
    pub fn wants(&self, key: &str) -> bool {
        self.visit.wants(key, false)
    }

    /// The page object: what a first visit's document has in it, and every other visit is answered with.
    ///
    /// ```
    /// let page = folio::Inertia::render("Posts").prop("title", "All posts").page_object()?;
    /// let page: serde_json::Value = serde_json::from_str(&page).unwrap();
    /// assert_eq!(page["props"]["title"], "All posts");
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] where a prop cannot be written as JSON.
    pub fn page_object(self) -> Result<String> {
        app::with_shell(|shell| self.written(shell))
    }

    /// The answer as its parts, for a framework that folio has no feature for. For an example see
    /// [`InertiaAnswer`].
    ///
    /// ```
    /// let answer = folio::Inertia::render("Posts").answer()?;
    /// assert!(answer.headers.contains(&("Vary", "X-Inertia")));
    /// assert!(answer.body.contains("data-page"));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] where a prop cannot be written as JSON.
    pub fn answer(self) -> Result<InertiaAnswer> {
        app::with_shell(|shell| {
            let inertia = self.visit.inertia;
            let page = self.written(shell)?;
            Ok(if inertia {
                let headers = vec![("Content-Type", "application/json"), ("Vary", "X-Inertia"), ("X-Inertia", "true")];
                InertiaAnswer { headers, body: page }
            } else {
                let headers = vec![("Content-Type", "text/html; charset=utf-8"), ("Vary", "X-Inertia")];
                InertiaAnswer { headers, body: config::document(shell, &page) }
            })
        })
    }

    fn push(&mut self, key: &str, value: serde_json::Result<Box<RawValue>>, scroll: Option<Scroll>) {
        match value {
            Ok(value) => {
                self.props.retain(|prop| prop.key != key);
                self.props.push(Prop { key: key.to_owned(), value, scroll });
            }
            Err(error) => self.fail(key, &error),
        }
    }

    fn scroll(&mut self, key: &str, prop: ScrollProp) {
        let path = prop.wrapper.as_ref().map_or_else(|| key.to_owned(), |name| format!("{key}.{name}"));
        let (metadata, match_on) = (prop.metadata.clone(), prop.match_on.clone());
        let scroll = Scroll { metadata, path, match_on, reset: self.visit.resets(key) };
        self.push(key, prop.value(), Some(scroll));
    }

    fn fail(&mut self, key: &str, error: &serde_json::Error) {
        self.failure = Some(FrameworkError::internal(format!("the prop `{key}` cannot be written as JSON: {error}")));
    }

    fn written(mut self, shell: &Shell) -> Result<String> {
        for (key, value) in &shell.shared {
            if self.visit.wants(key, false) && !self.props.iter().any(|prop| prop.key == **key) {
                self.push(key, value(), None);
            }
        }
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => serde_json::to_string(&PageObject { page: &self, shell })
                .map_err(|error| FrameworkError::internal(format!("a page cannot be written as JSON: {error}"))),
        }
    }
}

/// An answer in parts; its status is 200.
///
/// ```
/// use folio::{ActiveRequest, Inertia};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// let request = ActiveRequest::new("/about").with_header("X-Inertia", "true");
/// let answer = request.scope(async { Inertia::render("About").answer() }).await?;
/// assert!(answer.headers.contains(&("X-Inertia", "true")));
/// assert_eq!(answer.body, r#"{"component":"About","props":{"errors":{}},"url":"/about","version":null}"#);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct InertiaAnswer {
    /// The headers, by name.
    pub headers: Vec<(&'static str, &'static str)>,
    /// The body.
    pub body: String,
}

/// The page object as it is written: what is empty is left out, but for the four keys of every page.
struct PageObject<'a> {
    page: &'a InertiaResponse,
    shell: &'a Shell,
}

impl Serialize for PageObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { page, shell } = *self;
        let lists = || page.props.iter().filter_map(|prop| Some((prop.key.as_str(), prop.scroll.as_ref()?)));
        let merged = || lists().map(|(_, scroll)| scroll).filter(|scroll| !scroll.reset);
        let paths: Vec<&str> = merged().map(|scroll| scroll.path.as_str()).collect();
        let matched: Vec<String> =
            merged().filter_map(|scroll| Some(format!("{}.{}", scroll.path, scroll.match_on.as_ref()?))).collect();

        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("component", &page.component)?;
        map.serialize_entry("props", &Props(page))?;
        map.serialize_entry("url", &page.visit.url)?;
        map.serialize_entry("version", &shell.version.as_deref())?;
        if !paths.is_empty() {
            let key = if page.visit.prepends { "prependProps" } else { "mergeProps" };
            map.serialize_entry(key, &paths)?;
        }
        if !matched.is_empty() {
            map.serialize_entry("matchPropsOn", &matched)?;
        }
        if lists().next().is_some() {
            map.serialize_entry("scrollProps", &Entries(lists().map(|(key, scroll)| (key, Told(scroll)))))?;
        }
        if !page.late.is_empty() {
            map.serialize_entry("deferredProps", &Entries(page.late.iter().map(|(group, keys)| (group, keys))))?;
        }
        map.end()
    }
}

/// The props, `errors` among them.
struct Props<'a>(&'a InertiaResponse);

impl Serialize for Props<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.0.errors {
            Some(errors) => map.serialize_entry("errors", errors)?,
            None => map.serialize_entry("errors", &Entries(std::iter::empty::<(&str, &str)>()))?,
        }
        for prop in self.0.props.iter().filter(|prop| prop.key != "errors") {
            map.serialize_entry(&prop.key, &prop.value)?;
        }
        map.end()
    }
}

/// An object of these entries.
struct Entries<I>(I);

impl<K: Serialize, V: Serialize, I: Iterator<Item = (K, V)> + Clone> Serialize for Entries<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone())
    }
}

/// What the client is told of a list, with all of its keys.
struct Told<'a>(&'a Scroll);

impl Serialize for Told<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ScrollMetadata { page_name, previous_page, next_page, current_page } = &self.0.metadata;
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("pageName", page_name)?;
        map.serialize_entry("previousPage", previous_page)?;
        map.serialize_entry("nextPage", next_page)?;
        map.serialize_entry("currentPage", current_page)?;
        map.serialize_entry("reset", &self.0.reset)?;
        map.end()
    }
}

#[cfg(test)]
mod tests;
