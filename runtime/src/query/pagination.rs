//! [`Pagination`]: the three paginators as functions over any select.

use folio_plan::schema::term::Term;

use super::Select;
use super::description::Query;
use super::select::Rows;
use crate::error::{FrameworkError, Result};
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};
use crate::schema::order::IntoOrder;
use crate::source::route::Route;

/// The three paginators for any select: joins, aggregates, unions, and rows of any type.
///
/// The page number, the cursor and the order are arguments. The methods of [`Select`] read the page number or cursor
/// from the active request instead: `Select::from(statement).paginate(15)`. For a query over a model,
/// [`Builder`](crate::Builder) is shorter.
///
/// `T` is the row type: anything that implements `sqlx::FromRow` for every enabled driver, such as a tuple or a struct
/// with `#[derive(sqlx::FromRow)]`. The guide's chapter [`selects`](crate::guide::selects) describes how folio reads a
/// select, and which selects it refuses.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # sqlx::query("CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT NOT NULL)").execute(&pool).await?;
/// # sqlx::query("INSERT INTO posts VALUES (1, 'a'), (2, 'b'), (3, 'c')").execute(&pool).await?;
/// # folio::Folio::new(pool).keyring(folio::Keyring::new(folio::Key::generate())).scope(async {
/// use folio::{Column, Pagination, sea_query::Query};
///
/// let select = Query::select().columns(["id", "title"]).from("posts").take();
/// let page = Pagination::length_aware::<(i64, String)>(select.clone(), 2, 2).await?;
/// assert_eq!(page.data, [(3, "c".to_owned())]);
///
/// let id = Column::<i64>::new("id").desc();
/// let page = Pagination::cursor::<(i64, String)>(select.clone(), None, 2, id).await?;
/// assert_eq!(page.data, [(3, "c".to_owned()), (2, "b".to_owned())]);
/// let page = Pagination::cursor::<(i64, String)>(select, page.next_cursor.as_deref(), 2, id).await?;
/// assert_eq!(page.data, [(1, "a".to_owned())]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// # A join
///
/// The row type can be any struct with `#[derive(sqlx::FromRow)]`. The order of a join has to end with columns that
/// identify a row of the result:
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::{Column, DB, ExprTrait, Pagination, sea_query::{Expr, Query}};
///
/// #[derive(Debug, PartialEq, sqlx::FromRow)]
/// struct Titled {
///     id: i64,
///     title: String,
///     author: String,
/// }
///
/// sqlx::raw_sql("CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
///     INSERT INTO authors VALUES (7, 'Ada'), (8, 'Max')").execute(&mut *DB::sqlite().await?).await?;
///
/// let select = Query::select()
///     .columns([("posts", "id"), ("posts", "title")])
///     .expr_as(Expr::col(("authors", "name")), "author")
///     .from("posts")
///     .inner_join("authors", Expr::col(("authors", "id")).equals(("posts", "author_id")))
///     .take();
/// let order = (Column::<String>::new("author").desc(), Post::ID);
/// let page = Pagination::cursor::<Titled>(select, None, 1, order).await?;
/// assert_eq!(page.data, [Titled { id: 3, title: "a".into(), author: "Max".into() }]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Pagination;

impl Pagination {
    /// Reads one page by offset, with the total. For the number of statements, see [`Select::paginate`].
    ///
    /// The rows are in the select's own order. End it with a unique column, because pages can overlap if rows tie.
    /// Pages are numbered from 1, and page 0 counts as page 1. A page past the end is empty.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Pagination, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").order_by("id", Order::Asc).take();
    /// let page = Pagination::length_aware::<(i64, String)>(select, 2, 2).await?;
    /// assert_eq!((page.total, page.data), (3, vec![(3, "a".to_owned())]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// - [`ParamError`](crate::FrameworkError::ParamError) if `per_page` is 0
    /// - [`Internal`](crate::FrameworkError::Internal) if no application is set up, or the select cannot be paged; the
    ///   message says what to write
    /// - [`Database`](crate::FrameworkError::Database) if the database fails
    pub async fn length_aware<T: Send>(
        select: impl Into<Select<T>>,
        per_page: u64,
        page: u64,
    ) -> Result<LengthAwarePaginator<T>> {
        select.into().at_page(page)?.paginate(per_page).await
    }

    /// Same as [`length_aware`](Self::length_aware), on a connection registered with
    /// [`Folio::connection`](crate::Folio::connection). It is an error if the select already has a connection.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Pagination, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").order_by("id", Order::Asc).take();
    /// let page = Pagination::length_aware_on::<(i64, String)>("reports", select, 2, 2).await?;
    /// assert_eq!((page.total, page.data), (3, vec![(3, "a".to_owned())]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`length_aware`](Self::length_aware), and [`Database`](crate::FrameworkError::Database) if the
    /// connection is not registered.
    pub async fn length_aware_on<T: Send>(
        connection: &str,
        select: impl Into<Select<T>>,
        per_page: u64,
        page: u64,
    ) -> Result<LengthAwarePaginator<T>> {
        select.into().at_page(page)?.at_connection(connection)?.paginate(per_page).await
    }

    /// Reads one page without the total, with one statement.
    ///
    /// The rows are in the select's own order. End it with a unique column, because pages can overlap if rows tie.
    /// Pages are numbered from 1, and page 0 counts as page 1.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Pagination, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").order_by("id", Order::Asc).take();
    /// let page = Pagination::simple::<(i64, String)>(select, 2, 2).await?;
    /// assert_eq!((page.has_more, page.data), (false, vec![(3, "a".to_owned())]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`length_aware`](Self::length_aware).
    pub async fn simple<T: Send>(select: impl Into<Select<T>>, per_page: u64, page: u64) -> Result<Paginator<T>> {
        select.into().at_page(page)?.simple_paginate(per_page).await
    }

    /// Same as [`simple`](Self::simple), on a connection registered with
    /// [`Folio::connection`](crate::Folio::connection). It is an error if the select already has a connection.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Pagination, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").order_by("id", Order::Asc).take();
    /// let page = Pagination::simple_on::<(i64, String)>("reports", select, 2, 2).await?;
    /// assert_eq!((page.has_more, page.data), (false, vec![(3, "a".to_owned())]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`simple`](Self::simple), and [`Database`](crate::FrameworkError::Database) if the connection is not
    /// registered.
    pub async fn simple_on<T: Send>(
        connection: &str,
        select: impl Into<Select<T>>,
        per_page: u64,
        page: u64,
    ) -> Result<Paginator<T>> {
        select.into().at_page(page)?.at_connection(connection)?.simple_paginate(per_page).await
    }

    /// Reads one page by cursor. With an index on the order, it costs the same at every depth.
    ///
    /// `cursor` is the `next_cursor` or `prev_cursor` of another page, or `None` for the first page. `order_col` is the
    /// order of the list and replaces the select's ORDER BY. A LIMIT or OFFSET of the select applies first, in the
    /// select's own order.
    ///
    /// If the columns belong to a model, missing primary key columns are appended as a tie-breaker. Otherwise the order
    /// has to end with columns that identify a row; a page that would end between rows that tie fails. Cursors are
    /// bound to the columns of the order, and to the name or model of the [`Select`], but not to its filters.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Pagination, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let newest = Column::<i64>::new("id").desc();
    /// let page = Pagination::cursor::<(i64, String)>(select.clone(), None, 2, newest).await?;
    /// let page = Pagination::cursor::<(i64, String)>(select, page.next_cursor.as_deref(), 2, newest).await?;
    /// assert_eq!(page.data, [(1, "b".to_owned())]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`length_aware`](Self::length_aware). Also [`Domain`](crate::FrameworkError::Domain), 400, for an
    /// invalid cursor, and [`Internal`](crate::FrameworkError::Internal) without a keyring or if rows tie.
    pub async fn cursor<T: Send>(
        select: impl Into<Select<T>>,
        cursor: Option<&str>,
        per_page: u64,
        order_col: impl IntoOrder,
    ) -> Result<CursorPaginator<T>> {
        select.into().at_cursor(cursor, order_col.terms())?.cursor_paginate(per_page).await
    }

    /// Same as [`cursor`](Self::cursor), on a connection registered with
    /// [`Folio::connection`](crate::Folio::connection). It is an error if the select already has a connection.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Pagination, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let newest = Column::<i64>::new("id").desc();
    /// let page = Pagination::cursor_on::<(i64, String)>("reports", select.clone(), None, 2, newest).await?;
    /// let next = page.next_cursor.as_deref();
    /// let page = Pagination::cursor_on::<(i64, String)>("reports", select, next, 2, newest).await?;
    /// assert_eq!(page.data, [(1, "b".to_owned())]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor`](Self::cursor), and [`Database`](crate::FrameworkError::Database) if the connection is not
    /// registered.
    pub async fn cursor_on<T: Send>(
        connection: &str,
        select: impl Into<Select<T>>,
        cursor: Option<&str>,
        per_page: u64,
        order_col: impl IntoOrder,
    ) -> Result<CursorPaginator<T>> {
        let select = select.into().at_cursor(cursor, order_col.terms())?.at_connection(connection)?;
        select.cursor_paginate(per_page).await
    }
}

/// The arguments of the functions. What the select already has is an error, because one of the two would be ignored.
impl<T> Query<Rows<T>> {
    fn at_page(mut self, page: u64) -> Result<Self> {
        match self.list.position.page.replace(page) {
            None => Ok(self),
            Some(_) => Err(FrameworkError::internal(
                "the page number of this select is given twice, by `page` and as an argument: leave one of them out",
            )),
        }
    }

    fn at_connection(self, connection: &str) -> Result<Self> {
        let own = match &self.list.route {
            Route { using: Some(_), .. } => "a pool by `using`".to_owned(),
            Route { on: Some(own), .. } => format!("`{own}` by `on`"),
            _ => return Ok(self.on(connection)),
        };
        Err(FrameworkError::internal(format!(
            "the connection of this select is given twice, {own} and `{connection}` as an argument: leave one of them out"
        )))
    }

    fn at_cursor(mut self, cursor: Option<&str>, order: Vec<Term>) -> Result<Self> {
        if self.list.order.replace(order).is_some() {
            return Err(FrameworkError::internal(
                "the order of this select is given twice, by `order_by` and as an argument: leave one of them out",
            ));
        }
        match self.list.position.cursor.replace(cursor.map(str::to_owned)) {
            None => Ok(self),
            Some(_) => Err(FrameworkError::internal(
                "the cursor of this select is given twice, by `cursor` and as an argument: leave one of them out",
            )),
        }
    }
}
