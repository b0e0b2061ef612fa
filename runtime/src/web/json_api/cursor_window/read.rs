//! Reads the page for a request.

use super::page::CursorPlace;
use super::{AFTER, BEFORE, CursorPage, CursorWindow, CursorWindowError, SIZE};
use crate::driver::TypedRows;
use crate::error::{FrameworkError, Refusal};
use crate::query::{Query, QuerySource};
use crate::read::{self, WindowPage, WindowRequest};
use crate::request::context::Context;
use crate::source::using::Connect;

impl<S: QuerySource, C: Connect> Query<S, C> {
    /// Reads a window of the list for JSON:API's cursor pagination profile: see
    /// [`CursorWindow`](crate::json_api::CursorWindow).
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
        let request = list.position.given_window(&context, window.given())?;
        let request = WindowRequest { row_cursors: true, ..request };
        let path = list.position.urls.path(&context, &[AFTER, BEFORE, SIZE])?;
        let (source, select) = list.keyset(&context, connection.lend())?;
        for (name, token) in window.cursors() {
            let checked = read::check_cursor(&context, &select.query, token);
            checked.map_err(|error| CursorWindowError::of_cursor(name, error))?;
        }
        let mut rows = TypedRows::new(reader, window.rows);
        let page = read::window(&context, source, select, request, &mut rows).await?;
        // The database may refuse the value of an otherwise valid cursor.
        let page =
            page.map_err(|refusal| match window.cursors().next().filter(|_| refusal == Refusal::InvalidCursor) {
                Some((name, _)) => CursorWindowError::of_cursor(name, refusal.into()),
                None => FrameworkError::from(refusal).into(),
            })?;
        let WindowPage { next, prev, row_cursors, is_truncated, total } = page;
        let range_truncated = is_truncated && window.is_range();
        let place = CursorPlace { next, prev, range_truncated, total, size: window.size, path };
        Ok(CursorPage { data: rows.into_vec(), cursors: row_cursors.unwrap_or_default(), place })
    }
}
