//! Compiles a model's query into the offset and keyset queries that [`crate::fetch`] runs.
//!
//! The parts of a statement that do not depend on a page are cached: the keyset query of each model and order here, the
//! SQL text of a page in [`crate::query::template`].

use std::{mem, ptr};

use sea_query::Expr;

use super::ModelQuery;
use crate::cache::BoundedCache;
use crate::error::{FrameworkError, Result};
use crate::fetch;
use crate::model::order::{Term, TermIdentity};
use crate::model::{Model, column_check, cursor_terms};
use crate::once::Once;
use crate::query::deferred_join::ModelRows;
use crate::query::keyset::{Base, KeysetOrder, KeysetQuery};
use crate::query::offset::{ModelList, OffsetQuery};
use crate::query::order_column::OrderColumn;
use crate::query::template::QueryText;
use crate::route::Source;
use crate::select::{KeysetSelect, OffsetSelect};

impl<M: Model> ModelQuery<M> {
    /// Rejects a page size of 0, and columns of other tables. Runs before a connection is leased.
    pub(super) fn check(&self, per_page: u64) -> Result<()> {
        fetch::check_per_page(per_page)?;
        let orders = || self.orders.iter().map(|(expr, _)| expr);
        if orders().any(|expr| matches!(expr, Expr::Value(_))) {
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
        self.filters.iter().chain(orders()).try_for_each(|expr| column_check::check(M::TABLE, expr))?;
        let terms = self.order.iter().chain(&self.cursor_terms).flatten();
        terms.map(Term::expr).try_for_each(|expr| column_check::check(M::TABLE, &expr))
    }

    /// The rows that match the filters, and the query as text.
    fn rows(&mut self, source: &Source<'_>, orders: &[OrderColumn]) -> (ModelRows, QueryText) {
        let with_lists = |filter| source.dialect().with_lists(filter);
        let filters: Vec<Expr> = mem::take(&mut self.filters).into_iter().map(with_lists).collect();
        let text = QueryText::new(source.dialect(), M::TABLE, &filters, orders);
        (ModelRows { table: M::TABLE, filters }, text)
    }

    /// Compiles to an offset query.
    pub(super) fn numbered(mut self, source: &Source<'_>) -> OffsetSelect<M> {
        let orders: Vec<OrderColumn> = match self.order.take() {
            Some(terms) => terms.iter().map(OrderColumn::of_table).collect(),
            None => mem::take(&mut self.orders).into_iter().map(|(expr, by)| OrderColumn::by(expr, by)).collect(),
        };
        let (rows, text) = self.rows(source, &orders);
        let query = OffsetQuery::Model(ModelList { rows, orders, text });
        OffsetSelect { reader: M::READER, query, total: self.total }
    }

    /// Compiles to a keyset query.
    pub(super) fn ordered(mut self, source: &Source<'_>) -> KeysetSelect<M> {
        if self.cursor_terms.is_none() && !self.orders.is_empty() {
            warn_replaced_order::<M>();
        }
        let terms = self.cursor_terms.take().or(self.order.take());
        let by = terms.as_ref().map(|terms| terms.iter().map(Term::identity).collect());
        let make = || {
            let order = KeysetOrder::of_model(M::TABLE, terms.unwrap_or_else(|| cursor_terms(M::TABLE)));
            let size = order.size();
            (order, size)
        };
        let order = ORDERS.get((ptr::from_ref(M::TABLE).addr(), by), make);
        let (rows, text) = self.rows(source, &[]);
        let query = KeysetQuery { order, base: Base::Model(rows, text), binding: self.binding };
        KeysetSelect { reader: M::READER, query }
    }
}

/// The parts of keyset queries that do not depend on a page, by table and order.
static ORDERS: BoundedCache<(usize, Option<Vec<TermIdentity>>), KeysetOrder> = BoundedCache::new();

/// Warns, once for each model, that a cursor page is not sorted by `order_by_asc` or `order_by_desc`.
fn warn_replaced_order<M: Model>() {
    static WARNED: Once = Once::new();
    if WARNED.is_first(M::TABLE) {
        tracing::warn!(
            target: "folio",
            "a cursor page of `{}` ignores `order_by_asc` and `order_by_desc`: use `order_by`, which sorts numbered and \
             cursor pages alike, or `cursor_by`",
            M::TABLE.name
        );
    }
}
