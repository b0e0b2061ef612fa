//! Selects without a model: what only they can say, and how they are compiled.
//!
//! [`folio_plan::custom::caller`] decides what may be done to the statement.

use std::fmt;
use std::sync::Arc;

use folio_plan::custom::caller::{CallerSelect, Listing};
use folio_plan::custom::raw_sql::RawSql;
use folio_plan::dialect::Dialect;
use folio_plan::keyset::{Base, BindingOptions, CallerRows, KeysetQuery, ListName};
use folio_plan::offset::{CallerList, OffsetQuery};
use folio_plan::schema::table::Table;
use folio_plan::schema::term::{Term, close_with_primary_key};
use sea_query::SelectStatement;
use sqlx::SqlSafeStr;

use super::description::{List, Query};
use crate::bind::{BindFor, BindValue, CallerValue};
use crate::driver::{FromDatabaseRow, Reader};
use crate::error::{FrameworkError, Result};
use crate::model::{Model, cursor_terms};
use crate::read::{KeysetSelect, OffsetSelect, TotalSource};
use crate::schema::order::IntoOrder;
use crate::source::using::Pooled;

/// Rows of type `T`: the source of a [`Select`](crate::Select).
pub struct Rows<T> {
    pub(super) rows: SelectRows,
    pub(super) reader: Reader<T>,
}

impl<T> Clone for Rows<T> {
    fn clone(&self) -> Self {
        Self { rows: self.rows.clone(), reader: self.reader }
    }
}

impl<T> fmt::Debug for Rows<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SelectRows { listing, name, .. } = &self.rows;
        f.debug_struct("Rows").field("listing", listing).field("name", name).finish_non_exhaustive()
    }
}

/// The rows that a select without a model asks for.
#[derive(Clone)]
#[expect(unnameable_types, reason = "only the sealed trait names it")]
pub struct SelectRows {
    listing: Listing,
    name: ListName,
    /// Whether the caller states that the columns of the order do not change between pages.
    is_stable: bool,
}

impl<T: FromDatabaseRow> From<SelectStatement> for Query<Rows<T>> {
    fn from(statement: SelectStatement) -> Self {
        Self::of(Listing::Select(Box::new(statement)), T::READER, ListName::Name(String::new()))
    }
}

/// Takes the statement, so a chain of sea-query's builder methods converts without `take()`.
impl<T: FromDatabaseRow> From<&mut SelectStatement> for Query<Rows<T>> {
    fn from(statement: &mut SelectStatement) -> Self {
        statement.take().into()
    }
}

impl<T> Query<Rows<T>> {
    fn of(listing: Listing, reader: Reader<T>, name: ListName) -> Self {
        let rows = SelectRows { listing, name, is_stable: false };
        Self { list: Box::new(List::new(Rows { rows, reader })), connection: Pooled }
    }
}

#[cfg(feature = "_sea-orm")]
impl<T> Query<Rows<T>> {
    /// A select of rows of this table.
    pub(crate) fn of_table(statement: SelectStatement, reader: Reader<T>, table: &'static Table) -> Self {
        Self::of(Listing::Select(Box::new(statement)), reader, ListName::Model(table))
    }
}

#[cfg(feature = "_sea-orm")]
impl<T, C> Query<Rows<T>, C> {
    /// The same rows, read as another type.
    pub(crate) fn read_by<U>(self, reader: Reader<U>) -> Query<Rows<U>, C> {
        let Self { list, connection } = self;
        let list = list.map(|Rows { rows, .. }| Rows { rows, reader });
        Query { list: Box::new(list), connection }
    }

    /// Changes a select that was built with sea-query. SQL text cannot be changed, so its pages fail with `refusal`.
    pub(crate) fn change_statement(
        mut self,
        refusal: &str,
        change: impl FnOnce(SelectStatement) -> SelectStatement,
    ) -> Self {
        let listing = &mut self.list.rows.rows.listing;
        match listing {
            Listing::Select(statement) => **statement = change(statement.take()),
            Listing::Text(_) => *listing = Listing::Misused(refusal.to_owned()),
            Listing::Misused(_) => {}
        }
        self
    }
}

impl<T: Model> Query<Rows<T>> {
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
        Self::of(Listing::Select(Box::new(statement)), T::READER, ListName::Model(T::TABLE))
    }
}

impl<T: FromDatabaseRow> Query<Rows<T>> {
    /// Creates a select from SQL text, with parameters in the database's syntax: `$1` on PostgreSQL, `?` on MySQL and
    /// MariaDB, and `?` or `?1` on SQLite. [`bind`](Self::bind) sets their values.
    ///
    /// The text can be any query that returns rows, including joins, WITH, UNION and window functions, but without a
    /// semicolon, ORDER BY, LIMIT, OFFSET or a lock at its end. Column names have to be unique, ignoring case. The
    /// pages are sorted by [`order_by`](Self::order_by), which uses these columns. Before the first page of a text, one
    /// more statement looks up its column names.
    ///
    /// As in sqlx, only static text is accepted, because text that is built at run time may contain input from a
    /// client. If yours does not, wrap it in [`sqlx::AssertSqlSafe`].
    ///
    /// The guide's chapter [`selects`](crate::guide::selects) says for which texts a page costs the same at every
    /// depth.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64, String)>::sql("SELECT id, upper(title) AS title FROM posts WHERE author_id = ?")
    ///     .bind(7)
    ///     .order_by(Column::<i64>::new("id").desc());
    /// assert_eq!(posts.clone().paginate(1).await?.total, 2);
    /// assert_eq!(posts.cursor_paginate(1).await?.data, [(2, "A".to_owned())]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn sql(text: impl SqlSafeStr) -> Self {
        Self::of_text(text, None)
    }

    pub(super) fn of_text(text: impl SqlSafeStr, checked_for: Option<&'static str>) -> Self {
        let raw = RawSql { texts: vec![text.into_sql_str().as_str().into()], values: Vec::new(), checked_for };
        Self::of(Listing::Text(raw), T::READER, ListName::Name(String::new()))
    }
}

impl<T, C> Query<Rows<T>, C> {
    /// Sorts numbered and cursor pages by columns, instead of by the statement's ORDER BY. See
    /// [`Builder::order_by`](crate::Builder::order_by).
    ///
    /// A LIMIT or OFFSET of the statement applies first, in the statement's own order. End the order with columns that
    /// identify a row, because pages can overlap if rows tie. For a select of a [`model`](Self::model), folio appends
    /// the primary key.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let newest = Select::<(i64, String)>::from(select).order_by(Column::<i64>::new("id").desc());
    /// assert_eq!(newest.clone().paginate(2).await?.data[0].0, 3);
    /// assert_eq!(newest.cursor_paginate(2).await?.data[0].0, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn order_by(mut self, order: impl IntoOrder) -> Self {
        self.list.order = Some(order.terms());
        self
    }

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
        self.list.rows.rows.name = ListName::Name(name.to_owned());
        self
    }

    /// States that a row has the same values in the columns of the order on each page, although one of them has a
    /// function of the clock or a random one. Otherwise, pages in this order are refused. If a value does change, rows
    /// are lost or repeated.
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
        self.list.rows.rows.is_stable = true;
        self
    }

    /// Binds the next parameter of [`sql`](Self::sql): any owned value that sqlx can encode for every enabled database.
    ///
    /// Call it once for each parameter, in order; for numbered parameters, in the order of their numbers. If there are
    /// too few or too many values, or if the select was not created from SQL text, reading a page fails.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts WHERE author_id = ?1 OR title = ?2 AND author_id > ?1")
    ///     .bind(7)
    ///     .bind("a")
    ///     .order_by(Column::<i64>::new("id"));
    /// assert_eq!(posts.cursor_paginate(5).await?.data, [(1,), (2,), (3,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn bind(self, value: impl BindValue) -> Self {
        self.with_value(CallerValue::for_all(value))
    }

    /// Same as [`bind`](Self::bind), for a value that sqlx can only encode for one database, such as an array for
    /// PostgreSQL. Reading a page from another database fails.
    ///
    /// You only need it if several databases are enabled.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts WHERE title = ?")
    ///     .bind_for::<sqlx::Sqlite, _>("a")
    ///     .order_by(Column::<i64>::new("id"));
    /// assert_eq!(posts.cursor_paginate(5).await?.data, [(2,), (3,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn bind_for<D: BindFor<V>, V>(self, value: V) -> Self {
        self.with_value(D::caller_value(value))
    }

    /// Adds the rows of another text, like UNION ALL, but reads each page from the first rows of each text instead of
    /// from all rows.
    ///
    /// All texts need the same column names in the same order, which folio checks. They also need the same types and
    /// collations, which it does not check. The numbers of parameters continue from one text to the next.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select};
    ///
    /// let titles = Select::<(i64, String)>::sql("SELECT id, title FROM posts WHERE author_id = ?")
    ///     .bind(7)
    ///     .union_all("SELECT id + 100 AS id, title FROM posts WHERE author_id <> ?")
    ///     .bind(7)
    ///     .order_by(Column::<i64>::new("id").desc());
    /// let page = titles.cursor_paginate(2).await?;
    /// assert_eq!(page.data, [(103, "a".to_owned()), (2, "a".to_owned())]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn union_all(mut self, text: impl SqlSafeStr) -> Self {
        match &mut self.list.rows.rows.listing {
            Listing::Text(raw) => raw.texts.push(text.into_sql_str().as_str().into()),
            Listing::Select(_) | Listing::Misused(_) => self.list.rows.rows.listing = of_text_only("union_all"),
        }
        self
    }

    fn with_value(mut self, value: CallerValue) -> Self {
        match &mut self.list.rows.rows.listing {
            Listing::Text(raw) => raw.values.push(Arc::new(value)),
            Listing::Select(_) | Listing::Misused(_) => self.list.rows.rows.listing = of_text_only("bind"),
        }
        self
    }
}

/// A select that was built with sea-query, on which a method of SQL text was called.
fn of_text_only(method: &str) -> Listing {
    Listing::Misused(format!(
        "`{method}` is for SQL text, and this select was built with sea-query, which has values and UNION of its own: create \
         it with `Select::sql`, or leave `{method}` out"
    ))
}

impl SelectRows {
    /// The table whose primary key breaks ties.
    pub(super) fn model(&self) -> Option<&'static Table> {
        match self.name {
            ListName::Model(table) => Some(table),
            ListName::Name(_) => None,
        }
    }

    /// Compiles to an offset query.
    pub(super) fn numbered(
        self,
        dialect: Dialect,
        order: Option<Vec<Term>>,
        total: TotalSource,
    ) -> Result<OffsetSelect> {
        let model = self.model();
        let order = order.map(|terms| {
            let given = terms.len();
            (close_with_primary_key(model, terms), given)
        });
        let list = CallerList::new(CallerSelect::new(self.listing, self.is_stable, dialect)?, order, model)?;
        Ok(OffsetSelect { query: OffsetQuery::Caller(list), total })
    }

    /// Compiles to an offset query in no order.
    pub(super) fn unordered(self, dialect: Dialect, total: TotalSource) -> Result<OffsetSelect> {
        let select = CallerSelect::new(self.listing, self.is_stable, dialect)?;
        select.0.check_tail()?;
        Ok(OffsetSelect { query: OffsetQuery::Caller(CallerList::unordered(select)), total })
    }

    /// Compiles to a keyset query: in the given order, or else by the model's cursor key.
    pub(super) fn keyset(
        self,
        dialect: Dialect,
        order: Option<Vec<Term>>,
        binding: BindingOptions,
        counted: Option<TotalSource>,
    ) -> Result<KeysetSelect> {
        let model = self.model();
        let order = order.or_else(|| model.map(cursor_terms)).ok_or_else(|| {
            FrameworkError::internal(
                "a cursor page of a select needs an order: add `order_by` with columns that end in a unique one, such as \
                 `.order_by(Column::<i64>::new(\"id\"))`",
            )
        })?;
        let given = order.len();
        let (select, renderer) = CallerSelect::new(self.listing, self.is_stable, dialect)?;
        let terms = (close_with_primary_key(model, order), given);
        let (order, rows) = CallerRows::new(&select, renderer.clone(), &self.name, terms)?;
        let counted = counted.map(|total| {
            Box::new(OffsetSelect { query: OffsetQuery::Caller(CallerList::unordered((select, renderer))), total })
        });
        Ok(KeysetSelect { query: KeysetQuery { order, base: Base::Caller(Box::new(rows)), binding }, counted })
    }
}
