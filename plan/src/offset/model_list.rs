//! The rows of a model's query, as numbered pages read them.

use std::sync::OnceLock;

use sea_query::{ColumnRef, Expr};

use crate::access::planned_by_value;
use crate::dialect::Dialect;
use crate::dialect::catalog::SharedInfo;
use crate::order::{OrderColumn, key_name};
use crate::predicate::{Names, order};
use crate::schema::table::{Direction, Table};
use crate::statement::filtered::FilteredRows;
use crate::statement::select::{DERIVED, Number, Select};
use crate::statement::slice::Slice;
use crate::statement::template::{BoundSql, PageValues, Templates};
use crate::statement::total;

/// A model's rows in the order that its query asks for, with the primary key as a tie-breaker.
#[derive(Debug)]
pub struct ModelList {
    pub rows: FilteredRows,
    pub orders: Vec<OrderColumn>,
    /// What the catalog says about the table, if that is known.
    info: OnceLock<SharedInfo>,
}

/// What the text of a list's statement depends on, except for the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    All,
    Count(CountText),
    Page { has_offset: bool, strategy: Strategy, backwards: bool, total: Option<CountText> },
}

/// The text of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum CountText {
    All,
    Limited,
}

/// A count as an additional column of a page's rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count {
    /// Where it may end.
    pub(super) up_to: Option<u64>,
}

impl Count {
    fn text(self) -> CountText {
        if self.up_to.is_some() { CountText::Limited } else { CountText::All }
    }
}

/// How a page by offset is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Strategy {
    /// Within the literal limit, for a generic plan: see [`Facts::literal_limit`](crate::dialect::Facts::literal_limit).
    LiteralLimit(u64),
    Plain,
    /// As a flat select, which each of several servers answers.
    Flat,
    /// Along no index: see [`AccessPath::is_spider`](crate::access::AccessPath::is_spider).
    WithoutIndex,
    /// By its keys first, so that the rows before the page are skipped in the index alone.
    DeferredJoin,
}

static TEMPLATES: Templates<(Form, Option<SharedInfo>)> = Templates::new();

impl ModelList {
    pub fn new(rows: FilteredRows, orders: Vec<OrderColumn>) -> Self {
        Self { rows, orders, info: OnceLock::new() }
    }

    pub(super) fn learn(&self, info: SharedInfo) {
        self.info.get_or_init(|| info);
    }

    /// The rows that match, with comparisons as the database plans them best.
    fn select(&self) -> Select {
        let by_value = self.info.get().map(|info| planned_by_value(info)).unwrap_or_default();
        self.rows.select_by(&by_value)
    }

    /// What a template is found by: its form, and on SQLite also what the catalog says.
    fn keyed(&self, form: Form) -> Option<(Form, Option<SharedInfo>)> {
        let info = self.info.get().filter(|_| self.dialect().facts().plans_for_bare_values);
        Some((form, info.cloned()))
    }

    pub(super) fn all(&self) -> BoundSql {
        TEMPLATES.statement(&self.rows, self.keyed(Form::All), PageValues::default(), || self.select().sql())
    }

    pub(super) fn count(&self, up_to: Option<u64>) -> BoundSql {
        let page = PageValues { count_limit: up_to, ..PageValues::default() };
        let form = Form::Count(Count { up_to }.text());
        TEMPLATES.statement(&self.rows, self.keyed(form), page, || total::counted(self.select(), up_to).sql())
    }

    /// A page, with or without the count as its last column.
    pub(super) fn page(&self, slice: Slice, count: Option<Count>) -> BoundSql {
        let strategy = self.strategy(slice);
        let page = PageValues { count_limit: count.and_then(|count| count.up_to), ..slice.into() };
        let (has_offset, backwards) = (slice.offset > 0, slice.backwards);
        let form = Form::Page { has_offset, strategy, backwards, total: count.map(Count::text) };
        TEMPLATES.statement(&self.rows, self.keyed(form), page, || {
            let rows = self.page_rows(slice, strategy);
            let Some(Count { up_to }) = count else { return rows.sql() };
            // With a literal limit, a generic plan serves every page, so it need not be avoided. Neither need it where other
            // servers plan the rows.
            let generic_plan = match strategy {
                Strategy::LiteralLimit(_) => true,
                Strategy::Flat => self.rows.values.is_empty(),
                Strategy::Plain | Strategy::WithoutIndex | Strategy::DeferredJoin => false,
            };
            total::beside(rows, &total::counted(self.select(), up_to), generic_plan).sql()
        })
    }

    /// The table, if the rows of a page are found by their primary keys.
    pub(super) fn table_of_keys(&self, slice: Slice) -> Option<&'static Table> {
        (self.strategy(slice) == Strategy::DeferredJoin).then_some(self.rows.plan.table)
    }

    /// The table, if a statement depends on what the catalog says about it: that of a page, or without a slice that of a
    /// count. Unless the answer `is_cached`, only a join with found keys is worth the question.
    pub(super) fn table_to_learn(&self, slice: Option<Slice>, is_cached: bool) -> Option<&'static Table> {
        let facts = self.dialect().facts();
        let has_values = is_cached && !self.rows.values.is_empty();
        let of_page = || match self.strategy(slice?) {
            Strategy::DeferredJoin => Some(facts.finds_shards_by_equalities || is_cached && facts.may_be_spider),
            Strategy::LiteralLimit(_) => Some(is_cached),
            Strategy::Plain | Strategy::Flat | Strategy::WithoutIndex => {
                Some(facts.may_be_spider && has_values && !self.orders.is_empty())
            }
        };
        let depends = if facts.plans_for_bare_values { has_values } else { of_page().unwrap_or_default() };
        depends.then_some(self.rows.plan.table)
    }

    fn dialect(&self) -> Dialect {
        self.rows.plan.dialect
    }

    /// Several servers would each send the rows of a literal limit, and Citus would read the whole table for a join with
    /// found keys.
    fn strategy(&self, slice: Slice) -> Strategy {
        let is_scattered = |info: &SharedInfo| self.rows.plan.equality.are_scattered(info);
        let info = self.info.get();
        if info.is_some_and(|info| info.is_spider) {
            Strategy::WithoutIndex
        } else if info.is_some_and(is_scattered) {
            Strategy::Flat
        } else if let Some(limit) = self.rows.literal_limit(slice.end()).filter(|_| self.rows.values.is_empty()) {
            Strategy::LiteralLimit(limit)
        } else if slice.offset >= self.dialect().facts().deferred_join_from && self.has_plain_order() {
            Strategy::DeferredJoin
        } else {
            Strategy::Plain
        }
    }

    fn page_rows(&self, slice: Slice, strategy: Strategy) -> Select {
        let by = self.order(slice.backwards);
        let rows = self.select();
        let rows = if strategy == Strategy::WithoutIndex { rows.without_sorted_index() } else { rows };
        let rows = order(rows, &by, Names::in_select(self.dialect()));
        match strategy {
            // All rows, if the result does not have the order's columns.
            Strategy::LiteralLimit(limit) if self.has_names(&by) => {
                let within = Select::all_of(&rows.limit(Number::Literal(limit)).sql(), DERIVED);
                slice.of(order(within, &by, Names::InResult))
            }
            Strategy::LiteralLimit(_) | Strategy::Plain | Strategy::Flat | Strategy::WithoutIndex => slice.of(rows),
            Strategy::DeferredJoin => {
                let key = self.rows.primary_key();
                let names = (0..).map(key_name).take(key.len());
                let selected = key.iter().zip(names.clone());
                let keys = selected.fold(rows.without_columns(), |keys, (expr, name)| keys.expr_as(expr, &name));
                order(self.rows.of_keys(&slice.of(keys).sql(), names), &by, Names::InSelect)
            }
        }
    }

    /// The order in which a page's rows are read. The primary key's other columns break ties, in the direction of the
    /// last column.
    fn order(&self, backwards: bool) -> Vec<OrderColumn> {
        let last = self.orders.last().map_or(Direction::Asc, |column| column.direction);
        let is_sorted_by = |key: &Expr| self.orders.iter().any(|column| column.expr == *key);
        let missing = self.rows.primary_key().into_iter().filter(|key| !is_sorted_by(key));
        let order = self.orders.iter().cloned().chain(missing.map(|key| OrderColumn::by(key, last)));
        if backwards { order.map(|column| column.reversed()).collect() } else { order.collect() }
    }

    /// Whether the result has all columns of the order.
    fn has_names(&self, order: &[OrderColumn]) -> bool {
        order.iter().all(|column| !column.is_computed && self.rows.has(&column.output))
    }

    /// Whether every part of the order sorts by columns of the table, so that it can be reversed, and sorts the same in
    /// another select. Raw SQL may contain several columns, directions, or the position of a column in the select list.
    fn has_plain_order(&self) -> bool {
        self.orders.iter().all(|column| sorts_by_columns(&column.expr))
    }

    pub(super) fn is_reversible(&self) -> bool {
        let one_direction =
            self.orders.windows(2).all(|pair| matches!(pair, [one, other] if one.direction == other.direction));
        self.has_plain_order() && (one_direction || self.dialect().facts().unknown_server.reverses_mixed_indexes)
    }
}

/// Whether an order is a column, or calls functions on columns.
fn sorts_by_columns(expr: &Expr) -> bool {
    match expr {
        Expr::Column(ColumnRef::Column(_)) => true,
        Expr::FunctionCall(call) => takes_columns(call.get_args()),
        _ => false,
    }
}

/// Whether arguments are columns or constants, and not only constants.
fn takes_columns(args: &[Expr]) -> bool {
    let is_constant = |arg: &Expr| matches!(arg, Expr::Value(_) | Expr::Constant(_));
    args.iter().all(|arg| is_constant(arg) || sorts_by_columns(arg)) && !args.iter().all(is_constant)
}

#[cfg(test)]
#[cfg(all(feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod tests;
