//! The metadata and links of a document, for a page of any kind.

use serde::Serialize;

use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator, Total};

/// A page that can be converted to a JSON:API document: its rows, its position in the list, and the URLs of other
/// pages.
///
/// The three paginators implement it. Implement it for a page of another library to pass that page to
/// [`Resource::paginated`](super::Resource::paginated):
///
/// ```
/// use folio::json_api::{Links, Paginated, Resource};
/// use serde::Serialize;
///
/// struct Found {
///     hits: Vec<Post>,
///     seconds: f64,
/// }
///
/// impl Paginated<Post> for Found {
///     fn rows(&self) -> &[Post] {
///         &self.hits
///     }
///     fn pagination(&self) -> impl Serialize {
///         serde_json::json!({ "seconds": self.seconds })
///     }
///     fn links(&self) -> Links {
///         Links { next: Some("/search?after=7".into()), ..Links::default() }
///     }
/// }
///
/// # struct Post;
/// # impl folio::json_api::JsonResource for Post {
/// #     fn resource_type(&self) -> &str { "posts" }
/// #     fn id(&self) -> String { "7".into() }
/// #     fn attributes(&self) -> impl Serialize { serde_json::json!({}) }
/// # }
/// let document = serde_json::to_value(Resource::paginated(Found { hits: vec![Post], seconds: 0.5 }))?;
/// assert_eq!(document["meta"]["pagination"]["seconds"], 0.5);
/// assert_eq!(document["links"], serde_json::json!({ "next": "/search?after=7" }));
/// # serde_json::Result::Ok(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a page of `{T}`",
    note = "a page is a `LengthAwarePaginator`, a `Paginator`, a `CursorPaginator`, or your own type that implements \
            `folio::json_api::Paginated`"
)]
pub trait Paginated<T> {
    /// The rows on the page.
    fn rows(&self) -> &[T];

    /// The position of the page in its list, for `meta.pagination`. It has to serialize to an object.
    fn pagination(&self) -> impl Serialize;

    /// The URLs of this page and of other pages, for `links`.
    fn links(&self) -> Links;
}

/// The links of a page: the URLs of the page itself and of other pages. Links to pages that do not exist are `None`,
/// and omitted from the JSON. For the relationships of a resource, see [`Relationship`](super::Relationship).
///
/// ```
/// use folio::LengthAwarePaginator;
/// use folio::json_api::Paginated;
///
/// let page = LengthAwarePaginator::new(vec!['a', 'b'], 3, 2, 1).with_path("/letters");
/// // The paginator has a method `links` of its own, for the row of page links in HTML.
/// let first = Paginated::links(&page);
/// assert_eq!(first.current.as_deref(), Some("/letters?page=1"));
/// assert_eq!((first.prev, first.last.as_deref()), (None, Some("/letters?page=2")));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Links {
    /// This page itself: `self`.
    #[serde(rename = "self", skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
    /// The list that the page is part of, if the list is a relationship of another resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub related: Option<String>,
    /// The first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// The last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// The page before this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prev: Option<String>,
    /// The page after this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// `meta.pagination` of a [`LengthAwarePaginator`].
#[derive(Serialize)]
struct LengthAwareMeta {
    total: u64,
    per_page: u64,
    current_page: u64,
    last_page: u64,
}

/// `meta.pagination` of a [`Paginator`].
#[derive(Serialize)]
struct SimpleMeta {
    per_page: u64,
    current_page: u64,
    has_more: bool,
}

/// `meta.pagination` of a [`CursorPaginator`].
#[derive(Serialize)]
struct CursorMeta<'a> {
    next_cursor: Option<&'a str>,
    prev_cursor: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_cursor: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_cursor: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    #[serde(rename = "estimatedTotal", skip_serializing_if = "Option::is_none")]
    estimated_total: Option<EstimatedTotal>,
}

/// A total that is not exact, as the cursor pagination profile of JSON:API writes it.
#[derive(Serialize)]
pub(super) struct EstimatedTotal {
    #[serde(rename = "bestGuess")]
    best_guess: u64,
}

impl EstimatedTotal {
    pub(super) fn of(total: Total) -> Self {
        Self { best_guess: total.rows() }
    }
}

impl<T> Paginated<T> for LengthAwarePaginator<T> {
    fn rows(&self) -> &[T] {
        &self.data
    }

    fn pagination(&self) -> impl Serialize {
        let Self { total, per_page, current_page, last_page, .. } = *self;
        LengthAwareMeta { total, per_page, current_page, last_page }
    }

    fn links(&self) -> Links {
        let urls = self.urls();
        let url = |page| urls.page(page).to_string();
        Links {
            current: Some(url(self.current_page)),
            related: None,
            first: Some(url(1)),
            last: Some(url(self.last_page)),
            prev: self.previous_page().map(url),
            next: self.next_page().map(url),
        }
    }
}

impl<T> Paginated<T> for Paginator<T> {
    fn rows(&self) -> &[T] {
        &self.data
    }

    fn pagination(&self) -> impl Serialize {
        let Self { per_page, current_page, has_more, .. } = *self;
        SimpleMeta { per_page, current_page, has_more }
    }

    fn links(&self) -> Links {
        let urls = self.urls();
        let url = |page| urls.page(page).to_string();
        Links {
            current: Some(url(self.current_page)),
            related: None,
            first: Some(url(1)),
            last: None,
            prev: self.previous_page().map(url),
            next: self.next_page().map(url),
        }
    }
}

impl<T> Paginated<T> for CursorPaginator<T> {
    fn rows(&self) -> &[T] {
        &self.data
    }

    fn pagination(&self) -> impl Serialize {
        let (exact, inexact) = by_kind(self.total);
        CursorMeta {
            next_cursor: self.next_cursor.as_deref(),
            prev_cursor: self.prev_cursor.as_deref(),
            start_cursor: self.start_cursor.as_deref(),
            end_cursor: self.end_cursor.as_deref(),
            total: exact.map(Total::rows),
            estimated_total: inexact.map(EstimatedTotal::of),
        }
    }

    fn links(&self) -> Links {
        Links { prev: self.previous_page_url(), next: self.next_page_url(), ..Links::default() }
    }
}

/// A total as an exact one and as one that is not; one of them is `None`.
pub(super) fn by_kind(total: Option<Total>) -> (Option<Total>, Option<Total>) {
    (total.filter(|total| total.is_exact()), total.filter(|total| !total.is_exact()))
}
