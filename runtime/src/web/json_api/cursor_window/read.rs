//! Reads the page for a request.

use super::page::CursorPlace;
use super::{AFTER, BEFORE, CursorPage, CursorWindow, CursorWindowError, SIZE};
use crate::driver::TypedRows;
use crate::query::{Query, QuerySource, window};
use crate::read::{Window, WindowPage};
use crate::request::context::Context;
use crate::source::using::Connect;

impl<S: QuerySource, C: Connect> Query<S, C> {
    /// Reads a window of the list for JSON:API's cursor pagination profile: see [`CursorWindow`].
    ///
    /// ```
    #[doc = include_str!("../../../doc/posts.txt")]
    /// use folio::json_api::CursorWindow;
    ///
    /// let page = Post::query().cursor_window(CursorWindow::resolve("page[size]=2", 20, 100)?).await?;
    /// let after = format!("page[after]={}", page.cursors()[1]);
    /// let page = Post::query().cursor_window(CursorWindow::resolve(&after, 20, 100)?).await?;
    /// assert_eq!(ids(page.rows()), [3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate). For an invalid cursor, the error is
    /// [`InvalidCursor`](CursorWindowError::InvalidCursor), 400, which names the parameter.
    pub async fn cursor_window(self, window: CursorWindow) -> Result<CursorPage<S::Row>, CursorWindowError> {
        let (mut list, reader, mut connection) = self.into_parts();
        let context = Context::current();
        let rows_of = list.position.given_window(&context, window.given())?;
        let rows_of = Window { row_cursors: true, ..rows_of };
        let path = list.position.urls.path(&context, &[AFTER, BEFORE, SIZE])?;
        let mut rows = TypedRows::new(reader, window.rows);
        let page = window::window_of(list, &context, connection.lend(), rows_of, &mut rows).await?;
        let WindowPage { next, prev, row_cursors, start, end, is_truncated, total } = page;
        let range_truncated = is_truncated && window.is_range();
        let place = CursorPlace { next, prev, start, end, range_truncated, total, size: window.size, path };
        Ok(CursorPage { data: rows.into_vec(), cursors: row_cursors.unwrap_or_default(), place })
    }
}
