//! What every query has: a position, a connection, URLs, a total, and what its cursors are bound to.

use super::description::Query;
use crate::read::{Place, TotalSource};
use crate::schema::key_values::KeyValues;
use crate::source::using::ConnectionSource;

impl<S, C> Query<S, C> {
    /// Sets the page number, counted from 1, in place of the active request's. Page 0 counts as page 1. It is an error
    /// on a page by cursor.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().page(2).paginate(2).await?;
    /// assert_eq!((page.current_page, ids(&page.data)), (2, vec![3]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn page(mut self, page: u64) -> Self {
        self.list.position.page = Some(page);
        self
    }

    /// Sets the cursor in place of the active request's. `None` means the first page, even if the request has a cursor.
    /// On a numbered page, a cursor is an error, and so is any other row to begin at.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let first = Post::query().cursor(None).cursor_paginate(2).await?;
    /// let second = Post::query().cursor(first.next_cursor.as_deref()).cursor_paginate(2).await?;
    /// assert_eq!((ids(&first.data), ids(&second.data)), (vec![1, 2], vec![3]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor(mut self, cursor: Option<&str>) -> Self {
        self.list.position.cursor = Some(cursor.map(str::to_owned));
        self
    }

    /// Reads the rows after a cursor, whatever the cursor's direction. `None` changes nothing.
    ///
    /// Combined with [`before`](Self::before), the page has the first rows between the two cursors. The active
    /// request's cursor is then ignored, and [`cursor`](Self::cursor) cannot be set as well: the page would fail with
    /// [`Internal`](crate::FrameworkError::Internal). The page's own cursors continue through the whole list.
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
        self.list.position.after = cursor.map(str::to_owned);
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
        self.list.position.before = cursor.map(str::to_owned);
        self
    }

    /// Begins the list after a value of the order's first column, such as a day or a name, or after a tuple of values
    /// for the first columns. The list does not have to contain the value.
    ///
    /// A cursor, set by [`cursor`](Self::cursor) or in the active request, takes precedence, so the same query serves
    /// the first page and the following ones. The page's `prev_cursor` leads to the rows before the value.
    ///
    /// If an index has the order, the page costs the same wherever it begins. The value is compared as in a filter.
    /// SQLite sorts dates as the text that is stored, so the page fails if the first date of the list is not in the
    /// format that sqlx writes. For a date and time, folio looks at the rows of the days around it, and the
    /// page fails if one of their texts does not sort as its moment does.
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
    /// The page fails with [`Internal`](crate::FrameworkError::Internal) if a value does not have its column's type, or
    /// if there are more values than columns. It fails with [`Domain`](crate::FrameworkError::Domain), 400, for a value
    /// that the database refuses, such as NaN, or one that is not a value of the column's enum.
    pub fn seek(mut self, values: impl KeyValues) -> Self {
        self.list.position.seek = Some(Place::Values { values: values.into_key_values(), inclusive: false });
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
        self.list.position.seek = Some(Place::Values { values: values.into_key_values(), inclusive: true });
        self
    }

    /// Skips rows of a cursor page at the beginning of the list, or after [`after`](Self::after). With
    /// [`last_page`](Self::last_page) or [`before`](Self::before), it skips rows at the end. The database reads the
    /// skipped rows, so the page fails with [`InvalidParameter`](crate::FrameworkError::InvalidParameter), 400, for
    /// more than 10,000.
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
        self.list.position.skip = rows;
        self
    }
}

impl<S, C> Query<S, C> {
    /// Reads from a connection that was registered with [`Folio::connection`](crate::Folio::connection), or from the
    /// default pool, whose name is `__primary__`.
    ///
    /// If the task is inside a transaction on that pool, the page is read in it. Any other transaction is ignored. An
    /// unknown name is an error when the query runs.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// assert_eq!(Post::query().on("reports").paginate(15).await?.total, 3);
    /// assert!(Post::query().on("nowhere").paginate(15).await.is_err());
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn on(mut self, connection: &str) -> Self {
        self.list.route.on = Some(connection.to_owned());
        self
    }

    /// Reads from this pool, which does not have to be registered, or on your own connection: `&mut *transaction` or
    /// `&mut *connection`. It takes precedence over [`on`](Self::on).
    ///
    /// If the task is inside a transaction on the pool or a clone of it, the page is read in it. Any other transaction
    /// is ignored.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let other = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// let create = "CREATE TABLE posts (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL, title TEXT NOT NULL)";
    /// sqlx::query(create).execute(&other).await?;
    /// assert_eq!(Post::query().using(&other).paginate(15).await?.total, 0);
    ///
    /// // In a transaction that was begun with sqlx:
    /// let mut transaction = other.begin().await?;
    /// sqlx::query("INSERT INTO posts VALUES (1, 7, 'new')").execute(&mut *transaction).await?;
    /// assert_eq!(Post::query().using(&mut *transaction).paginate(15).await?.total, 1);
    /// transaction.rollback().await?;
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Borrowed connections
    ///
    /// - The query borrows the connection, so it cannot be cloned, and the borrow ends with the page.
    /// - folio begins no transaction on the connection, and neither commits nor rolls back. There is one exception: if
    ///   a PostgreSQL pool of the application has no named statements, because it is behind a
    ///   [pooler](crate::Pool#poolers), each page that is not inside a transaction is read in one of its own. Register
    ///   the pool that the connection is from, so that folio knows.
    /// - folio does not know which database the connection belongs to, so a cursor page reads the catalog each time,
    ///   which can take one more round trip. For a pool, the catalog is cached.
    /// - As with every statement of sqlx, a MySQL connection is unusable if the future is dropped before it ends.
    pub fn using<P: ConnectionSource>(mut self, source: P) -> Query<S, P::Connection> {
        let (pool, connection) = source.into_parts();
        self.list.route.using = pool;
        Query { list: self.list, connection }
    }
}

impl<S, C> Query<S, C> {
    /// Sets the path of page URLs: a path with an optional query string. For clients that need absolute links, it can
    /// be a URL with a host of your own, but never with the host of a request, which anyone can forge.
    ///
    /// Without a path, the URLs are relative, such as `?page=2`. The query string is kept, except that the page number
    /// or cursor in it is replaced. Several leading slashes become one, because browsers read `//host` as another site.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().with_path("/posts?author=7").paginate(2).await?;
    /// assert_eq!(page.next_page_url().as_deref(), Some("/posts?author=7&page=2"));
    ///
    /// // With the path and filters of the active request:
    /// use folio::ActiveRequest;
    /// let page = ActiveRequest::new("/posts?author=7&page=2")
    ///     .scope(async {
    ///         let uri = ActiveRequest::current().map(|request| request.uri().to_owned()).unwrap_or_default();
    ///         Post::query().with_path(uri).paginate(2).await
    ///     })
    ///     .await?;
    /// assert_eq!(page.previous_page_url().as_deref(), Some("/posts?author=7&page=1"));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.list.position.urls.path = Some(path.into());
        self
    }

    /// Keeps the path and the query string of the active request in page URLs, with filters and page sizes.
    ///
    /// The page number or the cursor in the query is replaced; all other parameters stay as the client sent them. The
    /// JSON's `path` contains only the path. [`with_path`](Self::with_path) takes precedence.
    /// [`Folio::with_query_string`](crate::Folio::with_query_string) does the same for all pages of an application.
    ///
    /// The links keep at most 2,048 bytes. If the request has more, the page fails with
    /// [`Domain`](crate::FrameworkError::Domain), 400; [`Folio::max_query_string`](crate::Folio::max_query_string) sets
    /// another maximum.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::ActiveRequest;
    ///
    /// let request = ActiveRequest::new("/posts?author=7&page=1&per_page=1");
    /// let query = Post::query().filter(Post::AUTHOR_ID.eq(7)).with_query_string();
    /// let page = request.scope(query.paginate(1)).await?;
    /// assert_eq!(page.next_page_url().as_deref(), Some("/posts?author=7&per_page=1&page=2"));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_query_string(mut self) -> Self {
        self.list.position.urls.query_string = true;
        self
    }

    /// Sets the query key of the page number, in the active request and in page URLs. The default is `page`, which
    /// [`simple_paginate`](Self::simple_paginate) always uses.
    ///
    /// Two lists on one screen need different keys, so that each has its own position. For two simple lists, see the
    /// guide's chapter [`frameworks`](crate::guide::frameworks).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::ActiveRequest;
    ///
    /// let query = Post::query().with_page_name("posts");
    /// let page = ActiveRequest::new("/?posts=2").scope(query.paginate(1)).await?;
    /// assert_eq!((page.current_page, page.next_page_url().as_deref()), (2, Some("?posts=3")));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_page_name(mut self, name: &str) -> Self {
        self.list.position.urls.page_name = Some(name.to_owned());
        self
    }

    /// Sets the query key of the cursor, in the active request and in page URLs. The default is `cursor`.
    ///
    /// Two lists on one screen need different keys, so that each has its own position.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().with_cursor_name("feed").cursor_paginate(1).await?;
    /// assert!(page.next_page_url().is_some_and(|url| url.starts_with("?feed=")));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_cursor_name(mut self, name: &str) -> Self {
        self.list.position.urls.cursor_name = Some(name.to_owned());
        self
    }
}

impl<S, C> Query<S, C> {
    /// Adds a cursor for each row of a cursor page: [`row_cursors`](crate::CursorPaginator::row_cursors), and the JSON
    /// key `row_cursors`.
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
        self.list.position.row_cursors = true;
        self
    }

    /// Adds the positions of a cursor page's first and last row, also on the first and the last page of the list:
    /// [`start_cursor`](crate::CursorPaginator::start_cursor) and [`end_cursor`](crate::CursorPaginator::end_cursor),
    /// and the JSON keys of these names.
    ///
    /// `end_cursor` leads to the rows after the page, like `next_cursor`, but is there before any such row is. So a job
    /// can store it, and resume where it ended. `start_cursor` leads to the rows before the page, for example to newer
    /// ones in a list that begins with the newest. An empty page has the position at which it was requested: the cursor
    /// of the request, of [`after`](Self::after) or of [`before`](Self::before). Without one, it has none.
    ///
    /// On the first and the last page, one more cursor is sealed; elsewhere, the page's cursors are its positions.
    /// The pages of [`cursor_chunks`](Self::cursor_chunks) always have positions.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::DB;
    ///
    /// let last = Post::query().with_positions().cursor_paginate(3).await?;
    /// assert_eq!((last.data.len(), &last.next_cursor), (3, &None));
    ///
    /// // Nothing has been inserted. The position stays the same.
    /// let list = |cursor: Option<String>| Post::query().with_positions().cursor(cursor.as_deref());
    /// let empty = list(last.end_cursor).cursor_paginate(3).await?;
    /// assert!(empty.is_empty() && empty.end_cursor.is_some());
    ///
    /// sqlx::query("INSERT INTO posts VALUES (4, 7, 'new')").execute(&mut *DB::sqlite().await?).await?;
    /// let page = list(empty.end_cursor).cursor_paginate(3).await?;
    /// assert_eq!(ids(&page.data), [4]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_positions(mut self) -> Self {
        self.list.position.positions = true;
        self
    }

    /// Binds the cursors to a scope, such as a tenant: a cursor that was made in one scope is invalid in any other.
    ///
    /// Without a scope, a cursor is only bound to the table, or to the name of a select, and to the order: one tenant's
    /// cursor is valid in another tenant's list, where it shows that tenant's rows from the same position on. The
    /// cursor does not contain the scope, so it does not get longer. Cursors from `row.cursor_key().encode(..)` have no
    /// scope, so they are invalid in a list with one.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let list = |tenant: &str| Post::query().cursor_scope(&format!("tenant:{tenant}"));
    /// let page = list("7").cursor_paginate(2).await?;
    /// let next = page.next_cursor.as_deref();
    /// assert_eq!(list("7").cursor(next).cursor_paginate(2).await?.data.len(), 1);
    /// assert_eq!(list("8").cursor(next).cursor_paginate(2).await.unwrap_err().status(), 400);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor_scope(mut self, scope: &str) -> Self {
        self.list.binding.scope = Some(scope.to_owned());
        self
    }

    /// Binds the cursors to the filters and their values, or to the text and the values of a select: a cursor is
    /// invalid if any of them has changed.
    ///
    /// Do not use it with filters whose values change from page to page, such as the current time: the cursor of the
    /// first page would be rejected. An upgrade of folio may make such cursors invalid, because they are bound to the
    /// SQL text.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let list = |author: i64| Post::query().filter(Post::AUTHOR_ID.eq(author)).bind_filters();
    /// let page = list(7).cursor_paginate(1).await?;
    /// let next = page.next_cursor.as_deref();
    /// assert_eq!(ids(&list(7).cursor(next).cursor_paginate(1).await?.data), [2]);
    /// assert_eq!(list(8).cursor(next).cursor_paginate(1).await.unwrap_err().status(), 400);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn bind_filters(mut self) -> Self {
        self.list.binding.filters = true;
        self
    }
}

impl<S, C> Query<S, C> {
    /// Counts at most `limit` rows. If there are more, the total is `limit`.
    ///
    /// An exact count reads the whole list, if only in an index: 210 ms on PostgreSQL and 1.5 s on MariaDB for
    /// 5,000,000 rows, where the page takes 0.1 ms. With a limit of 10,000, the count takes 2 to 4 ms. The limit saves
    /// nothing for filters that have no index and match few rows. If the total equals `limit`, a front end can show
    /// "10,000 or more".
    ///
    /// It applies to [`paginate`](Self::paginate), and to [`cursor_paginate`](Self::cursor_paginate) with
    /// [`counted`](Self::counted). No link leads past the total, but clients can still request later pages by number.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().count_up_to(2).paginate(1).await?;
    /// assert_eq!((page.total, page.last_page), (2, 2));
    /// let page = Post::query().count_up_to(10_000).paginate(1).await?;
    /// assert_eq!((page.total, page.last_page), (3, 3));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn count_up_to(mut self, limit: u64) -> Self {
        self.list.total = TotalSource::CountedUpTo(limit);
        self
    }

    /// Counts lists of at most `exact` rows, and uses the database's row estimate for longer ones.
    ///
    /// So short lists, where a wrong total would be noticed, have an exact total, and long lists cost no more than
    /// [`count_up_to(exact)`](Self::count_up_to) and an EXPLAIN. For the estimate's accuracy, see
    /// [`estimated_total`](Self::estimated_total). SQLite has no estimates; there all rows are counted.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().estimated_total_above(50_000).paginate(2).await?;
    /// assert_eq!(page.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn estimated_total_above(mut self, exact: u64) -> Self {
        self.list.total = TotalSource::EstimatedAbove(exact);
        self
    }

    /// Uses the database's row estimate instead of `COUNT(*)`, for tables where counting takes too long. It applies to
    /// [`paginate`](Self::paginate), and to [`cursor_paginate`](Self::cursor_paginate) with
    /// [`counted`](Self::counted).
    ///
    /// The estimate comes from the query planner. Its statistics date from the last ANALYZE, so it can be wrong by any
    /// factor, especially with filters, and can differ between pages. SQLite has no estimates; there all rows are
    /// counted.
    ///
    /// No row is left out: a page is read even if it is past the estimate, and if it shows that the estimate is wrong,
    /// the total is corrected.
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::raw_sql("CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2), (3)").execute(&pool).await?;
    /// # folio::Folio::new(pool).scope(async {
    /// let page = Post::query().estimated_total().paginate(2).await?;
    /// assert_eq!(page.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn estimated_total(mut self) -> Self {
        self.list.total = TotalSource::Estimated;
        self
    }

    /// Uses `total` as the number of rows that match the filters, instead of counting them for each page.
    ///
    /// Use it if counting takes too long and you already know the number, for example from a counter that you maintain.
    /// folio trusts it: a page that begins after `total` is empty, even if there are more rows. It applies to
    /// [`paginate`](Self::paginate), and to [`cursor_paginate`](Self::cursor_paginate) with [`counted`](Self::counted).
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::raw_sql("CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2), (3)").execute(&pool).await?;
    /// # folio::Folio::new(pool).scope(async {
    /// let page = Post::query().with_total(3).page(2).paginate(2).await?;
    /// assert_eq!((page.total, page.last_page, page.data.len()), (3, 2, 1));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_total(mut self, total: u64) -> Self {
        self.list.total = TotalSource::Known(total);
        self
    }

    /// Adds the total to cursor pages, as [`CursorPaginator::total`](crate::CursorPaginator::total) and the JSON key
    /// `total`.
    ///
    /// The total is the number of rows in the whole list, not on the page. A second statement counts the rows. It reads
    /// the whole list unless [`count_up_to`](Self::count_up_to), [`estimated_total`](Self::estimated_total),
    /// [`estimated_total_above`](Self::estimated_total_above) or [`with_total`](Self::with_total) is set. Pages of
    /// [`paginate`](Self::paginate) always have a total, and pages of [`simple_paginate`](Self::simple_paginate) never
    /// do.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::Total;
    ///
    /// let page = Post::query().counted().cursor_paginate(2).await?;
    /// assert_eq!(page.total, Some(Total::Exact(3)));
    /// let page = Post::query().count_up_to(2).counted().cursor_paginate(2).await?;
    /// assert_eq!(page.total, Some(Total::AtLeast(2)));
    /// assert_eq!(serde_json::to_value(page.map(|post| post.id)).unwrap()["total"], 2);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn counted(mut self) -> Self {
        self.list.is_counted = true;
        self
    }
}
