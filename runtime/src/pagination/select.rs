//! The methods of [`Select`] that run it: three paginators and two streams.

use futures_core::Stream;
use futures_util::stream::{self, TryStreamExt as _};

use crate::error::{FrameworkError, Result};
use crate::fetch::{self, Step, StreamPosition, StreamRows};
use crate::model::term::Term;
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};
use crate::route::Route;
use crate::select::{KeysetSelect, Select};
use crate::using::{self, Connect, Pooled};

impl<T, C: Connect> Select<T, C> {
    /// Reads one page with the total and page numbers, with one statement.
    ///
    /// It takes two if the select has UNION, WITH or MySQL's variables, or raw SQL that folio cannot read, and from row
    /// 10,000 on. [SQL text](Self::sql) only takes two for UNION ALL, variables and distant pages. The statement selects the total as `folio_total`, so no column of yours may have that name.
    ///
    /// The page number is that of [`page`](Self::page), else of the active request, else 1. A page past the end is
    /// empty. The rows have the order of [`order_by`](Self::order_by), else the statement's own. End it with a unique
    /// column, because pages can overlap if rows tie.
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
        let Self { source: select, route, mut position, mut connection } = self;
        fetch::check_per_page(per_page)?;
        let page = position.page();
        let source = using::source(route, &mut connection)?;
        let (path, page_name) = (position.take_path(), position.page_name.take());
        let list = select.numbered(&source)?;
        let page = fetch::length_aware(source, list, per_page, page).await?;
        Ok(LengthAwarePaginator { path, page_name, ..page })
    }

    /// Reads one page without the total, with one statement. Page number and order are those of
    /// [`paginate`](Self::paginate).
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
        let Self { source: select, route, mut position, mut connection } = self;
        fetch::check_per_page(per_page)?;
        let page = position.simple_page(None);
        let source = using::source(route, &mut connection)?;
        let path = position.take_path();
        let list = select.numbered(&source)?;
        let page = fetch::simple(source, list, per_page, page).await?;
        Ok(Paginator { path, ..page })
    }

    /// Reads one page by cursor. With an index on the order, it costs the same at every depth.
    ///
    /// The cursor is that of [`cursor`](Self::cursor), else of the active request, else the page is the first. The rows
    /// have the order of [`order_by`](Self::order_by), which has to end with a unique column; a select of a
    /// [`model`](Self::model) has the model's cursor key by default.
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
        let (list, mut connection) = self.without_connection();
        list.cursor_page(&mut connection, per_page).await
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
        let (mut list, connection) = self.without_connection();
        list.position.cursor = Some(list.position.cursor.flatten());
        stream::try_unfold((Some(list), connection), move |(list, connection)| next_page(list, connection, page_size))
    }

    /// Streams all rows to the end of the list, read `page_size` rows at a time. See
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
        let (mut list, connection) = self.without_connection();
        let begin = StreamPosition::Token(list.position.cursor.take().flatten());
        let pages = stream::try_unfold((Some(begin), connection), move |(place, connection)| {
            list.clone().next_rows(place, connection, page_size)
        });
        pages.map_ok(|rows| stream::iter(rows.into_iter().map(Ok))).try_flatten()
    }

    /// The list alone, which can be cloned, and what it is read from.
    fn without_connection(self) -> (Select<T>, C) {
        let Self { source, route, position, connection } = self;
        (Select { source, route, position, connection: Pooled }, connection)
    }
}

impl<T> Select<T> {
    async fn cursor_page(self, connection: &mut impl Connect, per_page: u64) -> Result<CursorPaginator<T>> {
        let Self { source: select, route, mut position, .. } = self;
        fetch::check_per_page(per_page)?;
        let (path, token) = (position.take_path(), position.take_cursor());
        let cursor_name = position.cursor_name.take();
        let source = using::source(route, connection)?;
        let select = select.ordered(&source)?;
        let page = fetch::cursor(source, select, per_page, token).await?;
        Ok(CursorPaginator { path, cursor_name, ..page })
    }

    /// The rows of a page of a stream, and the position of the next one; `None` after the last one.
    async fn next_rows<C: Connect>(
        self,
        place: Option<StreamPosition>,
        mut connection: C,
        page_size: u64,
    ) -> Result<Step<Vec<T>, StreamPosition, C>> {
        let Some(place) = place else { return Ok(None) };
        let (rows, next) = self.rows_from(&mut connection, place, page_size).await?;
        Ok(Some((rows, (next, connection))))
    }

    /// The rows of a page, and the position of the next one.
    async fn rows_from(
        self,
        connection: &mut impl Connect,
        place: StreamPosition,
        page_size: u64,
    ) -> Result<StreamRows<T>> {
        fetch::check_per_page(page_size)?;
        let source = using::source(self.route, connection)?;
        // A stream of rows has no total.
        let select = KeysetSelect { counted: None, ..self.source.ordered(&source)? };
        fetch::rows_after(source, select, page_size, place).await
    }

    /// Sets the page number that a function takes as an argument.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if the select has one.
    pub(super) fn at_page(mut self, page: u64) -> Result<Self> {
        match self.position.page.replace(page) {
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
        let own = match &self.route {
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
        self.source.sort_by(order)?;
        match self.position.cursor.replace(cursor.map(str::to_owned)) {
            None => Ok(self),
            Some(_) => Err(FrameworkError::internal(
                "the cursor of this select is given twice, by `cursor` and as an argument: leave one of them out",
            )),
        }
    }
}

/// A page of a stream, and the list for the pages after it; `None` after the last one.
async fn next_page<T, C: Connect>(
    list: Option<Select<T>>,
    mut connection: C,
    page_size: u64,
) -> Result<Step<CursorPaginator<T>, Select<T>, C>> {
    let Some(mut list) = list else { return Ok(None) };
    let page = list.clone().cursor_page(&mut connection, page_size).await?;
    let rest = page.next_cursor.clone().map(|next| {
        list.position.cursor = Some(Some(next));
        list
    });
    Ok(Some((page, (rest, connection))))
}
