//! The ranges after a boundary, in the order in which a page reads them.

use crate::access::AccessPath;
use crate::boundary::{Boundary, BoundaryValue};
use crate::dialect::{Dialect, Param, Sql};
use crate::order::OrderColumn;
use crate::schema::table::{Direction, Nulls};
use crate::statement::condition::{Condition, operand};

/// Where the values of a boundary come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueSource {
    /// The boundary at which the page starts.
    Start,
    /// The same, after the value of a filter with this number.
    Filtered(usize),
    /// The page's upper bound.
    UpperBound,
    /// The values themselves, in a statement without a template.
    Constant,
}

/// A column of the order, with the boundary's value of it.
#[derive(Debug, Clone)]
pub(super) struct Key<'a> {
    pub(super) sort: &'a OrderColumn,
    bound: &'a BoundaryValue,
    param: Param,
}

impl Key<'_> {
    /// The boundary's value.
    fn value(&self, sql: Sql) -> Sql {
        match self.bound.cast() {
            Some(cast) => sql.push("CAST(").param(self.param.clone()).push(" AS ").push(cast).push(")"),
            None => sql.param(self.param.clone()),
        }
    }

    /// `column <operator> value`, in the form that the database plans once for all values.
    fn compared(&self, dialect: Dialect, operator: &str) -> Condition {
        let column = operand(dialect, &self.sort.expr).push(" ").push(operator).push(" ");
        match dialect.sign() {
            "" => Condition::bare(self.value(column)),
            sign => Condition::loose(self.value(column.push(sign))),
        }
    }

    /// The condition that the column equals the boundary's value, as a filter.
    pub(super) fn equals(&self, dialect: Dialect) -> Condition {
        if self.bound.is_null() {
            Condition::is_null(operand(dialect, &self.sort.expr))
        } else {
            self.compared(dialect, "=")
        }
    }
}

/// The columns of an order with the values of a boundary.
pub(super) fn keys<'a>(sorts: &'a [OrderColumn], values: &'a [BoundaryValue], source: ValueSource) -> Vec<Key<'a>> {
    let key = |(at, (sort, bound)): (usize, (&'a OrderColumn, &'a BoundaryValue))| {
        let param = match source {
            ValueSource::Start => Param::Boundary(at),
            ValueSource::Filtered(filter) => at.checked_sub(1).map_or(Param::Filter(filter), Param::Boundary),
            ValueSource::UpperBound => Param::UpperBound(at),
            ValueSource::Constant => Param::Constant(bound.bound().clone()),
        };
        Key { sort, bound, param }
    };
    sorts.iter().zip(values).enumerate().map(key).collect()
}

/// `column >= value`, in the column's direction, where the value is the boundary's first.
pub fn from(dialect: Dialect, sort: &OrderColumn, bound: &BoundaryValue) -> Condition {
    until(dialect, &sort.reversed(), bound, ValueSource::Start)
}

/// `column <= value`, in the column's direction.
pub fn until(dialect: Dialect, sort: &OrderColumn, bound: &BoundaryValue, source: ValueSource) -> Condition {
    let operator = operator(sort.direction.flip(), true);
    let keys = keys(std::slice::from_ref(sort), std::slice::from_ref(bound), source);
    let value = keys.iter().fold(Sql::new(dialect), |sql, key| key.value(sql));
    Condition::comparison(operand(dialect, &sort.expr), operator, &value)
}

#[derive(Debug, Clone)]
pub(super) struct Range<'a> {
    /// The conditions, joined by AND.
    pub(super) conditions: Vec<Condition>,
    /// The columns of the order that still vary within it.
    pub(super) free: &'a [OrderColumn],
    /// Whether the first free column is known not to be NULL here.
    pub(super) no_nulls: bool,
}

impl<'a> Range<'a> {
    pub(super) fn new(conditions: Vec<Condition>, free: &'a [OrderColumn]) -> Self {
        Self { conditions, free, no_nulls: false }
    }

    /// The rows that meet the conditions, which exclude NULL in the first free column.
    fn without_nulls(conditions: Vec<Condition>, free: &'a [OrderColumn]) -> Self {
        Self { conditions, free, no_nulls: true }
    }

    /// Whether one of the first free columns may be NULL in the range.
    pub(super) fn may_have_nulls(&self, first: &[OrderColumn]) -> bool {
        first.iter().enumerate().any(|(at, sort)| sort.nulls.is_some() && !(at == 0 && self.no_nulls))
    }
}

/// The ranges of the rows that meet the conditions: one, or the two parts of a free column whose NULLs are out of index
/// order.
pub(super) fn ranges_of(dialect: Dialect, conditions: Vec<Condition>, free: &[OrderColumn]) -> Vec<Range<'_>> {
    match free {
        [first, rest @ ..] if !first.is_natural(dialect) => {
            let with = |condition| conditions.iter().cloned().chain([condition]).collect();
            let column = || operand(dialect, &first.expr);
            let values = Range::without_nulls(with(Condition::is_not_null(column())), free);
            let nulls = Range::new(with(Condition::is_null(column())), rest);
            match first.nulls {
                Some(Nulls::First) => vec![nulls, values],
                _ => vec![values, nulls],
            }
        }
        _ => vec![Range::new(conditions, free)],
    }
}

/// The ranges after a boundary, the nearest first.
pub(super) fn ranges_after<'a>(
    access: &AccessPath,
    sorts: &'a [OrderColumn],
    boundary: Boundary<'a>,
    source: ValueSource,
) -> Vec<Range<'a>> {
    let (dialect, inclusive) = (access.dialect(), boundary.inclusive);
    let keys = keys(sorts, boundary.values, source);
    let equal = equalities(access, &keys);
    // A condition for the rows that equal the boundary in the columns before `at`, and the columns from `at` on.
    let with = |at: usize, condition| equal.iter().take(at).cloned().chain([condition]).collect::<Vec<_>>();
    let free = |at: usize| sorts.get(at..).unwrap_or_default();
    if access.nests_ranges()
        && let Some(nested) = nested(access, &keys, inclusive)
    {
        return vec![Range::without_nulls(vec![nested], sorts)];
    }

    // The nearest range is that of a row value, if one compares the last columns. Otherwise it has the tied rows, for
    // an inclusive boundary that ends in NULL: no comparison includes them.
    let run = if access.row_values() { row_value_run(&keys) } else { 0 };
    let rest = keys.len().saturating_sub(run);
    let mut ranges = match keys.get(rest..) {
        Some(run @ [_, ..]) => {
            vec![Range::without_nulls(with(rest, row_value(dialect, run, inclusive)), free(rest))]
        }
        _ if inclusive && keys.last().is_some_and(|key| key.bound.is_null()) => {
            ranges_of(dialect, equal.clone(), free(rest))
        }
        _ => Vec::new(),
    };
    // In each of the others, one of the leading columns is the first that differs from the boundary: by its value, or
    // because it is NULL.
    for (at, key) in keys.iter().enumerate().take(rest).rev() {
        let inclusive = inclusive && at.saturating_add(1) == keys.len();
        ranges
            .extend(value_after(dialect, key, inclusive).map(|value| Range::without_nulls(with(at, value), free(at))));
        let nulls = null_after(dialect, key);
        ranges.extend(nulls.map(|null| Range::new(with(at, null), free(at.saturating_add(1)))));
    }
    ranges
}

/// The condition of all rows after a boundary: see [`AccessPath::nests_ranges`]. `None` if a column may be NULL.
fn nested(access: &AccessPath, keys: &[Key<'_>], inclusive: bool) -> Option<Condition> {
    let dialect = access.dialect();
    if keys.iter().any(|key| key.sort.nulls.is_some() || key.bound.is_null()) {
        return None;
    }
    match keys {
        [] => None,
        [last] => value_after(dialect, last, inclusive),
        all if access.row_values() && row_value_run(all) == all.len() => Some(row_value(dialect, all, inclusive)),
        [first, rest @ ..] => {
            let beyond = [value_after(dialect, first, false), nested(access, rest, inclusive)];
            let either = Condition::any(beyond.into_iter().flatten());
            Condition::all([value_after(dialect, first, true), either].into_iter().flatten())
        }
    }
}

/// The conditions that the columns equal the boundary's values.
pub(super) fn equalities(access: &AccessPath, keys: &[Key<'_>]) -> Vec<Condition> {
    keys.iter().enumerate().map(|(at, key)| equal(access, at, key)).collect()
}

/// The condition that a column's value comes after the boundary's, or equals it if that is included; `None` if no value
/// does.
fn value_after(dialect: Dialect, key: &Key<'_>, inclusive: bool) -> Option<Condition> {
    if !key.bound.is_null() {
        return Some(key.compared(dialect, operator(key.sort.direction, inclusive)));
    }
    (key.sort.nulls == Some(Nulls::First)).then(|| Condition::is_not_null(operand(dialect, &key.sort.expr)))
}

/// The condition that a column is NULL, if NULLs are after the boundary's value.
fn null_after(dialect: Dialect, key: &Key<'_>) -> Option<Condition> {
    let is_after = key.sort.nulls == Some(Nulls::Last) && !key.bound.is_null();
    is_after.then(|| Condition::is_null(operand(dialect, &key.sort.expr)))
}

/// The condition that the column `at` equals the boundary's value.
///
/// PostgreSQL takes a column that equals a value out of the ORDER BY. It may then read the primary key's index and
/// discard rows with another value: millions, if the rows it needs are far apart there. With a list of two values, even
/// of equal ones, the column stays in the ORDER BY, which only the key's own index serves. After the first column of an
/// index, a list ends the index's order, and up to version 16 PostgreSQL does not even search the index by it.
fn equal(access: &AccessPath, at: usize, key: &Key<'_>) -> Condition {
    if !access.in_list_equality() || at > 0 || key.bound.is_null() {
        return key.equals(access.dialect());
    }
    let list = operand(access.dialect(), &key.sort.expr).push(" IN (");
    Condition::bare(key.value(key.value(list).push(", ")).push(")"))
}

/// How many columns at the end are NOT NULL and have the same direction, so that one row value compares them. A single
/// one is compared by itself.
fn row_value_run(keys: &[Key<'_>]) -> usize {
    let direction = keys.last().map(|key| key.sort.direction);
    let is_in_run = |key: &&Key<'_>| key.sort.nulls.is_none() && Some(key.sort.direction) == direction;
    let run = keys.iter().rev().take_while(is_in_run).count();
    if run >= 2 { run } else { 0 }
}

/// The comparison of several columns with the boundary's values. All have the same direction.
fn row_value(dialect: Dialect, keys: &[Key<'_>], inclusive: bool) -> Condition {
    let direction = keys.first().map_or(Direction::Asc, |key| key.sort.direction);
    let columns = keys.iter().map(|key| Sql::of(dialect, &key.sort.expr));
    let values = keys.iter().map(|key| key.value(Sql::new(dialect)));
    let row = |parts: Vec<Sql>| Sql::new(dialect).push("(").joined(parts, ", ").push(")");
    Condition::comparison(row(columns.collect()), operator(direction, inclusive), &row(values.collect()))
}

/// The operator that compares values with those of a boundary.
fn operator(direction: Direction, inclusive: bool) -> &'static str {
    match (direction, inclusive) {
        (Direction::Desc, false) => "<",
        (Direction::Desc, true) => "<=",
        (Direction::Asc, false) => ">",
        (Direction::Asc, true) => ">=",
    }
}
