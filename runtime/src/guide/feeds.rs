//! Lists of many groups: feeds, children, and rows of other tables for each row of a page.
//!
//! # Feeds
//!
//! A feed shows the newest rows of many groups in one list, such as the posts of all authors that a reader follows. For `author_id IN (…) ORDER BY created_at DESC LIMIT 15`, PostgreSQL, MySQL and MariaDB read and sort all rows of all these authors for each page. [`among`](crate::Builder::among) reads at most a page of each author's rows:
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
//! The index has to begin with the column of `among`, followed by the columns of the order. Columns that other filters compare with one value may be anywhere before the order's columns. The directions of the order's columns have to be those of the index, or all reversed. Without such an index folio filters by `IN`, because reading each group separately would take longer. [`Folio::warn_missing_indexes`](crate::Folio::warn_missing_indexes) reports it.
//!
//! How a page is read depends on the database and on the number of groups:
//!
//! | database | first page | later pages |
//! |---|---|---|
//! | PostgreSQL | `LATERAL`. For 64 groups or more, folio first reads each group's first row, to find the groups that can have rows on the page | the same |
//! | MySQL | the same | a `UNION ALL` of up to 7 groups. For more, other statements first find out which groups can have rows on the page, and how far it reaches |
//! | MariaDB | a `UNION ALL` of up to 32 groups. For more, another statement first finds out which groups can have rows on the page, and how far it reaches | the same |
//! | SQLite | `IN`, for which SQLite reads the index group by group | the same |
//!
//! After a cursor, MySQL plans each group of a `UNION ALL` by an estimate, and may read thousands of rows ahead, unless a condition says where the page ends. So for 8 to 128 groups, one statement looks up each group's first value from the cursor on. If there are fewer of these than the page has rows, another one looks up how far a page of one group alone would reach. Then the page is read, with a `UNION ALL` of the groups that remain. Each further 128 groups take one more statement. The values of the groups have to be ones that the database compares exactly, such as integers and UUIDs, and the order's first column has to be `NOT NULL`. All other filters have to compare a column with one value, and an index has to begin with the columns of `among` and of these filters, followed by the order. Otherwise, up to 128 groups are read with a `UNION ALL`, and more of them like on the first page.
//!
//! If rows are deleted between these statements, on MySQL or MariaDB, and too few remain for the page, folio starts over. After the third time, it reads the page from all groups.
//!
//! On MySQL and MariaDB, more than 128 groups are filtered by `IN` unless their values are integers or UUIDs. Numbered pages always filter by `IN`, because their total counts all rows anyway.
//!
//! A cursor is a position in the order. If the reader follows another author between two pages, the next page includes that author's posts from this position on. To reject cursors from other sets of groups instead, set [`bind_filters`](crate::Builder::bind_filters).
//!
//! # Children
//!
//! [`each_of`](crate::Builder::each_of) reads the first rows of each of several parents with one statement, such as the first comments of each post on a page. Each parent gets a page with its own cursors. To read the next page of one parent, filter by this parent:
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
//! `ROW_NUMBER() OVER (PARTITION BY …)` would read all children of all parents. If an index begins with the parent's column, followed by the columns of the order, `each_of` costs as much as reading the pages one by one, without the round trips.
//!
//! In GraphQL, a [`ConnectionLoader`](crate::async_graphql::ConnectionLoader) does this for connections that are nested in another connection: 20 posts with their first five comments each take two statements.
//!
//! # Rows of other tables
//!
//! [`load`](crate::load) pairs each row of a page with rows of another table: with many rows, with one row, or with rows that are joined through a link table. The row types stay as they are:
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
