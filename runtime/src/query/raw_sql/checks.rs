//! What a list cannot be read from: several statements, statements that change or lock rows, and what a page has of its own,
//! such as a LIMIT.

use super::lexer::{Kind, Token, wrong};
use crate::error::Result;
use crate::query::shape::{Lexeme, Shape};

/// Rejects a text without a statement, or with several.
pub(super) fn refuse_several(tokens: &[Token<'_>]) -> Result<()> {
    match tokens.iter().position(|token| token.lexeme.is(";")) {
        None if tokens.is_empty() => Err(wrong("is empty")),
        None => Ok(()),
        Some(at) if at.saturating_add(1) == tokens.len() => {
            Err(wrong("ends with a semicolon, and a page is read from it as a subquery: remove the semicolon"))
        }
        Some(_) => Err(wrong("has several statements: leave one SELECT")),
    }
}

/// The keywords that begin a select.
const SELECTS: [&str; 4] = ["SELECT", "VALUES", "TABLE", "WITH"];

/// The keywords of statements that change rows.
const CHANGES: [&str; 4] = ["INSERT", "UPDATE", "DELETE", "MERGE"];

/// Where the select begins after a WITH clause, or 0.
///
/// # Errors
/// [`FrameworkError::Internal`] if the statement does not return rows, or also changes some.
pub(super) fn main_select(tokens: &[Token<'_>]) -> Result<usize> {
    if !begins_select(tokens, 0) {
        return Err(wrong("is not a SELECT: pages can only be read from a query that returns rows"));
    }
    if (0..tokens.len()).any(|at| changes_rows(tokens, at)) {
        return Err(wrong("changes rows, and each page would change them again: run that statement by itself"));
    }
    if !is_at(tokens, Some(0), &["WITH"]) {
        return Ok(0);
    }
    let is_main = |at: &usize| {
        let opens_after_clause = is_at(tokens, Some(*at), &["("]) && is_at(tokens, at.checked_sub(1), &[")"]);
        is_at(tokens, Some(*at), &["SELECT", "VALUES", "TABLE"]) || opens_after_clause
    };
    let mut top_level = (1..tokens.len()).filter(|at| tokens.get(*at).is_some_and(|token| token.lexeme.depth == 0));
    top_level.find(is_main).ok_or_else(|| wrong("has a WITH clause without a SELECT after it: add the SELECT"))
}

/// Whether a select begins at this place.
fn begins_select(tokens: &[Token<'_>], at: usize) -> bool {
    is_at(tokens, Some(at), &SELECTS) || is_at(tokens, Some(at), &["("])
}

/// Whether a statement that changes rows begins at this place. Columns and functions may have its name.
fn changes_rows(tokens: &[Token<'_>], at: usize) -> bool {
    let begins = is_at(tokens, at.checked_sub(1), &["(", ")"]);
    let is_word = |token: &Token<'_>| token.lexeme.quoted || token.lexeme.text.starts_with(char::is_alphabetic);
    let is_followed = at.checked_add(1).and_then(|next| tokens.get(next)).is_some_and(is_word);
    begins && is_followed && is_at(tokens, Some(at), &CHANGES)
}

/// Whether one of these words or marks is at a place.
pub(super) fn is_at(tokens: &[Token<'_>], at: Option<usize>, words: &[&str]) -> bool {
    at.and_then(|at| tokens.get(at)).is_some_and(|token| token.lexeme.is_any(words))
}

/// Rejects clauses that apply to the whole result, because a page has its own. `keeps_order` says whether the order
/// decides which rows there are.
pub(super) fn refuse_tail(body: &[Token<'_>], keeps_order: bool) -> Result<()> {
    let has = |keyword: &str, next: &[&str]| has_clause(body, keyword, next);
    let is_limited = has("LIMIT", &[]) || has("FETCH", &["FIRST", "NEXT"]) || has_offset(body);
    let is_ordered = has("ORDER", &["BY"]) && !keeps_order;
    if is_limited {
        return Err(wrong(
            "has LIMIT, OFFSET or FETCH, and a page has its own: remove it or, if it is part of the list, put it into a \
             subquery in FROM, together with its ORDER BY",
        ));
    }
    if is_ordered {
        return Err(wrong("has ORDER BY: remove it, because the pages have the order of `order_by`"));
    }
    if has("INTO", &[]) {
        return Err(wrong("has INTO: remove it, because a page only reads rows"));
    }
    Ok(())
}

/// Whether a clause with this keyword, and one of these after it, is outside of all parentheses.
fn has_clause(body: &[Token<'_>], keyword: &str, next: &[&str]) -> bool {
    let is_clause = |(at, token): (usize, &Token<'_>)| {
        // A column's name comes after a dot, or after the AS that renames it. `FOR ORDER BY` is an index hint of MySQL.
        let is_name = is_at(body, at.checked_sub(1), &[".", "AS", "FOR"]);
        let is_followed = next.is_empty() || is_at(body, at.checked_add(1), next);
        token.lexeme.depth == 0 && token.lexeme.is(keyword) && is_followed && !is_name
    };
    body.iter().enumerate().any(is_clause)
}

/// Whether an OFFSET clause is outside of all parentheses. Some databases have columns of that name.
fn has_offset(body: &[Token<'_>]) -> bool {
    let is_number = |token: &Token<'_>| {
        matches!(token.kind, Kind::Next | Kind::Numbered(_))
            || token.lexeme.text.starts_with(|first: char| first.is_ascii_digit())
    };
    let is_clause = |pair: &[Token<'_>]| {
        let [offset, next] = pair else { return false };
        offset.lexeme.depth == 0 && offset.lexeme.is("OFFSET") && is_number(next)
    };
    body.windows(2).any(is_clause)
}

/// Rejects locks.
pub(super) fn refuse_lock(tokens: &[Token<'_>]) -> Result<()> {
    let lexemes: Vec<Lexeme<'_>> = tokens.iter().map(|token| token.lexeme).collect();
    let is_lock = |at: usize| Shape::is_lock(lexemes.get(at..).unwrap_or_default()) && !is_in_call(tokens, at);
    if (0..tokens.len()).any(is_lock) {
        return Err(wrong(
            "locks rows, and a page would lock more than it shows: remove the lock, and lock the page's rows by their \
             primary key with a statement of its own",
        ));
    }
    Ok(())
}

/// Whether the innermost parentheses around a place are not those of a select, as in `substring(title FOR share)`.
fn is_in_call(tokens: &[Token<'_>], at: usize) -> bool {
    let Some((before, [here, ..])) = tokens.split_at_checked(at) else { return false };
    let opens = |token: &Token<'_>| token.lexeme.is("(") && token.lexeme.depth.saturating_add(1) == here.lexeme.depth;
    let open = before.iter().rposition(opens);
    open.and_then(|open| open.checked_add(1)).is_some_and(|first| !begins_select(tokens, first))
}
