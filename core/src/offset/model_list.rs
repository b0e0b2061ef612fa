//! The rows of a model's query, as numbered pages read them.

use sea_query::{ColumnRef, Expr};

use crate::dialect::Dialect;
use crate::dialect::catalog::TableInfo;
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
    /// Which servers have the rows.
    servers: Servers,
}

/// The servers that have the rows of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Servers {
    One,
    /// Several, which are asked at once.
    Scattered,
    /// Those of MariaDB's Spider.
    Spider,
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

static TEMPLATES: Templates<Form> = Templates::new();

impl ModelList {
    pub fn new(rows: FilteredRows, orders: Vec<OrderColumn>) -> Self {
        Self { rows, orders, servers: Servers::One }
    }

    pub(super) fn learn(&mut self, info: &TableInfo) {
        let is_scattered = || self.rows.plan.equality.are_scattered(info);
        self.servers = match info {
            _ if info.is_spider => Servers::Spider,
            _ if is_scattered() => Servers::Scattered,
            _ => Servers::One,
        };
    }

    pub(super) fn all(&self) -> BoundSql {
        TEMPLATES.statement(&self.rows, Form::All, PageValues::default(), || self.rows.select().sql())
    }

    pub(super) fn count(&self, up_to: Option<u64>) -> BoundSql {
        let page = PageValues { count_limit: up_to, ..PageValues::default() };
        let form = Form::Count(Count { up_to }.text());
        TEMPLATES.statement(&self.rows, form, page, || total::counted(self.rows.select(), up_to).sql())
    }

    /// A page, with or without the count as its last column.
    pub(super) fn page(&self, slice: Slice, count: Option<Count>) -> BoundSql {
        let strategy = self.strategy(slice);
        let page = PageValues { count_limit: count.and_then(|count| count.up_to), ..slice.into() };
        let (has_offset, backwards) = (slice.offset > 0, slice.backwards);
        let form = Form::Page { has_offset, strategy, backwards, total: count.map(Count::text) };
        TEMPLATES.statement(&self.rows, form, page, || {
            let rows = self.page_rows(slice, strategy);
            let Some(Count { up_to }) = count else { return rows.sql() };
            // With a literal limit, a generic plan serves every page, so it need not be avoided. Citus has no index to choose
            // by the values of a limit.
            let generic_plan = match strategy {
                Strategy::LiteralLimit(_) => true,
                Strategy::Flat => !self.rows.has_values(),
                Strategy::Plain | Strategy::WithoutIndex | Strategy::DeferredJoin => false,
            };
            total::beside(rows, &total::counted(self.rows.select(), up_to), generic_plan).sql()
        })
    }

    /// The table, if the rows of a page are found by their primary keys.
    pub(super) fn table_of_keys(&self, slice: Slice) -> Option<&'static Table> {
        (self.strategy(slice) == Strategy::DeferredJoin).then_some(self.rows.plan.table)
    }

    /// The table, if the statement of a page depends on which servers have its rows. Unless the answer `is_cached`, only
    /// a join with found keys is worth the question.
    pub(super) fn may_be_elsewhere(&self, slice: Slice, is_cached: bool) -> Option<&'static Table> {
        let facts = self.dialect().facts();
        let depends = match self.strategy(slice) {
            Strategy::DeferredJoin => facts.finds_shards_by_equalities || is_cached && facts.may_be_spider,
            Strategy::LiteralLimit(_) => is_cached,
            Strategy::Plain | Strategy::Flat | Strategy::WithoutIndex => {
                is_cached && facts.may_be_spider && self.rows.has_values() && !self.orders.is_empty()
            }
        };
        depends.then_some(self.rows.plan.table)
    }

    fn dialect(&self) -> Dialect {
        self.rows.plan.dialect
    }

    /// Several servers would each send the rows of a literal limit, and Citus would read the whole table for a join with
    /// found keys.
    fn strategy(&self, slice: Slice) -> Strategy {
        if self.servers == Servers::Spider {
            Strategy::WithoutIndex
        } else if self.servers == Servers::Scattered {
            Strategy::Flat
        } else if let Some(limit) = self.rows.literal_limit(slice.end()).filter(|_| !self.rows.has_values()) {
            Strategy::LiteralLimit(limit)
        } else if slice.offset >= self.dialect().facts().deferred_join_from && self.has_plain_order() {
            Strategy::DeferredJoin
        } else {
            Strategy::Plain
        }
    }

    fn page_rows(&self, slice: Slice, strategy: Strategy) -> Select {
        let by = self.order(slice.backwards);
        let rows = self.rows.select();
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
