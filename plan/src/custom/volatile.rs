//! Functions whose value changes between two pages, or within one statement: those of the clock, and random ones.
//!
//! A cursor holds the values that a row had when its page was read. If the same row has another value on the next page,
//! rows are lost and repeated. So a list is not sorted by an expression that has such a function, unless the caller
//! states that its value stays.

use sea_query::Expr;

use crate::custom::lexer::{Token, Tokens};
use crate::dialect::{Dialect, Sql};
use crate::error::{Misuse, Result};
use crate::schema::term::Term;

/// Keywords that are the clock, on every database that has them.
const KEYWORDS: [&str; 5] = ["CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP"];

/// A column of a select list that has such a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VolatileColumn {
    name: String,
    function: String,
}

/// Rejects an order by an expression with such a function, unless the caller declares it stable.
///
/// # Errors
/// [`Misuse`], which names the function.
pub fn check_terms<'a>(dialect: Dialect, terms: impl IntoIterator<Item = &'a Term>) -> Result<()> {
    for term in terms {
        let Some(expression) = term.expression().filter(|expression| !expression.is_stable()) else { continue };
        check(dialect, term.key.name, expression.expr())?;
    }
    Ok(())
}

/// Rejects an expression with such a function.
///
/// # Errors
/// [`Misuse`], which names the function.
pub fn check(dialect: Dialect, name: &str, expr: &Expr) -> Result<()> {
    if matches!(expr, Expr::Column(_)) {
        return Ok(());
    }
    let sql = Sql::of(dialect, expr).text();
    match function(dialect, &Tokens::of(dialect, &sql).read) {
        Some(function) => Err(Misuse::new(format!(
            "{}: {WHAT_TO_WRITE}, or `.stable()` after a `Column::expr` whose value does not change between pages",
            reason(name, &function)
        ))),
        None => Ok(()),
    }
}

/// Rejects an order by a column of a caller's select that has such a function.
///
/// # Errors
/// [`Misuse`], which names the column and the function.
pub fn check_columns<'a>(columns: &[VolatileColumn], terms: impl IntoIterator<Item = &'a Term>) -> Result<()> {
    if columns.is_empty() {
        return Ok(());
    }
    for term in terms {
        let found = columns.iter().find(|column| column.name.eq_ignore_ascii_case(term.key.name));
        if let Some(VolatileColumn { name, function }) = found {
            return Err(Misuse::new(format!(
                "{}: {WHAT_TO_WRITE}, or `.stable()` after the select, if its value does not change between pages",
                reason(name, function)
            )));
        }
    }
    Ok(())
}

const WHAT_TO_WRITE: &str = "sort by stored columns, bind a time that stays the same for all pages";

fn reason(name: &str, function: &str) -> String {
    format!(
        "the list is sorted by `{name}`, which has `{function}`: its value changes between pages, so rows would be lost or \
         repeated"
    )
}

/// The columns of the select lists in a text that have such a function, in subqueries too, from which a column may be
/// passed on under its name.
pub(crate) fn columns_of(dialect: Dialect, tokens: &[Token<'_>]) -> Vec<VolatileColumn> {
    let has_any = (0..tokens.len()).any(|at| function_at(dialect, tokens, at).is_some());
    if !has_any {
        return Vec::new();
    }
    let mut columns = Vec::new();
    for (at, select) in tokens.iter().enumerate().filter(|(_, token)| token.is("SELECT")) {
        let list = tokens.get(at.saturating_add(1)..).unwrap_or_default();
        let end = list.iter().position(|token| ends_list(select.depth, token)).unwrap_or(list.len());
        let items = list.get(..end).unwrap_or_default();
        for item in items.split(|token| token.depth == select.depth && token.is(",")) {
            let named = function(dialect, item).zip(name(item));
            columns.extend(named.map(|(function, name)| VolatileColumn { name, function }));
        }
    }
    columns
}

fn ends_list(depth: usize, token: &Token<'_>) -> bool {
    token.depth < depth
        || token.depth == depth && token.is_any(&["FROM", "UNION", "EXCEPT", "INTERSECT", "WHERE", "ORDER", "LIMIT"])
        || token.depth.saturating_add(1) == depth && token.is(")")
}

/// The name of an item: its alias, or that of the function which it consists of.
fn name(item: &[Token<'_>]) -> Option<String> {
    let last = item.last()?;
    last.name().or_else(|| item.first()?.name())
}

/// The first such function among tokens.
fn function(dialect: Dialect, tokens: &[Token<'_>]) -> Option<String> {
    (0..tokens.len()).find_map(|at| function_at(dialect, tokens, at))
}

/// The function at a place, if it is such a function.
fn function_at(dialect: Dialect, tokens: &[Token<'_>], at: usize) -> Option<String> {
    let token = tokens.get(at)?;
    let after = |count: usize| tokens.get(at.saturating_add(count));
    let volatile = &dialect.facts().volatile;
    if token.text.eq_ignore_ascii_case("'now'") && volatile.now_in_texts {
        return Some(token.text.to_owned());
    }
    if token.is_any(&KEYWORDS) {
        return Some(token.text.to_owned());
    }
    // A function's name may be in quotes.
    let called = token.name().filter(|_| after(1).is_some_and(|next| next.is("(")))?;
    let is_any = |names: &[&str]| names.iter().any(|name| called.eq_ignore_ascii_case(name));
    let has_no_arguments = || after(2).is_some_and(|next| next.is(")"));
    let is_clock = is_any(volatile.any)
        || is_any(volatile.without_arguments) && has_no_arguments()
        || is_any(volatile.with_one_argument) && has_one_argument(token.depth, tokens, at);
    is_clock.then(|| format!("{called}()"))
}

/// Whether the call at a place has one argument.
pub(super) fn has_one_argument(depth: usize, tokens: &[Token<'_>], at: usize) -> bool {
    let mut arguments = tokens.iter().skip(at.saturating_add(2)).take_while(|token| token.depth > depth);
    !arguments.any(|token| token.depth == depth.saturating_add(1) && token.is(","))
}

#[cfg(test)]
mod tests {
    use Dialect::{MySql, Postgres, Sqlite};

    use super::*;

    fn names(dialect: Dialect, sql: &str) -> Vec<(String, String)> {
        columns_of(dialect, &Tokens::of(dialect, sql).read)
            .into_iter()
            .map(|column| (column.name, column.function))
            .collect()
    }

    #[test]
    fn the_columns_of_select_lists_are_read() {
        let one = |name: &str, function: &str| vec![(name.to_owned(), function.to_owned())];
        for (dialect, sql, expected) in [
            (Postgres, "SELECT id, now() - born AS age FROM t", one("age", "now()")),
            (Postgres, "SELECT id, age(born) AS a FROM t", one("a", "age()")),
            (Postgres, "SELECT id, age(seen, born) AS a FROM t", vec![]),
            (Postgres, "SELECT id, random() FROM t", one("random", "random()")),
            (Postgres, "SELECT id FROM t WHERE born < now()", vec![]),
            (Postgres, "SELECT d.a FROM (SELECT now() AS a FROM t) d", one("a", "now()")),
            (Postgres, "WITH d AS (SELECT CURRENT_DATE - born AS a FROM t) SELECT a FROM d", one("a", "CURRENT_DATE")),
            (Postgres, "SELECT ARRAY[born, now()] AS a FROM t", one("a", "now()")),
            (Postgres, "SELECT age(ARRAY[seen, born]) AS a FROM t", one("a", "age()")),
            (Postgres, "SELECT 'now()' AS a, \"now\" FROM t", vec![]),
            (Postgres, "SELECT id, \"random\" ( ) AS a FROM t", one("a", "random()")),
            (Sqlite, "SELECT julianday('now') - born AS a FROM t", one("a", "'now'")),
            (Sqlite, "SELECT datetime() AS a, datetime(born) AS b FROM t", one("a", "datetime()")),
            (Sqlite, "SELECT random() AS a FROM t", one("a", "random()")),
            (MySql, "SELECT RAND() AS a, UNIX_TIMESTAMP(born) AS b FROM t", one("a", "RAND()")),
            (MySql, "SELECT (SELECT MAX(x) FROM u WHERE x < NOW()) AS a FROM t", one("a", "NOW()")),
        ] {
            assert_eq!(names(dialect, sql), expected, "{sql}");
        }
    }
}
