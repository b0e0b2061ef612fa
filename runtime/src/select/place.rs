//! The order of a select's pages, their position and URLs, and the connection.

use super::Select;
use crate::schema::order::CursorOrder;
use crate::source::using::ConnectionSource;

impl<T, C> Select<T, C> {
    /// Sorts numbered and cursor pages by columns, instead of by the statement's ORDER BY. See
    /// [`Builder::order_by`](crate::Builder::order_by).
    ///
    /// A LIMIT or OFFSET of the statement applies first, in the statement's own order. End the order with columns that
    /// identify a row, because pages can overlap if rows tie. For a select of a [`model`](Self::model), folio appends
    /// the primary key.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select, sea_query::Query};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").take();
    /// let newest = Select::<(i64, String)>::from(select).order_by(Column::<i64>::new("id").desc());
    /// assert_eq!(newest.clone().paginate(2).await?.data[0].0, 3);
    /// assert_eq!(newest.cursor_paginate(2).await?.data[0].0, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn order_by(mut self, order: impl CursorOrder) -> Self {
        self.query.order = Some(order.terms());
        self
    }

    /// Sets the page number, counted from 1, in place of the active request's. Page 0 counts as page 1.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Select, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().column("id").from("posts").order_by("id", Order::Asc).take();
    /// assert_eq!(Select::<(i64,)>::from(select).page(2).paginate(2).await?.data, [(3,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn page(mut self, page: u64) -> Self {
        self.query.position.page = Some(page);
        self
    }

    /// Sets the cursor in place of the active request's. `None` means the first page, even if the request has a cursor.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select, sea_query::Query};
    ///
    /// let ids = Select::<(i64,)>::from(Query::select().column("id").from("posts")).order_by(Column::<i64>::new("id"));
    /// let first = ids.clone().cursor(None).cursor_paginate(2).await?;
    /// let second = ids.cursor(first.next_cursor.as_deref()).cursor_paginate(2).await?;
    /// assert_eq!(second.data, [(3,)]);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor(mut self, cursor: Option<&str>) -> Self {
        self.query.position.cursor = Some(cursor.map(str::to_owned));
        self
    }

    /// Sets the path of page URLs: a path with an optional query string. See
    /// [`Builder::with_path`](crate::Builder::with_path).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Select, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().column("id").from("posts").order_by("id", Order::Asc).take();
    /// let page = Select::<(i64,)>::from(select).with_path("/ids").paginate(2).await?;
    /// assert_eq!(page.next_page_url().as_deref(), Some("/ids?page=2"));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.query.position.path = Some(path.into());
        self
    }

    /// Keeps the path and the query string of the active request in page URLs. See
    /// [`Builder::with_query_string`](crate::Builder::with_query_string).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{ActiveRequest, Select, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().columns(["id", "title"]).from("posts").order_by("id", Order::Asc).take();
    /// let select = Select::<(i64, String)>::from(select).with_query_string();
    /// let page = ActiveRequest::new("/posts?q=a&page=1").scope(select.simple_paginate(2)).await?;
    /// assert_eq!(page.next_page_url().as_deref(), Some("/posts?q=a&page=2"));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_query_string(mut self) -> Self {
        self.query.position.query_string = true;
        self
    }

    /// Sets the query key of the page number, in the active request and in page URLs. The default is `page`, which
    /// [`simple_paginate`](Self::simple_paginate) always uses.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{ActiveRequest, Select, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().column("id").from("posts").order_by("id", Order::Asc).take();
    /// let select = Select::<(i64,)>::from(select).with_page_name("posts");
    /// let page = ActiveRequest::new("/?posts=2").scope(select.paginate(1)).await?;
    /// assert_eq!((page.current_page, page.next_page_url().as_deref()), (2, Some("?posts=3")));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_page_name(mut self, name: &str) -> Self {
        self.query.position.page_name = Some(name.to_owned());
        self
    }

    /// Sets the query key of the cursor, in the active request and in page URLs. The default is `cursor`.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Column, Select, sea_query::Query};
    ///
    /// let ids = Select::<(i64,)>::from(Query::select().column("id").from("posts")).order_by(Column::<i64>::new("id"));
    /// let page = ids.with_cursor_name("feed").cursor_paginate(1).await?;
    /// assert!(page.next_page_url().is_some_and(|url| url.starts_with("?feed=")));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_cursor_name(mut self, name: &str) -> Self {
        self.query.position.cursor_name = Some(name.to_owned());
        self
    }

    /// Reads from a connection that was registered with [`Folio::connection`](crate::Folio::connection). See
    /// [`Builder::on`](crate::Builder::on).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{Select, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().column("id").from("posts").order_by("id", Order::Asc).take();
    /// assert_eq!(Select::<(i64,)>::from(select).on("reports").paginate(15).await?.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn on(mut self, connection: &str) -> Self {
        self.query.route.on = Some(connection.to_owned());
        self
    }

    /// Reads from this pool, or on your own connection: `&mut *transaction` or `&mut *connection`. See
    /// [`Builder::using`](crate::Builder::using).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{DB, Select, sea_query::{Order, Query}};
    ///
    /// let select = Query::select().column("id").from("posts").order_by("id", Order::Asc).take();
    /// let mut connection = DB::sqlite().await?;
    /// assert_eq!(Select::<(i64,)>::from(select).using(&mut *connection).paginate(15).await?.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn using<S: ConnectionSource>(mut self, source: S) -> Select<T, S::Connection> {
        let (pool, connection) = source.into_parts();
        self.query.route.using = pool;
        Select { query: self.query, reader: self.reader, connection }
    }
}
