//! SQL text of a caller as the source of a list.
//!
//! The text becomes a derived table: `SELECT * FROM (<text>) AS folio_rows WHERE … ORDER BY … LIMIT …`. Every database
//! merges a text that filters or joins into the statement around it, so a page costs the same at every depth; a text that
//! groups or unites rows is computed as a whole. What would be lost in a derived table, such as an ORDER BY, is an error.
//!
//! sea-query writes the statement, but cannot contain the text. So the statement has a marker instead: a SELECT of a value
//! that occurs nowhere else. [`Dialect::render_with_text`] replaces it with the text.

mod checks;
mod lexer;
mod parameters;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use sea_query::{Expr, Query, SelectStatement, UnionType, Value};
use sqlx::SqlStr;

use self::checks::{is_at, main_select, refuse_lock, refuse_several, refuse_tail};
use self::lexer::{Token, tokens, wrong};
use self::parameters::Parameters;
use crate::dialect::{CallerText, Dialect};
use crate::error::Result;
use crate::query::deferred_join::derived;
use crate::query::shape::{Lexeme, Shape};
use crate::value::bind::CallerValue;

/// SQL text with its values, as a caller wrote them.
#[derive(Clone)]
pub(crate) struct RawSql {
    /// Selects whose rows are one list, by UNION ALL.
    pub(crate) texts: Vec<SqlStr>,
    pub(crate) values: Vec<CallerValue>,
}

impl fmt::Debug for RawSql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawSql").field("texts", &self.texts).field("values", &self.values.len()).finish()
    }
}

/// SQL text as the source of statements for one database.
#[derive(Debug)]
pub(crate) struct SqlSource {
    arms: Vec<Arm>,
    values: Arc<[CallerValue]>,
    /// Whether the text numbers its parameters.
    is_numbered: bool,
}

/// One select of the text.
#[derive(Debug)]
struct Arm {
    /// What is in front of the statement: a WITH clause.
    with: Option<With>,
    text: String,
    /// The values of its parameters, if it does not number them.
    values: Range<usize>,
}

/// A WITH clause.
#[derive(Debug)]
struct With {
    text: String,
    /// Where its expressions that the text reads once may say NOT MATERIALIZED, last first.
    inlined_at: Vec<usize>,
}

/// The caller's values in a statement, and their positions among folio's own.
#[derive(Debug, Clone)]
pub(crate) struct CallerValues {
    pub(crate) values: Arc<[CallerValue]>,
    /// For each copy of a text: how many of folio's values come before it, and which of the caller's it binds.
    pub(crate) copies: Vec<(usize, Range<usize>)>,
}

impl SqlSource {
    /// Reads the texts.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] for a text that cannot be a list, or if the numbers of parameters and values differ.
    pub(crate) fn new(raw: &RawSql, dialect: Dialect) -> Result<(Self, Shape)> {
        if raw.texts.len() > MOST_SELECTS {
            return Err(wrong("combines more than 500 selects, which is the limit of SQLite"));
        }
        let (mut arms, mut shapes, mut parameters) = (Vec::new(), Vec::new(), Parameters::default());
        for text in &raw.texts {
            let sql = text.as_str();
            let tokens = tokens(dialect, sql)?;
            let values = parameters.read(&tokens)?;
            let (arm, shape) = Arm::new(dialect, sql, &tokens, values)?;
            arms.push(arm);
            shapes.push(shape);
        }
        parameters.check(raw.values.len())?;
        if arms.len() > 1 && arms.iter().any(|arm| arm.with.is_some()) {
            return Err(wrong(
                "begins with WITH, which cannot be one of several selects: write it as a subquery in FROM",
            ));
        }
        let shape = match <[Shape; 1]>::try_from(shapes) {
            Ok([shape]) => shape,
            Err(shapes) => Shape::of_union(shapes),
        };
        let is_numbered = !parameters.numbers.is_empty();
        Ok((Self { arms, values: raw.values.clone().into(), is_numbered }, shape))
    }

    /// The rows of each select, as a derived table.
    pub(crate) fn arms(&self) -> impl Iterator<Item = SelectStatement> {
        (0..self.arms.len()).map(|at| derived(Query::select().expr(Expr::Value(mark(at))).take()))
    }

    /// All rows.
    pub(crate) fn all(&self) -> SelectStatement {
        if let [_] = *self.arms {
            return Query::select().expr(Expr::Value(mark(0))).take();
        }
        let all = self.arms().reduce(|mut all, arm| all.union(UnionType::All, arm).take());
        all.unwrap_or_default()
    }

    /// Whether the rows are those of several selects.
    pub(crate) fn has_arms(&self) -> bool {
        self.arms.len() > 1
    }

    /// The values of a statement that has these copies of the texts.
    pub(crate) fn values(&self, copies: Vec<(usize, Range<usize>)>) -> CallerValues {
        let copies = if self.is_numbered { vec![(0, 0..self.values.len())] } else { copies };
        CallerValues { values: self.values.clone(), copies }
    }

    /// What is in front of a statement with this many copies of the text.
    ///
    /// PostgreSQL computes an expression as a whole if a statement reads it twice. One that the text itself reads once is
    /// inlined, as it is in the text alone.
    pub(crate) fn with(&self, copies: usize) -> Option<String> {
        let [Arm { with: Some(with), .. }] = &*self.arms else { return None };
        let mut text = with.text.clone();
        for at in with.inlined_at.iter().filter(|_| copies > 1) {
            text.insert_str(*at, " NOT MATERIALIZED");
        }
        Some(text)
    }

    /// The types of the values on PostgreSQL.
    pub(crate) fn types(&self) -> Vec<Cow<'_, str>> {
        self.values.iter().map(|value| value.postgres_type().into()).collect()
    }

    /// The texts, as text that differs if they do.
    pub(crate) fn to_text(&self) -> String {
        let texts: Vec<_> = self.arms.iter().map(|arm| (&arm.text, arm.with.as_ref().map(|with| &with.text))).collect();
        format!("{texts:?}")
    }

    /// The texts and their values, as text that differs if they do.
    pub(crate) fn to_key(&self) -> String {
        let values: Vec<_> = self.values.iter().map(|value| value.to_key()).collect();
        format!("{:?}", (self.to_text(), values))
    }
}

impl CallerText for SqlSource {
    fn text(&self, value: &Value) -> Option<(&str, Range<usize>)> {
        let Value::Char(Some(mark)) = value else { return None };
        let arm = self.arms.get(usize::try_from(u32::from(*mark)).ok()?)?;
        Some((&arm.text, arm.values.clone()))
    }

    fn last_number(&self) -> Option<usize> {
        self.is_numbered.then_some(self.values.len())
    }
}

/// The marker of the select at this place: a character. Keys and limits never have values of that type.
fn mark(at: usize) -> Value {
    Value::Char(u32::try_from(at).ok().and_then(char::from_u32))
}

/// The largest number of selects in one list. SQLite's UNION ALL has at most 500.
const MOST_SELECTS: usize = 500;

impl Arm {
    fn new(dialect: Dialect, sql: &str, tokens: &[Token<'_>], values: Range<usize>) -> Result<(Self, Shape)> {
        refuse_several(tokens)?;
        let (before, body) = tokens.split_at(main_select(tokens)?);
        let lexemes: Vec<Lexeme<'_>> = body.iter().map(|token| token.lexeme).collect();
        let shape = Shape::of_text(&lexemes);
        refuse_tail(body, shape.order_selects_rows)?;
        refuse_lock(tokens)?;
        // Elsewhere each copy of the text has its own WITH clause, so that no expression is read twice.
        let moves = !before.is_empty() && dialect == Dialect::Postgres;
        let with = moves.then(|| With::new(sql, tokens, before));
        let text = text(sql, if moves { body } else { tokens }).to_owned();
        Ok((Self { with, text, values }, shape))
    }
}

impl With {
    /// The WITH clause that these tokens are.
    fn new(sql: &str, tokens: &[Token<'_>], with: &[Token<'_>]) -> Self {
        let first = with.first().map_or(0, |token| token.start);
        let inlined_at = inlined(tokens, with).into_iter().rev().map(|place| place.saturating_sub(first)).collect();
        Self { text: text(sql, with).to_owned(), inlined_at }
    }
}

/// The text from the first to the last of these tokens.
fn text<'a>(sql: &'a str, tokens: &[Token<'_>]) -> &'a str {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return "" };
    sql.get(first.start..last.end()).unwrap_or_default()
}

/// What precedes the name of a WITH expression where it is defined or read. A comma or parenthesis can also precede another
/// use of the name. The expression then counts as read more often, and is not inlined.
const TABLE_FOLLOWS: [&str; 7] = ["WITH", "RECURSIVE", "FROM", "JOIN", "ONLY", ",", "("];

/// Where NOT MATERIALIZED may be written: after the AS of each expression of a WITH clause that is read once.
fn inlined(tokens: &[Token<'_>], with: &[Token<'_>]) -> Vec<usize> {
    let reads = |name: &str| {
        let is_read = |(at, token): (usize, &Token<'_>)| {
            let same = token.lexeme.name().is_some_and(|other| other.eq_ignore_ascii_case(name));
            same && is_at(tokens, at.checked_sub(1), &TABLE_FOLLOWS) && !is_at(tokens, at.checked_add(1), &["."])
        };
        tokens.iter().enumerate().filter(|found| is_read(*found)).count()
    };
    let mut places = Vec::new();
    let mut name = None;
    for pair in with.windows(2) {
        let [one, next] = pair else { continue };
        if one.lexeme.depth > 0 {
            continue;
        }
        if one.lexeme.is_any(&["WITH", "RECURSIVE", ","]) && !next.lexeme.is("RECURSIVE") {
            name = next.lexeme.name();
        }
        // Its definition, and one use.
        if one.lexeme.is("AS") && next.lexeme.is("(") && name.as_deref().is_some_and(|name| reads(name) == 2) {
            places.push(one.end());
        }
    }
    places
}

#[cfg(test)]
#[cfg(all(feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod tests;
