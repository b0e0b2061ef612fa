//! Chooses the index of a page and the form of its ranges, where the database's own choice would read too much.
//!
//! Each choice was measured, and follows from the database's catalog. If nothing is known about the table, the database
//! decides. To see the effect of a choice, change it and run the plan tests.

mod fixed;
mod partial;
mod reads_ahead;

use std::cmp::Reverse;
use std::sync::Arc;

pub(crate) use self::fixed::{Fixed, column, compared, equalities, group_columns};
pub(crate) use self::partial::usable;
pub(crate) use self::reads_ahead::ReadsAhead;
use crate::dialect::Dialect;
use crate::dialect::catalog::{Index, RangeColumn, Server, TableInfo};
use crate::order::OrderColumn;
use crate::schema::group::Groups;
use crate::value::{self, INTEGERS, Variant};

/// The access path of a page: the index, and the form of its ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) dialect: Dialect,
    /// The index to name in the statement, on MySQL and MariaDB. Without it, MySQL reads thousands of rows ahead of a
    /// page, and both may choose an index that does not have the order.
    pub(crate) index: Option<Arc<str>>,
    /// Length of the order's prefix that MySQL reads sorted from the index; `None` for the whole order.
    ///
    /// It reads a range backwards from an index with both directions only up to the column where the direction changes.
    pub(crate) sorted_prefix: Option<usize>,
    /// Whether columns are compared as one row value. PostgreSQL does not exclude partitions by row values, nor send
    /// them to another server.
    pub(crate) row_values: bool,
    /// Whether the key's first column is compared with a list: see `predicate::equal`.
    pub(crate) lists: bool,
    /// Whether a range has an OR branch that matches no row: see `predicate::with_empty_alternative`.
    pub(crate) alternative: bool,
    /// When the server may read past a page of a filtered list, despite a matching index.
    pub(crate) reads_ahead: ReadsAhead,
    /// Whether a generic plan is right for all values of the filters, because an index has the rows of each in order,
    /// and the planner has no reason to choose another one.
    pub(crate) suits_all_values: bool,
    /// The last equality column of the index's prefix, if PostgreSQL can read the page as one range of the index from a
    /// value of this column on: see `keyset::model_base::index_range`.
    pub(crate) range_column: Option<RangeColumn>,
}

/// The inputs of index selection.
#[derive(Debug, Clone, Copy)]
struct List<'a> {
    /// The indexes that the query can use.
    indexes: &'a [&'a Index],
    fixed: &'a Fixed<'a>,
    sorts: &'a [OrderColumn],
}

impl<'a> List<'a> {
    /// The indexes that serve the order.
    fn serving(self) -> impl Iterator<Item = (&'a Index, Serving)> {
        self.indexes.iter().filter_map(move |index| Some((*index, Serving::of(index, self)?)))
    }

    /// The index that serves the order best.
    fn best(self) -> Option<(&'a Index, Serving)> {
        self.serving().min_by_key(|(index, serving)| serving.rank(index))
    }

    /// The index that has exactly the list's rows in order. With other conditions, an index without the order may be
    /// the better one.
    fn exact(self) -> Option<(&'a Index, Serving)> {
        let is_exact = |serving: &Serving| !self.fixed.others && serving.fixed == self.fixed.columns.len();
        self.best().filter(|(_, serving)| is_exact(serving))
    }

    /// Whether the exact index is the only one that begins with an equality column or with the order's first column.
    ///
    /// A generic plan assumes an average value, for which PostgreSQL may prefer another such index. With it, a page of
    /// a rare value reads the rows of other values, and a page of a common one sorts many rows.
    fn has_one_index(self) -> bool {
        let has_one = self.indexes.iter().filter(|index| self.may_serve(index)).nth(1).is_none();
        has_one && self.exact().is_some()
    }

    /// The last equality column, if the exact index begins with all of them, its columns all sort in one direction, the
    /// order's do too, and no column of the order can be NULL.
    ///
    /// For a filter by `tenant`:
    ///
    /// | index | order | range |
    /// |---|---|---|
    /// | `tenant, moment, id` | `moment, id` | yes |
    /// | `tenant, moment, id` | `moment DESC, id DESC` | yes, backwards |
    /// | `tenant, moment DESC, id DESC` | `moment DESC, id DESC` | no, because of the index's directions |
    /// | `tenant, moment DESC, id` | `moment DESC, id` | no, because of the order's directions |
    /// | `moment, tenant, id` | `moment, id` | no, because the filter's column is not the first one |
    fn range_column(self) -> Option<RangeColumn> {
        let (index, _) = self.exact()?;
        let fixed = self.fixed.columns.len();
        let count = fixed.saturating_add(self.sorts.len());
        index.range_column(fixed.checked_sub(1)?, count).filter(|_| self.is_one_range(index, count))
    }

    /// Whether the first `count` columns of an index are the equality columns and the order's, in one direction.
    fn is_one_range(self, index: &Index, count: usize) -> bool {
        self.begins_with_fixed(index) && self.is_free() && !is_mixed(index, count)
    }

    /// Whether all equality columns are leading columns of an index.
    fn begins_with_fixed(self, index: &Index) -> bool {
        first_fixed(index, self.fixed).count() == self.fixed.columns.len()
    }

    /// Whether no column of the order is an equality column or can be NULL.
    fn is_free(self) -> bool {
        let has_nulls = self.sorts.iter().any(|sort| sort.nulls.is_some());
        !has_nulls && self.varying().count() == self.sorts.len()
    }

    /// Whether SQLite chooses the exact index, whatever the filters' values are.
    ///
    /// It does if the index begins with the equality columns, unless another index has the order and all needed
    /// columns. If the filters match most rows on average, that one looks cheaper, but for a rare value it reads nearly
    /// all rows.
    ///
    /// For a filter by `tenant` and the order `moment, id`:
    ///
    /// | indexes | best |
    /// |---|---|
    /// | `tenant, moment, id` | yes |
    /// | `tenant, moment, id` and `moment, id` | yes: to check the tenant, each row has to be looked up |
    /// | `tenant, moment, id` and `tenant` | yes: the rows would have to be sorted |
    /// | `tenant, moment, id` and `moment, id, tenant` | no |
    fn has_best_index(self) -> bool {
        let rivals = |index: &&Index| self.begins_with_order(index) && self.may_cover(index);
        self.exact().is_some_and(|(index, _)| self.begins_with_fixed(index)) && !self.indexes.iter().any(rivals)
    }

    /// Whether SQLite may read the list from an index alone. The rowid is an index that has all columns.
    fn may_cover(self, index: &Index) -> bool {
        index.name.is_empty() || self.fixed.columns().all(|name| index.has(name))
    }

    /// Whether an index begins with an equality column, or with the first column of the order.
    fn may_serve(self, index: &Index) -> bool {
        let Some((name, _)) = index.columns.first() else { return false };
        self.fixed.has(name) || self.begins_with_order(index)
    }

    /// Whether an index begins with the order's first column that is not an equality column.
    fn begins_with_order(self, index: &Index) -> bool {
        let Some((name, _)) = index.columns.first() else { return false };
        self.varying().next().is_some_and(|sort| is_named(sort, name))
    }

    /// For which pages MySQL reads rows ahead along an index that it is told to use.
    fn reads_ahead(self, index: &Index, serving: &Serving) -> ReadsAhead {
        match serving.reads_range(index) {
            true if index.has_few_rows(first_fixed(index, self.fixed).count()) => ReadsAhead::Never,
            true => ReadsAhead::AtAnEnd,
            false => ReadsAhead::Always,
        }
    }

    /// The columns of the order that are not equality columns.
    fn varying(self) -> impl Iterator<Item = &'a OrderColumn> {
        let is_fixed = move |sort: &OrderColumn| column(&sort.expr).is_some_and(|name| self.fixed.has(&name));
        self.sorts.iter().filter(move |sort| !is_fixed(sort))
    }
}

impl Access {
    /// The access path if nothing is known about the table.
    pub(crate) fn unknown(dialect: Dialect) -> Self {
        let (row_values, lists) = (dialect.has_row_value_ranges(), dialect.drops_equal_columns());
        Self {
            dialect,
            index: None,
            sorted_prefix: None,
            row_values,
            lists,
            alternative: dialect.may_need_alternatives(),
            reads_ahead: ReadsAhead::Always,
            suits_all_values: false,
            range_column: None,
        }
    }

    /// Whether the index has the whole order, with its NULLs.
    pub(crate) fn is_in_order(&self, sorts: &[OrderColumn]) -> bool {
        self.sorted_prefix.is_none() && sorts.iter().all(|sort| sort.is_natural(self.dialect))
    }

    /// The access path to a table's rows in an order.
    pub(crate) fn new(dialect: Dialect, info: &TableInfo, fixed: &Fixed<'_>, sorts: &[OrderColumn]) -> Self {
        let indexes = usable(info, fixed);
        let list = List { indexes: &indexes, fixed, sorts };
        let row_values = dialect.has_row_value_ranges() && !info.is_distributed;
        let usual = Self { row_values, ..Self::unknown(dialect) };
        let access = usual.on(info.server, list);
        let range_column = access.range_column.filter(|_| !info.needs_equalities);
        // A generic plan for a partition key has all partitions.
        Self { suits_all_values: access.suits_all_values && !info.is_distributed, range_column, ..access }
    }

    fn on(self, server: Server, list: List<'_>) -> Self {
        match server {
            Server::Sqlite => self.on_sqlite(list),
            Server::Postgres(version) => self.on_postgres(version, list),
            Server::MariaDb(version) => self.on_mariadb(version, list),
            Server::MySql => Self { alternative: false, ..self }.on_mysql(list),
        }
    }

    /// The access path on SQLite, which keeps the plan of a statement unless it plans for the values of its filters.
    fn on_sqlite(self, list: List<'_>) -> Self {
        Self { suits_all_values: list.has_best_index(), ..self }
    }

    /// The access path on PostgreSQL. After a list, versions before 17 do not keep the order of an index whose leading
    /// columns are equality columns.
    fn on_postgres(self, version: u32, list: List<'_>) -> Self {
        let lists = version >= 17 || !is_behind_fixed(list);
        let range_column = list.range_column().filter(|_| self.row_values);
        Self { lists, suits_all_values: list.has_one_index(), range_column, ..self }
    }

    /// The access path on MySQL, which reads a range backwards only if the columns of the index have the same
    /// direction.
    fn on_mysql(self, list: List<'_>) -> Self {
        let Some((index, serving)) = list.exact() else { return self };
        Self { reads_ahead: list.reads_ahead(index, &serving), ..self.with_index(index, &serving) }
    }

    /// The access path on MariaDB, which reads any index backwards, and does not read ahead. But if two indexes begin
    /// with the equality columns, it may choose the one that does not have the order.
    fn on_mariadb(self, version: u32, list: List<'_>) -> Self {
        let access = Self { alternative: version < 11, reads_ahead: ReadsAhead::Never, ..self };
        match list.exact().filter(|_| !list.fixed.columns.is_empty()) {
            // There is an equality column, so `sorted_prefix` is `None`.
            Some((index, serving)) => access.with_index(index, &serving),
            None => access,
        }
    }

    /// The access path along an index, which the statement names.
    fn with_index(self, index: &Index, serving: &Serving) -> Self {
        Self { index: Some(index.name.clone()), sorted_prefix: serving.sorted_prefix, ..self }
    }
}

/// Whether an index has the group columns and equality columns first, then the order.
///
/// Without such an index, reading each group takes longer than reading all rows of all groups.
pub(crate) fn has_index_of_groups(info: &TableInfo, fixed: &Fixed<'_>, groups: &Groups, sorts: &[OrderColumn]) -> bool {
    let indexes = usable(info, fixed);
    let list = List { indexes: &indexes, fixed, sorts };
    // A group may be by an expression.
    let are_columns = group_columns(groups).count() == groups.columns.len();
    let begins = |index| group_columns(groups).all(|name| begins_with(index, fixed, &name));
    are_columns && list.serving().any(|(index, _)| begins(index) && has_values(index, groups))
}

/// Whether an index begins with all equality columns, followed by the order, so that no other condition has to be
/// checked.
///
/// Then MIN or MAX of the order's first column beyond a boundary is one lookup.
pub(crate) fn has_extremes(info: &TableInfo, fixed: &Fixed<'_>, sorts: &[OrderColumn]) -> bool {
    let indexes = usable(info, fixed);
    let list = List { indexes: &indexes, fixed, sorts };
    let is_free = |sort: &OrderColumn| column(&sort.expr).is_some_and(|name| !fixed.has(&name));
    sorts.first().is_some_and(is_free) && list.exact().is_some_and(|(index, _)| list.begins_with_fixed(index))
}

/// Whether an index finds the values of groups. Only PostgreSQL has operator families, by which an index compares.
///
/// PostgreSQL converts a value to the type of its column if that is the more general one, as it does an integer to `numeric`.
/// Otherwise it converts the column, and cannot use the index.
fn has_values(index: &Index, groups: &Groups) -> bool {
    let families = index.columns.iter().map(|(name, _)| name).zip(&index.families);
    let family = |name: &str| families.clone().find(|(column, _)| column.eq_ignore_ascii_case(name));
    let types = groups.iter().next().unwrap_or_default().iter().map(value::variant);
    group_columns(groups).zip(types).all(|(name, variant)| {
        let (Some((_, family)), Some(variant)) = (family(&name), variant) else { return true };
        let ranks = (number_rank_of_family(family), number_rank(variant));
        !matches!(ranks, (Some(column), Some(value)) if column < value)
    })
}

/// How general a type of numbers is; `None` for other types.
fn number_rank(variant: Variant) -> Option<u8> {
    match variant {
        Variant::Decimal | Variant::BigDecimal => Some(1),
        Variant::Float | Variant::Double => Some(2),
        _ => INTEGERS.contains(&variant).then_some(0),
    }
}

/// How general the numbers of an operator family are.
fn number_rank_of_family(family: &str) -> Option<u8> {
    match family {
        "integer_ops" => Some(0),
        "numeric_ops" => Some(1),
        "float_ops" => Some(2),
        _ => None,
    }
}

/// Whether a column is in an index before all columns that are not equality columns.
fn begins_with(index: &Index, fixed: &Fixed<'_>, name: &str) -> bool {
    first_fixed(index, fixed).any(|column| column.eq_ignore_ascii_case(name))
}

/// The equality columns of an index's prefix.
fn first_fixed<'a>(index: &'a Index, fixed: &'a Fixed<'_>) -> impl Iterator<Item = &'a String> {
    index.columns.iter().map(|(column, _)| column).take_while(|column| fixed.has(column))
}

/// Whether an index with the order begins with equality columns.
fn is_behind_fixed(list: List<'_>) -> bool {
    list.serving().any(|(_, serving)| serving.fixed > 0)
}

/// Whether the first `used` columns of an index have different directions.
fn is_mixed(index: &Index, used: usize) -> bool {
    let mut directions = index.columns.iter().take(used).map(|(_, direction)| direction);
    let first = directions.next();
    directions.any(|direction| Some(direction) != first)
}

/// The length of an order's prefix that has one direction.
fn first_run(sorts: &[OrderColumn]) -> usize {
    let first = sorts.first().map(|sort| sort.direction);
    sorts.iter().take_while(|sort| Some(sort.direction) == first).count()
}

/// How an index serves an order.
#[derive(Debug, PartialEq, Eq)]
struct Serving {
    /// How many of its columns are equality columns.
    fixed: usize,
    is_backward: bool,
    /// See [`Access::sorted_prefix`].
    sorted_prefix: Option<usize>,
}

impl Serving {
    /// How an index serves an order; `None` if it does not. It does if it has the order's columns, all forwards or all
    /// backwards, with nothing between them but equality columns.
    fn of(index: &Index, list: List<'_>) -> Option<Self> {
        let Matched { fixed, same, opposite } = Matched::of(index, list)?;
        if same > 0 && opposite > 0 {
            return None;
        }
        let is_backward = opposite > 0;
        // After equality columns, MySQL sorts in any case.
        let is_partly_sorted = is_backward && fixed == 0 && is_mixed(index, opposite);
        Some(Self { fixed, is_backward, sorted_prefix: is_partly_sorted.then(|| first_run(list.sorts)) })
    }

    /// Whether MySQL reads a range of the index in the order, instead of sorting the rows.
    fn reads_range(&self, index: &Index) -> bool {
        !self.is_backward || !is_mixed(index, index.columns.len())
    }

    /// The smallest rank is the best index.
    fn rank(&self, index: &Index) -> (Reverse<usize>, bool, usize) {
        (Reverse(self.fixed), self.is_backward, index.columns.len())
    }
}

/// The columns of an index that an order uses.
#[derive(Debug, Default)]
struct Matched {
    /// How many of them are equality columns.
    fixed: usize,
    /// How many of the others have the order's direction, and how many have the opposite direction.
    same: usize,
    opposite: usize,
}

impl Matched {
    /// The columns of an order that an index has; `None` if one is missing or comes after an unrelated column.
    fn of(index: &Index, list: List<'_>) -> Option<Self> {
        let mut matched = Self::default();
        let mut columns = index.columns.iter();
        for sort in list.varying() {
            let (name, direction) = columns.find(|(name, _)| !matched.skips(name, list.fixed))?;
            if !is_named(sort, name) {
                return None;
            }
            matched.count(sort.direction == *direction);
        }
        Some(matched)
    }

    /// Whether a column of the index is an equality column, which is counted.
    fn skips(&mut self, column: &str, fixed: &Fixed<'_>) -> bool {
        let is_fixed = fixed.has(column);
        self.fixed = self.fixed.saturating_add(is_fixed.into());
        is_fixed
    }

    /// Counts a column of the order.
    fn count(&mut self, is_same: bool) {
        let count = if is_same { &mut self.same } else { &mut self.opposite };
        *count = count.saturating_add(1);
    }
}

/// Whether an order's column has this name. Names are compared as in SQL, without case.
fn is_named(sort: &OrderColumn, name: &str) -> bool {
    column(&sort.expr).is_some_and(|column| column.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests;
