//! Chooses the index of a page and the form of its ranges, where the database's own choice would read too much.
//!
//! Each choice was measured, and follows from the database's catalog. If nothing is known about the table, the database
//! decides. To see the effect of a choice, change it and run the plan tests.

mod equality_columns;
mod index_selection;
mod partial;

pub(crate) use self::equality_columns::group_columns;
pub use self::equality_columns::{Comparison, Comparisons, EqualityColumns, column};
use self::index_selection::IndexSelection;
#[cfg(test)]
pub use self::index_selection::KeyLookupFirst;
pub use self::index_selection::{NamedIndex, index_in_order};
pub(crate) use self::index_selection::{has_extremes, has_index_of_groups};
pub use self::partial::{planned_by_value, usable};
use crate::dialect::catalog::{RangeColumn, TableInfo};
use crate::dialect::{Dialect, Planner};
use crate::order::OrderColumn;

/// The access path of a page: the index, and the form of its ranges. It has what keeps a [`Planner`] from reading more
/// than the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccessPath {
    Sqlite {
        /// Whether columns are compared as one row value. It reads every tie of the first column, but for a feed that
        /// takes less time: each range of a UNION ALL would visit the groups of an IN again.
        row_values: bool,
        /// See [`AccessPath::generic_plan`].
        generic_plan: bool,
        /// See [`planned_by_value`].
        by_value: Vec<String>,
    },
    Postgres {
        /// Whether columns are compared as one row value. PostgreSQL does not exclude partitions by row values, nor
        /// send them to another server.
        row_values: bool,
        /// Whether the key's first column is compared with a list: see `predicate/ranges.rs`.
        in_list_equality: bool,
        /// See [`AccessPath::generic_plan`].
        generic_plan: bool,
        /// The last equality column of the index's prefix, if the page can be read as one range of the index from a
        /// value of this column on: see `keyset::model_base::index_range`.
        range_column: Option<RangeColumn>,
        /// See [`AccessPath::nests_ranges`].
        nests_ranges: bool,
    },
    /// The path on MySQL and MariaDB.
    MySql {
        /// Whether a range has an OR branch that matches no row: see `predicate/mod.rs`, `conditions`.
        or_false_branch: bool,
        /// The index to name in the statement. Without it, MySQL reads thousands of rows ahead of a page, and both may
        /// choose an index that does not have the order.
        index: Option<NamedIndex>,
        /// See [`AccessPath::nests_ranges`].
        nests_ranges: bool,
    },
    /// The path of each of several servers behind a proxy.
    Plain {
        dialect: Dialect,
        /// Whether columns are compared as one row value.
        row_values: bool,
    },
}

impl AccessPath {
    /// The access path to a table's rows in an order.
    pub fn new(info: &TableInfo, equality: &EqualityColumns, sorts: &[OrderColumn]) -> Self {
        let indexes = usable(info, equality);
        let list = IndexSelection { indexes: &indexes, equality, sorts };
        match info.server.planner {
            Planner::Sqlite => {
                let generic_plan = list.has_best_index();
                Self::Sqlite { row_values: false, generic_plan, by_value: planned_by_value(info) }
            }
            Planner::Postgres { orders_after_lists } => {
                let (is_whole, is_scattered) = (!info.is_distributed, equality.are_scattered(info));
                Self::Postgres {
                    row_values: is_whole,
                    in_list_equality: orders_after_lists || !list.is_behind_equality(),
                    // A generic plan for a partition key has all partitions.
                    generic_plan: is_whole && list.has_one_index() && !is_scattered,
                    range_column: list.range_column().filter(|_| is_whole && !info.needs_equalities),
                    nests_ranges: is_scattered,
                }
            }
            Planner::MySql { reads_ahead, needs_false_branch } => {
                let index = list.index_to_name(reads_ahead).filter(|_| !info.is_spider);
                let or_false_branch = needs_false_branch;
                Self::MySql { or_false_branch, index, nests_ranges: info.is_spider }
            }
            Planner::Plain { row_values } => Self::Plain { dialect: info.server.dialect, row_values },
        }
    }

    /// The access path if nothing is known about the table.
    pub fn unknown(dialect: Dialect) -> Self {
        Self::new(&TableInfo::of(dialect.facts().unknown_server), &EqualityColumns::default(), &[])
    }

    /// The same path for conditions that no index is searched by, where a list would be of no use.
    pub fn with_plain_equalities(mut self) -> Self {
        if let Self::Postgres { in_list_equality, .. } = &mut self {
            *in_list_equality = false;
        }
        self
    }

    /// The same path for rows that no index has.
    pub fn without_false_branch(mut self) -> Self {
        if let Self::MySql { or_false_branch, .. } = &mut self {
            *or_false_branch = false;
        }
        self
    }

    pub fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite { .. } => Dialect::Sqlite,
            Self::Postgres { .. } => Dialect::Postgres,
            Self::MySql { .. } => Dialect::MySql,
            Self::Plain { dialect, .. } => *dialect,
        }
    }

    /// Whether columns are compared as one row value.
    pub fn row_values(&self) -> bool {
        matches!(
            self,
            Self::Sqlite { row_values: true, .. }
                | Self::Postgres { row_values: true, .. }
                | Self::Plain { row_values: true, .. }
        )
    }

    /// Whether the key's first column is compared with a list: see `predicate/ranges.rs`.
    pub fn in_list_equality(&self) -> bool {
        matches!(self, Self::Postgres { in_list_equality: true, .. })
    }

    /// Whether a range has an OR branch that matches no row: see `predicate/mod.rs`, `conditions`.
    pub fn or_false_branch(&self) -> bool {
        matches!(self, Self::MySql { or_false_branch: true, .. })
    }

    /// Whether the ranges after a boundary are one condition, `a >= x AND (a > x OR b > y)`, if no column has NULLs. It
    /// reads all ties before the boundary, but each server once, and Spider returns rows of an OR of ranges twice. For an
    /// OR, PostgreSQL would read the whole table.
    pub fn nests_ranges(&self) -> bool {
        matches!(
            self,
            Self::Postgres { nests_ranges: true, .. }
                | Self::MySql { nests_ranges: true, .. }
                | Self::Plain { row_values: true, .. }
        )
    }

    /// Whether a generic plan is right for all values of the filters, because an index has the rows of each in order,
    /// and the planner has no reason to choose another one.
    pub fn generic_plan(&self) -> bool {
        matches!(self, Self::Sqlite { generic_plan: true, .. } | Self::Postgres { generic_plan: true, .. })
    }

    /// The columns for whose bound values the database plans: see [`planned_by_value`].
    pub fn by_value(&self) -> &[String] {
        match self {
            Self::Sqlite { by_value, .. } => by_value,
            Self::Postgres { .. } | Self::MySql { .. } | Self::Plain { .. } => &[],
        }
    }

    /// The last equality column of the index's prefix, if the page can be read as one range from a value of it on.
    pub fn range_column(&self) -> Option<&RangeColumn> {
        match self {
            Self::Postgres { range_column, .. } => range_column.as_ref(),
            Self::Sqlite { .. } | Self::MySql { .. } | Self::Plain { .. } => None,
        }
    }

    /// The index to name in the statement.
    pub fn index(&self) -> Option<&NamedIndex> {
        match self {
            Self::MySql { index, .. } => index.as_ref(),
            Self::Sqlite { .. } | Self::Postgres { .. } | Self::Plain { .. } => None,
        }
    }

    /// Whether the table is one of MariaDB's Spider, which along an index, from its end, reads only the first of several
    /// ranges. Without an index for the order, it sends the whole statement to the other servers.
    pub fn is_spider(&self) -> bool {
        matches!(self, Self::MySql { nests_ranges: true, .. })
    }

    pub fn index_name(&self) -> Option<&str> {
        self.index().map(|index| &*index.name)
    }

    /// Length of the order's prefix that comes sorted from the index; `None` for the whole order.
    pub fn sorted_prefix(&self) -> Option<usize> {
        self.index()?.sorted_prefix
    }

    /// Whether the index has the whole order, with its NULLs.
    pub fn is_in_order(&self, sorts: &[OrderColumn]) -> bool {
        self.sorted_prefix().is_none() && sorts.iter().all(|sort| sort.is_natural(self.dialect()))
    }
}

#[cfg(test)]
mod tests;
