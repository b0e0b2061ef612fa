//! The rows after a boundary: ORDER BY and predicate for any number of columns, in the form that each database reads
//! along its index. Both come from one list of columns, so they cannot disagree.
//!
//! A predicate is a list of disjoint *ranges* that together contain every row after the boundary, the nearest first:
//! rows equal to the boundary in all columns but the last and beyond it there, then one column less, and so on. How
//! ranges become SQL was measured: a form that reads one page of an index on one database reads all of it on another.

mod ranges;
mod sort;
mod union;

use self::ranges::{Range, equalities, keys, ranges_after, ranges_of};
pub use self::ranges::{ValueSource, from, until};
use self::sort::order_by;
pub(crate) use self::sort::order_within;
pub use self::sort::{Names, order};
pub(crate) use self::union::parenthesized;
pub use self::union::{Union, union_of, united};
use crate::access::AccessPath;
use crate::boundary::{Boundary, BoundaryValue};
use crate::dialect::{Dialect, Param, RangeForm, Sql};
use crate::order::OrderColumn;
use crate::statement::condition::{Condition, operand};
use crate::statement::select::{Number, Select};

/// How many rows a page has.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    pub rows: Number,
    pub skip: u64,
    /// The limit of an inner select: see [`Facts::literal_limit`](crate::dialect::Facts::literal_limit).
    pub literal_limit: Option<u64>,
}

/// The rows from which a page is read, in an order: the first rows after a boundary, or of the whole list.
#[derive(Debug, Clone, Copy)]
pub struct Span<'a> {
    pub access: &'a AccessPath,
    pub sorts: &'a [OrderColumn],
    pub boundary: Option<Boundary<'a>>,
    /// Where the boundary's values come from.
    pub source: ValueSource,
    /// Where the rows end that belong to the page: see [`mark`](Self::mark).
    pub end: Option<Boundary<'a>>,
    pub limit: Limit,
}

impl Limit {
    pub fn of(rows: Number) -> Self {
        Self { rows, skip: 0, literal_limit: None }
    }

    /// How many rows are read for the page.
    pub fn read(self) -> Number {
        // LIMIT is an i64 on every database.
        const MAX: u64 = i64::MAX as u64;
        match self.skip {
            0 => self.rows,
            skip => Number::Bound(Ord::min(self.rows.get().saturating_add(skip), MAX)),
        }
    }

    /// Takes the page out of rows that are in order.
    pub(crate) fn apply(self, select: Select) -> Select {
        let skip = (self.skip > 0).then(|| Param::Constant(self.skip.into()));
        select.limit(self.rows).offset(skip)
    }
}

impl<'a> Span<'a> {
    /// The span's rows of `base`, which has neither ORDER BY nor LIMIT.
    pub fn of(self, base: &Select) -> Select {
        // The ranges that the rows are in, the nearest first.
        let ranges = match self.boundary {
            Some(boundary) => ranges_after(self.access, self.sorts, boundary, self.source),
            None => ranges_of(self.access.dialect(), Vec::new(), self.sorts),
        };
        // With NULLs out of index order, each range is sorted, with all of its rows, so a literal limit saves nothing.
        let is_natural = self.sorts.iter().all(|sort| sort.is_natural(self.access.dialect()));
        let literal_limit = self.limit.literal_limit.filter(|_| is_natural).map(Number::Literal);
        let limit = literal_limit.unwrap_or(self.limit.read());
        let page = Page { access: self.access, base, sorts: self.sorts, limit };
        let rows = match &*ranges {
            [] => base.clone().and(Condition::nowhere(self.access.dialect())),
            [range] if literal_limit.is_none() => page.select(range),
            _ => page.of_ranges(&ranges, if literal_limit.is_some() { RangeForm::SortedUnion } else { self.form() }),
        };
        self.limit.apply(rows)
    }

    /// Puts a select in the span's order.
    pub fn sort(self, select: Select, by: Names<'_>) -> Select {
        order(select, self.sorts, by)
    }

    /// The span's rows of several selects.
    pub fn of_all(self, bases: impl Iterator<Item = Select>) -> Select {
        self.limit.apply(united(self.access.dialect(), self.sorts, self.of_each(bases)))
    }

    /// The span's rows of many selects of the same columns.
    pub(crate) fn of_many(self, bases: impl Iterator<Item = Select>, union: Union) -> Select {
        let pages = union_of(self.access.dialect(), parenthesized(self.of_each(bases)), union);
        self.limit.apply(order(pages, self.sorts, Names::InResult))
    }

    /// The first rows of each select. The page is cut from their union.
    fn of_each(self, bases: impl Iterator<Item = Select>) -> impl Iterator<Item = Select> {
        let each = Self { limit: Limit { rows: self.limit.read(), skip: 0, ..self.limit }, ..self };
        bases.map(move |base| each.of(&base))
    }

    /// Marks the rows before the span's end: [`WITHIN`] is not NULL in them.
    ///
    /// With a second condition instead, the database may choose another plan and read all rows up to the boundary. This
    /// way it reads only one page, and shows whether further rows follow.
    pub fn mark(self, select: Select) -> Select {
        let Some(end) = self.end else { return select };
        let is_before = self.before(end, ValueSource::Constant);
        select.column_as(|sql| sql.push("(CASE WHEN (").append(is_before.sql()).push(") THEN 1 END)"), WITHIN)
    }

    /// The condition that a row is before a boundary. Rows with NULL in a column whose type has none are where the
    /// database sorts them.
    fn before(self, end: Boundary<'_>, source: ValueSource) -> Condition {
        let dialect = self.access.dialect();
        let sorts: Vec<_> = self.sorts.iter().map(|sort| sort.with_natural_nulls(dialect)).collect();
        before(dialect, &sorts, end, source)
    }

    /// `leading columns <= values`, in the order's directions, with the values of the upper bound. A page after a
    /// boundary has no rows that sort before all values, such as NULLs.
    pub fn within(self, values: &[BoundaryValue]) -> Condition {
        let (end, source) = (Boundary { values, inclusive: true }, ValueSource::UpperBound);
        if self.boundary.is_some() {
            before(self.access.dialect(), self.sorts, end, source)
        } else {
            self.before(end, source)
        }
    }

    /// Marks all rows if the conditions of the page leave one out: [`LEFT_OUT`] is not NULL then. `list` is a select of
    /// the list's rows.
    ///
    /// If the column is NOT NULL, most servers do not even look: PostgreSQL only from version 17 on.
    pub(crate) fn verify(self, select: Select, list: impl FnOnce() -> Select) -> Select {
        let left_out = self.left_out();
        if left_out.is_empty() {
            return select;
        }
        let found = list().without_columns().column(|sql| sql.push("TRUE")).and_all(left_out).sql();
        select.column_as(|sql| sql.push("(CASE WHEN (EXISTS").enclosed(&found).push(") THEN TRUE END)"), LEFT_OUT)
    }

    /// The conditions, joined by AND, of a row that sorts after the boundary, but does not match the conditions of the
    /// page, because it has NULL in a column whose type has none. None if there can be no such row.
    ///
    /// Rows with NULL in the order's first column do not count. They sort after all other rows, so a page that is not
    /// the last one leaves none of them out.
    pub fn left_out(self) -> Vec<Condition> {
        let dialect = self.access.dialect();
        let values = self.boundary.map_or(&[][..], |boundary| boundary.values);
        let keys = keys(self.sorts, values, self.source);
        let hidden = keys.iter().enumerate().skip(1).filter(|(_, key)| key.sort.hides_nulls(dialect));
        let left_out = hidden.map(|(at, key)| {
            let is_null = Condition::is_null(operand(dialect, &key.sort.expr));
            keys.iter().take(at).map(|key| key.equals(dialect)).chain([is_null]).collect()
        });
        match <[Vec<Condition>; 1]>::try_from(left_out.collect::<Vec<_>>()) {
            Ok([only]) => only,
            Err(several) => Condition::any(several.into_iter().filter_map(Condition::all)).into_iter().collect(),
        }
    }

    /// The form in which several ranges are read along an index.
    fn form(self) -> RangeForm {
        let Self { access, sorts, .. } = self;
        let is_sorted = access.is_in_order(sorts) && !resorts(access.dialect(), sorts);
        if is_sorted { access.dialect().facts().ranges } else { RangeForm::SortedUnion }
    }
}

/// The rows after a boundary, as conditions that an index reads as one range each. No row matches two of them. Rows with
/// NULL in a column whose type has none are where the database sorts them.
pub fn ranges(access: &AccessPath, sorts: &[OrderColumn], boundary: Boundary<'_>) -> Vec<Condition> {
    let sorts: Vec<_> = sorts.iter().map(|sort| sort.with_natural_nulls(access.dialect())).collect();
    let ranges = ranges_after(access, &sorts, boundary, ValueSource::Constant);
    ranges.into_iter().filter_map(|range| Condition::all(range.conditions)).collect()
}

fn before(dialect: Dialect, sorts: &[OrderColumn], end: Boundary<'_>, source: ValueSource) -> Condition {
    let backwards: Vec<_> = sorts.iter().map(OrderColumn::reversed).collect();
    let access = AccessPath::unknown(dialect).with_plain_equalities();
    any(ranges_after(&access, &backwards, end, source)).unwrap_or_else(|| Condition::nowhere(dialect))
}

/// Whether the database would sort a range although an index has its order, because it does not recognize that an
/// expression is fixed.
fn resorts(dialect: Dialect, sorts: &[OrderColumn]) -> bool {
    dialect.facts().sorts_fixed_expressions && sorts.iter().any(|sort| sort.is_computed)
}

/// The name of the column that is NULL in the rows beyond the end of a page.
pub const WITHIN: &str = "folio_within";

/// The name of the column that is not NULL if the conditions of a page [leave a row out](Span::left_out).
pub const LEFT_OUT: &str = "folio_left_out";

pub type Pair<'a> = [&'a [BoundaryValue]; 2];

/// Selects a row of `base` if the database considers both boundaries of a pair equal to it.
pub fn tie(access: &AccessPath, base: Select, sorts: &[OrderColumn], pairs: &[Pair<'_>]) -> Select {
    let equal =
        |values: &&[BoundaryValue]| Condition::all(equalities(access, &keys(sorts, values, ValueSource::Constant)));
    let both = |pair: &Pair<'_>| Condition::all(pair.iter().filter_map(equal));
    base.and_all(Condition::any(pairs.iter().filter_map(both))).limit(Number::Bound(1))
}

/// A page to select from ranges.
#[derive(Clone, Copy)]
struct Page<'a> {
    access: &'a AccessPath,
    base: &'a Select,
    sorts: &'a [OrderColumn],
    limit: Number,
}

impl Page<'_> {
    /// One range in its own order. The ORDER BY includes the columns that are fixed in it: PostgreSQL recognises an
    /// equality as sorted, but not IS NULL.
    fn select(&self, range: &Range<'_>) -> Select {
        let dialect = self.access.dialect();
        // How many columns of the order have one value in the range.
        let fixed = self.sorts.len().saturating_sub(range.free.len());
        let mut select = self.base.clone().and_all(self.conditions(range, fixed));
        if let Some(group) = self.grouping(range, fixed) {
            let groups = self.groups_to_sort(select.clone(), group);
            let columns = Sql::new(dialect).joined(group.iter().map(|sort| Sql::of(dialect, &sort.expr)), ", ");
            select = select.and(Condition::bare(Sql::new(dialect).enclosed(&columns).push(" IN ").enclosed(&groups)));
        }
        let first_sorted = if resorts(dialect, self.sorts) { fixed } else { 0 };
        for (at, sort) in self.sorts.iter().enumerate().skip(first_sorted) {
            // A NULLS term would sort the whole range, so there is none if the range has no NULLs or only NULLs, or if
            // they are where an index has them.
            let in_place = at < fixed || at == fixed && range.no_nulls || sort.is_natural(dialect);
            let nulls = sort.nulls.filter(|_| !in_place);
            let column = Names::in_select(dialect).write(Sql::new(dialect), sort);
            select = order_by(select, &column, sort.direction, nulls);
        }
        select
    }

    /// The conditions of one range.
    ///
    /// If some of the columns are fixed in it, but not all, it may need an OR branch that matches no row. Without it,
    /// MariaDB before version 11 looks up the first column's value and skips rows one by one, instead of using a range
    /// over all columns. With it, later versions would sort.
    fn conditions(&self, range: &Range<'_>, fixed: usize) -> Vec<Condition> {
        let needs_alternative = self.access.or_false_branch() && (1..self.sorts.len()).contains(&fixed);
        let Some(first) = self.sorts.first().filter(|_| needs_alternative) else { return range.conditions.clone() };
        let nothing = Condition::bare(operand(self.access.dialect(), &first.expr).push(" < NULL"));
        let all = Condition::all(range.conditions.iter().cloned());
        Condition::any(all.into_iter().chain([nothing])).into_iter().collect()
    }

    /// The leading free columns of a range by which it is limited to the groups that contain its first rows, if no
    /// index has it in its order.
    ///
    /// MySQL and MariaDB sort a whole range for a page if the NULLs of a column after the first are at the wrong end.
    /// MySQL also does so if the index has the columns in other directions: see [`AccessPath::sorted_prefix`]. The
    /// columns before that one are in the index's order, so the groups of its first rows contain the page, and only
    /// these are sorted. PostgreSQL and SQLite do the same by themselves.
    fn grouping<'r>(&self, range: &Range<'r>, fixed: usize) -> Option<&'r [OrderColumn]> {
        let dialect = self.access.dialect();
        if dialect.facts().sorts_incrementally {
            return None;
        }
        let mut after_first = range.free.iter().enumerate().skip(1);
        let out_of_place = after_first.find(|(_, sort)| !sort.is_natural(dialect)).map(|(at, _)| at);
        // Without a condition, MySQL reads the index in either direction.
        let prefix = self.access.sorted_prefix().filter(|_| !range.conditions.is_empty());
        let sorted_run = prefix.and_then(|prefix| prefix.checked_sub(fixed));
        let end = out_of_place.into_iter().chain(sorted_run).min().filter(|end| *end > 0)?;
        // IN never matches NULL.
        range.free.get(..end).filter(|group| !range.may_have_nulls(group))
    }

    /// The groups of a range's first rows. They are a derived table: MySQL accepts a subquery with a LIMIT only in a
    /// FROM.
    fn groups_to_sort(&self, rows: Select, group: &[OrderColumn]) -> Sql {
        let mut groups = rows.without_columns();
        for (at, sort) in group.iter().enumerate() {
            groups = groups.expr_as(&sort.expr, &format!("folio_group_{at}"));
            groups = order_by(groups, &Sql::of(self.access.dialect(), &sort.expr), sort.direction, None);
        }
        Select::all_of(&groups.limit(self.limit).sql(), "folio_groups").sql()
    }

    fn of_ranges(&self, ranges: &[Range<'_>], form: RangeForm) -> Select {
        let dialect = self.access.dialect();
        match form {
            RangeForm::Union => {
                let selects = ranges.iter().map(|range| self.base.clone().and_all(range.conditions.iter().cloned()));
                order(union_of(dialect, selects, Union::All), self.sorts, Names::InResult)
            }
            RangeForm::Or => {
                let any = any(ranges.iter().cloned()).into_iter().collect();
                self.select(&Range::new(any, self.sorts))
            }
            // Each select has an order and a limit, so at most a page of rows is read of each.
            RangeForm::SortedUnion => {
                united(dialect, self.sorts, ranges.iter().map(|range| self.select(range).limit(self.limit)))
            }
        }
    }
}

/// The condition that a row is in one of the ranges.
fn any<'a>(ranges: impl IntoIterator<Item = Range<'a>>) -> Option<Condition> {
    Condition::any(ranges.into_iter().filter_map(|range| Condition::all(range.conditions)))
}

#[cfg(test)]
#[cfg(all(feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod tests;
