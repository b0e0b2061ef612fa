//! SQL text of a caller as the source of a list.
//!
//! The text becomes a derived table: `SELECT * FROM (<text>) AS folio_rows WHERE … ORDER BY … LIMIT …`. Every database
//! merges a text that filters or joins into the statement around it, so a page costs the same at every depth; a text
//! that groups or unites rows is computed as a whole. Clauses that would have no effect in a derived table, such as
//! ORDER BY, are errors.

mod checks;
mod overrides;
mod parameters;
mod with;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use self::checks::{main_select, refuse_lock, refuse_tail};
use self::overrides::without_overrides;
use self::parameters::Parameters;
use self::with::With;
use crate::custom::lexer::{Kind, Token, text_of, tokens, wrong};
use crate::custom::shape::Shape;
use crate::dialect::{Dialect, Param, Sql};
use crate::error::Result;
use crate::predicate::{Union, union_of};
use crate::statement::select::{DERIVED, Select};
use crate::statement::template::OpaqueValue;

/// SQL text with its values, as a caller wrote them.
#[derive(Clone)]
pub struct RawSql {
    /// Selects whose rows are one list, by UNION ALL.
    pub texts: Vec<Arc<str>>,
    pub values: Vec<Arc<dyn OpaqueValue>>,
    /// sqlx's name of the driver for which its macro has checked the texts.
    pub checked_for: Option<&'static str>,
}

impl RawSql {
    /// The texts for a database. Those that sqlx has checked are only for the same one, and may have its overrides.
    pub(super) fn texts_for(&self, dialect: Dialect) -> Result<Cow<'_, [Arc<str>]>> {
        let Some(checked_for) = self.checked_for else { return Ok(Cow::Borrowed(&self.texts)) };
        let read_from = dialect.facts().driver;
        if checked_for != read_from {
            return Err(wrong(&format!(
                "was checked for {checked_for} when it was compiled, but the page is read from {read_from}: build with the \
                 `DATABASE_URL` of the database that it is read from"
            )));
        }
        self.texts.iter().map(|text| Ok(without_overrides(dialect, text)?.into())).collect()
    }
}

impl fmt::Debug for RawSql {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawSql").field("texts", &self.texts).field("values", &self.values.len()).finish()
    }
}

/// SQL text as the source of statements for one database.
#[derive(Debug)]
pub struct SqlSource {
    dialect: Dialect,
    arms: Vec<Arm>,
    /// The number of the caller's values.
    values: usize,
    /// Whether the text numbers its parameters.
    is_numbered: bool,
    /// A text that identifies the texts.
    pub text: Arc<str>,
}

/// One select of the text.
#[derive(Debug)]
struct Arm {
    /// The WITH clause before the statement, if it is moved to the front.
    with: Option<With>,
    text: String,
    /// The same text, without its parameters.
    sql: Sql,
}

impl SqlSource {
    /// Reads the texts.
    ///
    /// # Errors
    /// [`Misuse`](crate::error::Misuse) for a text that cannot be a list, or if the
    /// numbers of parameters and values differ.
    pub fn new(texts: &[Arc<str>], values: usize, dialect: Dialect) -> Result<(Self, Shape)> {
        if texts.len() > MOST_SELECTS {
            return Err(wrong("combines more than 500 selects, which is the limit of SQLite"));
        }
        let mut parameters = Parameters::default();
        let arms = texts.iter().map(|text| Arm::new(dialect, text, &mut parameters));
        let (arms, shapes): (Vec<Arm>, Vec<Shape>) = arms.collect::<Result<_>>()?;
        parameters.check(values)?;
        if arms.len() > 1 && arms.iter().any(|arm| arm.with.is_some()) {
            return Err(wrong(
                "begins with WITH, which cannot be one of several selects: write it as a subquery in FROM",
            ));
        }
        let is_numbered = !parameters.numbers.is_empty();
        let texts: Vec<_> = arms.iter().map(|arm| (&arm.text, arm.with.as_ref().map(|with| &with.text))).collect();
        let text = format!("{texts:?}").into();
        Ok((Self { dialect, arms, values, is_numbered, text }, Shape::of_all(shapes)))
    }

    /// The rows of each select, as a derived table.
    pub fn arms(&self) -> impl Iterator<Item = Select> {
        self.arms.iter().map(|arm| Select::all_of(&arm.sql, DERIVED))
    }

    pub fn all(&self) -> Sql {
        match &*self.arms {
            [arm] => arm.sql.clone(),
            _ => union_of(self.dialect, self.arms(), Union::All).sql(),
        }
    }

    /// Whether the rows are those of several selects.
    pub(crate) fn has_arms(&self) -> bool {
        self.arms.len() > 1
    }

    /// The finished text of a statement that has copies of the texts, and the positions of the caller's values in it: see
    /// [`CallerValues::copies`](crate::statement::template::CallerValues::copies).
    ///
    /// If the text numbers its parameters, folio's come after them. One WITH clause has the caller's expressions and
    /// folio's.
    pub fn finish(&self, statement: &Sql) -> (String, Vec<(usize, Range<usize>)>) {
        let (last, mut own, mut copies) = (self.values, 0_usize, Vec::new());
        for param in statement.params() {
            match param {
                Param::Caller(_) if self.is_numbered => {}
                Param::Caller(at) => copies.push((own, *at..at.saturating_add(1))),
                _ => own = own.saturating_add(1),
            }
        }
        if self.is_numbered {
            copies = vec![(0, 0..last)];
        }
        let mut own = if self.is_numbered { last } else { 0 };
        let sql = statement.numbered(self.is_numbered, |_, param| match param {
            Param::Caller(at) => at.saturating_add(1),
            _ => {
                own = own.saturating_add(1);
                own
            }
        });
        let sql = match (self.with(statement.copies), sql.strip_prefix("WITH ")) {
            (None, _) => sql,
            (Some(with), Some(rest)) => format!("{with}, {rest}"),
            (Some(with), None) => format!("{with} {sql}"),
        };
        (sql, copies)
    }

    /// What is in front of a statement with this many copies of the text.
    ///
    /// PostgreSQL computes an expression as a whole if a statement reads it twice. One that the text itself reads once
    /// is inlined, like in the text on its own.
    fn with(&self, copies: usize) -> Option<String> {
        let [Arm { with: Some(with), .. }] = &*self.arms else { return None };
        Some(if copies > 1 { with.inlined() } else { with.text.clone() })
    }
}

/// The largest number of selects in one list. SQLite's UNION ALL has at most 500.
const MOST_SELECTS: usize = 500;

impl Arm {
    /// Reads one select, with its share of the parameters, and rejects clauses that folio adds itself, and locks.
    fn new(dialect: Dialect, sql: &str, parameters: &mut Parameters) -> Result<(Self, Shape)> {
        let tokens = tokens(dialect, sql)?;
        let values = parameters.read(&tokens)?;
        let main = main_select(&tokens)?;
        let body = tokens.get(main..).unwrap_or_default();
        let shape = Shape::of_text(body);
        refuse_tail(body, shape.order_selects_rows)?;
        refuse_lock(&tokens)?;
        Ok((Self::of(dialect, sql, &tokens, main, values), shape))
    }

    /// One select, which begins at `main` after its WITH clause.
    fn of(dialect: Dialect, sql: &str, tokens: &[Token<'_>], main: usize, values: Range<usize>) -> Self {
        let moved = if dialect.facts().moves_with_clauses { main } else { 0 };
        let (before, select) = tokens.split_at(moved);
        let with = (!before.is_empty()).then(|| With::new(sql, tokens, before));
        let mut text = Sql::new(dialect);
        let (mut end, mut next) = (select.first().map_or(0, |token| token.start), values.start);
        for token in select {
            let value = match token.kind {
                Kind::Plain | Kind::Quoted => continue,
                Kind::Next => next,
                Kind::Numbered(number) => number.saturating_sub(1),
            };
            next = next.saturating_add(1);
            text = text.push(sql.get(end..token.start).unwrap_or_default()).param(Param::Caller(value));
            end = token.end();
        }
        let last = select.last().map_or(end, Token::end);
        let text = text.push(sql.get(end..last).unwrap_or_default()).with_copy();
        Self { with, text: text_of(sql, select).to_owned(), sql: text }
    }
}

#[cfg(test)]
#[cfg(all(feature = "sqlite", feature = "postgres", feature = "mysql"))]
mod tests;
