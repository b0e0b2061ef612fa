//! The facade for selects without a model.

use crate::error::Result;
use crate::fetch;
use crate::model::order::{CursorOrder, stated};
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};
use crate::route::Route;
use crate::select::Select;

/// The three paginators for any select. Page, cursor and order are arguments; nothing is read from the active request.
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
#[derive(Debug)]
#[non_exhaustive]
pub struct Pagination;

fn on(connection: &str) -> Route {
    Route { on: Some(connection.to_owned()), ..Route::default() }
}

impl Pagination {
    /// Reads one page with the total: a count and a page by offset, in the select's order. `page` counts from 1.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
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
    /// [`ParamError`](crate::FrameworkError::ParamError) if `per_page` is 0, and
    /// [`Database`](crate::FrameworkError::Database) if the database fails.
    pub async fn length_aware<T>(
        select: impl Into<Select<T>>,
        per_page: u64,
        page: u64,
    ) -> Result<LengthAwarePaginator<T>> {
        fetch::check_per_page(per_page)?;
        let source = Route::default().source()?;
        let list = select.into().numbered(&source)?;
        fetch::length_aware(source, list, per_page, page).await
    }

    /// Same as [`length_aware`](Self::length_aware), on a registered connection.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
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
    /// Same as [`length_aware`](Self::length_aware).
    pub async fn length_aware_on<T>(
        connection: &str,
        select: impl Into<Select<T>>,
        per_page: u64,
        page: u64,
    ) -> Result<LengthAwarePaginator<T>> {
        fetch::check_per_page(per_page)?;
        let source = on(connection).source()?;
        let list = select.into().numbered(&source)?;
        fetch::length_aware(source, list, per_page, page).await
    }

    /// Reads one page without the total, with one statement, in the select's order. `page` counts from 1.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
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
    pub async fn simple<T>(select: impl Into<Select<T>>, per_page: u64, page: u64) -> Result<Paginator<T>> {
        fetch::check_per_page(per_page)?;
        let source = Route::default().source()?;
        let list = select.into().numbered(&source)?;
        fetch::simple(source, list, per_page, page).await
    }

    /// Same as [`simple`](Self::simple), on a registered connection.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
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
    /// Same as [`simple`](Self::simple).
    pub async fn simple_on<T>(
        connection: &str,
        select: impl Into<Select<T>>,
        per_page: u64,
        page: u64,
    ) -> Result<Paginator<T>> {
        fetch::check_per_page(per_page)?;
        let source = on(connection).source()?;
        let list = select.into().numbered(&source)?;
        fetch::simple(source, list, per_page, page).await
    }

    /// Reads one page by cursor in the order of `order_col`, which replaces the select's ORDER BY and OFFSET.
    ///
    /// If the columns are a model's, missing primary key columns are appended as a tie-breaker. Otherwise the last
    /// column has to be unique; rows that tie at the end of a page are an error. Cursors are bound to the key columns
    /// and to the name or model of the [`Select`], but not to its filters.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
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
    /// Same as [`length_aware`](Self::length_aware). [`Domain`](crate::FrameworkError::Domain), 400, for an invalid
    /// cursor or one of another list, and [`Internal`](crate::FrameworkError::Internal) without a keyring.
    pub async fn cursor<T>(
        select: impl Into<Select<T>>,
        cursor: Option<&str>,
        per_page: u64,
        order_col: impl CursorOrder,
    ) -> Result<CursorPaginator<T>> {
        walk(Route::default(), select.into(), cursor, per_page, order_col).await
    }

    /// Same as [`cursor`](Self::cursor), on a registered connection.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{Column, Pagination, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take(); let newest =
    /// Column::<i64>::new("id").desc(); let page = Pagination::cursor_on::<(i64, String)>("reports", select.clone(),
    /// None, 2, newest).await?; let page = Pagination::cursor_on::<(i64, String)>("reports", select,
    /// page.next_cursor.as_deref(), 2, newest).await?; assert_eq!(page.data, [(1, "b".to_owned())]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor`](Self::cursor).
    pub async fn cursor_on<T>(
        connection: &str,
        select: impl Into<Select<T>>,
        cursor: Option<&str>,
        per_page: u64,
        order_col: impl CursorOrder,
    ) -> Result<CursorPaginator<T>> {
        walk(on(connection), select.into(), cursor, per_page, order_col).await
    }
}

async fn walk<T>(
    route: Route,
    select: Select<T>,
    cursor: Option<&str>,
    per_page: u64,
    order: impl CursorOrder,
) -> Result<CursorPaginator<T>> {
    fetch::check_per_page(per_page)?;
    let source = route.source()?;
    let select = select.ordered(&source, stated(order))?;
    fetch::cursor(source, select, per_page, cursor.map(str::to_owned)).await
}
