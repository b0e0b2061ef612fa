//! The page that knows only whether another one follows: a list of any size without a count.

use super::{PAGE_NAME, row_span};
use crate::url::PageUrls;

/// One page of a list whose length is not known.
///
/// All of the page's state is public: to change the row type, rebuild the page from its fields.
///
/// ```
/// use folio::Paginator;
///
/// let page = Paginator::new(vec![3, 4], 2, 2, true).with_path("/scores");
/// assert_eq!(page.next_page_url().as_deref(), Some("/scores?page=3"));
///
/// let data = page.data.iter().map(|score| format!("{score} points")).collect();
/// let page = Paginator { data, current_page: 2, per_page: 2, has_more: page.has_more, path: page.path };
/// assert_eq!(page.data, ["3 points", "4 points"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paginator<T> {
    /// The rows on this page, at most [`per_page`](Self::per_page).
    pub data: Vec<T>,
    /// This page's number, from 1.
    pub current_page: u64,
    /// The most rows on a page.
    pub per_page: u64,
    /// Whether rows follow those on this page.
    pub has_more: bool,
    /// The path, with or without a query, under which the pages lie. Without one their URLs are relative.
    pub path: Option<String>,
}

impl<T> Paginator<T> {
    /// Page `current_page` (0 is taken for 1); `data` are the rows on it.
    ///
    /// Rows beyond `per_page` belong to the next page: they are dropped, and say as well as `has_more` that it exists.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec!['a', 'b', 'c'], 1, 2, false);
    /// assert_eq!((page.data, page.has_more), (vec!['a', 'b'], true));
    /// ```
    #[must_use]
    pub fn new(mut data: Vec<T>, current_page: u64, per_page: u64, has_more: bool) -> Self {
        let most = usize::try_from(per_page).unwrap_or(usize::MAX);
        let has_more = has_more || data.len() > most;
        data.truncate(most);
        Self { data, current_page: current_page.max(1), per_page, has_more, path: None }
    }

    /// A page from the up to `per_page + 1` rows that were fetched for it.
    pub(crate) fn from_probe(rows: Vec<T>, current_page: u64, per_page: u64) -> Self {
        Self::new(rows, current_page, per_page, false)
    }

    /// Sets the path of the pages: a path and optional query, never a URL with a host.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec![1, 2], 1, 2, true).with_path("/users?sort=name");
    /// assert_eq!(page.next_page_url().as_deref(), Some("/users?sort=name&page=2"));
    /// ```
    #[must_use]
    pub fn with_path(self, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..self }
    }

    /// The URL of page `number`; that of page 1 for 0.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec![1, 2], 1, 2, true).with_path("/users?page=7#top");
    /// assert_eq!(page.url_for_page(2), "/users?page=2#top");
    /// ```
    #[must_use]
    pub fn url_for_page(&self, number: u64) -> String {
        self.urls().page(number).to_string()
    }

    /// The URL of the next page; `None` where no rows follow.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec![1, 2], 1, 2, true);
    /// assert_eq!(page.next_page_url().as_deref(), Some("?page=2"));
    /// ```
    #[must_use]
    pub fn next_page_url(&self) -> Option<String> {
        self.next_page().map(|page| self.url_for_page(page))
    }

    /// The URL of the page before this one; `None` on the first.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec![3], 2, 2, false);
    /// assert_eq!(page.previous_page_url().as_deref(), Some("?page=1"));
    /// ```
    #[must_use]
    pub fn previous_page_url(&self) -> Option<String> {
        self.previous_page().map(|page| self.url_for_page(page))
    }

    /// The index in the whole list, from 1, of the first row on this page; `None` if the page is empty.
    ///
    /// ```
    /// assert_eq!(folio::Paginator::new(vec!['c', 'd'], 2, 2, true).first_item(), Some(3));
    /// ```
    #[must_use]
    pub fn first_item(&self) -> Option<u64> {
        row_span(self.current_page, self.per_page, self.count()).map(|(first, _)| first)
    }

    /// The index in the whole list, from 1, of the last row on this page; `None` if the page is empty.
    ///
    /// ```
    /// assert_eq!(folio::Paginator::new(vec!['c', 'd'], 2, 2, true).last_item(), Some(4));
    /// ```
    #[must_use]
    pub fn last_item(&self) -> Option<u64> {
        row_span(self.current_page, self.per_page, self.count()).map(|(_, last)| last)
    }

    /// Whether pages follow this one.
    ///
    /// ```
    /// assert!(folio::Paginator::new(vec!['c', 'd'], 2, 2, true).has_more_pages());
    /// ```
    #[must_use]
    pub fn has_more_pages(&self) -> bool {
        self.has_more
    }

    /// Whether this is the first page.
    ///
    /// ```
    /// assert!(folio::Paginator::new(vec!['a', 'b'], 1, 2, true).on_first_page());
    /// ```
    #[must_use]
    pub fn on_first_page(&self) -> bool {
        self.current_page <= 1
    }

    /// The next page's number.
    pub(crate) fn next_page(&self) -> Option<u64> {
        self.has_more_pages().then(|| self.current_page.saturating_add(1))
    }

    /// The number of the page before this one.
    pub(crate) fn previous_page(&self) -> Option<u64> {
        (!self.on_first_page()).then(|| self.current_page.saturating_sub(1))
    }

    /// The URLs of the list's pages.
    pub(crate) fn urls(&self) -> PageUrls<'_> {
        PageUrls::new(self.path.as_deref(), PAGE_NAME)
    }
}

predicates!(Paginator, "vec!['c', 'd'], 2, 2, true");
