//! Recipes for lists that most services have. Each one is compiled and run.
//!
//! The examples share three tables: `issues` with a model `Issue { id, project_id, author_id, state, title }`, `comments` with a model `Comment { id, issue_id, body }`, and `users` with the columns `id` and `name`. The package `example-tracker` is a complete service of this kind.
//!
//! # An optional filter
//!
//! [`filter_if`](crate::Builder::filter_if) adds a condition if it is `Some`. [`with_query_string`](crate::Builder::with_query_string) keeps the parameters in the links. For text that a client supplies, use [`icontains`](crate::Column::icontains), `contains` or `starts_with`, which escape `%` and `_`.
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::ActiveRequest;
//!
//! let list = async {
//!     let request = ActiveRequest::current().unwrap();
//!     Issue::query()
//!         .filter_if(request.value("state").map(|state| Issue::STATE.eq(state.into_owned())))
//!         .filter_if(request.value("q").map(|text| Issue::TITLE.icontains(&text)))
//!         .with_query_string()
//!         .paginate(1)
//!         .await
//! };
//! let page = ActiveRequest::new("/issues?state=open&q=o").scope(list).await?;
//! assert_eq!((page.total, page.data[0].id), (2, 3));
//! assert_eq!(page.next_page_url().as_deref(), Some("/issues?state=open&q=o&page=2"));
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! # A sort that the client chooses
//!
//! [`Sorts`](crate::Sorts) maps the names that clients may use to orders. A `-` before a name reverses its order, and an unknown name is a 400 that names the parameter. The result sorts numbered and cursor pages alike.
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::{ActiveRequest, Sorts};
//!
//! let list = async {
//!     let sorts = Sorts::new().allow("newest", Issue::ID.desc()).allow("title", Issue::TITLE).default("newest");
//!     Issue::query().order_by(sorts.from_request("sort")?).with_query_string().cursor_paginate(2).await
//! };
//! let page = ActiveRequest::new("/issues?sort=-title").scope(list).await?;
//! assert_eq!(page.data[0].title, "Typo");
//! assert!(page.next_page_url().unwrap().starts_with("/issues?sort=-title&cursor="));
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! # A filter on another table
//!
//! A filter compares columns of the query's model, so `Comment::BODY.eq("a")` does not compile in a query over issues. Use a subquery to find the issues that have such a comment:
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::sea_query::{Expr, Query};
//!
//! let of_issue = Comment::ISSUE_ID.eq(Issue::ID).and(Comment::BODY.eq("a"));
//! let comment = Query::select().expr(Expr::val(1)).from("comments").cond_where(of_issue).take();
//! assert_eq!(Issue::query().filter(Expr::exists(comment)).paginate(15).await?.total, 1);
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! # A filter by an enum
//!
//! [`ColumnValue`](derive@crate::ColumnValue) lets a column have the type of an enum or a newtype with `sqlx::Type`, in filters, primary keys and cursor keys.
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::{ColumnValue, Paginate};
//!
//! #[derive(Debug, Clone, Copy, PartialEq, sqlx::Type, ColumnValue)]
//! #[sqlx(rename_all = "lowercase")]
//! enum State {
//!     Open,
//!     Closed,
//! }
//!
//! #[derive(Debug, sqlx::FromRow, Paginate)]
//! #[paginate(table = "issues")]
//! struct Ticket {
//!     id: i64,
//!     state: State,
//! }
//!
//! let closed = Ticket::query().filter(Ticket::STATE.eq(State::Closed)).paginate(15).await?;
//! assert_eq!((closed.total, closed.data[0].id, closed.data[0].state), (1, 2, State::Closed));
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! # Rows as another type
//!
//! [`map`](crate::CursorPaginator::map) converts the rows and keeps the cursors, links and totals. [`try_map`](crate::CursorPaginator::try_map) stops at the first error.
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! #[derive(Debug, PartialEq, serde::Serialize)]
//! struct Line {
//!     id: i64,
//!     label: String,
//! }
//!
//! let page = Issue::query().cursor_paginate(2).await?;
//! let page = page.map(|issue| Line { id: issue.id, label: format!("#{} {}", issue.id, issue.title) });
//! assert_eq!(page.data[0].label, "#1 Crash");
//! assert!(page.next_cursor.is_some());
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! # A list in memory
//!
//! [`from_vec`](crate::LengthAwarePaginator::from_vec) and [`from_slice`](crate::LengthAwarePaginator::from_slice) make a numbered page from rows in memory, such as the results of a search engine.
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::LengthAwarePaginator;
//!
//! let found = ["a", "b", "c"];
//! let page = LengthAwarePaginator::from_slice(&found, 2, 2);
//! assert_eq!((page.data, page.total, page.last_page), (vec!["c"], 3, 2));
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! # Tenants
//!
//! Filter by the tenant, and bind the cursors to it with [`cursor_scope`](crate::Builder::cursor_scope). A cursor grants no access: it is only a position in an order. Without a scope, a cursor from one tenant's list is also valid in another tenant's list, where it shows that tenant's rows from the same position on.
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::Builder;
//!
//! fn issues(project: i64) -> Builder<Issue> {
//!     Issue::query().filter(Issue::PROJECT_ID.eq(project)).cursor_scope(&format!("project:{project}"))
//! }
//!
//! let page = issues(1).cursor_paginate(1).await?;
//! let next = page.next_cursor.as_deref();
//! assert_eq!(issues(1).cursor(next).cursor_paginate(1).await?.data[0].id, 2);
//! assert_eq!(issues(2).cursor(next).cursor_paginate(1).await.unwrap_err().status(), 400);
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! # 404 instead of an empty page
//!
//! A page past the end is empty, with status 200, as in Laravel. If your API should answer 404 instead, check whether the page is empty. If the list belongs to a parent, look the parent up separately: an empty list does not show whether it exists.
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::{FrameworkError, LengthAwarePaginator};
//!
//! fn existing<T>(page: LengthAwarePaginator<T>) -> folio::Result<LengthAwarePaginator<T>> {
//!     if page.is_empty() && page.current_page > 1 {
//!         return Err(FrameworkError::Domain { message: "Page not found".into(), status_code: 404 });
//!     }
//!     Ok(page)
//! }
//!
//! assert!(existing(Issue::query().page(2).paginate(3).await?).is_ok());
//! assert_eq!(existing(Issue::query().page(9).paginate(3).await?).unwrap_err().status(), 404);
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! # Your own error type
//!
//! [`FrameworkError`](crate::FrameworkError) converts into any type with a `From` implementation, so `?` works in handlers. [`status`](crate::FrameworkError::status) is the HTTP status; with the feature `actix` or `axum`, the error implements the framework's response trait, so your type can delegate to it.
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::FrameworkError;
//!
//! #[derive(Debug)]
//! enum AppError {
//!     NotFound,
//!     List(FrameworkError),
//! }
//!
//! impl From<FrameworkError> for AppError {
//!     fn from(error: FrameworkError) -> Self {
//!         Self::List(error)
//!     }
//! }
//!
//! impl AppError {
//!     fn status(&self) -> u16 {
//!         match self {
//!             Self::NotFound => 404,
//!             Self::List(error) => error.status(),
//!         }
//!     }
//! }
//!
//! async fn handler(project: i64, cursor: &str) -> Result<usize, AppError> {
//!     if project > 2 {
//!         return Err(AppError::NotFound);
//!     }
//!     Ok(Issue::query().cursor(Some(cursor)).cursor_paginate(2).await?.data.len())
//! }
//!
//! assert_eq!(handler(1, "altered").await.unwrap_err().status(), 400);
//! assert_eq!(handler(9, "").await.unwrap_err().status(), 404);
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! # Consistency while a client pages through a list
//!
//! A client that follows cursors sees each row that exists throughout exactly once. What happens to other rows depends on the change:
//!
//! - A row that is inserted after the client's position is seen; one that is inserted before it is not.
//! - A row whose key changes moves within the list, so it can be seen twice or not at all. If that matters, order by columns that do not change, such as `created_at` and the primary key.
//! - Replicas lag behind by different amounts. If a client's pages come from different replicas, it misses rows that one of them does not have yet. Read these pages from the primary with [`on("__primary__")`](crate::Builder::on), or always use the same replica for a client.
//!
//! For a consistent export, read all pages from one snapshot:
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::{DB, FrameworkError, Isolation};
//! use futures_util::TryStreamExt;
//!
//! let rows: Vec<Issue> = DB::transaction_with(Isolation::RepeatableRead, async || {
//!     Ok::<_, FrameworkError>(Issue::query().cursor_stream(1_000).try_collect().await?)
//! })
//! .await?;
//! assert_eq!(rows.len(), 4);
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! A long transaction keeps PostgreSQL from removing old row versions, and MySQL from purging its undo log. For an export that takes hours, read from a replica, or copy the keys first.
//!
//! # Caching and ETags
//!
//! Cursors are encrypted with a new random salt each time, so the bytes of a response differ even if its rows are the same. Compute an ETag from what the rows depend on, such as the time of the list's last change, and answer 304 before you read the page. If the list depends on the user, mark the response as `private`.
//!
//! ```rust
#![doc = include_str!("../doc/issues.txt")]
//! use folio::{ActiveRequest, DB};
//!
//! async fn etag() -> folio::Result<String> {
//!     let newest: (i64, i64) =
//!         sqlx::query_as("SELECT COUNT(*), COALESCE(MAX(id), 0) FROM issues").fetch_one(&mut *DB::sqlite().await?).await?;
//!     Ok(format!("\"{}-{}\"", newest.0, newest.1))
//! }
//!
//! let request = ActiveRequest::new("/issues").with_header("if-none-match", &etag().await?);
//! let is_unchanged = request.header("if-none-match") == Some(etag().await?.as_str());
//! assert!(is_unchanged); // 304 Not Modified
//! # folio::Result::Ok(()) }).await
//! # }
//! ```
//!
//! # Tests
//!
//! [`testing`](super::testing) shows a test on SQLite. With `#[sqlx::test]`, each test gets its own database, on any server. Create an application for it, and call the router as a tower service:
//!
//! ```rust,ignore
//! #[sqlx::test]
//! async fn the_second_page(pool: sqlx::PgPool) {
//!     let folio = Folio::new(pool).keyring(Keyring::new(Key::generate()));
//!     let router = router().layer(folio.layer());
//!     let request = Request::get("/issues?page=2").body(Body::empty()).unwrap();
//!     assert_eq!(router.oneshot(request).await.unwrap().status(), StatusCode::OK);
//! }
//! ```
//!
//! `example-tracker` tests each of its lists in this way, on PostgreSQL and SQLite.
