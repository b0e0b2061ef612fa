//! `as_of`: a model's table as it was at a moment.

use std::time::SystemTime;

use super::description::Query;
use super::model::Of;
use crate::model::Model;

impl<M: Model, R, C> Query<Of<M, R>, C> {
    /// Reads the table as it was at a moment, on MariaDB, so that all pages of a walk show the same rows, whatever is
    /// written between them. The table has to keep its earlier rows: `ALTER TABLE posts ADD SYSTEM VERSIONING`.
    ///
    /// It applies to every statement of the query that reads the table: pages of all kinds, totals, counts, single rows
    /// and streams. The statements read `FROM posts FOR SYSTEM_TIME AS OF TIMESTAMP …`, along the same indexes.
    ///
    /// **Cursors carry the moment.** A page at a cursor is read at the moment of the walk's first page, and `moment` is
    /// that of a page without a cursor. So a handler can pass the current time in each request. Numbered pages have no
    /// cursor: keep the moment in a parameter of their URLs, and pass it for each of them.
    ///
    /// `moment` is a [`SystemTime`], or converts to one, as a `DateTime` of chrono and an `OffsetDateTime` of time do.
    /// It has microseconds, and does not depend on the session's time zone.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use std::time::{Duration, SystemTime};
    ///
    /// use folio::{CursorPaginator, Result};
    ///
    /// /// A page of the posts as they were a few seconds before the walk began.
    /// async fn stable_posts() -> Result<CursorPaginator<Post>> {
    ///     Post::query().as_of(SystemTime::now() - Duration::from_secs(5)).cursor_paginate(15).await
    /// }
    ///
    /// // Only MariaDB has such tables. This is SQLite.
    /// let error = stable_posts().await.unwrap_err();
    /// assert!(error.to_string().starts_with("`as_of` needs MariaDB"), "{error}");
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Which moment to pass
    ///
    /// MariaDB keeps the time of the statement that wrote a row, and not of the commit. So the rows of a transaction that
    /// is open at the moment appear in the walk once it commits. Pass a moment that is past by more than the longest
    /// transaction that writes such rows, and by more than the clocks of your hosts and of the server differ: five
    /// seconds, for example. Transaction-precise versioning, with columns of transaction ids, goes by the commit instead;
    /// folio is not tested with it.
    ///
    /// History that was deleted, by `DELETE HISTORY` or with a partition, is missing from pages at an earlier moment.
    /// Keep it for as long as a walk may take: see [`cursor_lifetime`](crate::Folio::cursor_lifetime). A session whose
    /// time zone has summer time cannot tell the moments of the repeated hour in autumn apart. sqlx sets UTC.
    ///
    /// # What it does not apply to
    ///
    /// Subqueries in your filters and in the expressions of [`with`](Self::with) read their tables as you write them.
    /// For a [`Select`](crate::Select), write `FOR SYSTEM_TIME` in its SQL. [`newer_than`](Self::newer_than) reads at
    /// `moment`, or now if the query has none, because it asks for the rows since the cursor's page; so it takes cursors
    /// with and without a moment.
    ///
    /// # Errors
    /// Each page fails with:
    ///
    /// - [`Internal`](crate::FrameworkError::Internal) on other databases than MySQL and MariaDB, for a moment in the future or
    ///   before 1970, if two different moments are given, and for groups of a link table, whose earlier rows would not
    ///   be read
    /// - [`Database`](crate::FrameworkError::Database) on MySQL, and for a table without system versioning
    /// - [`Domain`](crate::FrameworkError::Domain), 400, for a cursor that was made without `as_of`, such as one from a
    ///   [key](crate::CursorKey), and for two cursors of different moments; also without `as_of`, for a cursor that was
    ///   made with it
    pub fn as_of(mut self, moment: impl Into<SystemTime>) -> Self {
        self.list.rows.rows.moments.push(moment.into());
        self
    }
}
