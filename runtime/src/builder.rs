//! A model's query, and the paginators that end it.

use std::marker::PhantomData;
use std::{fmt, mem, ptr};

use futures_core::Stream;
use futures_util::stream::{self, TryStreamExt as _};
use sea_query::{Expr, IntoCondition};

use crate::cache::BoundedCache;
use crate::error::{FrameworkError, Result};
use crate::fetch::{self, StreamPosition};
use crate::model::column_check;
use crate::model::order::{CursorOrder, Term, TermIdentity, assert_stated, close_with_primary_key};
use crate::model::table::Direction;
use crate::model::{Model, cursor_terms};
use crate::paginator::{CURSOR_NAME, CursorPaginator, LengthAwarePaginator, PAGE_NAME, Paginator};
use crate::pool::Pool;
use crate::query::deferred_join::ModelRows;
use crate::query::keyset::{Base, KeysetQuery, Walk};
use crate::query::offset::{ModelList, OffsetQuery};
use crate::query::template::Written;
use crate::request::{current_cursor, current_page};
use crate::route::{Route, Source};
use crate::select::{Listed, Total};

/// A query over a model, made by `Model::query()`.
///
/// ```
/// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
/// # struct Post { id: i64, author_id: i64, title: String }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # sqlx::query("CREATE TABLE posts (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL, title TEXT NOT NULL)").execute(&pool).await?;
/// # sqlx::query("INSERT INTO posts VALUES (1, 7, 'rust'), (2, 7, 'go'), (3, 8, 'rust'), (4, 7, 'rustc')").execute(&pool).await?;
/// # folio::Folio::new(pool).scope(async {
/// use folio::ExprTrait;
///
/// let page = Post::query()
///     .filter(Post::AUTHOR_ID.eq(7).and(Post::TITLE.like("%rust%")))
///     .order_by_desc(Post::TITLE)
///     .page(1)
///     .paginate(15)
///     .await?;
/// assert_eq!(page.data.iter().map(|post| post.id).collect::<Vec<_>>(), [4, 1]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[must_use = "a query does nothing until one of its paginators is awaited"]
pub struct Builder<M> {
    filters: Vec<Expr>,
    orders: Vec<(Expr, Direction)>,
    cursor_terms: Option<Vec<Term>>,
    route: Route,
    page: Option<u64>,
    /// `Some(None)` is the first page, whatever the request says.
    cursor: Option<Option<String>>,
    path: Option<String>,
    page_name: Option<String>,
    cursor_name: Option<String>,
    total: Total,
    model: PhantomData<fn() -> M>,
}

/// An argument of [`Builder::filter`]: a comparison of a [`Column`](crate::Column), or any condition of sea-query.
///
/// ```
/// use folio::{Column, Filter, sea_query::Cond};
///
/// const ID: Column<i64> = Column::new("id");
///
/// fn takes(_: impl Filter) {}
/// takes(ID.gt(7));
/// takes(Cond::any().add(ID.lt(7)).add(ID.gt(70)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a filter",
    label = "write a comparison such as `Post::ID.eq(7)`, or a condition of sea-query"
)]
pub trait Filter: IntoCondition {}

#[diagnostic::do_not_recommend]
impl<T: IntoCondition> Filter for T {}

impl<M> Clone for Builder<M> {
    fn clone(&self) -> Self {
        Self {
            filters: self.filters.clone(),
            orders: self.orders.clone(),
            cursor_terms: self.cursor_terms.clone(),
            route: self.route.clone(),
            page: self.page,
            cursor: self.cursor.clone(),
            path: self.path.clone(),
            page_name: self.page_name.clone(),
            cursor_name: self.cursor_name.clone(),
            total: self.total,
            model: PhantomData,
        }
    }
}

impl<M> fmt::Debug for Builder<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("filters", &self.filters).field("orders", &self.orders).finish_non_exhaustive()
    }
}

impl<M: Model> Default for Builder<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Model> Builder<M> {
    /// A query over all rows of the model.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// let page = folio::Builder::<Post>::new().paginate(15).await?; // as Post::query()
    /// assert_eq!(page.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn new() -> Self {
        Self {
            filters: Vec::new(),
            orders: Vec::new(),
            cursor_terms: None,
            route: Route { model: M::TABLE.connection, ..Route::default() },
            page: None,
            cursor: None,
            path: None,
            page_name: None,
            cursor_name: None,
            total: Total::Counted,
            model: PhantomData,
        }
    }

    /// Keeps the rows that meet `condition`, in addition to all other filters.
    ///
    /// The columns have to be the model's; use a subquery for those of other tables. To page a join, use
    /// [`Pagination`](crate::Pagination).
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// let page = Post::query().filter(Post::AUTHOR_ID.eq(7)).filter(Post::TITLE.eq("a")).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [2]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn filter(mut self, condition: impl Filter) -> Self {
        // A tuple of one is a pair of parentheses: what stands inside cannot reach beside it.
        self.filters.push(Expr::tuple([Expr::from(condition.into_condition())]));
        self
    }

    /// Sorts by `column` in ascending order, after any orders given before. The primary key is appended as a
    /// tie-breaker, so pages do not overlap. A cursor page has its own order: see [`cursor_by`](Self::cursor_by).
    /// Ordering by a literal value is an error when the query runs.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// let page = Post::query().order_by_asc(Post::TITLE).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [2, 3, 1]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn order_by_asc(mut self, column: impl Into<Expr>) -> Self {
        self.orders.push((column.into(), Direction::Asc));
        self
    }

    /// Sorts by `column` in descending order, after any orders given before: see [`order_by_asc`](Self::order_by_asc).
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// let page = Post::query().order_by_desc(Post::AUTHOR_ID).order_by_asc(Post::TITLE).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [3, 2, 1]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn order_by_desc(mut self, column: impl Into<Expr>) -> Self {
        self.orders.push((column.into(), Direction::Desc));
        self
    }

    /// Reads from a registered connection. `__primary__` is the default pool.
    ///
    /// If the task is inside a transaction on that pool, the page is read in it. Any other transaction is ignored.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// assert_eq!(Post::query().on("reports").paginate(15).await?.total, 3);
    /// assert!(Post::query().on("nowhere").paginate(15).await.is_err());
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn on(mut self, connection: &str) -> Self {
        self.route.on = Some(connection.to_owned());
        self
    }

    /// Reads from this pool.
    ///
    /// If the task is inside a transaction on that pool, or a clone of it, the page is read in it. Any other
    /// transaction is ignored.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// let other = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// let create = "CREATE TABLE posts (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL, title TEXT NOT NULL)";
    /// sqlx::query(create).execute(&other).await?;
    /// assert_eq!(Post::query().using(other).paginate(15).await?.total, 0);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn using(mut self, pool: impl Into<Pool>) -> Self {
        self.route.using = Some(pool.into());
        self
    }

    /// Sets the order of cursor pages in place of the model's `cursor_key`: a column, a column with `.desc()`, or a
    /// tuple of them. Missing primary key columns are appended as a tie-breaker.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// let page = Post::query().cursor_by((Post::TITLE, Post::ID.desc())).cursor_paginate(15).await?;
    /// assert_eq!(ids(&page.data), [3, 2, 1]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor_by<O: CursorOrder>(mut self, order: O) -> Self {
        // Here, for the compiler to show the call.
        const { assert_stated::<O>() }
        self.cursor_terms = Some(close_with_primary_key(Some(M::TABLE), order.terms()));
        self
    }

    /// Sets the page number, from 1, in place of the active request's. 0 counts as 1.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// let page = Post::query().page(2).paginate(2).await?;
    /// assert_eq!((page.current_page, ids(&page.data)), (2, vec![3]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn page(mut self, page: u64) -> Self {
        self.page = Some(page);
        self
    }

    /// Sets the cursor in place of the active request's. `None` is the first page.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// let first = Post::query().cursor(None).cursor_paginate(2).await?;
    /// let second = Post::query().cursor(first.next_cursor.as_deref()).cursor_paginate(2).await?;
    /// assert_eq!((ids(&first.data), ids(&second.data)), (vec![1, 2], vec![3]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor(mut self, cursor: Option<&str>) -> Self {
        self.cursor = Some(cursor.map(str::to_owned));
        self
    }

    /// Sets the path of page URLs: a path with an optional query string, not a URL with a host. Leading slashes
    /// collapse to one, because browsers read `//host` as another site.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// let page = Post::query().with_path("/posts?author=7").paginate(2).await?;
    /// assert_eq!(page.next_page_url().as_deref(), Some("/posts?author=7&page=2"));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Uses `total` as the count of all rows that match the filters, instead of counting them for each page. A page
    /// that begins after it is empty.
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
        self.total = Total::Known(total);
        self
    }

    /// Uses the database's row estimate instead of `COUNT(*)`, for tables where counting takes too long. PostgreSQL's
    /// and MySQL's statistics are as old as the last ANALYZE. SQLite has none, so there the rows are counted.
    ///
    /// The estimate can be wrong by any factor, especially with filters, and can differ between pages. No row is ever
    /// left out: a page is read even if it is past the estimate, and the total is corrected by what the page shows.
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
        self.total = Total::Estimated;
        self
    }

    /// Sets the query key of the page number, in the request and in URLs. Simple pages always use `page`.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::ActiveRequest;
    ///
    /// let query = Post::query().with_page_name("posts");
    /// let page = ActiveRequest::new("/?posts=2").scope(query.paginate(1)).await?;
    /// assert_eq!((page.current_page, page.next_page_url().as_deref()), (2, Some("?posts=3")));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_page_name(mut self, name: &str) -> Self {
        self.page_name = Some(name.to_owned());
        self
    }

    /// Sets the query key of the cursor, in the request and in URLs.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// let page = Post::query().with_cursor_name("feed").cursor_paginate(1).await?;
    /// assert!(page.next_page_url().is_some_and(|url| url.starts_with("?feed=")));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_cursor_name(mut self, name: &str) -> Self {
        self.cursor_name = Some(name.to_owned());
        self
    }

    /// Reads one page with the total and page numbers: a count and a page by offset. A page past the end is empty.
    ///
    /// From row 10,000 on, count and page run in one short transaction and see the same rows, and the page is read from
    /// the end of the list if that is nearer. Inside a transaction of the caller, neither applies.
    ///
    /// If a client chooses the page size, limit it with [`PerPage`](crate::PerPage).
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// let page = Post::query().paginate(2).await?;
    /// assert_eq!((page.total, page.last_page, ids(&page.data)), (3, 2, vec![1, 2]));
    /// assert_eq!(Post::query().paginate(0).await.unwrap_err().status(), 400);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`ParamError`](crate::FrameworkError::ParamError) if `per_page` is 0,
    /// [`Internal`](crate::FrameworkError::Internal) for a column of another table, and
    /// [`Database`](crate::FrameworkError::Database) if the database fails.
    pub async fn paginate(mut self, per_page: u64) -> Result<LengthAwarePaginator<M>> {
        self.check(per_page)?;
        let page = self.page.unwrap_or_else(|| current_page(self.page_name.as_deref().unwrap_or(PAGE_NAME)));
        let source = mem::take(&mut self.route).source()?;
        let (path, page_name) = (self.path.take(), self.page_name.take());
        let list = self.listed(&source);
        let page = fetch::length_aware(source, list, per_page, page).await?;
        Ok(LengthAwarePaginator { path, page_name, ..page })
    }

    /// Same as [`paginate`](Self::paginate), with another query key than `page`.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
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
    pub async fn paginate_using(self, page_key: &str, per_page: u64) -> Result<LengthAwarePaginator<M>> {
        self.with_page_name(page_key).paginate(per_page).await
    }

    /// Reads one page without the total, with one statement.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// let page = Post::query().simple_paginate(2).await?;
    /// assert_eq!((page.has_more, ids(&page.data)), (true, vec![1, 2]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`paginate`](Self::paginate).
    pub async fn simple_paginate(mut self, per_page: u64) -> Result<Paginator<M>> {
        self.check(per_page)?;
        let page = self.page.unwrap_or_else(|| current_page(PAGE_NAME));
        let source = mem::take(&mut self.route).source()?;
        let path = self.path.take();
        let list = self.listed(&source);
        let page = fetch::simple(source, list, per_page, page).await?;
        Ok(Paginator { path, ..page })
    }

    /// Reads one page by cursor, with one statement. With an index on the cursor key, it costs the same at every depth.
    ///
    /// A client that follows the cursors sees each row that exists throughout exactly once. Rows that are committed
    /// later with a key before the cursor are not seen.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::ActiveRequest;
    ///
    /// let first = Post::query().cursor_paginate(2).await?;
    /// // The client follows the URL of the next page.
    /// let request = ActiveRequest::new(&first.next_page_url().unwrap());
    /// let last = request.scope(Post::query().cursor_paginate(2)).await?;
    /// assert_eq!((ids(&last.data), last.next_cursor), (vec![3], None));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`paginate`](Self::paginate). [`Domain`](crate::FrameworkError::Domain), 400, for an invalid cursor or
    /// one of another list, and [`Internal`](crate::FrameworkError::Internal) without a keyring.
    pub async fn cursor_paginate(mut self, per_page: u64) -> Result<CursorPaginator<M>> {
        self.check(per_page)?;
        let (path, cursor_name) = (self.path.take(), self.cursor_name.take());
        let name = cursor_name.as_deref().unwrap_or(CURSOR_NAME);
        let token = self.cursor.take().unwrap_or_else(|| current_cursor(name));
        let source = mem::take(&mut self.route).source()?;
        let walking = self.walking(&source);
        let page = fetch::cursor(source, walking, per_page, token).await?;
        Ok(CursorPaginator { path, cursor_name, ..page })
    }

    /// Streams all pages to the end of the list, for exports and jobs. One page is in memory at a time.
    ///
    /// The stream begins at [`cursor`](Self::cursor), else at the first row; the active request is ignored. To resume
    /// it, use the `next_cursor` of the last page that you have processed. The stream ends after an error.
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
    /// let mut pages = std::pin::pin!(Post::query().cursor_chunks(2));
    /// let page = pages.try_next().await?.unwrap();
    /// assert_eq!(page.data.len(), 2);
    ///
    /// let rest = Post::query().cursor(page.next_cursor.as_deref()).cursor_chunks(2);
    /// let rest: Vec<_> = rest.try_collect().await?;
    /// assert_eq!(rest[0].data[0].id, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor_chunks(mut self, page_size: u64) -> impl Stream<Item = Result<CursorPaginator<M>>> {
        self.cursor = Some(self.cursor.flatten());
        stream::try_unfold(Some(self), move |query| async move {
            let Some(query) = query else { return Ok(None) };
            let page = query.clone().cursor_paginate(page_size).await?;
            let rest = page.next_cursor.as_deref().map(|next| query.cursor(Some(next)));
            Ok(Some((page, rest)))
        })
    }

    /// Streams all rows to the end of the list, read `page_size` at a time, like
    /// [`cursor_chunks`](Self::cursor_chunks). No connection is held while you process the rows of a page. Pages of
    /// 10,000 rows cost about as much as one long SELECT; smaller ones lose time to round trips. To resume after a row,
    /// encode its key: `row.cursor_key().encode(CursorDirection::Next)`.
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate). A keyring is needed only to begin at a cursor.
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::raw_sql("CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2), (3)").execute(&pool).await?;
    /// # folio::Folio::new(pool).scope(async {
    /// use futures_util::TryStreamExt;
    ///
    /// let sum = Post::query().cursor_stream(1_000).try_fold(0, async |sum, post| Ok(sum + post.id));
    /// assert_eq!(sum.await?, 6);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor_stream(mut self, page_size: u64) -> impl Stream<Item = Result<M>> {
        let begin = StreamPosition::Token(self.cursor.take().flatten());
        let pages = stream::try_unfold(Some(begin), move |place| {
            let query = self.clone();
            async move {
                match place {
                    Some(place) => query.rows_from(place, page_size).await.map(Some),
                    None => Ok(None),
                }
            }
        });
        pages.map_ok(|rows| stream::iter(rows.into_iter().map(Ok))).try_flatten()
    }

    /// The rows of a page, and where the next one begins.
    async fn rows_from(mut self, place: StreamPosition, page_size: u64) -> Result<(Vec<M>, Option<StreamPosition>)> {
        self.check(page_size)?;
        let source = mem::take(&mut self.route).source()?;
        let walking = self.walking(&source);
        fetch::rows_after(source, walking, page_size, place).await
    }

    /// Refuses a page size of 0 and columns of other tables, before a connection is leased.
    fn check(&self, per_page: u64) -> Result<()> {
        fetch::check_per_page(per_page)?;
        let orders = || self.orders.iter().map(|(expr, _)| expr);
        if orders().any(|expr| matches!(expr, Expr::Value(_))) {
            return Err(FrameworkError::internal(
                "an order by a value sorts nothing: write the column itself, such as `Post::TITLE`",
            ));
        }
        self.filters.iter().chain(orders()).try_for_each(|expr| column_check::check(M::TABLE, expr))?;
        let terms = self.cursor_terms.iter().flatten();
        terms.map(Term::expr).try_for_each(|expr| column_check::check(M::TABLE, &expr))
    }

    /// The rows that match the filters, and the cache key of their statements.
    fn rows(&mut self, source: &Source, orders: &[(Expr, Direction)]) -> (ModelRows, Option<Written>) {
        let filters = mem::take(&mut self.filters);
        let plain = filters.is_empty() && orders.is_empty();
        let written = if plain { Default::default() } else { source.write(&filters, orders) };
        (ModelRows { table: M::TABLE, filters }, Written::new(source.dialect(), M::TABLE, written))
    }

    /// The query as a numbered list.
    fn listed(mut self, source: &Source) -> Listed<M> {
        let orders = mem::take(&mut self.orders);
        let (rows, written) = self.rows(source, &orders);
        // A statement is kept only if its own values come in it once: those of an order may come twice.
        let by_columns = orders.iter().all(|(expr, _)| matches!(expr, Expr::Column(_)));
        let listing = OffsetQuery::Model(ModelList { rows, orders, written: written.filter(|_| by_columns) });
        Listed { reader: M::READER, listing, total: self.total }
    }

    /// The query as a walk by its cursor key.
    fn walking(mut self, source: &Source) -> KeysetQuery<M> {
        let order = self.cursor_terms.take();
        let by = order.as_ref().map(|terms| terms.iter().map(Term::identity).collect());
        let make = || {
            let walk = Walk::of_model(M::TABLE, order.unwrap_or_else(|| cursor_terms(M::TABLE)));
            let size = walk.size();
            (walk, size)
        };
        let walk = WALKS.get((ptr::from_ref(M::TABLE).addr(), by), make);
        let (rows, written) = self.rows(source, &[]);
        KeysetQuery { reader: M::READER, walk, base: Base::Model(rows, written) }
    }
}

/// The walks of all models, by their tables and orders.
static WALKS: BoundedCache<(usize, Option<Vec<TermIdentity>>), Walk> = BoundedCache::new();
