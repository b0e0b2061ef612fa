//! The ORDER BY of a select.

use sea_query::Expr;

use crate::dialect::{Dialect, Sql};
use crate::order::OrderColumn;
use crate::schema::table::{Direction, Nulls};
use crate::statement::select::Select;

/// How an order names its columns.
#[derive(Debug, Clone, Copy)]
pub enum Names<'a> {
    /// As the columns that the select is made of.
    InSelect,
    /// As the result does.
    InResult,
    /// As the result of this derived table does.
    Of(&'a str),
}

impl Names<'_> {
    /// In a select itself. A proxy sorts the rows of several servers by columns of their result.
    pub fn in_select(dialect: Dialect) -> Self {
        if dialect.facts().is_plain { Self::InResult } else { Self::InSelect }
    }

    pub(super) fn write(self, sql: Sql, sort: &OrderColumn) -> Sql {
        match self {
            Self::InSelect => sql.expr(&sort.expr),
            Self::InResult => sql.name(&sort.output),
            Self::Of(table) => sql.column(table, &sort.output),
        }
    }
}

/// Puts a select in the whole order.
pub fn order(mut select: Select, sorts: &[OrderColumn], by: Names<'_>) -> Select {
    let dialect = select.dialect;
    for sort in sorts {
        let nulls = if sort.is_natural(dialect) { None } else { sort.nulls };
        select = order_by(select, &by.write(Sql::new(dialect), sort), sort.direction, nulls);
    }
    select
}

/// Puts the rows of a group in order, with the group's columns before those of the order.
pub(crate) fn order_within(mut select: Select, group: &[Expr], sorts: &[OrderColumn]) -> Select {
    let first = sorts.first().map_or(Direction::Asc, |first| first.direction);
    let group = group.iter().map(|column| (column, first));
    for (expr, direction) in group.chain(sorts.iter().map(|sort| (&sort.expr, sort.direction))) {
        let expr = Sql::of(select.dialect, expr);
        select = order_by(select, &expr, direction, None);
    }
    select
}

/// Sorts by an expression, after what the select sorts by already.
pub(super) fn order_by(select: Select, expr: &Sql, direction: Direction, nulls: Option<Nulls>) -> Select {
    let direction = match direction {
        Direction::Asc => " ASC",
        Direction::Desc => " DESC",
    };
    match (nulls, select.dialect.facts().has_nulls_order) {
        (None, _) => select.order_by(|sql| sql.append(expr).push(direction)),
        (Some(nulls), false) => {
            let are_nulls = if nulls == Nulls::First { " IS NULL DESC" } else { " IS NULL ASC" };
            let select = select.order_by(|sql| sql.append(expr).push(are_nulls));
            select.order_by(|sql| sql.append(expr).push(direction))
        }
        (Some(nulls), true) => {
            let place = if nulls == Nulls::First { " NULLS FIRST" } else { " NULLS LAST" };
            select.order_by(|sql| sql.append(expr).push(direction).push(place))
        }
    }
}
