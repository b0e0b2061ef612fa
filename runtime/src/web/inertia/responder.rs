//! The API for handlers: a component, its props and lists, and other keys of the page object.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::html::document;
use super::http::{InertiaAnswer, InertiaLocation};
use super::page_object::{OWN_KEYS, PageObject, Prop, Scroll};
use super::scroll_prop::ScrollProp;
use super::settings::{InertiaSettings, SharedProp};
use super::visit::{ERRORS, Visit};
use crate::error::{FrameworkError, Result};

/// Creates Inertia pages and redirects.
///
/// ```
/// # #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
/// # struct Post { id: i64, title: String }
/// use folio::Result;
/// use folio::inertia::{Inertia, InertiaResponse};
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
    /// Creates a page that shows `component`, without props.
    ///
    /// ```
    /// use folio::inertia::Inertia;
    ///
    /// let page = Inertia::render("Posts/Show").page_object()?;
    /// assert!(page.starts_with(r#"{"component":"Posts/Show","props":{"errors":{}}"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn render(component: impl Into<String>) -> InertiaResponse {
        let component = component.into();
        let visit = Visit::of(&component);
        InertiaResponse { visit, page: PageObject::new(component), failure: None }
    }

    /// Creates a page that shows `component` with a list as the prop `key`. Short for [`render`](Self::render) and
    /// [`InertiaResponse::paginate`].
    ///
    /// ```
    /// use folio::LengthAwarePaginator;
    /// use folio::inertia::Inertia;
    ///
    /// let posts = LengthAwarePaginator::new(vec!["c", "d"], 5, 2, 2);
    /// let page = Inertia::paginate("Posts", "posts", posts).page_object()?;
    /// let page: serde_json::Value = serde_json::from_str(&page).unwrap();
    /// assert_eq!(page["props"]["posts"], serde_json::json!(["c", "d"]));
    /// let place = serde_json::json!({
    ///     "pageName": "page", "previousPage": 1, "nextPage": 3, "currentPage": 2, "reset": false,
    /// });
    /// assert_eq!(page["scrollProps"]["posts"], place);
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn paginate(component: impl Into<String>, key: &str, page: impl Into<ScrollProp>) -> InertiaResponse {
        Self::render(component).paginate(key, page)
    }

    /// Sends the browser to a URL outside of the front end, such as another site.
    ///
    /// A request from the front end gets status 409 and the URL in the header `X-Inertia-Location`; the client then
    /// loads the URL instead of the page. Any other request is redirected with status 303. The URL is sent unchanged,
    /// except that bytes that a header cannot contain are percent-encoded. If it comes from a client, check its host
    /// first.
    ///
    /// ```
    /// use folio::ActiveRequest;
    /// use folio::inertia::Inertia;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let pay = async || Inertia::location("https://example.com/pay");
    /// assert_eq!(pay().await.status, 303);
    ///
    /// let location = ActiveRequest::new("/pay").with_header("X-Inertia", "true").scope(pay()).await;
    /// assert_eq!(location.status, 409);
    /// assert!(location.headers.contains(&("X-Inertia-Location", "https://example.com/pay".into())));
    /// # }
    /// ```
    #[must_use]
    pub fn location(url: &str) -> InertiaLocation {
        InertiaLocation::to(url)
    }
}

/// A page of an Inertia front end, created by [`Inertia`].
///
/// It is a response to the request that is active when it is created. A first visit gets all props in an HTML document,
/// a later visit gets them as a page object, and a partial reload gets only the props that it requests.
///
/// With the feature `axum` it implements `IntoResponse`, and with `actix` `Responder`. For any other framework,
/// [`answer`](Self::answer) returns the headers and the body. If a prop does not serialize, these methods fail, not the
/// one that adds the prop.
///
/// ```
/// use folio::Paginator;
/// use folio::inertia::{Inertia, InertiaResponse};
///
/// let response: InertiaResponse = Inertia::paginate("Posts", "posts", Paginator::new(vec![1, 2], 1, 2, true));
/// assert!(response.wants("posts"));
/// assert!(response.page_object()?.contains(r#""posts":[1,2]"#));
/// # Ok::<_, folio::FrameworkError>(())
/// ```
#[derive(Debug)]
pub struct InertiaResponse {
    pub(super) visit: Visit,
    pub(super) page: PageObject,
    /// Why a prop or a key cannot be set.
    failure: Option<FrameworkError>,
}

impl InertiaResponse {
    /// Adds a prop. It replaces an earlier one with the same key.
    ///
    /// A key with dots is a path: `feed.title` is the entry `title` of the prop `feed`. If a prop `feed` is set as
    /// well, its value has to be an object or null, and the entry is added to it. A partial reload can request
    /// `feed.title` or `feed`.
    ///
    /// The prop is left out of a partial reload that does not request it. If its value is expensive to compute, check
    /// [`wants`](Self::wants) first.
    ///
    /// ```
    /// use folio::inertia::Inertia;
    ///
    /// let page = Inertia::render("Posts").prop("title", "All").prop("title", "All posts").prop("feed.title", "News");
    /// let page = page.page_object()?;
    /// assert!(page.contains(r#""title":"All posts","feed":{"title":"News"}"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn prop(mut self, key: &str, value: impl Serialize) -> Self {
        if self.visit.wants(key) {
            self.set_prop(key, to_raw_value(&value), None);
        }
        self
    }

    /// Adds a list that the client scrolls through: any of the three paginators, or a [`ScrollProp`].
    ///
    /// ```
    /// use folio::Paginator;
    /// use folio::inertia::Inertia;
    ///
    /// let posts = Paginator::new(vec![1, 2], 1, 2, true);
    /// let page = Inertia::render("Posts").prop("title", "All posts").paginate("posts", posts).page_object()?;
    /// assert!(page.contains(r#""title":"All posts","posts":[1,2]"#));
    /// assert!(page.contains(r#""mergeProps":["posts"]"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn paginate(mut self, key: &str, page: impl Into<ScrollProp>) -> Self {
        if self.visit.wants(key) {
            self.set_list(key, page.into());
        }
        self
    }

    /// Sets the errors of a form, by field. Every response contains them, even to a partial reload that does not
    /// request them.
    ///
    /// Same as [`prop`](Self::prop) with the key `errors`. Without errors, the page has an empty object under this key.
    ///
    /// ```
    /// use folio::inertia::Inertia;
    ///
    /// let errors = serde_json::json!({ "title": "is missing" });
    /// let page = Inertia::render("Posts/Edit").errors(errors).page_object()?;
    /// assert!(page.contains(r#""errors":{"title":"is missing"}"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn errors(self, errors: impl Serialize) -> Self {
        self.prop(ERRORS, errors)
    }

    /// Sets a key of the page object that folio has no method for, such as `flash`, `encryptHistory`, `clearHistory`,
    /// `sharedProps` or `onceProps`. It replaces an earlier value of the same key.
    ///
    /// If folio writes the key itself, [`page_object`](Self::page_object) returns an error.
    ///
    /// ```
    /// use folio::inertia::Inertia;
    ///
    /// let flash = serde_json::json!({ "message": "Saved" });
    /// let page = Inertia::render("Posts").page_key("flash", flash).page_key("encryptHistory", true).page_object()?;
    /// assert!(page.ends_with(r#""flash":{"message":"Saved"},"encryptHistory":true}"#));
    ///
    /// let error = Inertia::render("Posts").page_key("mergeProps", ["posts"]).page_object().unwrap_err();
    /// assert!(error.to_string().starts_with("the key `mergeProps` of the page object is written by folio"));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn page_key(mut self, name: &str, value: impl Serialize) -> Self {
        match to_raw_value(&value) {
            _ if OWN_KEYS.contains(&name) => {
                self.failure = Some(FrameworkError::internal(format!(
                    "the key `{name}` of the page object is written by folio: set it through the other methods of the \
                     page, and use `page_key` for other keys"
                )));
            }
            Ok(value) => self.page.set_key(name, value),
            Err(error) => self.failure = Some(not_json(&format!("key `{name}` of the page object"), &error)),
        }
        self
    }

    /// Overrides [`Folio::preserve_big_integers`](crate::Folio::preserve_big_integers) for this page: whether integers
    /// that JavaScript would round are sent as objects.
    ///
    /// ```
    /// use folio::inertia::Inertia;
    ///
    /// let page = Inertia::render("Orders/Show").prop("id", 9_007_199_254_740_993_i64);
    /// let page = page.preserve_big_integers(true).page_object()?;
    /// assert!(page.contains(r#""id":{"$bigint":"9007199254740993"}"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn preserve_big_integers(mut self, preserve: bool) -> Self {
        self.page.preserves_big_integers = Some(preserve);
        self
    }

    /// Whether the response has to contain the prop `key`. Use it to skip expensive props.
    ///
    /// ```
    /// use folio::ActiveRequest;
    /// use folio::inertia::Inertia;
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
        self.visit.wants(key)
    }

    /// Returns the page object, the JSON that is part of the document for a first visit and the body for any other
    /// visit.
    ///
    /// ```
    /// use folio::inertia::Inertia;
    ///
    /// let page = Inertia::render("Posts").prop("title", "All posts").page_object()?;
    /// let page: serde_json::Value = serde_json::from_str(&page).unwrap();
    /// assert_eq!(page["props"]["title"], "All posts");
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if a prop does not serialize, if a key with dots leads into a value that is not an
    /// object, or if [`page_key`](Self::page_key) names a key that folio writes.
    pub fn page_object(self) -> Result<String> {
        self.into_json(&InertiaSettings::current())
    }

    /// Returns the headers and the body of the response, for a framework without a folio feature. See [`InertiaAnswer`]
    /// for an example.
    ///
    /// ```
    /// let answer = folio::inertia::Inertia::render("Posts").answer()?;
    /// assert!(answer.headers.contains(&("Vary", "X-Inertia")));
    /// assert!(answer.body.contains("data-page"));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`page_object`](Self::page_object).
    pub fn answer(self) -> Result<InertiaAnswer> {
        let settings = InertiaSettings::current();
        let is_inertia = self.visit.is_inertia;
        let page = self.into_json(&settings)?;
        Ok(if is_inertia {
            InertiaAnswer::page_object(page)
        } else {
            InertiaAnswer::document(document(&settings, &page))
        })
    }

    /// Sets a prop, or records that its value does not serialize.
    pub(super) fn set_prop(&mut self, key: &str, value: serde_json::Result<Box<RawValue>>, scroll: Option<Scroll>) {
        match value {
            Ok(value) => self.page.set_prop(Prop { key: key.to_owned(), value, scroll }),
            // The error is kept for the response, so that handlers can chain these calls.
            Err(error) => self.failure = Some(not_json(&format!("prop `{key}`"), &error)),
        }
    }

    /// Sets a prop that the client scrolls through.
    pub(super) fn set_list(&mut self, key: &str, list: ScrollProp) {
        let list = list.wrapped_by_default(InertiaSettings::current().wrapper.as_deref());
        let (metadata, match_on) = (list.metadata.clone(), list.match_on.clone());
        let scroll = Scroll { metadata, path: list.rows_path(key), match_on, reset: self.visit.resets(key) };
        self.set_prop(key, list.into_value(), Some(scroll));
    }

    /// The JSON of the page object.
    fn into_json(mut self, settings: &InertiaSettings) -> Result<String> {
        // A prop that the handler has set takes precedence over a shared one.
        for (key, value) in &settings.shared {
            if self.visit.wants(key) && !self.page.has_prop(key) {
                match value {
                    SharedProp::Now(value) => self.set_prop(key, value(), None),
                    SharedProp::Later(_) => {
                        self.failure = Some(FrameworkError::internal(format!(
                            "the shared prop `{key}` is loaded asynchronously: call `.load_shared().await?` on the \
                             page before you return it, or set the prop"
                        )));
                    }
                }
            }
        }
        match self.failure {
            Some(failure) => Err(failure),
            None => self.page.to_json(&self.visit, settings),
        }
    }
}

/// The error for a value that does not serialize.
fn not_json(what: &str, error: &serde_json::Error) -> FrameworkError {
    FrameworkError::internal(format!("the {what} cannot be written as JSON: {error}"))
}
