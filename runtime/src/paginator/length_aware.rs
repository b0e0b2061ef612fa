//! The page of `paginate`: a numbered page with the total, so it can link to every page.

use folio_plan::url::PageUrls;

use super::link::{Links, PageLink};
use super::{PAGE_NAME, row_span, slice_of};

/// One numbered page with the total of its list, from [`paginate`](crate::Builder::paginate).
///
/// The JSON has the keys of Laravel's `LengthAwarePaginator`: `current_page`, `data`, `first_page_url`, `from`,
/// `last_page`, `last_page_url`, `links`, `next_page_url`, `path` if one is set, `per_page`, `prev_page_url`, `to` and
/// `total`.
///
/// All fields are public. To change the row type, call [`map`](Self::map), or rebuild the page from its fields.
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
///
/// let json = serde_json::to_value(&page).unwrap();
/// assert_eq!(json["total"], 5);
/// assert_eq!(json["next_page_url"], "/scores?page=3");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LengthAwarePaginator<T> {
    /// The rows on this page.
    pub data: Vec<T>,
    /// The number of this page, from 1. It can be greater than [`last_page`](Self::last_page); such a page is empty.
    pub current_page: u64,
    /// The number of the last page; 0 if the list has no rows.
    pub last_page: u64,
    /// The maximum number of rows on a page.
    pub per_page: u64,
    /// The number of rows on all pages together.
    pub total: u64,
    /// The position of this page's first row in the whole list, from 1; `None` if the page is empty.
    pub from: Option<u64>,
    /// The position of this page's last row in the whole list, from 1; `None` if the page is empty.
    pub to: Option<u64>,
    /// The path of the page URLs, optionally with a query string. Without a path, the URLs are relative: `?page=2`.
    ///
    /// A query string that [`with_query_string`](crate::Builder::with_query_string) keeps begins with a tab. It is part
    /// of the URLs, without the tab, but not of the JSON's `path`.
    pub path: Option<String>,
    /// The query key of the page number in URLs; `None` means `page`.
    pub page_name: Option<String>,
}

impl<T> LengthAwarePaginator<T> {
    /// Creates page `current_page` of a list of `total` rows. `data` contains the rows of this page. Page 0 counts as
    /// page 1.
    ///
    /// [`last_page`](Self::last_page), [`from`](Self::from) and [`to`](Self::to) are computed from the arguments. A
    /// `per_page` of 0 counts as 1 for `last_page`.
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

    /// Creates page `page` of a list in memory. Page 0 counts as page 1, and a `per_page` of 0 as 1.
    ///
    /// ```
    /// use folio::LengthAwarePaginator;
    ///
    /// let list = vec!["ada", "bob", "eve", "max", "zoe"];
    /// let page = LengthAwarePaginator::from_vec(list, 2, 2);
    /// assert_eq!((page.data, page.total, page.last_page), (vec!["eve", "max"], 5, 3));
    /// ```
    #[must_use]
    pub fn from_vec(list: Vec<T>, per_page: u64, page: u64) -> Self {
        let (total, per_page) = (u64::try_from(list.len()).unwrap_or(u64::MAX), per_page.max(1));
        Self::new(slice_of(list, per_page, page), total, per_page, page)
    }

    /// Same as [`from_vec`](Self::from_vec), but borrows the list and clones only the page's rows.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::from_slice(&['a', 'b', 'c'], 2, 2);
    /// assert_eq!((page.data, page.from), (vec!['c'], Some(3)));
    /// ```
    #[must_use]
    pub fn from_slice(list: &[T], per_page: u64, page: u64) -> Self
    where
        T: Clone,
    {
        let page = LengthAwarePaginator::from_vec(list.iter().collect(), per_page, page);
        page.map(T::clone)
    }

    /// The rows, and the page without them.
    fn split<U>(self) -> (Vec<T>, LengthAwarePaginator<U>) {
        let Self { data, current_page, last_page, per_page, total, from, to, path, page_name } = self;
        let rest = Vec::new();
        (data, LengthAwarePaginator { data: rest, current_page, last_page, per_page, total, from, to, path, page_name })
    }

    /// Sets the path of the page URLs: a path with an optional query string. For clients that need absolute links, it
    /// can be a URL with a host of your own, but never with the host of a request, which anyone can forge.
    ///
    /// A page number in the query string is replaced; the other parameters are kept as they are. Several leading
    /// slashes become one, because browsers read `//host` as another site.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec![1, 2], 3, 2, 1).with_path("/users?sort=name");
    /// assert_eq!(page.next_page_url().as_deref(), Some("/users?sort=name&page=2"));
    /// ```
    #[must_use]
    pub fn with_path(self, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..self }
    }

    /// Sets the query key of the page number in URLs. It is percent-encoded if necessary.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec![1, 2], 3, 2, 1).with_page_name("page[number]");
    /// assert_eq!(page.url_for_page(2), "?page%5Bnumber%5D=2");
    /// ```
    #[must_use]
    pub fn with_page_name(self, name: impl Into<String>) -> Self {
        Self { page_name: Some(name.into()), ..self }
    }

    /// The URL of page `number`, whether or not that page exists. Page 0 counts as page 1.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec![1, 2], 3, 2, 1).with_path("/users?page=7#top");
    /// assert_eq!(page.url_for_page(2), "/users?page=2#top");
    /// ```
    #[must_use]
    pub fn url_for_page(&self, number: u64) -> String {
        self.urls().page(number).to_string()
    }

    /// The URL of the next page; `None` on the last page.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec![1, 2], 3, 2, 1);
    /// assert_eq!(page.next_page_url().as_deref(), Some("?page=2"));
    /// ```
    #[must_use]
    pub fn next_page_url(&self) -> Option<String> {
        self.next_page().map(|page| self.url_for_page(page))
    }

    /// The URL of the previous page; `None` on the first page.
    ///
    /// ```
    /// let page = folio::LengthAwarePaginator::new(vec![3], 3, 2, 2);
    /// assert_eq!(page.previous_page_url().as_deref(), Some("?page=1"));
    /// ```
    #[must_use]
    pub fn previous_page_url(&self) -> Option<String> {
        self.previous_page().map(|page| self.url_for_page(page))
    }

    /// The row of page links: previous, page numbers with gaps, next.
    ///
    /// A list of up to 13 pages has a link to every page. A longer list has links to the first two and the last two
    /// pages, and to the current page with three pages on each side. If the current page is near one end, the ten pages
    /// at that end are listed without a gap.
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

    /// The position of this page's first row in the whole list, from 1; `None` if the page is empty.
    ///
    /// ```
    /// assert_eq!(folio::LengthAwarePaginator::new(vec!['c', 'd'], 5, 2, 2).first_item(), Some(3));
    /// ```
    #[must_use]
    pub fn first_item(&self) -> Option<u64> {
        self.from
    }

    /// The position of this page's last row in the whole list, from 1; `None` if the page is empty.
    ///
    /// ```
    /// assert_eq!(folio::LengthAwarePaginator::new(vec!['c', 'd'], 5, 2, 2).last_item(), Some(4));
    /// ```
    #[must_use]
    pub fn last_item(&self) -> Option<u64> {
        self.to
    }

    /// Whether another page follows this one.
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

    pub(crate) fn next_page(&self) -> Option<u64> {
        self.has_more_pages().then(|| self.current_page.saturating_add(1))
    }

    /// The number of the previous page. Past the end, that page may be empty as well.
    pub(crate) fn previous_page(&self) -> Option<u64> {
        (!self.on_first_page()).then(|| self.current_page.saturating_sub(1))
    }

    pub(crate) fn urls(&self) -> PageUrls<'_> {
        PageUrls::new(self.path.as_deref(), self.page_name.as_deref().unwrap_or(PAGE_NAME))
    }

    /// The row of page links, not formatted yet.
    pub(super) fn row<'a>(&self, urls: &'a PageUrls<'a>) -> Links<'a> {
        let (previous, next) = (self.previous_page(), self.next_page());
        Links { urls, previous, current: self.current_page, last: self.last_page, next }
    }
}

predicates!(LengthAwarePaginator, "vec!['c', 'd'], 5, 2, 2");
