//! [`EachOf`]: a page of each of several groups, such as the first comments of each post on a page.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::{fmt, mem};

use super::{Builder, ModelQuery};
use crate::cursor::CursorDirection;
use crate::driver::{RowSink, TypedRows};
use crate::error::{FrameworkError, Result};
use crate::list::cursor_pages::{SealedRows, connection_of};
use crate::model::Model;
use crate::paginator::CursorPaginator;
use crate::position::IntervalRequest;
use crate::read::{self, SealedPage};
use crate::relay::{Connection, Window};
use crate::schema::group::{GroupColumns, GroupKey, Groups};
use crate::source::using::{self, Connect, Pooled};

/// A query that reads a page of each group, created by [`Builder::each_of`].
///
/// It has the order, filters and connection of the query from which it was created.
#[must_use = "a query does nothing until one of its pages is awaited"]
pub struct EachOf<M, V, C = Pooled> {
    builder: Builder<M, C>,
    groups: Groups,
    /// The values of the groups, in their order.
    values: Vec<V>,
}

impl<M, V: fmt::Debug, C> fmt::Debug for EachOf<M, V, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EachOf").field("values", &self.values).finish_non_exhaustive()
    }
}

impl<M: Model, C> Builder<M, C> {
    /// Reads the first rows of each of these groups with one statement, such as the first comments of each post on a
    /// page. A group consists of the rows with one value in a column, or with a tuple of values in several columns.
    ///
    /// The result is a map with a page for each value; the page is empty if the group has no rows. Each page has its
    /// own cursors. To read the next page of one group, filter by the group's value.
    ///
    /// If an index begins with the column, followed by the columns of the order, such as `(post_id, id)`, it costs as
    /// much as reading the pages one by one, without the round trips. `ROW_NUMBER()` would read all rows of all groups.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let mut posts = Post::query().each_of(Post::AUTHOR_ID, [7, 8, 9]).cursor_paginate(1).await?;
    /// assert_eq!((ids(&posts[&7].data), ids(&posts[&8].data)), (vec![1], vec![3]));
    /// assert!(posts[&9].is_empty());
    ///
    /// let next = posts.remove(&7).and_then(|page| page.next_cursor);
    /// let rest = Post::query().filter(Post::AUTHOR_ID.eq(7)).cursor(next.as_deref()).cursor_paginate(1).await?;
    /// assert_eq!(ids(&rest.data), [2]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Number of statements
    ///
    /// On PostgreSQL, one statement reads any number of groups if their values are integers or UUIDs. In all other
    /// cases, each statement reads up to 128 groups. Totals, which [`counted`](Builder::counted) adds, take as
    /// many statements again.
    pub fn each_of<V, K>(self, columns: K, values: impl IntoIterator<Item = V>) -> EachOf<M, V, C>
    where
        V: Clone + Eq + Hash,
        K: GroupColumns<M, V>,
    {
        self.each_of_groups(GroupKey::new(columns), values)
    }

    pub(crate) fn each_of_groups<V: Clone + Eq + Hash>(
        self,
        key: GroupKey<V>,
        values: impl IntoIterator<Item = V>,
    ) -> EachOf<M, V, C> {
        let values = distinct(values);
        let groups = key.groups(values.iter().cloned());
        EachOf { builder: self, groups, values }
    }
}

impl<M: Model, V: Eq + Hash, C: Connect> EachOf<M, V, C> {
    /// Reads the first page of each group.
    ///
    /// The active request's cursor is ignored. All pages have the same path for their URLs, as for
    /// [`Builder::cursor_paginate`]; to change it, set the [`path`](CursorPaginator::path) of a page.
    ///
    /// # Errors
    /// Same as [`Builder::cursor_paginate`], and [`Internal`](FrameworkError::Internal) if the query sets a position,
    /// such as by [`cursor`](Builder::cursor), or a total that is not counted, such as by
    /// [`with_total`](Builder::with_total).
    pub async fn cursor_paginate(mut self, per_page: u64) -> Result<HashMap<V, CursorPaginator<M>>> {
        read::check_per_page(per_page)?;
        let position = &mut self.builder.query.position;
        let (path, cursor_name) = position.take_cursor_path()?;
        let request = IntervalRequest { row_cursors: position.row_cursors, ..IntervalRequest::default() };
        let page = |(data, SealedPage { next, prev, row_cursors, total, .. }): SealedRows<M>| {
            let (path, cursor_name) = (path.clone(), cursor_name.clone());
            let page = CursorPaginator::new(data, per_page, next, prev);
            CursorPaginator { path, cursor_name, row_cursors, total, ..page }
        };
        self.pages(per_page, request, page).await
    }

    /// Reads the first or last rows of each group as a Relay connection. A window with a cursor is only allowed for a
    /// single group.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
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
    /// Same as [`Builder::connection`], and [`Internal`](FrameworkError::Internal) for a window with a cursor and
    /// several groups, because a cursor belongs to one group.
    pub async fn connection(mut self, window: Window) -> Result<HashMap<V, Connection<M>>> {
        let limit = window.limit()?;
        if window.after.is_some() || window.before.is_some() {
            let Some(value) = self.values.pop().filter(|_| self.values.is_empty()) else {
                return Err(FrameworkError::internal(
                    "`each_of` reads the first or last rows of each group: for a window with a cursor, give the one group \
                     that the cursor belongs to",
                ));
            };
            self.builder.query.groups.push(self.groups);
            return Ok(HashMap::from([(value, self.builder.connection(window).await?)]));
        }
        let from_end = limit.direction == CursorDirection::Prev;
        let request = IntervalRequest { from_end, row_cursors: true, is_exact: true, ..IntervalRequest::default() };
        self.pages(limit.rows, request, connection_of).await
    }

    /// Reads the first rows of each group, without cursors, so it needs no keyring.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let posts = Post::query().order_by(Post::ID.desc()).each_of(Post::AUTHOR_ID, [7, 8, 9]).first(10).await?;
    /// assert_eq!((ids(&posts[&7]), ids(&posts[&8]), ids(&posts[&9])), (vec![2, 1], vec![3], vec![]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate).
    pub async fn first(self, rows: u64) -> Result<HashMap<V, Vec<M>>> {
        let pages = read(self.builder, self.groups, rows, Reading::Rows).await?;
        Ok(self.values.into_iter().zip(pages.into_iter().map(|(rows, _)| rows)).collect())
    }

    /// The pages of all groups by their values.
    async fn pages<P>(
        self,
        limit: u64,
        request: IntervalRequest,
        page: impl Fn(SealedRows<M>) -> P,
    ) -> Result<HashMap<V, P>> {
        let pages = read(self.builder, self.groups, limit, Reading::Pages(request)).await?;
        Ok(self.values.into_iter().zip(pages.into_iter().map(page)).collect())
    }
}

/// The values in their order, each once.
fn distinct<V: Clone + Eq + Hash>(values: impl IntoIterator<Item = V>) -> Vec<V> {
    let mut seen = HashSet::new();
    values.into_iter().filter(|value| seen.insert(value.clone())).collect()
}

/// What is read of each group.
enum Reading {
    Pages(IntervalRequest),
    /// The first rows, without cursors.
    Rows,
}

/// Reads the first or last rows of each group, in the order of the groups.
async fn read<M: Model, C: Connect>(
    builder: Builder<M, C>,
    groups: Groups,
    limit: u64,
    reading: Reading,
) -> Result<Vec<SealedRows<M>>> {
    let Builder { query, mut connection, .. } = builder;
    let mut rows = TypedRows::of_groups(M::READER, groups.len());
    let sinks = rows.iter_mut().map(|rows| rows as &mut dyn RowSink).collect();
    let pages = read_into(sinks, query, &mut connection, groups, limit, reading).await?;
    Ok(rows.into_iter().map(TypedRows::into_vec).zip(pages).collect())
}

/// Reads the rows of each group into the sink with the same index.
async fn read_into<'a>(
    rows: Vec<&'a mut dyn RowSink>,
    mut query: Box<ModelQuery>,
    connection: &'a mut impl Connect,
    groups: Groups,
    limit: u64,
    reading: Reading,
) -> Result<Vec<SealedPage>> {
    query.check_each_of(&groups)?;
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    let source = using::source(mem::take(&mut query.route), connection)?;
    query.check_stable(source.dialect())?;
    let select = query.of_each(&source, groups);
    match reading {
        Reading::Pages(request) => read::sealed_each(source, select, limit, request, rows).await,
        Reading::Rows => read::rows_of_each(source, select, limit, rows).await,
    }
}
