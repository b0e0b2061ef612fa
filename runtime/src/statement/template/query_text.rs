//! A query as its templates see it, and the values in which its pages differ.

use std::sync::Arc;

use sea_query::{Expr, ExprTrait as _, SelectStatement, Value};

use crate::access::equalities;
use crate::boundary::Bound;
use crate::dialect::{Dialect, with_plain_equalities};
use crate::order::OrderColumn;
use crate::schema::table::Table;
use crate::statement::slice::Slice;

/// The values that differ from one page of a query to the next.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PageValues<'a> {
    /// The values of the filters, for selects that do not have the filters as they are.
    pub(crate) filters: &'a [Value],
    pub(crate) boundary: &'a [Bound<'a>],
    /// The values of the groups that a feed reads.
    pub(crate) groups: &'a [Value],
    /// Upper bound of a feed's page in the order's leading columns, if known.
    pub(crate) last: &'a [Bound<'a>],
    pub(crate) limit: u64,
    pub(crate) offset: u64,
    /// A limit of an inner select that is written into the text: see [`Facts::cached_plan_limit`](crate::dialect::Facts::cached_plan_limit).
    pub(crate) inner_limit: Option<u64>,
    /// Where a count of the rows ends, if it need not count them all.
    pub(crate) count_limit: Option<u64>,
    /// A limit of 1, which is written into the text as `inner_limit` is. `None` outside of a template.
    pub(crate) one: Option<u64>,
}

impl From<Slice> for PageValues<'_> {
    fn from(Slice { offset, limit, .. }: Slice) -> Self {
        Self { offset, limit, ..Self::default() }
    }
}

/// A model's query as its templates see it: what it adds to its table, as text, and the values in that text.
#[derive(Debug, Clone)]
pub(crate) struct QueryText {
    pub(super) dialect: Dialect,
    /// Where the table is in memory. There is one for each model; a copy has its own templates.
    pub(super) table: usize,
    pub(super) sql: Arc<str>,
    /// The values of the filters, in the order in which each statement has them.
    pub(super) filter_values: Vec<Value>,
    pub(super) is_cached: bool,
}

impl QueryText {
    pub(crate) fn new(dialect: Dialect, table: &'static Table, filters: &[Expr], orders: &[OrderColumn]) -> Self {
        let (sql, filter_values) = conditions(dialect, filters, orders);
        let is_cached = is_cached(&sql, orders);
        Self { dialect, table: std::ptr::from_ref(table).addr(), sql: shared(sql), filter_values, is_cached }
    }

    /// The part of it that a template depends on.
    pub(super) fn template_key(&self) -> TextKey {
        (self.dialect, self.table, self.sql.clone())
    }

    /// The conditions and their values, as text that differs if they do. A feed of one group has the text of a filter
    /// by the group's value.
    pub(crate) fn to_key(&self) -> String {
        format!("{:?}", (with_plain_equalities(&self.sql), &self.filter_values))
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The page's values plus the filters', in order of appearance.
    ///
    /// Selects that have the filters themselves do not need them.
    pub(crate) fn values<'a>(&'a self, page: PageValues<'a>) -> PageValues<'a> {
        PageValues { filters: &self.filter_values, ..page }
    }

    /// The equalities of these filters, which are the query's, to repeat where the rows of found keys are read, on a page
    /// that has the values of all filters.
    ///
    /// A server in front of several shards, such as Citus, looks for them there: without them, it asks every shard for the
    /// rows. Other filters are not repeated, because a subquery would run twice.
    pub(crate) fn repeated(&self, filters: &[Expr], page: PageValues<'_>) -> Vec<Expr> {
        if !self.dialect.facts().finds_shards_by_equalities {
            return Vec::new();
        }
        let count = |filter: &Expr| self.dialect.render_conditions(std::slice::from_ref(filter), &[]).1.len();
        let found = equalities(filters, count).into_iter();
        found.filter_map(|(column, at)| Some(column.clone().eq(page.filters.get(at)?.clone()))).collect()
    }

    pub(crate) fn has_values(&self) -> bool {
        !self.filter_values.is_empty()
    }

    /// The inner limit of a statement that reads at most `rows` rows: see [`Facts::cached_plan_limit`](crate::dialect::Facts::cached_plan_limit). It may only be
    /// used if the query [has one plan](Self::has_one_plan).
    pub(crate) fn inner_limit(&self, rows: u64) -> Option<u64> {
        self.dialect.facts().cached_plan_limit.filter(|limit| self.is_cached && rows <= *limit)
    }

    /// Whether the query may have a generic plan: if it is right for all values of the filters, or there are none.
    /// Otherwise, one value may match many rows and another only a few, which need different plans.
    pub(crate) fn has_one_plan(&self, suits_all_values: bool) -> bool {
        suits_all_values || !self.has_values()
    }
}

/// The text of the filters and the order, and the values in it.
fn conditions(dialect: Dialect, filters: &[Expr], orders: &[OrderColumn]) -> (String, Vec<Value>) {
    let sorts: Vec<_> = orders.iter().map(OrderColumn::sort_by).collect();
    dialect.render_conditions(filters, &sorts)
}

/// The text, to be shared. The empty text of a list without filters takes no allocation.
fn shared(sql: String) -> Arc<str> {
    if sql.is_empty() { Arc::default() } else { sql.into() }
}

/// The longest text that is cached, or given a name on the server, in bytes. A longer one is hardly ever sent again.
const LARGEST_TEXT: usize = 8 * 1024;

/// Whether a text may be sent again, and so is worth keeping.
pub(super) fn is_short(sql: &str) -> bool {
    sql.len() <= LARGEST_TEXT
}

/// Whether a query's statements are cached. The values of an order may occur in a statement more often than those of
/// the filters.
fn is_cached(sql: &str, orders: &[OrderColumn]) -> bool {
    is_short(sql) && orders.iter().all(OrderColumn::is_column)
}

/// The part of a [`QueryText`] that a template depends on.
pub(super) type TextKey = (Dialect, usize, Arc<str>);

/// Describes a page's select from the page's values. These may be placeholders.
pub(crate) type PageSelect<'a> = dyn Fn(PageValues<'_>) -> SelectStatement + 'a;
