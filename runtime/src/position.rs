//! [`Position`]: where a page is, and how its URLs express this.

use crate::cursor::CursorDirection;
use crate::error::{FrameworkError, Result};
use crate::once::Once;
use crate::paginator::{CURSOR_NAME, PAGE_NAME};
use crate::request::current::{current_cursor, current_page, cursor_if_any, page_path};
use crate::schema::table::Table;
use crate::value::Value;

/// The position of a page and the parts of its URLs that a query sets. The rest comes from the active request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Position {
    pub(crate) page: Option<u64>,
    /// `Some(None)` is the first page, regardless of the active request.
    pub(crate) cursor: Option<Option<String>>,
    pub(crate) path: Option<String>,
    pub(crate) query_string: bool,
    pub(crate) page_name: Option<String>,
    pub(crate) cursor_name: Option<String>,
    pub(crate) after: Option<String>,
    pub(crate) before: Option<String>,
    /// Where the list begins; a cursor takes precedence.
    pub(crate) seek: Option<Place>,
    /// From which end of an interval its rows are read, if it is set.
    pub(crate) direction: Option<CursorDirection>,
    pub(crate) skip: u64,
    pub(crate) row_cursors: bool,
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

/// Which rows a cursor page shows: the rows from a cursor on, or the rows between two places.
#[derive(Debug, Clone, Default)]
pub(crate) struct IntervalRequest {
    /// A cursor, which is read in its own direction.
    pub(crate) cursor: Option<String>,
    pub(crate) after: Option<Place>,
    pub(crate) before: Option<Place>,
    /// Whether the rows are read from the end of the interval.
    pub(crate) from_end: bool,
    pub(crate) skip: u64,
    pub(crate) row_cursors: bool,
    /// Whether the database is asked if rows are on both sides, instead of assuming it.
    pub(crate) is_exact: bool,
}

impl IntervalRequest {
    /// The rows after a page that was not the last one. `next` is the cursor after that page.
    pub(crate) fn after_page(self, next: Option<String>, is_truncated: bool) -> Option<Self> {
        let after = Some(Place::Cursor(next.filter(|_| self.before.is_none() || is_truncated)?));
        Some(Self { after, before: self.before, row_cursors: self.row_cursors, ..Self::default() })
    }
}

/// The maximum of [`Position::skip`]. The database reads each skipped row.
pub(crate) const MAX_SKIP: u64 = 10_000;

impl Position {
    /// The page number.
    pub(crate) fn page(&self) -> u64 {
        self.page.unwrap_or_else(|| current_page(self.page_name.as_deref().unwrap_or(PAGE_NAME)))
    }

    /// The page number of a simple page. Its query key is always `page`, so if another name is set, a warning is
    /// logged.
    pub(crate) fn simple_page(&self, model: Option<&'static Table>) -> u64 {
        if self.page_name.is_some() {
            warn_ignored_page_name(model);
        }
        self.page.unwrap_or_else(|| current_page(PAGE_NAME))
    }

    /// Takes the rows of a cursor page. A cursor, of the query or of the active request, takes precedence over `seek`
    /// and `skip`, which only set where the list begins.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] for a cursor together with an interval, and [`FrameworkError::InvalidParameter`], 400,
    /// for more rows to skip than [`MAX_SKIP`].
    pub(crate) fn take_interval(&mut self) -> Result<IntervalRequest> {
        self.check_skip()?;
        let cursor = self.take_cursor()?;
        let (after, before) = (self.after.take().map(Place::Cursor), self.before.take().map(Place::Cursor));
        let after = after.or(self.seek.take().filter(|_| cursor.is_none()));
        let is_end = after.is_none() && before.is_some();
        let from_end = self.direction.map_or(is_end, |direction| direction == CursorDirection::Prev);
        let skip = if cursor.is_some() { 0 } else { self.skip };
        let row_cursors = self.row_cursors;
        Ok(IntervalRequest { cursor, after, before, from_end, skip, row_cursors, is_exact: false })
    }

    /// Takes the rows of a window that was passed to the method `ending`: its cursors, the direction in which its rows
    /// are read, and how many of them it skips. The query's own `skip` only applies at the beginning of the list.
    ///
    /// # Errors
    /// Same as [`take_interval`](Self::take_interval), and [`FrameworkError::Internal`] if the query has a position of
    /// its own, which the window would replace.
    pub(crate) fn take_window(
        &mut self,
        ending: &str,
        [after, before]: [Option<String>; 2],
        direction: CursorDirection,
        skip: u64,
    ) -> Result<IntervalRequest> {
        self.refuse_beside(ending)?;
        if after.is_some() || before.is_some() {
            self.skip = 0;
        }
        self.skip = self.skip.saturating_add(skip);
        (self.after, self.before, self.direction) = (after, before, Some(direction));
        self.take_interval()
    }

    /// Rejects more rows to skip than [`MAX_SKIP`].
    fn check_skip(&self) -> Result<()> {
        if self.skip > MAX_SKIP {
            return Err(FrameworkError::invalid_parameter("skip", format!("is a number from 0 to {MAX_SKIP}")));
        }
        Ok(())
    }

    /// Rejects a position of the query that the argument of the method `ending` would replace.
    fn refuse_beside(&self, ending: &str) -> Result<()> {
        let is_placed = self.after.is_some() || self.before.is_some() || self.cursor.is_some();
        if is_placed || self.cursor_name.is_some() {
            return Err(FrameworkError::internal(format!(
                "`{ending}` cannot be combined with `cursor`, `after`, `before` or `with_cursor_name`: its argument has the \
                 cursors of the request"
            )));
        }
        Ok(())
    }

    /// Takes the active request's cursor, if there is one beside that of a row that is read with its neighbours. A link
    /// of these rows has it, and may keep the parameter that names the row.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] for a position of the query, which the row would replace.
    pub(crate) fn take_cursor_beside(&mut self, row: &Place) -> Result<Option<String>> {
        let is_interval = self.after.is_some() || self.before.is_some() || self.seek.is_some();
        if is_interval || matches!(self.cursor, Some(Some(_))) || self.skip > 0 {
            return Err(FrameworkError::internal(
                "`around` cannot be combined with `cursor`, `after`, `before`, `seek` or `skip`: it reads the rows beside \
                 one row",
            ));
        }
        if self.cursor.take().is_some() {
            return Ok(None);
        }
        let cursor = cursor_if_any(self.cursor_name.as_deref().unwrap_or(CURSOR_NAME));
        Ok(cursor.filter(|cursor| !matches!(row, Place::Row { token, .. } if token == cursor)))
    }

    /// Rejects a position that pages of groups would ignore, because each begins at the first row.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`]
    pub(crate) fn refuse_beside_groups(&self) -> Result<()> {
        let is_interval = self.after.is_some() || self.before.is_some() || self.seek.is_some();
        if is_interval || matches!(self.cursor, Some(Some(_))) || self.skip > 0 {
            return Err(FrameworkError::internal(
                "`each_of` cannot be combined with `cursor`, `after`, `before`, `seek` or `skip`: it reads the first rows of \
                 each group; for a later page, filter by the group",
            ));
        }
        Ok(())
    }

    /// Rejects a cursor together with an interval, because one of them would be ignored.
    fn no_cursor(&mut self) -> Result<Option<String>> {
        match self.cursor.take().flatten() {
            None => Ok(None),
            Some(_) => Err(FrameworkError::internal(
                "`cursor` cannot be combined with `after`, `before` or `last_page`: each says which rows the page has",
            )),
        }
    }

    /// Takes the cursor. If there is an interval, the active request's cursor is ignored.
    fn take_cursor(&mut self) -> Result<Option<String>> {
        if self.after.is_some() || self.before.is_some() || self.direction.is_some() {
            return self.no_cursor();
        }
        let name = self.cursor_name.as_deref().unwrap_or(CURSOR_NAME);
        Ok(self.cursor.take().unwrap_or_else(|| current_cursor(name)))
    }

    /// Takes the path of the page URLs. `own` are the parameters that say which page it is.
    ///
    /// # Errors
    /// Same as [`page_path`].
    pub(crate) fn take_path(&mut self, own: &[&str]) -> Result<Option<String>> {
        match self.path.take() {
            Some(path) => Ok(Some(path)),
            None => page_path(self.query_string, own),
        }
    }

    /// Takes the path of the URLs of cursor pages, and the name of their cursor.
    ///
    /// # Errors
    /// Same as [`take_path`](Self::take_path).
    pub(crate) fn take_cursor_path(&mut self) -> Result<(Option<String>, Option<String>)> {
        let name = self.cursor_name.take();
        let path = self.take_path(&[name.as_deref().unwrap_or(CURSOR_NAME)])?;
        Ok((path, name))
    }
}

/// Warns, once for each model and once for selects, that the query key of a simple page cannot be set.
fn warn_ignored_page_name(model: Option<&'static Table>) {
    static WARNED: Once = Once::new();
    if WARNED.is_first(model) {
        let rows = model.map_or_else(|| "a select".to_owned(), |table| format!("`{}`", table.name));
        tracing::warn!(
            target: "folio",
            "a simple page of {rows} ignores `with_page_name`, because its query key is always `page`: for two lists on one \
             screen, use `paginate`, or `cursor_paginate` with `with_cursor_name`, or give each simple list its `page` and \
             a `with_path` that names the list, as the guide's chapter `frameworks` shows"
        );
    }
}
