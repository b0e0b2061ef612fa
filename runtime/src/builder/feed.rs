//! The method of [`Builder`] that lists the rows of many groups.

use super::Builder;
use crate::model::Model;
use crate::model::group::{GroupColumns, Groups};

impl<M: Model, C> Builder<M, C> {
    /// Restricts the list to the rows of these groups: a *feed*, such as the newest posts of all authors that a reader
    /// follows. The groups are the values of a column, or tuples of the values of several columns.
    ///
    /// The rows are the same as with a filter by `IN`. But a cursor page costs about as much as a page of each group at
    /// most, where PostgreSQL, MySQL and MariaDB read and sort all rows of all groups for an `IN`. It needs an index that
    /// begins with the column and goes on with the order, such as `(author_id, created_at, id)`; without one, the page
    /// filters by `IN`. Numbered pages always do.
    ///
    /// A value that is given twice counts once, and NULL matches no row. Without values, the list is empty. With a second
    /// `among`, the rows are in a group of both.
    ///
    /// A cursor is not bound to the values, unless [`bind_filters`](Self::bind_filters) is set: if a reader follows
    /// another author between two pages, the next page goes on at the same place of the order, and also has the new
    /// author's rows from there on.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let followed = [7, 9];
    /// let page = Post::query().among(Post::AUTHOR_ID, followed).cursor_paginate(15).await?;
    /// assert_eq!(ids(&page.data), [1, 2]);
    ///
    /// // Groups of two columns:
    /// let groups = [(7, "a".to_owned()), (8, "a".to_owned())];
    /// let page = Post::query().among((Post::AUTHOR_ID, Post::TITLE), groups).cursor_paginate(15).await?;
    /// assert_eq!(ids(&page.data), [2, 3]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Number of values
    ///
    /// Integers are bound as one list on each database, and on PostgreSQL texts and UUIDs too, so there may be any number.
    /// Each value of another type is a parameter, of which a statement takes 65,535, and on SQLite 32,766.
    ///
    /// For more than 32 integers or UUIDs, MariaDB takes two statements, in a short transaction that sees one snapshot.
    /// Inside a transaction of the caller, they see one if its isolation level is `RepeatableRead`, the default there.
    ///
    /// # Errors
    /// Each page can fail like that of another query.
    pub fn among<V, K: GroupColumns<M, V>>(mut self, columns: K, values: impl IntoIterator<Item = V>) -> Self {
        self.query.groups.push(Groups::new(columns, values));
        self
    }
}
