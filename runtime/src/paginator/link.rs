//! The row of page links under a list: the previous page, page numbers, the next page.
//!
//! `page_window.rs` decides which numbers are listed. The row is serialized entry by entry, without allocating the URLs
//! and labels; [`PageLink`] is the allocated form for callers. `web/html` renders the same kinds of links.

use std::fmt::{self, Display};
use std::iter;

use folio_plan::url::{PageUrl, PageUrls};
use serde::{Serialize, Serializer};

use crate::paginator::page_window::{LinkKind, SIDE, window};

/// One entry of a row of page links, from [`LengthAwarePaginator::links`](crate::LengthAwarePaginator::links).
///
/// Its JSON has the keys `url`, `label`, `page` and `active`. A gap has no `page`.
///
/// ```
/// use folio::LengthAwarePaginator;
///
/// let links = LengthAwarePaginator::new(vec!["c", "d"], 4, 2, 2).links();
/// let labels: Vec<_> = links.iter().map(|link| link.label.as_str()).collect();
/// assert_eq!(labels, ["&laquo; Previous", "1", "2", "Next &raquo;"]);
/// assert_eq!(links[0].url.as_deref(), Some("?page=1"));
/// assert!(links[2].active);
/// ```
///
/// To render the links as HTML on the server, escape only the URL, because the label is HTML already:
///
/// ```
/// use folio::LengthAwarePaginator;
///
/// let page = LengthAwarePaginator::new(vec!["a", "b"], 3, 2, 1).with_path("/posts");
/// let mut html = String::new();
/// for link in page.links() {
///     match &link.url {
///         Some(url) => html += &format!("<a href=\"{}\">{}</a>", url.replace('&', "&amp;"), link.label),
///         None => html += &format!("<span>{}</span>", link.label),
///     }
/// }
/// assert!(html.starts_with("<span>&laquo; Previous</span><a href=\"/posts?page=1\">1</a>"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLink {
    /// The entry's URL; `None` for a gap, and for a previous or next page that does not exist.
    pub url: Option<String>,
    /// The text, with HTML entities: `&laquo; Previous`, a page number, `...` or `Next &raquo;`.
    pub label: String,
    /// The number of the page that the entry links to, from 1; `None` if [`url`](Self::url) is.
    pub page: Option<u64>,
    /// Whether this is the current page's entry.
    pub active: bool,
    /// Whether the entry is a page, a gap, or the link to the previous or the next page. It is not part of the JSON.
    pub kind: LinkKind,
}

impl Serialize for PageLink {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let page = (self.kind != LinkKind::Gap).then_some(self.page);
        Entry { url: self.url.as_deref(), label: self.label.as_str(), page, active: self.active }.serialize(serializer)
    }
}

impl From<Unwritten<'_>> for PageLink {
    fn from(entry: Unwritten<'_>) -> Self {
        Self {
            url: entry.url.map(|url| url.to_string()),
            label: entry.label.to_string(),
            page: entry.page.flatten(),
            active: entry.active,
            kind: entry.label.0,
        }
    }
}

/// A row of links, serialized entry by entry.
pub(super) struct Links<'a> {
    pub(super) urls: &'a PageUrls<'a>,
    pub(super) previous: Option<u64>,
    pub(super) current: u64,
    pub(super) last: u64,
    pub(super) next: Option<u64>,
}

impl<'a> Links<'a> {
    /// The entries in order.
    pub(super) fn entries(&self) -> impl Iterator<Item = Unwritten<'a>> {
        let previous = self.entry(LinkKind::Previous, self.previous);
        let listed = window(self.current, self.last, SIDE).map(|kind| match kind {
            LinkKind::Page(page) => self.entry(kind, Some(page)),
            _ => GAP,
        });
        iter::once(previous).chain(listed).chain([self.entry(LinkKind::Next, self.next)])
    }

    /// The entry that links to `page`.
    fn entry(&self, kind: LinkKind, page: Option<u64>) -> Unwritten<'a> {
        let active = kind == LinkKind::Page(self.current);
        Entry { url: page.map(|page| self.urls.page(page)), label: Label(kind), page: Some(page), active }
    }
}

impl Serialize for Links<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.entries())
    }
}

/// An entry in its JSON form, with a URL and a label of any serializable type.
#[derive(Serialize)]
pub(super) struct Entry<U, L> {
    url: Option<U>,
    label: L,
    /// The outer `None` omits the key, the inner one makes it `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<Option<u64>>,
    active: bool,
}

/// An entry whose URL and label are formatted while it is serialized.
type Unwritten<'a> = Entry<PageUrl<'a, u64>, Label>;

/// The entry for pages that are left out.
const GAP: Unwritten<'static> = Entry { url: None, label: Label(LinkKind::Gap), page: None, active: false };

/// The text of an entry in the JSON. The arrows are HTML entities, as in Laravel: front ends insert labels as markup.
pub(super) struct Label(pub(super) LinkKind);

impl Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            LinkKind::Previous => f.write_str("&laquo; Previous"),
            LinkKind::Page(page) => page.fmt(f),
            LinkKind::Gap => f.write_str("..."),
            LinkKind::Next => f.write_str("Next &raquo;"),
        }
    }
}

impl Serialize for Label {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
