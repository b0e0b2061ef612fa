//! The position of a page, its URLs, and what its cursors are bound to.

use super::Builder;
use crate::model::Model;

impl<M: Model, C> Builder<M, C> {
    /// Sets the page number, counted from 1, in place of the active request's. Page 0 counts as page 1.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().page(2).paginate(2).await?;
    /// assert_eq!((page.current_page, ids(&page.data)), (2, vec![3]));
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
    /// let first = Post::query().cursor(None).cursor_paginate(2).await?;
    /// let second = Post::query().cursor(first.next_cursor.as_deref()).cursor_paginate(2).await?;
    /// assert_eq!((ids(&first.data), ids(&second.data)), (vec![1, 2], vec![3]));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor(mut self, cursor: Option<&str>) -> Self {
        self.query.position.cursor = Some(cursor.map(str::to_owned));
        self
    }

    /// Sets the path of page URLs: a path with an optional query string, not a URL with a host.
    ///
    /// Without a path, the URLs are relative, such as `?page=2`. The query string is kept, except that the page number
    /// or cursor in it is replaced. Several leading slashes become one, because browsers read `//host` as another site.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().with_path("/posts?author=7").paginate(2).await?;
    /// assert_eq!(page.next_page_url().as_deref(), Some("/posts?author=7&page=2"));
    ///
    /// // With the path and filters of the active request:
    /// use folio::ActiveRequest;
    /// let page = ActiveRequest::new("/posts?author=7&page=2")
    ///     .scope(async {
    ///         let uri = ActiveRequest::current().map(|request| request.uri().to_owned()).unwrap_or_default();
    ///         Post::query().with_path(uri).paginate(2).await
    ///     })
    ///     .await?;
    /// assert_eq!(page.previous_page_url().as_deref(), Some("/posts?author=7&page=1"));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.query.position.path = Some(path.into());
        self
    }

    /// Keeps the path and the query string of the active request in page URLs, with filters and page sizes.
    ///
    /// The page number or the cursor in the query is replaced; all other parameters stay as the client sent them. The
    /// JSON's `path` contains only the path. [`with_path`](Self::with_path) takes precedence.
    /// [`Folio::with_query_string`](crate::Folio::with_query_string) does the same for all pages of an application.
    ///
    /// The links keep at most 2,048 bytes. If the request has more, the page fails with
    /// [`Domain`](crate::FrameworkError::Domain), 400; [`Folio::max_query_string`](crate::Folio::max_query_string) sets
    /// another maximum.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::ActiveRequest;
    ///
    /// let request = ActiveRequest::new("/posts?author=7&page=1&per_page=1");
    /// let query = Post::query().filter(Post::AUTHOR_ID.eq(7)).with_query_string();
    /// let page = request.scope(query.paginate(1)).await?;
    /// assert_eq!(page.next_page_url().as_deref(), Some("/posts?author=7&per_page=1&page=2"));
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
    /// Two lists on one screen need different keys, so that each has its own position. For two simple lists, see the
    /// guide's chapter [`frameworks`](crate::guide::frameworks).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::ActiveRequest;
    ///
    /// let query = Post::query().with_page_name("posts");
    /// let page = ActiveRequest::new("/?posts=2").scope(query.paginate(1)).await?;
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
    /// Two lists on one screen need different keys, so that each has its own position.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().with_cursor_name("feed").cursor_paginate(1).await?;
    /// assert!(page.next_page_url().is_some_and(|url| url.starts_with("?feed=")));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_cursor_name(mut self, name: &str) -> Self {
        self.query.position.cursor_name = Some(name.to_owned());
        self
    }

    /// Binds the cursors to a scope, such as a tenant: a cursor that was made in one scope is invalid in any other.
    ///
    /// Without a scope, a cursor is only bound to the table and the order: one tenant's cursor is valid in another
    /// tenant's list, where it shows that tenant's rows from the same position on. The cursor does not contain the
    /// scope, so it does not get longer. Cursors from `row.cursor_key().encode(..)` have no scope, so they are invalid
    /// in a list with one.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let list = |tenant: &str| Post::query().cursor_scope(&format!("tenant:{tenant}"));
    /// let page = list("7").cursor_paginate(2).await?;
    /// let next = page.next_cursor.as_deref();
    /// assert_eq!(list("7").cursor(next).cursor_paginate(2).await?.data.len(), 1);
    /// assert_eq!(list("8").cursor(next).cursor_paginate(2).await.unwrap_err().status(), 400);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn cursor_scope(mut self, scope: &str) -> Self {
        self.query.binding.scope = Some(scope.to_owned());
        self
    }

    /// Binds the cursors to the filters and their values: a cursor is invalid if any of them has changed.
    ///
    /// Do not use it with filters whose values change from page to page, such as the current time: the cursor of the
    /// first page would be rejected. An upgrade of folio may make such cursors invalid, because they are bound to the
    /// SQL text.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let list = |author: i64| Post::query().filter(Post::AUTHOR_ID.eq(author)).bind_filters();
    /// let page = list(7).cursor_paginate(1).await?;
    /// let next = page.next_cursor.as_deref();
    /// assert_eq!(ids(&list(7).cursor(next).cursor_paginate(1).await?.data), [2]);
    /// assert_eq!(list(8).cursor(next).cursor_paginate(1).await.unwrap_err().status(), 400);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn bind_filters(mut self) -> Self {
        self.query.binding.filters = true;
        self
    }
}
