//! [`Select`]: a select with its row type.
//!
//! It consists of a [`CallerQuery`], the function that reads a row, and a connection. [`crate::custom::caller`] decides
//! what may be done to the statement, and [`crate::pagination`] has the methods that run it.

mod place;
mod sql;
mod total;

use std::sync::Arc;
use std::{fmt, mem};

use sea_query::SelectStatement;

use crate::cursor::CursorBinding;
use crate::custom::caller::{CallerSelect, Keyed, Listing};
use crate::custom::renderer::Renderer;
use crate::dialect::Dialect;
use crate::driver::{self, Reader};
use crate::error::{FrameworkError, Result};
use crate::keyset::{Base, BindingOptions, CallerRows, KeysetOrder, KeysetQuery};
use crate::model::{Model, cursor_terms};
use crate::offset::{CallerList, OffsetQuery};
use crate::position::Position;
use crate::schema::table::Table;
use crate::schema::term::{Term, close_with_primary_key};
use crate::source::route::{Route, Source};
use crate::source::using::Pooled;

/// A select with rows of type `T`: a join, an aggregate, a union, or anything else without a model.
///
/// Create it from SQL text with [`sql`](Self::sql), or convert a [`sea_query::SelectStatement`] with `from`. Every
/// enabled driver has to be able to read `T`, and `T` has to be `Send`. A select has the same methods as a
/// [`Builder`](crate::Builder), except for filters, and also reads the page number or cursor from the active request.
/// The functions of [`Pagination`](crate::Pagination) take these as arguments instead.
///
/// - order: [`order_by`](Self::order_by); without it, numbered pages have the statement's own order
/// - position: [`page`](Self::page), [`cursor`](Self::cursor); by default that of the active request
/// - connection: [`on`](Self::on), [`using`](Self::using)
/// - URLs: [`with_path`](Self::with_path), [`with_query_string`](Self::with_query_string),
///   [`with_page_name`](Self::with_page_name), [`with_cursor_name`](Self::with_cursor_name)
/// - total: [`count_up_to`](Self::count_up_to), [`estimated_total`](Self::estimated_total),
///   [`estimated_total_above`](Self::estimated_total_above), [`with_total`](Self::with_total); on cursor pages with
///   [`counted`](Self::counted)
/// - cursors: [`model`](Self::model) uses a model's primary key as the tie-breaker; [`named`](Self::named),
///   [`cursor_scope`](Self::cursor_scope) and [`bind_filters`](Self::bind_filters) bind cursors to more than the order
/// - paginators: [`paginate`](Self::paginate), [`simple_paginate`](Self::simple_paginate),
///   [`cursor_paginate`](Self::cursor_paginate)
/// - streams: [`cursor_chunks`](Self::cursor_chunks), [`cursor_stream`](Self::cursor_stream)
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::{ActiveRequest, Column, Select, sea_query::Query};
///
/// let select = Query::select().columns(["id", "title"]).from("posts").take();
/// let select = Select::<(i64, String)>::from(select).order_by(Column::<i64>::new("id").desc());
///
/// let page = ActiveRequest::new("/posts?page=2").scope(select.clone().paginate(2)).await?;
/// assert_eq!((page.total, page.data), (3, vec![(1, "b".to_owned())]));
/// let page = select.cursor_paginate(1).await?;
/// assert_eq!(page.data, [(3, "a".to_owned())]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[must_use = "a select does nothing until one of its paginators is awaited"]
pub struct Select<T, C = Pooled> {
    pub(crate) query: CallerQuery,
    pub(crate) reader: Reader<T>,
    pub(crate) connection: C,
}

/// A select without its row type and the connection that it borrows.
#[derive(Clone)]
pub(crate) struct CallerQuery {
    listing: Listing,
    list: ListName,
    order: Option<Vec<Term>>,
    pub(crate) route: Route,
    pub(crate) position: Position,
    binding: BindingOptions,
    total: TotalSource,
    /// Whether cursor pages have a total.
    pub(crate) is_counted: bool,
    /// Whether the caller states that the columns of the order do not change between pages.
    is_stable: bool,
}

/// Where the total of a list comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum TotalSource {
    /// `COUNT(*)`.
    #[default]
    Counted,
    /// A count that ends at a number of rows.
    CountedUpTo(u64),
    /// The caller.
    Known(u64),
    /// The database's statistics.
    Estimated,
    /// A count, or the database's statistics if there are more rows than this.
    EstimatedAbove(u64),
}

/// The maximum for a total's limit. One row more is counted, and LIMIT is an i64 on every database.
const MAX_LIMIT: u64 = i64::MAX as u64 - 1;

impl TotalSource {
    /// The source for a database, which may have no estimates, and whose limits are i64.
    pub(crate) fn on(self, dialect: Dialect) -> Self {
        match self {
            Self::Estimated | Self::EstimatedAbove(_) if dialect.facts().explain.is_none() => Self::Counted,
            Self::CountedUpTo(limit) => Self::CountedUpTo(limit.min(MAX_LIMIT)),
            Self::EstimatedAbove(exact) => Self::EstimatedAbove(exact.min(MAX_LIMIT)),
            source => source,
        }
    }
}

/// What cursors over the select are bound to, in addition to their key.
#[derive(Debug, Clone)]
enum ListName {
    Model(&'static Table),
    Name(String),
}

impl<T, C> fmt::Debug for Select<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CallerQuery { listing, list, .. } = &self.query;
        f.debug_struct("Select").field("listing", listing).field("list", list).finish_non_exhaustive()
    }
}

impl<T, C: Clone> Clone for Select<T, C> {
    fn clone(&self) -> Self {
        Self { query: self.query.clone(), reader: self.reader, connection: self.connection.clone() }
    }
}

impl<T: driver::FromDatabaseRow> From<SelectStatement> for Select<T> {
    fn from(statement: SelectStatement) -> Self {
        Self::new(Listing::Select(Box::new(statement)), T::READER, ListName::Name(String::new()))
    }
}

/// Takes the statement, so a chain of sea-query's builder methods converts without `take()`.
impl<T: driver::FromDatabaseRow> From<&mut SelectStatement> for Select<T> {
    fn from(statement: &mut SelectStatement) -> Self {
        statement.take().into()
    }
}

impl<T: Model> Select<T> {
    /// Creates a select of a model's rows.
    ///
    /// The model's primary key is the tie-breaker of every cursor order, and cursors are bound to the model's table. So
    /// cursors of this select and of the model's own queries are interchangeable if the order is the same. The select
    /// has to return all columns of the model.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Pagination, Select, sea_query::{Asterisk, Query}};
    ///
    /// let select = Query::select().column(Asterisk).from("posts").take();
    /// // The id breaks ties between equal titles.
    /// let page = Pagination::cursor(Select::<Post>::model(select), None, 2, Post::TITLE).await?;
    /// assert_eq!(ids(&page.data), [2, 3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn model(statement: SelectStatement) -> Self {
        Self::new(Listing::Select(Box::new(statement)), T::READER, ListName::Model(T::TABLE))
    }
}

impl<T> Select<T> {
    fn new(listing: Listing, reader: Reader<T>, list: ListName) -> Self {
        Self { query: CallerQuery::new(listing, list), reader, connection: Pooled }
    }
}

impl<T, C> Select<T, C> {
    /// Binds cursors to a name, in addition to their key.
    ///
    /// Without a name or model, a cursor is valid in every list with the same key columns. Give lists different names
    /// if their cursors must not be interchangeable. Changing the name invalidates old cursors. The name replaces the
    /// binding to a [`model`](Self::model).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Pagination, Select, sea_query::Query};
    ///
    /// let id = Column::<i64>::new("id");
    /// let list = |name: &str| Select::<(i64,)>::from(Query::select().column("id").from("posts")).named(name);
    /// let drafts = Pagination::cursor(list("drafts"), None, 2, id).await?;
    /// let next = drafts.next_cursor.as_deref();
    /// assert!(Pagination::cursor(list("drafts"), next, 2, id).await.is_ok());
    /// assert_eq!(Pagination::cursor(list("archive"), next, 2, id).await.unwrap_err().status(), 400);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn named(mut self, name: &str) -> Self {
        self.query.list = ListName::Name(name.to_owned());
        self
    }

    /// Binds the cursors to a scope, such as a tenant. See [`Builder::cursor_scope`](crate::Builder::cursor_scope).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Pagination, Select, sea_query::Query};
    ///
    /// let select = Select::<Post>::model(Query::select().columns(["id", "author_id", "title"]).from("posts").take());
    /// let [seven, eight] = ["7", "8"].map(|tenant| select.clone().cursor_scope(tenant));
    /// let next = Pagination::cursor(seven, None, 2, Post::ID).await?.next_cursor;
    /// let page = Pagination::cursor(eight, next.as_deref(), 2, Post::ID).await;
    /// assert_eq!(page.unwrap_err().status(), 400);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor_scope(mut self, scope: &str) -> Self {
        self.query.binding.scope = Some(scope.to_owned());
        self
    }

    /// Binds the cursors to the select's text and its values. See
    /// [`Builder::bind_filters`](crate::Builder::bind_filters).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Pagination, Select, sea_query::Query};
    ///
    /// let list = |author: i64| {
    ///     let select = Query::select().columns(["id", "author_id", "title"]).from("posts").take();
    ///     Select::<Post>::model(select.clone().cond_where(Post::AUTHOR_ID.eq(author)).take()).bind_filters()
    /// };
    /// let next = Pagination::cursor(list(7), None, 1, Post::ID).await?.next_cursor;
    /// assert_eq!(Pagination::cursor(list(7), next.as_deref(), 1, Post::ID).await?.data[0].id, 2);
    /// assert!(Pagination::cursor(list(8), next.as_deref(), 1, Post::ID).await.is_err());
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn bind_filters(mut self) -> Self {
        self.query.binding.filters = true;
        self
    }
}

impl<T, C> Select<T, C> {
    /// States that a row has the same values in the columns of the order on each page, although one of them has a function
    /// of the clock or a random one. Otherwise, pages in this order are refused. If a value does change, rows are lost or
    /// repeated.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let text = "SELECT id, id + strftime('%Y', 'now') AS place FROM posts";
    /// let by_place = || Select::<(i64, i64)>::sql(text).order_by(Column::<i64>::new("place"));
    /// assert!(by_place().cursor_paginate(2).await.unwrap_err().to_string().contains("its value changes between pages"));
    /// assert_eq!(by_place().stable().cursor_paginate(2).await?.data.len(), 2);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn stable(mut self) -> Self {
        self.query.is_stable = true;
        self
    }
}

impl CallerQuery {
    fn new(listing: Listing, list: ListName) -> Self {
        Self {
            listing,
            list,
            order: None,
            route: Route::default(),
            position: Position::default(),
            binding: BindingOptions::default(),
            total: TotalSource::Counted,
            is_counted: false,
            is_stable: false,
        }
    }

    /// Sets the order that a function takes as an argument.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if the select has one.
    pub(crate) fn sort_by(&mut self, terms: Vec<Term>) -> Result<()> {
        match self.order.replace(terms) {
            None => Ok(()),
            Some(_) => Err(FrameworkError::internal(
                "the order of this select is given twice, by `order_by` and as an argument: leave one of them out",
            )),
        }
    }

    /// The table whose primary key breaks ties.
    fn model(&self) -> Option<&'static Table> {
        match self.list {
            ListName::Model(table) => Some(table),
            ListName::Name(_) => None,
        }
    }

    /// The order with the model's primary key appended, and the number of columns that were given.
    fn closed(&self, terms: Vec<Term>) -> (Vec<Term>, usize) {
        let given = terms.len();
        (close_with_primary_key(self.model(), terms), given)
    }

    /// The select as its text shows it.
    fn select(&mut self, dialect: Dialect) -> Result<CallerSelect> {
        let listing = mem::replace(&mut self.listing, Listing::Misused("select"));
        let select = CallerSelect::new(listing, dialect)?;
        Ok(if self.is_stable { select.stable() } else { select })
    }

    /// Compiles to an offset query for the database of `source`.
    pub(crate) fn offset_query(mut self, source: &Source<'_>) -> Result<OffsetSelect> {
        let order = self.order.take().map(|terms| self.closed(terms));
        let table = self.model();
        let list = CallerList::new(self.select(source.dialect())?, order, table)?;
        Ok(OffsetSelect::of_caller(list, self.total))
    }

    /// Compiles to a keyset query for the database of `source`: in the given order, or else by the model's cursor key.
    pub(crate) fn keyset_query(mut self, source: &Source<'_>) -> Result<KeysetSelect> {
        let order = self.order.take().or_else(|| self.model().map(cursor_terms));
        let (terms, given) = self.closed(order.ok_or_else(no_order)?);
        let select = self.select(source.dialect())?;
        let keyed = select.keyed(terms, given)?;
        let query = keyset_query(keyed, &self.list, select.renderer().clone(), self.binding);
        let list = || CallerList::unordered(select);
        let counted = self.is_counted.then(|| Box::new(OffsetSelect::of_caller(list(), self.total)));
        Ok(KeysetSelect { query, counted })
    }
}

/// The query of a select with its key. Cursors are bound to the list and to `binding`.
fn keyset_query(keyed: Keyed, list: &ListName, renderer: Renderer, binding: BindingOptions) -> KeysetQuery {
    let Keyed { base, arms, terms, sorts, table } = keyed;
    let scope = list.scope(&terms);
    let order = Arc::new(KeysetOrder::new(terms, sorts, scope, table));
    let rows = CallerRows { select: base, arms, renderer };
    KeysetQuery { order, base: Base::Caller(Box::new(rows)), binding }
}

fn no_order() -> FrameworkError {
    FrameworkError::internal(
        "a cursor page of a select needs an order: add `order_by` with columns that end in a unique one, such as \
         `.order_by(Column::<i64>::new(\"id\"))`",
    )
}

/// An offset query, and where the total of its list comes from.
pub(crate) struct OffsetSelect {
    pub(crate) query: OffsetQuery,
    pub(crate) total: TotalSource,
}

impl OffsetSelect {
    /// A query of a caller's list.
    fn of_caller(list: CallerList, total: TotalSource) -> Self {
        Self { query: OffsetQuery::Caller(list), total }
    }
}

/// A keyset query, and the total of its pages.
pub(crate) struct KeysetSelect {
    pub(crate) query: KeysetQuery,
    /// The list whose total the pages have, if they have one.
    pub(crate) counted: Option<Box<OffsetSelect>>,
}

impl ListName {
    fn scope(&self, terms: &[Term]) -> CursorBinding {
        match self {
            Self::Model(table) => CursorBinding::of_model(table, terms),
            // Three words. A model's binding has one or two, so the two kinds never coincide.
            Self::Name(name) => CursorBinding::new(&["", "select", name], None, terms),
        }
    }
}
