//! Several selects as one.

use sea_query::{Asterisk, Query, SelectStatement, UnionType};

use super::sort::order;
use crate::dialect::Dialect;
use crate::order::OrderColumn;

/// Selects that have an order and a limit of their own, under one order.
pub(crate) fn united(
    dialect: Dialect,
    sorts: &[OrderColumn],
    selects: impl Iterator<Item = SelectStatement>,
) -> SelectStatement {
    union(dialect, sorts, selects.enumerate().map(derived), UnionType::All)
}

/// All rows of selects that have an order and a limit of their own, in no order.
pub(crate) fn all_of(dialect: Dialect, selects: impl Iterator<Item = SelectStatement>) -> SelectStatement {
    union(dialect, &[], parenthesized(dialect, selects), UnionType::All)
}

/// The rows of selects, in no order.
pub(crate) fn union_of(selects: impl Iterator<Item = SelectStatement>, union_type: UnionType) -> SelectStatement {
    selects.reduce(|mut whole, select| whole.union(union_type, select).take()).unwrap_or_default()
}

/// A select as a derived table. One with an order and a limit needs parentheses in a union: SQLite accepts them only around
/// a derived table.
fn derived((at, select): (usize, SelectStatement)) -> SelectStatement {
    Query::select().column(Asterisk).from_subquery(select, format!("folio_{at}")).take()
}

/// Selects in parentheses, if the database accepts them in a union. MySQL and MariaDB are slow to materialize many
/// derived tables. sea-query writes no parentheses around the first select.
pub(super) fn parenthesized(
    dialect: Dialect,
    selects: impl Iterator<Item = SelectStatement>,
) -> impl Iterator<Item = SelectStatement> {
    let accepts = dialect.facts().unites_in_parentheses;
    selects.enumerate().map(move |(at, select)| if accepts && at > 0 { select } else { derived((at, select)) })
}

/// The selects under one order by the names of their result.
pub(super) fn union(
    dialect: Dialect,
    sorts: &[OrderColumn],
    selects: impl Iterator<Item = SelectStatement>,
    union_type: UnionType,
) -> SelectStatement {
    let mut whole = union_of(selects, union_type);
    order(dialect, &mut whole, sorts, OrderColumn::in_result);
    whole
}
