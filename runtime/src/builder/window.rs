//! Pages that begin or end at a row or a value, and the methods that read windows of a list.

use super::{Builder, ModelQuery};
use crate::around::Around;
use crate::cursor::CursorBinding;
use crate::cursor_list;
use crate::cursor_window::{CursorPage, CursorWindow, CursorWindowError};
use crate::error::{FrameworkError, Result};
use crate::model::key_values::KeyValues;
use crate::model::term::Term;
use crate::model::{CursorKey, Model, cursor_terms};
use crate::paginator::CursorPaginator;
use crate::position::Place;
use crate::relay::{Connection, Window};
use crate::token_list::{LimitedRequest, TokenPage};
use crate::using::Connect;

impl<M: Model, C> Builder<M, C> {
    /// Adds a cursor for each row of a cursor page: [`row_cursors`](CursorPaginator::row_cursors), and the JSON key
    /// `row_cursors`.
    ///
    /// [`cursor`](Self::cursor) and [`after`](Self::after) continue after such a row, [`before`](Self::before) reads the
    /// rows before it. Sealing takes about a microsecond for each row. If
    /// the order of a select ends in texts, one more statement for each 100 rows compares neighbouring rows; if the database
    /// may have rounded a value that it sent, one for each row looks it up.
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

    /// Reads the rows after a cursor, whichever way the cursor goes. `None` changes nothing.
    ///
    /// With [`before`](Self::before) too, the page has the first rows between the two cursors. The active request's cursor
    /// is not read then, and [`cursor`](Self::cursor) beside it is an error. The cursors of the page lead on through the
    /// whole list.
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

    /// Reads the rows before a cursor, whichever way the cursor goes: the last ones before it, in the order of the list.
    /// With [`after`](Self::after) or [`seek`](Self::seek) too, the first ones of those between. `None` changes nothing.
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

    /// Begins the list after a value of the order's first column, or after a tuple of values of its first columns: at the
    /// rows of a later day, or after a name. No row need have the value.
    ///
    /// A cursor, of the query or of the active request, takes precedence. So the same query serves the first page and
    /// those after it. The rows before the value can be reached: `prev_cursor` leads to them.
    ///
    /// The page costs the same wherever it begins, if an index has the order. The value compares as in a filter. SQLite
    /// compares texts of dates as they are stored, so it is an error if the first one of the list is not written as sqlx
    /// writes it.
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
    /// The page fails with [`Internal`](FrameworkError::Internal) for values of other types than the columns have, and for
    /// more values than columns.
    pub fn seek(mut self, values: impl KeyValues) -> Self {
        self.query.position.seek = Some(Place::Values { values: values.into_key_values(), inclusive: false });
        self
    }

    /// Same as [`seek`](Self::seek), with the rows that have the value.
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

    /// Passes over some rows at the beginning of a cursor page's list, or after [`after`](Self::after). With
    /// [`last_page`](Self::last_page) or [`before`](Self::before), they are counted from the end. The database reads them,
    /// so more than 10,000 are refused.
    ///
    /// A cursor, of the query or of the active request, takes precedence, so a walk skips rows only once.
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
    /// Reads the end of the list: its last rows, in its order. With [`after`](Self::after) or [`seek`](Self::seek), the last
    /// rows after that place; with [`before`](Self::before), the last ones before it.
    ///
    /// It costs the same as the first page. The active request's cursor is not read, and [`cursor`](Self::cursor) beside it
    /// is an error.
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
        let Self { query, mut connection } = self;
        cursor_list::last_page(query, &mut connection, per_page).await
    }

    /// Reads a row with at most `before` rows before it and `after` rows after it, for a link to a place in a list.
    ///
    /// It takes four statements, each of which costs the same wherever the row is. The list has the order of the model's
    /// cursor key; for any other, see [`around_cursor`](Self::around_cursor). The active request is not read.
    ///
    /// If the row is gone, or the filters do not match it, its neighbours are found all the same. Only if its key cannot
    /// be compared without it, such as a date on SQLite, the page is an error with the status 400.
    ///
    /// See [`Around`] for an example.
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate), and [`Internal`](FrameworkError::Internal) if the list has
    /// another order than the key, or a place of its own such as [`after`](Self::after) or [`skip`](Self::skip).
    pub async fn around(self, key: &M::Key, before: u64, after: u64) -> Result<Around<M>> {
        let Self { query, mut connection } = self;
        query.check_order_of_key()?;
        let place = Place::Key { values: key.clone().into_values(), inclusive: true };
        cursor_list::around(query, &mut connection, place, [before, after]).await
    }

    /// Same as [`around`](Self::around), for the row of a cursor, in any order.
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
        let Self { query, mut connection } = self;
        cursor_list::around(
            query,
            &mut connection,
            Place::Row { token: cursor.to_owned(), inclusive: true },
            [before, after],
        )
        .await
    }

    /// Reads a window of the list as a connection of Relay's: see [`relay`](crate::relay). A client chooses the number of
    /// rows, so limit it with [`at_most`](Window::at_most).
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate), and [`Domain`](FrameworkError::Domain), 400, for a window that
    /// the specification does not allow.
    pub async fn connection(self, window: Window) -> Result<Connection<M>> {
        let Self { query, mut connection } = self;
        cursor_list::connection(query, &mut connection, window).await
    }

    /// Reads a window of the list by the cursor pagination profile of JSON:API: see
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
    /// Same as [`cursor_paginate`](Self::cursor_paginate). An invalid cursor is
    /// [`InvalidCursor`](CursorWindowError::InvalidCursor), 400, which names its parameter.
    pub async fn cursor_window(self, window: CursorWindow) -> Result<CursorPage<M>, CursorWindowError> {
        let Self { query, mut connection } = self;
        cursor_list::cursor_window(query, &mut connection, window).await
    }

    /// Reads a page by a token, as gRPC services do: see [`token_list`](crate::token_list).
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate), and [`ParamError`](FrameworkError::ParamError), 400, for a
    /// negative size or number of rows to skip.
    pub async fn token_page(self, request: LimitedRequest) -> Result<TokenPage<M>> {
        let Self { query, mut connection } = self;
        cursor_list::token_page(query, &mut connection, request).await
    }
}

impl<M: Model> ModelQuery<M> {
    /// Rejects another order than that of the model's key.
    fn check_order_of_key(&self) -> Result<()> {
        let Some(order) = self.cursor_terms.as_ref().or(self.order.as_ref()) else { return Ok(()) };
        if is_order_of_key::<M>(order) {
            return Ok(());
        }
        Err(FrameworkError::internal(
            "`around` takes a key of the model, but the list has another order: pass a cursor of this list to \
             `around_cursor`",
        ))
    }
}

/// Whether terms are the order of the model's key.
fn is_order_of_key<M: Model>(terms: &[Term]) -> bool {
    let binding = |terms: &[Term]| CursorBinding::of_model(M::TABLE, terms);
    binding(terms).is_same(&binding(&cursor_terms(M::TABLE)))
}
