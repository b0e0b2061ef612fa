//! Rejects columns of other tables in a model's query.
//!
//! The compiler rejects a filter such as `Comment::ID.eq(1)` in a query over posts. It cannot see the columns in
//! orders, in operands and in expressions of sea-query. The database would report an unknown column, which does not say
//! what to write instead. This check runs before the statement and does.

use std::fmt::Display;

use sea_query::{ColumnName, ColumnRef, DynIden, Expr, SchemaName, TableName};

use crate::error::{FrameworkError, Result};
use crate::schema::table::Table;

/// Rejects an expression over the rows of `table` that contains a column of another table.
///
/// # Errors
/// [`FrameworkError::Internal`], which names both.
pub(crate) fn check(table: &Table, expr: &Expr) -> Result<()> {
    let Some(ColumnName(Some(other), column)) = find(table, expr) else { return Ok(()) };
    Err(foreign(&name(table.schema, table.name), &written_name(other), column))
}

/// The error for a column of another table.
fn foreign(own: &str, other: &str, column: &DynIden) -> FrameworkError {
    FrameworkError::internal(format!(
        "`{other}.{column}` is a column of `{other}`, but the rows are those of `{own}`: write a column of `{own}`, or put \
        `{other}` into a subquery; for a join, pass a select to `Pagination`"
    ))
}

/// The name of another table, as it qualifies a column.
fn written_name(TableName(schema, table): &TableName) -> String {
    name(schema.as_ref().map(|SchemaName(_, schema)| schema), table)
}

/// A table's name, qualified by its schema if there is one.
fn name(schema: Option<impl Display>, table: impl Display) -> String {
    schema.map_or_else(|| table.to_string(), |schema| format!("{schema}.{table}"))
}

/// The first column of another table.
fn find<'a>(table: &Table, expr: &'a Expr) -> Option<&'a ColumnName> {
    match expr {
        Expr::Column(ColumnRef::Column(column)) => is_foreign(table, column).then_some(column),
        other => inner(other).find_map(|expr| find(table, expr)),
    }
}

/// The expressions that an expression is made of.
fn inner(expr: &Expr) -> impl Iterator<Item = &Expr> {
    operands(expr).into_iter().flatten().chain(arguments(expr))
}

/// The operands of an operator.
fn operands(expr: &Expr) -> [Option<&Expr>; 2] {
    match expr {
        Expr::Unary(_, expr) | Expr::AsEnum(_, expr) => [Some(expr), None],
        Expr::Binary(left, _, right) => [Some(left), Some(right)],
        _ => [None, None],
    }
}

/// The expressions of a list or a call. Subqueries are skipped, because they have their own tables. CASE expressions and
/// raw SQL are skipped because sea-query does not expose their contents.
fn arguments(expr: &Expr) -> &[Expr] {
    match expr {
        Expr::Tuple(exprs) | Expr::CustomWithExpr(_, exprs) => exprs,
        Expr::FunctionCall(call) => call.get_args(),
        _ => &[],
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
