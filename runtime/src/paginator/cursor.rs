//! The page of `cursor_paginate`: rows between two cursors.

use folio_plan::url::PageUrls;

use super::{CURSOR_NAME, Total};

/// One page of a list that is read by cursor, from [`cursor_paginate`](crate::Builder::cursor_paginate).
///
/// It has the cursors of the next and the previous page, but no page number, and no total unless the list is
/// [counted](crate::Builder::counted). Clients follow [`next_page_url`](Self::next_page_url), or send
/// [`next_cursor`](Self::next_cursor) back.
///
/// The JSON has the keys `data`, `path` if one is set, `per_page`, `next_cursor`, `next_page_url`, `prev_cursor` and
/// `prev_page_url`, `total` if the list was counted, `row_cursors` if they were requested, and `start_cursor` and
/// `end_cursor` if the page's positions were.
///
/// All fields are public. To change the row type, call [`map`](Self::map), or rebuild the page from its fields.
///
/// ```
/// use folio::CursorPaginator;
///
/// let page = CursorPaginator::new(vec![3, 4], 2, Some("bmV4dA".into()), None).with_path("/scores");
/// assert_eq!(page.next_page_url().as_deref(), Some("/scores?cursor=bmV4dA"));
///
/// let data = page.data.iter().map(|score| format!("{score} points")).collect();
/// let page = CursorPaginator::new(data, page.per_page, page.next_cursor, page.prev_cursor);
/// assert_eq!(page.data, ["3 points", "4 points"]);
///
/// let json = serde_json::to_value(&page).unwrap();
/// assert_eq!(json["next_cursor"], "bmV4dA");
/// assert!(json["prev_cursor"].is_null());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorPaginator<T> {
    /// The rows on this page, in the order of the cursor key.
    pub data: Vec<T>,
    /// The maximum number of rows on a page.
    pub per_page: u64,
    /// The cursor of the next page; `None` on the last page.
    pub next_cursor: Option<String>,
    /// The cursor of the previous page; `None` on the first page.
    pub prev_cursor: Option<String>,
    /// The path of the page URLs, optionally with a query string. Without a path, the URLs are relative: `?cursor=…`.
    ///
    /// A query string that [`with_query_string`](crate::Builder::with_query_string) keeps begins with a tab. It is part
    /// of the URLs, without the tab, but not of the JSON's `path`.
    pub path: Option<String>,
    /// The query key of the cursor in URLs; `None` means `cursor`.
    pub cursor_name: Option<String>,
    /// The cursor with which this page was requested; `None` if there was none. It is not part of the JSON.
    pub cursor: Option<String>,
    /// The number of rows in the list, if it was [counted](crate::Builder::counted). Otherwise the JSON has no key
    /// `total`.
    pub total: Option<Total>,
    /// A cursor for each row, in the order of [`data`](Self::data), if
    /// [`with_row_cursors`](crate::Builder::with_row_cursors) was called. Otherwise the JSON has no key `row_cursors`.
    pub row_cursors: Option<Vec<String>>,
    /// The page's position at its first row, also on the first page, if
    /// [`with_positions`](crate::Builder::with_positions) was called. Otherwise the JSON has no key `start_cursor`.
    pub start_cursor: Option<String>,
    /// The page's position at its last row, also on the last page, if
    /// [`with_positions`](crate::Builder::with_positions) was called. Otherwise the JSON has no key `end_cursor`.
    pub end_cursor: Option<String>,
}

impl<T> CursorPaginator<T> {
    /// Creates a page from its rows and the cursors of the next and the previous page.
    ///
    /// ```
    /// let page = folio::CursorPaginator::new(vec!['a', 'b'], 2, Some("bmV4dA".into()), None);
    /// assert!(page.on_first_page() && page.has_more_pages());
    /// ```
    #[must_use]
    pub fn new(data: Vec<T>, per_page: u64, next_cursor: Option<String>, prev_cursor: Option<String>) -> Self {
        Self {
            data,
            per_page,
            next_cursor,
            prev_cursor,
            path: None,
            cursor_name: None,
            cursor: None,
            total: None,
            row_cursors: None,
            start_cursor: None,
            end_cursor: None,
        }
    }

    /// Sets the path of the page URLs: a path with an optional query string. For clients that need absolute links, it
    /// can be a URL with a host of your own, but never with the host of a request, which anyone can forge.
    ///
    /// A cursor in the query string is replaced; the other parameters are kept as they are. Several leading slashes
    /// become one, because browsers read `//host` as another site.
    ///
    /// ```
    /// let page = folio::CursorPaginator::new(vec![1], 1, Some("bmV4dA".into()), None).with_path("/users?sort=name");
    /// assert_eq!(page.next_page_url().as_deref(), Some("/users?sort=name&cursor=bmV4dA"));
    /// ```
    #[must_use]
    pub fn with_path(self, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..self }
    }

    /// Sets the query key of the cursor in URLs. It is percent-encoded if necessary.
    ///
    /// ```
    /// let page = folio::CursorPaginator::new(vec![1], 1, Some("bmV4dA".into()), None).with_cursor_name("after");
    /// assert_eq!(page.next_page_url().as_deref(), Some("?after=bmV4dA"));
    /// ```
    #[must_use]
    pub fn with_cursor_name(self, name: impl Into<String>) -> Self {
        Self { cursor_name: Some(name.into()), ..self }
    }

    /// The rows, and the page without them.
    fn split<U>(self) -> (Vec<T>, CursorPaginator<U>) {
        let Self {
            data,
            per_page,
            next_cursor,
            prev_cursor,
            path,
            cursor_name,
            cursor,
            total,
            row_cursors,
            start_cursor,
            end_cursor,
        } = self;
        let rest = CursorPaginator::new(Vec::new(), per_page, next_cursor, prev_cursor);
        let rest = CursorPaginator { row_cursors, start_cursor, end_cursor, ..rest };
        (data, CursorPaginator { path, cursor_name, cursor, total, ..rest })
    }

    /// The URL of the next page; `None` on the last page.
    ///
    /// ```
    /// let page = folio::CursorPaginator::new(vec![1], 1, Some("bmV4dA".into()), None);
    /// assert_eq!(page.next_page_url().as_deref(), Some("?cursor=bmV4dA"));
    /// ```
    #[must_use]
    pub fn next_page_url(&self) -> Option<String> {
        self.next_cursor.as_deref().map(|cursor| self.urls().cursor(cursor).to_string())
    }

    /// The URL of the previous page; `None` on the first page.
    ///
    /// ```
    /// let page = folio::CursorPaginator::new(vec![1], 1, None, Some("cHJldg".into()));
    /// assert_eq!(page.previous_page_url().as_deref(), Some("?cursor=cHJldg"));
    /// ```
    #[must_use]
    pub fn previous_page_url(&self) -> Option<String> {
        self.prev_cursor.as_deref().map(|cursor| self.urls().cursor(cursor).to_string())
    }

    /// Whether another page follows this one.
    ///
    /// ```
    /// assert!(folio::CursorPaginator::new(vec![1], 1, Some("bmV4dA".into()), None).has_more_pages());
    /// ```
    #[must_use]
    pub fn has_more_pages(&self) -> bool {
        self.next_cursor.is_some()
    }

    /// Whether this is the first page.
    ///
    /// ```
    /// assert!(folio::CursorPaginator::new(vec![1], 1, Some("bmV4dA".into()), None).on_first_page());
    /// ```
    #[must_use]
    pub fn on_first_page(&self) -> bool {
        self.prev_cursor.is_none()
    }

    pub(crate) fn urls(&self) -> PageUrls<'_> {
        PageUrls::new(self.path.as_deref(), self.cursor_name.as_deref().unwrap_or(CURSOR_NAME))
    }
}

predicates!(CursorPaginator, "vec!['c', 'd'], 2, Some(\"bmV4dA\".into()), Some(\"cHJldg\".into())");
