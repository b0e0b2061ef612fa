//! The ORDER BY of a select.

use sea_query::{Expr, SelectStatement};

use crate::dialect::Dialect;
use crate::order::OrderColumn;
use crate::schema::table::Nulls;

/// Puts a select in the whole order, by the names of a result or by the columns that it is made of.
pub(crate) fn order(
    dialect: Dialect,
    select: &mut SelectStatement,
    sorts: &[OrderColumn],
    by: impl Fn(&OrderColumn) -> Expr,
) {
    for sort in sorts {
        let nulls = if sort.is_natural(dialect) { None } else { sort.nulls };
        order_by(select, by(sort), sort, nulls);
    }
}

/// Puts the rows of a group in order, with the group's columns before those of the order.
pub(crate) fn order_within(select: &mut SelectStatement, group: &[Expr], sorts: &[OrderColumn]) {
    if let Some(first) = sorts.first() {
        for column in group {
            order_by(select, column.clone(), first, None);
        }
    }
    for sort in sorts {
        order_by(select, sort.expr.clone(), sort, None);
    }
}

/// Sorts by an expression, after what the select sorts by already.
pub(super) fn order_by(select: &mut SelectStatement, expr: Expr, sort: &OrderColumn, nulls: Option<Nulls>) {
    let direction = sort.direction.into();
    match nulls {
        None => select.order_by_expr(expr, direction),
        Some(nulls) => select.order_by_expr_with_nulls(expr, direction, nulls.into()),
    };
}
