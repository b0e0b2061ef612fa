//! For the targets in `fuzz/` only: the readers of SQL text, which the public API reaches through a database alone.
//!
//! The module exists if rustc has `--cfg fuzzing`, which cargo-fuzz sets. It changes without notice.

use std::ops::Range;

use sqlx::AssertSqlSafe;
use sqlx::SqlSafeStr as _;

use crate::custom::raw_sql::{RawSql, SqlSource, lexer};
use crate::custom::shape::Shape;
use crate::dialect::Dialect;

/// The names of the dialects.
pub const DIALECTS: [&str; 3] = ["sqlite", "postgres", "mysql"];

/// Where a token is in the text, and how many parentheses are open around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenPlace {
    /// The bytes of the token.
    pub range: Range<usize>,
    /// The open parentheses.
    pub depth: usize,
}

fn dialect(name: &str) -> Dialect {
    match name {
        "sqlite" => Dialect::Sqlite,
        "postgres" => Dialect::Postgres,
        _ => Dialect::MySql,
    }
}

/// The tokens of a caller's SQL text; `None` if the text is refused.
#[must_use]
pub fn tokens(dialect: &str, sql: &str) -> Option<Vec<TokenPlace>> {
    let tokens = lexer::tokens(self::dialect(dialect), sql).ok()?;
    let place = |token: &lexer::Token<'_>| TokenPlace { range: token.start..token.end(), depth: token.lexeme.depth };
    Some(tokens.iter().map(place).collect())
}

/// Whether a caller's SQL text without values is accepted as the source of a list.
pub fn source(dialect: &str, sql: &str) -> bool {
    let raw = RawSql { texts: vec![AssertSqlSafe(sql).into_sql_str()], values: Vec::new() };
    SqlSource::new(&raw, self::dialect(dialect)).is_ok()
}

/// Reads a select that sea-query wrote, and returns whether it is accepted.
pub fn shape(sql: &str) -> bool {
    Shape::of(sql, sql).is_ok()
}
