//! Looks up the upper bound of a feed's page after a boundary, with separate statements.
//!
//! After a boundary, MySQL can only start reading a group there if the group's values are constants, with a SELECT for
//! each group. In such a statement it estimates how many rows the group has from there on, and reads up to thousands of
//! them ahead, which takes a millisecond. With an upper bound for the order's first column, it reads few rows. For a
//! page of n rows, the n-th nearest head is an upper bound. So is the n-th row of any one group.
//!
//! A head is the nearest value of the order's first column here. MySQL finds it with one lookup, before it plans anything.
//! For the posts of two authors after a moment and an id, with some details left out:
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

use sea_query::{Asterisk, Expr, ExprTrait as _, Query, SelectStatement, UnionType};

use super::filter::nowhere;
use super::ranking::{HEAD, Start, nearest, nearest_value};
use super::source::{NUMBER, number};
use super::{Feed, FeedForm, FeedKeys, FeedPage, FeedPlan, MAX_BRANCHES, MAX_BRANCHES_WITHOUT_EXTENT};
use crate::access::{EqualityColumns, has_extremes};
use crate::dialect::GroupAccess;
use crate::dialect::catalog::TableInfo;
use crate::order::OrderColumn;
use crate::predicate::{Limit, from, union_of};
use crate::value::Variant;

/// The place of a block's first group among all groups.
///
/// Blocks have [`MAX_BRANCHES`] groups. In a statement with many more, the lookup of each head takes longer.
pub(crate) fn first_place(block: usize) -> usize {
    block.saturating_mul(MAX_BRANCHES)
}

impl Feed {
    /// Whether a page may need statements that find the groups that it has rows of.
    pub(crate) fn may_find_groups(&self) -> bool {
        self.text.dialect().facts().unknown_server.groups == GroupAccess::Branches
            && self.groups.len() > MAX_BRANCHES_WITHOUT_EXTENT
    }

    /// A block of groups whose heads bound the page. The first one has the number 0. `None` after the last block, and
    /// for a page that is read without a lookup.
    pub(crate) fn block_of_heads(&self, page: FeedPage<'_>, block: usize) -> Option<(Self, FeedPlan)> {
        // What holds for the first block holds for all.
        let is_found = block > 0 || self.has_extent(page);
        let groups = is_found.then(|| self.groups.block(MAX_BRANCHES, block))??;
        self.with_groups(groups).planned(page)
    }

    /// The group at a place, to be read by itself.
    pub(crate) fn one(&self, page: FeedPage<'_>, place: usize) -> Option<(Self, FeedPlan)> {
        self.only(&[place]).planned(page)
    }

    /// These groups, and how each is read with a SELECT of its own.
    fn planned(self, FeedPage { info, sorts, .. }: FeedPage<'_>) -> Option<(Self, FeedPlan)> {
        let plan = FeedPlan::new(&self.groups, self.access(info, sorts)?, FeedForm::Branches, false);
        Some((self, plan))
    }

    /// Whether separate statements look up the page's upper bound.
    fn has_extent(&self, FeedPage { info, sorts, has_boundary, .. }: FeedPage<'_>) -> bool {
        let is_usual = info.server.groups == GroupAccess::LateralFromStart && has_boundary && self.may_find_groups();
        let has_no_nulls = sorts.first().is_some_and(|first| first.nulls.is_none());
        // Two heads have to be two rows.
        is_usual && has_no_nulls && self.groups.are_disjoint() && self.has_extremes(info, sorts)
    }

    /// Whether an index has the heads of the groups without other rows between them.
    fn has_extremes(&self, info: &TableInfo, sorts: &[OrderColumn]) -> bool {
        has_extremes(info, &EqualityColumns::of(&self.filters).with_groups(&self.groups), sorts)
    }
}

impl FeedKeys<'_> {
    /// The [`nearest`] heads of the groups after a boundary. `first` is the type of the order's first column.
    pub(crate) fn nearest_heads(self, first: Variant) -> SelectStatement {
        let Some(start) = self.start() else { return Query::select().take() };
        nearest(self.plan.access.dialect(), with_rows(self.heads(start)), start, first, self.span.limit.read())
    }

    /// The order's first column, and the boundary's value of it. A page that looks for heads has both.
    fn start(&self) -> Option<Start<'_>> {
        Some((self.span.sorts.first()?, *self.span.boundary?.values.first()?))
    }

    /// The numbers and the heads of all groups. Those of a group without rows are NULL.
    fn heads(&self, start: Start<'_>) -> SelectStatement {
        let heads = self.conditions().enumerate().map(|(at, group)| self.head(at, group, start));
        union_of(heads, UnionType::All)
    }

    /// The number and the head of a group.
    fn head(&self, at: usize, group: Expr, (sort, bound): Start<'_>) -> SelectStatement {
        let mut head = self.feed.keys(self.rows, group, &[]);
        head.expr_as(number(at), NUMBER).expr_as(nearest_value(sort), HEAD).and_where(from(sort, bound));
        self.plan.access.with_hint(self.bounded(head))
    }

    /// The n-th row of the first group, for a page of n rows. `first` is the type of the order's first column, whose
    /// name comes first.
    pub(crate) fn last_row(self, first: Variant) -> SelectStatement {
        let group = self.conditions().next().unwrap_or_else(nowhere);
        let skip = self.span.limit.read().saturating_sub(1);
        self.within(Limit { skip, ..Limit::of(1) }).of(&self.with_fact(self.base(group), first))
    }

    /// The keys, with what the server says about the first of them. `first` is its type.
    fn with_fact(&self, mut keys: SelectStatement, first: Variant) -> SelectStatement {
        let column = self.span.sorts.iter().take(1).map(|sort| (first, &sort.expr));
        self.span.access.dialect().select_collation_columns(&mut keys, column);
        keys
    }
}

/// The heads of groups that have rows.
fn with_rows(heads: SelectStatement) -> SelectStatement {
    let has_rows = Expr::col(HEAD).is_not_null();
    Query::select().column(Asterisk).from_subquery(heads, "folio_heads").and_where(has_rows).take()
}
