//! Pages that begin or end at a row or a value, and other windows of a list.

use super::{Builder, ModelQuery};
use crate::cursor::CursorBinding;
use crate::error::{FrameworkError, Result};
use crate::list::cursor_pages;
use crate::model::{CursorKey, Model, cursor_terms};
use crate::page_tokens::{PageRequest, TokenPage};
use crate::paginator::Around;
use crate::paginator::CursorPaginator;
use crate::position::Place;
use crate::relay::{Connection, Window};
use crate::schema::key_values::KeyValues;
use crate::schema::table::Table;
use crate::schema::term::Term;
use crate::source::using::Connect;
#[cfg(feature = "json-api")]
use crate::web::json_api::cursor_window::{CursorPage, CursorWindow, CursorWindowError};

impl<M: Model, C> Builder<M, C> {
    /// Adds a cursor for each row of a cursor page: [`row_cursors`](CursorPaginator::row_cursors), and the JSON key
    /// `row_cursors`.
    ///
    /// [`cursor`](Self::cursor) and [`after`](Self::after) continue after such a row; [`before`](Self::before) reads
    /// the rows before it. Encrypting the cursors takes about a microsecond for each row. If the order of a
    /// [`Select`](crate::Select) ends with a text column, one more statement for each 100 rows checks for ties. If the
    /// database may have rounded values that it sent, one more statement for each row looks it up.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().with_row_cursors().cursor_paginate(3).await?;
    /// let cursors = page.row_cursors.unwrap_or_default();
    ///
    /// let after = Post::query().after(Some(&cursors[0])).cursor_paginate(2).await?;
    /// let before = Post::query().before(Some(&cursors[2])).cursor_paginate(2).await?;
    /// assert_eq!((ids(&after.data), ids(&before.data)), (vec![2, 3], vec![1, 2]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_row_cursors(mut self) -> Self {
        self.query.position.row_cursors = true;
        self
    }

    /// Reads the rows after a cursor, whatever the cursor's direction. `None` changes nothing.
    ///
    /// Combined with [`before`](Self::before), the page has the first rows between the two cursors. The active
    /// request's cursor is then ignored, and [`cursor`](Self::cursor) cannot be set as well: the page would fail with
    /// [`Internal`](FrameworkError::Internal). The page's own cursors continue through the whole list.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().with_row_cursors().cursor_paginate(3).await?;
    /// let cursors = page.row_cursors.unwrap_or_default();
    ///
    /// let between = Post::query().after(Some(&cursors[0])).before(Some(&cursors[2])).cursor_paginate(10).await?;
    /// assert_eq!(ids(&between.data), [2]);
    /// assert!(between.has_more_pages() && !between.on_first_page());
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn after(mut self, cursor: Option<&str>) -> Self {
        self.query.position.after = cursor.map(str::to_owned);
        self
    }

    /// Reads the last rows before a cursor, in the order of the list, whatever the cursor's direction. Combined with
    /// [`after`](Self::after) or [`seek`](Self::seek), reads the first rows in between. `None` changes nothing.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let last = Post::query().last_page(1).await?;
    /// let page = Post::query().before(last.prev_cursor.as_deref()).cursor_paginate(1).await?;
    /// assert_eq!(ids(&page.data), [2]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn before(mut self, cursor: Option<&str>) -> Self {
        self.query.position.before = cursor.map(str::to_owned);
        self
    }

    /// Begins the list after a value of the order's first column, such as a day or a name, or after a tuple of values
    /// for the first columns. The list does not have to contain the value.
    ///
    /// A cursor, set by [`cursor`](Self::cursor) or in the active request, takes precedence, so the same query serves
    /// the first page and the following ones. The page's `prev_cursor` leads to the rows before the value.
    ///
    /// If an index has the order, the page costs the same wherever it begins. The value is compared as in a filter.
    /// SQLite compares dates as the text that is stored, so the page fails if the first date of the list is not in the
    /// format that sqlx writes.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().seek(1_i64).cursor_paginate(2).await?;
    /// assert_eq!(ids(&page.data), [2, 3]);
    /// let back = Post::query().cursor(page.prev_cursor.as_deref()).cursor_paginate(2).await?;
    /// assert_eq!(ids(&back.data), [1]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// The page fails with [`Internal`](FrameworkError::Internal) if a value does not have its column's type, or if
    /// there are more values than columns. It fails with [`Domain`](FrameworkError::Domain), 400, for a value that the
    /// database refuses, such as NaN, or one that is not a value of the column's enum.
    pub fn seek(mut self, values: impl KeyValues) -> Self {
        self.query.position.seek = Some(Place::Values { values: values.into_key_values(), inclusive: false });
        self
    }

    /// Same as [`seek`](Self::seek), but includes the rows with the value itself.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().seek_inclusive(2_i64).cursor_paginate(2).await?;
    /// assert_eq!(ids(&page.data), [2, 3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn seek_inclusive(mut self, values: impl KeyValues) -> Self {
        self.query.position.seek = Some(Place::Values { values: values.into_key_values(), inclusive: true });
        self
    }

    /// Skips rows of a cursor page at the beginning of the list, or after [`after`](Self::after). With
    /// [`last_page`](Self::last_page) or [`before`](Self::before), it skips rows at the end. The database reads the
    /// skipped rows, so the page fails with [`InvalidParameter`](FrameworkError::InvalidParameter), 400, for more than 10,000.
    ///
    /// A cursor, set by [`cursor`](Self::cursor) or in the active request, takes precedence, so a client that follows
    /// cursors skips rows only once.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().skip(2).cursor_paginate(2).await?;
    /// assert_eq!((ids(&page.data), page.on_first_page()), (vec![3], false));
    /// assert_eq!(Post::query().skip(10_001).cursor_paginate(2).await.unwrap_err().status(), 400);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn skip(mut self, rows: u64) -> Self {
        self.query.position.skip = rows;
        self
    }
}

impl<M: Model, C: Connect> Builder<M, C> {
    /// Reads the last rows of the list, in the order of the list. With [`after`](Self::after) or [`seek`](Self::seek),
    /// reads the last rows after that position; with [`before`](Self::before), the last rows before it.
    ///
    /// It costs the same as the first page. The active request's cursor is ignored, and [`cursor`](Self::cursor) cannot
    /// be set as well: the page would fail with [`Internal`](FrameworkError::Internal).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().last_page(2).await?;
    /// assert_eq!((ids(&page.data), page.has_more_pages()), (vec![2, 3], false));
    /// let before = Post::query().cursor(page.prev_cursor.as_deref()).cursor_paginate(2).await?;
    /// assert_eq!(ids(&before.data), [1]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate).
    pub async fn last_page(self, per_page: u64) -> Result<CursorPaginator<M>> {
        let Self { query, mut connection, .. } = self;
        cursor_pages::last_page(query, M::READER, &mut connection, per_page).await
    }

    /// Reads a row with at most `before` rows before it and at most `after` rows after it, for example for a link to a
    /// message.
    ///
    /// It takes about four statements, each of which costs the same wherever the row is. The list has to be in the
    /// order of the model's cursor key; for any other order, see [`around_cursor`](Self::around_cursor).
    ///
    /// A cursor in the active request takes precedence: the page then has `before + after + 1` rows from that cursor on.
    /// So links lead on, even if they keep the parameter that names the row, as in `?message=7&cursor=…`.
    /// [`cursor(None)`](Self::cursor) ignores the request's cursor.
    ///
    /// If the row was deleted, or the filters do not match it, its neighbours are still found. The exception are keys
    /// that can only be compared by looking up the row, such as dates on SQLite: without the row, the page fails with
    /// status 400.
    ///
    /// See [`Around`] for an example.
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate), and [`Internal`](FrameworkError::Internal) if the list has
    /// another order than the key, or if a position is set, such as by [`after`](Self::after) or [`skip`](Self::skip).
    pub async fn around(self, key: &M::Key, before: u64, after: u64) -> Result<Around<M>> {
        let Self { query, mut connection, .. } = self;
        query.check_order_of_key()?;
        let place = Place::Key { values: key.clone().into_values(), inclusive: true };
        cursor_pages::around(query, M::READER, &mut connection, place, [before, after]).await
    }

    /// Same as [`around`](Self::around), for the row at a cursor, and in any order. If `cursor` is the active request's
    /// own cursor, it names the row.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let newest = || Post::query().order_by(Post::ID.desc());
    /// let cursors = newest().with_row_cursors().cursor_paginate(3).await?.row_cursors.unwrap_or_default();
    /// let around = newest().around_cursor(&cursors[1], 1, 0).await?;
    /// assert_eq!((ids(&around.page.data), around.found), (vec![3, 2], Some(1)));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate).
    pub async fn around_cursor(self, cursor: &str, before: u64, after: u64) -> Result<Around<M>> {
        let Self { query, mut connection, .. } = self;
        cursor_pages::around(
            query,
            M::READER,
            &mut connection,
            Place::Row { token: cursor.to_owned(), inclusive: true },
            [before, after],
        )
        .await
    }

    /// Reads a window of the list as a Relay connection: see [`relay`](crate::relay). Clients choose the number of
    /// rows, so limit it with [`at_most`](Window::at_most).
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate), and [`Domain`](FrameworkError::Domain), 400, for a window
    /// without exactly one of `first` and `last`, or with a negative number.
    pub async fn connection(self, window: Window) -> Result<Connection<M>> {
        let Self { query, mut connection, .. } = self;
        cursor_pages::connection(query, M::READER, &mut connection, window).await
    }

    /// Reads a window of the list for JSON:API's cursor pagination profile: see
    /// [`CursorWindow`](crate::json_api::CursorWindow).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
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
    #[cfg(feature = "json-api")]
    pub async fn cursor_window(self, window: CursorWindow) -> Result<CursorPage<M>, CursorWindowError> {
        let Self { query, mut connection, .. } = self;
        cursor_pages::cursor_window(query, M::READER, &mut connection, window).await
    }

    /// Reads a page by a token, as gRPC services do: see [`page_tokens`](crate::page_tokens).
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate), and [`InvalidParameter`](FrameworkError::InvalidParameter),
    /// 400, for a negative page size, or a negative or too large number of rows to skip.
    pub async fn token_page(self, request: PageRequest) -> Result<TokenPage<M>> {
        let Self { query, mut connection, .. } = self;
        cursor_pages::token_page(query, M::READER, &mut connection, request).await
    }
}

impl ModelQuery {
    /// Rejects another order than that of the model's key.
    fn check_order_of_key(&self) -> Result<()> {
        let Some(order) = self.cursor_terms.as_ref().or(self.order.as_ref()) else { return Ok(()) };
        if is_order_of_key(self.table, order) {
            return Ok(());
        }
        Err(FrameworkError::internal(
            "`around` takes a key of the model, but the list has another order: pass a cursor of this list to \
             `around_cursor`",
        ))
    }
}

/// Whether terms are the order of the model's key.
fn is_order_of_key(table: &'static Table, terms: &[Term]) -> bool {
    let binding = |terms: &[Term]| CursorBinding::of_model(table, terms);
    binding(terms).is_same(&binding(&cursor_terms(table)))
}
