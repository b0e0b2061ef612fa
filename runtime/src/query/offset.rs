//! A numbered list: its count, and its pages by offset.

use sea_query::{ColumnRef, Expr, SelectStatement};

use crate::dialect::Dialect;
use crate::error::Result;
use crate::model::table::Direction;
use crate::model::term::Term;
use crate::query::caller::{CallerSelect, Keyed, TotalForm};
use crate::query::deferred_join::{ModelRows, derived};
use crate::query::order_column::{OrderColumn, key_name};
use crate::query::predicate;
use crate::query::slice::{Slice, sliced};
use crate::query::template::{BoundSql, PageValues, QueryText, Renderer, Templates};
use crate::query::total;

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
            Self::Model(list) => list.all(),
            Self::Caller(list) => list.statement(&list.select.all()),
        }
    }

    /// The count of all rows. With `up_to`, no more rows than that are counted.
    pub(crate) fn count(&self, up_to: Option<u64>) -> BoundSql {
        match self {
            Self::Model(list) => list.count(up_to),
            Self::Caller(list) => list.statement(&list.select.count(up_to)),
        }
    }

    /// A page of the rows in the list's order.
    pub(crate) fn page(&self, slice: Slice) -> BoundSql {
        match self {
            Self::Model(list) => list.page(slice, None),
            Self::Caller(list) => list.statement(&list.page(slice)),
        }
    }

    /// A page whose rows have the count as their last column; `None` if page and count need a statement each. With
    /// `up_to`, the count may end there.
    pub(crate) fn page_with_total(&self, slice: Slice, up_to: Option<u64>) -> Option<BoundSql> {
        match self {
            Self::Model(list) => Some(list.page(slice, Some(Count { up_to }))),
            Self::Caller(list) => list.page_with_total(slice, up_to).map(|page| list.statement(&page)),
        }
    }

    /// The order of a caller's list that has one, and how its statements are written.
    pub(crate) fn caller_order(&self) -> Option<(&Renderer, &[OrderColumn])> {
        match self {
            Self::Caller(CallerList { select, ordered: Some(ordered) }) => Some((select.renderer(), &ordered.sorts)),
            _ => None,
        }
    }

    /// Whether it is SQL text.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self, Self::Caller(list) if list.select.renderer().source.is_some())
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
    ordered: Option<Box<Ordered>>,
}

/// The rows of a caller's select in an order.
#[derive(Debug)]
struct Ordered {
    rows: SelectStatement,
    /// The selects whose rows `rows` unites, each in the order, if a page can be read from each of them.
    arms: Vec<SelectStatement>,
    sorts: Vec<OrderColumn>,
}

impl Ordered {
    fn new(dialect: Dialect, Keyed { mut base, mut arms, sorts, .. }: Keyed) -> Self {
        for select in arms.iter_mut().chain([&mut base]) {
            predicate::order(dialect, select, &sorts, |column| column.expr.clone());
        }
        Self { rows: base, arms, sorts }
    }

    /// A page: of several selects, from the first rows of each.
    fn page(&self, dialect: Dialect, slice: Slice) -> SelectStatement {
        let offset = (slice.offset > 0).then_some(slice.offset);
        if self.arms.is_empty() {
            return sliced(self.rows.clone(), offset, slice.limit);
        }
        let needed = slice.offset.saturating_add(slice.limit);
        let firsts = self.arms.iter().map(|arm| sliced(arm.clone(), None, needed));
        sliced(predicate::united(dialect, &self.sorts, firsts), offset, slice.limit)
    }
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
                Some(Box::new(Ordered::new(select.renderer().dialect, select.keyed(terms, given)?)))
            }
        };
        Ok(Self { select: Box::new(select), ordered })
    }

    /// The rows in the select's own order, to be counted only.
    pub(crate) fn unordered(select: CallerSelect) -> Self {
        Self { select: Box::new(select), ordered: None }
    }

    fn page(&self, slice: Slice) -> SelectStatement {
        match &self.ordered {
            Some(ordered) => ordered.page(self.select.renderer().dialect, slice),
            None => self.select.page(slice),
        }
    }

    fn page_with_total(&self, slice: Slice, up_to: Option<u64>) -> Option<SelectStatement> {
        let (page, dialect) = (self.page(slice), self.select.renderer().dialect);
        match self.select.total_form(self.ordered.is_some()) {
            TotalForm::Separate => None,
            TotalForm::Beside => Some(total::beside(page, self.select.count(up_to), dialect, Some(slice.limit))),
            TotalForm::Whole => Some(total::beside_whole(page, self.select.all(), dialect)),
        }
    }

    fn statement(&self, select: &SelectStatement) -> BoundSql {
        self.select.renderer().statement(select)
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
    Count(CountText),
    Page { has_offset: bool, strategy: Strategy, backwards: bool, total: Option<CountText> },
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

/// A count beside the rows of a page.
#[derive(Debug, Clone, Copy)]
struct Count {
    /// Where it may end.
    up_to: Option<u64>,
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
    /// All rows.
    fn all(&self) -> BoundSql {
        self.statement(Form::All, PageValues::default())
    }

    /// The count of all rows, or of at most `up_to`.
    fn count(&self, up_to: Option<u64>) -> BoundSql {
        self.statement(Form::Count(CountText::of(up_to)), PageValues { count_limit: up_to, ..PageValues::default() })
    }

    /// A page, with or without the count as its last column.
    fn page(&self, Slice { offset, limit, backwards }: Slice, count: Option<Count>) -> BoundSql {
        let inner_limit = self.text.inner_limit(offset.saturating_add(limit));
        let strategy = if inner_limit.is_some() {
            Strategy::CachedPlan
        } else if offset >= self.text.dialect().deferred_join_from() && self.has_plain_order() {
            Strategy::DeferredJoin
        } else {
            Strategy::Plain
        };
        let count_limit = count.and_then(|count| count.up_to);
        let total = count.map(|count| CountText::of(count.up_to));
        let page = PageValues { limit, offset, inner_limit, count_limit, ..PageValues::default() };
        self.statement(Form::Page { has_offset: offset > 0, strategy, backwards, total }, page)
    }

    fn statement(&self, form: Form, page: PageValues<'_>) -> BoundSql {
        TEMPLATES.statement(&self.text, form, page, |page| match form {
            Form::All => self.rows.filtered(),
            Form::Count(_) => self.counted(page),
            Form::Page { has_offset, strategy, backwards, total } => {
                let select = self.select(strategy, has_offset, backwards, page);
                if total.is_some() { self.with_total(select, page) } else { select }
            }
        })
    }

    fn counted(&self, page: PageValues<'_>) -> SelectStatement {
        total::counted(self.rows.filtered(), page.count_limit)
    }

    fn with_total(&self, select: SelectStatement, page: PageValues<'_>) -> SelectStatement {
        // With an inner limit, one cached plan serves every page, so it need not be avoided.
        let limit = page.inner_limit.is_none().then_some(page.limit);
        total::beside(select, self.counted(page), self.text.dialect(), limit)
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
        order.iter().all(|column| !column.is_computed && self.rows.table.columns.has(&column.output))
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
