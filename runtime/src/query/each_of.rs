//! [`EachOf`]: a page of each of several groups, such as the first comments of each post on a page.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::Hash;

use super::description::{List, Query};
use super::model::Of;
use super::model::TableRows;
use crate::driver::{RowSink, TypedRows};
use crate::error::{FrameworkError, Result};
use crate::model::Model;
use crate::paginator::CursorPaginator;
use crate::read::{self, PageSize, TotalSource, WindowPage, WindowRequest};
use crate::request::context::Context;
use crate::schema::group::{GroupColumns, GroupKey, Groups};
use crate::source::Borrowed;
use crate::source::using::{Connect, Pooled};

/// A query that reads a page of each group, created by [`Builder::each_of`](crate::Builder::each_of).
///
/// It has the order, filters and connection of the query from which it was created.
#[must_use = "a query does nothing until one of its pages is awaited"]
pub struct EachOf<M, V, C = Pooled> {
    pub(crate) query: Query<Of<M>, C>,
    pub(crate) groups: Groups,
    /// The values of the groups, in their order.
    pub(crate) values: Vec<V>,
}

impl<M, V: fmt::Debug, C> fmt::Debug for EachOf<M, V, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EachOf").field("values", &self.values).finish_non_exhaustive()
    }
}

impl<M: Model, C> Query<Of<M>, C> {
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
    /// cases, each statement reads up to 128 groups. Totals, which [`counted`](crate::Builder::counted) adds, take as
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
        let mut seen = HashSet::new();
        let values: Vec<V> = values.into_iter().filter(|value| seen.insert(value.clone())).collect();
        let groups = key.groups(values.iter().cloned());
        EachOf { query: self, groups, values }
    }
}

impl<M: Model, V: Eq + Hash, C: Connect> EachOf<M, V, C> {
    /// Reads the first page of each group.
    ///
    /// The active request's cursor is ignored. All pages have the same path for their URLs, as for
    /// [`Builder::cursor_paginate`](crate::Builder::cursor_paginate); to change it, set the [`path`](CursorPaginator::path) of a page.
    ///
    /// # Errors
    /// Same as [`Builder::cursor_paginate`](crate::Builder::cursor_paginate), and [`Internal`](FrameworkError::Internal) if the query sets a position,
    /// such as by [`cursor`](crate::Builder::cursor), or a total that is not counted, such as by
    /// [`with_total`](crate::Builder::with_total).
    pub async fn cursor_paginate(mut self, per_page: u64) -> Result<HashMap<V, CursorPaginator<M>>> {
        let size = PageSize::new(per_page)?;
        let context = Context::current();
        let position = &mut self.query.list.position;
        let (path, cursor_name) = position.urls.cursor_path(&context)?;
        let request = WindowRequest { row_cursors: position.row_cursors, ..WindowRequest::first(size.get()) };
        let pages = self.windows(&context, request).await?;
        let page = |(data, WindowPage { next, prev, row_cursors, total, .. }): (Vec<M>, WindowPage)| {
            let (path, cursor_name) = (path.clone(), cursor_name.clone());
            let page = CursorPaginator::new(data, per_page, next, prev);
            CursorPaginator { path, cursor_name, row_cursors, total, ..page }
        };
        Ok(pages.into_iter().map(|(value, window)| (value, page(window))).collect())
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
        let pages = self.read(&Context::current(), WindowRequest::first(rows), false).await?;
        Ok(pages.into_iter().map(|(value, (rows, _))| (value, rows)).collect())
    }

    /// Reads the same window of each group, with sealed cursors.
    pub(crate) async fn windows(
        self,
        context: &Context,
        request: WindowRequest,
    ) -> Result<Vec<(V, (Vec<M>, WindowPage))>> {
        self.read(context, request, true).await
    }

    async fn read(
        self,
        context: &Context,
        request: WindowRequest,
        is_sealed: bool,
    ) -> Result<Vec<(V, (Vec<M>, WindowPage))>> {
        let Self { query: Query { list, mut connection }, groups, values } = self;
        let mut rows = TypedRows::of_groups(M::READER, groups.len());
        let sinks = rows.iter_mut().map(|rows| rows as &mut dyn RowSink).collect();
        let List { rows: Of { rows: table, .. }, order, route, position, binding, total, is_counted } = *list;
        let list = List { rows: table, order, route, position, binding, total, is_counted };
        let pages = read_into(sinks, list, context, connection.lend(), groups, request, is_sealed).await?;
        Ok(values.into_iter().zip(rows.into_iter().map(TypedRows::into_vec).zip(pages)).collect())
    }
}

/// Reads the windows of all groups into their sinks. It does not depend on the model, so the compiler generates it once.
async fn read_into<'a>(
    rows: Vec<&'a mut dyn RowSink>,
    list: List<TableRows>,
    context: &'a Context,
    lent: Option<Borrowed<'a>>,
    groups: Groups,
    request: WindowRequest,
    is_sealed: bool,
) -> Result<Vec<WindowPage>> {
    let List { rows: table, order, route, position, binding, total, is_counted } = list;
    position.refuse_beside_groups()?;
    if total != TotalSource::Counted {
        return Err(FrameworkError::internal(
            "`each_of` counts the rows of each group: remove `count_up_to`, `estimated_total`, `estimated_total_above` or \
             `with_total`",
        ));
    }
    table.check(order.as_deref())?;
    table.check_groups(&groups)?;
    if groups.is_empty() {
        return Ok(Vec::new());
    }
    let source = route.source(context, lent)?;
    let select = table.grouped(source.dialect(), order, binding, is_counted.then_some(total), Some(groups))?;
    if is_sealed {
        read::window_of_each(context, source, select, request, rows).await
    } else {
        read::rows_of_each(context, source, select, request, rows).await
    }
}
