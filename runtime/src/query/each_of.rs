//! [`EachOf`]: a page of each of several groups, such as the first comments of each post on a page.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::Hash;

use folio_plan::cursor::Cursor;
use folio_plan::schema::group::Groups;

use super::description::{List, Query};
use super::model::{Of, TableRows};
use super::rows::RowOf;
use crate::driver::{RowSink, TypedRows};
use crate::error::{FrameworkError, Result};
use crate::model::Model;
use crate::paginator::CursorPaginator;
use crate::read::{self, KeysetSelect, PageSize, TotalSource, Window, WindowPage};
use crate::request::context::Context;
use crate::schema::group::{GroupColumns, GroupKey};
use crate::source::Borrowed;
use crate::source::route::Target;
use crate::source::using::{Connect, Pooled};

/// A query that reads a page of each group, created by [`Builder::each_of`](crate::Builder::each_of).
///
/// It has the order, filters and connection of the query from which it was created.
#[must_use = "a query does nothing until one of its pages is awaited"]
pub struct EachOf<M, V, C = Pooled, R = M> {
    pub(crate) query: Query<Of<M, R>, C>,
    pub(crate) groups: Groups,
    /// The values of the groups, in their order.
    pub(crate) values: Vec<V>,
}

impl<M, V: fmt::Debug, C, R> fmt::Debug for EachOf<M, V, C, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EachOf").field("values", &self.values).finish_non_exhaustive()
    }
}

impl<M: Model, R: RowOf<M>, C> Query<Of<M, R>, C> {
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
    pub fn each_of<V, K>(self, columns: K, values: impl IntoIterator<Item = V>) -> EachOf<M, V, C, R>
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
    ) -> EachOf<M, V, C, R> {
        let mut seen = HashSet::new();
        let values: Vec<V> = values.into_iter().filter(|value| seen.insert(value.clone())).collect();
        let groups = key.groups(values.iter().cloned());
        EachOf { query: self, groups, values }
    }
}

impl<M: Model, V: Eq + Hash, C: Connect, R: RowOf<M>> EachOf<M, V, C, R> {
    /// Reads the first page of each group.
    ///
    /// The active request's cursor is ignored. All pages have the same path for their URLs, as for
    /// [`Builder::cursor_paginate`](crate::Builder::cursor_paginate); to change it, set the
    /// [`path`](CursorPaginator::path) of a page.
    ///
    /// # Errors
    /// Same as [`Builder::cursor_paginate`](crate::Builder::cursor_paginate), and
    /// [`Internal`](FrameworkError::Internal) if the query sets a position, such as by
    /// [`cursor`](crate::Builder::cursor), or a total that is not counted, such as by
    /// [`with_total`](crate::Builder::with_total).
    pub async fn cursor_paginate(mut self, per_page: u64) -> Result<HashMap<V, CursorPaginator<R>>> {
        let size = PageSize::new(per_page)?;
        let context = Context::current();
        let position = &mut self.query.list.position;
        let (path, cursor_name) = position.urls.cursor_path(&context)?;
        let (row_cursors, positions) = (position.row_cursors, position.positions);
        let window = Window { row_cursors, positions, ..Window::first(size.get()) };
        let pages = self.windows(&context, window).await?;
        let page = |(data, window): (Vec<R>, WindowPage)| {
            let WindowPage { next, prev, row_cursors, start, end, total, .. } = window;
            let (path, cursor_name) = (path.clone(), cursor_name.clone());
            let page = CursorPaginator::new(data, per_page, next, prev);
            let page = CursorPaginator { start_cursor: start, end_cursor: end, ..page };
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
    pub async fn first(self, rows: u64) -> Result<HashMap<V, Vec<R>>> {
        let Self { query: Query { list, mut connection }, groups, values } = self;
        let context = Context::current();
        let mut of_groups = TypedRows::of_groups(R::READER, groups.len());
        // Rows alone have no totals.
        let list = List { is_counted: false, ..list.map(|of| of.rows) };
        if let Some((target, select)) = list.each_of(&context, connection.lend(), groups)? {
            read::rows_of_each(&context, target, select, rows, sinks(&mut of_groups)).await?;
        }
        Ok(values.into_iter().zip(of_groups.into_iter().map(TypedRows::into_vec)).collect())
    }

    /// Reads the same window of each group, with sealed cursors.
    pub(crate) async fn windows(
        self,
        context: &Context,
        window: Window<Cursor>,
    ) -> Result<Vec<(V, (Vec<R>, WindowPage))>> {
        let Self { query: Query { list, mut connection }, groups, values } = self;
        let mut of_groups = TypedRows::of_groups(R::READER, groups.len());
        let pages = match list.map(|of| of.rows).each_of(context, connection.lend(), groups)? {
            Some((target, select)) => {
                read::window_of_each(context, target, select, window, sinks(&mut of_groups)).await?
            }
            None => Vec::new(),
        };
        Ok(values.into_iter().zip(of_groups.into_iter().map(TypedRows::into_vec).zip(pages)).collect())
    }
}

/// The rows of each group, without their type.
fn sinks<R: Send>(of_groups: &mut [TypedRows<R>]) -> Vec<&mut dyn RowSink> {
    of_groups.iter_mut().map(|rows| rows as &mut dyn RowSink).collect()
}

impl List<TableRows> {
    /// Compiles to a keyset query over the rows of each group, and chooses its connection; `None` without groups.
    fn each_of<'c>(
        self,
        context: &Context,
        lent: Option<Borrowed<'c>>,
        groups: Groups,
    ) -> Result<Option<(Target<'c>, KeysetSelect)>> {
        let Self { rows: table, order, route, position, binding, total, is_counted } = self;
        let why = "it reads the first rows of each group; for a later page, filter by the group";
        position.refuse_position("each_of", None, why)?;
        if total != TotalSource::Counted {
            return Err(FrameworkError::internal(
                "`each_of` counts the rows of each group: remove `count_up_to`, `estimated_total`, `estimated_total_above` or \
                 `with_total`",
            ));
        }
        table.check(order.as_deref())?;
        table.check_groups(&groups)?;
        if groups.is_empty() {
            return Ok(None);
        }
        let target = route.target(context, lent)?;
        let counted = is_counted.then_some(total);
        let select = table.keyset(target.dialect, order, binding, counted, Some(groups))?;
        Ok(Some((target, select)))
    }
}
