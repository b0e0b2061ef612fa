//! The ranges after a boundary, in the order in which a page reads them.

use sea_query::{BinOper, Expr, ExprTrait as _};

use crate::access::AccessPath;
use crate::boundary::{Bound, Boundary};
use crate::dialect::Dialect;
use crate::order::OrderColumn;
use crate::schema::table::{Direction, Nulls};

/// `column >= value`, in the column's direction.
pub(crate) fn from(sort: &OrderColumn, bound: Bound<'_>) -> Expr {
    until(&sort.reversed(), bound)
}

/// `column <= value`, in the column's direction.
pub(crate) fn until(sort: &OrderColumn, bound: Bound<'_>) -> Expr {
    match sort.direction {
        Direction::Asc => sort.in_select().lte(bound.expr()),
        Direction::Desc => sort.in_select().gte(bound.expr()),
    }
}

/// A column of the order, and the boundary's value of it.
type Key<'a> = (&'a OrderColumn, Bound<'a>);

#[derive(Debug)]
pub(super) struct Range<'a> {
    /// The conditions, joined by AND.
    pub(super) conditions: Vec<Expr>,
    /// The columns of the order that still vary within it.
    pub(super) free: &'a [OrderColumn],
    /// Whether the first free column is known not to be NULL here.
    pub(super) no_nulls: bool,
}

impl<'a> Range<'a> {
    pub(super) fn new(conditions: Vec<Expr>, free: &'a [OrderColumn]) -> Self {
        Self { conditions, free, no_nulls: false }
    }

    /// The rows that meet the conditions, which exclude NULL in the first free column.
    fn without_nulls(conditions: Vec<Expr>, free: &'a [OrderColumn]) -> Self {
        Self { conditions, free, no_nulls: true }
    }

    /// Whether one of the first free columns may be NULL in the range.
    pub(super) fn may_have_nulls(&self, first: &[OrderColumn]) -> bool {
        first.iter().enumerate().any(|(at, sort)| sort.nulls.is_some() && !(at == 0 && self.no_nulls))
    }
}

/// The ranges of the rows that meet the conditions: one, or the two parts of a free column whose NULLs are out of index
/// order.
pub(super) fn ranges_of(dialect: Dialect, conditions: Vec<Expr>, free: &[OrderColumn]) -> Vec<Range<'_>> {
    match free {
        [first, rest @ ..] if !first.is_natural(dialect) => {
            let values = Range::without_nulls(with(&conditions, first.in_select().is_not_null()), free);
            let nulls = Range::new(with(&conditions, first.in_select().is_null()), rest);
            in_order(first.nulls, values, nulls)
        }
        _ => vec![Range::new(conditions, free)],
    }
}

/// Appends a condition.
fn with(conditions: &[Expr], condition: Expr) -> Vec<Expr> {
    conditions.iter().cloned().chain([condition]).collect()
}

/// The values and the NULLs of a column, in its order.
fn in_order<'a>(position: Option<Nulls>, values: Range<'a>, nulls: Range<'a>) -> Vec<Range<'a>> {
    match position {
        Some(Nulls::First) => vec![nulls, values],
        _ => vec![values, nulls],
    }
}

/// The ranges after a boundary, the nearest first.
pub(super) fn ranges_after<'a>(
    access: &AccessPath,
    sorts: &'a [OrderColumn],
    boundary: Boundary<'a>,
) -> Vec<Range<'a>> {
    let keys = keys(sorts, boundary.values);
    let equal = equalities(access, &keys);
    After { dialect: access.dialect(), sorts, keys, equal }.ranges(access.row_values(), boundary.inclusive)
}

/// The columns of an order with the values of a boundary.
pub(super) fn keys<'a>(sorts: &'a [OrderColumn], values: &[Bound<'a>]) -> Vec<Key<'a>> {
    sorts.iter().zip(values.iter().copied()).collect()
}

/// The conditions that the columns equal the boundary's values.
pub(super) fn equalities(access: &AccessPath, keys: &[Key<'_>]) -> Vec<Expr> {
    keys.iter().enumerate().map(|(at, key)| equal(access, at, *key)).collect()
}

struct After<'a> {
    dialect: Dialect,
    sorts: &'a [OrderColumn],
    keys: Vec<Key<'a>>,
    /// For each column, the condition that it equals the boundary's value.
    equal: Vec<Expr>,
}

impl<'a> After<'a> {
    /// The ranges, the nearest first.
    fn ranges(&self, row_values: bool, inclusive: bool) -> Vec<Range<'a>> {
        let run = if row_values { row_value_run(&self.keys) } else { 0 };
        let rest = self.keys.len().saturating_sub(run);
        self.nearest(rest, inclusive).into_iter().chain(self.further(rest, inclusive)).collect()
    }

    /// The ranges in which one of the leading columns is the first that differs from the boundary.
    fn further(&self, rest: usize, inclusive: bool) -> impl Iterator<Item = Range<'a>> {
        let includes = move |at: usize| inclusive && at.saturating_add(1) == self.keys.len();
        (0..rest).rev().flat_map(move |at| [self.values(at, includes(at)), self.nulls(at)]).flatten()
    }

    /// The range in which a row value compares the columns from `at` on, if there are any. Otherwise the tied rows, for
    /// an inclusive boundary that ends in NULL: no comparison includes them.
    fn nearest(&self, at: usize, inclusive: bool) -> Vec<Range<'a>> {
        match self.keys.get(at..) {
            Some(keys @ [_, ..]) => vec![self.row_value(at, keys, inclusive)],
            _ if inclusive && self.ends_in_null() => self.equal(at),
            _ => Vec::new(),
        }
    }

    /// The rows that equal the boundary, which has `at` values.
    fn equal(&self, at: usize) -> Vec<Range<'a>> {
        ranges_of(self.dialect, self.equal.clone(), self.from(at))
    }

    /// The range in which a row value compares these columns, from `at` on.
    fn row_value(&self, at: usize, keys: &[Key<'_>], inclusive: bool) -> Range<'a> {
        Range::without_nulls(self.with(at, row_value(keys, inclusive)), self.from(at))
    }

    fn ends_in_null(&self) -> bool {
        self.keys.last().is_some_and(|(_, bound)| bound.is_null())
    }

    /// The range in which the column `at` is the first one that differs from the boundary, or may equal it if that is
    /// included, and has a value.
    fn values(&self, at: usize, inclusive: bool) -> Option<Range<'a>> {
        let condition = value_after(self.dialect, *self.keys.get(at)?, inclusive)?;
        Some(Range::without_nulls(self.with(at, condition), self.from(at)))
    }

    /// The range in which the column `at` is the first one that differs from the boundary, and is NULL.
    fn nulls(&self, at: usize) -> Option<Range<'a>> {
        let condition = null_after(*self.keys.get(at)?)?;
        Some(Range::new(self.with(at, condition), self.from(at.saturating_add(1))))
    }

    /// The order's columns from `at` on.
    fn from(&self, at: usize) -> &'a [OrderColumn] {
        self.sorts.get(at..).unwrap_or_default()
    }

    /// A condition for the rows that equal the boundary in the columns before `at`.
    fn with(&self, at: usize, condition: Expr) -> Vec<Expr> {
        self.equal.iter().take(at).cloned().chain([condition]).collect()
    }
}

/// The condition that a column's value comes after the boundary's, or equals it if that is included; `None` if no value
/// does.
fn value_after(dialect: Dialect, (sort, bound): Key<'_>, inclusive: bool) -> Option<Expr> {
    if !bound.is_null() {
        return Some(against(dialect, sort, operator(Some(sort.direction), inclusive), bound));
    }
    (sort.nulls == Some(Nulls::First)).then(|| sort.in_select().is_not_null())
}

/// The condition that a column is NULL, if NULLs are after the boundary's value.
fn null_after((sort, bound): Key<'_>) -> Option<Expr> {
    let is_after = sort.nulls == Some(Nulls::Last) && !bound.is_null();
    is_after.then(|| sort.expr.clone().is_null())
}

/// The condition that the column `at` equals the boundary's value.
///
/// PostgreSQL takes a column that equals a value out of the ORDER BY. It may then read the primary key's index and
/// discard rows with another value: millions, if the rows it needs are far apart there. With a list of two values, even
/// of equal ones, the column stays in the ORDER BY, which only the key's own index serves. After the first column of an
/// index, a list ends the index's order, and up to version 16 PostgreSQL does not even search the index by it.
fn equal(access: &AccessPath, at: usize, (sort, bound): Key<'_>) -> Expr {
    if access.in_list_equality() && at == 0 && !bound.is_null() {
        sort.in_select().is_in([bound.expr(), bound.expr()])
    } else {
        equals(access.dialect(), (sort, bound))
    }
}

/// The condition that a column equals the boundary's value, as a filter.
pub(super) fn equals(dialect: Dialect, (sort, bound): Key<'_>) -> Expr {
    if bound.is_null() { sort.in_select().is_null() } else { against(dialect, sort, BinOper::Equal, bound) }
}

fn against(dialect: Dialect, sort: &OrderColumn, operator: BinOper, bound: Bound<'_>) -> Expr {
    sort.expr.clone().binary(dialect.comparison(operator), bound.expr())
}

/// How many columns at the end are NOT NULL and have the same direction, so that one row value compares them. A single
/// one is compared by itself.
fn row_value_run(keys: &[Key<'_>]) -> usize {
    let direction = direction_of(keys.last());
    let is_in_run = |(sort, _): &&Key<'_>| sort.nulls.is_none() && Some(sort.direction) == direction;
    let run = keys.iter().rev().take_while(is_in_run).count();
    if run >= 2 { run } else { 0 }
}

/// The comparison of several columns with the boundary's values. All have the same direction.
fn row_value(keys: &[Key<'_>], inclusive: bool) -> Expr {
    let columns = Expr::tuple(keys.iter().map(|(sort, _)| sort.in_select()));
    let values = Expr::tuple(keys.iter().map(|(_, bound)| bound.expr()));
    columns.binary(operator(direction_of(keys.first()), inclusive), values)
}

fn direction_of(key: Option<&Key<'_>>) -> Option<Direction> {
    key.map(|(sort, _)| sort.direction)
}

/// The operator that compares values with those of a boundary.
fn operator(direction: Option<Direction>, inclusive: bool) -> BinOper {
    match (direction, inclusive) {
        (Some(Direction::Desc), false) => BinOper::SmallerThan,
        (Some(Direction::Desc), true) => BinOper::SmallerThanOrEqual,
        (_, false) => BinOper::GreaterThan,
        (_, true) => BinOper::GreaterThanOrEqual,
    }
}
