//! What a query compiles to.

use std::{mem, ptr};

use sea_query::Expr;

use super::Builder;
use crate::cache::BoundedCache;
use crate::error::{FrameworkError, Result};
use crate::fetch;
use crate::model::order::{Term, TermIdentity};
use crate::model::table::Direction;
use crate::model::{Model, column_check, cursor_terms};
use crate::query::deferred_join::ModelRows;
use crate::query::keyset::{Base, KeysetQuery, Walk};
use crate::query::offset::{ModelList, OffsetQuery};
use crate::query::template::Written;
use crate::route::Source;
use crate::select::Listed;

impl<M: Model> Builder<M> {
    /// Refuses a page size of 0 and columns of other tables, before a connection is leased.
    pub(super) fn check(&self, per_page: u64) -> Result<()> {
        fetch::check_per_page(per_page)?;
        let orders = || self.orders.iter().map(|(expr, _)| expr);
        if orders().any(|expr| matches!(expr, Expr::Value(_))) {
            return Err(FrameworkError::internal(
                "an order by a value sorts nothing: write the column itself, such as `Post::TITLE`",
            ));
        }
        self.filters.iter().chain(orders()).try_for_each(|expr| column_check::check(M::TABLE, expr))?;
        let terms = self.cursor_terms.iter().flatten();
        terms.map(Term::expr).try_for_each(|expr| column_check::check(M::TABLE, &expr))
    }

    /// The rows that match the filters, and the cache key of their statements.
    fn rows(&mut self, source: &Source, orders: &[(Expr, Direction)]) -> (ModelRows, Option<Written>) {
        let filters = mem::take(&mut self.filters);
        let plain = filters.is_empty() && orders.is_empty();
        let written = if plain { Default::default() } else { source.write(&filters, orders) };
        (ModelRows { table: M::TABLE, filters }, Written::new(source.dialect(), M::TABLE, written))
    }

    /// The query as a numbered list.
    pub(super) fn listed(mut self, source: &Source) -> Listed<M> {
        let orders = mem::take(&mut self.orders);
        let (rows, written) = self.rows(source, &orders);
        // A statement is kept only if its own values come in it once: those of an order may come twice.
        let by_columns = orders.iter().all(|(expr, _)| matches!(expr, Expr::Column(_)));
        let listing = OffsetQuery::Model(ModelList { rows, orders, written: written.filter(|_| by_columns) });
        Listed { reader: M::READER, listing, total: self.total }
    }

    /// The query as a walk by its cursor key.
    pub(super) fn walking(mut self, source: &Source) -> KeysetQuery<M> {
        let order = self.cursor_terms.take();
        let by = order.as_ref().map(|terms| terms.iter().map(Term::identity).collect());
        let make = || {
            let walk = Walk::of_model(M::TABLE, order.unwrap_or_else(|| cursor_terms(M::TABLE)));
            let size = walk.size();
            (walk, size)
        };
        let walk = WALKS.get((ptr::from_ref(M::TABLE).addr(), by), make);
        let (rows, written) = self.rows(source, &[]);
        KeysetQuery { reader: M::READER, walk, base: Base::Model(rows, written) }
    }
}

/// The walks of all models, by their tables and orders.
static WALKS: BoundedCache<(usize, Option<Vec<TermIdentity>>), Walk> = BoundedCache::new();
