//! [`Query`], and what every query asks for.

use std::fmt;

use folio_plan::keyset::BindingOptions;
use folio_plan::schema::term::Term;

use super::position::Position;
use crate::read::TotalSource;
use crate::source::route::Route;
use crate::source::using::Pooled;

/// A query over a model, or of a select. [`Builder`](crate::Builder) and [`Select`](crate::Select) are its names: `S`
/// is [`Of`](crate::Of) a model, or [`Rows`](crate::Rows) of a type.
///
/// The methods that both have are here. Most functions take the one or the other; a function that takes both is generic
/// over the [`QuerySource`](crate::QuerySource):
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::{Column, Query, QuerySource, Select};
///
/// /// The first row of a list.
/// async fn first<S: QuerySource>(query: Query<S>) -> folio::Result<Option<S::Row>> {
///     Ok(query.page(1).simple_paginate(1).await?.data.into_iter().next())
/// }
/// let titles = Select::<(String,)>::sql("SELECT title FROM posts").order_by(Column::<String>::new("title"));
/// assert_eq!(first(titles).await?, Some(("a".to_owned(),)));
/// assert_eq!(first(Post::query()).await?.map(|post| post.id), Some(1));
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[must_use = "a query does nothing until one of its paginators is awaited"]
pub struct Query<S, C = Pooled> {
    /// Boxed, because each call of a method moves it.
    pub(super) list: Box<List<S>>,
    pub(super) connection: C,
}

/// What a query asks for, without the connection that it borrows.
#[derive(Clone)]
pub(crate) struct List<S> {
    pub(super) rows: S,
    /// From `order_by`, for all pages.
    pub(super) order: Option<Vec<Term>>,
    pub(super) route: Route,
    pub(crate) position: Position,
    pub(super) binding: BindingOptions,
    pub(super) total: TotalSource,
    /// Whether cursor pages have a total.
    pub(super) is_counted: bool,
}

impl<S: Clone, C: Clone> Clone for Query<S, C> {
    fn clone(&self) -> Self {
        Self { list: self.list.clone(), connection: self.connection.clone() }
    }
}

impl<S: fmt::Debug, C> fmt::Debug for Query<S, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Query").field("rows", &self.list.rows).finish_non_exhaustive()
    }
}

impl<S> List<S> {
    pub(super) fn new(rows: S) -> Self {
        Self {
            rows,
            order: None,
            route: Route::default(),
            position: Position::default(),
            binding: BindingOptions::default(),
            total: TotalSource::Counted,
            is_counted: false,
        }
    }

    /// The same list with other rows.
    pub(super) fn map<U>(self, change: impl FnOnce(S) -> U) -> List<U> {
        let Self { rows, order, route, position, binding, total, is_counted } = self;
        List { rows: change(rows), order, route, position, binding, total, is_counted }
    }
}
