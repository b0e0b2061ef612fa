//! The statements that look up the upper bound of a feed's page after a boundary.
//!
//! After a boundary, MySQL can only start reading a group there if the group's values are constants, with a SELECT for
//! each group. In such a statement it estimates how many rows the group has from there on, and reads up to thousands of
//! them ahead, which takes a millisecond. With an upper bound for the order's first column, it reads few rows. For a
//! page of n rows, the n-th nearest head is an upper bound. So is the n-th row of any one group.
//!
//! A head is the nearest value of the order's first column here. MySQL finds it with one lookup, before it plans
//! anything. For the posts of two authors after a moment and an id, with some details left out:
//!
//! ```sql
//! SELECT head, number FROM (
//!     SELECT *, RANK() OVER (PARTITION BY is_tied ORDER BY head DESC) AS place FROM (
//!         SELECT *, head = ? AS is_tied FROM (
//!             SELECT 1 AS number, MAX(created_at) AS head FROM posts WHERE author_id = ? AND created_at <= ?
//!             UNION ALL
//!             SELECT 2 AS number, MAX(created_at) AS head FROM posts WHERE author_id = ? AND created_at <= ?
//!         ) heads WHERE head IS NOT NULL
//!     ) tied
//! ) ranked WHERE place <= 16 ORDER BY is_tied DESC, head DESC
//! ```
//!
//! If that finds fewer heads than the page has rows, the bound is the last row that one group alone would have on the
//! page:
//!
//! ```sql
//! SELECT created_at FROM posts
//! WHERE author_id = ? AND created_at <= ? AND (created_at < ? OR id < ?)
//! ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET 15
//! ```
//!
//! Then the page is read, with `created_at >= ?` in the SELECT of each group that was found.

use super::ranking::{HEAD, Start, nearest, nearest_value};
use super::source::{NUMBER, number_text};
use super::{Feed, FeedForm, FeedKeys, FeedPage, FeedPlan, MAX_BRANCHES, MAX_BRANCHES_WITHOUT_EXTENT};
use crate::access::has_extremes;
use crate::dialect::{GroupAccess, Sql};
use crate::predicate::{Limit, Union, from, union_of};
use crate::statement::condition::Condition;
use crate::statement::filtered::FilteredRows;
use crate::statement::select::{Number, Select};
use crate::value::Variant;

/// The place of a block's first group among all groups.
///
/// Blocks have [`MAX_BRANCHES`] groups. In a statement with many more, the lookup of each head takes longer.
pub fn first_place(block: usize) -> usize {
    block.saturating_mul(MAX_BRANCHES)
}

impl Feed {
    /// Whether a page may need statements that find the groups that it has rows of.
    pub fn may_find_groups(&self) -> bool {
        self.dialect.facts().looks_up_groups && self.groups.len() > MAX_BRANCHES_WITHOUT_EXTENT
    }

    /// A block of groups whose heads bound the page. The first one has the number 0. `None` after the last block, and
    /// for a page that is read without a lookup.
    pub fn block_of_heads(&self, rows: &FilteredRows, page: FeedPage<'_>, block: usize) -> Option<(Self, FeedPlan)> {
        // What holds for the first block holds for all.
        let is_found = block > 0 || self.has_extent(rows, page);
        let groups = is_found.then(|| self.groups.block(MAX_BRANCHES, block))??;
        self.with_groups(groups).planned(rows, page)
    }

    /// The group at a place, to be read by itself.
    pub fn one(&self, rows: &FilteredRows, page: FeedPage<'_>, place: usize) -> Option<(Self, FeedPlan)> {
        self.only(&[place]).planned(rows, page)
    }

    /// These groups, and how each is read with a SELECT of its own.
    fn planned(self, rows: &FilteredRows, FeedPage { info, sorts, .. }: FeedPage<'_>) -> Option<(Self, FeedPlan)> {
        let plan = FeedPlan::new(&self.groups, self.access(rows, info, sorts)?, FeedForm::Branches, false);
        Some((self, plan))
    }

    /// Whether separate statements look up the page's upper bound: an index has to have the heads of the groups without
    /// other rows between them.
    fn has_extent(&self, rows: &FilteredRows, FeedPage { info, sorts, has_boundary, .. }: FeedPage<'_>) -> bool {
        let is_usual = info.server.groups == GroupAccess::LateralFromStart && has_boundary && self.may_find_groups();
        let has_no_nulls = sorts.first().is_some_and(|first| first.nulls.is_none());
        // Two heads have to be two rows.
        let may_find = is_usual && has_no_nulls && self.groups.are_disjoint();
        may_find && has_extremes(info, &rows.plan.equality.with_groups(&self.groups), sorts)
    }
}

impl FeedKeys<'_> {
    /// The `nearest` heads of the groups after a boundary. `first` is the type of the order's first column.
    pub fn nearest_heads(self, start: Start<'_>, first: Variant) -> Select {
        let dialect = self.feed.dialect;
        let heads = self.conditions().enumerate().map(|(at, group): (usize, Condition)| {
            let head = self.hinted(self.rows.keys(&[])).and(group).and(from(dialect, start.0, start.1));
            let head = head.column_as(|sql| sql.push(&number_text(at)), NUMBER);
            self.bounded(head.column_as(|sql| sql.append(&nearest_value(dialect, start.0)), HEAD))
        });
        // Those of a group without rows are NULL.
        let heads = Select::all_of(&union_of(dialect, heads, Union::All).sql(), "folio_heads");
        let heads = heads.and(Condition::is_not_null(Sql::new(dialect).name(HEAD)));
        nearest(&heads.sql(), start, first, self.span.limit.read(), |sql| sql)
    }

    /// The n-th row of the first group, for a page of n rows. `first` is the type of the order's first column, whose
    /// name comes first.
    pub fn last_row(self, first: Variant) -> Select {
        let dialect = self.feed.dialect;
        let group = self.conditions().next().unwrap_or_else(|| Condition::nowhere(dialect));
        let mut base = self.base(group);
        let column = self.span.sorts.iter().take(1).map(|sort| Sql::of(dialect, &sort.expr)).collect::<Vec<_>>();
        for (collation, name) in dialect.collation_columns(column.iter().map(|column| (first, column))) {
            base = base.column_as(|sql| sql.append(&collation), &name);
        }
        let skip = self.span.limit.read().get().saturating_sub(1);
        self.within(Limit { skip, ..Limit::of(Number::Bound(1)) }).of(&base)
    }
}
