//! Relay connections, for GraphQL servers: [`Window`] has the arguments of a field, and [`Connection`] is its value.
//!
//! [`Builder::connection`](crate::Builder::connection) and [`Select::connection`](crate::Select::connection) read a
//! connection with one statement. They follow the specification "GraphQL Cursor Connections"
//! (<https://relay.dev/graphql/connections.htm>). Where the specification leaves a choice:
//!
//! - Both flags of [`PageInfo`] are exact, in both directions: they say whether the whole list has rows after the last
//!   edge and before the first one. For a window that begins at a cursor, this takes one more statement.
//! - A window needs either `first` or `last`. Both or neither, negative numbers, and invalid cursors are errors with
//!   status 400. A cursor for another model or order is invalid; with [`bind_filters`](crate::Builder::bind_filters),
//!   so is a cursor for other filters.
//! - Edges are in the order of the list, even with `last`.
//!
//! The types implement serde's traits, with the field names of the specification.
//!
//! ```
#![doc = include_str!("doc/posts.txt")]
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
/// Clients choose the number of rows, so limit it with [`at_most`](Self::at_most). Otherwise, one request can read the
/// whole list.
///
/// ```
/// use folio::relay::Window;
///
/// // The client's arguments, with a default size and a limit.
/// let window = Window { first: None, after: None, last: None, before: None };
/// assert_eq!(window.or_first(20).at_most(100).first, Some(20));
/// assert_eq!(Window::first(5_000).at_most(100).first, Some(100));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct Window {
    /// The number of rows to read from the beginning. It cannot be negative.
    pub first: Option<i64>,
    /// Reads only rows after this cursor.
    pub after: Option<String>,
    /// The number of rows to read from the end. It cannot be negative.
    pub last: Option<i64>,
    /// Reads only rows before this cursor.
    pub before: Option<String>,
}

/// How many rows a window has, and from which end they are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WindowLimit {
    pub(crate) direction: CursorDirection,
    pub(crate) rows: u64,
}

impl Window {
    /// A window with the first `rows` rows.
    ///
    /// ```
    /// assert_eq!(folio::relay::Window::first(20).first, Some(20));
    /// ```
    #[must_use]
    pub fn first(rows: i64) -> Self {
        Self { first: Some(rows), ..Self::default() }
    }

    /// A window with the last `rows` rows.
    ///
    /// ```
    /// assert_eq!(folio::relay::Window::last(20).last, Some(20));
    /// ```
    #[must_use]
    pub fn last(rows: i64) -> Self {
        Self { last: Some(rows), ..Self::default() }
    }

    /// Creates a window from the arguments of a GraphQL field, in the order of the specification. Most libraries use
    /// `i32` for GraphQL's `Int`.
    ///
    /// ```
    /// use folio::relay::Window;
    ///
    /// // The arguments of a resolver.
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

    /// Sets `first` to `rows` if the window has neither `first` nor `last`, which would be an error otherwise.
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

    /// Limits the window to at most `rows` rows. The flags of [`PageInfo`] tell the client whether there are more.
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
    /// [`FrameworkError::Domain`], 400, unless exactly one of `first` and `last` is set and not negative.
    pub(crate) fn limit(&self) -> Result<WindowLimit> {
        let (name, rows, direction) = match (self.first, self.last) {
            (Some(rows), None) => ("first", rows, CursorDirection::Next),
            (None, Some(rows)) => ("last", rows, CursorDirection::Prev),
            (Some(_), Some(_)) => return Err(refused("`first` and `last` cannot be combined")),
            (None, None) => return Err(refused("`first` or `last` is required")),
        };
        let rows = u64::try_from(rows).map_err(|_| FrameworkError::invalid_parameter(name, "cannot be negative"))?;
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
    /// Whether there are rows on both sides of these, and the outermost cursors.
    pub page_info: PageInfo,
    /// The number of rows in the list, if it was [counted](crate::Builder::counted). Otherwise the JSON has no key
    /// `totalCount`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_count: Option<u64>,
}

/// A row with its cursor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge<T> {
    /// The row.
    pub node: T,
    /// The row's cursor, for [`Window::after`] and [`Window::before`].
    pub cursor: String,
}

/// Whether there are rows on both sides of a connection's rows, and its outermost cursors.
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
    /// Converts the nodes. The cursors, the page info and the total stay the same.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
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
