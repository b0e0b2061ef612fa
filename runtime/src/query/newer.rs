//! [`Newer`]: whether a list has rows beyond a position, without reading a page.

use super::description::{List, Query};
use super::source::{QueryRows, QuerySource};
use crate::driver::{RowCount, RowSink};
use crate::error::Result;
use crate::paginator::Total;
use crate::read;
use crate::request::context::Context;
use crate::source::Borrowed;
use crate::source::using::{Connect, Pooled};

/// The rows of a list that are newer than a position, from [`newer_than`](crate::Builder::newer_than).
#[must_use = "nothing is read until one of its methods is awaited"]
#[derive(Debug)]
pub struct Newer<S, C = Pooled> {
    query: Query<S, C>,
    cursor: String,
}

impl<S, C> Query<S, C> {
    /// Asks for the rows that are newer than the row at a cursor, whatever the cursor's direction: whether there are
    /// any, and how many. A client can poll with this: if nothing is new, it takes one or two statements, which read no
    /// rows.
    ///
    /// Newer rows are those with larger values in the order's first column. In a list that begins with the oldest rows,
    /// they are after the cursor, so ask with the [`end_cursor`](crate::CursorPaginator::end_cursor) of the last page;
    /// in one that begins with the newest, they are before it, so ask with the
    /// [`start_cursor`](crate::CursorPaginator::start_cursor) of the first page. Both need
    /// [`with_positions`](Self::with_positions). To read the rows, pass the same cursor to [`cursor`](Self::cursor).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{DB, Total};
    ///
    /// let newest_first = || Post::query().order_by(Post::ID.desc());
    /// let page = newest_first().with_positions().cursor_paginate(2).await?;
    /// let seen = page.start_cursor.unwrap();
    /// assert!(!newest_first().newer_than(&seen).exists().await?);
    ///
    /// sqlx::query("INSERT INTO posts VALUES (4, 7, 'new'), (5, 7, 'new')").execute(&mut *DB::sqlite().await?).await?;
    /// assert!(newest_first().newer_than(&seen).exists().await?);
    /// assert_eq!(newest_first().newer_than(&seen).count_at_most(100).await?, Total::Exact(2));
    /// assert_eq!(ids(&newest_first().cursor(Some(&seen)).cursor_paginate(9).await?.data), [5, 4]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn newer_than(self, cursor: &str) -> Newer<S, C> {
        Newer { query: self, cursor: cursor.to_owned() }
    }
}

impl<S: QuerySource, C: Connect> Newer<S, C> {
    /// Whether the list has such rows. Reads one row.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let first = Post::query().with_positions().cursor_paginate(1).await?.end_cursor.unwrap();
    /// assert!(Post::query().newer_than(&first).exists().await?);
    /// assert!(!Post::query().filter(Post::AUTHOR_ID.eq(9)).newer_than(&first).exists().await?);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](crate::Builder::cursor_paginate), and [`Internal`](crate::FrameworkError::Internal)
    /// if the query sets a position of its own, such as by [`after`](crate::Builder::after).
    pub async fn exists(self) -> Result<bool> {
        let (list, reader, mut connection) = self.query.into_parts();
        beyond(list, connection.lend(), self.cursor, 0, &mut RowCount::of(reader)).await
    }

    /// Counts at most `limit` such rows, for a text such as "3 new posts" or "100+". It reads one row more than the limit
    /// at most, so that it can tell exactly `limit` rows from more.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::Total;
    ///
    /// let first = Post::query().with_positions().cursor_paginate(1).await?.end_cursor.unwrap();
    /// assert_eq!(Post::query().newer_than(&first).count_at_most(2).await?, Total::Exact(2));
    /// assert_eq!(Post::query().newer_than(&first).count_at_most(1).await?, Total::AtLeast(1));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`exists`](Self::exists).
    pub async fn count_at_most(self, limit: u64) -> Result<Total> {
        let (list, reader, mut connection) = self.query.into_parts();
        let mut rows = RowCount::of(reader);
        let has_more = beyond(list, connection.lend(), self.cursor, limit, &mut rows).await?;
        let count = u64::try_from(rows.len()).unwrap_or(u64::MAX);
        Ok(if has_more { Total::AtLeast(count) } else { Total::Exact(count) })
    }
}

/// Reads the rows that are newer than a cursor into `rows`, and returns whether there are more than the limit.
async fn beyond(
    mut list: List<QueryRows>,
    lent: Option<Borrowed<'_>>,
    cursor: String,
    limit: u64,
    rows: &mut dyn RowSink,
) -> Result<bool> {
    list.position.refuse_position("newer_than", None, "it counts the rows beyond its own cursor")?;
    list.is_counted = false;
    let context = Context::current();
    let (target, select) = list.keyset(&context, lent)?;
    read::newer_rows(&context, target, select, cursor, limit, rows).await
}
