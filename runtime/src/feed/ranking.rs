//! Ranks the heads of a feed's groups after a boundary, and selects the nearest of them.
//!
//! A head is the nearest value that a group has in the order's first column, from the boundary's value on.

use sea_query::{Asterisk, CaseStatement, Expr, ExprTrait as _, Order, Query, SelectStatement};

use super::each::as_count;
use super::source::NUMBER;
use crate::boundary::Bound;
use crate::dialect::Dialect;
use crate::order::{OrderColumn, key_name};
use crate::schema::table::Direction;
use crate::value::Variant;

/// The name of a group's head.
pub(super) const HEAD: &str = "folio_head";
/// The name of the column that tells whether it ties with the boundary.
const IS_TIED: &str = "folio_is_tied";
/// The name of its rank.
const RANK: &str = "folio_rank";
/// The alias of the ranked heads.
pub(super) const RANKED: &str = "folio_ranked";

/// The order's first column, and the boundary's value of it.
pub(super) type Start<'a> = (&'a OrderColumn, Bound<'a>);

/// The value of a column that comes first in its direction.
pub(super) fn nearest_value(sort: &OrderColumn) -> Expr {
    let column = sort.in_select();
    if sort.direction == Direction::Desc { column.max() } else { column.min() }
}

/// The nearest of these heads for a page of `rows`. `first` is the type of the order's first column.
///
/// The last column is the number of a group, from 1 on, which comes from [`NUMBER`] in the heads or in a table that is
/// joined. The first one has the name of the first key: it is the group's head, or NULL if that is the boundary's. The
/// groups are in the order of their heads, those with NULL first. A group whose head is the boundary's may have no row
/// after the boundary, so all of these are found, and as many of the others as the page has rows.
pub(super) fn nearest(
    dialect: Dialect,
    heads: SelectStatement,
    start: Start<'_>,
    first: Variant,
    rows: u64,
) -> SelectStatement {
    let mut nearest = numbered_heads(dialect, first);
    nearest.from_subquery(ranked(heads, start), RANKED).and_where(Expr::col(RANK).lte(rows));
    nearest.order_by(IS_TIED, Order::Desc).order_by(HEAD, start.0.direction.into()).take()
}

/// The heads with their ranks: among those that tie with the boundary, and among the others.
fn ranked(heads: SelectStatement, (sort, bound): Start<'_>) -> SelectStatement {
    let order = if sort.direction == Direction::Desc { "DESC" } else { "ASC" };
    let rank = Expr::cust(format!("RANK() OVER (PARTITION BY {IS_TIED} ORDER BY {HEAD} {order})"));
    all_and(rank, RANK, all_and(Expr::col(HEAD).eq(bound.expr()), IS_TIED, heads))
}

/// Adds a computed column.
fn all_and(column: Expr, name: &'static str, select: SelectStatement) -> SelectStatement {
    Query::select().column(Asterisk).expr_as(column, name).from_subquery(select, "folio_rows").take()
}

/// Each head, with what the server says about its column, and the number of its group.
fn numbered_heads(dialect: Dialect, first: Variant) -> SelectStatement {
    let mut heads = Query::select().expr_as(untied_head(), key_name(0)).take();
    dialect.select_collation_columns(&mut heads, [(first, &Expr::col(HEAD))].into_iter());
    heads.expr(as_count(dialect, Expr::col(NUMBER))).take()
}

/// A head, unless it ties with the boundary.
fn untied_head() -> CaseStatement {
    CaseStatement::new().case(Expr::col(IS_TIED).eq(Expr::cust("0")), Expr::col(HEAD))
}
