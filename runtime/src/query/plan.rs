//! [`Query::plan`]: what the pages of a list will do, printed.

use super::description::{List, Query};
use super::source::{QueryRows, QuerySource};
use crate::driver::RowCount;
use crate::error::Result;
use crate::read::{self, ListPlan};
use crate::request::context::Context;
use crate::source::Borrowed;
use crate::source::using::Connect;

impl<S: QuerySource, C: Connect> Query<S, C> {
    /// What the pages of the list will do: the statement of each kind of page, the index that it is read along, and each
    /// check and further statement with its reason. Print it to see what folio sends, and whether an index is missing.
    ///
    /// It reads the catalog as it is now, and the first row of the list: its values say how a cursor's are bound. So for
    /// an empty list, there are no statements of pages at a cursor. A list without an order for cursor pages, such as a
    /// select without `order_by`, has only numbered pages.
    ///
    /// The text is for people, and may change in any release.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let plan = Post::query().filter(Post::AUTHOR_ID.eq(7)).plan().await?;
    /// let after = plan.statements.iter().find(|statement| statement.page == "page after a cursor").unwrap();
    /// assert!(after.sql.contains(r#""author_id" = "#) && after.sql.contains(r#""id" > "#));
    /// assert!(plan.to_string().contains("page after a cursor:"));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// Same as [`cursor_paginate`](Self::cursor_paginate), and [`Internal`](crate::FrameworkError::Internal) if the query
    /// sets a position.
    pub async fn plan(self) -> Result<ListPlan> {
        let (list, reader, mut connection) = self.into_parts();
        list.position.refuse_beside_list("plan")?;
        list.plan(connection.lend(), RowCount::of(reader)).await
    }
}

impl List<QueryRows> {
    async fn plan(mut self, lent: Option<Borrowed<'_>>, rows: RowCount) -> Result<ListPlan> {
        let context = Context::current();
        if let QueryRows::Table(rows) = &self.rows {
            rows.check(self.order.as_deref())?;
        }
        let numbered = self.clone();
        let has_cursors = match &self.rows {
            QueryRows::Table(_) => true,
            QueryRows::Select(select) => self.order.is_some() || select.model().is_some(),
        };
        let (target, select) = if has_cursors {
            let (target, select) = self.keyset(&context, lent)?;
            (target, Some(select))
        } else {
            (self.target(&context, lent)?, None)
        };
        let numbered = numbered.numbered(&target)?;
        read::plan(&context, target, select, numbered, rows).await
    }
}
