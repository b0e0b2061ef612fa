//! Which rows of a list a cursor page has.

use super::with_lookahead;
use crate::boundary::BoundaryValue;
use crate::cursor::{Cursor, CursorDirection, Origin};
use crate::error::{FrameworkError, Result};
use crate::keyset::KeysetOrder;
use crate::value::{self, Value};

/// Which rows of a list are read.
#[derive(Debug, Clone)]
pub(crate) struct WindowRequest {
    pub(crate) start: Start,
    pub(crate) skip: u64,
    pub(crate) limit: u64,
    /// Whether each row gets a cursor.
    pub(crate) row_cursors: bool,
    /// Whether the database is asked if rows are on both sides, instead of assuming it.
    pub(crate) is_exact: bool,
}

/// Where the rows of a window are.
#[derive(Debug, Clone)]
pub(crate) enum Start {
    /// Beyond this cursor, in its own direction.
    Cursor(String),
    /// Between two places, or an end of the list. `from_end` says from which of the two they are read.
    Between { after: Option<Place>, before: Option<Place>, from_end: bool },
}

impl Start {
    pub(crate) fn cursor(&self) -> Option<&str> {
        match self {
            Self::Cursor(cursor) => Some(cursor),
            Self::Between { .. } => None,
        }
    }
}

impl WindowRequest {
    /// The first rows of the list.
    pub(crate) fn first(limit: u64) -> Self {
        let start = Start::Between { after: None, before: None, from_end: false };
        Self { start, skip: 0, limit, row_cursors: false, is_exact: false }
    }

    /// The rows after a page that was not the last one. `next` is the cursor after that page.
    pub(crate) fn after_page(self, next: Option<String>, is_truncated: bool) -> Option<Self> {
        let before = match self.start {
            Start::Between { before, .. } => before,
            Start::Cursor(_) => None,
        };
        let after = Some(Place::Cursor(next.filter(|_| before.is_none() || is_truncated)?));
        let start = Start::Between { after, before, from_end: false };
        Some(Self { start, row_cursors: self.row_cursors, ..Self::first(self.limit) })
    }
}

/// A place in a list, as set by a caller or a client.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// A sealed cursor.
    Cursor(String),
    /// The row of a sealed cursor. `inclusive` says whether it belongs to the rows, whatever the cursor says.
    Row { token: String, inclusive: bool },
    /// The row with these values in the order's columns. `inclusive` says whether it belongs to the rows.
    Key { values: Vec<Value>, inclusive: bool },
    /// These values for the order's first columns. `inclusive` says whether rows with these values belong to the rows.
    Values { values: Vec<Value>, inclusive: bool },
}

impl Place {
    /// The same place, without the rows at it.
    pub(crate) fn without_its_row(self) -> Self {
        match self {
            Self::Cursor(_) => self,
            Self::Row { token, .. } => Self::Row { token, inclusive: false },
            Self::Key { values, .. } => Self::Key { values, inclusive: false },
            Self::Values { values, .. } => Self::Values { values, inclusive: false },
        }
    }
}

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
        request: WindowRequest,
        order: &KeysetOrder,
        unseal: impl Fn(&str) -> Result<Cursor>,
    ) -> Result<Self> {
        let WindowRequest { start, skip, limit, row_cursors, is_exact } = request;
        let interval = match start {
            Start::Cursor(token) => Self::from_cursor(Some(unseal(&token)?), limit),
            Start::Between { after, before, from_end } => {
                let end = |place: Option<Place>, direction| {
                    place.map(|place| open(place, direction, order, &unseal)).transpose()
                };
                let (after, before) = (end(after, CursorDirection::Next)?, end(before, CursorDirection::Prev)?);
                let direction = if from_end { CursorDirection::Prev } else { CursorDirection::Next };
                Self { after, before, direction, ..Self::from_cursor(None, limit) }
            }
        };
        Ok(Self { skip, row_keys: row_cursors, is_exact, ..interval })
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
        Place::Values { values, inclusive } => {
            check(order, &values)?;
            let boundary = values.into_iter().map(BoundaryValue::plain).collect();
            Ok(Cursor { inclusive, origin: Origin::Values, ..Cursor::at(direction, boundary) })
        }
    }
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
    for (term, given) in order.terms.iter().zip(values) {
        let (variant, nullable) = term.kind();
        if value::variant(given) != Some(variant) || value::is_null(given) && !nullable {
            return Err(FrameworkError::internal(format!(
                "`seek` got {} for the column `{}` of the order, which has values of the type {}",
                describe(given),
                term.key.name,
                variant.as_str()
            )));
        }
        // A client may have sent it.
        if value::is_nan(given) {
            return Err(FrameworkError::bad_request("The list cannot begin at NaN"));
        }
    }
    Ok(())
}

/// What a value is, for an error.
fn describe(given: &Value) -> String {
    let variant = value::variant(given).map_or("a value that no key can have", |variant| variant.as_str());
    if value::is_null(given) { format!("NULL ({variant})") } else { format!("a value of the type {variant}") }
}

#[cfg(test)]
mod tests;
