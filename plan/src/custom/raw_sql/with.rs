//! The WITH clause of SQL text.

use super::checks::{is_followed_by, is_preceded_by};
use crate::custom::lexer::{Token, text_of};

#[derive(Debug)]
pub(super) struct With {
    pub(super) text: String,
    /// Where its expressions that the text reads once may say NOT MATERIALIZED, last first.
    inlined_at: Vec<usize>,
}

impl With {
    /// The WITH clause of a text, which consists of the first tokens.
    pub(super) fn new(sql: &str, tokens: &[Token<'_>], with: &[Token<'_>]) -> Self {
        let first = with.first().map_or(0, |token| token.start);
        // An expression that is read once occurs in its definition, and in one other place.
        let read_once = definitions(with).into_iter().filter(|(name, _)| occurrences(tokens, name) == 2);
        let inlined_at = read_once.rev().map(|(_, end)| end.saturating_sub(first)).collect();
        Self { text: text_of(sql, with).to_owned(), inlined_at }
    }

    /// The clause, with NOT MATERIALIZED where an expression is read once.
    pub(super) fn inlined(&self) -> String {
        let mut text = self.text.clone();
        for at in &self.inlined_at {
            text.insert_str(*at, " NOT MATERIALIZED");
        }
        text
    }
}

/// The names of the expressions that a WITH clause defines, each with the end of the AS after it.
fn definitions(with: &[Token<'_>]) -> Vec<(String, usize)> {
    let mut name = None;
    let mut definitions = Vec::new();
    let pairs = with.iter().zip(with.iter().skip(1));
    for (token, next) in pairs.filter(|(token, _)| token.depth == 0) {
        if token.is_any(&["WITH", "RECURSIVE", ","]) && !next.is("RECURSIVE") {
            name = next.name();
        }
        if token.is("AS") && next.is("(") {
            definitions.extend(name.clone().zip(Some(token.end())));
        }
    }
    definitions
}

/// The tokens after which the name of a WITH expression is defined or read. `,` and `(` also come before other uses of
/// the name. The expression then counts as read more often, and is not inlined.
const TABLE_FOLLOWS: [&str; 7] = ["WITH", "RECURSIVE", "FROM", "JOIN", "ONLY", ",", "("];

/// How often the name of a WITH expression is defined or read.
fn occurrences(tokens: &[Token<'_>], name: &str) -> usize {
    let is_table = |at| is_preceded_by(tokens, at, &TABLE_FOLLOWS) && !is_followed_by(tokens, at, &["."]);
    let is_named = |token: &Token<'_>| token.name().is_some_and(|own| own.eq_ignore_ascii_case(name));
    tokens.iter().enumerate().filter(|(at, token)| is_named(token) && is_table(*at)).count()
}
