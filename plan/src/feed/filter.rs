//! The condition that a row is in one of several groups, for lists that do not read each group by itself.

use std::iter;

use sea_query::{Expr, ExprTrait as _, Func, Query, SelectStatement, Value};

use super::source::{block, json_of_integers, missing, value_of};
use crate::dialect::{Dialect, ListForm, Sql};
use crate::error::{Misuse, Result};
use crate::schema::group::{Groups, Link};
use crate::statement::condition::{Condition, operand};
use crate::statement::select::Select;

/// Rejects groups for which a proxy would need a subquery.
///
/// # Errors
/// [`Misuse`] for rows that another table links to their groups.
pub fn check_mergeable(dialect: Dialect, groups: &Groups) -> Result<()> {
    if groups.link.is_none() || !dialect.facts().is_plain {
        return Ok(());
    }
    Err(Misuse::new(
        "with `Folio::plain_statements`, rows that a third table links to others cannot be read, because each server would only \
         look up its own links: read the links, and then the rows by their keys",
    ))
}

/// The condition that a row is in one of the groups, and the expression that it is written from.
///
/// One group is an equality. PostgreSQL and SQLite take the values of one column as one list, if it can hold them.
/// Otherwise each value is a parameter, and the last group is repeated to fill a block.
pub fn filter(groups: &Groups, dialect: Dialect) -> (Expr, Condition) {
    let expr = match (groups.len(), groups.iter().last()) {
        (1, Some(values)) => {
            let equal = groups.columns.iter().zip(values).map(|(column, value)| column.clone().eq(value.clone()));
            let expr = groups.is_near(values).into_iter().chain(equal).reduce(Expr::and);
            let expr = of_rows(groups, expr.unwrap_or_else(|| Expr::cust("1 = 0")));
            let condition = equal_to(groups, values, dialect, |_, value| Sql::new(dialect).constant(value.clone()));
            // In parentheses as any filter, so that cursors are bound to the same text.
            return (Expr::tuple([expr]), condition.in_parentheses());
        }
        (_, Some(last)) => of_rows(
            groups,
            match elements(groups, dialect) {
                Some((column, elements)) => column.clone().in_subquery(elements),
                None => listed(groups, last, dialect),
            },
        ),
        (_, None) => Expr::cust("1 = 0"),
    };
    let condition = Condition::of(dialect, &expr);
    (expr, condition)
}

/// The condition that a row is in the group with these values, which `value` writes, each with its place in the group.
fn equal_to(groups: &Groups, values: &[Value], dialect: Dialect, value: impl Fn(usize, &Value) -> Sql) -> Condition {
    let equal = groups.columns.iter().zip(values).enumerate().map(|(at, (column, own))| {
        let sql = operand(dialect, column).push(" = ").append(&value(at, own).signed());
        if dialect.sign().is_empty() { Condition::bare(sql) } else { Condition::loose(sql) }
    });
    let near = groups.is_near(values);
    let near = near.as_ref().map(|near| Condition::of(dialect, near));
    let equal = Condition::all(near.into_iter().chain(equal)).unwrap_or_else(|| Condition::nowhere(dialect));
    are_linked(groups, equal)
}

/// The condition that a row is in a group whose columns match a condition.
///
/// Through a link it is an IN, which no row matches twice: a semi-join, for which databases may read the link's rows
/// first. NULL in a link equals no row.
pub(super) fn are_linked(groups: &Groups, group: Condition) -> Condition {
    let Some(Link { table, keys }) = &groups.link else { return group };
    let new = || Sql::new(group.sql().dialect());
    let from = new().table_name(table).push(" AS ").name(Link::ALIAS);
    let links = keys
        .iter()
        .fold(Select::from(from), |links, (name, _)| links.column(|sql| sql.column(Link::ALIAS, &name.inner())));
    let rows = new().joined(groups.link.iter().flat_map(Link::of_rows).map(|column| new().expr(&column)), ", ");
    Condition::bare(new().enclosed(&rows).push(" IN ").enclosed(&links.and(group).sql()))
}

/// Same as [`are_linked`], as an expression.
fn of_rows(groups: &Groups, group: Expr) -> Expr {
    let Some(link) = &groups.link else { return group };
    let links = link.keys.iter().map(|(name, _)| Link::column(name.clone()));
    let links = Query::select().exprs(links).from_as(link.table.clone(), Link::ALIAS).and_where(group).take();
    Expr::tuple(link.of_rows()).in_subquery(links)
}

/// The condition that a row is in the group at a place, whose values the statement binds.
pub(super) fn equal_to_bound(groups: &Groups, at: usize, values: &[Value], dialect: Dialect) -> Condition {
    let first = at.saturating_mul(groups.columns.len().max(1));
    equal_to(groups, values, dialect, |at, value| value_of(dialect, first.saturating_add(at), value))
}

/// The column, and the values in it as a select from a list, if SQLite reads them from one parameter.
fn elements(groups: &Groups, dialect: Dialect) -> Option<(&Expr, SelectStatement)> {
    let [column] = &*groups.columns else { return None };
    let list = json_of_integers(groups).filter(|_| dialect.facts().lists == ListForm::JsonIn)?;
    let elements = Func::cust("json_each").arg(list);
    Some((column, Query::select().column("value").from_function(elements, "folio_values").take()))
}

/// `columns IN (values)`. A single column is in parentheses, so that PostgreSQL may take its values as an array.
fn listed(groups: &Groups, last: &[Value], dialect: Dialect) -> Expr {
    let padding = iter::repeat_n(last, missing(groups, block(groups.len())));
    let rows = groups.iter().chain(padding).map(|values| match values {
        [value] => value.clone().into(),
        values => Expr::tuple(values.iter().cloned().map(Expr::Value)),
    });
    let mut list = Expr::tuple(groups.columns.iter().cloned()).is_in(rows);
    dialect.convert_lists(&mut list);
    match groups.are_near() {
        Some(near) => near.and(list),
        None => list,
    }
}

#[cfg(test)]
mod tests;
