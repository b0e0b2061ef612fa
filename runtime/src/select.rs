//! A select of rows of one type, with or without a model.

use std::fmt;
use std::sync::Arc;

use sea_query::{SelectStatement, Value};

use crate::cursor::Scope;
use crate::driver::{self, Driver, Reader};
use crate::keyset::Dialect;
use crate::listing::{Listing, Slice};
use crate::model::{self, Model};
use crate::order::{Term, close_with_primary_key};
use crate::statement::Prepared;
use crate::table::Table;
use crate::walk::Walk;

/// A select whose rows are `T`s: what [`Pagination`](crate::Pagination) takes.
///
/// Any [`sea_query::SelectStatement`] is one, where `T` can be read by every enabled driver.
///
/// ```
/// use folio::{Select, sea_query::Query};
///
/// let select = Query::select().columns(["id", "title"]).from("posts").take();
/// let select: Select<(i64, String)> = select.into();
/// ```
pub struct Select<T> {
    listing: Arc<Listing>,
    /// The caller's values, where the listing is kept from one call to the next; else it has them itself.
    own: Option<Vec<Value>>,
    reader: Reader<T>,
    list: List,
    total: Total,
}

/// Where the total of a numbered page comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Total {
    /// All rows are counted.
    #[default]
    Counted,
    /// The caller knows it.
    Known(u64),
    /// The database reckons it from its statistics.
    Estimated,
}

/// What cursors over the select are bound to, beside their key.
#[derive(Debug, Clone)]
enum List {
    Model(&'static Table),
    Name(String),
}

impl<T> fmt::Debug for Select<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Select")
            .field("statement", &self.listing.statement)
            .field("list", &self.list)
            .finish_non_exhaustive()
    }
}

impl<T> Clone for Select<T> {
    fn clone(&self) -> Self {
        let (listing, own, list) = (self.listing.clone(), self.own.clone(), self.list.clone());
        Self { listing, own, list, ..*self }
    }
}

impl<T: driver::Rows> From<SelectStatement> for Select<T> {
    fn from(statement: SelectStatement) -> Self {
        let (listing, list) = (Listing::any(statement), List::Name(String::new()));
        Self { listing, own: None, reader: T::READER, list, total: Total::Counted }
    }
}

/// Takes the statement out of a chain of sea-query's builder methods.
impl<T: driver::Rows> From<&mut SelectStatement> for Select<T> {
    fn from(statement: &mut SelectStatement) -> Self {
        statement.take().into()
    }
}

impl<T: Model> Select<T> {
    /// A select of a model's rows. Its primary key closes every cursor order, and cursors are bound to its table.
    ///
    /// ```
    /// # #[derive(sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64, title: String }
    /// use folio::{Select, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let select = Select::<Post>::model(select);
    /// ```
    #[must_use]
    pub fn model(statement: SelectStatement) -> Self {
        let (listing, list) = (Listing::any(statement), List::Model(T::TABLE));
        Self { listing, own: None, reader: T::READER, list, total: Total::Counted }
    }

    /// The select of a model's builder, with the caller's values where they are not in the listing.
    pub(crate) fn listed(listing: Arc<Listing>, own: Option<Vec<Value>>, total: Total) -> Self {
        Self { listing, own, reader: T::READER, list: List::Model(T::TABLE), total }
    }
}

impl<T> Select<T> {
    /// Binds cursors to this name too, so that those of one list do not open in another with the same key.
    ///
    /// ```
    /// use folio::{Select, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let select = Select::<(i64, String)>::from(select).named("drafts");
    /// ```
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Self { list: List::Name(name.to_owned()), ..self }
    }

    /// Takes `total` for the count of all rows, instead of counting them for each page: one that is kept elsewhere, or
    /// was counted a moment ago. See [`Builder::with_total`](crate::Builder::with_total).
    ///
    /// ```
    /// use folio::{Select, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let select = Select::<(i64, String)>::from(select).with_total(63_663);
    /// ```
    #[must_use]
    pub fn with_total(self, total: u64) -> Self {
        self.totalled(Total::Known(total))
    }

    /// Takes what the database reckons for the count of all rows. See
    /// [`Builder::estimated_total`](crate::Builder::estimated_total).
    ///
    /// ```
    /// use folio::{Select, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let select = Select::<(i64, String)>::from(select).estimated_total();
    /// ```
    #[must_use]
    pub fn estimated_total(self) -> Self {
        self.totalled(Total::Estimated)
    }

    pub(crate) fn totalled(self, total: Total) -> Self {
        Self { total, ..self }
    }

    pub(crate) fn total(&self) -> Total {
        self.total
    }

    pub(crate) fn reader(&self) -> Reader<T> {
        self.reader
    }

    /// Whether pages can be read from the list's end.
    pub(crate) fn is_reversible(&self, dialect: Dialect) -> bool {
        self.listing.is_reversible(dialect)
    }

    /// All rows, in no order.
    pub(crate) fn all<D: Driver>(&self) -> Prepared {
        self.listing.all::<D>(self.own.as_deref())
    }

    /// The count of all rows.
    pub(crate) fn count<D: Driver>(&self) -> Prepared {
        self.listing.count::<D>(self.own.as_deref())
    }

    /// A page of the rows in the select's own order.
    pub(crate) fn page<D: Driver>(&self, slice: Slice) -> Prepared {
        self.listing.page::<D>(self.own.as_deref(), slice)
    }

    /// The select made ready to be walked by `terms`.
    pub(crate) fn walk(&self, terms: Vec<Term>) -> Walk {
        let model = match self.list {
            List::Model(table) => Some(table),
            List::Name(_) => None,
        };
        let terms = close_with_primary_key(model, terms);
        let scope = self.scope(&terms);
        let total = terms.iter().any(|term| term.table.is_some()) || model.is_some();
        Walk::any(&self.listing, terms, scope, total)
    }

    fn scope(&self, terms: &[Term]) -> Scope {
        match &self.list {
            List::Model(table) => model::scope(table, terms),
            // Three words, where a model's table has one or two.
            List::Name(name) => Scope::new(&["", "select", name], None, terms),
        }
    }
}
