//! Relay connections, for GraphQL servers: [`Window`] has the arguments of a field, and [`Connection`] is its value.
//!
//! [`Builder::connection`](crate::Builder::connection) and [`Select::connection`](crate::Select::connection) read a
//! connection with one statement. They follow the specification "GraphQL Cursor Connections"
//! (<https://relay.dev/graphql/connections.htm>). Where the specification leaves a choice:
//!
//! - Both flags of [`PageInfo`] are exact, in both directions: they say whether the whole list has rows after the last
//!   edge and before the first one. For a window that begins at a cursor, this takes one more statement.
//! - A window needs either `first` or `last`. Both or neither, negative numbers, numbers above the maximum, which is
//!   1,000 unless [`Folio::max_window`](crate::Folio::max_window) sets another, and invalid cursors are errors with
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

use std::collections::HashMap;
use std::hash::Hash;

use folio_plan::cursor::CursorDirection;
use serde::{Deserialize, Serialize};

use crate::app::MAX_WINDOW;
use crate::driver::TypedRows;
use crate::error::{FrameworkError, Result};
use crate::model::Model;
use crate::paginator::Total;
use crate::query::window::{self, GivenWindow};
use crate::query::{EachOf, Query, QuerySource, RowOf};
use crate::read::{self, WindowPage};
use crate::request::context::Context;
use crate::source::using::Connect;

/// The arguments of a connection field.
///
/// Clients choose the number of rows. A window with more than 1,000 rows is an error, unless
/// [`Folio::max_window`](crate::Folio::max_window) sets another maximum. A smaller maximum for one list is set by
/// [`at_most`](Self::at_most).
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

    /// Limits the window to at most `rows` rows, without an error. The flags of [`PageInfo`] tell the client whether
    /// there are more. It cannot exceed the application's maximum: see [`Folio::max_window`](crate::Folio::max_window).
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

    /// How many rows the window has, and whether they are the last ones.
    fn limit(&self, context: &Context) -> Result<(u64, bool)> {
        let (name, rows, from_end) = match (self.first, self.last) {
            (Some(rows), None) => ("first", rows, false),
            (None, Some(rows)) => ("last", rows, true),
            (Some(_), Some(_)) => return Err(FrameworkError::bad_request("`first` and `last` cannot be combined")),
            (None, None) => return Err(FrameworkError::bad_request("`first` or `last` is required")),
        };
        let rows = u64::try_from(rows).map_err(|_| FrameworkError::invalid_parameter(name, "cannot be negative"))?;
        let most = context.folio().map_or(MAX_WINDOW, |folio| folio.settings.max_window);
        if rows > most {
            return Err(FrameworkError::invalid_parameter(name, format!("is a number from 0 to {most}")));
        }
        Ok((rows, from_end))
    }
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

impl<S: QuerySource, C: Connect> Query<S, C> {
    /// Reads a window of the list as a Relay connection: see [`relay`](crate::relay). Clients choose the number of
    /// rows, up to the application's [maximum](crate::Folio::max_window); [`at_most`](Window::at_most) sets a smaller
    /// one.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::{Column, Select, relay::Window};
    ///
    /// let posts = Select::<(i64,)>::sql("SELECT id FROM posts").order_by(Column::<i64>::new("id"));
    /// let connection = posts.connection(Window::last(1)).await?;
    /// assert_eq!((connection.edges[0].node, connection.page_info.has_previous_page), ((3,), true));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate), and [`Domain`](crate::FrameworkError::Domain), 400, for a
    /// window without exactly one of `first` and `last`, and
    /// [`InvalidParameter`](crate::FrameworkError::InvalidParameter), 400, for a negative number, or one above the
    /// maximum.
    pub async fn connection(self, window: Window) -> Result<Connection<S::Row>> {
        let context = Context::current();
        let (limit, from_end) = window.limit(&context)?;
        let (mut list, reader, mut connection) = self.into_parts();
        let Window { after, before, .. } = window;
        let given = GivenWindow { method: "connection", after, before, from_end, skip: 0, limit };
        let window = list.position.given_window(&context, given)?;
        let window = read::Window { row_cursors: true, is_exact: true, ..window };
        let mut rows = TypedRows::new(reader, limit);
        let page = window::window_of(list, &context, connection.lend(), window, &mut rows).await?;
        Ok(Connection::of(rows.into_vec(), page))
    }
}

impl<M: Model, V: Eq + Hash, C: Connect, R: RowOf<M>> EachOf<M, V, C, R> {
    /// Reads the first or last rows of each group as a Relay connection. A window with a cursor is only allowed for a
    /// single group.
    ///
    /// ```
    #[doc = include_str!("doc/posts.txt")]
    /// use folio::relay::Window;
    ///
    /// let posts = Post::query().counted().each_of(Post::AUTHOR_ID, [7, 8]).connection(Window::last(1)).await?;
    /// assert_eq!(posts[&7].edges[0].node.id, 2);
    /// assert!(posts[&7].page_info.has_previous_page);
    /// assert_eq!(posts[&8].total_count, Some(1));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`Builder::connection`](crate::Builder::connection), and [`Internal`](crate::FrameworkError::Internal)
    /// for a window with a cursor and several groups, because a cursor belongs to one group.
    pub async fn connection(mut self, window: Window) -> Result<HashMap<V, Connection<R>>> {
        let context = Context::current();
        let (limit, from_end) = window.limit(&context)?;
        if window.after.is_some() || window.before.is_some() {
            let Some(value) = self.values.pop().filter(|_| self.values.is_empty()) else {
                return Err(FrameworkError::internal(
                    "`each_of` reads the first or last rows of each group: for a window with a cursor, give the one group \
                     that the cursor belongs to",
                ));
            };
            return Ok(HashMap::from([(value, self.query.among_groups(self.groups).connection(window).await?)]));
        }
        let direction = if from_end { CursorDirection::Prev } else { CursorDirection::Next };
        let window = read::Window { direction, row_cursors: true, is_exact: true, ..read::Window::first(limit) };
        let pages = self.windows(&context, window).await?;
        Ok(pages.into_iter().map(|(value, (rows, page))| (value, Connection::of(rows, page))).collect())
    }
}

impl<T> Connection<T> {
    /// A window in the form of a connection.
    fn of(rows: Vec<T>, page: WindowPage) -> Self {
        let WindowPage { next, prev, row_cursors, total, .. } = page;
        let cursors = row_cursors.unwrap_or_default();
        let page_info = PageInfo {
            has_next_page: next.is_some(),
            has_previous_page: prev.is_some(),
            start_cursor: cursors.first().cloned(),
            end_cursor: cursors.last().cloned(),
        };
        let edges = rows.into_iter().zip(cursors).map(|(node, cursor)| Edge { node, cursor }).collect();
        Self { edges, page_info, total_count: total.map(Total::rows) }
    }
}
