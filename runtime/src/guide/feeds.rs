//! Lists of many groups: feeds, children, and rows of other tables beside a page.
//!
//! # Feeds
//!
//! A feed shows the newest rows of many groups in one list, such as the posts of all authors that a reader follows. Written as `author_id IN (…) ORDER BY created_at DESC LIMIT 15`, PostgreSQL, MySQL and MariaDB read and sort every row of every author for each page. [`among`](crate::Builder::among) reads at most a page of each author:
//!
//! ```rust
//! # use folio::{Folio, Key, Keyring, Paginate};
//! #[derive(Debug, sqlx::FromRow, Paginate)]
//! #[paginate(cursor_key = "created_at desc, id desc")]
//! struct Post {
//!     id: i64,
//!     author_id: i64,
//!     created_at: i64,
//! }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> folio::Result<()> {
//! # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
//! # sqlx::raw_sql("CREATE TABLE posts (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL, created_at INTEGER NOT NULL); \
//! #     CREATE INDEX feed ON posts (author_id, created_at, id); \
//! #     INSERT INTO posts VALUES (1, 7, 10), (2, 8, 20), (3, 7, 30), (4, 9, 40)").execute(&pool).await?;
//! # Folio::new(pool).keyring(Keyring::new(Key::generate())).scope(async {
//!
//! // CREATE INDEX feed ON posts (author_id, created_at, id)
//! let followed: Vec<i64> = vec![7, 8];
//! let page = Post::query().among(Post::AUTHOR_ID, followed.clone()).cursor_paginate(2).await?;
//! assert_eq!(page.data.iter().map(|post| post.id).collect::<Vec<_>>(), [3, 2]);
//!
//! let next = Post::query().among(Post::AUTHOR_ID, followed).cursor(page.next_cursor.as_deref());
//! assert_eq!(next.cursor_paginate(2).await?.data[0].id, 1);
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! The index begins with the column of `among` and goes on with the order; columns that other filters compare with one value may be anywhere before the order. Without such an index folio filters by `IN`, because to read each group by itself would then take longer. [`Folio::warn_missing_indexes`](crate::Folio::warn_missing_indexes) names the index. All columns of the order need the index's direction, or all the opposite one.
//!
//! How a page is read depends on the database and on the number of groups:
//!
//! | database | first page | later pages |
//! |---|---|---|
//! | PostgreSQL | `LATERAL`; from 64 groups on, first their newest rows, and then the groups that the page can have rows of | the same |
//! | MySQL | the same | a `UNION ALL` of up to 128 groups; above that, as the first page |
//! | MariaDB | a `UNION ALL` of up to 32 groups; above that, two statements in one snapshot | the same |
//! | SQLite | `IN`, which it reads along the index, group by group | the same |
//!
//! On MySQL and MariaDB, more than 128 groups whose values are not integers or UUIDs are filtered by `IN`. So are the groups of a numbered page, on each database: its total counts all rows in any case.
//!
//! A cursor is a place in the order. If the reader follows another author between two pages, the next page has the posts of that author from this place on. To refuse a cursor of other groups instead, set [`bind_filters`](crate::Builder::bind_filters).
//!
//! # Children
//!
//! [`each_of`](crate::Builder::each_of) reads the first rows of each of several parents, such as the first comments of each post on a page. It takes one statement, and each parent gets a page with cursors of its own. The next page of one parent is a page of the query that filters by it:
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! let comments = Comment::query().counted().each_of(Comment::ISSUE_ID, [1, 2, 3]).cursor_paginate(1).await?;
//! assert_eq!(comments[&1].data[0].body, "a");
//! assert_eq!(comments[&1].total.map(folio::Total::rows), Some(2));
//! assert!(comments[&2].is_empty());
//!
//! let next = Comment::query().filter(Comment::ISSUE_ID.eq(1)).cursor(comments[&1].next_cursor.as_deref());
//! assert_eq!(next.cursor_paginate(1).await?.data[0].body, "b");
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! `ROW_NUMBER() OVER (PARTITION BY …)` would read every child of every parent. `each_of` costs what the pages cost one by one, without their round trips, if an index begins with the parent's column and goes on with the order.
//!
//! In GraphQL, a [`ConnectionLoader`](crate::async_graphql::ConnectionLoader) reads the connections inside the rows of another connection in this way: 20 posts with their first five comments each take two statements.
//!
//! # Rows of other tables beside a page
//!
//! [`load`](crate::load) puts rows of other tables beside the rows of any page: many rows, one row, or rows behind a link table. The types of the rows stay:
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::load;
//!
//! let comments = load::many(Comment::query(), Comment::ISSUE_ID, |issue: &Issue| issue.id).first(5);
//! let page = Issue::query().paginate(15).await?.load(comments).await?;
//! for (issue, comments) in &page.data {
//!     println!("{}: {} comments", issue.title, comments.len());
//! }
//! # let comments: &Vec<Comment> = &page.data[0].1;
//! # assert_eq!(comments.len(), 2);
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
