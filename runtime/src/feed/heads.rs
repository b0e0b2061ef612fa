//! Looks up the groups that can have rows on a feed's page, with a separate statement.
//!
//! MariaDB has no LATERAL join, and can only start reading a group at a boundary if the group's values are constants.
//! So the groups with the nearest heads are found first, and then their rows, with a SELECT for each.
//!
//! On the first page, the heads are the first rows of the groups, with some details left out:
//!
//! ```sql
//! SELECT created_at, id, number FROM (
//!     SELECT number,
//!         (SELECT created_at FROM posts WHERE author_id = author ORDER BY created_at DESC, id DESC LIMIT 1) AS created_at,
//!         (SELECT id FROM posts WHERE author_id = author ORDER BY created_at DESC, id DESC LIMIT 1) AS id
//!     FROM JSON_TABLE(?, '$[*]' COLUMNS (author BIGINT PATH '$[0]', number FOR ORDINALITY)) authors LIMIT ?
//! ) heads WHERE id IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 17
//! ```
//!
//! After a boundary, they are the groups' nearest values of the order's first column, which an index finds by skipping
//! from one group to the next:
//!
//! ```sql
//! SELECT head, number FROM (
//!     SELECT *, RANK() OVER (PARTITION BY is_tied ORDER BY head DESC) AS place FROM (
//!         SELECT *, head = ? AS is_tied FROM (
//!             SELECT author_id, MAX(created_at) AS head
//!             FROM posts WHERE author_id IN (…) AND created_at <= ? GROUP BY author_id
//!         ) heads
//!     ) tied
//! ) ranked JOIN authors ON author_id = author WHERE place <= 16 ORDER BY is_tied DESC, head DESC
//! ```
//!
//! For a page of n rows, the n-th head is an upper bound, so each group is only read up to it.

use sea_query::{Condition, Expr, ExprTrait as _, JoinType, Query, SelectStatement};

use super::each::as_count;
use super::filter::filter;
use super::ranking::{HEAD, RANKED, Start, nearest, nearest_value};
use super::source::{self, Source, group_name};
use super::{Feed, FeedPage, MAX_BRANCHES_WITHOUT_HEADS};
use crate::access::AccessPath;
use crate::dialect::GroupAccess;
use crate::order::OrderColumn;
use crate::predicate::{Limit, Span, from};
use crate::statement::deferred_join::ModelRows;
use crate::value::Variant;

/// The key columns that a head lookup selects.
#[derive(Debug)]
pub(crate) struct HeadKey {
    /// The types of its columns.
    pub(crate) variants: Vec<Variant>,
    /// The name of a column that is NULL in no row.
    pub(crate) not_null: String,
}

/// The groups of a feed whose heads are to be found.
pub(crate) struct Heads<'a> {
    rows: &'a ModelRows,
    feed: &'a Feed,
    span: Span<'a>,
    access: AccessPath,
    source: Source,
    key: &'a HeadKey,
}

impl Feed {
    /// Whether a page may need a statement for its heads.
    pub(crate) fn may_find_heads(&self) -> bool {
        self.groups.len() > MAX_BRANCHES_WITHOUT_HEADS && Source::of(&self.groups, self.text.dialect()).is_json()
    }

    /// The statement that finds the groups with the nearest heads, for a feed that [may need
    /// one](Self::may_find_heads); `None` if the page needs none. The span's columns have the names of keys.
    ///
    /// Its last column is the number of a group, from 1 on. Before it come the keys of the group's first row. After a
    /// boundary, these are only the values of the order's first column, as [`nearest`] selects them.
    pub(crate) fn heads(
        &self,
        rows: &ModelRows,
        page: FeedPage<'_>,
        span: Span<'_>,
        key: &HeadKey,
    ) -> Option<SelectStatement> {
        let has_no_lateral = page.info.server.groups == GroupAccess::Branches;
        let access =
            self.access(page.info, page.sorts).filter(|access| has_no_lateral && access.is_in_order(page.sorts))?;
        let source = Source::of(&self.groups, access.dialect());
        Heads { rows, feed: self, span, access, source, key }.select()
    }
}

impl Heads<'_> {
    fn select(&self) -> Option<SelectStatement> {
        match self.span.boundary {
            None => Some(self.by_first_rows()),
            Some(boundary) => self.by_extremes((self.span.sorts.first()?, *boundary.values.first()?)),
        }
    }

    /// By the key of each group's first row. It reads one head more than the page has rows, to detect ties.
    fn by_first_rows(&self) -> SelectStatement {
        let mut nearest = self.keys();
        nearest.expr(as_count(self.access.dialect(), Expr::col(source::NUMBER)));
        nearest.from_subquery(self.first_rows(), RANKED).and_where(self.has_rows());
        self.span.sort(&mut nearest, OrderColumn::in_result);
        nearest.limit(self.span.limit.read().saturating_add(1)).take()
    }

    /// The condition that a group has rows, and so a head.
    fn has_rows(&self) -> Expr {
        Expr::col(self.key.not_null.clone()).is_not_null()
    }

    /// The columns of the key, with what the server says about them.
    fn keys(&self) -> SelectStatement {
        let names: Vec<Expr> = self.span.sorts.iter().map(OrderColumn::in_result).collect();
        let mut keys = Query::select().exprs(names.clone()).take();
        self.access.dialect().select_collation_columns(&mut keys, self.key.variants.iter().copied().zip(&names));
        keys
    }

    /// The number of each group, with the key of its first row.
    ///
    /// With a limit, MariaDB computes all keys before it sorts them. Otherwise, it merges the select with the one around it,
    /// which takes longer.
    fn first_rows(&self) -> SelectStatement {
        let mut heads = self.source.numbered(&self.feed.groups);
        heads.column((source::ALIAS, source::NUMBER));
        for sort in self.span.sorts {
            heads.expr_as(Expr::from(self.first(sort)), sort.output.clone());
        }
        heads.limit(self.feed.count()).take()
    }

    /// One value of the first row of the group that the table is at.
    fn first(&self, sort: &OrderColumn) -> SelectStatement {
        let group = self.feed.is_in_current(&self.source);
        let first = self.feed.keys(self.rows, group, std::slice::from_ref(sort));
        self.first_of_span().of(&self.access.with_hint(first))
    }

    /// The span of a group, of which only the first row is needed. Without a boundary, its text is the same for every
    /// access.
    fn first_of_span(&self) -> Span<'_> {
        Span { limit: Limit::of(1), ..self.span }
    }

    /// By the nearest value that each group has in the order's first column, from the boundary's on: an index skips from
    /// one group to the next. `None` if the column can be NULL.
    fn by_extremes(&self, start: Start<'_>) -> Option<SelectStatement> {
        let first = *self.key.variants.first().filter(|_| start.0.nulls.is_none())?;
        Some(self.with_numbers(nearest(
            self.access.dialect(),
            self.extremes(start),
            start,
            first,
            self.span.limit.read(),
        )))
    }

    /// The nearest heads, joined with the numbers of their groups.
    fn with_numbers(&self, mut nearest: SelectStatement) -> SelectStatement {
        let groups = self.source.table(&self.feed.groups);
        nearest.join_subquery(JoinType::InnerJoin, groups, source::ALIAS, self.same_group()).take()
    }

    /// The nearest value of each group.
    fn extremes(&self, (first, bound): Start<'_>) -> SelectStatement {
        let mut extremes = self.by_group();
        extremes.expr_as(nearest_value(first), HEAD).and_where(from(first, bound)).take()
    }

    /// The columns of the groups, with one row for each group.
    fn by_group(&self) -> SelectStatement {
        let mut rows = self.feed.keys(self.rows, filter(&self.feed.groups, self.access.dialect()), &[]);
        for (at, group) in self.feed.groups.columns.iter().enumerate() {
            rows.expr_as(group.clone(), group_name(at)).add_group_by([group.clone()]);
        }
        rows
    }

    /// The condition that a ranked group is the one that the table is at.
    fn same_group(&self) -> Condition {
        let columns = 0..self.feed.groups.columns.len();
        let same = |at| Expr::col((RANKED, group_name(at))).eq(self.source.value(at));
        columns.map(same).fold(Condition::all(), Condition::add)
    }
}
