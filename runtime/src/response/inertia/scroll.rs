//! Scroll props for `<InfiniteScroll>`: a page's rows and its place in the list.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::paginator::{CURSOR_NAME, CursorPaginator, LengthAwarePaginator, PAGE_NAME, Paginator};

/// What a page is known by in a query: its number, or a cursor.
///
/// ```
/// use folio::PageIdentifier;
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

/// Where a page is in the list that a client scrolls through.
///
/// ```
/// use folio::{LengthAwarePaginator, PageIdentifier, ProvidesScrollMetadata};
///
/// let metadata = LengthAwarePaginator::new(vec!['a', 'b'], 5, 2, 1).scroll_metadata();
/// assert_eq!(metadata.page_name, "page");
/// assert_eq!((metadata.previous_page, metadata.next_page), (None, Some(PageIdentifier::Number(2))));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScrollMetadata {
    /// The query key that a page is asked for under.
    pub page_name: String,
    /// The page before this one; `None` on the first.
    pub previous_page: Option<PageIdentifier>,
    /// The page behind this one; `None` on the last.
    pub next_page: Option<PageIdentifier>,
    /// This page.
    pub current_page: Option<PageIdentifier>,
}

/// A page that knows its place in the list.
///
/// The three pages implement it. One of another library joins by implementing it, too; with a `From` it goes through
/// the same door as they do:
///
/// ```
/// use std::borrow::Cow;
///
/// use folio::{Inertia, PageIdentifier, ProvidesScrollMetadata, ScrollProp};
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
    /// The query key that a page is asked for under.
    fn page_name(&self) -> Cow<'_, str>;

    /// The page before this one; `None` on the first.
    fn previous_page(&self) -> Option<PageIdentifier>;

    /// The page behind this one; `None` on the last.
    fn next_page(&self) -> Option<PageIdentifier>;

    /// This page. It goes into the address bar, so it has to lead back here.
    fn current_page(&self) -> Option<PageIdentifier>;

    /// All four together.
    fn scroll_metadata(&self) -> ScrollMetadata {
        ScrollMetadata {
            page_name: self.page_name().into_owned(),
            previous_page: self.previous_page(),
            next_page: self.next_page(),
            current_page: self.current_page(),
        }
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

    /// The cursor that led here. The first page has none and is 1: with `null` the client would lose its place.
    fn current_page(&self) -> Option<PageIdentifier> {
        Some(self.cursor.as_deref().map_or(PageIdentifier::Number(1), PageIdentifier::from))
    }
}

/// Rows that a client scrolls through, as a prop of an Inertia page.
///
/// [`paginate`](crate::InertiaResponse::paginate) converts all three kinds of page. Convert one yourself to
/// [wrap](Self::wrapped) its rows, or to [match](Self::match_on) them so that the client shows each row once.
///
/// ```
/// use folio::{Inertia, Paginator, ScrollProp};
///
/// let posts = Paginator::new(vec![1, 2], 1, 2, true);
/// let page = Inertia::paginate("Posts", "posts", ScrollProp::from(posts).wrapped("data").match_on("id"));
/// let page: serde_json::Value = serde_json::from_str(&page.page_object()?).unwrap();
/// assert_eq!(page["props"]["posts"]["data"], serde_json::json!([1, 2]));
/// assert_eq!(page["mergeProps"], serde_json::json!(["posts.data"]));
/// assert_eq!(page["matchPropsOn"], serde_json::json!(["posts.data.id"]));
/// # Ok::<_, folio::FrameworkError>(())
/// ```
pub struct ScrollProp {
    rows: Rows,
    pub(super) metadata: ScrollMetadata,
    pub(super) wrapper: Option<String>,
    pub(super) match_on: Option<String>,
}

type Json = serde_json::Result<Box<RawValue>>;

/// The rows of a prop, written or still to be.
enum Rows {
    Written(Json),
    /// A page, whose JSON has its rows under `data`.
    Of(Box<dyn Page + Send>),
}

/// A page of whichever kind and row.
trait Page {
    fn rows(&self) -> Json;
    fn whole(&self) -> Json;
}

impl fmt::Debug for ScrollProp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScrollProp").field("metadata", &self.metadata).finish_non_exhaustive()
    }
}

impl ScrollProp {
    /// The rows of a page, and its place in the list.
    ///
    /// ```
    /// use folio::{Inertia, Paginator, ScrollProp};
    ///
    /// // Only the titles are sent, with the place of the page that they are of.
    /// let posts = Paginator::new(vec![(1, "a"), (2, "b")], 1, 2, true);
    /// let titles: Vec<_> = posts.data.iter().map(|(_, title)| title).collect();
    /// let page = Inertia::paginate("Posts", "posts", ScrollProp::new(titles, &posts)).page_object()?;
    /// assert!(page.contains(r#""posts":["a","b"]"#) && page.contains(r#""nextPage":2"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn new(rows: impl Serialize, page: &impl ProvidesScrollMetadata) -> Self {
        let rows = Rows::Written(to_raw_value(&rows));
        Self { rows, metadata: page.scroll_metadata(), wrapper: None, match_on: None }
    }

    /// Sends an object that has the rows under `name`, instead of the rows alone: the page's own JSON for `data`.
    ///
    /// ```
    /// use folio::{Inertia, Paginator, ScrollProp};
    ///
    /// let posts = ScrollProp::from(Paginator::new(vec![1, 2], 1, 2, true)).wrapped("data");
    /// let page = Inertia::paginate("Posts", "posts", posts).page_object()?;
    /// assert!(page.contains(r#""posts":{"current_page":1"#) && page.contains(r#""data":[1,2]"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn wrapped(self, name: &str) -> Self {
        Self { wrapper: Some(name.to_owned()), ..self }
    }

    /// Makes the client replace a row that it already has, instead of showing it twice. `key` names a value that is
    /// unique among the rows, such as their id.
    ///
    /// Without it, the client appends whatever arrives, so rows repeat in two cases:
    /// - Pages are numbered, and rows are inserted while the reader scrolls.
    /// - The front end resets several lists of one page, for example for other filters. Until each of them has loaded another
    ///   page, the client forgets a pending request for it whenever another list is answered, and requests the same page
    ///   again.
    ///
    /// ```
    /// use folio::{Inertia, Paginator, ScrollProp};
    ///
    /// let posts = ScrollProp::from(Paginator::new(vec![1, 2], 1, 2, true)).match_on("id");
    /// let page = Inertia::paginate("Posts", "posts", posts).page_object()?;
    /// assert!(page.contains(r#""matchPropsOn":["posts.id"]"#));
    /// # Ok::<_, folio::FrameworkError>(())
    /// ```
    #[must_use]
    pub fn match_on(self, key: &str) -> Self {
        Self { match_on: Some(key.to_owned()), ..self }
    }

    /// What is sent under the prop's key.
    pub(super) fn value(self) -> Json {
        let rows = match (self.rows, self.wrapper.as_deref()) {
            (Rows::Of(page), Some("data")) => return page.whole(),
            (Rows::Of(page), _) => page.rows(),
            (Rows::Written(rows), _) => rows,
        };
        match self.wrapper {
            None => rows,
            Some(name) => to_raw_value(&BTreeMap::from([(name, rows?)])),
        }
    }
}

macro_rules! scroll_props {
    ($($page:ident),*) => {$(
        impl<T: Serialize> Page for $page<T> {
            fn rows(&self) -> Json {
                to_raw_value(&self.data)
            }

            fn whole(&self) -> Json {
                to_raw_value(self)
            }
        }

        impl<T: Serialize + Send + 'static> From<$page<T>> for ScrollProp {
            fn from(page: $page<T>) -> Self {
                let metadata = page.scroll_metadata();
                Self { rows: Rows::Of(Box::new(page)), metadata, wrapper: None, match_on: None }
            }
        }
    )*};
}
scroll_props!(LengthAwarePaginator, Paginator, CursorPaginator);
