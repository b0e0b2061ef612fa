//! A select of rows of one type, with or without a model.

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
use crate::query::keyset::{Base, KeysetOrder, KeysetQuery};
use crate::query::offset::OffsetQuery;
use crate::route::Source;

/// A select with rows of type `T`, for [`Pagination`](crate::Pagination).
///
/// Any [`sea_query::SelectStatement`] converts into one, if every enabled driver can read `T`.
///
/// ```
/// use folio::{Select, sea_query::Query};
///
/// let select = Query::select().columns(["id", "title"]).from("posts").take();
/// let select: Select<(i64, String)> = select.into();
/// ```
pub struct Select<T> {
    statement: SelectStatement,
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
    /// The database estimates it from its statistics.
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
        f.debug_struct("Select").field("statement", &self.statement).field("list", &self.list).finish_non_exhaustive()
    }
}

impl<T> Clone for Select<T> {
    fn clone(&self) -> Self {
        let (statement, list) = (self.statement.clone(), self.list.clone());
        Self { statement, list, ..*self }
    }
}

impl<T: driver::FromDatabaseRow> From<SelectStatement> for Select<T> {
    fn from(statement: SelectStatement) -> Self {
        Self { statement, reader: T::READER, list: List::Name(String::new()), total: Total::Counted }
    }
}

/// Takes the statement out of a chain of sea-query's builder methods.
impl<T: driver::FromDatabaseRow> From<&mut SelectStatement> for Select<T> {
    fn from(statement: &mut SelectStatement) -> Self {
        statement.take().into()
    }
}

impl<T: Model> Select<T> {
    /// A select of a model's rows. The primary key is the tie-breaker of every cursor order, and cursors are bound to
    /// the model's table.
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
        Self { statement, reader: T::READER, list: List::Model(T::TABLE), total: Total::Counted }
    }
}

impl<T> Select<T> {
    /// Binds cursors to this name as well, so that a list rejects the cursors of another one with the same key.
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

    /// Uses `total` as the count of all rows, instead of counting them for each page. See
    /// [`Builder::with_total`](crate::Builder::with_total).
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

    /// Uses the database's row estimate instead of `COUNT(*)`. See
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

    /// The select as a numbered list on the database that it is read from.
    pub(crate) fn numbered(self, source: &Source) -> Result<OffsetSelect<T>> {
        let select = CallerSelect::new(self.statement, source.dialect())?;
        select.check_numbered()?;
        Ok(OffsetSelect { reader: self.reader, query: OffsetQuery::Caller(Box::new(select)), total: self.total })
    }

    /// The select as a list in the order of `terms` on the database that it is read from.
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
        let query = KeysetQuery { order, base: Base::Caller(Box::new(keyed.base), source.dialect()) };
        Ok(KeysetSelect { reader: self.reader, query })
    }
}

/// A list that is paged by number, and how its rows become `T`s.
pub(crate) struct OffsetSelect<T> {
    pub(crate) reader: Reader<T>,
    pub(crate) query: OffsetQuery,
    pub(crate) total: Total,
}

/// A list that is paged by cursor, and how its rows become `T`s.
pub(crate) struct KeysetSelect<T> {
    pub(crate) reader: Reader<T>,
    pub(crate) query: KeysetQuery,
}

impl List {
    fn scope(&self, terms: &[Term]) -> Scope {
        match self {
            Self::Model(table) => Scope::of_model(table, terms),
            // Three words, where a model's table has one or two.
            Self::Name(name) => Scope::new(&["", "select", name], None, terms),
        }
    }
}
