//! The page of `simple_paginate`: a numbered page without a total.

use folio_plan::url::PageUrls;

use super::{PAGE_NAME, row_span, slice_of};

/// One numbered page without a total, from [`simple_paginate`](crate::Builder::simple_paginate).
///
/// It knows whether another page follows, but not how many pages there are. To find out, one row more than the page
/// shows is read, so no count is necessary.
///
/// The JSON has the keys `current_page`, `current_page_url`, `data`, `first_page_url`, `from`, `has_more`,
/// `next_page_url`, `path` if one is set, `per_page`, `prev_page_url` and `to`.
///
/// All fields are public. To change the row type, call [`map`](Self::map), or rebuild the page from its fields.
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
///
/// let json = serde_json::to_value(&page).unwrap();
/// assert_eq!(json["from"], 3);
/// assert_eq!(json["has_more"], true);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paginator<T> {
    /// The rows on this page, at most [`per_page`](Self::per_page).
    pub data: Vec<T>,
    /// The number of this page, from 1.
    pub current_page: u64,
    /// The maximum number of rows on a page.
    pub per_page: u64,
    /// Whether more rows follow this page.
    pub has_more: bool,
    /// The path of the page URLs, optionally with a query string. Without a path, the URLs are relative: `?page=2`.
    ///
    /// A query string that [`with_query_string`](crate::Builder::with_query_string) keeps begins with a tab. It is part
    /// of the URLs, without the tab, but not of the JSON's `path`.
    pub path: Option<String>,
}

impl<T> Paginator<T> {
    /// Creates page `current_page` from its rows. Page 0 counts as page 1.
    ///
    /// If `data` has more than `per_page` rows, the rest is dropped, because it belongs to the next page, and
    /// [`has_more`](Self::has_more) becomes `true`.
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

    /// Creates page `page` of a list in memory. Page 0 counts as page 1, and a `per_page` of 0 as 1.
    ///
    /// ```
    /// let page = folio::Paginator::from_vec(vec!['a', 'b', 'c'], 2, 1);
    /// assert_eq!((page.has_more, page.data), (true, vec!['a', 'b']));
    /// ```
    #[must_use]
    pub fn from_vec(list: Vec<T>, per_page: u64, page: u64) -> Self {
        let per_page = per_page.max(1);
        let end = page.max(1).saturating_mul(per_page);
        let has_more = u64::try_from(list.len()).unwrap_or(u64::MAX) > end;
        Self::new(slice_of(list, per_page, page), page, per_page, has_more)
    }

    /// Same as [`from_vec`](Self::from_vec), but borrows the list and clones only the page's rows.
    ///
    /// ```
    /// let page = folio::Paginator::from_slice(&['a', 'b', 'c'], 2, 2);
    /// assert_eq!((page.has_more, page.data), (false, vec!['c']));
    /// ```
    #[must_use]
    pub fn from_slice(list: &[T], per_page: u64, page: u64) -> Self
    where
        T: Clone,
    {
        Paginator::from_vec(list.iter().collect(), per_page, page).map(T::clone)
    }

    /// The rows, and the page without them.
    fn split<U>(self) -> (Vec<T>, Paginator<U>) {
        let Self { data, current_page, per_page, has_more, path } = self;
        (data, Paginator { data: Vec::new(), current_page, per_page, has_more, path })
    }

    /// A page from the rows that were fetched for it: up to `per_page + 1`.
    pub(crate) fn from_probe(rows: Vec<T>, current_page: u64, per_page: u64) -> Self {
        Self::new(rows, current_page, per_page, false)
    }

    /// Sets the path of the page URLs: a path with an optional query string. For clients that need absolute links, it
    /// can be a URL with a host of your own, but never with the host of a request, which anyone can forge.
    ///
    /// A page number in the query string is replaced; the other parameters are kept as they are. Several leading
    /// slashes become one, because browsers read `//host` as another site.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec![1, 2], 1, 2, true).with_path("/users?sort=name");
    /// assert_eq!(page.next_page_url().as_deref(), Some("/users?sort=name&page=2"));
    /// ```
    #[must_use]
    pub fn with_path(self, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..self }
    }

    /// The URL of page `number`. Page 0 counts as page 1.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec![1, 2], 1, 2, true).with_path("/users?page=7#top");
    /// assert_eq!(page.url_for_page(2), "/users?page=2#top");
    /// ```
    #[must_use]
    pub fn url_for_page(&self, number: u64) -> String {
        self.urls().page(number).to_string()
    }

    /// The URL of the next page; `None` on the last page.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec![1, 2], 1, 2, true);
    /// assert_eq!(page.next_page_url().as_deref(), Some("?page=2"));
    /// ```
    #[must_use]
    pub fn next_page_url(&self) -> Option<String> {
        self.next_page().map(|page| self.url_for_page(page))
    }

    /// The URL of the previous page; `None` on the first page.
    ///
    /// ```
    /// let page = folio::Paginator::new(vec![3], 2, 2, false);
    /// assert_eq!(page.previous_page_url().as_deref(), Some("?page=1"));
    /// ```
    #[must_use]
    pub fn previous_page_url(&self) -> Option<String> {
        self.previous_page().map(|page| self.url_for_page(page))
    }

    /// The position of this page's first row in the whole list, from 1; `None` if the page is empty.
    ///
    /// ```
    /// assert_eq!(folio::Paginator::new(vec!['c', 'd'], 2, 2, true).first_item(), Some(3));
    /// ```
    #[must_use]
    pub fn first_item(&self) -> Option<u64> {
        row_span(self.current_page, self.per_page, self.count()).map(|(first, _)| first)
    }

    /// The position of this page's last row in the whole list, from 1; `None` if the page is empty.
    ///
    /// ```
    /// assert_eq!(folio::Paginator::new(vec!['c', 'd'], 2, 2, true).last_item(), Some(4));
    /// ```
    #[must_use]
    pub fn last_item(&self) -> Option<u64> {
        row_span(self.current_page, self.per_page, self.count()).map(|(_, last)| last)
    }

    /// Whether another page follows this one.
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

    pub(crate) fn next_page(&self) -> Option<u64> {
        self.has_more_pages().then(|| self.current_page.saturating_add(1))
    }

    pub(crate) fn previous_page(&self) -> Option<u64> {
        (!self.on_first_page()).then(|| self.current_page.saturating_sub(1))
    }

    pub(crate) fn urls(&self) -> PageUrls<'_> {
        PageUrls::new(self.path.as_deref(), PAGE_NAME)
    }
}

predicates!(Paginator, "vec!['c', 'd'], 2, 2, true");
