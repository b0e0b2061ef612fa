//! The rows of a model's query, as numbered pages read them.

use sea_query::{ColumnRef, Expr, SelectStatement};

use crate::order::{OrderColumn, key_name};
use crate::predicate;
use crate::schema::table::{Direction, Table};
use crate::statement::deferred_join::{ModelRows, derived};
use crate::statement::slice::{Slice, sliced};
use crate::statement::template::{BoundSql, PageValues, QueryText, Templates};
use crate::statement::total;

/// A model's rows in the order that its query asks for, with the primary key as a tie-breaker.
#[derive(Debug)]
pub(crate) struct ModelList {
    pub(crate) rows: ModelRows,
    pub(crate) orders: Vec<OrderColumn>,
    pub(crate) text: QueryText,
}

/// What the text of a list's statement depends on, except for the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    All,
    Count(CountText),
    Page(PageForm),
}

/// What the text of a page depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct PageForm {
    has_offset: bool,
    strategy: Strategy,
    backwards: bool,
    total: Option<CountText>,
}

impl PageForm {
    fn new(slice: Slice, strategy: Strategy, count: Option<Count>) -> Self {
        let total = count.map(|count| CountText::of(count.up_to));
        Self { has_offset: slice.offset > 0, strategy, backwards: slice.backwards, total }
    }

    /// The page's rows of all rows.
    fn slice(self, rows: SelectStatement, page: PageValues<'_>) -> SelectStatement {
        sliced(rows, self.has_offset.then_some(page.offset), page.limit)
    }
}

/// The text of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum CountText {
    All,
    Limited,
}

impl CountText {
    fn of(up_to: Option<u64>) -> Self {
        if up_to.is_some() { Self::Limited } else { Self::All }
    }
}

/// A count as an additional column of a page's rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count {
    /// Where it may end.
    pub(super) up_to: Option<u64>,
}

/// How a page by offset is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Strategy {
    /// Within a small number of rows, for a cached plan: see [`Facts::cached_plan_limit`](crate::dialect::Facts::cached_plan_limit).
    CachedPlan,
    Plain,
    /// By its keys first, so that the rows before the page are skipped in the index alone.
    DeferredJoin,
}

static TEMPLATES: Templates<Form> = Templates::new();

impl ModelList {
    pub(super) fn all(&self) -> BoundSql {
        self.statement(Form::All, PageValues::default())
    }

    pub(super) fn count(&self, up_to: Option<u64>) -> BoundSql {
        self.statement(Form::Count(CountText::of(up_to)), PageValues { count_limit: up_to, ..PageValues::default() })
    }

    /// A page, with or without the count as its last column.
    pub(super) fn page(&self, slice: Slice, count: Option<Count>) -> BoundSql {
        let page = self.page_values(slice, count);
        let form = PageForm::new(slice, self.strategy(page), count);
        self.statement(Form::Page(form), page)
    }

    /// The table, if the rows of a page are found by their primary keys.
    pub(super) fn table_of_keys(&self, slice: Slice) -> Option<&'static Table> {
        (self.strategy(self.page_values(slice, None)) == Strategy::DeferredJoin).then_some(self.rows.table)
    }

    fn page_values(&self, slice: Slice, count: Option<Count>) -> PageValues<'_> {
        PageValues {
            inner_limit: self.text.inner_limit(slice.end()).filter(|_| !self.text.has_values()),
            count_limit: count.and_then(|count| count.up_to),
            ..self.text.values(slice.into())
        }
    }

    fn strategy(&self, page: PageValues<'_>) -> Strategy {
        if page.inner_limit.is_some() {
            Strategy::CachedPlan
        } else if page.offset >= self.text.dialect().facts().deferred_join_from && self.has_plain_order() {
            Strategy::DeferredJoin
        } else {
            Strategy::Plain
        }
    }

    fn statement(&self, form: Form, page: PageValues<'_>) -> BoundSql {
        TEMPLATES.statement(&self.text, form, page, &|page| match form {
            Form::All => self.rows.filtered(),
            Form::Count(_) => self.counted(page),
            Form::Page(form) => self.page_select(form, page),
        })
    }

    fn page_select(&self, form: PageForm, page: PageValues<'_>) -> SelectStatement {
        let rows = self.page_rows(form, page);
        if form.total.is_some() { self.with_total(rows, page) } else { rows }
    }

    fn counted(&self, page: PageValues<'_>) -> SelectStatement {
        total::counted(self.rows.filtered(), page.count_limit)
    }

    fn with_total(&self, select: SelectStatement, page: PageValues<'_>) -> SelectStatement {
        // With an inner limit, one cached plan serves every page, so it need not be avoided.
        let limit = page.inner_limit.is_none().then_some(page.limit);
        total::beside(select, self.counted(page), self.text.dialect(), limit)
    }

    fn page_rows(&self, form: PageForm, page: PageValues<'_>) -> SelectStatement {
        let order = self.order(form.backwards);
        let rows = self.sorted(self.rows.filtered(), &order, OrderColumn::in_select);
        match form.strategy {
            Strategy::Plain => form.slice(rows, page),
            Strategy::CachedPlan => form.slice(self.within(rows, &order, page.inner_limit), page),
            Strategy::DeferredJoin => {
                let found = self.deferred(rows, page, |keys| form.slice(keys, page));
                self.sorted(found, &order, OrderColumn::in_select)
            }
        }
    }

    /// A select in an order, whose columns are written by `by`.
    fn sorted(
        &self,
        mut select: SelectStatement,
        order: &[OrderColumn],
        by: fn(&OrderColumn) -> Expr,
    ) -> SelectStatement {
        predicate::order(self.text.dialect(), &mut select, order, by);
        select
    }

    /// The first rows of a select that has this order, in the same order; all rows if the result does not have its
    /// columns.
    fn within(&self, mut rows: SelectStatement, order: &[OrderColumn], limit: Option<u64>) -> SelectStatement {
        match limit.filter(|_| self.has_names(order)) {
            Some(limit) => self.sorted(derived(rows.limit(limit).take()), order, OrderColumn::in_result),
            None => rows,
        }
    }

    /// The rows of a page whose keys are found first. `slice` takes them out of those of all rows.
    fn deferred(
        &self,
        rows: SelectStatement,
        page: PageValues<'_>,
        slice: impl Fn(SelectStatement) -> SelectStatement,
    ) -> SelectStatement {
        let key = self.rows.primary_key();
        let named: Vec<_> = key.iter().zip((0..).map(key_name)).collect();
        let repeated = self.text.repeated(&self.rows.filters, page);
        self.rows.of_keys(slice(selecting(rows, &named)), named.into_iter(), repeated)
    }

    /// The order in which a page's rows are read.
    fn order(&self, backwards: bool) -> Vec<OrderColumn> {
        let order = self.orders.iter().cloned().chain(self.tie_breakers());
        if backwards { order.map(|column| column.reversed()).collect() } else { order.collect() }
    }

    /// The primary key columns that the order does not have, in the direction of its last column.
    fn tie_breakers(&self) -> impl Iterator<Item = OrderColumn> {
        let last = self.orders.last().map_or(Direction::Asc, |column| column.direction);
        let missing = self.rows.primary_key().into_iter().filter(|key| !self.is_sorted_by(key));
        missing.map(move |key| OrderColumn::by(key, last))
    }

    fn is_sorted_by(&self, key: &Expr) -> bool {
        self.orders.iter().any(|column| column.expr == *key)
    }

    /// Whether the result has all columns of the order.
    fn has_names(&self, order: &[OrderColumn]) -> bool {
        order.iter().all(|column| !column.is_computed && self.rows.table.columns.has(&column.output))
    }

    /// Whether every part of the order sorts by columns of the table, so that it can be reversed, and sorts the same in
    /// another select. Raw SQL may contain several columns, directions, or the position of a column in the select list.
    fn has_plain_order(&self) -> bool {
        self.orders.iter().all(|column| sorts_by_columns(&column.expr))
    }

    pub(super) fn is_reversible(&self) -> bool {
        let one_direction =
            self.orders.windows(2).all(|pair| matches!(pair, [one, other] if one.direction == other.direction));
        self.has_plain_order() && (one_direction || self.text.dialect().facts().unknown_server.reverses_mixed_indexes)
    }
}

/// Replaces the select list by these expressions, each under its name.
fn selecting(mut select: SelectStatement, named: &[(&Expr, String)]) -> SelectStatement {
    select.clear_selects();
    for (expr, name) in named {
        select.expr_as((*expr).clone(), name.clone());
    }
    select
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
