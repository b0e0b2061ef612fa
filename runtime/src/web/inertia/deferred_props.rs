//! Props that are loaded only for the requests that get them.

use serde::Serialize;

use super::responder::InertiaResponse;
use super::scroll_prop::ScrollProp;
use super::settings::{InertiaSettings, SharedProp};
use crate::error::Result;

/// The group of deferred props if no other is named.
const DEFAULT_GROUP: &str = "default";

/// `load` only runs if the response contains the prop. It runs inside the scope of the request.
///
/// For `scroll` and the methods with `prop` in their names, `load` can return any error type. If the compiler cannot
/// infer it, name it: `Ok::<_, Error>(posts)`.
impl InertiaResponse {
    /// Like [`paginate`](Self::paginate), adds a list that the client scrolls through. `load` does not run in a partial
    /// reload that does not request the list, so scrolling through one list of a page does not read the others.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), std::io::Error> {
    /// use folio::Paginator;
    /// use folio::inertia::{Inertia, InertiaResponse};
    ///
    /// async fn posts() -> Result<Paginator<i64>, std::io::Error> {
    ///     Ok(Paginator::new(vec![1, 2], 1, 2, true))
    /// }
    ///
    /// async fn page() -> Result<InertiaResponse, std::io::Error> {
    ///     let page = Inertia::render("Posts").scroll("posts", posts).await?;
    ///     page.scroll("drafts", async || Ok(Paginator::new(vec![3], 1, 2, false))).await
    /// }
    ///
    /// let whole = page().await?.page_object().unwrap();
    /// assert!(whole.contains(r#""posts":[1,2],"drafts":[3]"#));
    ///
    /// let request = folio::ActiveRequest::new("/posts?page=2")
    ///     .with_header("X-Inertia", "true")
    ///     .with_header("X-Inertia-Partial-Component", "Posts")
    ///     .with_header("X-Inertia-Partial-Data", "drafts");
    /// let part = request.scope(page()).await?.page_object().unwrap();
    /// assert!(part.contains(r#""props":{"errors":{},"drafts":[3]}"#));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns the error of `load`.
    pub async fn scroll<P: Into<ScrollProp>, E>(
        mut self,
        key: &str,
        load: impl AsyncFnOnce() -> Result<P, E>,
    ) -> Result<Self, E> {
        if self.visit.wants(key) {
            self.set_list(key, load().await?.into());
        }
        Ok(self)
    }

    /// Adds a list that the client requests after it has shown the page. `load` only runs for that request.
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
    /// Returns the error of `load`.
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
    /// Returns the error of `load`.
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

    /// Adds a list that is only sent in a partial reload that requests it. `load` only runs then.
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
    /// Returns the error of `load`.
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

    /// Same as [`defer`](Self::defer), for a value of any type.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// use folio::inertia::{Inertia, InertiaResponse};
    /// use folio::{ActiveRequest, Result};
    ///
    /// async fn page() -> Result<InertiaResponse> {
    ///     Inertia::render("Posts").defer_prop("views", async || Ok(1_204)).await
    /// }
    /// assert!(page().await?.page_object()?.contains(r#""deferredProps":{"default":["views"]}"#));
    ///
    /// let request = ActiveRequest::new("/")
    ///     .with_header("X-Inertia", "true")
    ///     .with_header("X-Inertia-Partial-Component", "Posts")
    ///     .with_header("X-Inertia-Partial-Data", "views");
    /// assert!(request.scope(page()).await?.page_object()?.contains(r#""views":1204"#));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns the error of `load`.
    pub async fn defer_prop<T: Serialize, E>(
        self,
        key: &str,
        load: impl AsyncFnOnce() -> Result<T, E>,
    ) -> Result<Self, E> {
        self.defer_prop_in(DEFAULT_GROUP, key, load).await
    }

    /// Same as [`defer_in`](Self::defer_in), for a value of any type.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// use folio::Result;
    /// use folio::inertia::Inertia;
    ///
    /// async fn views() -> Result<i64> {
    ///     Ok(1_204)
    /// }
    ///
    /// let page = Inertia::render("Posts").defer_prop_in("numbers", "views", views).await?;
    /// assert!(page.page_object()?.contains(r#""deferredProps":{"numbers":["views"]}"#));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns the error of `load`.
    pub async fn defer_prop_in<T: Serialize, E>(
        mut self,
        group: &str,
        key: &str,
        load: impl AsyncFnOnce() -> Result<T, E>,
    ) -> Result<Self, E> {
        if self.defers(group, key) {
            return Ok(self);
        }
        self.optional_prop(key, load).await
    }

    /// Same as [`optional`](Self::optional), for a value of any type.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// use folio::Result;
    /// use folio::inertia::Inertia;
    ///
    /// async fn views() -> Result<i64> {
    ///     Ok(1_204)
    /// }
    ///
    /// let page = Inertia::render("Posts").optional_prop("views", views).await?;
    /// assert!(!page.page_object()?.contains("views"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns the error of `load`.
    pub async fn optional_prop<T: Serialize, E>(
        self,
        key: &str,
        load: impl AsyncFnOnce() -> Result<T, E>,
    ) -> Result<Self, E> {
        if self.visit.wants_optional(key) {
            let value = load().await?;
            return Ok(self.prop(key, value));
        }
        Ok(self)
    }

    /// Loads the props from [`Folio::share_async`](crate::Folio::share_async) that the page has not set and that the
    /// visit requests. Call it after all props are set.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
    /// use folio::Folio;
    /// use folio::inertia::Inertia;
    ///
    /// let folio = Folio::new(pool).share_async("unread", || async { Ok(3) });
    /// folio.scope(async {
    ///     let page = Inertia::render("Posts").load_shared().await?;
    ///     assert!(page.page_object()?.contains(r#""unread":3"#));
    ///
    ///     let error = Inertia::render("Posts").page_object().unwrap_err();
    ///     assert!(error.to_string().contains("call `.load_shared().await?`"));
    ///     folio::Result::Ok(())
    /// }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns the errors of the shared props.
    pub async fn load_shared(mut self) -> Result<Self> {
        for (key, value) in &InertiaSettings::current().shared {
            let SharedProp::Later(load) = value else { continue };
            if self.visit.wants(key) && !self.page.has_prop(key) {
                self.set_prop(key, load().await?, None);
            }
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
