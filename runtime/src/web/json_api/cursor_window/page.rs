//! The page for a request.

use folio_plan::url;

use super::{AFTER, BEFORE, SIZE};
use crate::paginator::Total;

/// The rows of a [`CursorWindow`](super::CursorWindow), each with its cursor, and the URLs of the pages around them.
///
/// [`Resource::cursor_paginated`](crate::json_api::Resource::cursor_paginated) turns it into a document.
///
/// ```
#[doc = include_str!("../../../doc/posts.txt")]
/// use folio::json_api::CursorWindow;
///
/// let window = CursorWindow::resolve("page[size]=2", 20, 100)?;
/// let page = Post::query().with_path("/posts").counted().cursor_window(window).await?;
/// assert_eq!((ids(page.rows()), page.total().map(folio::Total::rows)), (vec![1, 2], Some(3)));
///
/// let next = format!("/posts?page%5Bsize%5D=2&page%5Bafter%5D={}", page.cursors()[1]);
/// assert!(page.next_page_url().is_some_and(|url| url.len() == next.len()));
/// assert_eq!(page.previous_page_url(), None);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorPage<T> {
    pub(crate) data: Vec<T>,
    pub(crate) cursors: Vec<String>,
    pub(crate) place: CursorPlace,
}

/// The position of a page in its list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CursorPlace {
    pub(crate) next: Option<String>,
    pub(crate) prev: Option<String>,
    /// The positions of the first and the last row, if they were asked for.
    pub(crate) start: Option<String>,
    pub(crate) end: Option<String>,
    /// Whether there are more rows between the two cursors of the request.
    pub(crate) range_truncated: bool,
    pub(crate) total: Option<Total>,
    /// The page size that the client asked for. The URLs keep it.
    pub(crate) size: Option<u64>,
    pub(crate) path: Option<String>,
}

impl CursorPlace {
    /// The URL of a page. `cursor` is a parameter with its value.
    fn url(&self, cursor: Option<(&str, &str)>) -> String {
        let size = self.size.map(|size| size.to_string());
        let of = |name| cursor.filter(|(key, _)| *key == name).map(|(_, cursor)| cursor);
        url::replaced(self.path.as_deref(), &[(SIZE, size.as_deref()), (AFTER, of(AFTER)), (BEFORE, of(BEFORE))])
    }
}

impl<T> CursorPage<T> {
    /// The rows, in the order of the list.
    ///
    /// ```
    #[doc = include_str!("../../../doc/posts.txt")]
    /// use folio::json_api::CursorWindow;
    ///
    /// let page = Post::query().cursor_window(CursorWindow::resolve("", 2, 100)?).await?;
    /// assert_eq!(ids(page.rows()), [1, 2]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn rows(&self) -> &[T] {
        &self.data
    }

    /// A cursor for each row, for `page[after]` and `page[before]`.
    ///
    /// ```
    #[doc = include_str!("../../../doc/posts.txt")]
    /// use folio::json_api::CursorWindow;
    ///
    /// let first = Post::query().cursor_window(CursorWindow::resolve("", 3, 100)?).await?;
    /// let before = format!("page[before]={}", first.cursors()[2]);
    /// let page = Post::query().cursor_window(CursorWindow::resolve(&before, 1, 100)?).await?;
    /// assert_eq!(ids(page.rows()), [2]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn cursors(&self) -> &[String] {
        &self.cursors
    }

    /// The number of rows in the list, if the query is [`counted`](crate::Builder::counted).
    ///
    /// ```
    #[doc = include_str!("../../../doc/posts.txt")]
    /// use folio::{Total, json_api::CursorWindow};
    ///
    /// let page = Post::query().counted().cursor_window(CursorWindow::resolve("", 1, 100)?).await?;
    /// assert_eq!(page.total(), Some(Total::Exact(3)));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn total(&self) -> Option<Total> {
        self.place.total
    }

    /// The page's position at its first row, for `page[before]`, if
    /// [`with_positions`](crate::Builder::with_positions) was called. On an empty page, it is the position at which the
    /// page was requested.
    ///
    /// ```
    #[doc = include_str!("../../../doc/posts.txt")]
    /// use folio::json_api::CursorWindow;
    ///
    /// let page = Post::query().with_positions().cursor_window(CursorWindow::resolve("", 2, 100)?).await?;
    /// let before = format!("page[before]={}", page.start_cursor().unwrap_or_default());
    /// let newer = Post::query().cursor_window(CursorWindow::resolve(&before, 2, 100)?).await?;
    /// assert!(newer.rows().is_empty());
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn start_cursor(&self) -> Option<&str> {
        self.place.start.as_deref()
    }

    /// The page's position at its last row, for `page[after]`, if
    /// [`with_positions`](crate::Builder::with_positions) was called. On an empty page, it is the position at which the
    /// page was requested.
    ///
    /// ```
    #[doc = include_str!("../../../doc/posts.txt")]
    /// use folio::json_api::CursorWindow;
    ///
    /// let last = Post::query().with_positions().cursor_window(CursorWindow::resolve("", 3, 100)?).await?;
    /// let after = format!("page[after]={}", last.end_cursor().unwrap_or_default());
    /// let empty = Post::query().with_positions().cursor_window(CursorWindow::resolve(&after, 3, 100)?).await?;
    /// assert!(empty.rows().is_empty() && empty.end_cursor().is_some());
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn end_cursor(&self) -> Option<&str> {
        self.place.end.as_deref()
    }

    /// Whether more rows are between the two cursors of the request than the page shows. Always `false` for a request
    /// with fewer than two cursors.
    ///
    /// ```
    #[doc = include_str!("../../../doc/posts.txt")]
    /// use folio::json_api::CursorWindow;
    ///
    /// let all = Post::query().cursor_window(CursorWindow::resolve("", 3, 100)?).await?;
    /// let [first, _, last] = all.cursors() else { unreachable!() };
    /// let between = format!("page[size]=1&page[after]={first}&page[before]={last}");
    /// let page = Post::query().cursor_window(CursorWindow::resolve(&between, 1, 100)?).await?;
    /// assert_eq!((ids(page.rows()), page.range_truncated()), (vec![2], false));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn range_truncated(&self) -> bool {
        self.place.range_truncated
    }

    /// The URL of the first page.
    ///
    /// ```
    #[doc = include_str!("../../../doc/posts.txt")]
    /// use folio::json_api::CursorWindow;
    ///
    /// let window = CursorWindow::resolve("page[size]=2", 20, 100)?;
    /// let page = Post::query().with_path("/posts?sort=id").cursor_window(window).await?;
    /// assert_eq!(page.first_page_url(), "/posts?sort=id&page%5Bsize%5D=2");
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn first_page_url(&self) -> String {
        self.place.url(None)
    }

    /// The URL of the next page; `None` if there is none.
    ///
    /// After a request with `page[before]`, the next page may be empty, as the profile allows: rows may have been
    /// deleted.
    ///
    /// ```
    #[doc = include_str!("../../../doc/posts.txt")]
    /// use folio::json_api::CursorWindow;
    ///
    /// let page = Post::query().with_path("/posts").cursor_window(CursorWindow::resolve("", 2, 100)?).await?;
    /// assert!(page.next_page_url().is_some_and(|url| url.starts_with("/posts?page%5Bafter%5D=")));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn next_page_url(&self) -> Option<String> {
        self.place.next.as_deref().map(|cursor| self.place.url(Some((AFTER, cursor))))
    }

    /// The URL of the previous page; `None` if there is none.
    ///
    /// After a request with `page[after]`, the previous page may be empty, as the profile allows: rows may have been
    /// deleted.
    ///
    /// ```
    #[doc = include_str!("../../../doc/posts.txt")]
    /// use folio::json_api::CursorWindow;
    ///
    /// let page = Post::query().cursor_window(CursorWindow::resolve("", 2, 100)?).await?;
    /// assert_eq!(page.previous_page_url(), None);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn previous_page_url(&self) -> Option<String> {
        self.place.prev.as_deref().map(|cursor| self.place.url(Some((BEFORE, cursor))))
    }

    /// Converts the rows, for example into view structs. The cursors, the total and the URLs stay the same.
    ///
    /// ```
    #[doc = include_str!("../../../doc/posts.txt")]
    /// use folio::json_api::CursorWindow;
    ///
    /// let page = Post::query().cursor_window(CursorWindow::resolve("", 2, 100)?).await?;
    /// assert_eq!(page.map(|post| post.title).rows(), ["b", "a"]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn map<U>(self, row: impl FnMut(T) -> U) -> CursorPage<U> {
        let Self { data, cursors, place } = self;
        CursorPage { data: data.into_iter().map(row).collect(), cursors, place }
    }

    /// Same as [`map`](Self::map), for a conversion that can fail. Returns the first error.
    ///
    /// ```
    #[doc = include_str!("../../../doc/posts.txt")]
    /// use folio::json_api::CursorWindow;
    ///
    /// let page = Post::query().cursor_window(CursorWindow::resolve("", 2, 100)?).await?;
    /// assert!(page.try_map(|post| post.title.parse::<i64>()).is_err());
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// The first error of `row`.
    pub fn try_map<U, E>(self, row: impl FnMut(T) -> Result<U, E>) -> Result<CursorPage<U>, E> {
        let Self { data, cursors, place } = self;
        Ok(CursorPage { data: data.into_iter().map(row).collect::<Result<_, E>>()?, cursors, place })
    }
}
