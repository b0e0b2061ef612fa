//! [`Around`]: a row with its neighbours.

use crate::paginator::CursorPaginator;

/// A row with the rows before and after it, from [`around`](crate::Builder::around) and its siblings.
///
/// To load rows for it, load them for its page: `Around { page: page.load(comments).await?, index }`.
///
/// With the feature `axum` or `actix` it is a response, like its page. The JSON has the page's keys, and `index`, which
/// is `null` if the page does not have the row.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// let around = Post::query().around(&PostKey { id: 2 }, 10, 10).await?;
/// assert_eq!((ids(&around.page.data), around.index), (vec![1, 2, 3], Some(1)));
/// // Both ends of the list are reached.
/// assert!(around.page.on_first_page() && !around.page.has_more_pages());
///
/// // The row is gone. Its neighbours are not.
/// let around = Post::query().filter(Post::ID.ne(2)).around(&PostKey { id: 2 }, 1, 1).await?;
/// assert_eq!((ids(&around.page.data), around.index), (vec![1, 3], None));
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Around<T> {
    /// The rows in the order of the list, with cursors for the rows before and after them. A cursor is `None` if the
    /// list has no more rows on that side.
    pub page: CursorPaginator<T>,
    /// The index of the row in [`page.data`](CursorPaginator::data). `None` if the list does not have the row, or if
    /// the page was read at the active request's cursor.
    pub index: Option<usize>,
}

impl<T> Around<T> {
    /// Converts the rows, for example into view structs. The index, the cursors and the URLs stay the same.
    ///
    /// ```
    /// use folio::{Around, CursorPaginator};
    ///
    /// let page = CursorPaginator::new(vec![1, 2], 2, None, None);
    /// let around = Around { page, index: Some(1) }.map(|score| format!("{score} points"));
    /// assert_eq!((around.page.data[1].as_str(), around.index), ("2 points", Some(1)));
    ///
    /// let json = serde_json::to_value(&around).unwrap();
    /// assert_eq!((&json["data"][1], &json["index"]), (&"2 points".into(), &1.into()));
    /// ```
    #[must_use]
    pub fn map<U>(self, row: impl FnMut(T) -> U) -> Around<U> {
        Around { page: self.page.map(row), index: self.index }
    }

    /// Same as [`map`](Self::map), for a conversion that can fail. Returns the first error.
    ///
    /// ```
    /// use folio::{Around, CursorPaginator};
    ///
    /// let around = Around { page: CursorPaginator::new(vec!["1", "x"], 2, None, None), index: Some(0) };
    /// assert!(around.try_map(|text| text.parse::<i64>()).is_err());
    /// ```
    ///
    /// # Errors
    /// The first error of `row`.
    pub fn try_map<U, E>(self, row: impl FnMut(T) -> Result<U, E>) -> Result<Around<U>, E> {
        Ok(Around { page: self.page.try_map(row)?, index: self.index })
    }
}
