//! The rows behind a boundary: ORDER BY and predicate for any number of columns, in the form that each database walks
//! along its index with. Both come from one list of terms, so they cannot disagree.
//!
//! The *arms* of a boundary are disjoint ranges that together hold every row behind it, the nearest first: rows equal
//! to the boundary in all columns but the last and beyond it there, then one column less, and so on. How arms become
//! SQL was measured: what reads one page of an index on one database reads all of it on another.

use sea_query::{
    Asterisk, BinOper, Condition, Expr, ExprTrait as _, Keyword, NullOrdering, Query, SelectStatement, UnionType, Value,
};

use crate::dialect::Dialect;
use crate::model::table::{Direction, Nulls};
use crate::query::access::Access;
use crate::query::order_column::OrderColumn;
use crate::value;

/// Where a page begins: behind these values, or with them.
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
    /// A larger, literal limit of an inner select, which lets the database reuse its plan.
    pub(crate) few: Option<u64>,
}

/// A range of rows: what holds in it, and which terms still vary in it.
#[derive(Debug)]
struct Arm<'a> {
    conditions: Vec<Expr>,
    free: &'a [OrderColumn],
    /// Whether the first free term is known not to be NULL here.
    no_nulls: bool,
}

/// The first rows of `base` behind `boundary`, in the order of `sorts`. `base` has neither ORDER BY nor LIMIT.
pub(crate) fn page(
    access: &Access,
    base: &SelectStatement,
    sorts: &[OrderColumn],
    boundary: Option<Boundary<'_>>,
    Limit { rows: limit, few }: Limit,
) -> SelectStatement {
    let dialect = access.dialect;
    let natural = sorts.iter().all(|sort| sort.is_natural(dialect));
    let arms = boundary.map_or_else(|| beginning(dialect, sorts), |boundary| arms(access, sorts, boundary));
    let mut select = match (arms.as_slice(), dialect) {
        ([], _) => nothing(base),
        // With NULLs out of index order, each range is sorted, with all of its rows.
        (arms, _) if let (Some(few), true) = (few, natural) => ranges(access, base, sorts, arms, few),
        ([arm], _) => range(access, base, sorts, arm, limit),
        (_, Dialect::Sqlite) if natural => merged(dialect, base, sorts, &arms),
        (_, Dialect::MySql) if natural && access.sorted_prefix.is_none() => {
            alternatives(access, base, sorts, &arms, limit)
        }
        _ => ranges(access, base, sorts, &arms, limit),
    };
    select.limit(limit).take()
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

/// The arms of the first page: all rows, or the two parts of a column whose NULLs are out of index order.
fn beginning(dialect: Dialect, sorts: &[OrderColumn]) -> Vec<Arm<'_>> {
    let all = || Arm { conditions: Vec::new(), free: sorts, no_nulls: false };
    let Some((first, rest)) = sorts.split_first() else { return vec![all()] };
    if first.is_natural(dialect) {
        return vec![all()];
    }
    let values = Arm { conditions: vec![first.expr.clone().is_not_null()], free: sorts, no_nulls: true };
    let nulls = Arm { conditions: vec![first.expr.clone().is_null()], free: rest, no_nulls: false };
    match first.nulls {
        Some(Nulls::First) => vec![nulls, values],
        _ => vec![values, nulls],
    }
}

/// The arms behind a boundary, the nearest first.
fn arms<'a>(access: &Access, sorts: &'a [OrderColumn], boundary: Boundary<'_>) -> Vec<Arm<'a>> {
    let dialect = access.dialect;
    let keys: Vec<(&OrderColumn, Bound<'_>)> = sorts.iter().zip(boundary.values.iter().copied()).collect();
    let equal: Vec<Expr> = keys.iter().enumerate().map(|(at, key)| equal(access, at, *key)).collect();
    let before = |at: usize| equal.iter().take(at).cloned().collect::<Vec<Expr>>();
    let run = if dialect == Dialect::Postgres && access.row_values { row_value_run(sorts) } else { 0 };
    let single = keys.len().saturating_sub(run);
    let mut arms = Vec::new();
    if boundary.inclusive && run < 2 {
        arms.push(Arm { conditions: equal.clone(), free: &[], no_nulls: false });
    }
    if let (Some(tail), Some(free)) = (keys.get(single..), sorts.get(single..))
        && run >= 2
    {
        let mut conditions = before(single);
        conditions.push(row_value(tail, boundary.inclusive));
        arms.push(Arm { conditions, free, no_nulls: true });
    }
    let last = if run >= 2 { single } else { keys.len() };
    for at in (0..last).rev() {
        if let (Some(key), Some(free)) = (keys.get(at), sorts.get(at..)) {
            arms.extend(beyond(dialect, &before(at), *key, free));
        }
    }
    arms
}

/// The arms in which `key` is the first column that differs from the boundary.
fn beyond<'a>(
    dialect: Dialect,
    before: &[Expr],
    (sort, bound): (&OrderColumn, Bound<'_>),
    free: &'a [OrderColumn],
) -> Vec<Arm<'a>> {
    let arm = |condition: Expr, free: &'a [OrderColumn], no_nulls: bool| {
        let conditions = before.iter().cloned().chain([condition]).collect();
        Arm { conditions, free, no_nulls }
    };
    let rest = free.get(1..).unwrap_or_default();
    match (sort.nulls, bound.is_null()) {
        (Some(Nulls::First), true) => vec![arm(sort.expr.clone().is_not_null(), free, true)],
        (_, true) => Vec::new(),
        (nulls, false) => {
            let mut arms = vec![arm(compare(dialect, sort, bound), free, true)];
            if nulls == Some(Nulls::Last) {
                arms.push(arm(sort.expr.clone().is_null(), rest, false));
            }
            arms
        }
    }
}

/// That the column `at` is as the boundary's.
///
/// PostgreSQL takes a column that is equal to a value out of the ORDER BY, and may then go along the primary key's
/// index and throw away what has another value: millions of rows, where those that have it lie together. With a list of
/// two values, though they are the same, it stays in the ORDER BY, which only the key's own index serves. After the
/// first column of the index, a list ends the index's order; up to version 16 PostgreSQL does not even use it to search
/// there.
fn equal(access: &Access, at: usize, (sort, bound): (&OrderColumn, Bound<'_>)) -> Expr {
    if bound.is_null() {
        sort.expr.clone().is_null()
    } else if access.dialect == Dialect::Postgres && access.lists && at == 0 {
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

/// A column against the boundary's value.
///
/// Once a table is analyzed, SQLite plans for the bound value of a bare comparison, so it plans the statement again
/// whenever one is bound. After a unary plus it does not, and one plan serves every boundary.
fn against(dialect: Dialect, sort: &OrderColumn, operator: BinOper, bound: Bound<'_>) -> Expr {
    let operator = match (dialect, operator) {
        (Dialect::Sqlite, BinOper::Equal) => BinOper::Custom("= +"),
        (Dialect::Sqlite, BinOper::GreaterThan) => BinOper::Custom("> +"),
        (Dialect::Sqlite, BinOper::SmallerThan) => BinOper::Custom("< +"),
        (_, operator) => operator,
    };
    sort.expr.clone().binary(operator, bound.expr())
}

/// How many columns at the end are NOT NULL and go one way: PostgreSQL walks them as one row value.
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
    base.clone().and_where(Expr::val(1).eq(0)).take()
}

/// One arm in its own order. The ORDER BY includes the columns that are fixed in it: PostgreSQL recognises an equality
/// as sorted, but not IS NULL.
fn range(access: &Access, base: &SelectStatement, sorts: &[OrderColumn], arm: &Arm<'_>, limit: u64) -> SelectStatement {
    let dialect = access.dialect;
    let fixed = sorts.len().saturating_sub(arm.free.len());
    let mut select = base.clone();
    let alternative = dialect == Dialect::MySql && access.alternative && (1..sorts.len()).contains(&fixed);
    match sorts.first().filter(|_| alternative) {
        Some(first) => select.cond_where(whole_range(first, arm)),
        None if arm.conditions.is_empty() => &mut select,
        None => select.cond_where(all(&arm.conditions)),
    };
    if dialect == Dialect::MySql {
        nearest_groups(&mut select, access, sorts, arm, limit);
    }
    for (at, sort) in sorts.iter().enumerate() {
        // A NULLS term would sort the whole arm, so it is only used if NULLs are out of index order.
        let in_place = at < fixed || at == fixed && arm.no_nulls || sort.is_natural(dialect);
        order_by(&mut select, sort.expr.clone(), sort, if in_place { None } else { sort.nulls });
    }
    select
}

/// An arm beside an alternative that no row is in. Without it MariaDB before version 11 looks the first column up and
/// passes over every row that has its value, though a range over all columns is as near. Later versions sort instead.
fn whole_range(first: &OrderColumn, arm: &Arm<'_>) -> Condition {
    let nothing = first.expr.clone().lt(Expr::Keyword(Keyword::Null));
    Condition::any().add(all(&arm.conditions)).add(nothing)
}

/// Limits an arm that no index has in its order to the groups that contain its first rows.
///
/// MySQL and MariaDB sort a whole arm for a page if the NULLs of a column after the first are at the wrong end. MySQL
/// also does so if the index has the columns in other directions: see [`Access::sorted_prefix`]. The columns before
/// that one are in the index's order, so the groups of its first rows contain the page, and only these are sorted.
/// PostgreSQL and SQLite do the same by themselves.
fn nearest_groups(select: &mut SelectStatement, access: &Access, sorts: &[OrderColumn], arm: &Arm<'_>, limit: u64) {
    let out_of_place = arm.free.iter().skip(1).position(|sort| !sort.is_natural(Dialect::MySql));
    let out_of_place = out_of_place.map(|at| at.saturating_add(1));
    let fixed = sorts.len().saturating_sub(arm.free.len());
    // Without a condition MySQL reads the index in either direction.
    let sorted =
        access.sorted_prefix.filter(|_| !arm.conditions.is_empty()).and_then(|sorted| sorted.checked_sub(fixed));
    let Some(end) = out_of_place.into_iter().chain(sorted).min().filter(|end| *end > 0) else { return };
    let group = arm.free.get(..end).unwrap_or_default();
    // NULL is IN no list.
    if group.iter().enumerate().any(|(at, sort)| sort.nulls.is_some() && !(at == 0 && arm.no_nulls)) {
        return;
    }
    let mut rows = select.clone();
    rows.clear_selects();
    for (at, sort) in group.iter().enumerate() {
        rows.expr_as(sort.expr.clone(), format!("folio_group_{at}"));
        order_by(&mut rows, sort.expr.clone(), sort, None);
    }
    // MySQL accepts a subquery with a LIMIT only in a FROM.
    let groups = Query::select().column(Asterisk).from_subquery(rows.limit(limit).take(), "folio_groups").take();
    select.and_where(Expr::tuple(group.iter().map(|sort| sort.expr.clone())).in_subquery(groups));
}

/// One SELECT an arm, each with its own order and limit, under the whole order: at most a page of rows is read of each.
fn ranges(
    access: &Access,
    base: &SelectStatement,
    sorts: &[OrderColumn],
    arms: &[Arm<'_>],
    limit: u64,
) -> SelectStatement {
    let selects = arms.iter().enumerate().map(|(at, arm)| {
        let range = range(access, base, sorts, arm, limit).limit(limit).take();
        Query::select().column(Asterisk).from_subquery(range, format!("folio_{at}")).take()
    });
    union(access.dialect, sorts, selects)
}

/// One SELECT an arm without orders of their own: SQLite merges them lazily along the index.
fn merged(dialect: Dialect, base: &SelectStatement, sorts: &[OrderColumn], arms: &[Arm<'_>]) -> SelectStatement {
    union(dialect, sorts, arms.iter().map(|arm| base.clone().cond_where(all(&arm.conditions)).take()))
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

/// All arms in one WHERE: MySQL and MariaDB read an OR of ranges along one index.
fn alternatives(
    access: &Access,
    base: &SelectStatement,
    sorts: &[OrderColumn],
    arms: &[Arm<'_>],
    limit: u64,
) -> SelectStatement {
    let any = arms.iter().fold(Condition::any(), |any, arm| any.add(all(&arm.conditions)));
    let whole = Arm { conditions: vec![Expr::from(any)], free: sorts, no_nulls: false };
    range(access, base, sorts, &whole, limit)
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
