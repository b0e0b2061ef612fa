//! The page that leads on by cursors: its cost does not grow with its depth.

use super::CURSOR_NAME;
use crate::url::PageUrls;

/// One page of a list that is walked by cursors.
///
/// All of the page's state is public: to change the row type, rebuild the page from its fields.
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
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorPaginator<T> {
    /// The rows on this page.
    pub data: Vec<T>,
    /// The most rows on a page.
    pub per_page: u64,
    /// The cursor of the next page; `None` on the last.
    pub next_cursor: Option<String>,
    /// The cursor of the page before this one; `None` on the first.
    pub prev_cursor: Option<String>,
    /// The path, with or without a query, under which the pages lie. Without one their URLs are relative.
    pub path: Option<String>,
    /// The query key of the cursor; `cursor` where unset.
    pub cursor_name: Option<String>,
    /// The cursor that led to this page; `None` where the walk began here. The JSON does not carry it.
    pub cursor: Option<String>,
}

impl<T> CursorPaginator<T> {
    /// A page of at most `per_page` rows between the pages that the two cursors lead to.
    ///
    /// ```
    /// let page = folio::CursorPaginator::new(vec!['a', 'b'], 2, Some("bmV4dA".into()), None);
    /// assert!(page.on_first_page() && page.has_more_pages());
    /// ```
    #[must_use]
    pub fn new(data: Vec<T>, per_page: u64, next_cursor: Option<String>, prev_cursor: Option<String>) -> Self {
        Self { data, per_page, next_cursor, prev_cursor, path: None, cursor_name: None, cursor: None }
    }

    /// Sets the path of the pages: a path and optional query, never a URL with a host.
    ///
    /// ```
    /// let page = folio::CursorPaginator::new(vec![1], 1, Some("bmV4dA".into()), None).with_path("/users?sort=name");
    /// assert_eq!(page.next_page_url().as_deref(), Some("/users?sort=name&cursor=bmV4dA"));
    /// ```
    #[must_use]
    pub fn with_path(self, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..self }
    }

    /// Sets the query key of the cursor.
    ///
    /// ```
    /// let page = folio::CursorPaginator::new(vec![1], 1, Some("bmV4dA".into()), None).with_cursor_name("after");
    /// assert_eq!(page.next_page_url().as_deref(), Some("?after=bmV4dA"));
    /// ```
    #[must_use]
    pub fn with_cursor_name(self, name: impl Into<String>) -> Self {
        Self { cursor_name: Some(name.into()), ..self }
    }

    /// The URL of the next page; `None` on the last one.
    ///
    /// ```
    /// let page = folio::CursorPaginator::new(vec![1], 1, Some("bmV4dA".into()), None);
    /// assert_eq!(page.next_page_url().as_deref(), Some("?cursor=bmV4dA"));
    /// ```
    #[must_use]
    pub fn next_page_url(&self) -> Option<String> {
        self.next_cursor.as_deref().map(|cursor| self.urls().cursor(cursor).to_string())
    }

    /// The URL of the page before this one; `None` on the first.
    ///
    /// ```
    /// let page = folio::CursorPaginator::new(vec![1], 1, None, Some("cHJldg".into()));
    /// assert_eq!(page.previous_page_url().as_deref(), Some("?cursor=cHJldg"));
    /// ```
    #[must_use]
    pub fn previous_page_url(&self) -> Option<String> {
        self.prev_cursor.as_deref().map(|cursor| self.urls().cursor(cursor).to_string())
    }

    /// Whether a page follows this one.
    ///
    /// ```
    /// assert!(folio::CursorPaginator::new(vec![1], 1, Some("bmV4dA".into()), None).has_more_pages());
    /// ```
    #[must_use]
    pub fn has_more_pages(&self) -> bool {
        self.next_cursor.is_some()
    }

    /// Whether no page comes before this one.
    ///
    /// ```
    /// assert!(folio::CursorPaginator::new(vec![1], 1, Some("bmV4dA".into()), None).on_first_page());
    /// ```
    #[must_use]
    pub fn on_first_page(&self) -> bool {
        self.prev_cursor.is_none()
    }

    /// The URLs of the list's pages.
    pub(crate) fn urls(&self) -> PageUrls<'_> {
        PageUrls::new(self.path.as_deref(), self.cursor_name.as_deref().unwrap_or(CURSOR_NAME))
    }
}

predicates!(CursorPaginator, "vec!['c', 'd'], 2, Some(\"bmV4dA\".into()), Some(\"cHJldg\".into())");
