//! Relay's connections, for GraphQL servers: [`Window`] has the arguments of a field, and [`Connection`] its value.
//!
//! [`Builder::connection`](crate::Builder::connection) and [`Select::connection`](crate::Select::connection) read one,
//! with one statement for its rows. The rules are those of the specification "GraphQL Cursor Connections"
//! (<https://relay.dev/graphql/connections.htm>), and these where it leaves a choice:
//!
//! - Both flags of [`PageInfo`] are exact, whichever way the rows are read: they say whether the whole list has rows
//!   after the last edge and before the first one. For a window that begins at a cursor, one more statement finds out.
//! - A window needs `first` or `last`, and not both. Negative numbers are refused, as are cursors of another model or
//!   order, and with [`bind_filters`](crate::Builder::bind_filters) those of other filters. Each is an error with the
//!   status 400.
//! - Edges are in the order of the list, also with `last`.
//!
//! The types implement serde's traits, with the names of the specification.
//!
//! ```
#![doc = include_str!("../doc/posts.txt")]
//! use folio::relay::Window;
//!
//! let first = Post::query().connection(Window::first(2)).await?;
//! assert!(first.page_info.has_next_page && !first.page_info.has_previous_page);
//!
//! let after = first.page_info.end_cursor.clone();
//! let rest = Post::query().connection(Window { after, ..Window::first(2) }).await?;
//! assert_eq!(rest.edges.iter().map(|edge| edge.node.id).collect::<Vec<_>>(), [3]);
//! assert!(rest.page_info.has_previous_page && !rest.page_info.has_next_page);
//!
//! let json = serde_json::to_value(&rest.page_info).unwrap();
//! assert_eq!(json["hasPreviousPage"], true);
//! # folio::Result::Ok(()) }).await
//! # }
//! ```

use serde::{Deserialize, Serialize};

use crate::cursor::CursorDirection;
use crate::error::{FrameworkError, Result};

/// The arguments of a connection field.
///
/// A client chooses the number of rows, so limit it with [`at_most`](Self::at_most). Without that, one request can read
/// the whole list.
///
/// ```
/// use folio::relay::Window;
///
/// // What a client sent, with a size if it gives none, and a limit.
/// let window = Window { first: None, after: None, last: None, before: None };
/// assert_eq!(window.or_first(20).at_most(100).first, Some(20));
/// assert_eq!(Window::first(5_000).at_most(100).first, Some(100));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Window {
    /// How many rows to read from the beginning. A negative number is refused.
    pub first: Option<i64>,
    /// The cursor that the rows are after.
    pub after: Option<String>,
    /// How many rows to read from the end. A negative number is refused.
    pub last: Option<i64>,
    /// The cursor that the rows are before.
    pub before: Option<String>,
}

/// How many rows a window has, and from which end they are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WindowLimit {
    pub(crate) direction: CursorDirection,
    pub(crate) rows: u64,
}

impl Window {
    /// The first rows.
    ///
    /// ```
    /// assert_eq!(folio::relay::Window::first(20).first, Some(20));
    /// ```
    #[must_use]
    pub fn first(rows: i64) -> Self {
        Self { first: Some(rows), ..Self::default() }
    }

    /// The last rows.
    ///
    /// ```
    /// assert_eq!(folio::relay::Window::last(20).last, Some(20));
    /// ```
    #[must_use]
    pub fn last(rows: i64) -> Self {
        Self { last: Some(rows), ..Self::default() }
    }

    /// The arguments of a GraphQL field, in the order of the specification. `Int` is an `i32` in most libraries.
    ///
    /// ```
    /// use folio::relay::Window;
    ///
    /// // What a resolver is called with.
    /// let (first, after): (Option<i32>, Option<String>) = (Some(20), None);
    /// let (last, before): (Option<i32>, Option<String>) = (None, None);
    /// assert_eq!(Window::from_arguments(first, after, last, before), Window::first(20));
    /// ```
    #[must_use]
    pub fn from_arguments(
        first: Option<impl Into<i64>>,
        after: Option<String>,
        last: Option<impl Into<i64>>,
        before: Option<String>,
    ) -> Self {
        Self { first: first.map(Into::into), after, last: last.map(Into::into), before }
    }

    /// The same window with this many rows from the beginning, if it has neither `first` nor `last`. Without it, such a
    /// window is an error.
    ///
    /// ```
    /// use folio::relay::Window;
    ///
    /// assert_eq!(Window::default().or_first(20), Window::first(20));
    /// assert_eq!(Window::last(5).or_first(20), Window::last(5));
    /// ```
    #[must_use]
    pub fn or_first(mut self, rows: i64) -> Self {
        if self.first.is_none() && self.last.is_none() {
            self.first = Some(rows);
        }
        self
    }

    /// The same window with at most this many rows. The flags tell the client that there are more.
    ///
    /// ```
    /// use folio::relay::Window;
    ///
    /// assert_eq!(Window::last(1_000).at_most(100), Window::last(100));
    /// ```
    #[must_use]
    pub fn at_most(self, rows: i64) -> Self {
        let limited = |given: Option<i64>| given.map(|given| given.min(rows));
        Self { first: limited(self.first), last: limited(self.last), ..self }
    }

    /// The rows that the window asks for.
    ///
    /// # Errors
    /// [`FrameworkError::Domain`], 400, unless there is exactly one of `first` and `last`, and not below 0.
    pub(crate) fn limit(&self) -> Result<WindowLimit> {
        let (name, rows, direction) = match (self.first, self.last) {
            (Some(rows), None) => ("first", rows, CursorDirection::Next),
            (None, Some(rows)) => ("last", rows, CursorDirection::Prev),
            (Some(_), Some(_)) => return Err(refused("`first` and `last` cannot be combined")),
            (None, None) => return Err(refused("`first` or `last` is required")),
        };
        let rows = u64::try_from(rows).map_err(|_| refused(&format!("`{name}` cannot be negative")))?;
        Ok(WindowLimit { direction, rows })
    }
}

/// The error for a window that is not valid.
fn refused(why: &str) -> FrameworkError {
    FrameworkError::bad_request(why)
}

/// A page of a list with a cursor for each row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Connection<T> {
    /// The rows, in the order of the list.
    pub edges: Vec<Edge<T>>,
    /// What is on both sides of the rows.
    pub page_info: PageInfo,
    /// How many rows the list has, if [`counted`](crate::Builder::counted) asks for it. Otherwise the JSON has no key
    /// `totalCount`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_count: Option<u64>,
}

/// A row with its cursor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge<T> {
    /// The row.
    pub node: T,
    /// The cursor at the row, for [`Window::after`] and [`Window::before`].
    pub cursor: String,
}

/// What is on both sides of a connection's rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageInfo {
    /// Whether the list has rows after these.
    pub has_next_page: bool,
    /// Whether the list has rows before these.
    pub has_previous_page: bool,
    /// The cursor of the first edge; `None` if there are no edges.
    pub start_cursor: Option<String>,
    /// The cursor of the last edge; `None` if there are no edges.
    pub end_cursor: Option<String>,
}

impl<T> Connection<T> {
    /// The same connection with other nodes.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::relay::Window;
    ///
    /// let titles = Post::query().connection(Window::last(1)).await?.map(|post| format!("post {}", post.id));
    /// assert_eq!(titles.edges[0].node, "post 3");
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    #[must_use]
    pub fn map<U>(self, mut row: impl FnMut(T) -> U) -> Connection<U> {
        let edges = self.edges.into_iter().map(|Edge { node, cursor }| Edge { node: row(node), cursor }).collect();
        Connection { edges, page_info: self.page_info, total_count: self.total_count }
    }
}
