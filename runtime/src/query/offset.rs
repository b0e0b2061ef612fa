//! A numbered list: its count, and its pages by offset.

use sea_query::{ColumnName, ColumnRef, Expr, SelectStatement};

use crate::cache::BoundedCache;
use crate::dialect::Dialect;
use crate::driver::Driver;
use crate::model::table::Direction;
use crate::query::bound_sql::{BoundSql, FEW};
use crate::query::caller::CallerSelect;
use crate::query::deferred_join::{ModelRows, derived, key_name};
use crate::query::slice::{Slice, counted, sliced};
use crate::query::template::{self, BindArgs, Key, Statement, Written};

/// A list of rows that has an order.
#[derive(Debug)]
pub(crate) enum OffsetQuery {
    Model(ModelList),
    Caller(Box<CallerSelect>),
}

impl OffsetQuery {
    /// All rows, in no order.
    pub(crate) fn all<D: Driver>(&self) -> BoundSql {
        match self {
            Self::Model(list) => list.part::<D>(Part::All, Slice::default()),
            Self::Caller(select) => D::prepare(&select.all()),
        }
    }

    /// The count of all rows.
    pub(crate) fn count<D: Driver>(&self) -> BoundSql {
        match self {
            Self::Model(list) => list.part::<D>(Part::Count, Slice::default()),
            Self::Caller(select) => D::prepare(&select.count()),
        }
    }

    /// A page of the rows in the list's order.
    pub(crate) fn page<D: Driver>(&self, slice: Slice) -> BoundSql {
        match self {
            Self::Model(list) => list.page::<D>(slice),
            Self::Caller(select) => D::prepare(&select.page(slice)),
        }
    }

    /// Whether pages can be read from the list's end: only if its order is the same from both ends, as that of a
    /// model's list is.
    pub(crate) fn is_reversible(&self, dialect: Dialect) -> bool {
        match self {
            Self::Model(list) => list.is_reversible(dialect),
            Self::Caller(_) => false,
        }
    }
}

/// A model's rows in the order that its query asks for, with the primary key as a tie-breaker.
#[derive(Debug)]
pub(crate) struct ModelList {
    pub(crate) rows: ModelRows,
    pub(crate) orders: Vec<(Expr, Direction)>,
    /// What its statements are found by, if they can be kept.
    pub(crate) written: Option<Written>,
}

/// What is asked of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    All,
    Count,
    /// A page: whether rows are passed over for it, how it is found, and whether it is read from the end.
    Page {
        offset: bool,
        way: Way,
        backwards: bool,
    },
}

/// How a page by offset is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    /// Out of a few rows, its own and those before it among them: see [`Driver::FEW`].
    OfFew,
    Plain,
    /// By a deferred join: its keys first, so that the rows before it are passed over in the index alone.
    ByKeys,
}

static TEXTS: BoundedCache<(Key, Part), Statement> = BoundedCache::new();

impl ModelList {
    fn page<D: Driver>(&self, slice: Slice) -> BoundSql {
        let own = self.written.as_ref().map(|written| &*written.own);
        let way = if own.is_some_and(|own| is_few::<D>(own, slice.offset.saturating_add(slice.limit))) {
            Way::OfFew
        } else if slice.offset >= D::DEFERRED_FROM && self.is_understood() {
            Way::ByKeys
        } else {
            Way::Plain
        };
        self.part::<D>(Part::Page { offset: slice.offset > 0, way, backwards: slice.backwards }, slice)
    }

    fn part<D: Driver>(&self, part: Part, Slice { offset, limit, .. }: Slice) -> BoundSql {
        let Some(Written { key, own }) = &self.written else { return D::prepare(&self.select(part, offset, limit)) };
        let given = BindArgs { own, boundary: &[], limit, offset };
        let make = || {
            let select = self.select(part, template::OFFSET, template::LIMIT);
            let statement = Statement::of::<D>(&select, given);
            let size = statement.size().saturating_add(key.size());
            (statement, size)
        };
        TEXTS.get((key.clone(), part), make).with(given)
    }

    fn select(&self, part: Part, offset: u64, limit: u64) -> SelectStatement {
        match part {
            Part::All => self.rows.filtered(),
            Part::Count => counted(self.rows.filtered()),
            Part::Page { offset: before, way, backwards } => {
                self.sliced(way, backwards, before.then_some(offset), limit)
            }
        }
    }

    fn sliced(&self, way: Way, backwards: bool, offset: Option<u64>, limit: u64) -> SelectStatement {
        let order = self.order();
        let page = sorted(self.rows.filtered(), &order, backwards);
        match (way, self.by_name(&order)) {
            (Way::OfFew, Some(by_name)) => {
                let few = page.clone().limit(FEW).take();
                sliced(sorted(derived(few), &by_name, backwards), offset, limit)
            }
            (Way::OfFew | Way::Plain, _) => sliced(page, offset, limit),
            (Way::ByKeys, _) => sorted(self.deferred(page, offset, limit), &order, backwards),
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
    fn order(&self) -> Vec<(Expr, Direction)> {
        let mut order = self.orders.clone();
        let last = order.last().map_or(Direction::Asc, |(_, direction)| *direction);
        for key in self.rows.primary_key() {
            if !self.orders.iter().any(|(ordered, _)| *ordered == key) {
                order.push((key, last));
            }
        }
        order
    }

    /// The order by the names of the result's columns; `None` if it goes by anything else.
    fn by_name(&self, order: &[(Expr, Direction)]) -> Option<Vec<(Expr, Direction)>> {
        let columns = &self.rows.table.columns;
        let by_name = |(expr, direction): &(Expr, Direction)| match expr {
            Expr::Column(ColumnRef::Column(ColumnName(_, name))) if columns.has(&name.inner()) => {
                Some((Expr::col(name.clone()), *direction))
            }
            _ => None,
        };
        order.iter().map(by_name).collect()
    }

    /// Whether every part of the order sorts by columns of the table, so that it can be reversed, and sorts the same in
    /// another select. Raw SQL may hold several columns, directions, or the position of a column in the select list.
    fn is_understood(&self) -> bool {
        self.orders.iter().all(|(expr, _)| is_understood(expr))
    }

    /// MySQL goes backwards along an index only if all its columns go one way, and otherwise sorts the whole list.
    fn is_reversible(&self, dialect: Dialect) -> bool {
        let one_way = self.orders.windows(2).all(|pair| matches!(pair, [(_, one), (_, other)] if one == other));
        self.is_understood() && (one_way || dialect != Dialect::MySql)
    }
}

/// Whether an order is a column, or calls functions on columns.
fn is_understood(expr: &Expr) -> bool {
    match expr {
        Expr::Column(ColumnRef::Column(_)) => true,
        Expr::FunctionCall(call) => {
            let args = call.get_args();
            let fixed = |arg: &Expr| matches!(arg, Expr::Value(_) | Expr::Constant(_));
            args.iter().all(|arg| fixed(arg) || is_understood(arg)) && !args.iter().all(fixed)
        }
        _ => false,
    }
}

/// Whether a page that needs `rows` rows is taken out of a small fixed number of them. Not if the caller's filters have
/// values: one value may match many rows and another only a few, and these need different plans.
pub(crate) fn is_few<D: Driver>(own: &[sea_query::Value], rows: u64) -> bool {
    own.is_empty() && D::FEW.is_some_and(|few| rows <= few)
}

/// A select in an order, or from its end.
fn sorted(mut select: SelectStatement, order: &[(Expr, Direction)], backwards: bool) -> SelectStatement {
    for (expr, direction) in order {
        let direction = if backwards { direction.flip() } else { *direction };
        select.order_by_expr(expr.clone(), direction.into());
    }
    select
}
