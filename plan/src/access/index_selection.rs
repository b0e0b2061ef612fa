//! Which index serves a list best, and what can be read along it.

use std::cmp::Reverse;
use std::sync::Arc;

use super::equality_columns::{EqualityColumns, column, group_columns};
use super::partial::usable;
use crate::dialect::catalog::{Index, RangeColumn, TableInfo};
use crate::order::OrderColumn;
use crate::schema::group::Groups;
use crate::value::{self, INTEGERS, Variant};

/// The inputs of index selection.
#[derive(Debug, Clone, Copy)]
pub(super) struct IndexSelection<'a> {
    /// The indexes that the query can use.
    pub(super) indexes: &'a [&'a Index],
    pub(super) equality: &'a EqualityColumns,
    pub(super) sorts: &'a [OrderColumn],
}

/// An index that a statement names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedIndex {
    pub name: Arc<str>,
    /// Length of the order's prefix that MySQL reads sorted from the index; `None` for the whole order.
    ///
    /// It reads a range backwards from an index with both directions only up to the column where the direction changes.
    pub sorted_prefix: Option<usize>,
    pub key_lookup_first: KeyLookupFirst,
}

/// For which pages of a filtered list the keys are looked up before the rows, because the server may otherwise read
/// past the page despite a matching index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyLookupFirst {
    /// For none, because MySQL expects few rows. MariaDB does not read ahead.
    Never,
    /// For those at an end of the list: there, MySQL looks up the filter's value and expects to read all rows that a
    /// value has on average, which are many. After a boundary, it reads a range and expects a few.
    AtAnEnd,
    /// For all pages, because MySQL sorts the rows of a range.
    Always,
}

impl KeyLookupFirst {
    /// Whether it applies to a page with or without a boundary.
    pub fn applies(self, has_boundary: bool) -> bool {
        match self {
            Self::Never => false,
            Self::AtAnEnd => !has_boundary,
            Self::Always => true,
        }
    }
}

/// How an index has an order: all of the order's columns, all forwards or all backwards, with nothing between them but
/// equality columns.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct IndexMatch {
    /// How many equality columns come before the last column of the order.
    equality_columns: usize,
    is_backward: bool,
}

impl IndexMatch {
    /// `None` if the index does not have the order.
    fn of(index: &Index, list: IndexSelection<'_>) -> Option<Self> {
        let (mut equality_columns, mut same, mut opposite) = (0_usize, 0_usize, 0_usize);
        let mut columns = index.columns.iter();
        for sort in list.varying() {
            let (name, direction) = columns.find(|(name, _)| {
                let is_equality = list.equality.has(name);
                equality_columns = equality_columns.saturating_add(is_equality.into());
                !is_equality
            })?;
            if !is_named(sort, name) {
                return None;
            }
            let count = if sort.direction == *direction { &mut same } else { &mut opposite };
            *count = count.saturating_add(1);
        }
        if same > 0 && opposite > 0 {
            return None;
        }
        Some(Self { equality_columns, is_backward: opposite > 0 })
    }
}

impl<'a> IndexSelection<'a> {
    /// The indexes that have the order.
    fn matches(self) -> impl Iterator<Item = (&'a Index, IndexMatch)> {
        self.indexes.iter().filter_map(move |index| Some((*index, IndexMatch::of(index, self)?)))
    }

    /// The index that has exactly the list's rows in order: the best of those that have the order, if no other
    /// conditions have to be checked. With other conditions, an index without the order may be the better one.
    pub(super) fn exact(self) -> Option<(&'a Index, IndexMatch)> {
        let has_all = |matched: &IndexMatch| matched.equality_columns == self.equality.columns.len();
        self.best().filter(|(_, matched)| !self.equality.others && has_all(matched))
    }

    /// The best of the indexes that have the order.
    fn best(self) -> Option<(&'a Index, IndexMatch)> {
        self.matches().min_by_key(|(index, matched)| {
            (Reverse(matched.equality_columns), matched.is_backward, index.columns.len())
        })
    }

    /// Whether the exact index is the only one that begins with an equality column or with the order's first column.
    ///
    /// A generic plan assumes an average value, for which PostgreSQL may prefer another such index. With it, a page of
    /// a rare value reads the rows of other values, and a page of a common one sorts many rows.
    pub(super) fn has_one_index(self) -> bool {
        let may_serve = |index: &&&Index| {
            index.columns.first().is_some_and(|(name, _)| self.equality.has(name)) || self.begins_with_order(index)
        };
        self.indexes.iter().filter(may_serve).nth(1).is_none() && self.exact().is_some()
    }

    /// Whether an index with the order begins with equality columns, or has them between the order's.
    pub(super) fn is_behind_equality(self) -> bool {
        self.matches().any(|(_, matched)| matched.equality_columns > 0)
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
    pub(super) fn range_column(self) -> Option<RangeColumn> {
        let (index, _) = self.exact()?;
        let equality_columns = self.equality.columns.len();
        let count = equality_columns.saturating_add(self.sorts.len());
        let has_nulls = self.sorts.iter().any(|sort| sort.nulls.is_some());
        let all_vary = self.varying().count() == self.sorts.len();
        let is_one_range = self.begins_with_equality(index) && all_vary && !has_nulls && !is_mixed(index, count);
        index.range_column(equality_columns.checked_sub(1)?, count).filter(|_| is_one_range)
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
    pub(super) fn has_best_index(self) -> bool {
        // The rowid is an index that has all columns.
        let may_cover = |index: &Index| index.name.is_empty() || self.equality.columns().all(|name| index.has(name));
        let rivals = |index: &&Index| self.begins_with_order(index) && may_cover(index);
        self.exact().is_some_and(|(index, _)| self.begins_with_equality(index)) && !self.indexes.iter().any(rivals)
    }

    /// The index to name in a statement for MySQL or MariaDB.
    ///
    /// MariaDB, which does not read ahead, only chooses an index without the order if there are equality columns and
    /// two indexes begin with them.
    pub(super) fn index_to_name(self, reads_ahead: bool) -> Option<NamedIndex> {
        let needs_name = reads_ahead || !self.equality.columns.is_empty();
        let (index, matched) = self.exact().filter(|_| needs_name)?;
        // After equality columns, MySQL sorts in any case.
        let is_partly_sorted =
            matched.is_backward && matched.equality_columns == 0 && is_mixed(index, self.sorts.len());
        let first = self.sorts.first().map(|sort| sort.direction);
        let first_run = self.sorts.iter().take_while(|sort| Some(sort.direction) == first).count();
        let sorts_range = matched.is_backward && is_mixed(index, index.columns.len());
        let key_lookup_first = if !reads_ahead {
            KeyLookupFirst::Never
        } else if sorts_range {
            KeyLookupFirst::Always
        } else if index.is_selective(equality_prefix(index, self.equality).count()) {
            KeyLookupFirst::Never
        } else {
            KeyLookupFirst::AtAnEnd
        };
        let sorted_prefix = is_partly_sorted.then_some(first_run);
        Some(NamedIndex { name: index.name.clone(), sorted_prefix, key_lookup_first })
    }

    /// Whether all equality columns are leading columns of an index.
    fn begins_with_equality(self, index: &Index) -> bool {
        equality_prefix(index, self.equality).count() == self.equality.columns.len()
    }

    /// Whether an index begins with the order's first column that is not an equality column.
    fn begins_with_order(self, index: &Index) -> bool {
        let Some((name, _)) = index.columns.first() else { return false };
        self.varying().next().is_some_and(|sort| is_named(sort, name))
    }

    /// The columns of the order that are not equality columns.
    fn varying(self) -> impl Iterator<Item = &'a OrderColumn> {
        let is_equality = move |sort: &OrderColumn| column(&sort.expr).is_some_and(|name| self.equality.has(&name));
        self.sorts.iter().filter(move |sort| !is_equality(sort))
    }
}

/// The index that has the rows of a list in order, if there is one. Other conditions may have to be checked.
pub fn index_in_order(info: &TableInfo, equality: &EqualityColumns, sorts: &[OrderColumn]) -> Option<Index> {
    let indexes = usable(info, equality);
    IndexSelection { indexes: &indexes, equality, sorts }.best().map(|(index, _)| index.clone())
}

/// Whether an index has the group columns and equality columns first, then the order.
///
/// Without such an index, reading each group takes longer than reading all rows of all groups.
pub(crate) fn has_index_of_groups(
    info: &TableInfo,
    equality: &EqualityColumns,
    groups: &Groups,
    sorts: &[OrderColumn],
) -> bool {
    let indexes = usable(info, equality);
    let list = IndexSelection { indexes: &indexes, equality, sorts };
    // A group may be by an expression, or by the columns of a link.
    let are_columns = groups.link.is_none() && group_columns(groups).count() == groups.columns.len();
    let begins = |index| {
        let has = |name: String| equality_prefix(index, equality).any(|column| column.eq_ignore_ascii_case(&name));
        group_columns(groups).all(has)
    };
    are_columns && list.matches().any(|(index, _)| begins(index) && has_values(index, groups))
}

/// Whether an index begins with all equality columns, followed by the order, so that no other condition has to be
/// checked.
///
/// Then MIN or MAX of the order's first column beyond a boundary is one lookup.
pub(crate) fn has_extremes(info: &TableInfo, equality: &EqualityColumns, sorts: &[OrderColumn]) -> bool {
    let indexes = usable(info, equality);
    let list = IndexSelection { indexes: &indexes, equality, sorts };
    let varies = |sort: &OrderColumn| column(&sort.expr).is_some_and(|name| !equality.has(&name));
    sorts.first().is_some_and(varies) && list.exact().is_some_and(|(index, _)| list.begins_with_equality(index))
}

/// Whether an index finds the values of groups. Only PostgreSQL has operator families, by which an index compares.
///
/// PostgreSQL converts a value to the type of its column if that is the more general one, as it does an integer to
/// `numeric`. Otherwise it converts the column, and cannot use the index.
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

/// The equality columns of an index's prefix.
fn equality_prefix<'a>(index: &'a Index, equality: &'a EqualityColumns) -> impl Iterator<Item = &'a String> {
    index.columns.iter().map(|(column, _)| column).take_while(|column| equality.has(column))
}

/// Whether the first `used` columns of an index have different directions.
fn is_mixed(index: &Index, used: usize) -> bool {
    let mut directions = index.columns.iter().take(used).map(|(_, direction)| direction);
    let first = directions.next();
    directions.any(|direction| Some(direction) != first)
}

/// Whether an order's column has this name. Names are compared as in SQL, without case.
fn is_named(sort: &OrderColumn, name: &str) -> bool {
    column(&sort.expr).is_some_and(|column| column.eq_ignore_ascii_case(name))
}
