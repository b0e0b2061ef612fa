//! Finds the groups from which a page of a feed can have rows, with a separate statement.
//!
//! MariaDB has no LATERAL join, and can only start reading a group at a boundary if the group's values are constants.
//! So the groups with the nearest heads are found first, and then their rows, with a SELECT for each.
//!
//! On the first page, the heads are the first rows of the groups, with some details left out:
//!
//! ```sql
//! SELECT number FROM (
//!     SELECT number,
//!         (SELECT created_at FROM posts WHERE author_id = author ORDER BY created_at DESC, id DESC LIMIT 1) AS created_at,
//!         (SELECT id FROM posts WHERE author_id = author ORDER BY created_at DESC, id DESC LIMIT 1) AS id
//!     FROM JSON_TABLE(?, '$[*]' COLUMNS (author BIGINT PATH '$[0]', number FOR ORDINALITY)) authors
//!     ORDER BY id IS NULL, created_at DESC, id DESC LIMIT 16
//! ) heads WHERE id IS NOT NULL
//! ```
//!
//! After a boundary, they are the groups' nearest values of the order's first column, which an index finds by skipping
//! from one group to the next:
//!
//! ```sql
//! SELECT number FROM authors JOIN (
//!     SELECT *, RANK() OVER (PARTITION BY is_tied ORDER BY head DESC) AS place FROM (
//!         SELECT author_id, MAX(created_at) AS head, MAX(created_at) = ? AS is_tied
//!         FROM posts WHERE author_id IN (…) AND created_at <= ? GROUP BY author_id
//!     ) extremes
//! ) ranked ON author_id = author WHERE place <= 16
//! ```

use sea_query::{Asterisk, Condition, Expr, ExprTrait as _, JoinType, Order, Query, SelectStatement};

use super::each::as_count;
use super::filter::filter;
use super::source::{self, Source, group_name};
use super::{Feed, FeedPage, MAX_BRANCHES_WITHOUT_HEADS};
use crate::dialect::catalog::Server;
use crate::model::table::Direction;
use crate::query::access::Access;
use crate::query::deferred_join::ModelRows;
use crate::query::order_column::OrderColumn;
use crate::query::predicate::{Bound, Limit, Span};

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
        self.groups.len() > MAX_BRANCHES_WITHOUT_HEADS && Source::of(&self.groups, self.text.dialect()).is_json()
    }

    /// The statement that finds the groups with the nearest heads, for a feed that [may need
    /// one](Self::may_find_heads); `None` if the page needs none. `not_null` is the name of a key column that is never
    /// NULL, and the span's columns have the names of keys.
    ///
    /// Its only column is the number of a group, from 1 on.
    pub(crate) fn heads(
        &self,
        rows: &ModelRows,
        page: FeedPage<'_>,
        span: Span<'_>,
        not_null: &str,
    ) -> Option<SelectStatement> {
        let is_mariadb = matches!(page.info.server, Server::MariaDb(_));
        let access =
            self.access(page.info, page.sorts).filter(|access| is_mariadb && access.is_in_order(page.sorts))?;
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
        // A group without rows has no head.
        let key = Expr::col(self.not_null.to_owned());
        let nearest = self.nearest_rows(key.clone().is_null());
        let number = as_count(self.access.dialect, Expr::col(source::NUMBER));
        Query::select().expr(number).from_subquery(nearest, RANKED).and_where(key.is_not_null()).take()
    }

    /// The nearest of the first rows, then the groups that have none.
    fn nearest_rows(&self, is_missing: Expr) -> SelectStatement {
        let mut heads = self.first_rows();
        heads.order_by_expr(is_missing, Order::Asc);
        self.span.sort(&mut heads, OrderColumn::in_result);
        heads.limit(self.span.limit.read()).take()
    }

    /// The number of each group, with the key of its first row.
    fn first_rows(&self) -> SelectStatement {
        let mut heads = self.source.numbered(&self.feed.groups);
        heads.column((source::ALIAS, source::NUMBER));
        for sort in self.span.sorts {
            heads.expr_as(Expr::from(self.first(sort)), sort.output.clone());
        }
        heads
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
    ///
    /// A group whose nearest value is the boundary's may have no row after the boundary, so all of these are kept, and as
    /// many of the others as the page has rows.
    fn by_extremes(&self, first: &OrderColumn, bound: Bound<'_>) -> Option<SelectStatement> {
        first.nulls.is_none().then(|| self.nearest_groups(self.ranked(first, bound)))
    }

    /// The numbers of the groups with the first ranks.
    fn nearest_groups(&self, ranked: SelectStatement) -> SelectStatement {
        let number = Expr::col((source::ALIAS, source::NUMBER));
        let is_near = Expr::col((RANKED, RANK)).lte(self.span.limit.read());
        let mut groups = self.source.numbered(&self.feed.groups);
        groups.expr(as_count(self.access.dialect, number)).and_where(is_near);
        groups.join_subquery(JoinType::InnerJoin, ranked, RANKED, self.same_group()).take()
    }

    /// The extremes with their ranks: among those that tie with the boundary, and among the others.
    fn ranked(&self, first: &OrderColumn, bound: Bound<'_>) -> SelectStatement {
        let order = if first.direction == Direction::Desc { "DESC" } else { "ASC" };
        let rank = format!("RANK() OVER (PARTITION BY {IS_TIED} ORDER BY {HEAD} {order})");
        let mut ranked = Query::select().column(Asterisk).expr_as(Expr::cust(rank), RANK).take();
        ranked.from_subquery(self.extremes(first, bound), "folio_extremes").take()
    }

    /// The nearest value of each group, and whether it is the boundary's.
    fn extremes(&self, first: &OrderColumn, bound: Bound<'_>) -> SelectStatement {
        let (head, is_within) = nearest_value(first, bound);
        let mut extremes = self.by_group();
        extremes.expr_as(head.clone(), HEAD).expr_as(head.eq(bound.expr()), IS_TIED);
        extremes.and_where(is_within).take()
    }

    /// The columns of the groups, with one row for each group.
    fn by_group(&self) -> SelectStatement {
        let mut rows = self.feed.keys(self.rows, filter(&self.feed.groups, self.access.dialect), &[]);
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

/// The value of a column that is nearest to the boundary, and the condition of the rows from the boundary on.
fn nearest_value(first: &OrderColumn, bound: Bound<'_>) -> (Expr, Expr) {
    let column = first.in_select();
    match first.direction {
        Direction::Desc => (column.clone().max(), column.lte(bound.expr())),
        Direction::Asc => (column.clone().min(), column.gte(bound.expr())),
    }
}
