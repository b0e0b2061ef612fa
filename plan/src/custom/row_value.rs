//! Values of a single row, which are selected beside its columns.
//!
//! A page selects them in its own statement. There, an aggregate would make one row of all, as SQLite and MariaDB do
//! without an error, and a window function would see the rows of the page instead of those of the list.

use sea_query::Expr;

use crate::custom::lexer::{Token, Tokens};
use crate::custom::volatile::has_one_argument;
use crate::dialect::{Dialect, Sql};
use crate::error::{Misuse, Result};

/// Aggregates. All of SQLite's and MariaDB's have to be here: these make one row of a page without an error. The other
/// databases refuse an aggregate beside columns, so some of theirs are left out.
const AGGREGATES: [&str; 31] = [
    "ARRAY_AGG",
    "AVG",
    "BIT_AND",
    "BIT_OR",
    "BIT_XOR",
    "COUNT",
    "GEOPOLY_GROUP_BBOX",
    "GROUP_CONCAT",
    "JSONB_AGG",
    "JSONB_GROUP_ARRAY",
    "JSONB_GROUP_OBJECT",
    "JSON_AGG",
    "JSON_ARRAYAGG",
    "JSON_GROUP_ARRAY",
    "JSON_GROUP_OBJECT",
    "JSON_OBJECTAGG",
    "MEDIAN",
    "PERCENTILE",
    "PERCENTILE_CONT",
    "PERCENTILE_DISC",
    "STD",
    "STDDEV",
    "STDDEV_POP",
    "STDDEV_SAMP",
    "STRING_AGG",
    "ST_COLLECT",
    "SUM",
    "TOTAL",
    "VARIANCE",
    "VAR_POP",
    "VAR_SAMP",
];

/// These are aggregates with one argument. With more, they are values of a row on SQLite.
const EXTREMES: [&str; 2] = ["MAX", "MIN"];

/// Rejects an expression with an aggregate or a window function, except in a subquery, which has rows of its own.
///
/// # Errors
/// [`Misuse`], which names the function.
pub fn check(dialect: Dialect, expr: &Expr) -> Result<()> {
    let sql = Sql::of(dialect, expr).text();
    let tokens = Tokens::of(dialect, &sql).read;
    // For each open parenthesis, whether it is that of a subquery or inside of one.
    let mut subqueries: Vec<bool> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        subqueries.truncate(token.depth);
        let next = tokens.get(at.saturating_add(1));
        if token.is_any(&["(", "["]) {
            let is_inside = subqueries.last().is_some_and(|is_inside| *is_inside);
            subqueries.push(is_inside || next.is_some_and(|next| next.is_any(&["SELECT", "WITH"])));
        } else if subqueries.last().is_none_or(|is_inside| !is_inside)
            && let Some(function) = function(&tokens, at, token)
        {
            return Err(Misuse::new(format!(
                "a value of each row has {function}, which would see the rows of the page and not those of the list: \
                 write it in a subquery, such as `(SELECT COUNT(*) FROM …)`"
            )));
        }
    }
    Ok(())
}

/// The aggregate or window function at a place, if there is one.
fn function(tokens: &[Token<'_>], at: usize, token: &Token<'_>) -> Option<String> {
    if token.is("OVER") {
        // A column may have this name. The keyword follows a call, or its `RESPECT NULLS`.
        let follows_call = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .is_some_and(|before| before.is_any(&[")", "NULLS"]));
        return follows_call.then(|| "a window function".to_owned());
    }
    // A function's name may be in quotes.
    let called = token.name().filter(|_| tokens.get(at.saturating_add(1)).is_some_and(|next| next.is("(")))?;
    let is_any = |names: &[&str]| names.iter().any(|name| called.eq_ignore_ascii_case(name));
    let is_aggregate = is_any(&AGGREGATES) || is_any(&EXTREMES) && has_one_argument(token.depth, tokens, at);
    is_aggregate.then(|| format!("`{called}()`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_subquery_has_rows_of_its_own() {
        let refused =
            |sql: &str| check(Dialect::Sqlite, &Expr::cust(sql.to_owned())).err().map(|error| error.to_string());
        for (sql, function) in [
            ("COUNT(*)", "`COUNT()`"),
            ("price / (max(price))", "`max()`"),
            ("row_number() OVER (ORDER BY id)", "a window function"),
            ("(SELECT 1) + sum(price)", "`sum()`"),
            ("abs((SELECT 1)) + (count(id))", "`count()`"),
            ("json_group_object(id, price)", "`json_group_object()`"),
            ("jsonb_group_array(id)", "`jsonb_group_array()`"),
            ("percentile_cont(price, 0.5)", "`percentile_cont()`"),
            ("BIT_XOR(flags)", "`BIT_XOR()`"),
            ("price - stddev_pop(price)", "`stddev_pop()`"),
            ("\"sum\"(price)", "`sum()`"),
            ("[count](*)", "`count()`"),
            ("sum(price) FILTER (WHERE price > 0) OVER w", "`sum()`"),
            ("lag(price) RESPECT NULLS OVER (ORDER BY id)", "a window function"),
        ] {
            let message = refused(sql).unwrap_or_default();
            assert!(message.contains(&format!("has {function}, which")), "{sql}: {message}");
        }
        for sql in [
            "(SELECT COUNT(*) FROM votes WHERE post = posts.id)",
            "coalesce((SELECT abs(MAX(day)) FROM votes), 0)",
            "(WITH v AS (SELECT 1) SELECT COUNT(*) FROM v)",
            "(SELECT rank() OVER (ORDER BY id) FROM votes)",
            "max(price, 0)",
            "price * \"count\"",
            "'COUNT(*)'",
            "total",
            "over * 2",
            "abs(over) + over",
            "over IS NULL",
        ] {
            assert_eq!(refused(sql), None, "{sql}");
        }
    }
}
