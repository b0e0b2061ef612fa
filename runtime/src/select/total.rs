//! Where the total of a select comes from.

use super::{Select, TotalSource};

impl<T, C> Select<T, C> {
    /// Counts at most `limit` rows. If there are more, the total is `limit`. See
    /// [`Builder::count_up_to`](crate::Builder::count_up_to).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Pagination, Select, sea_query::{Order, Query}};
    ///
    /// let select = Select::<(i64,)>::from(Query::select().column("id").from("posts").order_by("id", Order::Asc));
    /// let page = Pagination::length_aware(select.count_up_to(2), 1, 1).await?;
    /// assert_eq!((page.total, page.last_page), (2, 2));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn count_up_to(mut self, limit: u64) -> Self {
        self.query.total = TotalSource::CountedUpTo(limit);
        self
    }

    /// Counts lists of at most `exact` rows, and uses the database's row estimate for longer ones. See
    /// [`Builder::estimated_total_above`](crate::Builder::estimated_total_above).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Pagination, Select, sea_query::{Order, Query}};
    ///
    /// let select = Select::<(i64,)>::from(Query::select().column("id").from("posts").order_by("id", Order::Asc));
    /// let page = Pagination::length_aware(select.estimated_total_above(50_000), 2, 1).await?;
    /// assert_eq!(page.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn estimated_total_above(mut self, exact: u64) -> Self {
        self.query.total = TotalSource::EstimatedAbove(exact);
        self
    }

    /// Adds the total to cursor pages. See [`Builder::counted`](crate::Builder::counted).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select, Total, sea_query::Query};
    ///
    /// let select = Select::<(i64,)>::from(Query::select().column("id").from("posts"));
    /// let page = select.order_by(Column::<i64>::new("id")).counted().cursor_paginate(2).await?;
    /// assert_eq!(page.total, Some(Total::Exact(3)));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn counted(mut self) -> Self {
        self.query.is_counted = true;
        self
    }

    /// Uses `total` as the number of rows, instead of counting them for each page. See
    /// [`Builder::with_total`](crate::Builder::with_total).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Pagination, Select, sea_query::{Order, Query}};
    ///
    /// let select = Select::<(i64,)>::from(Query::select().column("id").from("posts").order_by("id", Order::Asc));
    /// let page = Pagination::length_aware(select.with_total(63_663), 2, 1).await?;
    /// assert_eq!((page.total, page.last_page), (63_663, 31_832));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_total(mut self, total: u64) -> Self {
        self.query.total = TotalSource::Known(total);
        self
    }

    /// Uses the database's row estimate instead of `COUNT(*)`. See
    /// [`Builder::estimated_total`](crate::Builder::estimated_total).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Pagination, Select, sea_query::{Order, Query}};
    ///
    /// let select = Select::<(i64,)>::from(Query::select().column("id").from("posts").order_by("id", Order::Asc));
    /// let page = Pagination::length_aware(select.estimated_total(), 2, 1).await?;
    /// assert_eq!(page.total, 3); // SQLite has no estimate, so it counts.
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn estimated_total(mut self) -> Self {
        self.query.total = TotalSource::Estimated;
        self
    }
}
