//! The methods of [`Select`] that run it: the three paginators.

use crate::error::{FrameworkError, Result};
use crate::fetch;
use crate::model::order::Term;
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};
use crate::select::Select;
use crate::using::{self, Connect};

impl<T, C: Connect> Select<T, C> {
    /// Reads one page with the total and page numbers: a count and a page by offset.
    ///
    /// The page number is that of [`page`](Self::page), else of the active request, else 1. A page past the end is
    /// empty. The rows have the order of [`order_by`](Self::order_by), else the statement's own. End it with a unique
    /// column, because pages can overlap if rows tie.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{ActiveRequest, Select, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").order_by("id", Order::Asc).take();
    /// let select = Select::<(i64, String)>::from(select);
    /// let page = ActiveRequest::new("/posts?page=2").scope(select.paginate(2)).await?;
    /// assert_eq!((page.total, page.data), (3, vec![(3, "a".to_owned())]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`Pagination::length_aware`](crate::Pagination::length_aware).
    pub async fn paginate(self, per_page: u64) -> Result<LengthAwarePaginator<T>> {
        let Self { source: select, route, mut position, mut connection } = self;
        fetch::check_per_page(per_page)?;
        let page = position.page();
        let source = using::source(route, &mut connection)?;
        let (path, page_name) = (position.take_path(), position.page_name.take());
        let list = select.numbered(&source)?;
        let page = fetch::length_aware(source, list, per_page, page).await?;
        Ok(LengthAwarePaginator { path, page_name, ..page })
    }

    /// Reads one page without the total, with one statement. Page number and order are those of
    /// [`paginate`](Self::paginate).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{ActiveRequest, Select, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").order_by("id", Order::Asc).take();
    /// let select = Select::<(i64, String)>::from(select);
    /// let page = ActiveRequest::new("/posts?page=2").scope(select.simple_paginate(2)).await?;
    /// assert_eq!((page.has_more, page.data), (false, vec![(3, "a".to_owned())]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`paginate`](Self::paginate).
    pub async fn simple_paginate(self, per_page: u64) -> Result<Paginator<T>> {
        let Self { source: select, route, mut position, mut connection } = self;
        fetch::check_per_page(per_page)?;
        if position.page_name.is_some() {
            warn_ignored_page_name();
        }
        let page = position.simple_page();
        let source = using::source(route, &mut connection)?;
        let path = position.take_path();
        let list = select.numbered(&source)?;
        let page = fetch::simple(source, list, per_page, page).await?;
        Ok(Paginator { path, ..page })
    }

    /// Reads one page by cursor. With an index on the order, it costs the same at every depth.
    ///
    /// The cursor is that of [`cursor`](Self::cursor), else of the active request, else the page is the first. The rows
    /// have the order of [`order_by`](Self::order_by), which has to end with a unique column; a select of a
    /// [`model`](Self::model) has the model's cursor key by default.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{ActiveRequest, Column, Select, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let newest = Select::<(i64, String)>::from(select).order_by(Column::<i64>::new("id").desc());
    /// let first = newest.clone().cursor_paginate(2).await?;
    /// let request = ActiveRequest::new(&first.next_page_url().unwrap());
    /// assert_eq!(request.scope(newest.cursor_paginate(2)).await?.data, [(1, "b".to_owned())]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`Pagination::cursor`](crate::Pagination::cursor), and
    /// [`Internal`](crate::FrameworkError::Internal) without an order.
    pub async fn cursor_paginate(self, per_page: u64) -> Result<CursorPaginator<T>> {
        let Self { source: select, route, mut position, mut connection } = self;
        fetch::check_per_page(per_page)?;
        let (path, token) = (position.take_path(), position.take_cursor());
        let cursor_name = position.cursor_name.take();
        let source = using::source(route, &mut connection)?;
        let select = select.ordered(&source)?;
        let page = fetch::cursor(source, select, per_page, token).await?;
        Ok(CursorPaginator { path, cursor_name, ..page })
    }
}

impl<T> Select<T> {
    /// Sets the page number that a function takes as an argument.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if the select has one.
    pub(super) fn at_page(mut self, page: u64) -> Result<Self> {
        match self.position.page.replace(page) {
            None => Ok(self),
            Some(_) => Err(FrameworkError::internal(
                "the page number of this select is given twice, by `page` and as an argument: leave one of them out",
            )),
        }
    }

    /// Sets the cursor and the order that a function takes as arguments.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if the select has one of them.
    pub(super) fn at_cursor(mut self, cursor: Option<&str>, order: Vec<Term>) -> Result<Self> {
        self.source.sort_by(order)?;
        match self.position.cursor.replace(cursor.map(str::to_owned)) {
            None => Ok(self),
            Some(_) => Err(FrameworkError::internal(
                "the cursor of this select is given twice, by `cursor` and as an argument: leave one of them out",
            )),
        }
    }
}

/// Warns once that a simple page has no name for its page number.
fn warn_ignored_page_name() {
    static WARNED: std::sync::Once = std::sync::Once::new();
    WARNED.call_once(|| {
        tracing::warn!(
            target: "folio",
            "a simple page of a select ignores `with_page_name`, because its query key is always `page`: for two lists on \
             one screen, use `paginate`, or `cursor_paginate` with `with_cursor_name`"
        );
    });
}
