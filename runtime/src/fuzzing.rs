//! For the targets in `fuzz/` only: the readers of SQL text, which the public API reaches through a database alone.
//!
//! The module exists if rustc has `--cfg fuzzing`, which cargo-fuzz sets. It changes without notice.

use std::ops::Range;

use folio_plan::custom::lexer::{self, Tokens};
use folio_plan::custom::raw_sql::SqlSource;
use folio_plan::custom::shape::Shape;
use folio_plan::dialect::Dialect;

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
    let place = |token: &lexer::Token<'_>| TokenPlace { range: token.start..token.end(), depth: token.depth };
    Some(tokens.iter().map(place).collect())
}

/// Whether a caller's SQL text without values is accepted as the source of a list.
pub fn source(dialect: &str, sql: &str) -> bool {
    SqlSource::new(&[sql.into()], 0, self::dialect(dialect)).is_ok()
}

/// Reads a select that sea-query wrote, and returns whether it is accepted.
pub fn shape(dialect: &str, sql: &str) -> bool {
    let tokens = Tokens::of(self::dialect(dialect), sql);
    Shape::of(&tokens, &tokens).is_ok()
}
