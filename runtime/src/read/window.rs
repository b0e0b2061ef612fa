//! Which rows of a list a cursor page has.

use folio_plan::boundary::BoundaryValue;
use folio_plan::cursor::{Cursor, CursorDirection, Origin};
use folio_plan::keyset::KeysetOrder;
use folio_plan::statement::slice::MAX_PER_PAGE;
use folio_plan::value::{self, Kind, Value};

use crate::error::{FrameworkError, Result};
use crate::watch::PageError;

/// The rows of a list between two places. Each is a [`Place`] until it is opened, and then a [`Cursor`].
#[derive(Debug, Clone)]
pub(crate) struct Window<P> {
    /// Where reading starts. Without it, that is at the first row in the direction of reading.
    pub(crate) start: Option<P>,
    /// Where the rows end. Without it, that is at the last row in the direction of reading.
    pub(crate) end: Option<P>,
    pub(crate) direction: CursorDirection,
    pub(crate) skip: u64,
    pub(crate) limit: u64,
    /// Whether each row gets a cursor.
    pub(crate) row_cursors: bool,
    /// Whether the page gets cursors at its first and last row, whatever follows and precedes it.
    pub(crate) positions: bool,
    /// Whether the database is asked if rows precede a page that begins at a cursor. Otherwise folio assumes so,
    /// because the cursor was made from a row.
    pub(crate) is_exact: bool,
    /// Whether only the number of rows is asked for, so that nothing is read for the page's cursors.
    pub(crate) is_counted: bool,
}

/// A place in a list, as set by a caller or a client.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// A sealed cursor, from which the rows are read in its own direction.
    Page(String),
    /// A sealed cursor, whatever its direction.
    Cursor(String),
    /// The row of a sealed cursor. `inclusive` says whether it belongs to the rows, whatever the cursor says.
    Row { token: String, inclusive: bool },
    /// The row with these values in the order's columns. `inclusive` says whether it belongs to the rows.
    Key { values: Vec<Value>, inclusive: bool },
    /// These values for the order's first columns. `inclusive` says whether rows with these values belong to the rows.
    Values { values: Vec<Value>, inclusive: bool },
    /// Where the previous page of a stream ended.
    Opened(Cursor),
    /// A row that was read. `inclusive` says whether it belongs to the rows.
    Read { row: Cursor, inclusive: bool },
}

impl Place {
    /// The same place, without the rows at it.
    pub(crate) fn without_its_row(self) -> Self {
        match self {
            Self::Page(_) | Self::Cursor(_) | Self::Opened(_) => self,
            Self::Row { token, .. } => Self::Row { token, inclusive: false },
            Self::Key { values, .. } => Self::Key { values, inclusive: false },
            Self::Read { row, .. } => Self::Read { row, inclusive: false },
            Self::Values { values, .. } => Self::Values { values, inclusive: false },
        }
    }
}

/// Why a window was not read.
#[derive(Debug)]
pub(crate) enum WindowError {
    /// A cursor does not belong to the list, or its values are no longer valid. The rows that were asked for are in this
    /// direction from it.
    Cursor {
        #[cfg_attr(not(feature = "json-api"), expect(dead_code, reason = "only JSON:API's profile names the cursor"))]
        direction: CursorDirection,
        cause: FrameworkError,
    },
    Other(FrameworkError),
}

impl PageError for WindowError {
    fn error(&self) -> &FrameworkError {
        match self {
            Self::Cursor { cause, .. } | Self::Other(cause) => cause,
        }
    }

    fn map(self, change: impl FnOnce(FrameworkError) -> FrameworkError) -> Self {
        match self {
            Self::Other(cause) => Self::Other(change(cause)),
            refused @ Self::Cursor { .. } => refused,
        }
    }
}

impl From<FrameworkError> for WindowError {
    fn from(error: FrameworkError) -> Self {
        Self::Other(error)
    }
}

impl From<WindowError> for FrameworkError {
    fn from(error: WindowError) -> Self {
        match error {
            WindowError::Cursor { cause, .. } | WindowError::Other(cause) => cause,
        }
    }
}

impl<P> Window<P> {
    /// The first rows of the list.
    pub(crate) fn first(limit: u64) -> Self {
        let direction = CursorDirection::Next;
        Self {
            start: None,
            end: None,
            direction,
            skip: 0,
            limit,
            row_cursors: false,
            positions: false,
            is_exact: false,
            is_counted: false,
        }
    }

    /// How many rows a page's statement reads: one more, which shows whether there are more.
    pub(super) fn lookahead(&self) -> u64 {
        self.limit.min(MAX_PER_PAGE).saturating_add(1)
    }
}

impl Window<Place> {
    /// What remains after a page of a stream, which reads forwards; `None` after the last one. `next` is the place
    /// after the page.
    pub(crate) fn after_page(self, next: Option<Place>, is_truncated: bool) -> Option<Self> {
        let next = next.filter(|_| self.end.is_none() || is_truncated)?;
        Some(Self { start: Some(next), direction: CursorDirection::Next, skip: 0, ..self })
    }

    /// Opens the places. `unseal` opens the cursors of the list.
    ///
    /// # Errors
    /// The errors of `unseal`, and [`FrameworkError::Internal`] for values that the order's columns do not have.
    pub(super) fn open(
        self,
        order: &KeysetOrder,
        unseal: impl Fn(&str) -> Result<Cursor>,
    ) -> Result<Window<Cursor>, WindowError> {
        let Self { start, end, direction, skip, limit, row_cursors, positions, is_exact, is_counted } = self;
        let open = |place: Place, direction| {
            let unseal = |token: &str| unseal(token).map_err(|cause| WindowError::Cursor { direction, cause });
            Ok::<_, WindowError>(match place {
                Place::Page(token) => unseal(&token)?,
                Place::Cursor(token) => unseal(&token)?.facing(direction),
                Place::Row { token, inclusive } => Cursor { inclusive, ..unseal(&token)?.facing(direction) },
                Place::Key { values, inclusive } => Cursor { inclusive, ..Cursor::of_key(direction, values) },
                Place::Values { values, inclusive } => {
                    check(order, &values)?;
                    let boundary = values.into_iter().map(BoundaryValue::plain).collect();
                    Cursor { inclusive, origin: Origin::Values, ..Cursor::at(direction, boundary) }
                }
                Place::Opened(cursor) => cursor,
                Place::Read { row, inclusive } => Cursor { inclusive, ..row.facing(direction) },
            })
        };
        let start = start.map(|place| open(place, direction)).transpose()?;
        let end = end.map(|place| open(place, direction.flip())).transpose()?;
        let direction = start.as_ref().map_or(direction, |start| start.direction);
        Ok(Window { start, end, direction, skip, limit, row_cursors, positions, is_exact, is_counted })
    }
}

impl Window<Cursor> {
    pub(super) fn cursors(&self) -> impl Iterator<Item = &Cursor> {
        self.start.iter().chain(&self.end)
    }

    /// Whether a cursor back from the first row leads to rows in any case: to those that were skipped, or to the row of
    /// the boundary, unless that is on the page.
    pub(super) fn has_rows_behind(&self) -> bool {
        let start = self.start.as_ref().filter(|_| self.skip == 0);
        start.is_none_or(|start| !self.is_exact && !start.inclusive && start.is_of_row())
    }

    /// Where a page without rows is in the list: a cursor to the rows before it, and one to those after it. They are
    /// the window's own, so a row that is inserted into it later is after the position at which it was asked for.
    /// Without a place that a row had, the page has no position.
    pub(super) fn positions_of_empty(&self) -> [Option<Cursor>; 2] {
        let [start, end] = [&self.start, &self.end].map(|place| place.as_ref().filter(|place| place.is_of_row()));
        let (after, before) = self.direction.oriented(start, end);
        let turned = |cursor: &Cursor| Cursor {
            inclusive: !cursor.inclusive,
            direction: cursor.direction.flip(),
            ..cursor.clone()
        };
        [before.cloned().or_else(|| after.map(turned)), after.cloned().or_else(|| before.map(turned))]
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
        let Kind { variant, nullable, .. } = term.kind();
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
