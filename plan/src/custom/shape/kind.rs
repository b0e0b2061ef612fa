//! The kind of a select: which changes it allows.

use crate::custom::lexer::{Token, has_any, has_variable};

/// The changes that a select allows without a derived table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// FROM and WHERE determine its rows: conditions and columns can be added, and rows counted, in place.
    Plain,
    /// Columns can be added and rows counted in place, but conditions cannot be added, because there may be an OR
    /// without parentheses.
    Disjunction,
    /// Only columns can be added: its list calls a function, which may be an aggregate, need all rows, or return
    /// several.
    Computed,
    /// Rows are grouped, united or deduplicated, or the text is ambiguous. Only the select as a whole can be used.
    Whole,
}

/// The keywords after which a select is only used as a whole.
const WHOLE: [&str; 16] = [
    "GROUP",
    "HAVING",
    "DISTINCT",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "MINUS",
    "WITH",
    "WINDOW",
    "QUALIFY",
    "INTO",
    "ORDER",
    "LIMIT",
    "OFFSET",
    "FETCH",
    "PROCEDURE",
];

/// The kind of a select with this list and this rest.
pub(super) fn kind(list: &[Token<'_>], rest: &[Token<'_>]) -> Kind {
    if has_any(list, &WHOLE) || has_any(rest, &WHOLE) {
        return Kind::Whole;
    }
    // MySQL's variables can be assigned in the list, for example to count rows as they are read.
    if has_call(list) || has_variable(list) {
        return Kind::Computed;
    }
    if has_any(rest, &DISJUNCTIONS) { Kind::Disjunction } else { Kind::Plain }
}

/// The operators of a disjunction. `||` is OR on MySQL.
const DISJUNCTIONS: [&str; 3] = ["OR", "XOR", "|"];

/// Keywords that may come before a parenthesis without calling a function.
const NO_FUNCTIONS: [&str; 25] = [
    "SELECT",
    "FROM",
    "WHERE",
    "AND",
    "OR",
    "NOT",
    "IN",
    "EXISTS",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "BETWEEN",
    "LIKE",
    "IS",
    "BY",
    "JOIN",
    "ON",
    "DISTINCT",
    "ALL",
    "UNION",
    "INTERSECT",
    "EXCEPT",
    "LIMIT",
    "USING",
];

/// Whether a select list calls a function, which may be an aggregate or return several rows.
fn has_call(list: &[Token<'_>]) -> bool {
    list.windows(2).enumerate().any(|(at, pair)| is_call(pair) && !counts_subquery(list, at))
}

/// Whether a function's name is directly followed by its parenthesis.
fn is_call(pair: &[Token<'_>]) -> bool {
    let [word, open] = pair else { return false };
    let callable = word.is_word() && !word.is_any(&NO_FUNCTIONS);
    open.is("(") && callable
}

/// Whether `COUNT(*)` is at this place, inside a subquery: it counts that subquery's rows and no others.
fn counts_subquery(list: &[Token<'_>], at: usize) -> bool {
    let Some((before, [count, open, star, close, rest @ ..])) = list.split_at_checked(at) else { return false };
    let counts_rows = count.is("COUNT") && open.is("(") && star.is("*") && close.is(")");
    let is_alone = !rest.first().is_some_and(|next| next.is_any(&["OVER", "FILTER"]));
    // The innermost parentheses around it are a subquery's.
    let around = before.iter().rposition(|token| token.opens(count.depth));
    let inside = around.and_then(|open| before.get(open.saturating_add(1)));
    counts_rows && is_alone && inside.is_some_and(|first| first.is("SELECT"))
}
