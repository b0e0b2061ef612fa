//! A numbered list: its count, and its pages by offset.

use sea_query::{ColumnRef, Expr, SelectStatement};

#[cfg(doc)]
use crate::dialect::Dialect;
use crate::error::Result;
use crate::model::order::Term;
use crate::model::table::Direction;
use crate::query::caller::{CallerSelect, Keyed};
use crate::query::deferred_join::{ModelRows, derived, key_name};
use crate::query::order_column::OrderColumn;
use crate::query::predicate;
use crate::query::slice::{Slice, counted, sliced};
use crate::query::template::{BoundSql, PageValues, QueryText, Templates};

/// A list of rows that has an order.
#[derive(Debug)]
pub(crate) enum OffsetQuery {
    Model(ModelList),
    Caller(CallerList),
}

impl OffsetQuery {
    /// All rows, in no order.
    pub(crate) fn all(&self) -> BoundSql {
        match self {
            Self::Model(list) => list.statement(Form::All, PageValues::default()),
            Self::Caller(list) => list.statement(&list.select.all()),
        }
    }

    /// The count of all rows.
    pub(crate) fn count(&self) -> BoundSql {
        match self {
            Self::Model(list) => list.statement(Form::Count, PageValues::default()),
            Self::Caller(list) => list.statement(&list.select.count()),
        }
    }

    /// A page of the rows in the list's order.
    pub(crate) fn page(&self, slice: Slice) -> BoundSql {
        match self {
            Self::Model(list) => list.page(slice),
            Self::Caller(list) => list.statement(&list.page(slice)),
        }
    }

    /// Whether pages can be read from the list's end: only if its order is the same from both ends, as that of a
    /// model's list is.
    pub(crate) fn is_reversible(&self) -> bool {
        match self {
            Self::Model(list) => list.is_reversible(),
            Self::Caller(_) => false,
        }
    }
}

/// The rows of a caller's select.
#[derive(Debug)]
pub(crate) struct CallerList {
    select: Box<CallerSelect>,
    /// The rows in an order that replaces the select's own.
    ordered: Option<Box<SelectStatement>>,
}

impl CallerList {
    /// The rows in the order of these terms, else in the select's own.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`](crate::FrameworkError::Internal) for a select that cannot be paged by number, and
    /// for a term whose column it does not have.
    pub(crate) fn new(select: CallerSelect, order: Option<(Vec<Term>, usize)>) -> Result<Self> {
        let ordered = match order {
            None => {
                select.check_numbered()?;
                None
            }
            Some((terms, given)) => {
                let Keyed { mut base, sorts, .. } = select.keyed(terms, given)?;
                predicate::order(select.dialect(), &mut base, &sorts, |column| column.expr.clone());
                Some(Box::new(base))
            }
        };
        Ok(Self { select: Box::new(select), ordered })
    }

    fn page(&self, slice: Slice) -> SelectStatement {
        match &self.ordered {
            Some(rows) => sliced((**rows).clone(), (slice.offset > 0).then_some(slice.offset), slice.limit),
            None => self.select.page(slice),
        }
    }

    fn statement(&self, select: &SelectStatement) -> BoundSql {
        BoundSql::of(self.select.dialect(), select)
    }
}

/// A model's rows in the order that its query asks for, with the primary key as a tie-breaker.
#[derive(Debug)]
pub(crate) struct ModelList {
    pub(crate) rows: ModelRows,
    pub(crate) orders: Vec<OrderColumn>,
    pub(crate) text: QueryText,
}

/// What the text of a list's statement depends on, beside the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    All,
    Count,
    Page { has_offset: bool, strategy: Strategy, backwards: bool },
}

/// How a page by offset is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Strategy {
    /// Within a small number of rows, for a cached plan: see [`Dialect::cached_plan_limit`].
    CachedPlan,
    Plain,
    /// By its keys first, so that the rows before the page are skipped in the index alone.
    DeferredJoin,
}

static TEMPLATES: Templates<Form> = Templates::new();

impl ModelList {
    fn page(&self, Slice { offset, limit, backwards }: Slice) -> BoundSql {
        let inner_limit = self.text.inner_limit(offset.saturating_add(limit));
        let strategy = if inner_limit.is_some() {
            Strategy::CachedPlan
        } else if offset >= self.text.dialect().deferred_join_from() && self.has_plain_order() {
            Strategy::DeferredJoin
        } else {
            Strategy::Plain
        };
        let page = PageValues { limit, offset, inner_limit, boundary: &[] };
        self.statement(Form::Page { has_offset: offset > 0, strategy, backwards }, page)
    }

    fn statement(&self, form: Form, page: PageValues<'_>) -> BoundSql {
        TEMPLATES.statement(&self.text, form, page, |page| match form {
            Form::All => self.rows.filtered(),
            Form::Count => counted(self.rows.filtered()),
            Form::Page { has_offset, strategy, backwards } => self.select(strategy, has_offset, backwards, page),
        })
    }

    fn select(&self, strategy: Strategy, has_offset: bool, backwards: bool, page: PageValues<'_>) -> SelectStatement {
        let offset = has_offset.then_some(page.offset);
        let order = self.order();
        let order = if backwards { order.iter().map(OrderColumn::reversed).collect() } else { order };
        let sorted = |mut select: SelectStatement, by: fn(&OrderColumn) -> Expr| {
            predicate::order(self.text.dialect(), &mut select, &order, by);
            select
        };
        let rows = sorted(self.rows.filtered(), |column| column.expr.clone());
        match (strategy, page.inner_limit.filter(|_| self.has_names(&order))) {
            (Strategy::DeferredJoin, _) => {
                sorted(self.deferred(rows, offset, page.limit), |column| column.expr.clone())
            }
            (_, Some(inner_limit)) => {
                let first = rows.clone().limit(inner_limit).take();
                let rows = sorted(derived(first), |column| Expr::col(column.output.clone()));
                sliced(rows, offset, page.limit)
            }
            (_, None) => sliced(rows, offset, page.limit),
        }
    }

    /// The rows of a page whose keys are found first.
    fn deferred(&self, mut page: SelectStatement, offset: Option<u64>, limit: u64) -> SelectStatement {
        let key = self.rows.primary_key();
        let names: Vec<String> = (0..key.len()).map(key_name).collect();
        page.clear_selects();
        for (key, name) in key.iter().zip(&names) {
            page.expr_as(key.clone(), name.clone());
        }
        self.rows.of_keys(sliced(page, offset, limit), key.iter().zip(names))
    }

    /// The whole order: missing primary key columns are appended, in the direction of the last column.
    fn order(&self) -> Vec<OrderColumn> {
        let mut order = self.orders.clone();
        let last = order.last().map_or(Direction::Asc, |column| column.direction);
        for key in self.rows.primary_key() {
            if !self.orders.iter().any(|column| column.expr == key) {
                order.push(OrderColumn::by(key, last));
            }
        }
        order
    }

    /// Whether the result has all columns of the order.
    fn has_names(&self, order: &[OrderColumn]) -> bool {
        order.iter().all(|column| self.rows.table.columns.has(&column.output))
    }

    /// Whether every part of the order sorts by columns of the table, so that it can be reversed, and sorts the same in
    /// another select. Raw SQL may contain several columns, directions, or the position of a column in the select list.
    fn has_plain_order(&self) -> bool {
        self.orders.iter().all(|column| sorts_by_columns(&column.expr))
    }

    fn is_reversible(&self) -> bool {
        let one_direction =
            self.orders.windows(2).all(|pair| matches!(pair, [one, other] if one.direction == other.direction));
        self.has_plain_order() && (one_direction || self.text.dialect().reverses_mixed_indexes())
    }
}

/// Whether an order is a column, or calls functions on columns.
fn sorts_by_columns(expr: &Expr) -> bool {
    match expr {
        Expr::Column(ColumnRef::Column(_)) => true,
        Expr::FunctionCall(call) => {
            let args = call.get_args();
            let fixed = |arg: &Expr| matches!(arg, Expr::Value(_) | Expr::Constant(_));
            args.iter().all(|arg| fixed(arg) || sorts_by_columns(arg)) && !args.iter().all(fixed)
        }
        _ => false,
    }
}
