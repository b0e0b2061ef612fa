//! Queries: over a model, or of a caller's select.
//!
//! A [`Query`] consists of its rows, of what every query has, and of a connection: see `description.rs`, and
//! `position.rs` for where its page begins. `source.rs` has the kinds of rows. `model.rs` and `select.rs` have what only
//! the one or the other can say, and compile it into the queries that [`crate::read`] runs. `describe.rs` has the methods
//! that they share, `pages.rs` those that read pages, and `small.rs` those that count or read a single row.
//! `plan.rs` prints what the pages of a list will do.
//! `rows.rs` has the rows of another shape than the model's.
//! `settled.rs` leaves out rows before which a transaction in progress may still insert others.
//!
//! `numbered.rs` reads numbered pages. `window.rs` reads windows, which the cursor pages of a list are made from, and
//! `each_of.rs` one window for each of several groups. `newer.rs` asks whether there are rows beyond a cursor.

mod checked;
mod describe;
mod description;
mod each_of;
mod model;
mod newer;
mod numbered;
mod pages;
mod pagination;
mod plan;
mod position;
mod rows;
mod select;
mod settled;
mod small;
mod source;
pub(crate) mod window;

pub use self::checked::CheckedSql;
pub use self::description::Query;
pub use self::each_of::EachOf;
pub use self::model::Of;
pub use self::newer::Newer;
pub use self::pagination::Pagination;
pub use self::rows::{RowOf, is_readable_row};
pub use self::select::Rows;
pub use self::settled::Moment;
pub use self::source::QuerySource;
use crate::source::using::Pooled;

/// A query over a model, created by `Post::query()`.
///
/// Describe the list, then call one of the paginators:
///
/// - rows: [`filter`](Self::filter), [`among`](Self::among); [`settled`](Self::settled) for jobs
/// - their type: [`rows`](Self::rows) with fewer columns, [`with`](Self::with) the value of an expression
/// - order: [`order_by`](Self::order_by) for all pages, which a client can choose through [`Sorts`](crate::Sorts);
///   [`order_by_asc`](Self::order_by_asc) and [`order_by_desc`](Self::order_by_desc) for numbered pages,
///   [`cursor_by`](Self::cursor_by) for cursor pages
/// - position: [`page`](Self::page) and [`cursor`](Self::cursor), by default taken from the active request;
///   [`seek`](Self::seek), [`after`](Self::after), [`before`](Self::before), [`skip`](Self::skip)
/// - connection: [`on`](Self::on), [`using`](Self::using)
/// - URLs: [`with_path`](Self::with_path), [`with_query_string`](Self::with_query_string),
///   [`with_page_name`](Self::with_page_name), [`with_cursor_name`](Self::with_cursor_name)
/// - total: [`count_up_to`](Self::count_up_to), [`estimated_total`](Self::estimated_total),
///   [`estimated_total_above`](Self::estimated_total_above), [`with_total`](Self::with_total); on cursor pages with
///   [`counted`](Self::counted)
/// - paginators: [`paginate`](Self::paginate), [`simple_paginate`](Self::simple_paginate),
///   [`cursor_paginate`](Self::cursor_paginate); other windows of the list: [`last_page`](Self::last_page),
///   [`around`](Self::around), [`around_id`](Self::around_id), [`around_at`](Self::around_at),
///   [`connection`](Self::connection), [`token_page`](Self::token_page)
/// - small reads: [`count`](Self::count), [`exists`](Self::exists), [`first`](Self::first), [`find`](Self::find),
///   [`count_by`](Self::count_by), [`count_after`](Self::count_after), [`count_before`](Self::count_before)
/// - streams: [`cursor_chunks`](Self::cursor_chunks), [`cursor_stream`](Self::cursor_stream); polling:
///   [`newer_than`](Self::newer_than)
/// - what its pages do, printed: [`plan`](Self::plan)
///
/// A query runs when a paginator is awaited; clone it to run it several times. For joins and selects without a model,
/// see [`Select`](crate::Select).
///
/// ```
/// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
/// # struct Post { id: i64, author_id: i64, title: String }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # sqlx::query("CREATE TABLE posts (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL, title TEXT NOT NULL)").execute(&pool).await?;
/// # sqlx::query("INSERT INTO posts VALUES (1, 7, 'rust'), (2, 7, 'go'), (3, 8, 'rust'), (4, 7, 'rustc')").execute(&pool).await?;
/// # folio::Folio::new(pool).scope(async {
/// let page = Post::query()
///     .filter(Post::AUTHOR_ID.eq(7).and(Post::TITLE.like("%rust%")))
///     .order_by_desc(Post::TITLE)
///     .page(1)
///     .paginate(15)
///     .await?;
/// assert_eq!(page.data.iter().map(|post| post.id).collect::<Vec<_>>(), [4, 1]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
pub type Builder<M, C = Pooled> = Query<Of<M>, C>;

/// A select with rows of type `T`: a join, an aggregate, a union, or anything else without a model.
///
/// Create it from SQL text with [`sql`](Self::sql), or convert a [`sea_query::SelectStatement`] with `from`. Every
/// enabled driver has to be able to read `T`, and `T` has to be `Send`. Most methods are those of a
/// [`Builder`](crate::Builder), and the page number or cursor is also read from the active request. Only a builder has
/// filters, groups, the reads that take a primary key or a key of the model, and the orders of one kind of pages, such as
/// [`cursor_by`](crate::Builder::cursor_by). The functions of [`Pagination`](crate::Pagination) take the position and the
/// order as arguments instead.
///
/// - order: [`order_by`](Self::order_by); without it, numbered pages have the statement's own order
/// - position: [`page`](Self::page), [`cursor`](Self::cursor); by default that of the active request
/// - connection: [`on`](Self::on), [`using`](Self::using)
/// - URLs: [`with_path`](Self::with_path), [`with_query_string`](Self::with_query_string),
///   [`with_page_name`](Self::with_page_name), [`with_cursor_name`](Self::with_cursor_name)
/// - total: [`count_up_to`](Self::count_up_to), [`estimated_total`](Self::estimated_total),
///   [`estimated_total_above`](Self::estimated_total_above), [`with_total`](Self::with_total); on cursor pages with
///   [`counted`](Self::counted)
/// - cursors: [`model`](Self::model) uses a model's primary key as the tie-breaker; [`named`](Self::named),
///   [`cursor_scope`](Self::cursor_scope) and [`bind_filters`](Self::bind_filters) bind cursors to more than the order
/// - paginators: [`paginate`](Self::paginate), [`simple_paginate`](Self::simple_paginate),
///   [`cursor_paginate`](Self::cursor_paginate)
/// - small reads: [`count`](Self::count), [`exists`](Self::exists), [`first`](Self::first)
/// - streams: [`cursor_chunks`](Self::cursor_chunks), [`cursor_stream`](Self::cursor_stream)
/// - what its pages do, printed: [`plan`](Self::plan)
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::{ActiveRequest, Column, Select, sea_query::Query};
///
/// let select = Query::select().columns(["id", "title"]).from("posts").take();
/// let select = Select::<(i64, String)>::from(select).order_by(Column::<i64>::new("id").desc());
///
/// let page = ActiveRequest::new("/posts?page=2").scope(select.clone().paginate(2)).await?;
/// assert_eq!((page.total, page.data), (3, vec![(1, "b".to_owned())]));
/// let page = select.cursor_paginate(1).await?;
/// assert_eq!(page.data, [(3, "a".to_owned())]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
pub type Select<T, C = Pooled> = Query<Rows<T>, C>;
