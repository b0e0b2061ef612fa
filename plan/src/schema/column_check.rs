//! Rejects columns of other tables in a model's query.
//!
//! The compiler rejects a filter such as `Comment::ID.eq(1)` in a query over posts. It cannot see the columns in
//! orders, in operands and in expressions of sea-query. The database would report an unknown column, which does not say
//! what to write instead. This check runs before the statement and does.

use std::fmt::Display;

use sea_query::{ColumnName, ColumnRef, DynIden, Expr, SchemaName, TableName};

use crate::error::{Misuse, Result};
use crate::schema::table::Table;

/// Rejects an expression over the rows of `table` that contains a column of another table.
///
/// # Errors
/// [`Misuse`], which names both.
pub fn check(table: &Table, expr: &Expr) -> Result<()> {
    let Some(ColumnName(Some(other), column)) = find(table, expr) else { return Ok(()) };
    let TableName(schema, other) = other;
    let other = name(schema.as_ref().map(|SchemaName(_, schema)| schema), other);
    let own = name(table.schema, table.name);
    Err(Misuse::new(format!(
        "`{other}.{column}` is a column of `{other}`, but the rows are those of `{own}`: write a column of `{own}`, or put \
        `{other}` into a subquery; for a join, pass a select to `Pagination`"
    )))
}

fn name(schema: Option<impl Display>, table: impl Display) -> String {
    schema.map_or_else(|| table.to_string(), |schema| format!("{schema}.{table}"))
}

/// The first column of another table.
fn find<'a>(table: &Table, expr: &'a Expr) -> Option<&'a ColumnName> {
    match expr {
        Expr::Column(ColumnRef::Column(column)) => is_foreign(table, column).then_some(column),
        Expr::Unary(_, expr) | Expr::AsEnum(_, expr) => find(table, expr),
        Expr::Binary(left, _, right) => find(table, left).or_else(|| find(table, right)),
        Expr::Tuple(exprs) | Expr::CustomWithExpr(_, exprs) => exprs.iter().find_map(|expr| find(table, expr)),
        Expr::FunctionCall(call) => call.get_args().iter().find_map(|expr| find(table, expr)),
        // Subqueries have tables of their own. sea-query does not expose the contents of CASE expressions and raw SQL.
        _ => None,
    }
}

/// Whether the column is qualified by another table. If only one of the two names a schema, they may be the same.
fn is_foreign(table: &Table, ColumnName(written, _): &ColumnName) -> bool {
    let Some(TableName(schema, name)) = written else { return false };
    let schemas = schema.as_ref().zip(table.schema);
    differs(name, table.name) || schemas.is_some_and(|(SchemaName(_, written), own)| differs(written, own))
}

/// Whether a name is not the table's own. Some databases treat `Posts` and `posts` as the same table; the others report
/// the error themselves.
fn differs(written: &DynIden, own: &str) -> bool {
    !written.inner().eq_ignore_ascii_case(own)
}
