//! The methods that run a query: the paginators, other pages of a list, and streams.
//!
//! They know the type of the rows. What they call passes the rows on as a [`RowSink`], so the compiler does not
//! generate it again for each model.

use futures_core::Stream;

use super::description::Query;
use super::model::Of;
use super::position::Middle;
use super::rows::RowOf;
use super::source::QuerySource;
use super::{numbered, window};
use crate::driver::{RowSink, TypedRows};
use crate::error::Result;
use crate::model::{CursorKey as _, IdentifiedBy, Model};
use crate::paginator::{Around, CursorPaginator, LengthAwarePaginator, Paginator};
use crate::read::Place;
use crate::schema::key_values::KeyValues;
use crate::schema::primary_key::PrimaryKey;
use crate::source::using::Connect;

impl<S: QuerySource, C: Connect> Query<S, C> {
    /// Reads one page with the total and page numbers, with one statement.
    ///
    /// The page number is set by [`page`](Self::page), or else read from the active request; otherwise it is 1. A page
    /// past the end is empty. The rows are sorted by [`order_by`](Self::order_by), or by
    /// [`order_by_asc`](Self::order_by_asc) and [`order_by_desc`](Self::order_by_desc), with the primary key as the
    /// tie-breaker. Without an order, they are sorted by primary key.
    ///
    /// The rows of a [`Select`](crate::Select) are sorted by `order_by`, or else by the statement's own ORDER BY. End
    /// the order with a unique column, because pages can overlap if rows tie.
    ///
    /// The rows and their count come from one snapshot, so they agree, except where two statements read them inside your
    /// own transaction (see below). The statement selects the count as the last column of each row, `folio_total`. A page
    /// past the end needs a second statement.
    ///
    /// The count and the rows before the page both take time. From row 10,000 on, the count and the page are two
    /// statements in a short transaction, and the page is read from the end of the list if that is nearer. Inside your
    /// own transaction they are two statements too, but at an isolation level below `RepeatableRead`, rows that are
    /// committed in between can make them differ. If counting takes too long, see [`count_up_to`](Self::count_up_to)
    /// and [`estimated_total_above`](Self::estimated_total_above).
    ///
    /// If a client chooses the page size, limit it with [`PerPage`](crate::PerPage).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().paginate(2).await?;
    /// assert_eq!((page.total, page.last_page, ids(&page.data)), (3, 2, vec![1, 2]));
    ///
    /// let past_the_end = Post::query().page(9).paginate(2).await?;
    /// assert!(past_the_end.is_empty() && past_the_end.total == 3);
    /// assert_eq!(Post::query().paginate(0).await.unwrap_err().status(), 400);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// - [`ParamError`](crate::FrameworkError::ParamError), 400, if `per_page` is 0
    /// - [`Domain`](crate::FrameworkError::Domain), 400, if the database cannot store a value of a filter
    /// - [`Internal`](crate::FrameworkError::Internal) for a column of another table, or if no application is set up
    /// - [`Database`](crate::FrameworkError::Database) if the database fails, or if the connection is not registered
    pub async fn paginate(self, per_page: u64) -> Result<LengthAwarePaginator<S::Row>> {
        let (list, reader, mut connection) = self.into_parts();
        let mut rows = TypedRows::new(reader, per_page);
        let page = numbered::length_aware(list, connection.lend(), per_page, &mut rows).await?;
        Ok(page.with_rows(rows.into_vec()))
    }

    /// Same as [`with_page_name(page_key)`](Self::with_page_name) followed by [`paginate(per_page)`](Self::paginate).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::ActiveRequest;
    ///
    /// let page = ActiveRequest::new("/?posts=2").scope(Post::query().paginate_using("posts", 1)).await?;
    /// assert_eq!((page.current_page, page.previous_page_url().as_deref()), (2, Some("?posts=1")));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`paginate`](Self::paginate).
    pub async fn paginate_using(self, page_key: &str, per_page: u64) -> Result<LengthAwarePaginator<S::Row>> {
        self.with_page_name(page_key).paginate(per_page).await
    }

    /// Reads one page without the total, with one statement.
    ///
    /// The page number and the order are determined as for [`paginate`](Self::paginate), except that the query key is
    /// always `page`. The statement reads one row more than the page shows, to find out whether another page follows.
    /// The cost grows with the depth of the page.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().simple_paginate(2).await?;
    /// assert_eq!((page.has_more, ids(&page.data)), (true, vec![1, 2]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`paginate`](Self::paginate).
    pub async fn simple_paginate(self, per_page: u64) -> Result<Paginator<S::Row>> {
        let (list, reader, mut connection) = self.into_parts();
        let mut rows = TypedRows::new(reader, per_page.saturating_add(1));
        let page = numbered::simple(list, connection.lend(), per_page, &mut rows).await?;
        Ok(page.with_rows(rows.into_vec()))
    }

    /// Reads one page by cursor, usually with one statement. With an index on the cursor key, it costs the same at every
    /// depth.
    ///
    /// The cursor is set by [`cursor`](Self::cursor), or else read from the active request; without one, the page is
    /// the first. The rows are sorted by [`cursor_by`](Self::cursor_by), or else by [`order_by`](Self::order_by), or
    /// else by the model's cursor key. [`order_by_asc`](Self::order_by_asc) and [`order_by_desc`](Self::order_by_desc)
    /// do not apply.
    ///
    /// The order of a [`Select`](crate::Select) has to end with columns that identify a row. If it is a select of a
    /// model, the primary key is appended, and the default is the model's cursor key.
    ///
    /// A client that follows the cursors in one direction sees each row that exists throughout exactly once, even if
    /// other rows are inserted or deleted. It does not see rows that are committed later with a key before its cursor.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::ActiveRequest;
    ///
    /// let first = Post::query().cursor_paginate(2).await?;
    /// // The client follows the URL of the next page.
    /// let request = ActiveRequest::new(&first.next_page_url().unwrap());
    /// let last = request.scope(Post::query().cursor_paginate(2)).await?;
    /// assert_eq!((ids(&last.data), last.next_cursor), (vec![3], None));
    ///
    /// // Back to the first page. The rows are in the same order as before.
    /// let back = Post::query().cursor(last.prev_cursor.as_deref()).cursor_paginate(2).await?;
    /// assert_eq!(back.data.len(), 2);
    /// assert_eq!(ids(&back.data), ids(&first.data));
    ///
    /// let error = Post::query().cursor(Some("altered")).cursor_paginate(2).await.unwrap_err();
    /// assert_eq!(error.status(), 400);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Number of statements
    ///
    /// One statement reads the rows and finds out whether more follow. The indexes of the table are read once a minute,
    /// and the columns of SQL text once for each text. Further statements are needed:
    ///
    /// - for a total ([`counted`](Self::counted)), for some [feeds](Self::among), and for a page that begins at a value
    ///   ([`seek`](Self::seek)) or at a cursor that no page has made
    /// - for an empty page, and where rows may have NULL, tie, or have a key that the database rounds
    /// - if an index was dropped, or rows of a feed were deleted, while the page was read
    ///
    /// On a pool that keeps no prepared statements, BEGIN and COMMIT are added. The guide lists the
    /// [round trips](crate::guide::databases#statements-and-round-trips).
    ///
    /// # Errors
    /// Same as [`paginate`](Self::paginate), and:
    ///
    /// - [`Domain`](crate::FrameworkError::Domain), 400, for an invalid cursor, including a cursor for another table or
    ///   order
    /// - [`Internal`](crate::FrameworkError::Internal) without a keyring, for a select without an order, for rows that
    ///   tie in the order, and for a row whose key is too long for a cursor
    /// - [`Database`](crate::FrameworkError::Database) for a column or value that cannot be used in a cursor key, such
    ///   as NaN
    pub async fn cursor_paginate(self, per_page: u64) -> Result<CursorPaginator<S::Row>> {
        self.cursor_page("cursor_paginate", per_page).await
    }

    async fn cursor_page(self, method: &str, per_page: u64) -> Result<CursorPaginator<S::Row>> {
        let (list, reader, mut connection) = self.into_parts();
        let mut rows = TypedRows::new(reader, per_page);
        let page = window::page(method, list, connection.lend(), per_page, &mut rows).await?;
        Ok(page.with_rows(rows.into_vec()))
    }

    /// Reads the last rows of the list, in the order of the list. With [`after`](Self::after) or [`seek`](Self::seek),
    /// reads the last rows after that position; with [`before`](Self::before), the last rows before it.
    ///
    /// It costs the same as the first page. The active request's cursor is ignored, and [`cursor`](Self::cursor) cannot
    /// be set as well: the page would fail with [`Internal`](crate::FrameworkError::Internal).
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
    pub async fn last_page(mut self, per_page: u64) -> Result<CursorPaginator<S::Row>> {
        self.list.position.from_end = Some(true);
        self.cursor_page("last_page", per_page).await
    }

    /// Same as [`around`](Self::around), for the row at a cursor, and in any order. If `cursor` is the active request's
    /// own cursor, it names the row.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let newest = || Post::query().order_by(Post::ID.desc());
    /// let cursors = newest().with_row_cursors().cursor_paginate(3).await?.row_cursors.unwrap_or_default();
    /// let around = newest().around_cursor(&cursors[1], 1, 0).await?;
    /// assert_eq!((ids(&around.page.data), around.index), (vec![3, 2], Some(1)));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate).
    pub async fn around_cursor(self, cursor: &str, before: u64, after: u64) -> Result<Around<S::Row>> {
        let place = Place::Row { token: cursor.to_owned(), inclusive: true };
        self.around_row("around_cursor", Middle::Row(place), before, after).await
    }

    /// Reads the first row that has a value in the order's first column, or comes after it, with at most `before` rows
    /// before it and at most `after` rows after it: for example the messages around a day. A tuple has values for the
    /// first columns. The list does not have to contain the value, which is compared as by [`seek`](Self::seek).
    ///
    /// It takes about two statements. If no row has the value or comes after it, the page has the rows before it, and
    /// no [`index`](Around::index). A cursor in the active request takes precedence, as for [`around`](Self::around).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let around = Post::query().around_at(2_i64, 1, 5).await?;
    /// assert_eq!((ids(&around.page.data), around.index), (vec![1, 2, 3], Some(1)));
    ///
    /// let newest = Post::query().order_by(Post::ID.desc()).around_at(9_i64, 1, 1).await?;
    /// assert_eq!((ids(&newest.page.data), newest.index), (vec![3, 2], Some(0)));
    /// let end = Post::query().around_at(9_i64, 1, 1).await?;
    /// assert_eq!((ids(&end.page.data), end.index), (vec![3], None));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`seek`](Self::seek) and [`around_cursor`](Self::around_cursor).
    pub async fn around_at(self, values: impl KeyValues, before: u64, after: u64) -> Result<Around<S::Row>> {
        self.around_row("around_at", Middle::From(values.into_key_values()), before, after).await
    }

    /// Reads a row with its neighbours.
    async fn around_row(self, method: &str, middle: Middle, before: u64, after: u64) -> Result<Around<S::Row>> {
        let (list, reader, mut connection) = self.into_parts();
        let mut rows = [before, 1, after].map(|limit| TypedRows::new(reader, limit));
        let [earlier, own, later] = &mut rows;
        let sinks: [&mut dyn RowSink; 3] = [earlier, own, later];
        let (page, index) = window::around(list, &mut connection, (method, middle), [before, after], sinks).await?;
        let rows = rows.into_iter().flat_map(TypedRows::into_vec).collect();
        Ok(Around { page: page.with_rows(rows), index })
    }
}

impl<M: Model, R: RowOf<M>, C: Connect> Query<Of<M, R>, C> {
    /// Reads a row with at most `before` rows before it and at most `after` rows after it, for example for a link to a
    /// message.
    ///
    /// It takes about four statements, each of which costs the same wherever the row is. The list has to be in the
    /// order of the model's cursor key; for any other order, see [`around_cursor`](Self::around_cursor).
    ///
    /// A cursor in the active request takes precedence: the page then has `before + after + 1` rows from that cursor
    /// on. So links lead on, even if they keep the parameter that names the row, as in `?message=7&cursor=…`.
    /// [`cursor(None)`](Self::cursor) ignores the request's cursor.
    ///
    /// If the row was deleted, or the filters do not match it, its neighbours are still found. The exception are keys
    /// that can only be compared by looking up the row, such as dates on SQLite: without the row, the page fails with
    /// status 400.
    ///
    /// See [`Around`] for an example.
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate), and [`Internal`](crate::FrameworkError::Internal) if the
    /// list has another order than the key, or if a position is set, such as by [`after`](Self::after) or
    /// [`skip`](Self::skip).
    pub async fn around(self, key: &M::Key, before: u64, after: u64) -> Result<Around<R>> {
        self.list.check_order_of_key("around", "pass a cursor of this list to `around_cursor`")?;
        let values = key.clone().into_values();
        self.around_row("around", Middle::Row(Place::Key { values, inclusive: true }), before, after).await
    }

    /// Same as [`around`](Self::around), for the row with a primary key, and in any order: for a link that only has the
    /// row's id. The primary key is a value, or a tuple if it has several columns. One more statement reads the row's
    /// key.
    ///
    /// If the list does not have the row, because it was deleted or the filters do not match it, its neighbours are not
    /// known, and the page fails with status 404.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let by_title = || Post::query().order_by((Post::TITLE, Post::ID));
    /// let around = by_title().around_id(3, 1, 1).await?;
    /// assert_eq!((ids(&around.page.data), around.index), (vec![2, 3, 1], Some(1)));
    /// assert_eq!(by_title().around_id(9, 1, 1).await.unwrap_err().status(), 404);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`around_cursor`](Self::around_cursor), and [`Domain`](crate::FrameworkError::Domain), 404, if the list
    /// does not have the row.
    pub async fn around_id<K>(self, id: impl PrimaryKey<K>, before: u64, after: u64) -> Result<Around<R>>
    where
        M: IdentifiedBy<K>,
    {
        self.around_row("around_id", Middle::Id(id.into_operands()), before, after).await
    }
}

impl<S: QuerySource, C: Connect> Query<S, C> {
    /// Streams all pages to the end of the list, for exports and jobs.
    ///
    /// Only one page is in memory at a time, and no connection is held while you process it. The stream begins at
    /// [`cursor`](Self::cursor), or else at the first row; the active request is ignored. The stream ends after an
    /// error.
    ///
    /// To resume it later, pass the [`end_cursor`](CursorPaginator::end_cursor) of the last page that you have
    /// processed. Each page has one, except for the empty page of a list without rows that was not read from a cursor
    /// on. The `next_cursor` of the last page is `None`, with which the next run would start over.
    ///
    /// The pages are read by separate statements, not from one snapshot. If you need one, consume the stream inside a
    /// [`transaction`](crate::DB::transaction_with) at `RepeatableRead`.
    ///
    /// # Errors
    /// Each page can fail like [`cursor_paginate`](Self::cursor_paginate).
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::raw_sql("CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2), (3)").execute(&pool).await?;
    /// # folio::Folio::new(pool).keyring(folio::Keyring::new(folio::Key::generate())).scope(async {
    /// use futures_util::TryStreamExt;
    ///
    /// /// Processes the rows after a position, and returns the position where it ended.
    /// async fn job(mut position: Option<String>) -> folio::Result<(Vec<i64>, Option<String>)> {
    ///     let mut processed = Vec::new();
    ///     let mut pages = std::pin::pin!(Post::query().cursor(position.as_deref()).cursor_chunks(2));
    ///     while let Some(page) = pages.try_next().await? {
    ///         processed.extend(page.data.iter().map(|post| post.id));
    ///         position = page.end_cursor;
    ///     }
    ///     Ok((processed, position))
    /// }
    /// let (first_run, position) = job(None).await?;
    /// let (second_run, position) = job(position).await?;
    /// assert_eq!((first_run, second_run), (vec![1, 2, 3], vec![]));
    ///
    /// sqlx::query("INSERT INTO posts VALUES (4)").execute(&mut *folio::DB::sqlite().await?).await?;
    /// assert_eq!(job(position).await?.0, [4]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor_chunks(self, page_size: u64) -> impl Stream<Item = Result<CursorPaginator<S::Row>>> {
        let (list, reader, connection) = self.into_parts();
        window::chunks(list, reader, connection, page_size)
    }

    /// Streams all rows to the end of the list, reading `page_size` rows at a time.
    ///
    /// It behaves like [`cursor_chunks`](Self::cursor_chunks), but yields rows, and creates no cursors. With pages of
    /// 10,000 rows it costs about as much as one long SELECT; smaller pages lose time to round trips. To resume after a
    /// row, pass the cursor of its key: `row.cursor_key().encode(CursorDirection::Next)`.
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate). A keyring is needed only if the stream begins at a cursor.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::CursorDirection;
    /// use futures_util::TryStreamExt;
    ///
    /// let sum = Post::query().cursor_stream(1_000).try_fold(0, async |sum, post| Ok(sum + post.id));
    /// assert_eq!(sum.await?, 6);
    ///
    /// // Resume after the row with the id 2.
    /// let after = PostKey { id: 2 }.encode(CursorDirection::Next)?;
    /// let rest: Vec<_> = Post::query().cursor(Some(&after)).cursor_stream(1_000).try_collect().await?;
    /// assert_eq!(ids(&rest), [3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor_stream(self, page_size: u64) -> impl Stream<Item = Result<S::Row>> {
        let (list, reader, connection) = self.into_parts();
        window::rows(list, reader, connection, page_size)
    }
}
