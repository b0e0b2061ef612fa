//! The JSON documents of folio's pages as plain structs, as people write them by hand.

use folio::LengthAwarePaginator;
use serde::Serialize;

use crate::data::Post;

/// A page without a total.
#[derive(Debug, Serialize)]
pub struct Simple {
    pub current_page: u64,
    pub current_page_url: String,
    pub data: Vec<Post>,
    pub first_page_url: String,
    pub from: Option<u64>,
    pub has_more: bool,
    pub next_page_url: Option<String>,
    pub path: String,
    pub per_page: u64,
    pub prev_page_url: Option<String>,
    pub to: Option<u64>,
}

impl Simple {
    /// Page `current_page`, counted from 1, from rows that were read with one more than the page shows.
    pub fn new(path: &str, mut data: Vec<Post>, current_page: u64, per_page: u64) -> Self {
        let has_more = data.len() as u64 > per_page;
        data.truncate(per_page as usize);
        let url = |page: u64| format!("{path}?page={page}");
        let before = (current_page - 1) * per_page;
        let filled = !data.is_empty();
        Self {
            current_page,
            current_page_url: url(current_page),
            first_page_url: url(1),
            from: filled.then_some(before + 1),
            has_more,
            next_page_url: has_more.then(|| url(current_page + 1)),
            path: path.to_owned(),
            per_page,
            prev_page_url: (current_page > 1).then(|| url(current_page - 1)),
            to: filled.then_some(before + data.len() as u64),
            data,
        }
    }
}

/// A page by cursor.
#[derive(Debug, Serialize)]
pub struct Cursor {
    pub data: Vec<Post>,
    pub path: String,
    pub per_page: u64,
    pub next_cursor: Option<String>,
    pub next_page_url: Option<String>,
    pub prev_cursor: Option<String>,
    pub prev_page_url: Option<String>,
}

impl Cursor {
    pub fn new(path: &str, data: Vec<Post>, per_page: u64, next: Option<String>, prev: Option<String>) -> Self {
        let url = |cursor: &String| format!("{path}?cursor={cursor}");
        let (next_page_url, prev_page_url) = (next.as_ref().map(url), prev.as_ref().map(url));
        let path = path.to_owned();
        Self { data, path, per_page, next_cursor: next, next_page_url, prev_cursor: prev, prev_page_url }
    }
}

/// A page with a total, and with its row of links if there are any.
#[derive(Debug, Serialize)]
pub struct LengthAware {
    pub current_page: u64,
    pub data: Vec<Post>,
    pub first_page_url: String,
    pub from: Option<u64>,
    pub last_page: u64,
    pub last_page_url: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    pub next_page_url: Option<String>,
    pub path: String,
    pub per_page: u64,
    pub prev_page_url: Option<String>,
    pub to: Option<u64>,
    pub total: u64,
}

/// An entry of the links. A gap has no `page`.
#[derive(Debug, Serialize)]
pub struct Link {
    pub url: Option<String>,
    pub label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<Option<u64>>,
    pub active: bool,
}

impl From<&LengthAwarePaginator<Post>> for LengthAware {
    fn from(page: &LengthAwarePaginator<Post>) -> Self {
        let link = |link: folio::PageLink| {
            let page = (link.label != "...").then_some(link.page);
            Link { url: link.url, label: link.label, page, active: link.active }
        };
        Self {
            current_page: page.current_page,
            data: page.data.clone(),
            first_page_url: page.url_for_page(1),
            from: page.from,
            last_page: page.last_page,
            last_page_url: page.url_for_page(page.last_page),
            links: page.links().into_iter().map(link).collect(),
            next_page_url: page.next_page_url(),
            path: page.path.clone().unwrap_or_default(),
            per_page: page.per_page,
            prev_page_url: page.previous_page_url(),
            to: page.to,
            total: page.total,
        }
    }
}
