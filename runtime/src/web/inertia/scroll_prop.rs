//! Scroll props: the rows of a page and its position in the list.

use std::fmt;

use serde::Serialize;
use serde_json::value::to_raw_value;

use super::page_object::Entries;
use super::scroll_metadata::{ProvidesScrollMetadata, ScrollMetadata};
use super::settings::Json;
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};

/// A list that a client scrolls through, as a prop of an Inertia page.
///
/// [`paginate`](super::InertiaResponse::paginate) converts pages of all three paginators. Convert a page yourself if
/// you want to [wrap](Self::wrapped) its rows, or to [match](Self::match_on) them so that the client shows each row
/// only once.
///
/// ```
/// use folio::Paginator;
/// use folio::inertia::{Inertia, ScrollProp};
///
/// let posts = Paginator::new(vec![1, 2], 1, 2, true);
/// let page = Inertia::paginate("Posts", "posts", ScrollProp::from(posts).wrapped("data").match_on("id"));
/// let page: serde_json::Value = serde_json::from_str(&page.page_object()?).unwrap();
/// assert_eq!(page["props"]["posts"]["data"], serde_json::json!([1, 2]));
/// assert_eq!(page["mergeProps"], serde_json::json!(["posts.data"]));
/// assert_eq!(page["matchPropsOn"], serde_json::json!(["posts.data.id"]));
/// # Ok::<_, folio::FrameworkError>(())
/// ```
pub struct ScrollProp {
    rows: Rows,
    /// The place of the page in its list.
    pub(super) metadata: ScrollMetadata,
    wrapper: Wrapper,
    /// The key by which the client recognizes a row that it already has.
    pub(super) match_on: Option<String>,
}

/// Where the rows are in the prop's value.
enum Wrapper {
    /// Where the application has them in every list.
    Default,
    /// They are the value.
    None,
    /// Under this key.
    Key(String),
}

impl Wrapper {
    fn key(&self) -> Option<&str> {
        match self {
            Self::Key(key) => Some(key),
            Self::Default | Self::None => None,
        }
    }
}

/// The rows of a prop.
enum Rows {
    /// Rows that the caller gave.
    Serialized(Json),
    /// Not serialized yet, because a wrapped prop may send the whole page.
    Page(Box<dyn Page + Send>),
}

/// A paginator of any kind and row type.
trait Page {
    /// The rows alone.
    fn rows(&self) -> Json;

    /// The page as its own JSON, which has the rows under `data`.
    fn whole(&self) -> Json;
}

impl fmt::Debug for ScrollProp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScrollProp").field("metadata", &self.metadata).finish_non_exhaustive()
    }
}

impl ScrollProp {
    /// Creates a prop with the position of `page`, but with other rows, such as views of the page's rows.
    ///
    /// ```
    /// use folio::Paginator;
    /// use folio::inertia::{Inertia, ScrollProp};
    ///
    /// // Send only the titles.
    /// let posts = Paginator::new(vec![(1, "a"), (2, "b")], 1, 2, true);
    /// let titles: Vec<_> = posts.data.iter().map(|(_, title)| title).collect();
    /// let page = Inertia::paginate("Posts", "posts", ScrollProp::new(titles, &posts)).page_object()?;
    /// assert!(page.contains(r#""posts":["a","b"]"#) && page.contains(r#""nextPage":2"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn new(rows: impl Serialize, page: &impl ProvidesScrollMetadata) -> Self {
        let rows = Rows::Serialized(to_raw_value(&rows));
        Self { rows, metadata: page.scroll_metadata(), wrapper: Wrapper::Default, match_on: None }
    }

    /// Sends an object with the rows under `name` instead of only the rows. For `data`, the object is the page's own
    /// JSON, with its counters and URLs.
    ///
    /// ```
    /// use folio::Paginator;
    /// use folio::inertia::{Inertia, ScrollProp};
    ///
    /// let posts = ScrollProp::from(Paginator::new(vec![1, 2], 1, 2, true)).wrapped("data");
    /// let page = Inertia::paginate("Posts", "posts", posts).page_object()?;
    /// assert!(page.contains(r#""posts":{"current_page":1"#) && page.contains(r#""data":[1,2]"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn wrapped(self, name: &str) -> Self {
        Self { wrapper: Wrapper::Key(name.to_owned()), ..self }
    }

    /// Sends only the rows, in an application that [wraps](crate::Folio::wrap_rows) the rows of its lists.
    ///
    /// ```
    /// use folio::Paginator;
    /// use folio::inertia::{Inertia, ScrollProp};
    ///
    /// let posts = ScrollProp::from(Paginator::new(vec![1, 2], 1, 2, true)).unwrapped();
    /// assert!(Inertia::paginate("Posts", "posts", posts).page_object()?.contains(r#""posts":[1,2]"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn unwrapped(self) -> Self {
        Self { wrapper: Wrapper::None, ..self }
    }

    /// Sets the query key for the page, instead of the paginator's. Two simple pages on one screen need different keys.
    /// Read the page number from the same key:
    ///
    /// ```
    /// # #[derive(Debug, serde::Serialize, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::raw_sql("CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2), (3)")
    /// #     .execute(&pool).await?;
    /// use folio::inertia::{Inertia, ScrollProp};
    /// use folio::{ActiveRequest, Folio, Result};
    ///
    /// async fn list(page_name: &str) -> Result<ScrollProp> {
    ///     let page = ActiveRequest::current().map_or(1, |request| request.page(page_name));
    ///     let posts = Post::query().page(page).simple_paginate(2).await?;
    ///     Ok(ScrollProp::from(posts).with_page_name(page_name))
    /// }
    ///
    /// let page = async {
    ///     let page = Inertia::render("Posts").scroll("posts", async || list("posts").await).await?;
    ///     page.scroll("drafts", async || list("drafts").await).await?.page_object()
    /// };
    /// let page = Folio::new(pool).scope(ActiveRequest::new("/?drafts=2").scope(page)).await?;
    /// let page: serde_json::Value = serde_json::from_str(&page).unwrap();
    /// assert_eq!(page["scrollProps"]["posts"]["nextPage"], 2);
    /// assert_eq!(page["scrollProps"]["drafts"]["pageName"], "drafts");
    /// assert_eq!(page["scrollProps"]["drafts"]["previousPage"], 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// If the page is [wrapped](Self::wrapped) under `data`, the URLs in its JSON do not change.
    #[must_use]
    pub fn with_page_name(mut self, name: &str) -> Self {
        name.clone_into(&mut self.metadata.page_name);
        self
    }

    /// Has the rows where the application has them, unless the list says where.
    pub(super) fn wrapped_by_default(mut self, name: Option<&str>) -> Self {
        if matches!(self.wrapper, Wrapper::Default) {
            self.wrapper = name.map_or(Wrapper::None, |name| Wrapper::Key(name.to_owned()));
        }
        self
    }

    /// Makes the client replace rows that it already has, instead of showing them twice. `key` is the name of a field
    /// that is unique among the rows, such as their id.
    ///
    /// Without it, the client appends all rows that arrive, so rows can repeat in two cases:
    /// - Pages are numbered, and rows are inserted while the user scrolls.
    /// - The front end resets several lists of one page, for example because the filters change. Until each of them has
    ///   loaded another page, the client forgets a pending request for it whenever a response for another list arrives,
    ///   and requests the same page again.
    ///
    /// ```
    /// use folio::Paginator;
    /// use folio::inertia::{Inertia, ScrollProp};
    ///
    /// let posts = ScrollProp::from(Paginator::new(vec![1, 2], 1, 2, true)).match_on("id");
    /// let page = Inertia::paginate("Posts", "posts", posts).page_object()?;
    /// assert!(page.contains(r#""matchPropsOn":["posts.id"]"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn match_on(self, key: &str) -> Self {
        Self { match_on: Some(key.to_owned()), ..self }
    }

    /// The path of the rows in the props, if this is the prop `key`.
    pub(super) fn rows_path(&self, key: &str) -> String {
        self.wrapper.key().map_or_else(|| key.to_owned(), |name| format!("{key}.{name}"))
    }

    /// The value of the prop.
    pub(super) fn into_value(self) -> Json {
        let rows = match self.rows {
            // A paginator's JSON has its rows under this key already.
            Rows::Page(page) if self.wrapper.key() == Some("data") => return page.whole(),
            Rows::Page(page) => page.rows(),
            Rows::Serialized(rows) => rows,
        };
        match self.wrapper.key() {
            None => rows,
            Some(name) => to_raw_value(&Entries(vec![(name, rows?)])),
        }
    }
}

/// Converts each paginator to a prop.
macro_rules! scroll_props {
    ($($page:ident),*) => {$(
        impl<T: Serialize> Page for $page<T> {
            fn rows(&self) -> Json {
                to_raw_value(&self.data)
            }

            fn whole(&self) -> Json {
                to_raw_value(self)
            }
        }

        impl<T: Serialize + Send + 'static> From<$page<T>> for ScrollProp {
            fn from(page: $page<T>) -> Self {
                let metadata = page.scroll_metadata();
                Self { rows: Rows::Page(Box::new(page)), metadata, wrapper: Wrapper::Default, match_on: None }
            }
        }
    )*};
}
scroll_props!(LengthAwarePaginator, Paginator, CursorPaginator);
