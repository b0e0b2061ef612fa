//! The page that knows the length of its list, and so can link to every page.

use super::link::{Links, PageLink};
use super::{PAGE_NAME, row_span};
use crate::url::PageUrls;

/// One page of a list whose length is known.
///
/// All of the page's state is public: to change the row type, rebuild the page from its fields.
///
/// ```
/// use folio::LengthAwarePaginator;
///
/// let page = LengthAwarePaginator::new(vec![3, 4], 5, 2, 2).with_path("/scores");
/// assert_eq!((page.last_page, page.from, page.to), (3, Some(3), Some(4)));
///
/// let LengthAwarePaginator { data, current_page, last_page, per_page, total, from, to, path, page_name } = page;
/// let data = data.iter().map(|score| format!("{score} points")).collect();
/// let page = LengthAwarePaginator { data, current_page, last_page, per_page, total, from, to, path, page_name };
/// assert_eq!(page.data, ["3 points", "4 points"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LengthAwarePaginator<T> {
    /// The rows on this page.
    pub data: Vec<T>,
    /// The number of this page, from 1. A page past the last one has no rows.
    pub current_page: u64,
    /// The last page's number; 0 where the list has no rows.
    pub last_page: u64,
    /// The most rows on a page.
    pub per_page: u64,
    /// The rows on all pages.
    pub total: u64,
    /// The index in the whole list, from 1, of the first row on this page; `None` if the page is empty.
    pub from: Option<u64>,
    /// The index in the whole list, from 1, of the last row on this page; `None` if the page is empty.
    pub to: Option<u64>,
    /// The path, with or without a query, under which the pages lie. Without one their URLs are relative.
    pub path: Option<String>,
    /// The query key of the page number; `page` where unset.
    pub page_name: Option<String>,
}

impl<T> LengthAwarePaginator<T> {
    /// Page `current_page` (0 is taken for 1) of a list of `total` rows; `data` are the rows on it.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec!['x'], 21, 10, 3);
    /// assert_eq!((page.last_page, page.from, page.to), (3, Some(21), Some(21)));
    /// ```
    #[must_use]
    pub fn new(data: Vec<T>, total: u64, per_page: u64, current_page: u64) -> Self {
        let current_page = current_page.max(1);
        let (from, to) = row_span(current_page, per_page, data.len()).unzip();
        let last_page = total.div_ceil(per_page.max(1));
        Self { data, current_page, last_page, per_page, total, from, to, path: None, page_name: None }
    }

    /// Sets the path of the pages: a path and optional query, never a URL with a host.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec![1, 2], 3, 2, 1).with_path("/users?sort=name");
    /// assert_eq!(page.next_page_url().as_deref(), Some("/users?sort=name&page=2"));
    /// ```
    #[must_use]
    pub fn with_path(self, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..self }
    }

    /// Sets the query key of the page number.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec![1, 2], 3, 2, 1).with_page_name("page[number]");
    /// assert_eq!(page.url_for_page(2), "?page%5Bnumber%5D=2");
    /// ```
    #[must_use]
    pub fn with_page_name(self, name: impl Into<String>) -> Self {
        Self { page_name: Some(name.into()), ..self }
    }

    /// The URL of page `number`; that of page 1 for 0.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec![1, 2], 3, 2, 1).with_path("/users?page=7#top");
    /// assert_eq!(page.url_for_page(2), "/users?page=2#top");
    /// ```
    #[must_use]
    pub fn url_for_page(&self, number: u64) -> String {
        self.urls().page(number).to_string()
    }

    /// The URL of the next page; `None` on the last one.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec![1, 2], 3, 2, 1);
    /// assert_eq!(page.next_page_url().as_deref(), Some("?page=2"));
    /// ```
    #[must_use]
    pub fn next_page_url(&self) -> Option<String> {
        self.next_page().map(|page| self.url_for_page(page))
    }

    /// The URL of the page before this one; `None` on the first.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec![3], 3, 2, 2);
    /// assert_eq!(page.previous_page_url().as_deref(), Some("?page=1"));
    /// ```
    #[must_use]
    pub fn previous_page_url(&self) -> Option<String> {
        self.previous_page().map(|page| self.url_for_page(page))
    }

    /// The row of page links: previous, the listed pages with gaps between them, next.
    ///
    /// Up to 13 pages are all listed. Of more, the first two, the last two and seven around this page are, or ten in
    /// one run at the end that this page is near.
    ///
    /// ```
    /// let links = folio::LengthAwarePaginator::new(vec!['x'], 50, 1, 25).links();
    /// let labels: Vec<_> = links.iter().map(|link| link.label.as_str()).collect();
    /// assert_eq!(labels[1..6], ["1", "2", "...", "22", "23"]);
    /// assert_eq!(labels[9..14], ["27", "28", "...", "49", "50"]);
    /// ```
    #[must_use]
    pub fn links(&self) -> Vec<PageLink> {
        self.row(&self.urls()).entries().map(PageLink::from).collect()
    }

    /// The index in the whole list, from 1, of the first row on this page.
    ///
    /// ```
    /// assert_eq!(folio::LengthAwarePaginator::new(vec!['c', 'd'], 5, 2, 2).first_item(), Some(3));
    /// ```
    #[must_use]
    pub fn first_item(&self) -> Option<u64> {
        self.from
    }

    /// The index in the whole list, from 1, of the last row on this page.
    ///
    /// ```
    /// assert_eq!(folio::LengthAwarePaginator::new(vec!['c', 'd'], 5, 2, 2).last_item(), Some(4));
    /// ```
    #[must_use]
    pub fn last_item(&self) -> Option<u64> {
        self.to
    }

    /// Whether pages follow this one.
    ///
    /// ```
    /// assert!(folio::LengthAwarePaginator::new(vec!['c', 'd'], 5, 2, 2).has_more_pages());
    /// ```
    #[must_use]
    pub fn has_more_pages(&self) -> bool {
        self.current_page < self.last_page
    }

    /// Whether this is the first page.
    ///
    /// ```
    /// assert!(folio::LengthAwarePaginator::new(vec!['a', 'b'], 5, 2, 1).on_first_page());
    /// ```
    #[must_use]
    pub fn on_first_page(&self) -> bool {
        self.current_page <= 1
    }

    /// The next page's number.
    pub(crate) fn next_page(&self) -> Option<u64> {
        self.has_more_pages().then(|| self.current_page.saturating_add(1))
    }

    /// The number of the page before this one, which past the end has no rows either.
    pub(crate) fn previous_page(&self) -> Option<u64> {
        (!self.on_first_page()).then(|| self.current_page.saturating_sub(1))
    }

    /// The URLs of the list's pages.
    pub(crate) fn urls(&self) -> PageUrls<'_> {
        PageUrls::new(self.path.as_deref(), self.page_name.as_deref().unwrap_or(PAGE_NAME))
    }

    /// The row of page links, not yet written out.
    pub(super) fn row<'a>(&self, urls: &'a PageUrls<'a>) -> Links<'a> {
        let (previous, next) = (self.previous_page(), self.next_page());
        Links { urls, previous, current: self.current_page, last: self.last_page, next }
    }
}

predicates!(LengthAwarePaginator, "vec!['c', 'd'], 5, 2, 2");
