//! The condition that a row is in one of several groups, for lists that do not read each group by itself.

use std::iter;

use sea_query::{BinOper, Expr, ExprTrait as _, Func, Query, SelectStatement, Value};

use super::source::{block, json_of_integers, missing};
use crate::dialect::{Dialect, ListForm};
use crate::schema::group::Groups;

/// The condition that a row is in one of the groups.
///
/// One group is an equality. PostgreSQL and SQLite take the values of one column as one list, if it can hold them.
/// Otherwise each value is a parameter, and the last group is repeated to fill a block.
pub(crate) fn filter(groups: &Groups, dialect: Dialect) -> Expr {
    match (groups.len(), groups.iter().last()) {
        // In parentheses as any filter, so that cursors are bound to the same text.
        (1, Some(values)) => Expr::tuple([equal(groups, values, dialect)]),
        (_, Some(last)) => match elements(groups, dialect) {
            Some((column, elements)) => column.clone().in_subquery(elements),
            None => listed(groups, last, dialect),
        },
        (_, None) => nowhere(),
    }
}

/// The condition that a row is in the group with these values.
pub(super) fn equal(groups: &Groups, values: &[Value], dialect: Dialect) -> Expr {
    let equals = dialect.comparison(BinOper::Equal);
    let columns = groups.columns.iter().zip(values);
    let equal = columns.map(|(column, value)| column.clone().binary(equals, value.clone()));
    all(groups.is_near(values).into_iter().chain(equal))
}

/// The condition that all of these hold. Of no columns, no row matches.
pub(super) fn all(conditions: impl Iterator<Item = Expr>) -> Expr {
    conditions.reduce(Expr::and).unwrap_or_else(nowhere)
}

/// A condition that no row matches.
pub(super) fn nowhere() -> Expr {
    Expr::cust("1 = 0")
}

/// The column, and the values in it as a select from a list, if SQLite reads them from one parameter.
fn elements(groups: &Groups, dialect: Dialect) -> Option<(&Expr, SelectStatement)> {
    let [column] = &*groups.columns else { return None };
    let list = json_of_integers(groups).filter(|_| dialect.facts().lists == ListForm::JsonIn)?;
    Some((column, elements_of(list)))
}

/// The elements of a JSON array.
fn elements_of(list: String) -> SelectStatement {
    let elements = Func::cust("json_each").arg(list);
    Query::select().column("value").from_function(elements, "folio_values").take()
}

/// `columns IN (values)`. A single column is in parentheses, so that PostgreSQL may take its values as an array.
fn listed(groups: &Groups, last: &[Value], dialect: Dialect) -> Expr {
    let padding = iter::repeat_n(last, missing(groups, block(groups.len())));
    let rows = groups.iter().chain(padding).map(row);
    let mut list = Expr::tuple(groups.columns.iter().cloned()).is_in(rows);
    dialect.convert_lists(&mut list);
    match groups.are_near() {
        Some(near) => near.and(list),
        None => list,
    }
}

/// A value, or several as a row value.
fn row(values: &[Value]) -> Expr {
    match values {
        [value] => value.clone().into(),
        values => Expr::tuple(values.iter().cloned().map(Expr::Value)),
    }
}

#[cfg(test)]
mod tests;
