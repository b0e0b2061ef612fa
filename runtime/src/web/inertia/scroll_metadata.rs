//! Scroll metadata: the position of a page in the list that a client scrolls through.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::paginator::{CURSOR_NAME, CursorPaginator, LengthAwarePaginator, PAGE_NAME, Paginator};

/// Identifies a page in a request: by its number or by a cursor. It serializes to a number or a string.
///
/// ```
/// use folio::inertia::PageIdentifier;
///
/// assert_eq!(PageIdentifier::from(3), PageIdentifier::Number(3));
/// assert_eq!(serde_json::to_string(&PageIdentifier::from("AbC")).unwrap(), r#""AbC""#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageIdentifier {
    /// A page's number, from 1.
    Number(u64),
    /// A cursor.
    Cursor(String),
}

impl From<u64> for PageIdentifier {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for PageIdentifier {
    fn from(cursor: &str) -> Self {
        Self::Cursor(cursor.to_owned())
    }
}

impl Serialize for PageIdentifier {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_u64(*number),
            Self::Cursor(cursor) => serializer.serialize_str(cursor),
        }
    }
}

/// The position of a page in the list that a client scrolls through.
///
/// [`ProvidesScrollMetadata::scroll_metadata`] creates it. It implements [`ProvidesScrollMetadata`] itself, so for rows
/// that do not come from a paginator, set its fields and pass it to [`ScrollProp::new`](super::ScrollProp::new).
///
/// ```
/// use folio::LengthAwarePaginator;
/// use folio::inertia::{PageIdentifier, ProvidesScrollMetadata};
///
/// let metadata = LengthAwarePaginator::new(vec!['a', 'b'], 5, 2, 1).scroll_metadata();
/// assert_eq!(metadata.page_name, "page");
/// assert_eq!((metadata.previous_page, metadata.next_page), (None, Some(PageIdentifier::Number(2))));
/// ```
///
/// ```
/// use folio::inertia::{Inertia, ScrollMetadata, ScrollProp};
///
/// let metadata = ScrollMetadata {
///     page_name: "after".into(),
///     previous_page: None,
///     next_page: Some("d".into()),
///     current_page: Some(1.into()),
/// };
/// let page = Inertia::paginate("Words", "words", ScrollProp::new(["a", "b", "c"], &metadata)).page_object()?;
/// assert!(page.contains(r#""words":{"pageName":"after","previousPage":null,"nextPage":"d","currentPage":1"#));
/// # Ok::<_, folio::FrameworkError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScrollMetadata {
    /// The query key for the page.
    pub page_name: String,
    /// The page before this one; `None` on the first.
    pub previous_page: Option<PageIdentifier>,
    /// The page after this one; `None` on the last.
    pub next_page: Option<PageIdentifier>,
    /// This page.
    pub current_page: Option<PageIdentifier>,
}

/// A page with a position in a list.
///
/// The three paginators and [`ScrollMetadata`] implement it. To pass a page from another library to
/// [`Inertia::paginate`](super::Inertia::paginate), implement this trait for it, and `From` for
/// [`ScrollProp`](super::ScrollProp):
///
/// ```
/// use std::borrow::Cow;
///
/// use folio::inertia::{Inertia, PageIdentifier, ProvidesScrollMetadata, ScrollProp};
///
/// struct Found {
///     hits: Vec<String>,
///     page: u64,
///     more: bool,
/// }
///
/// impl ProvidesScrollMetadata for Found {
///     fn page_name(&self) -> Cow<'_, str> {
///         "p".into()
///     }
///     fn previous_page(&self) -> Option<PageIdentifier> {
///         self.page.checked_sub(1).filter(|page| *page > 0).map(PageIdentifier::Number)
///     }
///     fn next_page(&self) -> Option<PageIdentifier> {
///         self.more.then_some(PageIdentifier::Number(self.page + 1))
///     }
///     fn current_page(&self) -> Option<PageIdentifier> {
///         Some(self.page.into())
///     }
/// }
///
/// impl From<Found> for ScrollProp {
///     fn from(found: Found) -> Self {
///         ScrollProp::new(&found.hits, &found)
///     }
/// }
///
/// let found = Found { hits: vec!["sqlx".into()], page: 1, more: true };
/// let page = Inertia::paginate("Search", "hits", found).page_object()?;
/// let page: serde_json::Value = serde_json::from_str(&page).unwrap();
/// assert_eq!(page["props"]["hits"], serde_json::json!(["sqlx"]));
/// assert_eq!(page["scrollProps"]["hits"]["nextPage"], 2);
/// # Ok::<_, folio::FrameworkError>(())
/// ```
pub trait ProvidesScrollMetadata {
    /// The query key for the page.
    fn page_name(&self) -> Cow<'_, str>;

    /// The page before this one; `None` on the first.
    fn previous_page(&self) -> Option<PageIdentifier>;

    /// The page after this one; `None` on the last.
    fn next_page(&self) -> Option<PageIdentifier>;

    /// This page. The client puts it into the address bar, so it has to lead back to this page.
    fn current_page(&self) -> Option<PageIdentifier>;

    /// All four values.
    fn scroll_metadata(&self) -> ScrollMetadata {
        ScrollMetadata {
            page_name: self.page_name().into_owned(),
            previous_page: self.previous_page(),
            next_page: self.next_page(),
            current_page: self.current_page(),
        }
    }
}

impl ProvidesScrollMetadata for ScrollMetadata {
    fn page_name(&self) -> Cow<'_, str> {
        self.page_name.as_str().into()
    }

    fn previous_page(&self) -> Option<PageIdentifier> {
        self.previous_page.clone()
    }

    fn next_page(&self) -> Option<PageIdentifier> {
        self.next_page.clone()
    }

    fn current_page(&self) -> Option<PageIdentifier> {
        self.current_page.clone()
    }
}

impl<T> ProvidesScrollMetadata for LengthAwarePaginator<T> {
    fn page_name(&self) -> Cow<'_, str> {
        self.page_name.as_deref().unwrap_or(PAGE_NAME).into()
    }

    fn previous_page(&self) -> Option<PageIdentifier> {
        self.previous_page().map(PageIdentifier::Number)
    }

    fn next_page(&self) -> Option<PageIdentifier> {
        self.next_page().map(PageIdentifier::Number)
    }

    fn current_page(&self) -> Option<PageIdentifier> {
        Some(self.current_page.into())
    }
}

impl<T> ProvidesScrollMetadata for Paginator<T> {
    fn page_name(&self) -> Cow<'_, str> {
        PAGE_NAME.into()
    }

    fn previous_page(&self) -> Option<PageIdentifier> {
        self.previous_page().map(PageIdentifier::Number)
    }

    fn next_page(&self) -> Option<PageIdentifier> {
        self.next_page().map(PageIdentifier::Number)
    }

    fn current_page(&self) -> Option<PageIdentifier> {
        Some(self.current_page.into())
    }
}

impl<T> ProvidesScrollMetadata for CursorPaginator<T> {
    fn page_name(&self) -> Cow<'_, str> {
        self.cursor_name.as_deref().unwrap_or(CURSOR_NAME).into()
    }

    fn previous_page(&self) -> Option<PageIdentifier> {
        self.prev_cursor.as_deref().map(PageIdentifier::from)
    }

    fn next_page(&self) -> Option<PageIdentifier> {
        self.next_cursor.as_deref().map(PageIdentifier::from)
    }

    /// The cursor of this page. The first page is 1, even if it was reached backwards with a cursor: the client removes
    /// the query key of page 1 from the address, and a client that gets `null` loses its place.
    fn current_page(&self) -> Option<PageIdentifier> {
        let cursor = self.cursor.as_deref().filter(|_| !self.on_first_page());
        Some(cursor.map_or(PageIdentifier::Number(1), PageIdentifier::from))
    }
}
