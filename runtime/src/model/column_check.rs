//! Columns of another table than the one that the rows are of. A column's type does not name its model, so it is not
//! the compiler that finds them; and what the database says of them does not tell what to write.

use std::fmt::Display;

use sea_query::{ColumnName, ColumnRef, DynIden, Expr, SchemaName, TableName};

use crate::error::{FrameworkError, Result};
use crate::model::table::Table;

/// Refuses an expression over the rows of `table` with a column of another one.
///
/// # Errors
/// [`FrameworkError::Internal`], which names both.
pub(crate) fn check(table: &Table, expr: &Expr) -> Result<()> {
    let Some(ColumnName(Some(other), column)) = find(table, expr) else { return Ok(()) };
    let own = name(table.schema, table.name);
    let other = name(other.0.as_ref().map(|SchemaName(_, schema)| schema), &other.1);
    Err(FrameworkError::internal(format!(
        "`{other}.{column}` is a column of `{other}`, but the rows are those of `{own}`: write a column of `{own}`, or put \
         `{other}` into a subquery; for a join give `Pagination` a select"
    )))
}

/// A table's name behind that of its schema.
fn name(schema: Option<impl Display>, table: impl Display) -> String {
    schema.map_or_else(|| table.to_string(), |schema| format!("{schema}.{table}"))
}

/// The first column of another table. A subquery has tables of its own, and what is in a CASE, or in SQL by hand, is
/// the database's to judge: sea-query does not show it.
fn find<'a>(table: &Table, expr: &'a Expr) -> Option<&'a ColumnName> {
    let among = |exprs: &'a [Expr]| exprs.iter().find_map(|expr| find(table, expr));
    match expr {
        Expr::Column(ColumnRef::Column(column)) => is_foreign(table, column).then_some(column),
        Expr::Tuple(exprs) | Expr::CustomWithExpr(_, exprs) => among(exprs),
        Expr::FunctionCall(call) => among(call.get_args()),
        Expr::Unary(_, expr) | Expr::AsEnum(_, expr) => find(table, expr),
        Expr::Binary(left, _, right) => find(table, left).or_else(|| find(table, right)),
        _ => None,
    }
}

/// Whether the column is written behind another table. Where only one of the two names a schema, they may be the same.
fn is_foreign(table: &Table, ColumnName(written, _): &ColumnName) -> bool {
    // Some databases do not tell `Posts` from `posts`; the others refuse it themselves.
    let differs = |written: &DynIden, own: &str| !written.inner().eq_ignore_ascii_case(own);
    let Some(TableName(schema, name)) = written else { return false };
    let schemas = schema.as_ref().zip(table.schema);
    differs(name, table.name) || schemas.is_some_and(|(SchemaName(_, written), own)| differs(written, own))
}
