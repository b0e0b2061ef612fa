//! [`Position`]: where a page is, and how its URLs name that place.

use crate::model::table::Table;
use crate::once::Once;
use crate::paginator::{CURSOR_NAME, PAGE_NAME};
use crate::request::current::{current_cursor, current_page, page_path};

/// The position of a page and the parts of its URLs, as a query gives them. The active request has the rest.
#[derive(Debug, Clone, Default)]
pub(crate) struct Position {
    pub(crate) page: Option<u64>,
    /// `Some(None)` is the first page, regardless of the active request.
    pub(crate) cursor: Option<Option<String>>,
    pub(crate) path: Option<String>,
    pub(crate) query_string: bool,
    pub(crate) page_name: Option<String>,
    pub(crate) cursor_name: Option<String>,
}

impl Position {
    /// The page number.
    pub(crate) fn page(&self) -> u64 {
        self.page.unwrap_or_else(|| current_page(self.page_name.as_deref().unwrap_or(PAGE_NAME)))
    }

    /// The page number of a simple page of a model, or of a select. Its key is always `page`, so another name is logged as
    /// a mistake.
    pub(crate) fn simple_page(&self, model: Option<&'static Table>) -> u64 {
        if self.page_name.is_some() {
            warn_ignored_page_name(model);
        }
        self.page.unwrap_or_else(|| current_page(PAGE_NAME))
    }

    /// Takes the cursor.
    pub(crate) fn take_cursor(&mut self) -> Option<String> {
        let name = self.cursor_name.as_deref().unwrap_or(CURSOR_NAME);
        self.cursor.take().unwrap_or_else(|| current_cursor(name))
    }

    /// Takes the path of the page URLs.
    pub(crate) fn take_path(&mut self) -> Option<String> {
        self.path.take().or_else(|| page_path(self.query_string))
    }
}

/// Warns, once for each model and once for selects, that a simple page has no name for its page number.
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
