//! Which rows of a list a cursor page has.

use super::with_lookahead;
use crate::boundary::BoundaryValue;
use crate::cursor::{Cursor, CursorDirection, Origin};
use crate::error::{FrameworkError, Result};
use crate::keyset::KeysetOrder;
use crate::position::{IntervalRequest, Place};
use crate::schema::term::Term;
use crate::value::{self, Value};

/// The rows between two cursors, read from one of them on.
#[derive(Debug, Clone)]
pub(crate) struct Interval {
    /// The rows are after this cursor. Without one, they begin at the first row of the list.
    pub(super) after: Option<Cursor>,
    /// The rows are before this cursor. Without one, they end at the last row of the list.
    pub(super) before: Option<Cursor>,
    /// From which of the two the rows are read.
    pub(super) direction: CursorDirection,
    pub(super) skip: u64,
    pub(super) limit: u64,
    /// Whether the key of each row is needed.
    pub(super) row_keys: bool,
    /// Whether the database is asked if rows precede a page that begins at a cursor. Otherwise folio assumes so, because
    /// the cursor was made from a row.
    pub(super) is_exact: bool,
}

impl Interval {
    /// The rows beyond a cursor in its direction, or all rows.
    pub(super) fn from_cursor(cursor: Option<Cursor>, limit: u64) -> Self {
        let direction = cursor.as_ref().map_or(CursorDirection::Next, |cursor| cursor.direction);
        let (after, before) = direction.oriented(cursor, None);
        Self { after, before, direction, skip: 0, limit, row_keys: false, is_exact: false }
    }

    /// The rows that were requested. `unseal` opens the cursors of the list.
    ///
    /// # Errors
    /// The errors of `unseal`, and [`FrameworkError::Internal`] for values that the order's columns do not have.
    pub(super) fn open(
        request: IntervalRequest,
        limit: u64,
        order: &KeysetOrder,
        unseal: impl Fn(&str) -> Result<Cursor>,
    ) -> Result<Self> {
        let IntervalRequest { cursor, after, before, from_end, skip, row_cursors, is_exact } = request;
        let end =
            |place: Option<Place>, direction| place.map(|place| open(place, direction, order, &unseal)).transpose();
        let interval = match cursor {
            Some(token) => Self::from_cursor(Some(unseal(&token)?), limit),
            None => {
                Self::between(end(after, CursorDirection::Next)?, end(before, CursorDirection::Prev)?, from_end, limit)
            }
        };
        Ok(Self { skip, row_keys: row_cursors, is_exact, ..interval })
    }

    /// The rows between two cursors, from the first or from the last one on.
    fn between(after: Option<Cursor>, before: Option<Cursor>, from_end: bool, limit: u64) -> Self {
        let direction = if from_end { CursorDirection::Prev } else { CursorDirection::Next };
        Self { after, before, direction, ..Self::from_cursor(None, limit) }
    }

    /// The cursor at which reading begins.
    pub(super) fn from(&self) -> Option<&Cursor> {
        match self.direction {
            CursorDirection::Next => self.after.as_ref(),
            CursorDirection::Prev => self.before.as_ref(),
        }
    }

    /// The cursor at which the rows end.
    pub(super) fn until(&self) -> Option<&Cursor> {
        match self.direction {
            CursorDirection::Next => self.before.as_ref(),
            CursorDirection::Prev => self.after.as_ref(),
        }
    }

    /// What remains of the interval after a page; `None` after the last one. `next` is the cursor after the page.
    pub(super) fn after_page(self, next: Option<Cursor>, is_truncated: bool) -> Option<Self> {
        let is_backwards = self.direction == CursorDirection::Prev;
        let after = next.filter(|_| is_truncated || is_backwards)?;
        let before = self.before.filter(|_| !is_backwards);
        Some(Self { before, ..Self::from_cursor(Some(after), self.limit) })
    }

    pub(super) fn cursors(&mut self) -> impl Iterator<Item = &mut Cursor> {
        self.after.iter_mut().chain(&mut self.before)
    }

    /// How many rows a page's statement reads: one more, which shows whether there are more.
    pub(super) fn lookahead(&self) -> u64 {
        with_lookahead(self.limit)
    }
}

/// A place in the list, with the direction in which its rows are.
fn open(
    place: Place,
    direction: CursorDirection,
    order: &KeysetOrder,
    unseal: impl Fn(&str) -> Result<Cursor>,
) -> Result<Cursor> {
    match place {
        Place::Cursor(token) => Ok(unseal(&token)?.facing(direction)),
        Place::Row { token, inclusive } => Ok(Cursor { inclusive, ..unseal(&token)?.facing(direction) }),
        Place::Key { values, inclusive } => Ok(Cursor { inclusive, ..Cursor::by_hand(direction, values) }),
        Place::Values { values, inclusive } => Ok(Cursor { inclusive, ..at_values(direction, values, order)? }),
    }
}

/// A cursor at values of the order's leading columns.
fn at_values(direction: CursorDirection, values: Vec<Value>, order: &KeysetOrder) -> Result<Cursor> {
    check(order, &values)?;
    let boundary = values.into_iter().map(BoundaryValue::plain).collect();
    Ok(Cursor { origin: Origin::Values, ..Cursor::at(direction, boundary) })
}

/// Rejects values that are not of the types of the order's leading columns.
fn check(order: &KeysetOrder, values: &[Value]) -> Result<()> {
    if values.is_empty() || values.len() > order.terms.len() {
        return Err(FrameworkError::internal(format!(
            "`seek` got {} values, but the order has {} columns ({}): give one for each of its first columns",
            values.len(),
            order.terms.len(),
            order.names()
        )));
    }
    order.terms.iter().zip(values).try_for_each(check_value)
}

/// Rejects a value that is not of a column's type.
fn check_value((term, given): (&Term, &Value)) -> Result<()> {
    let (variant, nullable) = term.kind();
    let is_null = value::is_null(given);
    if value::variant(given) != Some(variant) || is_null && !nullable {
        return Err(mistyped(term, given));
    }
    // A client may have sent it.
    if value::is_nan(given) { Err(FrameworkError::bad_request("The list cannot begin at NaN")) } else { Ok(()) }
}

fn mistyped(term: &Term, given: &Value) -> FrameworkError {
    FrameworkError::internal(format!(
        "`seek` got {} for the column `{}` of the order, which has values of the type {}",
        describe(given),
        term.key.name,
        term.kind().0.as_str()
    ))
}

/// What a value is, for an error.
fn describe(given: &Value) -> String {
    let variant = value::variant(given).map_or("a value that no key can have", |variant| variant.as_str());
    if value::is_null(given) { format!("NULL ({variant})") } else { format!("a value of the type {variant}") }
}

#[cfg(test)]
mod tests;
