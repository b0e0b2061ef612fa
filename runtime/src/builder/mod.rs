//! [`Builder`]: a query over a model.
//!
//! This file has the methods that describe the query. `paginate.rs`, `window.rs` and `each_of.rs` have the methods that
//! run it. `compile.rs` turns the description into the offset and keyset queries of [`crate::query`].

mod compile;
mod each_of;
mod feed;
mod paginate;
mod position;
mod total;
mod window;

use std::fmt;
use std::marker::PhantomData;

use sea_query::Expr;

pub use self::each_of::EachOf;
use crate::keyset::BindingOptions;
use crate::model::Model;
use crate::position::Position;
use crate::schema::filter::Filter;
use crate::schema::group::Groups;
use crate::schema::order::OrderOf;
use crate::schema::table::{Direction, Table};
use crate::schema::term::{Term, close_with_primary_key};
use crate::select::TotalSource;
use crate::source::route::Route;
use crate::source::using::{ConnectionSource, Pooled};

/// A query over a model, created by `Post::query()`.
///
/// Describe the list, then call one of the paginators:
///
/// - rows: [`filter`](Self::filter), [`among`](Self::among)
/// - order: [`order_by`](Self::order_by) for all pages, which a client can choose through [`Sorts`](crate::Sorts);
///   [`order_by_asc`](Self::order_by_asc) and [`order_by_desc`](Self::order_by_desc) for numbered pages,
///   [`cursor_by`](Self::cursor_by) for cursor pages
/// - position: [`page`](Self::page) and [`cursor`](Self::cursor), by default taken from the active request;
///   [`seek`](Self::seek), [`after`](Self::after), [`before`](Self::before), [`skip`](Self::skip)
/// - connection: [`on`](Self::on), [`using`](Self::using)
/// - URLs: [`with_path`](Self::with_path), [`with_query_string`](Self::with_query_string),
///   [`with_page_name`](Self::with_page_name), [`with_cursor_name`](Self::with_cursor_name)
/// - total: [`count_up_to`](Self::count_up_to), [`estimated_total`](Self::estimated_total),
///   [`estimated_total_above`](Self::estimated_total_above), [`with_total`](Self::with_total); on cursor pages with
///   [`counted`](Self::counted)
/// - paginators: [`paginate`](Self::paginate), [`simple_paginate`](Self::simple_paginate),
///   [`cursor_paginate`](Self::cursor_paginate); other windows of the list: [`last_page`](Self::last_page),
///   [`around`](Self::around), [`connection`](Self::connection), [`token_page`](Self::token_page)
/// - streams: [`cursor_chunks`](Self::cursor_chunks), [`cursor_stream`](Self::cursor_stream)
///
/// A query runs when a paginator is awaited; clone it to run it several times. For joins and selects without a model,
/// see [`Select`](crate::Select).
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
pub struct Builder<M, C = Pooled> {
    /// Boxed, because each call of a method moves it.
    query: Box<ModelQuery>,
    connection: C,
    model: PhantomData<fn() -> M>,
}

/// A query without its row type and the connection that it borrows.
#[derive(Clone)]
struct ModelQuery {
    table: &'static Table,
    filters: Vec<Expr>,
    /// From `among`. The rows are in a group of each.
    groups: Vec<Groups>,
    orders: Vec<(Expr, Direction)>,
    /// From `order_by`, for all paginators.
    order: Option<Vec<Term>>,
    cursor_terms: Option<Vec<Term>>,
    route: Route,
    position: Position,
    binding: BindingOptions,
    total: TotalSource,
    /// Whether cursor pages have a total.
    is_counted: bool,
}

impl<M, C: Clone> Clone for Builder<M, C> {
    fn clone(&self) -> Self {
        Self { query: self.query.clone(), connection: self.connection.clone(), model: PhantomData }
    }
}

impl ModelQuery {
    /// All rows of a table.
    fn new(table: &'static Table) -> Self {
        Self {
            table,
            filters: vec![],
            groups: vec![],
            orders: vec![],
            order: None,
            cursor_terms: None,
            route: Route { model: table.connection, ..Route::default() },
            position: Position::default(),
            binding: BindingOptions::default(),
            total: TotalSource::Counted,
            is_counted: false,
        }
    }
}

impl<M, C> fmt::Debug for Builder<M, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ModelQuery { filters, orders, .. } = &*self.query;
        f.debug_struct("Builder").field("filters", filters).field("orders", orders).finish_non_exhaustive()
    }
}

impl<M: Model> Default for Builder<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Model> Builder<M> {
    /// Creates a query over all rows of the model, like `Post::query()` for a model `Post`.
    ///
    /// Use it in functions that are generic over the model.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = folio::Builder::<Post>::new().paginate(15).await?;
    /// assert_eq!(page.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn new() -> Self {
        Self { query: Box::new(ModelQuery::new(M::TABLE)), connection: Pooled, model: PhantomData }
    }
}

impl<M: Model, C> Builder<M, C> {
    /// Restricts the list to rows that match `condition`. All filters of a query have to match.
    ///
    /// The condition is a comparison of the model's columns, or any sea-query condition, including raw SQL. A
    /// comparison of another model's columns does not compile; inside a sea-query condition, it is an error when the
    /// query runs. For conditions on other tables, use a subquery, or [`Select`](crate::Select) for a join.
    ///
    /// If the database cannot store a value, such as a text with a NUL character on PostgreSQL, the query fails with a
    /// 400, because such values usually come from clients.
    ///
    /// Cursors are not bound to filters: a cursor is also valid with other filters, and continues at the same position
    /// in the order. To change this, call [`bind_filters`](Self::bind_filters).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().filter(Post::AUTHOR_ID.eq(7)).filter(Post::TITLE.eq("a")).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [2]);
    ///
    /// // An optional filter:
    /// let author: Option<i64> = Some(8);
    /// let mut query = Post::query();
    /// if let Some(author) = author {
    ///     query = query.filter(Post::AUTHOR_ID.eq(author));
    /// }
    /// assert_eq!(ids(&query.paginate(15).await?.data), [3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// Conditions on other tables go into a subquery:
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, DB, ExprTrait, sea_query::{Expr, Query}};
    ///
    /// sqlx::raw_sql("CREATE TABLE likes (post_id INTEGER NOT NULL); INSERT INTO likes VALUES (2), (2)")
    ///     .execute(&mut *DB::sqlite().await?)
    ///     .await?;
    /// let liked = Query::select().column("post_id").from("likes").take();
    /// let page = Post::query().filter(Post::ID.to_expr().in_subquery(liked)).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [2]);
    ///
    /// // A correlated subquery compares its columns with the model's:
    /// let post = Column::<i64>::new("post_id").of("likes");
    /// let liked = Query::select().expr(Expr::val(1)).from("likes").cond_where(post.eq(Post::ID)).take();
    /// let page = Post::query().filter(Expr::exists(liked).not()).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [1, 3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn filter(mut self, condition: impl Filter<M>) -> Self {
        // A tuple with one element puts the condition in parentheses, so that an OR inside it stays inside.
        self.query.filters.push(Expr::tuple([condition.into_expr()]));
        self
    }

    /// Adds a filter if it is `Some`, for example for an optional parameter of a request.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let author: Option<i64> = Some(8); // ?author=8
    /// let title: Option<&str> = None;
    /// let page = Post::query()
    ///     .filter_if(author.map(|author| Post::AUTHOR_ID.eq(author)))
    ///     .filter_if(title.map(|title| Post::TITLE.contains(title)))
    ///     .paginate(15)
    ///     .await?;
    /// assert_eq!(ids(&page.data), [3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn filter_if(self, condition: Option<impl Filter<M>>) -> Self {
        match condition {
            Some(condition) => self.filter(condition),
            None => self,
        }
    }

    /// Sorts numbered and cursor pages by a column, a column with `.desc()`, or a tuple of them. It replaces an earlier
    /// `order_by`. Missing primary key columns are appended as a tie-breaker.
    ///
    /// For a nullable column, say where NULLs sort, because the databases differ: `Post::SCORE.nulls_last()`. A column
    /// of another model does not compile: see [`OrderOf`].
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let newest = Post::query().order_by((Post::AUTHOR_ID.desc(), Post::TITLE));
    /// assert_eq!(ids(&newest.clone().paginate(15).await?.data), [3, 2, 1]);
    /// assert_eq!(ids(&newest.cursor_paginate(15).await?.data), [3, 2, 1]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// For an order that the client chooses, see [`Sorts`](crate::Sorts).
    ///
    /// # Errors
    /// If it is combined with [`order_by_asc`](Self::order_by_asc) or [`order_by_desc`](Self::order_by_desc), each page
    /// fails with [`Internal`](crate::FrameworkError::Internal). Name all columns in one `order_by`.
    pub fn order_by(mut self, order: impl OrderOf<M>) -> Self {
        self.query.order = Some(close_with_primary_key(Some(M::TABLE), order.terms()));
        self
    }

    /// Sorts numbered pages by `column` in ascending order, after any orders given before.
    ///
    /// `column` is a column or any other expression; a literal value is an error when the query runs. The primary key
    /// is appended as a tie-breaker, so pages do not overlap. NULLs have the database's default position: last on
    /// PostgreSQL, first on SQLite, MySQL and MariaDB.
    ///
    /// Cursor pages ignore it and log a warning. To sort both kinds of pages, use [`order_by`](Self::order_by).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().order_by_asc(Post::TITLE).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [2, 3, 1]);
    ///
    /// // By an expression:
    /// use folio::sea_query::{Expr, ExprTrait};
    /// let page = Post::query().order_by_asc(Post::AUTHOR_ID.to_expr().mul(-1)).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [3, 1, 2]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn order_by_asc(mut self, column: impl Into<Expr>) -> Self {
        self.query.orders.push((column.into(), Direction::Asc));
        self
    }

    /// Sorts numbered pages by `column` in descending order, after any orders given before. See
    /// [`order_by_asc`](Self::order_by_asc).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().order_by_desc(Post::AUTHOR_ID).order_by_asc(Post::TITLE).paginate(15).await?;
    /// assert_eq!(ids(&page.data), [3, 2, 1]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn order_by_desc(mut self, column: impl Into<Expr>) -> Self {
        self.query.orders.push((column.into(), Direction::Desc));
        self
    }

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
        self.query.route.on = Some(connection.to_owned());
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
    /// - folio begins no transaction on the connection, and neither commits nor rolls back. There is one exception: if a
    ///   PostgreSQL pool of the application has no named statements, because it is behind a [pooler](crate::Pool#poolers),
    ///   each page that is not inside a transaction is read in one of its own. Register the pool that the connection is
    ///   from, so that folio knows.
    /// - folio does not know which database the connection belongs to, so a cursor page reads the catalog each time,
    ///   which can take one more round trip. For a pool, the catalog is cached.
    /// - As with every statement of sqlx, a MySQL connection is unusable if the future is dropped before it ends.
    pub fn using<S: ConnectionSource>(mut self, source: S) -> Builder<M, S::Connection> {
        let (pool, connection) = source.into_parts();
        self.query.route.using = pool;
        Builder { query: self.query, connection, model: PhantomData }
    }

    /// Sets the order of cursor pages, instead of [`order_by`](Self::order_by) or the model's `cursor_key`.
    ///
    /// `order` is a column, a column with `.desc()`, or a tuple of them: see [`OrderOf`]. Missing primary key columns
    /// are appended as a tie-breaker. For nullable columns, say where NULLs sort, and columns of another model do not
    /// compile. Each order needs its own index, and a cursor is not valid for another order.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().cursor_by((Post::TITLE, Post::ID.desc())).cursor_paginate(15).await?;
    /// assert_eq!(ids(&page.data), [3, 2, 1]);
    ///
    /// // An order that the client chooses:
    /// use folio::Sorts;
    /// let sorts = Sorts::new("newest", Post::ID.desc()).allow("title", Post::TITLE);
    /// let page = Post::query().cursor_by(sorts.from_request("sort")?).cursor_paginate(2).await?;
    /// assert_eq!(ids(&page.data), [3, 2]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor_by(mut self, order: impl OrderOf<M>) -> Self {
        self.query.cursor_terms = Some(close_with_primary_key(Some(M::TABLE), order.terms()));
        self
    }
}
