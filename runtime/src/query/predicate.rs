//! The rows after a boundary: ORDER BY and predicate for any number of columns, in the form that each database reads
//! along its index. Both come from one list of columns, so they cannot disagree.
//!
//! A predicate is a list of disjoint *ranges* that together contain every row after the boundary, the nearest first:
//! rows equal to the boundary in all columns but the last and beyond it there, then one column less, and so on. How
//! ranges become SQL was measured: a form that reads one page of an index on one database reads all of it on another.

use sea_query::{
    Asterisk, BinOper, Condition, Expr, ExprTrait as _, Keyword, NullOrdering, Query, SelectStatement, UnionType, Value,
};

use crate::dialect::{Dialect, RangeForm};
use crate::model::table::{Direction, Nulls};
use crate::query::access::Access;
use crate::query::order_column::OrderColumn;
use crate::value;

/// Where a page begins: after these values, or with them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Boundary<'a> {
    pub(crate) values: &'a [Bound<'a>],
    pub(crate) inclusive: bool,
}

/// A value of the boundary as it is bound.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound<'a> {
    pub(crate) value: &'a Value,
    /// The type to cast it to, in SQL.
    pub(crate) cast: Option<&'a str>,
}

impl Bound<'_> {
    pub(crate) fn expr(self) -> Expr {
        let value = Expr::Value(self.value.clone());
        self.cast.map_or_else(|| value.clone(), |cast| value.clone().cast_as(cast.to_owned()))
    }

    fn is_null(self) -> bool {
        value::is_null(self.value)
    }
}

/// How many rows a page has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    pub(crate) rows: u64,
    /// A larger one for an inner select: see [`Dialect::cached_plan_limit`].
    pub(crate) inner: Option<u64>,
}

/// A range of rows.
#[derive(Debug)]
struct Range<'a> {
    /// What holds for its rows.
    conditions: Vec<Expr>,
    /// The columns of the order that still vary within it.
    free: &'a [OrderColumn],
    /// Whether the first free column is known not to be NULL here.
    no_nulls: bool,
}

/// The first rows of `base` after `boundary`, in the order of `sorts`. `base` has neither ORDER BY nor LIMIT.
pub(crate) fn page(
    access: &Access,
    base: &SelectStatement,
    sorts: &[OrderColumn],
    boundary: Option<Boundary<'_>>,
    limit: Limit,
) -> SelectStatement {
    let dialect = access.dialect;
    let is_natural = sorts.iter().all(|sort| sort.is_natural(dialect));
    let ranges =
        boundary.map_or_else(|| first_ranges(dialect, sorts), |boundary| ranges_after(access, sorts, boundary));
    let form = if is_natural && access.sorted_prefix.is_none() { dialect.range_form() } else { RangeForm::SortedUnion };
    let page = Page { access, base, sorts, limit: limit.rows };
    let mut select = match (&*ranges, form) {
        ([], _) => nothing(base),
        // With NULLs out of index order, each range is sorted, with all of its rows.
        (ranges, _) if let (Some(inner), true) = (limit.inner, is_natural) => {
            Page { limit: inner, ..page }.sorted_union(ranges)
        }
        ([range], _) => page.select(range),
        (ranges, RangeForm::Union) => page.union(ranges),
        (ranges, RangeForm::Or) => page.any_of(ranges),
        (ranges, RangeForm::SortedUnion) => page.sorted_union(ranges),
    };
    select.limit(limit.rows).take()
}

/// A row of `base` that is equal to both boundaries, if the database takes them for equal.
pub(crate) fn tie(
    access: &Access,
    base: &SelectStatement,
    sorts: &[OrderColumn],
    boundaries: [&[Bound<'_>]; 2],
) -> SelectStatement {
    let mut select = base.clone();
    for values in boundaries {
        let keys = sorts.iter().zip(values.iter().copied()).enumerate();
        select.cond_where(all(&keys.map(|(at, key)| equal(access, at, key)).collect::<Vec<_>>()));
    }
    select.limit(1).take()
}

/// The ranges of the first page: all rows, or the two parts of a column whose NULLs are out of index order.
fn first_ranges(dialect: Dialect, sorts: &[OrderColumn]) -> Vec<Range<'_>> {
    let all = || Range { conditions: Vec::new(), free: sorts, no_nulls: false };
    let Some((first, rest)) = sorts.split_first() else { return vec![all()] };
    if first.is_natural(dialect) {
        return vec![all()];
    }
    let values = Range { conditions: vec![first.expr.clone().is_not_null()], free: sorts, no_nulls: true };
    let nulls = Range { conditions: vec![first.expr.clone().is_null()], free: rest, no_nulls: false };
    match first.nulls {
        Some(Nulls::First) => vec![nulls, values],
        _ => vec![values, nulls],
    }
}

/// The ranges after a boundary, the nearest first.
fn ranges_after<'a>(access: &Access, sorts: &'a [OrderColumn], boundary: Boundary<'_>) -> Vec<Range<'a>> {
    let keys: Vec<(&OrderColumn, Bound<'_>)> = sorts.iter().zip(boundary.values.iter().copied()).collect();
    let equal: Vec<Expr> = keys.iter().enumerate().map(|(at, key)| equal(access, at, *key)).collect();
    let before = |at: usize| equal.iter().take(at).cloned().collect::<Vec<Expr>>();
    let run = if access.row_values { row_value_run(sorts) } else { 0 };
    let (mut ranges, mut rest) = (Vec::new(), keys.len());
    if run >= 2 {
        rest = keys.len().saturating_sub(run);
        let (tail, free) = (keys.get(rest..).unwrap_or_default(), sorts.get(rest..).unwrap_or_default());
        let conditions = [before(rest), vec![row_value(tail, boundary.inclusive)]].concat();
        ranges.push(Range { conditions, free, no_nulls: true });
    } else if boundary.inclusive {
        ranges.push(Range { conditions: equal.clone(), free: &[], no_nulls: false });
    }
    for at in (0..rest).rev() {
        if let (Some(key), Some(free)) = (keys.get(at), sorts.get(at..)) {
            ranges.extend(ranges_beyond(access.dialect, &before(at), *key, free));
        }
    }
    ranges
}

/// The ranges in which `key` is the first column that differs from the boundary.
fn ranges_beyond<'a>(
    dialect: Dialect,
    before: &[Expr],
    (sort, bound): (&OrderColumn, Bound<'_>),
    free: &'a [OrderColumn],
) -> Vec<Range<'a>> {
    let range = |condition: Expr, free: &'a [OrderColumn], no_nulls: bool| {
        let conditions = before.iter().cloned().chain([condition]).collect();
        Range { conditions, free, no_nulls }
    };
    let rest = free.get(1..).unwrap_or_default();
    match (sort.nulls, bound.is_null()) {
        (Some(Nulls::First), true) => vec![range(sort.expr.clone().is_not_null(), free, true)],
        (_, true) => Vec::new(),
        (nulls, false) => {
            let mut ranges = vec![range(compare(dialect, sort, bound), free, true)];
            if nulls == Some(Nulls::Last) {
                ranges.push(range(sort.expr.clone().is_null(), rest, false));
            }
            ranges
        }
    }
}

/// The condition that the column `at` equals the boundary's value.
///
/// PostgreSQL takes a column that equals a value out of the ORDER BY. It may then read the primary key's index and
/// discard rows with another value: millions, if the rows it needs are far apart there. With a list of two values, even
/// of equal ones, the column stays in the ORDER BY, which only the key's own index serves. After the first column of an
/// index, a list ends the index's order, and up to version 16 PostgreSQL does not even search the index by it.
fn equal(access: &Access, at: usize, (sort, bound): (&OrderColumn, Bound<'_>)) -> Expr {
    if bound.is_null() {
        sort.expr.clone().is_null()
    } else if access.lists && at == 0 {
        sort.expr.clone().is_in([bound.expr(), bound.expr()])
    } else {
        against(access.dialect, sort, BinOper::Equal, bound)
    }
}

fn compare(dialect: Dialect, sort: &OrderColumn, bound: Bound<'_>) -> Expr {
    match sort.direction {
        Direction::Asc => against(dialect, sort, BinOper::GreaterThan, bound),
        Direction::Desc => against(dialect, sort, BinOper::SmallerThan, bound),
    }
}

fn against(dialect: Dialect, sort: &OrderColumn, operator: BinOper, bound: Bound<'_>) -> Expr {
    sort.expr.clone().binary(dialect.comparison(operator), bound.expr())
}

/// How many columns at the end are NOT NULL and have the same direction, so that one row value compares them.
fn row_value_run(sorts: &[OrderColumn]) -> usize {
    let direction = sorts.last().map(|sort| sort.direction);
    sorts.iter().rev().take_while(|sort| sort.nulls.is_none() && Some(sort.direction) == direction).count()
}

fn row_value(keys: &[(&OrderColumn, Bound<'_>)], inclusive: bool) -> Expr {
    let columns = Expr::tuple(keys.iter().map(|(sort, _)| sort.expr.clone()));
    let values = Expr::tuple(keys.iter().map(|(_, bound)| bound.expr()));
    match (keys.first().map(|(sort, _)| sort.direction), inclusive) {
        (Some(Direction::Desc), false) => columns.lt(values),
        (Some(Direction::Desc), true) => columns.lte(values),
        (_, false) => columns.gt(values),
        (_, true) => columns.gte(values),
    }
}

/// An empty result: nothing sorts after this boundary.
fn nothing(base: &SelectStatement) -> SelectStatement {
    base.clone().and_where(Expr::cust("1 = 0")).take()
}

/// A page to select from ranges.
#[derive(Clone, Copy)]
struct Page<'a> {
    access: &'a Access,
    base: &'a SelectStatement,
    sorts: &'a [OrderColumn],
    limit: u64,
}

impl Page<'_> {
    /// One range in its own order. The ORDER BY includes the columns that are fixed in it: PostgreSQL recognises an
    /// equality as sorted, but not IS NULL.
    fn select(&self, range: &Range<'_>) -> SelectStatement {
        let Self { access, base, sorts, .. } = *self;
        let fixed = sorts.len().saturating_sub(range.free.len());
        let mut select = base.clone();
        let has_alternative = access.alternative && (1..sorts.len()).contains(&fixed);
        match sorts.first().filter(|_| has_alternative) {
            Some(first) => select.cond_where(with_empty_alternative(first, range)),
            None if range.conditions.is_empty() => &mut select,
            None => select.cond_where(all(&range.conditions)),
        };
        if !access.dialect.sorts_incrementally() {
            self.limit_to_nearest_groups(&mut select, range);
        }
        for (at, sort) in sorts.iter().enumerate() {
            // A NULLS term would sort the whole range, so it is only used if NULLs are out of index order.
            let in_place = at < fixed || at == fixed && range.no_nulls || sort.is_natural(access.dialect);
            order_by(&mut select, sort.expr.clone(), sort, if in_place { None } else { sort.nulls });
        }
        select
    }

    /// Limits a range that no index has in its order to the groups that contain its first rows.
    ///
    /// MySQL and MariaDB sort a whole range for a page if the NULLs of a column after the first are at the wrong end.
    /// MySQL also does so if the index has the columns in other directions: see [`Access::sorted_prefix`]. The columns
    /// before that one are in the index's order, so the groups of its first rows contain the page, and only these are
    /// sorted. PostgreSQL and SQLite do the same by themselves.
    fn limit_to_nearest_groups(&self, select: &mut SelectStatement, range: &Range<'_>) {
        let Some(group) = self.sorted_group(range) else { return };
        // NULL is IN no list.
        if group.iter().enumerate().any(|(at, sort)| sort.nulls.is_some() && !(at == 0 && range.no_nulls)) {
            return;
        }
        let mut rows = select.clone();
        rows.clear_selects();
        for (at, sort) in group.iter().enumerate() {
            rows.expr_as(sort.expr.clone(), format!("folio_group_{at}"));
            order_by(&mut rows, sort.expr.clone(), sort, None);
        }
        let rows = rows.limit(self.limit).take();
        // MySQL accepts a subquery with a LIMIT only in a FROM.
        let groups = Query::select().column(Asterisk).from_subquery(rows, "folio_groups").take();
        select.and_where(Expr::tuple(group.iter().map(|sort| sort.expr.clone())).in_subquery(groups));
    }

    /// The free columns of a range that come sorted from the index, if not all of them do.
    fn sorted_group<'r>(&self, range: &Range<'r>) -> Option<&'r [OrderColumn]> {
        let Self { access, sorts, .. } = *self;
        let out_of_place = range.free.iter().skip(1).position(|sort| !sort.is_natural(access.dialect));
        let out_of_place = out_of_place.map(|at| at.saturating_add(1));
        let fixed = sorts.len().saturating_sub(range.free.len());
        // Without a condition MySQL reads the index in either direction.
        let prefix = access.sorted_prefix.filter(|_| !range.conditions.is_empty());
        let sorted = prefix.and_then(|prefix| prefix.checked_sub(fixed));
        let end = out_of_place.into_iter().chain(sorted).min().filter(|end| *end > 0)?;
        Some(range.free.get(..end).unwrap_or_default())
    }

    /// One SELECT for each range, with an order and a limit of its own, under the whole order: at most a page of rows
    /// is read of each.
    fn sorted_union(&self, ranges: &[Range<'_>]) -> SelectStatement {
        let selects = ranges.iter().enumerate().map(|(at, range)| {
            let range = self.select(range).limit(self.limit).take();
            Query::select().column(Asterisk).from_subquery(range, format!("folio_{at}")).take()
        });
        union(self.access.dialect, self.sorts, selects)
    }

    /// One SELECT for each range, without an order of its own.
    fn union(&self, ranges: &[Range<'_>]) -> SelectStatement {
        let selects = ranges.iter().map(|range| self.base.clone().cond_where(all(&range.conditions)).take());
        union(self.access.dialect, self.sorts, selects)
    }

    /// All ranges in one WHERE.
    fn any_of(&self, ranges: &[Range<'_>]) -> SelectStatement {
        let any = ranges.iter().fold(Condition::any(), |any, range| any.add(all(&range.conditions)));
        self.select(&Range { conditions: vec![Expr::from(any)], free: self.sorts, no_nulls: false })
    }
}

/// A range beside an alternative that no row is in. Without it MariaDB before version 11 looks the first column up and
/// skips every row that has its value, although a range over all columns is as near. Later versions sort instead.
fn with_empty_alternative(first: &OrderColumn, range: &Range<'_>) -> Condition {
    let nothing = first.expr.clone().lt(Expr::Keyword(Keyword::Null));
    Condition::any().add(all(&range.conditions)).add(nothing)
}

/// The selects under one order by the names of their result.
fn union(dialect: Dialect, sorts: &[OrderColumn], selects: impl Iterator<Item = SelectStatement>) -> SelectStatement {
    let whole = selects.reduce(|mut whole, select| whole.union(UnionType::All, select).take());
    let mut whole = whole.unwrap_or_default();
    order(dialect, &mut whole, sorts, |sort| Expr::col(sort.output.clone()));
    whole
}

/// Puts a select in the whole order, by the names of a result or by the columns that it is made of.
pub(crate) fn order(
    dialect: Dialect,
    select: &mut SelectStatement,
    sorts: &[OrderColumn],
    by: impl Fn(&OrderColumn) -> Expr,
) {
    for sort in sorts {
        let nulls = if sort.is_natural(dialect) { None } else { sort.nulls };
        order_by(select, by(sort), sort, nulls);
    }
}

fn all(conditions: &[Expr]) -> Condition {
    conditions.iter().cloned().fold(Condition::all(), Condition::add)
}

fn order_by(select: &mut SelectStatement, expr: Expr, sort: &OrderColumn, nulls: Option<Nulls>) {
    match nulls {
        None => select.order_by_expr(expr, sort.direction.into()),
        Some(Nulls::First) => select.order_by_expr_with_nulls(expr, sort.direction.into(), NullOrdering::First),
        Some(Nulls::Last) => select.order_by_expr_with_nulls(expr, sort.direction.into(), NullOrdering::Last),
    };
}

#[cfg(all(test, feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod tests;
