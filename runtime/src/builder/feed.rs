//! The method of [`Builder`] that lists the rows of many groups.

use super::Builder;
use crate::model::Model;
use crate::schema::group::{GroupColumns, Groups};

impl<M: Model, C> Builder<M, C> {
    /// Restricts the list to the rows of these groups: a *feed*, such as the newest posts of all authors that a reader
    /// follows. A group consists of the rows with one value in a column, or with a tuple of values in several columns.
    ///
    /// The rows are the same as with an `IN` filter. But for `IN`, PostgreSQL, MySQL and MariaDB read and sort all rows
    /// of all groups, while a cursor page of a feed reads at most about a page of each group. This needs an index that
    /// begins with the column, followed by the columns of the order, such as `(author_id, created_at, id)`. Without
    /// such an index, and for numbered pages, the statement filters by `IN`.
    ///
    /// Repeated values count once, and NULL matches no row. Without values, the list is empty. With a second `among`, a
    /// row has to be in a group of both.
    ///
    /// A cursor is not bound to the values: if a reader follows another author between two pages, the next page continues
    /// at the same position and includes the new author's rows from there on. With
    /// [`bind_filters`](Self::bind_filters), it is bound to them, in any order.
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
    /// Integers are bound as one list on every database, and UUIDs on PostgreSQL, so there can be any number of them.
    /// Values of other types are separate parameters, of which a statement can have up to 65,535, or 32,766 on SQLite.
    /// PostgreSQL compares each text in the type of its column, such as `citext`. A feed of more than 128 texts is read
    /// with an `IN` filter there.
    ///
    /// On MySQL, a page after a cursor takes two or three statements for 8 to 128 integers or UUIDs, and one more for each
    /// further 128. On MariaDB, any cursor page takes two for more than 32 of them. The statements need no common snapshot,
    /// but rows that are added while a page is read, or whose group changes, may be missing from it.
    ///
    /// # Errors
    /// Each page can fail like a page of any other query.
    pub fn among<V, K: GroupColumns<M, V>>(mut self, columns: K, values: impl IntoIterator<Item = V>) -> Self {
        self.query.groups.push(Groups::new(columns, values));
        self
    }
}
