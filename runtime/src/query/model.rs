//! Queries over a model: what only they can say, and how they are compiled.
//!
//! What does not depend on a page is decided once for a list: its order here, the plan of its rows in
//! [`folio_plan::statement::filtered`], and the SQL text of a page in [`folio_plan::statement::template`].

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, mem, ptr};

use folio_plan::cache::BoundedCache;
use folio_plan::cursor::CursorBinding;
use folio_plan::custom::{row_value, volatile};
use folio_plan::dialect::Dialect;
use folio_plan::feed;
use folio_plan::keyset::{Base, BindingOptions, KeysetOrder, KeysetQuery, ModelBase};
use folio_plan::offset::{ModelList, OffsetQuery};
use folio_plan::order::{OrderColumn, check_mergeable};
use folio_plan::schema::column_check;
use folio_plan::schema::group::Groups;
use folio_plan::schema::table::{Columns, Direction, Table};
use folio_plan::schema::term::{Term, TermIdentity, check_terms, close_with_primary_key};
use folio_plan::statement::filtered::{Added, FilteredRows, Paging, RowsRequest};
use folio_plan::value;
use sea_query::{Expr, ExprTrait as _};

use super::description::{List, Query};
use super::settled::{Moment, Settled};
use crate::error::{FrameworkError, Result};
use crate::model::{Model, cursor_terms};
use crate::once::Once;
use crate::read::{KeysetSelect, OffsetSelect, TotalSource};
use crate::schema::column::Column;
use crate::schema::filter::{Filter, SameModel};
use crate::schema::group::{GroupColumns, GroupKey};
use crate::schema::order::OrderOf;
use crate::source::using::Pooled;
use crate::value::{CursorValue, operand};

/// The rows of a model: the source of a [`Builder`](crate::Builder).
///
/// `R` is the type of the rows, if it is another one than the model: see [`rows`](crate::Builder::rows) and
/// [`with`](crate::Builder::with).
pub struct Of<M, R = M> {
    pub(super) rows: TableRows,
    types: PhantomData<fn() -> (M, R)>,
}

impl<M, R> Of<M, R> {
    /// The rows as a type that reads what they select.
    pub(super) fn new(rows: TableRows) -> Self {
        Self { rows, types: PhantomData }
    }
}

impl<M, R> Clone for Of<M, R> {
    fn clone(&self) -> Self {
        Self::new(self.rows.clone())
    }
}

impl<M, R> fmt::Debug for Of<M, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TableRows { table, filters, orders, .. } = &self.rows;
        f.debug_struct("Of").field("table", &table.name).field("filters", filters).field("orders", orders).finish()
    }
}

/// The rows of a table that a model's query asks for.
#[derive(Clone)]
#[expect(unnameable_types, reason = "only the sealed trait names it")]
pub struct TableRows {
    pub(super) table: &'static Table,
    /// The columns that are selected.
    pub(super) columns: &'static Columns,
    /// What is selected after them: the computed fields of `rows`, and the expressions of `with`.
    pub(super) added: Vec<Added>,
    filters: Vec<Expr>,
    /// The parameters that values of the filters came from.
    request_parameters: Vec<String>,
    /// From `among`. The rows are in a group of each.
    pub(super) groups: Vec<Groups>,
    /// From `order_by_asc` and `order_by_desc`, for numbered pages.
    orders: Vec<(Expr, Direction)>,
    /// From `cursor_by`, for cursor pages.
    cursor_order: Option<Vec<Term>>,
    /// From `settled` and `settled_by_transaction`.
    pub(super) settled: Vec<Settled>,
}

impl<M: Model> Default for Query<Of<M>> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Model> Query<Of<M>> {
    /// Creates a query over all rows of the model, like `Post::query()` for a model `Post`, with the model's default
    /// filter if it has one.
    ///
    /// Use it in functions that are generic over the model. For a model with a tenant, a call does not compile: pass a
    /// query to the function, such as `Product::of(tenant)`.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = folio::Builder::<Post>::new().paginate(15).await?;
    /// assert_eq!(page.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn new() -> Self {
        const {
            assert!(
                M::TABLE.tenant.is_none(),
                "a query over this model needs a tenant: write `of(tenant)`, or `unfiltered()` for all rows"
            );
        }
        Self::__unfiltered().with_default_filter()
    }

    #[doc(hidden)]
    pub fn __unfiltered() -> Self {
        let table = M::TABLE;
        let rows = TableRows {
            table,
            columns: &table.columns,
            added: Vec::new(),
            filters: Vec::new(),
            request_parameters: Vec::new(),
            groups: Vec::new(),
            orders: Vec::new(),
            cursor_order: None,
            settled: Vec::new(),
        };
        let mut list = List::new(Of::new(rows));
        list.route.model = table.connection;
        Self { list: Box::new(list), connection: Pooled }
    }

    #[doc(hidden)]
    pub fn __of_tenant<T: CursorValue>(tenant: T) -> Self {
        let mut query = Self::__unfiltered().with_default_filter();
        let mut bytes = Vec::new();
        // Only NaN cannot be written. Its word is empty, which no other tenant's is.
        let _ = value::write(&tenant.clone().into_value(), &mut bytes);
        query.list.binding.tenant = Some(bytes);
        let columns = M::TABLE.tenant.map(|column| Column::<T, M>::__of(column).to_expr().eq(operand(tenant)));
        query.list.rows.rows.filters.extend(columns);
        query
    }

    fn with_default_filter(mut self) -> Self {
        // In parentheses, as in `filter`.
        let condition = M::TABLE.filter.map(|condition| Expr::tuple([Expr::cust(condition)]));
        self.list.rows.rows.filters.extend(condition);
        self
    }
}

impl<M: Model, R, C> Query<Of<M, R>, C> {
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
    /// For filters that the client chooses, see [`Filters`](crate::Filters).
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
        self.list.rows.rows.request_parameters.extend(condition.request_parameters());
        let condition = condition.into_expr();
        // A condition that is always true, such as `RequestedFilters` without a filter, adds nothing to the statement.
        if condition != Expr::Constant(true.into()) {
            // A tuple with one element puts the condition in parentheses, so that an OR inside it stays inside.
            self.list.rows.rows.filters.push(Expr::tuple([condition]));
        }
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

    /// Restricts the list to the rows of these groups: a *feed*, such as the newest posts of all authors that a reader
    /// follows. A group consists of the rows with one value in a column, or with a tuple of values in several columns.
    ///
    /// The rows are the same as with an `IN` filter. But for `IN`, PostgreSQL, MySQL and MariaDB read and sort all rows
    /// of all groups, while a cursor page of a feed reads at most about a page of each group. This needs an index that
    /// begins with the column, followed by the columns of the order, such as `(author_id, created_at, id)`. Without
    /// such an index, and for numbered pages, the statement filters by `IN`.
    ///
    /// Repeated values count once, and NULL matches no row. Without values, the list is empty. With a second `among`, a
    /// row has to be in a group of both.
    ///
    /// A cursor is not bound to the values: if a reader follows another author between two pages, the next page
    /// continues at the same position and includes the new author's rows from there on. With
    /// [`bind_filters`](Self::bind_filters), it is bound to them, in any order.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let followed = [7, 9];
    /// let page = Post::query().among(Post::AUTHOR_ID, followed).cursor_paginate(15).await?;
    /// assert_eq!(ids(&page.data), [1, 2]);
    ///
    /// // Groups of two columns:
    /// let groups = [(7, "a".to_owned()), (8, "a".to_owned())];
    /// let page = Post::query().among((Post::AUTHOR_ID, Post::TITLE), groups).cursor_paginate(15).await?;
    /// assert_eq!(ids(&page.data), [2, 3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Number of values
    ///
    /// Integers are bound as one list on every database, and UUIDs on PostgreSQL, so there can be any number of them.
    /// Values of other types are separate parameters, of which a statement can have up to 65,535, or 32,766 on SQLite.
    /// PostgreSQL compares each text in the type of its column, such as `citext`. A feed of more than 128 texts is read
    /// with an `IN` filter there.
    ///
    /// On MySQL, a page after a cursor takes two or three statements for 8 to 128 integers or UUIDs, and one more for
    /// each further 128. On MariaDB, any cursor page takes two for more than 32 of them. The statements need no common
    /// snapshot, but rows that are added while a page is read, or whose group changes, may be missing from it.
    ///
    /// # Errors
    /// Each page can fail like a page of any other query.
    pub fn among<V, K: GroupColumns<M, V>>(self, columns: K, values: impl IntoIterator<Item = V>) -> Self {
        self.among_groups(GroupKey::new(columns).groups(values).distinct())
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
        self.list.order = Some(close_with_primary_key(Some(M::TABLE), order.terms()));
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
        self.list.rows.rows.orders.push((column.into(), Direction::Asc));
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
        self.list.rows.rows.orders.push((column.into(), Direction::Desc));
        self
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
        self.list.rows.rows.cursor_order = Some(close_with_primary_key(Some(M::TABLE), order.terms()));
        self
    }

    /// Restricts the list to rows whose moment in `column` is older than `lag`, by the database's clock: for a job that
    /// reads on from a position in a list by `created_at`.
    ///
    /// A transaction may write a row, and commit it after a later row of another transaction. A job that has read the
    /// later one has passed the place of the first, and never sees it. Choose a lag that is longer than any transaction
    /// that writes such rows. Then the job reads a row only when no earlier row can still appear. Rows with NULL in the
    /// column do not match.
    ///
    /// The lag is bound as a parameter. The database computes the moment as PostgreSQL's `now()`, MySQL's `NOW(6)` and
    /// SQLite's `'now'` do: on PostgreSQL, it is the beginning of the transaction that the page is read in. On MySQL and
    /// MariaDB, read the page outside of a transaction, whose snapshot may be older than its clock. Where the column is
    /// set by the clocks of several hosts, add their difference to the lag. A column without a time zone is compared in
    /// the session's time zone, which sqlx sets to UTC; on SQLite, its texts are read as UTC.
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # #[paginate(cursor_key = "created_at")]
    /// # struct Event { id: i64, created_at: chrono::DateTime<chrono::Utc> }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::raw_sql("CREATE TABLE events (id INTEGER PRIMARY KEY, created_at TEXT NOT NULL);
    /// #     INSERT INTO events VALUES (1, datetime('now', '-10 seconds')), (2, datetime('now', '+1 hour'))").execute(&pool).await?;
    /// # folio::Folio::new(pool).keyring(folio::Keyring::new(folio::Key::generate())).scope(async {
    /// use std::time::Duration;
    ///
    /// // Event 1 is ten seconds old, event 2 is new.
    /// let settled = Event::query().settled(Event::CREATED_AT, Duration::from_secs(5));
    /// let page = settled.with_positions().cursor_paginate(100).await?;
    /// assert_eq!(page.data.iter().map(|event| event.id).collect::<Vec<_>>(), [1]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// A column of another type does not compile:
    ///
    /// ```compile_fail,E0277
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64, title: String }
    /// let settled = Post::query().settled(Post::TITLE, std::time::Duration::from_secs(5));
    /// ```
    ///
    /// # Errors
    /// Each page fails with [`Internal`](crate::FrameworkError::Internal) for a lag of more than 366 days.
    pub fn settled<T: Moment, N: SameModel<M>>(mut self, column: Column<T, N>, lag: Duration) -> Self {
        let settled = Settled::Before { column: column.to_expr(), has_zone: T::HAS_ZONE, lag };
        self.list.rows.rows.settled.push(settled);
        self
    }

    /// Restricts the list to rows of transactions that are older than every transaction in progress, on PostgreSQL: the
    /// same as [`settled`](Self::settled), but without a lag to choose, and right however long a transaction takes.
    ///
    /// `column` is a column of type `xid8` that each writer sets to `pg_current_xact_id()`, for example by the column's
    /// default. The model does not need a field for it. The list has to be sorted by it first, because transactions do
    /// not end in the order of any other column. Create an index on the order's expression, such as
    /// `((xact::text::bigint), id)`.
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Event { id: i64 }
    /// use folio::{Builder, Column, sea_query::Expr};
    ///
    /// /// The events in the order of their transactions.
    /// fn events() -> Builder<Event> {
    ///     let transaction = Column::<i64>::expr("xact", Expr::cust("xact::text::bigint")).not_null();
    ///     Event::query().order_by((transaction.asc(), Event::ID)).settled_by_transaction(Column::<i64>::new("xact"))
    /// }
    /// # // Only PostgreSQL has such columns.
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # let folio = folio::Folio::new(pool).keyring(folio::Keyring::new(folio::Key::generate()));
    /// # let error = folio.scope(events().cursor_paginate(9)).await.unwrap_err();
    /// # assert!(error.to_string().contains("PostgreSQL"), "{error}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Each page fails with [`Internal`](crate::FrameworkError::Internal) on other databases, and each cursor page if
    /// the list is not sorted by the column first.
    pub fn settled_by_transaction<T, N: SameModel<M>>(mut self, column: Column<T, N>) -> Self {
        self.list.rows.rows.settled.push(Settled::ByTransaction { column: column.to_expr(), name: column.name() });
        self
    }
}

impl<M, R, C> Query<Of<M, R>, C> {
    /// Restricts the list to the rows of these groups.
    pub(crate) fn among_groups(mut self, groups: Groups) -> Self {
        self.list.rows.rows.groups.push(groups);
        self
    }
}

impl<M, R> List<Of<M, R>> {
    /// Rejects an order other than the model's own, because `method` takes a key of the model. `instead` says what to
    /// write.
    pub(super) fn check_order_of_key(&self, method: &str, instead: &str) -> Result<()> {
        let TableRows { table, cursor_order, .. } = &self.rows.rows;
        let Some(order) = cursor_order.as_ref().or(self.order.as_ref()) else { return Ok(()) };
        let binding = |terms: &[Term]| CursorBinding::of_model(table, terms);
        if binding(order).is_same(&binding(&cursor_terms(table))) {
            return Ok(());
        }
        Err(FrameworkError::internal(format!(
            "`{method}` takes a key of the model, but the list has another order: {instead}"
        )))
    }
}

impl TableRows {
    /// Rejects filters and orders by columns of other tables, and orders that sort nothing or are given twice.
    pub(super) fn check(&self, order: Option<&[Term]>) -> Result<()> {
        let orders = || self.orders.iter().map(|(expr, _)| expr);
        if orders().any(|expr| matches!(expr, Expr::Value(_))) {
            return Err(FrameworkError::internal(
                "an order by a value sorts nothing: write the column itself, such as `Post::TITLE`",
            ));
        }
        if order.is_some() && !self.orders.is_empty() {
            return Err(FrameworkError::internal(
                "`order_by` cannot be combined with `order_by_asc` or `order_by_desc`: name all columns in one \
                 `order_by`, such as `.order_by((Post::SCORE.desc(), Post::TITLE))`",
            ));
        }
        let exprs = self.filters.iter().chain(self.groups.iter().flat_map(|groups| &groups.columns));
        let exprs =
            exprs.chain(self.settled.iter().map(Settled::column)).chain(self.added.iter().map(|added| &added.expr));
        exprs.chain(orders()).try_for_each(|expr| column_check::check(self.table, expr))?;
        self.terms(order).try_for_each(Term::check)?;
        order.into_iter().chain(self.cursor_order.as_deref()).try_for_each(check_terms)?;
        Ok(self.terms(order).try_for_each(|term| column_check::check(self.table, &term.expr()))?)
    }

    /// The terms of `order_by` and `cursor_by`.
    fn terms<'a>(&'a self, order: Option<&'a [Term]>) -> impl Iterator<Item = &'a Term> {
        order.into_iter().chain(self.cursor_order.as_deref()).flatten()
    }

    /// Rejects an order by a function of the clock or a random one.
    fn check_stable(&self, dialect: Dialect, order: Option<&[Term]>) -> Result<()> {
        volatile::check_terms(dialect, self.terms(order))?;
        Ok(self.orders.iter().try_for_each(|(expr, _)| volatile::check(dialect, "an expression", expr))?)
    }

    /// The rows that match the filters, are settled, and belong to the groups, in this order of their statements.
    ///
    /// `complete` is only called if no page of the list has been read before: it rejects an invalid list, and adds what
    /// the rows lack of the order.
    fn filtered(
        &mut self,
        dialect: Dialect,
        order: &[OrderColumn],
        paging: Paging,
        complete: impl FnOnce(&mut RowsRequest<'_>) -> Result<()>,
    ) -> Result<FilteredRows> {
        let mut filters = mem::take(&mut self.filters);
        for settled in mem::take(&mut self.settled) {
            filters.push(Expr::tuple([settled.condition(dialect)?]));
        }
        filters.iter_mut().for_each(|filter| dialect.convert_filter(filter, self.table));
        self.groups.iter().try_for_each(|groups| feed::check_mergeable(dialect, groups))?;
        let groups = self.groups.drain(..).map(|groups| dialect.convert_groups(groups, self.table));
        let request = RowsRequest {
            dialect,
            table: self.table,
            columns: self.columns,
            added: mem::take(&mut self.added),
            filters,
            conditions: groups.map(|groups| feed::filter(&groups, dialect)).collect(),
            orders: order,
        };
        let mut rows = FilteredRows::of_list(request, paging, |request| {
            request.added.iter().try_for_each(|added| row_value::check(dialect, &added.expr))?;
            complete(request)
        })?;
        rows.request_parameters = mem::take(&mut self.request_parameters);
        Ok(rows)
    }

    /// Compiles to an offset query, sorted by `order`, or else by `order_by_asc` and its siblings.
    pub(super) fn numbered(
        mut self,
        dialect: Dialect,
        order: Option<Vec<Term>>,
        total: TotalSource,
    ) -> Result<OffsetSelect> {
        self.check_stable(dialect, order.as_deref())?;
        let orders: Vec<OrderColumn> = match order {
            Some(terms) => terms.iter().enumerate().map(|(at, term)| OrderColumn::of_table(at, term)).collect(),
            None => mem::take(&mut self.orders).into_iter().map(|(expr, by)| OrderColumn::by(expr, by)).collect(),
        };
        check_mergeable(dialect, &orders)?;
        // A proxy sorts by the columns of the result.
        let is_plain = dialect.facts().is_plain;
        let rows = self.filtered(dialect, &orders, Paging::Numbered, |request| {
            let is_whole = ptr::eq(request.columns, &raw const request.table.columns);
            if is_whole && !is_plain {
                return Ok(());
            }
            let key = |column| OrderColumn::of_table(0, &Term::of_table(request.table, column));
            let key: Vec<OrderColumn> = request.table.primary_key().map(key).collect();
            let named = orders.iter().filter(|order| is_plain || order.is_column());
            add_missing(request, named.chain(&key))
        })?;
        Ok(OffsetSelect { query: OffsetQuery::Model(Box::new(ModelList::new(rows, orders))), total })
    }

    /// Compiles to an offset query in no order.
    pub(super) fn unordered(self, dialect: Dialect, total: TotalSource) -> Result<OffsetSelect> {
        let list = ModelList::new(self.all(dialect)?, Vec::new());
        Ok(OffsetSelect { query: OffsetQuery::Model(Box::new(list)), total })
    }

    /// Compiles to the rows that match, in no order.
    pub(super) fn all(mut self, dialect: Dialect) -> Result<FilteredRows> {
        self.filtered(dialect, &[], Paging::Unordered, |_| Ok(()))
    }

    /// Restricts the rows to that with these values in the primary key.
    pub(super) fn with_primary_key(mut self, key: Vec<Expr>) -> Self {
        let table = self.table;
        let equal = table.primary_key().zip(key).map(|(key, value)| Term::of_table(table, key).expr().eq(value));
        self.filters.extend(equal.map(|equal| Expr::tuple([equal])));
        self
    }

    /// Whether the rows are in the order of numbered pages.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if cursor pages have another order than numbered ones, so that there are two first
    /// rows.
    pub(super) fn has_numbered_order(&self, order: Option<&[Term]>) -> Result<bool> {
        if self.cursor_order.is_some() && (order.is_some() || !self.orders.is_empty()) {
            return Err(FrameworkError::internal(
                "`first` needs one order, and `cursor_by` sets another one for cursor pages: write one `order_by` for both",
            ));
        }
        Ok(!self.orders.is_empty())
    }

    /// Compiles to a keyset query, of a feed if there are groups. It is in the order of `cursor_by`, or else of
    /// `order_by`, or else of the model's cursor key.
    pub(super) fn keyset(
        mut self,
        dialect: Dialect,
        order: Option<Vec<Term>>,
        binding: BindingOptions,
        counted: Option<TotalSource>,
        feed: Option<Groups>,
    ) -> Result<KeysetSelect> {
        if !self.orders.is_empty() {
            self.check(order.as_deref())?;
            self.check_stable(dialect, order.as_deref())?;
            if self.cursor_order.is_none() {
                warn_replaced_order(self.table);
            }
        }
        let order = keyset_order(dialect, self.table, self.cursor_order.take().or(order))?;
        self.settled.iter().try_for_each(|settled| settled.check_order(dialect, self.table, &order.terms))?;
        feed.iter().try_for_each(|groups| feed::check_mergeable(dialect, groups))?;
        feed.iter().try_for_each(|groups| self.check_groups(groups))?;
        let feed = feed.map(|groups| dialect.convert_groups(groups, self.table));
        let rows = self.filtered(dialect, &order.expressions, Paging::Keyset(order.id), |request| {
            let conditions = request.conditions.iter().map(|(expr, _)| expr);
            let mut exprs =
                request.filters.iter().chain(conditions).chain(request.added.iter().map(|added| &added.expr));
            exprs.try_for_each(|expr| column_check::check(request.table, expr))?;
            add_missing(request, &order.sorts)
        })?;
        let base = ModelBase::new(rows, feed);
        let counted = counted.map(|total| {
            let list = ModelList::new(base.filtered().clone(), Vec::new());
            Box::new(OffsetSelect { query: OffsetQuery::Model(Box::new(list)), total })
        });
        Ok(KeysetSelect { query: KeysetQuery { order, base: Base::Model(Box::new(base)), binding }, counted })
    }

    /// Rejects an `each_of` over columns of another table.
    pub(super) fn check_groups(&self, groups: &Groups) -> Result<()> {
        let columns = match &groups.link {
            Some(link) => link.of_rows().collect(),
            None => groups.columns.clone(),
        };
        Ok(columns.iter().try_for_each(|expr| column_check::check(self.table, expr))?)
    }
}

/// Adds what an order sorts by and the rows lack, so that a page has to select it too.
///
/// # Errors
/// [`FrameworkError::Internal`] for a column with the name of a computed field: the rows have only the field.
fn add_missing<'a>(request: &mut RowsRequest<'_>, order: impl IntoIterator<Item = &'a OrderColumn>) -> Result<()> {
    let mut missing: Vec<Added> = Vec::new();
    for column in order {
        if request.added.iter().any(|computed| computed.name == column.output) {
            return Err(FrameworkError::internal(format!(
                "the order has `{0}`, which is also the name of a computed field of the rows: rename the field, or order \
                 by its expression, such as `Column::expr(\"{0}\", …)`",
                column.output
            )));
        }
        let is_selected = !column.is_computed && request.columns.has(&column.output);
        if !is_selected && missing.iter().all(|added| added.name != column.output) {
            missing.push(column.into());
        }
    }
    request.added.extend(missing);
    Ok(())
}

/// A table and the terms of an order of it; `None` for the model's own order.
type OrderKey = (Dialect, usize, Option<Vec<TermIdentity>>);

static ORDERS: BoundedCache<OrderKey, KeysetOrder> = BoundedCache::new();

/// The order of a cursor page, from the cache unless it has an expression, which may contain values of the caller's.
fn keyset_order(dialect: Dialect, table: &'static Table, terms: Option<Vec<Term>>) -> Result<Arc<KeysetOrder>> {
    let identities = terms.as_ref().map(|terms| terms.iter().map(Term::identity).collect::<Option<Vec<_>>>());
    let new = || KeysetOrder::of_model(dialect, table, terms.unwrap_or_else(|| cursor_terms(table)));
    let address = ptr::from_ref(table).addr();
    let key = match identities {
        Some(None) => return Ok(Arc::new(new()?)),
        Some(identities) => (dialect, address, identities),
        None => (dialect, address, None),
    };
    if let Some(order) = ORDERS.find(&key) {
        return Ok(order);
    }
    let order = new()?;
    let size = order.size();
    Ok(ORDERS.insert(key, order, size))
}

/// Warns, once for each model, that a cursor page ignores the order of numbered pages.
fn warn_replaced_order(table: &'static Table) {
    static WARNED: Once = Once::new();
    if WARNED.is_first(Some(table)) {
        tracing::warn!(
            target: "folio",
            "a cursor page of `{}` ignores `order_by_asc` and `order_by_desc`: use `order_by`, which sorts numbered and \
             cursor pages alike, or `cursor_by`",
            table.name
        );
    }
}
