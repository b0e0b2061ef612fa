//! The groups that a page of a feed can have rows of, found by a statement of its own.
//!
//! MariaDB has no LATERAL join, and reads a group from a boundary on only if its values are constants. So the groups
//! with the nearest heads are found first, and their rows by a SELECT for each.

use sea_query::{Asterisk, Condition, Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};

use super::each::as_count;
use super::filter::filter;
use super::source::{self, Source};
use super::{Feed, FeedPage, MAX_BRANCHES_WITHOUT_HEADS};
use crate::dialect::catalog::Server;
use crate::model::table::Direction;
use crate::query::access::Access;
use crate::query::deferred_join::ModelRows;
use crate::query::order_column::OrderColumn;
use crate::query::predicate::{self, Bound, Limit, Span};

/// The name of a group's head, of whether it ties with the boundary, and of its rank.
const HEAD: &str = "folio_head";
const IS_TIED: &str = "folio_is_tied";
const RANK: &str = "folio_rank";
/// The alias of the groups that were ranked.
const RANKED: &str = "folio_ranked";

/// The groups of a feed whose heads are to be found.
pub(crate) struct Heads<'a> {
    rows: &'a ModelRows,
    feed: &'a Feed,
    span: Span<'a>,
    access: Access,
    source: Source,
    /// The name of a key column that is NULL in no row.
    not_null: &'a str,
}

impl Feed {
    /// Whether a page may need a statement for its heads. Both statements then have to see the same rows.
    pub(crate) fn may_find_heads(&self) -> bool {
        self.groups.values.len() > MAX_BRANCHES_WITHOUT_HEADS && Source::of(&self.groups, self.text.dialect()).is_json()
    }

    /// The statement that finds the groups with the nearest heads; `None` if the page needs none. `not_null` is the name
    /// of a key column that is NULL in no row, and the span's columns have the names of keys.
    ///
    /// Its only column is the number of a group, from 1 on.
    pub(crate) fn heads(
        &self,
        rows: &ModelRows,
        page: FeedPage<'_>,
        span: Span<'_>,
        not_null: &str,
    ) -> Option<SelectStatement> {
        let is_needed = matches!(page.info.server, Server::MariaDb(_)) && self.may_find_heads();
        let access = self.access(page).filter(|access| is_needed && access.is_in_order(page.sorts))?;
        let source = Source::of(&self.groups, access.dialect);
        Heads { rows, feed: self, span, access, source, not_null }.select()
    }
}

impl Heads<'_> {
    fn select(&self) -> Option<SelectStatement> {
        match self.span.boundary {
            None => Some(self.by_first_rows()),
            Some(boundary) => self.by_extremes(self.span.sorts.first()?, *boundary.values.first()?),
        }
    }

    /// By the key of each group's first row.
    fn by_first_rows(&self) -> SelectStatement {
        let mut heads = self.groups();
        heads.column((source::ALIAS, source::NUMBER));
        for sort in self.span.sorts {
            heads.expr_as(Expr::from(self.first(sort)), sort.output.clone());
        }
        // A group without rows has no head.
        let key = || Expr::col(self.not_null.to_owned());
        heads.order_by_expr(key().is_null(), Order::Asc);
        predicate::order(self.access.dialect, &mut heads, self.span.sorts, OrderColumn::in_result);
        let nearest = heads.limit(self.span.limit.read()).take();
        Query::select()
            .expr(as_count(self.access.dialect, Expr::col(source::NUMBER)))
            .from_subquery(nearest, RANKED)
            .and_where(key().is_not_null())
            .take()
    }

    /// One value of the first row of the group that the table is at.
    fn first(&self, sort: &OrderColumn) -> SelectStatement {
        let group = self.feed.is_in_current(&self.source);
        let first = self.feed.keys(self.rows, group, std::slice::from_ref(sort));
        Span { access: &self.access, limit: Limit::of(1), end: None, ..self.span }.of(&self.access.with_hint(first))
    }

    /// By the nearest value that each group has in the order's first column, from the boundary's on: an index skips from
    /// one group to the next. `None` if the column can be NULL.
    ///
    /// A group whose nearest value is the boundary's may have no row after the boundary, so all of these are kept, and as
    /// many of the others as the page has rows.
    fn by_extremes(&self, first: &OrderColumn, bound: Bound<'_>) -> Option<SelectStatement> {
        if first.nulls.is_some() {
            return None;
        }
        let extremes = self.extremes(first, bound);
        let order = if first.direction == Direction::Desc { "DESC" } else { "ASC" };
        let rank = format!("RANK() OVER (PARTITION BY {IS_TIED} ORDER BY {HEAD} {order})");
        let ranked = Query::select()
            .column(Asterisk)
            .expr_as(Expr::cust(rank), RANK)
            .from_subquery(extremes, "folio_extremes")
            .take();
        let mut nearest = self.groups();
        let rank = Expr::col((RANKED, RANK));
        nearest.expr(as_count(self.access.dialect, Expr::col((source::ALIAS, source::NUMBER))));
        nearest.join_subquery(JoinType::InnerJoin, ranked, RANKED, self.same_group());
        Some(nearest.and_where(rank.lte(self.span.limit.read())).take())
    }

    /// The nearest value of each group, and whether it is the boundary's.
    fn extremes(&self, first: &OrderColumn, bound: Bound<'_>) -> SelectStatement {
        let column = first.expr.clone();
        let mut extremes = self.feed.keys(self.rows, filter(&self.feed.groups, self.access.dialect), &[]);
        for (at, group) in self.feed.groups.columns.iter().enumerate() {
            extremes.expr_as(group.clone(), source::group_name(at)).add_group_by([group.clone()]);
        }
        let (head, within) = match first.direction {
            Direction::Desc => (column.clone().max(), column.lte(bound.expr())),
            Direction::Asc => (column.clone().min(), column.gte(bound.expr())),
        };
        extremes.expr_as(head.clone(), HEAD).expr_as(head.eq(bound.expr()), IS_TIED);
        extremes.and_where(within).take()
    }

    /// The condition that a ranked group is the one that the table is at.
    fn same_group(&self) -> Condition {
        let columns = 0..self.feed.groups.columns.len();
        let same = |at| Expr::col((RANKED, source::group_name(at))).eq(self.source.value(at));
        columns.map(same).fold(Condition::all(), Condition::add)
    }

    /// A select from the table of groups.
    fn groups(&self) -> SelectStatement {
        let values = self.source.values(&self.feed.groups);
        let groups = self.source.select(&values, self.feed.groups.columns.len(), true);
        Query::select().from_subquery(groups, source::ALIAS).take()
    }
}
