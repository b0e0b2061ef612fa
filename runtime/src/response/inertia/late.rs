//! Props that are loaded only for the requests that get them.

use super::responder::InertiaResponse;
use super::scroll_prop::ScrollProp;
use crate::error::Result;

/// The group of deferred props if no other is named.
const DEFAULT_GROUP: &str = "default";

impl InertiaResponse {
    /// Adds a list that the client requests after it has shown the page. `load` runs only for that request.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// use folio::Paginator;
    /// use folio::inertia::Inertia;
    ///
    /// let load = async || -> folio::Result<Paginator<i64>> { unreachable!("the first visit does not request it") };
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

    /// Same as [`defer`](Self::defer), with a group. The client requests all lists of a group at once.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// use folio::Paginator;
    /// use folio::inertia::Inertia;
    ///
    /// let posts = async || Ok(Paginator::new(vec![1, 2], 1, 2, true));
    /// let tags = async || Ok(Paginator::new(vec!["rust"], 1, 1, false));
    /// let page = Inertia::render("Posts").defer_in("lists", "posts", posts).await?;
    /// let page = page.defer_in("lists", "tags", tags).await?;
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
        if self.defers(group, key) {
            return Ok(self);
        }
        self.optional(key, load).await
    }

    /// Adds a list that is sent only in a partial reload that requests it. `load` runs only then.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// use folio::inertia::Inertia;
    /// use folio::{ActiveRequest, Paginator};
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
        if self.visit.wants_optional(key) {
            self.set_list(key, load().await?.into());
        }
        Ok(self)
    }

    /// Announces a prop that is sent later. `false` if this is a partial reload, which may be the request for it.
    fn defers(&mut self, group: &str, key: &str) -> bool {
        let is_first = !self.visit.is_partial();
        if is_first {
            self.page.defer(group, key);
        }
        is_first
    }
}
