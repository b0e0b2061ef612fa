//! The JSON of the three pages.
//!
//! Keys and their order are those of Laravel's paginators, so that front-end components made for Laravel can read it.
//! The order of the fields here is the order of the keys. URLs and links are formatted directly into the output.
//!
//! A page may lack `path`, and a cursor page `total`, `row_cursors`, `start_cursor` and `end_cursor`. `web/json_types` has
//! the keys as data, for schemas and types, and a test compares them with these.

use std::borrow::Cow;

use folio_plan::url::{self, PageUrl, PageUrls};
use serde::{Serialize, Serializer};

use super::link::Links;
use super::{Around, CursorPaginator, LengthAwarePaginator, Paginator, Total};

/// The URL of a numbered page.
type NumberUrl<'a> = PageUrl<'a, u64>;

/// The keys of a [`LengthAwarePaginator`].
#[derive(Serialize)]
#[serde(rename = "LengthAwarePaginator")]
struct LengthAwareJson<'a, T> {
    current_page: u64,
    data: &'a [T],
    first_page_url: NumberUrl<'a>,
    from: Option<u64>,
    last_page: u64,
    last_page_url: NumberUrl<'a>,
    links: Links<'a>,
    next_page_url: Option<NumberUrl<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Cow<'a, str>>,
    per_page: u64,
    prev_page_url: Option<NumberUrl<'a>>,
    to: Option<u64>,
    total: u64,
}

impl<'a, T> LengthAwareJson<'a, T> {
    fn new(page: &'a LengthAwarePaginator<T>, urls: &'a PageUrls<'a>) -> Self {
        let &LengthAwarePaginator { current_page, from, last_page, per_page, to, total, .. } = page;
        let url = |page| urls.page(page);
        Self {
            current_page,
            data: &page.data,
            first_page_url: url(1),
            from,
            last_page,
            last_page_url: url(last_page),
            links: page.row(urls),
            next_page_url: page.next_page().map(url),
            path: bare(&page.path),
            per_page,
            prev_page_url: page.previous_page().map(url),
            to,
            total,
        }
    }
}

impl<T: Serialize> Serialize for LengthAwarePaginator<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        LengthAwareJson::new(self, &self.urls()).serialize(serializer)
    }
}

/// The keys of a [`Paginator`].
#[derive(Serialize)]
#[serde(rename = "Paginator")]
struct SimpleJson<'a, T> {
    current_page: u64,
    current_page_url: NumberUrl<'a>,
    data: &'a [T],
    first_page_url: NumberUrl<'a>,
    from: Option<u64>,
    has_more: bool,
    next_page_url: Option<NumberUrl<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Cow<'a, str>>,
    per_page: u64,
    prev_page_url: Option<NumberUrl<'a>>,
    to: Option<u64>,
}

impl<'a, T> SimpleJson<'a, T> {
    fn new(page: &'a Paginator<T>, urls: &'a PageUrls<'a>) -> Self {
        let url = |page| urls.page(page);
        Self {
            current_page: page.current_page,
            current_page_url: url(page.current_page),
            data: &page.data,
            first_page_url: url(1),
            from: page.first_item(),
            has_more: page.has_more,
            next_page_url: page.next_page().map(url),
            path: bare(&page.path),
            per_page: page.per_page,
            prev_page_url: page.previous_page().map(url),
            to: page.last_item(),
        }
    }
}

impl<T: Serialize> Serialize for Paginator<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SimpleJson::new(self, &self.urls()).serialize(serializer)
    }
}

/// The keys of a [`CursorPaginator`].
#[derive(Serialize)]
#[serde(rename = "CursorPaginator")]
struct CursorJson<'a, T> {
    data: &'a [T],
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<Cow<'a, str>>,
    per_page: u64,
    next_cursor: Option<&'a str>,
    next_page_url: Option<PageUrl<'a, &'a str>>,
    prev_cursor: Option<&'a str>,
    prev_page_url: Option<PageUrl<'a, &'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Total>,
    #[serde(skip_serializing_if = "Option::is_none")]
    row_cursors: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_cursor: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_cursor: Option<&'a str>,
}

impl<'a, T> CursorJson<'a, T> {
    fn new(page: &'a CursorPaginator<T>, urls: &'a PageUrls<'a>) -> Self {
        let (next_cursor, prev_cursor) = (page.next_cursor.as_deref(), page.prev_cursor.as_deref());
        Self {
            data: &page.data,
            path: bare(&page.path),
            per_page: page.per_page,
            next_cursor,
            next_page_url: next_cursor.map(|cursor| urls.cursor(cursor)),
            prev_cursor,
            prev_page_url: prev_cursor.map(|cursor| urls.cursor(cursor)),
            total: page.total,
            row_cursors: page.row_cursors.as_deref(),
            start_cursor: page.start_cursor.as_deref(),
            end_cursor: page.end_cursor.as_deref(),
        }
    }
}

/// The keys of an [`Around`].
#[derive(Serialize)]
#[serde(rename = "Around")]
struct AroundJson<'a, T> {
    #[serde(flatten)]
    page: CursorJson<'a, T>,
    index: Option<usize>,
}

impl<T: Serialize> Serialize for Around<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        AroundJson { page: CursorJson::new(&self.page, &self.page.urls()), index: self.index }.serialize(serializer)
    }
}

impl<T: Serialize> Serialize for CursorPaginator<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        CursorJson::new(self, &self.urls()).serialize(serializer)
    }
}

/// The `path` of a page's JSON, if it has one.
fn bare(path: &Option<String>) -> Option<Cow<'_, str>> {
    path.as_deref().and_then(url::bare)
}
