//! The methods of [`Select`] that run it: three paginators and two streams.
//!
//! [`crate::list`] reads their pages. This file also tells it how a select is checked and compiled.

use std::mem;

use futures_core::Stream;

use crate::error::{FrameworkError, Result};
use crate::list::{List, cursor_pages, numbered_pages};
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};
use crate::position::Position;
use crate::schema::table::Table;
use crate::schema::term::Term;
use crate::select::{CallerQuery, KeysetSelect, OffsetSelect, Select};
use crate::source::route::{Route, Source};
use crate::source::using::Connect;

impl<T: Send, C: Connect> Select<T, C> {
    /// Reads one page with the total and page numbers, with one statement.
    ///
    /// It takes two statements if the select has UNION, WITH, MySQL variables, or raw SQL that folio cannot parse, for
    /// a page past the end, and from row 10,000 on. [SQL text](Self::sql) only takes two for UNION ALL, MySQL
    /// variables, pages past the end, and from row 10,000 on. The statement selects the total as `folio_total`, so none
    /// of your columns may have this name.
    ///
    /// The page number is set by [`page`](Self::page), or else read from the active request; otherwise it is 1. A page
    /// past the end is empty. The rows are sorted by [`order_by`](Self::order_by), or else by the statement's own ORDER
    /// BY. End the order with a unique column, because pages can overlap if rows tie.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{ActiveRequest, Select, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").order_by("id", Order::Asc).take();
    /// let select = Select::<(i64, String)>::from(select);
    /// let page = ActiveRequest::new("/posts?page=2").scope(select.paginate(2)).await?;
    /// assert_eq!((page.total, page.data), (3, vec![(3, "a".to_owned())]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`Pagination::length_aware`](crate::Pagination::length_aware).
    pub async fn paginate(self, per_page: u64) -> Result<LengthAwarePaginator<T>> {
        let Self { query, reader, mut connection } = self;
        numbered_pages::length_aware(query, reader, &mut connection, per_page).await
    }

    /// Reads one page without the total, with one statement. The page number and the order are determined as for
    /// [`paginate`](Self::paginate), except that the query key is always `page`.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{ActiveRequest, Select, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").order_by("id", Order::Asc).take();
    /// let select = Select::<(i64, String)>::from(select);
    /// let page = ActiveRequest::new("/posts?page=2").scope(select.simple_paginate(2)).await?;
    /// assert_eq!((page.has_more, page.data), (false, vec![(3, "a".to_owned())]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`paginate`](Self::paginate).
    pub async fn simple_paginate(self, per_page: u64) -> Result<Paginator<T>> {
        let Self { query, reader, mut connection } = self;
        numbered_pages::simple(query, reader, &mut connection, per_page).await
    }

    /// Reads one page by cursor. With an index on the order, it costs the same at every depth.
    ///
    /// The cursor is set by [`cursor`](Self::cursor), or else read from the active request; without one, the page is
    /// the first. The rows are sorted by [`order_by`](Self::order_by), which has to end with columns that identify a
    /// row. For a select of a [`model`](Self::model), the default is the model's cursor key.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{ActiveRequest, Column, Select, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let newest = Select::<(i64, String)>::from(select).order_by(Column::<i64>::new("id").desc());
    /// let first = newest.clone().cursor_paginate(2).await?;
    /// let request = ActiveRequest::new(&first.next_page_url().unwrap());
    /// assert_eq!(request.scope(newest.cursor_paginate(2)).await?.data, [(1, "b".to_owned())]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`Pagination::cursor`](crate::Pagination::cursor), and
    /// [`Internal`](crate::FrameworkError::Internal) without an order.
    pub async fn cursor_paginate(self, per_page: u64) -> Result<CursorPaginator<T>> {
        let Self { query, reader, mut connection } = self;
        cursor_pages::page(query, reader, &mut connection, per_page).await
    }

    /// Streams all pages to the end of the list. See [`Builder::cursor_chunks`](crate::Builder::cursor_chunks).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    /// use futures_util::TryStreamExt;
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id"));
    /// let pages: Vec<_> = posts.cursor_chunks(2).try_collect().await?;
    /// assert_eq!((pages[0].data.len(), pages[1].data.len()), (2, 1));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Each page can fail like [`cursor_paginate`](Self::cursor_paginate).
    pub fn cursor_chunks(self, page_size: u64) -> impl Stream<Item = Result<CursorPaginator<T>>> {
        let Self { query, reader, connection } = self;
        cursor_pages::chunks(query, reader, connection, page_size)
    }

    /// Streams all rows to the end of the list, reading `page_size` rows at a time. See
    /// [`Builder::cursor_stream`](crate::Builder::cursor_stream).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    /// use futures_util::TryStreamExt;
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id"));
    /// let sum = posts.cursor_stream(1_000).try_fold(0, async |sum, (id,)| Ok(sum + id));
    /// assert_eq!(sum.await?, 6);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate). A keyring is needed only if the stream begins at a cursor.
    pub fn cursor_stream(self, page_size: u64) -> impl Stream<Item = Result<T>> {
        let Self { query, reader, connection } = self;
        cursor_pages::rows(query, reader, connection, page_size)
    }
}

impl List for CallerQuery {
    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn table(&self) -> Option<&'static Table> {
        None
    }

    fn position(&mut self) -> &mut Position {
        &mut self.position
    }

    fn take_route(&mut self) -> Route {
        mem::take(&mut self.route)
    }

    fn uncount(&mut self) {
        self.is_counted = false;
    }

    fn numbered(self, source: &Source<'_>) -> Result<OffsetSelect> {
        self.offset_query(source)
    }

    fn keyset(self, source: &Source<'_>) -> Result<KeysetSelect> {
        self.keyset_query(source)
    }
}

impl<T> Select<T> {
    /// Sets the page number that a function takes as an argument.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if the select has one.
    pub(super) fn at_page(mut self, page: u64) -> Result<Self> {
        match self.query.position.page.replace(page) {
            None => Ok(self),
            Some(_) => Err(FrameworkError::internal(
                "the page number of this select is given twice, by `page` and as an argument: leave one of them out",
            )),
        }
    }

    /// Sets the connection that a function takes as an argument.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if the select has one.
    pub(super) fn at_connection(self, connection: &str) -> Result<Self> {
        let own = match &self.query.route {
            Route { using: Some(_), .. } => "a pool by `using`".to_owned(),
            Route { on: Some(own), .. } => format!("`{own}` by `on`"),
            _ => return Ok(self.on(connection)),
        };
        Err(FrameworkError::internal(format!(
            "the connection of this select is given twice, {own} and `{connection}` as an argument: leave one of them out"
        )))
    }

    /// Sets the cursor and the order that a function takes as arguments.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if the select has one of them.
    pub(super) fn at_cursor(mut self, cursor: Option<&str>, order: Vec<Term>) -> Result<Self> {
        self.query.sort_by(order)?;
        match self.query.position.cursor.replace(cursor.map(str::to_owned)) {
            None => Ok(self),
            Some(_) => Err(FrameworkError::internal(
                "the cursor of this select is given twice, by `cursor` and as an argument: leave one of them out",
            )),
        }
    }
}
