//! [`Around`]: a row with its neighbours.

use crate::paginator::CursorPaginator;

/// A row with the rows before and after it, from [`around`](crate::Builder::around).
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
    /// The index of the row in [`page.data`](CursorPaginator::data). `None` if the list does not have the row, or if the
    /// page was read at the active request's cursor.
    pub index: Option<usize>,
}
