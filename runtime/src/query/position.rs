//! Where a page is, and how its URLs express this.

use folio_plan::cursor::CursorDirection;
use folio_plan::schema::table::Table;
use folio_plan::url::{self, URLS_ONLY};
use folio_plan::value::Value;
use sea_query::Expr;

use crate::app::MAX_QUERY_STRING;
use crate::error::{FrameworkError, Result};
use crate::once::Once;
use crate::paginator::{CURSOR_NAME, PAGE_NAME};
use crate::read::{Place, Window};
use crate::request::context::Context;

/// The position that a query sets. What it leaves out comes from the active request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Position {
    pub(super) page: Option<u64>,
    /// `Some(None)` is the first page, regardless of the active request.
    pub(super) cursor: Option<Option<String>>,
    pub(super) after: Option<String>,
    pub(super) before: Option<String>,
    /// Where the list begins; a cursor takes precedence.
    pub(super) seek: Option<Place>,
    /// Whether the rows are read from the end of an interval.
    pub(super) from_end: Option<bool>,
    pub(super) skip: u64,
    pub(super) row_cursors: bool,
    pub(super) positions: bool,
    pub(crate) urls: Urls,
}

/// The parts of a page's URLs that a query sets.
#[derive(Debug, Clone, Default)]
pub(crate) struct Urls {
    pub(super) path: Option<String>,
    pub(super) query_string: bool,
    pub(super) page_name: Option<String>,
    pub(super) cursor_name: Option<String>,
}

/// A window that an argument describes, such as that of a Relay connection.
pub(crate) struct GivenWindow {
    /// The method that has the argument, for errors.
    pub(crate) method: &'static str,
    pub(crate) after: Option<String>,
    pub(crate) before: Option<String>,
    pub(crate) from_end: bool,
    pub(crate) skip: u64,
    pub(crate) limit: u64,
}

/// What says where a page is: its number, or the row at which it begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlacedBy {
    Number,
    Row,
}

/// Which row is read with its neighbours.
pub(super) enum Middle {
    /// The row at a place, which may be gone.
    Row(Place),
    /// The row with this primary key.
    Id(Vec<Expr>),
    /// The first row that has these values in the order's first columns, or comes after them.
    From(Vec<Value>),
}

/// The most rows that a page can skip. The database reads each of them.
const MAX_SKIP: u64 = 10_000;

impl Position {
    /// The page number.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if the query has another position, which a numbered page would ignore.
    pub(super) fn page(&self, method: &str, context: &Context) -> Result<u64> {
        self.refuse_position(method, Some(PlacedBy::Number), "a numbered page begins where its number says")?;
        Ok(self.page.unwrap_or_else(|| context.page(self.urls.page_name.as_deref().unwrap_or(PAGE_NAME))))
    }

    /// The page number of a simple page. Its query key is always `page`, so if another name is set, a warning is
    /// logged.
    ///
    /// # Errors
    /// Same as [`page`](Self::page).
    pub(super) fn simple_page(&mut self, context: &Context, model: Option<&'static Table>) -> Result<u64> {
        if self.urls.page_name.take().is_some() {
            warn_ignored_page_name(model);
        }
        self.page("simple_paginate", context)
    }

    /// Takes the window of a cursor page. A cursor, of the query or of the active request, takes precedence over `seek`
    /// and `skip`, which only set where the list begins.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] for a page number, and for a cursor together with an interval, and
    /// [`FrameworkError::InvalidParameter`], 400, for more rows to skip than [`MAX_SKIP`].
    pub(super) fn window(&mut self, method: &str, context: &Context, limit: u64) -> Result<Window<Place>> {
        self.refuse_position(method, Some(PlacedBy::Row), "a page by cursor has no number")?;
        if self.skip > MAX_SKIP {
            return Err(FrameworkError::invalid_parameter("skip", format!("is a number from 0 to {MAX_SKIP}")));
        }
        let is_interval = self.after.is_some() || self.before.is_some() || self.from_end.is_some();
        let cursor = match self.cursor.take() {
            Some(Some(_)) if is_interval => {
                return Err(FrameworkError::internal(
                    "`cursor` cannot be combined with `after`, `before` or `last_page`: each says which rows the page has",
                ));
            }
            // The active request's cursor is ignored.
            _ if is_interval => None,
            Some(cursor) => cursor,
            None => {
                let name = self.urls.cursor_name.as_deref().unwrap_or(CURSOR_NAME);
                context.expected_request().and_then(|request| request.cursor(name))
            }
        };
        let first = Window { row_cursors: self.row_cursors, positions: self.positions, ..Window::first(limit) };
        if let Some(cursor) = cursor {
            return Ok(Window { start: Some(Place::Page(cursor)), ..first });
        }
        let after = self.after.take().map(Place::Cursor).or(self.seek.take());
        let before = self.before.take().map(Place::Cursor);
        let from_end = self.from_end.unwrap_or(after.is_none() && before.is_some());
        let direction = if from_end { CursorDirection::Prev } else { CursorDirection::Next };
        let (start, end) = direction.oriented(after, before);
        Ok(Window { start, end, direction, skip: self.skip, ..first })
    }

    /// Takes the window that an argument describes. The query's own `skip` only applies at the beginning of the list.
    ///
    /// # Errors
    /// Same as [`window`](Self::window), and [`FrameworkError::Internal`] if the query has a position of its own, which
    /// the argument would replace.
    pub(crate) fn given_window(&mut self, context: &Context, given: GivenWindow) -> Result<Window<Place>> {
        let GivenWindow { method, after, before, from_end, skip, limit } = given;
        let is_placed = self.after.is_some() || self.before.is_some() || self.cursor.is_some();
        if is_placed || self.urls.cursor_name.is_some() {
            return Err(FrameworkError::internal(format!(
                "`{method}` cannot be combined with `cursor`, `after`, `before` or `with_cursor_name`: its argument has the \
                 cursors of the request"
            )));
        }
        if after.is_some() || before.is_some() {
            self.skip = 0;
        }
        self.skip = self.skip.saturating_add(skip);
        (self.after, self.before, self.from_end) = (after, before, Some(from_end));
        self.window(method, context, limit)
    }

    /// Takes the window that a stream begins with. It ignores the active request, and reads forwards, so it ends at the
    /// cursor that was passed to `before`.
    pub(super) fn stream(&mut self, method: &str, context: &Context, limit: u64) -> Result<Window<Place>> {
        self.cursor = Some(self.cursor.take().flatten());
        if self.before.is_some() {
            self.from_end = Some(false);
        }
        self.window(method, context, limit)
    }

    /// Takes the active request's cursor, if there is one beside that of a row that is read with its neighbours. A link
    /// of these rows has it, and may keep the parameter that names the row.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] for a position of the query, which the row would replace.
    pub(super) fn cursor_beside(&mut self, context: &Context, method: &str, row: &Middle) -> Result<Option<String>> {
        self.refuse_position(method, None, "it reads the rows beside one row")?;
        if self.cursor.take().is_some() {
            return Ok(None);
        }
        let name = self.urls.cursor_name.as_deref().unwrap_or(CURSOR_NAME);
        let cursor = context.request.as_ref().and_then(|request| request.cursor(name));
        Ok(cursor.filter(|cursor| !matches!(row, Middle::Row(Place::Row { token, .. }) if token == cursor)))
    }

    /// Rejects a position for a method that reads the whole list. That of the active request is one of pages.
    pub(super) fn refuse_beside_list(&self, method: &str) -> Result<()> {
        let why = "it reads the whole list, and a position says where a page of it begins";
        self.refuse_position(method, None, why)
    }

    /// Rejects a position that the query sets and the method does not use, and says why. What the active request has is
    /// no position of a list of another kind, so it is not asked for.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`]
    pub(super) fn refuse_position(&self, method: &str, used: Option<PlacedBy>, why: &str) -> Result<()> {
        let seek = match self.seek {
            Some(Place::Values { inclusive: true, .. }) => "seek_inclusive",
            _ => "seek",
        };
        let written = [
            ("page", PlacedBy::Number, self.page.is_some()),
            ("cursor", PlacedBy::Row, matches!(self.cursor, Some(Some(_)))),
            ("after", PlacedBy::Row, self.after.is_some()),
            ("before", PlacedBy::Row, self.before.is_some()),
            (seek, PlacedBy::Row, self.seek.is_some()),
            ("skip", PlacedBy::Row, self.skip > 0),
        ];
        match written.iter().find(|(_, by, is_set)| *is_set && used != Some(*by)) {
            Some((name, ..)) => {
                Err(FrameworkError::internal(format!("`{method}` cannot be combined with `{name}`: {why}")))
            }
            None => Ok(()),
        }
    }
}

impl Urls {
    /// Takes the path of the page URLs; without one, it is the path and the query of the active request, if this query
    /// or the application keeps them.
    ///
    /// The request's query is marked with [`URLS_ONLY`], so that it is part of the URLs, but not of the JSON's `path`.
    /// `own` are the parameters that say which page it is, which the URLs do not keep.
    ///
    /// # Errors
    /// [`FrameworkError::Domain`], 400, if they keep more than the application's maximum. A page has up to 17 links,
    /// and each repeats what it keeps.
    pub(crate) fn path(&mut self, context: &Context, own: &[&str]) -> Result<Option<String>> {
        if let Some(path) = self.path.take() {
            return Ok(Some(path));
        }
        let settings = context.application.as_ref().map(|folio| &folio.settings);
        if !self.query_string && !settings.is_some_and(|settings| settings.with_query_string) {
            return Ok(None);
        }
        let Some(request) = context.request.as_ref() else { return Ok(None) };
        let Some(query) = request.query().filter(|query| !query.is_empty()) else {
            return Ok(Some(request.path().to_owned()));
        };
        let most = settings.map_or(MAX_QUERY_STRING, |settings| settings.max_query_string);
        if query.len() > most && url::length_without(query, own) > most {
            let message = format!("The query string is too long: links keep at most {most} bytes of it");
            return Err(FrameworkError::bad_request(message));
        }
        Ok(Some(format!("{}?{URLS_ONLY}{query}", request.path())))
    }

    /// Takes the path of the URLs of cursor pages, and the name of their cursor.
    ///
    /// # Errors
    /// Same as [`path`](Self::path).
    pub(super) fn cursor_path(&mut self, context: &Context) -> Result<(Option<String>, Option<String>)> {
        let name = self.cursor_name.take();
        let path = self.path(context, &[name.as_deref().unwrap_or(CURSOR_NAME)])?;
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
