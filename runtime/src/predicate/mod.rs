//! The rows after a boundary: ORDER BY and predicate for any number of columns, in the form that each database reads
//! along its index. Both come from one list of columns, so they cannot disagree.
//!
//! A predicate is a list of disjoint *ranges* that together contain every row after the boundary, the nearest first:
//! rows equal to the boundary in all columns but the last and beyond it there, then one column less, and so on. How
//! ranges become SQL was measured: a form that reads one page of an index on one database reads all of it on another.

mod ranges;
mod sort;
mod union;

use sea_query::{Asterisk, CaseStatement, Condition, Expr, ExprTrait as _, Keyword, Query, SelectStatement, UnionType};

use self::ranges::{Range, equalities, equals, keys, ranges_after, ranges_of};
pub(crate) use self::ranges::{from, until};
use self::sort::order_by;
pub(crate) use self::sort::{order, order_within};
pub(crate) use self::union::{all_of, union_of, united};
use self::union::{parenthesized, union};
use crate::access::AccessPath;
use crate::boundary::{Bound, Boundary};
use crate::dialect::{Dialect, RangeForm};
use crate::order::OrderColumn;

/// How many rows a page has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    pub(crate) rows: u64,
    pub(crate) skip: u64,
    /// A larger one for an inner select: see [`Facts::cached_plan_limit`](crate::dialect::Facts::cached_plan_limit).
    pub(crate) inner: Option<u64>,
    /// The limit of a single row, or its placeholder: see [`PageValues::one`](crate::statement::template::PageValues::one).
    pub(crate) one: u64,
}

/// The rows from which a page is read, in an order: the first rows after a boundary, or of the whole list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span<'a> {
    pub(crate) access: &'a AccessPath,
    pub(crate) sorts: &'a [OrderColumn],
    pub(crate) boundary: Option<Boundary<'a>>,
    /// Where the rows end that belong to the page: see [`mark`](Self::mark).
    pub(crate) end: Option<Boundary<'a>>,
    pub(crate) limit: Limit,
}

impl Limit {
    /// How many rows are read for the page.
    pub(crate) fn read(self) -> u64 {
        // LIMIT is an i64 on every database. The rows alone are less, or a placeholder, which may not change.
        const MAX: u64 = i64::MAX as u64;
        if self.skip == 0 { self.rows } else { Ord::min(self.rows.saturating_add(self.skip), MAX) }
    }

    pub(crate) fn of(rows: u64) -> Self {
        Self { rows, skip: 0, inner: None, one: 1 }
    }

    pub(crate) fn without_inner(self) -> Self {
        Self { inner: None, ..self }
    }

    /// Takes the page out of rows that are in order.
    pub(crate) fn apply(self, select: &mut SelectStatement) -> SelectStatement {
        if self.skip > 0 {
            select.offset(self.skip);
        }
        select.limit(self.rows).take()
    }
}

impl<'a> Span<'a> {
    /// The span's rows of `base`, which has neither ORDER BY nor LIMIT.
    pub(crate) fn of(self, base: &SelectStatement) -> SelectStatement {
        let page = Page { access: self.access, base, sorts: self.sorts, limit: self.limit.read() };
        self.limit.apply(&mut self.rows_of(page))
    }

    /// The ordered rows from which the page is cut.
    fn rows_of(self, page: Page<'_>) -> SelectStatement {
        let ranges = self.ranges();
        match self.inner_limit() {
            _ if ranges.is_empty() => nothing(page.base),
            Some(limit) => Page { limit, ..page }.sorted_union(&ranges),
            None => page.of_ranges(&ranges, self.form()),
        }
    }

    /// Puts a select in the span's order, by the columns that `by` names.
    pub(crate) fn sort(self, select: &mut SelectStatement, by: impl Fn(&OrderColumn) -> Expr) {
        order(self.access.dialect(), select, self.sorts, by);
    }

    /// The span's rows of several selects.
    pub(crate) fn of_all(self, bases: impl Iterator<Item = SelectStatement>) -> SelectStatement {
        let pages = self.of_each(bases);
        self.limit.apply(&mut united(self.access.dialect(), self.sorts, pages))
    }

    /// The span's rows of many selects of the same columns, each row once if `UnionType` is `Distinct`.
    pub(crate) fn of_many(
        self,
        bases: impl Iterator<Item = SelectStatement>,
        union_type: UnionType,
    ) -> SelectStatement {
        let pages = parenthesized(self.access.dialect(), self.of_each(bases));
        self.limit.apply(&mut union(self.access.dialect(), self.sorts, pages, union_type))
    }

    /// The first rows of each select. The page is cut from their union.
    fn of_each(self, bases: impl Iterator<Item = SelectStatement>) -> impl Iterator<Item = SelectStatement> {
        let each = Self { limit: Limit { rows: self.limit.read(), skip: 0, ..self.limit }, ..self };
        bases.map(move |base| each.of(&base))
    }

    /// Marks the rows before the span's end: [`WITHIN`] is not NULL in them.
    ///
    /// With a second condition instead, the database may choose another plan and read all rows up to the boundary. This
    /// way it reads only one page, and shows whether further rows follow.
    pub(crate) fn mark(self, select: &mut SelectStatement) {
        if let Some(end) = self.end {
            select.expr_as(CaseStatement::new().case(self.before(end), Expr::cust("1")), WITHIN);
        }
    }

    /// The condition that a row is before a boundary. Rows with NULL in a column whose type has none are where the database
    /// sorts them.
    fn before(self, end: Boundary<'_>) -> Condition {
        let dialect = self.access.dialect();
        let sorts: Vec<_> = self.sorts.iter().map(|sort| sort.with_natural_nulls(dialect)).collect();
        before(dialect, &sorts, end)
    }

    /// `leading columns <= values`, in the order's directions. A page after a boundary has no rows that sort before all
    /// values, such as NULLs.
    pub(crate) fn within(self, values: &[Bound<'_>]) -> Condition {
        let end = Boundary { values, inclusive: true };
        if self.boundary.is_some() { before(self.access.dialect(), self.sorts, end) } else { self.before(end) }
    }

    /// Marks all rows if the conditions of the page leave one out: [`LEFT_OUT`] is not NULL then. `list` is a select of the
    /// list's rows.
    ///
    /// If the column is NOT NULL, most servers do not even look: PostgreSQL only from version 17 on.
    pub(crate) fn verify(self, select: &mut SelectStatement, list: impl FnOnce() -> SelectStatement) {
        if let Some(left_out) = self.left_out() {
            let mut found = list();
            found.clear_selects().expr(Expr::cust("TRUE")).cond_where(left_out);
            select.expr_as(CaseStatement::new().case(Expr::exists(found), Expr::cust("TRUE")), LEFT_OUT);
        }
    }

    /// The condition that a row sorts after the boundary, but does not match the conditions of the page, because it has
    /// NULL in a column whose type has none; `None` if there can be no such row.
    ///
    /// Rows with NULL in the order's first column do not count. They sort after all other rows, so a page that is not the last
    /// one leaves none of them out.
    pub(crate) fn left_out(self) -> Option<Condition> {
        let dialect = self.access.dialect();
        let keys = keys(self.sorts, self.boundary?.values);
        let hidden = keys.iter().enumerate().skip(1).filter(|(_, (sort, _))| sort.hides_nulls(dialect));
        let left_out = hidden.map(|(at, (sort, _))| {
            let equal = keys.iter().take(at).map(|key| equals(dialect, *key));
            equal.fold(Condition::all(), Condition::add).add(sort.in_select().is_null())
        });
        left_out.reduce(|one, other| Condition::any().add(one).add(other))
    }

    /// The ranges that the rows are in, the nearest first.
    fn ranges(self) -> Vec<Range<'a>> {
        match self.boundary {
            Some(boundary) => ranges_after(self.access, self.sorts, boundary),
            None => ranges_of(self.access.dialect(), Vec::new(), self.sorts),
        }
    }

    /// The limit of an inner select. With NULLs out of index order there is none: each range is sorted, with all of its
    /// rows.
    fn inner_limit(self) -> Option<u64> {
        let is_natural = self.sorts.iter().all(|sort| sort.is_natural(self.access.dialect()));
        self.limit.inner.filter(|_| is_natural)
    }

    /// The form in which several ranges are read along an index.
    fn form(self) -> RangeForm {
        let Self { access, sorts, .. } = self;
        let is_sorted = access.is_in_order(sorts) && !resorts(access.dialect(), sorts);
        if is_sorted { access.dialect().facts().ranges } else { RangeForm::SortedUnion }
    }
}

fn before(dialect: Dialect, sorts: &[OrderColumn], end: Boundary<'_>) -> Condition {
    let backwards: Vec<_> = sorts.iter().map(OrderColumn::reversed).collect();
    let access = AccessPath::unknown(dialect).with_plain_equalities();
    let ranges = ranges_after(&access, &backwards, end);
    if ranges.is_empty() { Condition::all().add(nowhere()) } else { any(&ranges) }
}

/// Whether the database would sort a range although an index has its order, because it does not recognize that an
/// expression is fixed.
fn resorts(dialect: Dialect, sorts: &[OrderColumn]) -> bool {
    dialect.facts().sorts_fixed_expressions && sorts.iter().any(|sort| sort.is_computed)
}

/// The name of the column that is NULL in the rows beyond the end of a page.
pub(crate) const WITHIN: &str = "folio_within";

/// The name of the column that is not NULL if the conditions of a page [leave a row out](Span::left_out).
pub(crate) const LEFT_OUT: &str = "folio_left_out";

pub(crate) type Pair<'a> = [Vec<Bound<'a>>; 2];

/// Selects a row of `base` if the database considers both boundaries of a pair equal to it.
pub(crate) fn tie(
    access: &AccessPath,
    base: &SelectStatement,
    sorts: &[OrderColumn],
    pairs: &[Pair<'_>],
) -> SelectStatement {
    let both = |pair| equal_to_both(access, sorts, pair);
    let any = pairs.iter().map(both).fold(Condition::any(), Condition::add);
    base.clone().cond_where(any).limit(1).take()
}

/// The condition that a row is equal to both boundaries of a pair.
fn equal_to_both(access: &AccessPath, sorts: &[OrderColumn], pair: &Pair<'_>) -> Condition {
    let equal = |values: &Vec<Bound<'_>>| all(&equalities(access, &keys(sorts, values)));
    pair.iter().map(equal).fold(Condition::all(), Condition::add)
}

/// An empty result: nothing sorts after this boundary.
fn nothing(base: &SelectStatement) -> SelectStatement {
    base.clone().and_where(nowhere()).take()
}

/// A condition that no row matches.
fn nowhere() -> Expr {
    Expr::cust("1 = 0")
}

/// A page to select from ranges.
#[derive(Clone, Copy)]
struct Page<'a> {
    access: &'a AccessPath,
    base: &'a SelectStatement,
    sorts: &'a [OrderColumn],
    limit: u64,
}

impl Page<'_> {
    /// One range in its own order. The ORDER BY includes the columns that are fixed in it: PostgreSQL recognises an
    /// equality as sorted, but not IS NULL.
    fn select(&self, range: &Range<'_>) -> SelectStatement {
        let mut select = self.filtered(range);
        if !self.access.dialect().facts().sorts_incrementally {
            self.limit_to_nearest_groups(&mut select, range);
        }
        self.order(&mut select, range);
        select
    }

    /// How many columns of the order have one value in a range.
    fn fixed(&self, range: &Range<'_>) -> usize {
        self.sorts.len().saturating_sub(range.free.len())
    }

    /// The rows of one range, in no order.
    fn filtered(&self, range: &Range<'_>) -> SelectStatement {
        let mut select = self.base.clone();
        if let Some(first) = self.sorts.first().filter(|_| self.needs_alternative(range)) {
            select.cond_where(with_empty_alternative(first, range));
        } else if !range.conditions.is_empty() {
            select.cond_where(all(&range.conditions));
        }
        select
    }

    /// Whether a range needs an OR branch that matches no row: if some of the columns are fixed in it, but not all.
    fn needs_alternative(&self, range: &Range<'_>) -> bool {
        self.access.or_false_branch() && (1..self.sorts.len()).contains(&self.fixed(range))
    }

    /// Puts the rows of one range in order.
    fn order(&self, select: &mut SelectStatement, range: &Range<'_>) {
        for (at, sort) in self.sorts.iter().enumerate().skip(self.first_sorted(range)) {
            // A NULLS term would sort the whole range, so it is only used if NULLs are out of index order.
            let nulls = sort.nulls.filter(|_| !self.has_nulls_in_place(range, at, sort));
            order_by(select, sort.in_select(), sort, nulls);
        }
    }

    /// The first column that a range's ORDER BY includes.
    fn first_sorted(&self, range: &Range<'_>) -> usize {
        if resorts(self.access.dialect(), self.sorts) { self.fixed(range) } else { 0 }
    }

    /// Whether the NULLs of a range in the column `at` need no sorting: there are none, or only NULLs, or they are
    /// where an index has them.
    fn has_nulls_in_place(&self, range: &Range<'_>, at: usize, sort: &OrderColumn) -> bool {
        let fixed = self.fixed(range);
        at < fixed || at == fixed && range.no_nulls || sort.is_natural(self.access.dialect())
    }

    /// Limits a range that no index has in its order to the groups that contain its first rows.
    ///
    /// MySQL and MariaDB sort a whole range for a page if the NULLs of a column after the first are at the wrong end.
    /// MySQL also does so if the index has the columns in other directions: see [`AccessPath::sorted_prefix`]. The columns
    /// before that one are in the index's order, so the groups of its first rows contain the page, and only these are
    /// sorted. PostgreSQL and SQLite do the same by themselves.
    fn limit_to_nearest_groups(&self, select: &mut SelectStatement, range: &Range<'_>) {
        // IN never matches NULL.
        let group = self.sorted_group(range).filter(|group| !range.may_have_nulls(group));
        if let Some(group) = group {
            let nearest = select_group(select.clone(), group).limit(self.limit).take();
            select.and_where(tuple(group).in_subquery(in_from(nearest)));
        }
    }

    /// The free columns of a range that come sorted from the index, if not all of them do.
    fn sorted_group<'r>(&self, range: &Range<'r>) -> Option<&'r [OrderColumn]> {
        let out_of_place = first_out_of_place(self.access.dialect(), range.free);
        let end = out_of_place.into_iter().chain(self.sorted_run(range)).min().filter(|end| *end > 0)?;
        range.free.get(..end)
    }

    /// How many free columns of a range MySQL reads sorted from the index, if not all of them. Without a condition it
    /// reads the index in either direction.
    fn sorted_run(&self, range: &Range<'_>) -> Option<usize> {
        let prefix = self.access.sorted_prefix().filter(|_| !range.conditions.is_empty());
        prefix?.checked_sub(self.fixed(range))
    }

    fn of_ranges(&self, ranges: &[Range<'_>], form: RangeForm) -> SelectStatement {
        if let [range] = ranges {
            return self.select(range);
        }
        match form {
            RangeForm::Union => self.union(ranges),
            RangeForm::Or => self.any_of(ranges),
            RangeForm::SortedUnion => self.sorted_union(ranges),
        }
    }

    /// One SELECT for each range, each with an order and a limit, under the whole order: at most a page of rows is read
    /// of each.
    fn sorted_union(&self, ranges: &[Range<'_>]) -> SelectStatement {
        let pages = ranges.iter().map(|range| self.select(range).limit(self.limit).take());
        united(self.access.dialect(), self.sorts, pages)
    }

    /// One SELECT for each range, without separate orders.
    fn union(&self, ranges: &[Range<'_>]) -> SelectStatement {
        let selects = ranges.iter().map(|range| self.base.clone().cond_where(all(&range.conditions)).take());
        union(self.access.dialect(), self.sorts, selects, UnionType::All)
    }

    /// All ranges in one WHERE.
    fn any_of(&self, ranges: &[Range<'_>]) -> SelectStatement {
        self.select(&Range::new(vec![Expr::from(any(ranges))], self.sorts))
    }
}

/// The groups as a derived table: MySQL accepts a subquery with a LIMIT only in a FROM.
fn in_from(groups: SelectStatement) -> SelectStatement {
    Query::select().column(Asterisk).from_subquery(groups, "folio_groups").take()
}

/// The columns of a group as a row value.
fn tuple(group: &[OrderColumn]) -> Expr {
    Expr::tuple(group.iter().map(OrderColumn::in_select))
}

/// The index of the first column after `free[0]` whose NULLs are out of index order.
fn first_out_of_place(dialect: Dialect, free: &[OrderColumn]) -> Option<usize> {
    let mut after_first = free.iter().enumerate().skip(1);
    after_first.find(|(_, sort)| !sort.is_natural(dialect)).map(|(at, _)| at)
}

/// The columns of a group instead of the whole rows, in their order.
fn select_group(mut rows: SelectStatement, group: &[OrderColumn]) -> SelectStatement {
    rows.clear_selects();
    for (at, sort) in group.iter().enumerate() {
        rows.expr_as(sort.expr.clone(), format!("folio_group_{at}"));
        order_by(&mut rows, sort.expr.clone(), sort, None);
    }
    rows
}

/// Adds an OR branch that matches no row. Without it, MariaDB before version 11 looks up the first column's value and
/// skips rows one by one, instead of using a range over all columns. With it, later versions would sort.
fn with_empty_alternative(first: &OrderColumn, range: &Range<'_>) -> Condition {
    let nothing = first.expr.clone().lt(Expr::Keyword(Keyword::Null));
    Condition::any().add(all(&range.conditions)).add(nothing)
}

/// The condition that a row is in one of the ranges.
fn any(ranges: &[Range<'_>]) -> Condition {
    ranges.iter().fold(Condition::any(), |any, range| any.add(all(&range.conditions)))
}

fn all(conditions: &[Expr]) -> Condition {
    conditions.iter().cloned().fold(Condition::all(), Condition::add)
}

#[cfg(test)]
#[cfg(all(feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod tests;
