//! Compiles a model's query into the offset and keyset queries that [`crate::read`] runs.
//!
//! The parts of a statement that do not depend on a page are cached: the keyset query of each model and order here, the
//! SQL text of a page in [`crate::statement::template`].

use std::sync::Arc;
use std::{mem, ptr};

use sea_query::Expr;

use super::ModelQuery;
use crate::cache::BoundedCache;
use crate::custom::volatile;
use crate::dialect::Dialect;
use crate::error::{FrameworkError, Result};
use crate::feed;
use crate::keyset::{Base, KeysetOrder, KeysetQuery, ModelBase};
use crate::model::cursor_terms;
use crate::offset::{ModelList, OffsetQuery};
use crate::once::Once;
use crate::order::OrderColumn;
use crate::read;
use crate::schema::column_check;
use crate::schema::group::Groups;
use crate::schema::table::Table;
use crate::schema::term::{Term, TermIdentity, check_names};
use crate::select::{KeysetSelect, OffsetSelect};
use crate::source::route::Source;
use crate::statement::filtered::FilteredRows;

impl ModelQuery {
    /// Rejects columns of other tables, and invalid orders.
    pub(super) fn check_columns(&self) -> Result<()> {
        self.check_orders()?;
        let exprs = self.filters.iter().chain(self.groups.iter().flat_map(|groups| &groups.columns));
        exprs.chain(self.order_exprs()).try_for_each(|expr| column_check::check(self.table, expr))?;
        self.check_terms()
    }

    /// Rejects terms that are not valid, or have columns of other tables.
    fn check_terms(&self) -> Result<()> {
        let terms = || self.order.iter().chain(&self.cursor_terms).flatten();
        terms().try_for_each(Term::check)?;
        self.order.iter().chain(&self.cursor_terms).try_for_each(|terms| check_names(terms))?;
        terms().map(Term::expr).try_for_each(|expr| column_check::check(self.table, &expr))
    }

    /// Rejects an order by a value that changes between pages.
    pub(super) fn check_stable(&self, dialect: Dialect) -> Result<()> {
        volatile::check_terms(dialect, self.order.iter().chain(&self.cursor_terms).flatten())?;
        self.order_exprs().try_for_each(|expr| volatile::check(dialect, "an expression", expr))
    }

    /// Rejects an order that sorts nothing, or would be ignored.
    fn check_orders(&self) -> Result<()> {
        if self.order_exprs().any(|expr| matches!(expr, Expr::Value(_))) {
            return Err(FrameworkError::internal(
                "an order by a value sorts nothing: write the column itself, such as `Post::TITLE`",
            ));
        }
        if self.order.is_some() && !self.orders.is_empty() {
            return Err(FrameworkError::internal(
                "`order_by` cannot be combined with `order_by_asc` or `order_by_desc`: name all columns in one \
                 `order_by`, such as `.order_by((Post::SCORE.desc(), Post::TITLE))`",
            ));
        }
        Ok(())
    }

    /// The expressions of `order_by_asc` and `order_by_desc`.
    fn order_exprs(&self) -> impl Iterator<Item = &Expr> {
        self.orders.iter().map(|(expr, _)| expr)
    }

    /// The rows that match the filters, without the groups of a feed. `orders` is the order of their statements.
    fn rows(&mut self, dialect: Dialect, orders: &[OrderColumn]) -> FilteredRows {
        let mut filters = mem::take(&mut self.filters);
        filters.iter_mut().for_each(|filter| dialect.convert_filter(filter, self.table));
        let groups = self.groups.drain(..).map(|groups| dialect.convert_groups(groups, self.table));
        let groups = groups.map(|groups| feed::filter(&groups, dialect)).collect();
        FilteredRows::new(dialect, self.table, filters, groups, orders)
    }

    /// Rejects settings that a page of each group cannot have: a position, a total that is not counted, and columns of
    /// other tables.
    pub(super) fn check_each_of(&self, groups: &Groups) -> Result<()> {
        self.position.refuse_beside_groups()?;
        read::check_total(self.total)?;
        self.check_columns()?;
        groups.columns.iter().try_for_each(|expr| column_check::check(self.table, expr))
    }

    /// Takes the order of numbered pages.
    fn take_orders(&mut self) -> Vec<OrderColumn> {
        match self.order.take() {
            Some(terms) => columns_of(&terms),
            None => mem::take(&mut self.orders).into_iter().map(|(expr, by)| OrderColumn::by(expr, by)).collect(),
        }
    }

    /// Compiles to an offset query.
    pub(super) fn offset_query(mut self, source: &Source<'_>) -> OffsetSelect {
        let orders = self.take_orders();
        let rows = self.rows(source.dialect(), &orders);
        let query = OffsetQuery::Model(ModelList { rows, orders });
        OffsetSelect { query, total: self.total }
    }

    /// Compiles to a keyset query.
    pub(super) fn keyset_query(mut self, source: &Source<'_>) -> KeysetSelect {
        let groups = self.groups.pop_if(|groups| groups.len() > 1);
        self.grouped(source, groups)
    }

    /// Compiles to a keyset query of each group.
    pub(super) fn of_each(self, source: &Source<'_>, groups: Groups) -> KeysetSelect {
        self.grouped(source, Some(groups))
    }

    fn grouped(mut self, source: &Source<'_>, groups: Option<Groups>) -> KeysetSelect {
        let order = keyset_order(self.table, self.take_cursor_terms());
        let expressions: Vec<OrderColumn> = order.expressions().cloned().collect();
        let groups = groups.map(|groups| source.dialect().convert_groups(groups, self.table));
        let rows = self.rows(source.dialect(), &expressions);
        let base = ModelBase::new(rows.selecting(expressions), groups);
        let counted = self.is_counted.then(|| Box::new(self.counted(base.filtered())));
        let query = KeysetQuery { order, base: Base::Model(Box::new(base)), binding: self.binding };
        KeysetSelect { query, counted }
    }

    /// Takes the order of cursor pages; `None` for the model's own.
    fn take_cursor_terms(&mut self) -> Option<Vec<Term>> {
        if self.cursor_terms.is_none() && !self.orders.is_empty() {
            warn_replaced_order(self.table);
        }
        self.cursor_terms.take().or(self.order.take())
    }

    /// The list whose rows are counted for the total of a cursor page.
    fn counted(&self, rows: &FilteredRows) -> OffsetSelect {
        let list = ModelList { rows: rows.clone(), orders: Vec::new() };
        OffsetSelect { query: OffsetQuery::Model(list), total: self.total }
    }
}

/// The columns of an order.
fn columns_of(terms: &[Term]) -> Vec<OrderColumn> {
    terms.iter().enumerate().map(|(at, term)| OrderColumn::of_table(at, term)).collect()
}

/// A table, and an order of its rows; `None` for the model's own.
type OrderKey = (usize, Option<Vec<TermIdentity>>);

/// The parts of keyset queries that do not depend on a page, by table and order.
static ORDERS: BoundedCache<OrderKey, KeysetOrder> = BoundedCache::new();

/// The order by these terms, or the model's own.
fn keyset_order(table: &'static Table, terms: Option<Vec<Term>>) -> Arc<KeysetOrder> {
    match cache_key(table, terms.as_deref()) {
        Some(key) => ORDERS.get(key, || with_size(new_order(table, terms))),
        None => Arc::new(new_order(table, terms)),
    }
}

fn new_order(table: &'static Table, terms: Option<Vec<Term>>) -> KeysetOrder {
    KeysetOrder::of_model(table, terms.unwrap_or_else(|| cursor_terms(table)))
}

/// An order and its size in the cache.
fn with_size(order: KeysetOrder) -> (KeysetOrder, usize) {
    let size = order.size();
    (order, size)
}

/// The cache key of an order. An order by an expression may contain the caller's values, so it is not cached.
fn cache_key(table: &'static Table, terms: Option<&[Term]>) -> Option<OrderKey> {
    let by = match terms {
        Some(terms) => Some(terms.iter().map(Term::identity).collect::<Option<_>>()?),
        None => None,
    };
    Some((ptr::from_ref(table).addr(), by))
}

/// Warns, once for each model, that a cursor page is not sorted by `order_by_asc` or `order_by_desc`.
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
