//! [`Position`]: where a page is, and how its URLs name that place.

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

    /// The page number of a simple page, whose key is always `page`.
    pub(crate) fn simple_page(&self) -> u64 {
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
