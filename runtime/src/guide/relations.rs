//! Recipes for lists over several tables: joins, counts, ranks and children. Each one is compiled and run.
//!
//! The tables and models are those of the [`cookbook`](crate::guide::cookbook): `issues`, their `comments`, and `users`.
//!
//! # A list with a column of another table
//!
//! A join is a [`Select`](crate::Select). Its order has to end with columns that identify a row of the result. Here each issue has one author, so the issue's key is enough.
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::{Column, Select, sea_query::{Expr, Query}};
//!
//! const USER: Column<i64> = Column::new("id").of("users");
//!
//! #[derive(Debug, sqlx::FromRow)]
//! struct WithAuthor {
//!     id: i64,
//!     title: String,
//!     author: String,
//! }
//!
//! let select = Query::select()
//!     .columns([("issues", "id"), ("issues", "title")])
//!     .expr_as(Expr::col(("users", "name")), "author")
//!     .from("issues")
//!     .inner_join("users", USER.eq(Issue::AUTHOR_ID))
//!     .cond_where(Issue::STATE.eq("open"))
//!     .take();
//! let list = Select::<WithAuthor>::from(select).order_by(Issue::ID.desc());
//! let page = list.clone().cursor_paginate(2).await?;
//! assert_eq!((page.data[0].id, page.data[0].author.as_str()), (4, "Max"));
//! assert_eq!(list.page(2).paginate(2).await?.data[0].title, "Crash");
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! The same list as SQL text, with a parameter in the database's syntax:
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::Select;
//!
//! let list = Select::<(i64, String, String)>::sql(
//!     "SELECT issues.id, issues.title, users.name AS author
//!      FROM issues JOIN users ON users.id = issues.author_id WHERE issues.state = ?",
//! );
//! let page = list.bind("open").order_by(Issue::ID.desc()).cursor_paginate(2).await?;
//! assert_eq!((page.data[0].0, page.data[0].2.as_str()), (4, "Max"));
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! # A list with a count of children
//!
//! Count in a subquery of the select list, so that the database only counts for the rows of the page. With `GROUP BY`, it would group the whole table for each page.
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::{Select, sea_query::{Expr, Query, SubQueryStatement}};
//!
//! let comments = Query::select()
//!     .expr(Expr::cust("COUNT(*)"))
//!     .from("comments")
//!     .cond_where(Comment::ISSUE_ID.eq(Issue::ID))
//!     .take();
//! let select = Query::select()
//!     .columns([("issues", "id"), ("issues", "title")])
//!     .expr_as(Expr::SubQuery(None, Box::new(SubQueryStatement::SelectStatement(comments))), "comments")
//!     .from("issues")
//!     .take();
//! let list = Select::<(i64, String, i64)>::from(select).order_by(Issue::ID);
//! let page = list.clone().cursor_paginate(2).await?;
//! assert_eq!(page.data.iter().map(|row| row.2).collect::<Vec<_>>(), [2, 0]);
//! let next = list.cursor(page.next_cursor.as_deref()).cursor_paginate(2).await?;
//! assert_eq!(next.data[0], (3, "Slow 100%".to_owned(), 1));
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! An aggregate can be a list of its own. Both numbered and cursor pages work, but the database computes all groups for each page:
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::{Pagination, sea_query::{Expr, Order, Query}};
//!
//! let per_author = Query::select()
//!     .column("author_id")
//!     .expr_as(Expr::cust("COUNT(*)"), "issues")
//!     .from("issues")
//!     .group_by_col("author_id")
//!     .order_by("issues", Order::Desc)
//!     .order_by("author_id", Order::Asc)
//!     .take();
//! let page = Pagination::length_aware::<(i64, i64)>(per_author, 1, 2).await?;
//! assert_eq!((page.total, page.data), (2, vec![(8, 2)]));
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! To sort by the count, name the subquery with [`Column::expr`](crate::Column::expr). An order can use any expression: with `CASE`, a list can begin with pinned rows or with the best matches of a search.
//!
//! # A list of matches, best first
//!
//! The rank is an expression too. It works for numbered and cursor pages. The cursors are bound to the search text, because it is part of the expression.
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::{Column, ColumnExpr, sea_query::{CaseStatement, Expr}};
//!
//! /// 0 if the title is the text, 1 if it begins with it, 2 if it is somewhere else.
//! fn rank(text: &str) -> ColumnExpr<i64> {
//!     let rank = CaseStatement::new()
//!         .case(Expr::from(Issue::TITLE.eq(text)), Expr::val(0_i64))
//!         .case(Expr::from(Issue::TITLE.starts_with(text)), Expr::val(1_i64))
//!         .finally(Expr::val(2_i64));
//!     Column::expr("rank", rank).not_null()
//! }
//!
//! let list = || Issue::query().filter(Issue::TITLE.icontains("o")).order_by((rank("Slow"), Issue::ID));
//! let page = list().counted().cursor_paginate(2).await?;
//! assert_eq!(page.data.iter().map(|issue| issue.id).collect::<Vec<_>>(), [3, 2]);
//! assert_eq!(page.total.map(folio::Total::rows), Some(3));
//! let next = list().cursor(page.next_cursor.as_deref()).cursor_paginate(2).await?;
//! assert_eq!(next.data[0].id, 4);
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! The database ranks all matches for each page, so keep their number small with a filter or a full-text index.
//!
//! # Children of a page in one more query
//!
//! [`load`](crate::load) reads the children of all rows of the page with one statement, instead of one for each row. See also the chapter [`feeds`](crate::guide::feeds).
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::load;
//!
//! let comments = load::many(Comment::query(), Comment::ISSUE_ID, |issue: &Issue| issue.id).first(10);
//! let page = Issue::query().cursor_paginate(3).await?.load(comments).await?;
//! let (issue, comments) = &page.data[0];
//! assert_eq!(issue.title, "Crash");
//! assert_eq!(comments.iter().map(|comment| &*comment.body).collect::<Vec<_>>(), ["a", "b"]);
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
