//! Rejects SQL text that cannot be a list: several statements, statements that change or lock rows, and clauses that
//! folio adds itself, such as LIMIT.

use crate::custom::lexer::{Kind, Token, is_digit, wrong};
use crate::custom::shape::Shape;
use crate::error::Result;

/// Rejects a text without a statement, or with several.
fn refuse_several(tokens: &[Token<'_>]) -> Result<()> {
    let is_semicolon = |token: &Token<'_>| token.is(";");
    match tokens {
        [] => Err(wrong("is empty")),
        [before @ .., _] if before.iter().any(is_semicolon) => Err(wrong("has several statements: leave one SELECT")),
        [.., last] if is_semicolon(last) => {
            Err(wrong("ends with a semicolon, and a page is read from it as a subquery: remove the semicolon"))
        }
        _ => Ok(()),
    }
}

/// The keywords that begin a select.
const SELECTS: [&str; 4] = ["SELECT", "VALUES", "TABLE", "WITH"];

/// The keywords of statements that change rows.
const CHANGES: [&str; 4] = ["INSERT", "UPDATE", "DELETE", "MERGE"];

/// Where the select begins after a WITH clause, or 0.
///
/// # Errors
/// [`Misuse`](crate::error::Misuse) for a text that is not one statement, and for a statement that does not return rows,
/// or also changes some.
pub(super) fn main_select(tokens: &[Token<'_>]) -> Result<usize> {
    refuse_several(tokens)?;
    refuse_change(tokens)?;
    if !is_at(tokens, 0, &["WITH"]) {
        return Ok(0);
    }
    select_after_with(tokens).ok_or_else(|| wrong("has a WITH clause without a SELECT after it: add the SELECT"))
}

/// Rejects a statement that does not return rows, or also changes some.
fn refuse_change(tokens: &[Token<'_>]) -> Result<()> {
    if !begins_select(tokens, 0) {
        return Err(wrong("is not a SELECT: pages can only be read from a query that returns rows"));
    }
    if (0..tokens.len()).any(|at| changes_rows(tokens, at)) {
        return Err(wrong("changes rows, and each page would change them again: run that statement by itself"));
    }
    Ok(())
}

/// Where the select after a WITH clause begins. It may be in parentheses.
fn select_after_with(tokens: &[Token<'_>]) -> Option<usize> {
    let after_first = tokens.iter().enumerate().skip(1);
    let mut top_level = after_first.filter(|(_, token)| token.depth == 0).map(|(at, _)| at);
    top_level.find(|at| {
        let opens_after_clause = is_at(tokens, *at, &["("]) && is_preceded_by(tokens, *at, &[")"]);
        is_at(tokens, *at, &["SELECT", "VALUES", "TABLE"]) || opens_after_clause
    })
}

/// Whether a select begins at this place.
fn begins_select(tokens: &[Token<'_>], at: usize) -> bool {
    is_at(tokens, at, &SELECTS) || is_at(tokens, at, &["("])
}

/// Whether a statement that changes rows begins at this place. Columns and functions may have its name.
fn changes_rows(tokens: &[Token<'_>], at: usize) -> bool {
    let begins = is_preceded_by(tokens, at, &["(", ")"]);
    let is_word = |token: &Token<'_>| token.kind == Kind::Quoted || token.text.starts_with(char::is_alphabetic);
    let is_followed = tokens.get(at.saturating_add(1)).is_some_and(is_word);
    begins && is_followed && is_at(tokens, at, &CHANGES)
}

/// Whether one of these words or marks is at a place.
fn is_at(tokens: &[Token<'_>], at: usize, words: &[&str]) -> bool {
    tokens.get(at).is_some_and(|token| token.is_any(words))
}

/// Whether one of these words or marks is before a place.
pub(super) fn is_preceded_by(tokens: &[Token<'_>], at: usize, words: &[&str]) -> bool {
    at.checked_sub(1).is_some_and(|before| is_at(tokens, before, words))
}

/// Whether one of these words or marks is after a place.
pub(super) fn is_followed_by(tokens: &[Token<'_>], at: usize, words: &[&str]) -> bool {
    at.checked_add(1).is_some_and(|after| is_at(tokens, after, words))
}

/// Rejects clauses that apply to the whole result, because a page has its own. `keeps_order` says whether the order
/// decides which rows there are.
pub(super) fn refuse_tail(body: &[Token<'_>], keeps_order: bool) -> Result<()> {
    if is_limited(body) {
        return Err(wrong(
            "has LIMIT, OFFSET or FETCH, and a page has its own: remove it or, if it is part of the list, put it into a \
             subquery in FROM, together with its ORDER BY",
        ));
    }
    if has_clause(body, "ORDER", &["BY"]) && !keeps_order {
        return Err(wrong("has ORDER BY: remove it, because the pages have the order of `order_by`"));
    }
    if has_clause(body, "INTO", &[]) {
        return Err(wrong("has INTO: remove it, because a page only reads rows"));
    }
    Ok(())
}

/// Whether the result has a limit or an offset.
fn is_limited(body: &[Token<'_>]) -> bool {
    // Some databases have columns named `offset`, so a number has to follow.
    let mut pairs = body.iter().zip(body.iter().skip(1));
    let has_offset = pairs.any(|(offset, next)| offset.is_top_level("OFFSET") && is_number(next));
    has_offset || has_clause(body, "LIMIT", &[]) || has_clause(body, "FETCH", &["FIRST", "NEXT"])
}

/// Whether a clause with this keyword, and one of these after it, is outside of all parentheses.
fn has_clause(body: &[Token<'_>], keyword: &str, next: &[&str]) -> bool {
    // A column's name comes after a dot, or after the AS that renames it. `FOR ORDER BY` is an index hint of MySQL.
    let is_name = |at| is_preceded_by(body, at, &[".", "AS", "FOR"]);
    let begins = |at| !is_name(at) && (next.is_empty() || is_followed_by(body, at, next));
    body.iter().enumerate().any(|(at, token)| token.is_top_level(keyword) && begins(at))
}

/// Whether a token is a number or a parameter.
fn is_number(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Next | Kind::Numbered(_)) || token.text.starts_with(is_digit)
}

pub(super) fn refuse_lock(tokens: &[Token<'_>]) -> Result<()> {
    let is_lock = |at| Shape::is_lock(tokens.get(at..).unwrap_or_default()) && !is_in_call(tokens, at);
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
    let open = before.iter().rposition(|token| token.opens(here.depth));
    open.is_some_and(|open| !begins_select(tokens, open.saturating_add(1)))
}
