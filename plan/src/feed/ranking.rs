//! Ranks the heads of a feed's groups after a boundary, and selects the nearest of them.
//!
//! A head is the nearest value that a group has in the order's first column, from the boundary's value on.

use super::each::as_count;
use super::source::NUMBER;
use crate::boundary::BoundaryValue;
use crate::dialect::{Dialect, Param, Sql};
use crate::order::{OrderColumn, key_name};
use crate::schema::table::Direction;
use crate::statement::condition::Condition;
use crate::statement::select::{DERIVED, Number, Select};
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
pub(super) type Start<'a> = (&'a OrderColumn, &'a BoundaryValue);

/// The value of a column that comes first in its direction.
pub(super) fn nearest_value(dialect: Dialect, sort: &OrderColumn) -> Sql {
    let function = if sort.direction == Direction::Desc { "MAX(" } else { "MIN(" };
    Sql::new(dialect).push(function).expr(&sort.expr).push(")")
}

/// The nearest of these heads for a page of `rows`. `first` is the type of the order's first column.
///
/// The last column is the number of a group, from 1 on, which comes from [`NUMBER`] in the heads or in a table that is
/// joined. The first one has the name of the first key: it is the group's head, or NULL if that is the boundary's. The
/// groups are in the order of their heads, those with NULL first. A group whose head is the boundary's may have no row
/// after the boundary, so all of these are found, and as many of the others as the page has rows.
pub(super) fn nearest(
    heads: &Sql,
    (sort, bound): Start<'_>,
    first: Variant,
    rows: Number,
    join: impl FnOnce(Sql) -> Sql,
) -> Select {
    let dialect = heads.dialect();
    let name = |name| Sql::new(dialect).name(name);
    let direction = if sort.direction == Direction::Desc { " DESC" } else { " ASC" };
    let value = match bound.cast() {
        Some(cast) => Sql::new(dialect).push("CAST(").param(Param::Boundary(0)).push(&format!(" AS {cast})")),
        None => Sql::new(dialect).param(Param::Boundary(0)),
    };
    let tied = Select::all_of(heads, DERIVED).column_as(|sql| sql.name(HEAD).push(" = ").append(&value), IS_TIED);
    let rank = format!("RANK() OVER (PARTITION BY {IS_TIED} ORDER BY {HEAD}{direction})");
    let ranked = Select::all_of(&tied.sql(), DERIVED).column_as(|sql| sql.push(&rank), RANK);

    let untied = |sql: Sql| {
        let head = sql.push("(CASE WHEN (").name(IS_TIED).push(" = (0)) THEN ").name(HEAD);
        head.push(" END)")
    };
    let mut nearest = Select::from_derived(&ranked.sql(), RANKED).join(join).column_as(untied, &key_name(0));
    for (collation, name) in dialect.collation_columns([(first, &name(HEAD))]) {
        nearest = nearest.column_as(|sql| sql.append(&collation), &name);
    }
    nearest
        .column(|sql| as_count(sql, &name(NUMBER)))
        .and(Condition::comparison(name(RANK), "<=", &rows.write(Sql::new(dialect))))
        .order_by(|sql| sql.name(IS_TIED).push(" DESC"))
        .order_by(|sql| sql.name(HEAD).push(direction))
}
