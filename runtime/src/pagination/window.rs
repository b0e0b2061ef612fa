//! Pages of a [`Select`] that begin or end at a row or a value, and other windows of it.

use crate::error::Result;
use crate::list::cursor_pages;
use crate::page_tokens::{PageRequest, TokenPage};
use crate::paginator::Around;
use crate::paginator::CursorPaginator;
use crate::position::Place;
use crate::relay::{Connection, Window};
use crate::schema::key_values::KeyValues;
use crate::select::Select;
use crate::source::using::Connect;
#[cfg(feature = "json-api")]
use crate::web::json_api::cursor_window::{CursorPage, CursorWindow, CursorWindowError};

impl<T, C> Select<T, C> {
    /// Adds a cursor for each row of a cursor page. See [`Builder::with_row_cursors`](crate::Builder::with_row_cursors).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id"));
    /// let page = posts.clone().with_row_cursors().cursor_paginate(3).await?;
    /// let cursors = page.row_cursors.unwrap_or_default();
    /// assert_eq!(posts.after(Some(&cursors[1])).cursor_paginate(3).await?.data, [(3,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_row_cursors(mut self) -> Self {
        self.query.position.row_cursors = true;
        self
    }

    /// Reads the rows after a cursor. See [`Builder::after`](crate::Builder::after).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id"));
    /// let first = posts.clone().cursor_paginate(1).await?;
    /// assert_eq!(posts.after(first.next_cursor.as_deref()).cursor_paginate(1).await?.data, [(2,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn after(mut self, cursor: Option<&str>) -> Self {
        self.query.position.after = cursor.map(str::to_owned);
        self
    }

    /// Reads the rows before a cursor. See [`Builder::before`](crate::Builder::before).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id"));
    /// let last = posts.clone().last_page(1).await?;
    /// assert_eq!(posts.before(last.prev_cursor.as_deref()).cursor_paginate(1).await?.data, [(2,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn before(mut self, cursor: Option<&str>) -> Self {
        self.query.position.before = cursor.map(str::to_owned);
        self
    }

    /// Begins the list after a value of the order's first column, or after a tuple of values for its first columns. See
    /// [`Builder::seek`](crate::Builder::seek).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id").desc());
    /// assert_eq!(posts.seek(3_i64).cursor_paginate(1).await?.data, [(2,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`Builder::seek`](crate::Builder::seek).
    pub fn seek(mut self, values: impl KeyValues) -> Self {
        self.query.position.seek = Some(Place::Values { values: values.into_key_values(), inclusive: false });
        self
    }

    /// Same as [`seek`](Self::seek), but includes the rows with the value itself.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id").desc());
    /// assert_eq!(posts.seek_inclusive(3_i64).cursor_paginate(1).await?.data, [(3,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn seek_inclusive(mut self, values: impl KeyValues) -> Self {
        self.query.position.seek = Some(Place::Values { values: values.into_key_values(), inclusive: true });
        self
    }

    /// Skips rows of a cursor page, at most 10,000. See [`Builder::skip`](crate::Builder::skip).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id"));
    /// assert_eq!(posts.skip(1).cursor_paginate(1).await?.data, [(2,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn skip(mut self, rows: u64) -> Self {
        self.query.position.skip = rows;
        self
    }
}

impl<T: Send, C: Connect> Select<T, C> {
    /// Reads the last rows of the list. See [`Builder::last_page`](crate::Builder::last_page).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id"));
    /// assert_eq!(posts.last_page(2).await?.data, [(2,), (3,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate).
    pub async fn last_page(self, per_page: u64) -> Result<CursorPaginator<T>> {
        let Self { query, reader, mut connection } = self;
        cursor_pages::last_page(query, reader, &mut connection, per_page).await
    }

    /// Reads the row at a cursor with its neighbours. See [`Builder::around`](crate::Builder::around).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id"));
    /// let first = posts.clone().cursor_paginate(2).await?;
    /// let around = posts.around_cursor(first.next_cursor.as_deref().unwrap(), 1, 1).await?;
    /// assert_eq!((around.page.data, around.found), (vec![(1,), (2,), (3,)], Some(1)));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate).
    pub async fn around_cursor(self, cursor: &str, before: u64, after: u64) -> Result<Around<T>> {
        let Self { query, reader, mut connection } = self;
        cursor_pages::around(
            query,
            reader,
            &mut connection,
            Place::Row { token: cursor.to_owned(), inclusive: true },
            [before, after],
        )
        .await
    }

    /// Reads a window of the list as a Relay connection: see [`relay`](crate::relay).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select, relay::Window};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id"));
    /// let connection = posts.connection(Window::last(1)).await?;
    /// assert_eq!((connection.edges[0].node, connection.page_info.has_previous_page), ((3,), true));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`Builder::connection`](crate::Builder::connection).
    pub async fn connection(self, window: Window) -> Result<Connection<T>> {
        let Self { query, reader, mut connection } = self;
        cursor_pages::connection(query, reader, &mut connection, window).await
    }

    /// Reads a window of the list for JSON:API's cursor pagination profile: see
    /// [`CursorWindow`](crate::json_api::CursorWindow).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select, json_api::CursorWindow};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id").desc());
    /// let page = posts.cursor_window(CursorWindow::resolve("page[size]=2", 20, 100)?).await?;
    /// assert_eq!(page.rows(), [(3,), (2,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`Builder::cursor_window`](crate::Builder::cursor_window).
    #[cfg(feature = "json-api")]
    pub async fn cursor_window(self, window: CursorWindow) -> Result<CursorPage<T>, CursorWindowError> {
        let Self { query, reader, mut connection } = self;
        cursor_pages::cursor_window(query, reader, &mut connection, window).await
    }

    /// Reads a page by a token, as gRPC services do: see [`page_tokens`](crate::page_tokens).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select, page_tokens::TokenRequest};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id"));
    /// let page = posts.counted().token_page(TokenRequest::default().limits(2, 1_000)).await?;
    /// assert_eq!((page.rows, page.total_size), (vec![(1,), (2,)], Some(3)));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`Builder::token_page`](crate::Builder::token_page).
    pub async fn token_page(self, request: PageRequest) -> Result<TokenPage<T>> {
        let Self { query, reader, mut connection } = self;
        cursor_pages::token_page(query, reader, &mut connection, request).await
    }
}
