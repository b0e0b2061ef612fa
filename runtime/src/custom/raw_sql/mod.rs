//! SQL text of a caller as the source of a list.
//!
//! The text becomes a derived table: `SELECT * FROM (<text>) AS folio_rows WHERE … ORDER BY … LIMIT …`. Every database
//! merges a text that filters or joins into the statement around it, so a page costs the same at every depth; a text
//! that groups or unites rows is computed as a whole. Clauses that would have no effect in a derived table, such as
//! ORDER BY, are errors.
//!
//! sea-query writes the statement, but cannot contain the text. So the statement has a marker instead: a SELECT of a value
//! that occurs nowhere else. [`Dialect::render_with_text`] replaces it with the text.

mod checks;
pub(crate) mod lexer;
mod parameters;
mod with;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use sea_query::{Expr, Query, SelectStatement, UnionType, Value};
use sqlx::SqlStr;

use self::checks::{main_select, refuse_lock, refuse_tail};
use self::lexer::{Token, lexemes, text_of, tokens, wrong};
use self::parameters::Parameters;
use self::with::With;
use crate::custom::shape::Shape;
use crate::dialect::{CallerText, Dialect};
use crate::error::Result;
use crate::predicate::union_of;
use crate::statement::deferred_join::derived;
use crate::statement::template::CallerValues;
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
    /// The WITH clause before the statement, if it is moved to the front.
    with: Option<With>,
    text: String,
    /// The values of its parameters, if it does not number them.
    values: Range<usize>,
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
        let mut parameters = Parameters::default();
        let (arms, shapes) = read_arms(raw, dialect, &mut parameters)?;
        parameters.check(raw.values.len())?;
        refuse_several_with(&arms)?;
        let is_numbered = !parameters.numbers.is_empty();
        Ok((Self { arms, values: raw.values.clone().into(), is_numbered }, Shape::of_all(shapes)))
    }

    /// The rows of each select, as a derived table.
    pub(crate) fn arms(&self) -> impl Iterator<Item = SelectStatement> {
        (0..self.arms.len()).map(|at| derived(Query::select().expr(Expr::Value(mark(at))).take()))
    }

    pub(crate) fn all(&self) -> SelectStatement {
        if let [_] = *self.arms {
            return Query::select().expr(Expr::Value(mark(0))).take();
        }
        union_of(self.arms(), UnionType::All)
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

    /// A statement with this many copies of the text, after what is in front of it. One WITH clause has the caller's
    /// expressions and folio's.
    pub(crate) fn after_with(&self, sql: String, copies: usize) -> String {
        let Some(with) = self.with(copies) else { return sql };
        match sql.strip_prefix("WITH ") {
            Some(rest) => format!("{with}, {rest}"),
            None => format!("{with} {sql}"),
        }
    }

    /// What is in front of a statement with this many copies of the text.
    ///
    /// PostgreSQL computes an expression as a whole if a statement reads it twice. One that the text itself reads once
    /// is inlined, like in the text on its own.
    fn with(&self, copies: usize) -> Option<String> {
        let [Arm { with: Some(with), .. }] = &*self.arms else { return None };
        Some(if copies > 1 { with.inlined() } else { with.text.clone() })
    }

    /// The types of the values on PostgreSQL.
    pub(crate) fn types(&self) -> Vec<Cow<'_, str>> {
        self.values.iter().map(|value| value.postgres_type().into()).collect()
    }

    /// A text that identifies the texts.
    pub(crate) fn to_text(&self) -> String {
        let texts: Vec<_> = self.arms.iter().map(|arm| (&arm.text, arm.with.as_ref().map(|with| &with.text))).collect();
        format!("{texts:?}")
    }

    /// A text that identifies the texts and their values.
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

/// The selects of the texts, each with its shape.
fn read_arms(raw: &RawSql, dialect: Dialect, parameters: &mut Parameters) -> Result<(Vec<Arm>, Vec<Shape>)> {
    raw.texts.iter().map(|text| Arm::new(dialect, text.as_str(), parameters)).collect()
}

/// Rejects several selects of which one has a WITH clause.
fn refuse_several_with(arms: &[Arm]) -> Result<()> {
    if arms.len() > 1 && arms.iter().any(|arm| arm.with.is_some()) {
        return Err(wrong("begins with WITH, which cannot be one of several selects: write it as a subquery in FROM"));
    }
    Ok(())
}

impl Arm {
    /// Reads one select, with its share of the parameters.
    fn new(dialect: Dialect, sql: &str, parameters: &mut Parameters) -> Result<(Self, Shape)> {
        let tokens = tokens(dialect, sql)?;
        let values = parameters.read(&tokens)?;
        let main = main_select(&tokens)?;
        let shape = checked_shape(&tokens, main)?;
        Ok((Self::of(dialect, sql, &tokens, main, values), shape))
    }

    /// One select, which begins at `main` after its WITH clause.
    fn of(dialect: Dialect, sql: &str, tokens: &[Token<'_>], main: usize, values: Range<usize>) -> Self {
        let moved = if dialect.facts().moves_with_clauses { main } else { 0 };
        let (before, select) = tokens.split_at(moved);
        let with = (!before.is_empty()).then(|| With::new(sql, tokens, before));
        Self { with, text: text_of(sql, select).to_owned(), values }
    }
}

/// The shape of a text, whose select begins at `main`.
///
/// # Errors
/// [`FrameworkError::Internal`](crate::FrameworkError::Internal) for clauses that folio adds itself, and for locks.
fn checked_shape(tokens: &[Token<'_>], main: usize) -> Result<Shape> {
    let body = tokens.get(main..).unwrap_or_default();
    let shape = Shape::of_text(&lexemes(body));
    refuse_tail(body, shape.order_selects_rows)?;
    refuse_lock(tokens)?;
    Ok(shape)
}

#[cfg(test)]
#[cfg(all(feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod tests;
