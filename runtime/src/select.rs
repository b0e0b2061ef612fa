//! [`Select`]: a select with its row type, for [`Pagination`](crate::Pagination).
//!
//! It pairs a sea-query statement with the function that reads a row, and records what cursors over it are bound to.
//! [`crate::query::caller`] decides what may be done to the statement.

use std::fmt;
use std::sync::Arc;

use sea_query::SelectStatement;

use crate::cursor::Scope;
use crate::driver::{self, Reader};
use crate::error::Result;
use crate::model::Model;
use crate::model::order::{Term, close_with_primary_key};
use crate::model::table::Table;
use crate::query::caller::CallerSelect;
use crate::query::keyset::{Base, CursorBinding, KeysetOrder, KeysetQuery};
use crate::query::offset::OffsetQuery;
use crate::request::current::page_path;
use crate::route::Source;

/// A select with rows of type `T`, for [`Pagination`](crate::Pagination).
///
/// A [`sea_query::SelectStatement`] converts into one if every enabled driver can read `T`, so most callers pass the
/// statement itself. Create a `Select` to set more than the statement:
///
/// - [`model`](Self::model) uses a model's primary key as the tie-breaker
/// - [`named`](Self::named) binds cursors to a name
/// - [`with_total`](Self::with_total) and [`estimated_total`](Self::estimated_total) replace the count
///
/// ```
#[doc = include_str!("doc/posts.txt")]
/// use folio::{Pagination, Select, sea_query::{Order, Query}};
///
/// let select = Query::select().columns(["id", "title"]).from("posts").order_by("id", Order::Asc).take();
/// let select: Select<(i64, String)> = select.into();
/// let page = Pagination::length_aware(select.with_total(3), 2, 2).await?;
/// assert_eq!(page.data, [(3, "a".to_owned())]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
pub struct Select<T> {
    statement: SelectStatement,
    reader: Reader<T>,
    list: List,
    total: Total,
    binding: CursorBinding,
    query_string: bool,
}

/// Where the total of a numbered page comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Total {
    /// `COUNT(*)`.
    #[default]
    Counted,
    /// The caller.
    Known(u64),
    /// The database's statistics.
    Estimated,
}

/// What cursors over the select are bound to, in addition to their key.
#[derive(Debug, Clone)]
enum List {
    Model(&'static Table),
    Name(String),
}

impl<T> fmt::Debug for Select<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Select").field("statement", &self.statement).field("list", &self.list).finish_non_exhaustive()
    }
}

impl<T> Clone for Select<T> {
    fn clone(&self) -> Self {
        let (statement, list, binding) = (self.statement.clone(), self.list.clone(), self.binding.clone());
        Self { statement, list, binding, ..*self }
    }
}

impl<T: driver::FromDatabaseRow> From<SelectStatement> for Select<T> {
    fn from(statement: SelectStatement) -> Self {
        Self::new(statement, T::READER, List::Name(String::new()))
    }
}

/// Takes the statement, so that a chain of sea-query's builder methods converts without `take()`.
impl<T: driver::FromDatabaseRow> From<&mut SelectStatement> for Select<T> {
    fn from(statement: &mut SelectStatement) -> Self {
        statement.take().into()
    }
}

impl<T: Model> Select<T> {
    /// Creates a select of a model's rows.
    ///
    /// The model's primary key is the tie-breaker of every cursor order, and cursors are bound to the model's table. So
    /// a cursor of this select also opens in the model's own list with the same key, and the reverse. The select has to
    /// return all columns of the model.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{Pagination, Select, sea_query::{Asterisk, Query}};
    ///
    /// let select = Query::select().column(Asterisk).from("posts").take();
    /// // Rows that tie in the title are told apart by the id.
    /// let page = Pagination::cursor(Select::<Post>::model(select), None, 2, Post::TITLE).await?;
    /// assert_eq!(ids(&page.data), [2, 3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn model(statement: SelectStatement) -> Self {
        Self::new(statement, T::READER, List::Model(T::TABLE))
    }
}

impl<T> Select<T> {
    /// Binds cursors to a name, in addition to their key.
    ///
    /// Without a name or model, a cursor opens in every list with the same key columns. Give lists different names if
    /// their cursors must not be interchangeable. Changing the name invalidates old cursors. It replaces the binding to
    /// a [`model`](Self::model).
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
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
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Self { list: List::Name(name.to_owned()), ..self }
    }

    /// Uses `total` as the number of rows, instead of counting them for each page. See
    /// [`Builder::with_total`](crate::Builder::with_total).
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{Pagination, Select, sea_query::{Order, Query}};
    ///
    /// let select = Select::<(i64,)>::from(Query::select().column("id").from("posts").order_by("id", Order::Asc));
    /// let page = Pagination::length_aware(select.with_total(63_663), 2, 1).await?;
    /// assert_eq!((page.total, page.last_page), (63_663, 31_832));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn with_total(self, total: u64) -> Self {
        self.totalled(Total::Known(total))
    }

    /// Uses the database's row estimate instead of `COUNT(*)`. See
    /// [`Builder::estimated_total`](crate::Builder::estimated_total).
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{Pagination, Select, sea_query::{Order, Query}};
    ///
    /// let select = Select::<(i64,)>::from(Query::select().column("id").from("posts").order_by("id", Order::Asc));
    /// let page = Pagination::length_aware(select.estimated_total(), 2, 1).await?;
    /// assert_eq!(page.total, 3); // SQLite has no estimate, so it counts.
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn estimated_total(self) -> Self {
        self.totalled(Total::Estimated)
    }

    /// Keeps the path and the query string of the active request in page URLs. See
    /// [`Builder::with_query_string`](crate::Builder::with_query_string).
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{ActiveRequest, Pagination, Select, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").order_by("id", Order::Asc).take();
    /// let select = Select::<(i64, String)>::from(select).with_query_string();
    /// let page = ActiveRequest::new("/posts?q=a&page=1").scope(Pagination::simple(select, 2, 1)).await?;
    /// assert_eq!(page.next_page_url().as_deref(), Some("/posts?q=a&page=2"));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn with_query_string(self) -> Self {
        Self { query_string: true, ..self }
    }

    /// Binds the cursors to a name, such as a tenant's. See
    /// [`Builder::cursor_scope`](crate::Builder::cursor_scope).
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
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
    #[must_use]
    pub fn cursor_scope(mut self, scope: &str) -> Self {
        self.binding.scope = Some(scope.to_owned());
        self
    }

    /// Binds the cursors to the select's whole text and its values. See
    /// [`Builder::bind_filters`](crate::Builder::bind_filters).
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{Pagination, Select, sea_query::{ExprTrait, Query}};
    ///
    /// let list = |author: i64| {
    ///     let select = Query::select().columns(["id", "author_id", "title"]).from("posts").take();
    ///     Select::<Post>::model(select.clone().and_where(Post::AUTHOR_ID.eq(author)).take()).bind_filters()
    /// };
    /// let next = Pagination::cursor(list(7), None, 1, Post::ID).await?.next_cursor;
    /// assert_eq!(Pagination::cursor(list(7), next.as_deref(), 1, Post::ID).await?.data[0].id, 2);
    /// assert!(Pagination::cursor(list(8), next.as_deref(), 1, Post::ID).await.is_err());
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn bind_filters(mut self) -> Self {
        self.binding.filters = true;
        self
    }

    fn new(statement: SelectStatement, reader: Reader<T>, list: List) -> Self {
        let (total, binding) = (Total::Counted, CursorBinding::default());
        Self { statement, reader, list, total, binding, query_string: false }
    }

    /// The path of the page URLs.
    pub(crate) fn path(&self) -> Option<String> {
        page_path(self.query_string)
    }

    pub(crate) fn totalled(self, total: Total) -> Self {
        Self { total, ..self }
    }

    /// Compiles to an offset query for the database of `source`.
    pub(crate) fn numbered(self, source: &Source) -> Result<OffsetSelect<T>> {
        let select = CallerSelect::new(self.statement, source.dialect())?;
        select.check_numbered()?;
        Ok(OffsetSelect { reader: self.reader, query: OffsetQuery::Caller(Box::new(select)), total: self.total })
    }

    /// Compiles to a keyset query in the order of `terms`, for the database of `source`.
    pub(crate) fn ordered(self, source: &Source, terms: Vec<Term>) -> Result<KeysetSelect<T>> {
        let model = match self.list {
            List::Model(table) => Some(table),
            List::Name(_) => None,
        };
        let given = terms.len();
        let select = CallerSelect::new(self.statement, source.dialect())?;
        let keyed = select.keyed(close_with_primary_key(model, terms), given)?;
        let scope = self.list.scope(&keyed.terms);
        let order = Arc::new(KeysetOrder::new(keyed.terms, keyed.sorts, scope, keyed.table));
        let query =
            KeysetQuery { order, base: Base::Caller(Box::new(keyed.base), source.dialect()), binding: self.binding };
        Ok(KeysetSelect { reader: self.reader, query })
    }
}

/// An offset query with rows of type `T`.
pub(crate) struct OffsetSelect<T> {
    pub(crate) reader: Reader<T>,
    pub(crate) query: OffsetQuery,
    pub(crate) total: Total,
}

/// A keyset query with rows of type `T`.
pub(crate) struct KeysetSelect<T> {
    pub(crate) reader: Reader<T>,
    pub(crate) query: KeysetQuery,
}

impl List {
    fn scope(&self, terms: &[Term]) -> Scope {
        match self {
            Self::Model(table) => Scope::of_model(table, terms),
            // Three words. A model's scope has one or two, so the two kinds never coincide.
            Self::Name(name) => Scope::new(&["", "select", name], None, terms),
        }
    }
}
