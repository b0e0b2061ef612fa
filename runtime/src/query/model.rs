//! Queries over a model: what only they can say, and how they are compiled.
//!
//! The parts of a statement that do not depend on a page are cached: the keyset query of each model and order here, the
//! SQL text of a page in [`crate::statement::template`].

use std::marker::PhantomData;
use std::sync::Arc;
use std::{fmt, mem, ptr};

use sea_query::Expr;

use super::description::{List, Query};
use crate::cache::BoundedCache;
use crate::cursor::CursorBinding;
use crate::custom::volatile;
use crate::dialect::Dialect;
use crate::error::{FrameworkError, Result};
use crate::feed;
use crate::keyset::{Base, BindingOptions, KeysetOrder, KeysetQuery, ModelBase};
use crate::model::{Model, cursor_terms};
use crate::offset::{ModelList, OffsetQuery};
use crate::once::Once;
use crate::order::OrderColumn;
use crate::read::{KeysetSelect, OffsetSelect, TotalSource};
use crate::schema::column_check;
use crate::schema::filter::Filter;
use crate::schema::group::{GroupColumns, Groups};
use crate::schema::order::OrderOf;
use crate::schema::table::{Direction, Table};
use crate::schema::term::{Term, TermIdentity, check_names, close_with_primary_key};
use crate::source::using::Pooled;
use crate::statement::filtered::FilteredRows;

/// The rows of a model: the source of a [`Builder`](crate::Builder).
pub struct Of<M> {
    pub(super) rows: TableRows,
    model: PhantomData<fn() -> M>,
}

impl<M> Clone for Of<M> {
    fn clone(&self) -> Self {
        Self { rows: self.rows.clone(), model: PhantomData }
    }
}

impl<M> fmt::Debug for Of<M> {
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
    filters: Vec<Expr>,
    /// From `among`. The rows are in a group of each.
    pub(super) groups: Vec<Groups>,
    /// From `order_by_asc` and `order_by_desc`, for numbered pages.
    orders: Vec<(Expr, Direction)>,
    /// From `cursor_by`, for cursor pages.
    cursor_order: Option<Vec<Term>>,
}

impl<M: Model> Default for Query<Of<M>> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Model> Query<Of<M>> {
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
        let rows = TableRows { table: M::TABLE, filters: vec![], groups: vec![], orders: vec![], cursor_order: None };
        let mut list = List::new(Of { rows, model: PhantomData });
        list.route.model = M::TABLE.connection;
        Self { list: Box::new(list), connection: Pooled }
    }
}

impl<M: Model, C> Query<Of<M>, C> {
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
        self.list.rows.rows.filters.push(Expr::tuple([condition.into_expr()]));
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
    /// A cursor is not bound to the values: if a reader follows another author between two pages, the next page continues
    /// at the same position and includes the new author's rows from there on. With
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
    /// On MySQL, a page after a cursor takes two or three statements for 8 to 128 integers or UUIDs, and one more for each
    /// further 128. On MariaDB, any cursor page takes two for more than 32 of them. The statements need no common snapshot,
    /// but rows that are added while a page is read, or whose group changes, may be missing from it.
    ///
    /// # Errors
    /// Each page can fail like a page of any other query.
    pub fn among<V, K: GroupColumns<M, V>>(self, columns: K, values: impl IntoIterator<Item = V>) -> Self {
        self.among_groups(Groups::new(columns, values))
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
}

impl<M, C> Query<Of<M>, C> {
    /// Restricts the list to the rows of these groups.
    pub(crate) fn among_groups(mut self, groups: Groups) -> Self {
        self.list.rows.rows.groups.push(groups);
        self
    }
}

impl<M> List<Of<M>> {
    /// Rejects another order than that of the model's key.
    pub(super) fn check_order_of_key(&self) -> Result<()> {
        let TableRows { table, cursor_order, .. } = &self.rows.rows;
        let Some(order) = cursor_order.as_ref().or(self.order.as_ref()) else { return Ok(()) };
        let binding = |terms: &[Term]| CursorBinding::of_model(table, terms);
        if binding(order).is_same(&binding(&cursor_terms(table))) {
            return Ok(());
        }
        Err(FrameworkError::internal(
            "`around` takes a key of the model, but the list has another order: pass a cursor of this list to \
             `around_cursor`",
        ))
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
        exprs.chain(orders()).try_for_each(|expr| column_check::check(self.table, expr))?;
        self.terms(order).try_for_each(Term::check)?;
        order.into_iter().chain(self.cursor_order.as_deref()).try_for_each(check_names)?;
        self.terms(order).try_for_each(|term| column_check::check(self.table, &term.expr()))
    }

    /// The terms of `order_by` and `cursor_by`.
    fn terms<'a>(&'a self, order: Option<&'a [Term]>) -> impl Iterator<Item = &'a Term> {
        order.into_iter().chain(self.cursor_order.as_deref()).flatten()
    }

    /// Rejects an order by a function of the clock or a random one.
    fn check_stable(&self, dialect: Dialect, order: Option<&[Term]>) -> Result<()> {
        volatile::check_terms(dialect, self.terms(order))?;
        self.orders.iter().try_for_each(|(expr, _)| volatile::check(dialect, "an expression", expr))
    }

    /// The rows that match the filters and belong to the groups. `order` is that of their statements.
    fn filtered(&mut self, dialect: Dialect, order: &[OrderColumn]) -> FilteredRows {
        let mut filters = mem::take(&mut self.filters);
        filters.iter_mut().for_each(|filter| dialect.convert_filter(filter, self.table));
        let groups = self.groups.drain(..).map(|groups| dialect.convert_groups(groups, self.table));
        let groups = groups.map(|groups| feed::filter(&groups, dialect)).collect();
        FilteredRows::new(dialect, self.table, filters, groups, order)
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
        let rows = self.filtered(dialect, &orders);
        Ok(OffsetSelect { query: OffsetQuery::Model(ModelList { rows, orders }), total })
    }

    /// Compiles to a keyset query. The last of the groups of several values is read as a feed.
    pub(super) fn keyset(
        mut self,
        dialect: Dialect,
        order: Option<Vec<Term>>,
        binding: BindingOptions,
        counted: Option<TotalSource>,
    ) -> Result<KeysetSelect> {
        let groups = self.groups.pop_if(|groups| groups.len() > 1);
        self.grouped(dialect, order, binding, counted, groups)
    }

    /// Compiles to a keyset query over these groups, in the order of `cursor_by`, or else of `order_by`, or else of the
    /// model's cursor key.
    pub(super) fn grouped(
        mut self,
        dialect: Dialect,
        order: Option<Vec<Term>>,
        binding: BindingOptions,
        counted: Option<TotalSource>,
        groups: Option<Groups>,
    ) -> Result<KeysetSelect> {
        self.check_stable(dialect, order.as_deref())?;
        if self.cursor_order.is_none() && !self.orders.is_empty() {
            warn_replaced_order(self.table);
        }
        let order = keyset_order(self.table, self.cursor_order.take().or(order));
        let expressions: Vec<OrderColumn> = order.expressions().cloned().collect();
        let groups = groups.map(|groups| dialect.convert_groups(groups, self.table));
        let rows = self.filtered(dialect, &expressions);
        let base = ModelBase::new(rows.selecting(expressions), groups);
        let counted = counted.map(|total| {
            let list = ModelList { rows: base.filtered().clone(), orders: Vec::new() };
            Box::new(OffsetSelect { query: OffsetQuery::Model(list), total })
        });
        Ok(KeysetSelect { query: KeysetQuery { order, base: Base::Model(Box::new(base)), binding }, counted })
    }

    /// Rejects an `each_of` over columns of another table.
    pub(super) fn check_groups(&self, groups: &Groups) -> Result<()> {
        groups.columns.iter().try_for_each(|expr| column_check::check(self.table, expr))
    }
}

/// A table and the terms of an order of it; `None` for the model's own order.
type OrderKey = (usize, Option<Vec<TermIdentity>>);

static ORDERS: BoundedCache<OrderKey, KeysetOrder> = BoundedCache::new();

/// The order of a cursor page, from the cache unless it has an expression, which may contain values of the caller's.
fn keyset_order(table: &'static Table, terms: Option<Vec<Term>>) -> Arc<KeysetOrder> {
    let identities = terms.as_ref().map(|terms| terms.iter().map(Term::identity).collect::<Option<Vec<_>>>());
    let new = || KeysetOrder::of_model(table, terms.unwrap_or_else(|| cursor_terms(table)));
    let key = match identities {
        Some(None) => return Arc::new(new()),
        Some(identities) => (ptr::from_ref(table).addr(), identities),
        None => (ptr::from_ref(table).addr(), None),
    };
    ORDERS.get(key, || {
        let order = new();
        let size = order.size();
        (order, size)
    })
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
