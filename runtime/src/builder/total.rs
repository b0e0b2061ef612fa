//! The source of a list's total.

use super::Builder;
use crate::model::Model;
use crate::select::TotalSource;

impl<M: Model, C> Builder<M, C> {
    /// Counts at most `limit` rows. If there are more, the total is `limit`.
    ///
    /// An exact count reads the whole list, if only in an index: 210 ms on PostgreSQL and 1.5 s on MariaDB for
    /// 5,000,000 rows, where the page takes 0.1 ms. With a limit of 10,000, the count takes 2 to 4 ms. The limit saves
    /// nothing for filters that have no index and match few rows. If the total equals `limit`, a front end can show
    /// "10,000 or more".
    ///
    /// It applies to [`paginate`](Self::paginate), and to [`cursor_paginate`](Self::cursor_paginate) with
    /// [`counted`](Self::counted). No link leads past the total, but clients can still request later pages by number.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().count_up_to(2).paginate(1).await?;
    /// assert_eq!((page.total, page.last_page), (2, 2));
    /// let page = Post::query().count_up_to(10_000).paginate(1).await?;
    /// assert_eq!((page.total, page.last_page), (3, 3));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn count_up_to(mut self, limit: u64) -> Self {
        self.query.total = TotalSource::CountedUpTo(limit);
        self
    }

    /// Counts lists of at most `exact` rows, and uses the database's row estimate for longer ones.
    ///
    /// So short lists, where a wrong total would be noticed, have an exact total, and long lists cost no more than
    /// [`count_up_to(exact)`](Self::count_up_to) and an EXPLAIN. For the estimate's accuracy, see
    /// [`estimated_total`](Self::estimated_total). SQLite has no estimates; there all rows are counted.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// let page = Post::query().estimated_total_above(50_000).paginate(2).await?;
    /// assert_eq!(page.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn estimated_total_above(mut self, exact: u64) -> Self {
        self.query.total = TotalSource::EstimatedAbove(exact);
        self
    }

    /// Adds the total to cursor pages, as [`CursorPaginator::total`](crate::CursorPaginator::total) and the JSON key
    /// `total`.
    ///
    /// The total is the number of rows in the whole list, not on the page. A second statement counts the rows. It reads
    /// the whole list unless [`count_up_to`](Self::count_up_to), [`estimated_total`](Self::estimated_total),
    /// [`estimated_total_above`](Self::estimated_total_above) or [`with_total`](Self::with_total) is set. Pages of
    /// [`paginate`](Self::paginate) always have a total, and pages of [`simple_paginate`](Self::simple_paginate) never
    /// do.
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::Total;
    ///
    /// let page = Post::query().counted().cursor_paginate(2).await?;
    /// assert_eq!(page.total, Some(Total::Exact(3)));
    /// let page = Post::query().count_up_to(2).counted().cursor_paginate(2).await?;
    /// assert_eq!(page.total, Some(Total::AtLeast(2)));
    /// assert_eq!(serde_json::to_value(page.map(|post| post.id)).unwrap()["total"], 2);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn counted(mut self) -> Self {
        self.query.is_counted = true;
        self
    }

    /// Uses `total` as the number of rows that match the filters, instead of counting them for each page.
    ///
    /// Use it if counting takes too long and you already know the number, for example from a counter that you maintain.
    /// folio trusts it: a page that begins after `total` is empty, even if there are more rows. It applies to
    /// [`paginate`](Self::paginate), and to [`cursor_paginate`](Self::cursor_paginate) with [`counted`](Self::counted).
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::raw_sql("CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2), (3)").execute(&pool).await?;
    /// # folio::Folio::new(pool).scope(async {
    /// let page = Post::query().with_total(3).page(2).paginate(2).await?;
    /// assert_eq!((page.total, page.last_page, page.data.len()), (3, 2, 1));
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn with_total(mut self, total: u64) -> Self {
        self.query.total = TotalSource::Known(total);
        self
    }

    /// Uses the database's row estimate instead of `COUNT(*)`, for tables where counting takes too long. It applies to
    /// [`paginate`](Self::paginate), and to [`cursor_paginate`](Self::cursor_paginate) with
    /// [`counted`](Self::counted).
    ///
    /// The estimate comes from the query planner. Its statistics date from the last ANALYZE, so it can be wrong by any
    /// factor, especially with filters, and can differ between pages. SQLite has no estimates; there all rows are
    /// counted.
    ///
    /// No row is left out: a page is read even if it is past the estimate, and if it shows that the estimate is wrong,
    /// the total is corrected.
    ///
    /// ```
    /// # #[derive(Debug, sqlx::FromRow, folio::Paginate)]
    /// # struct Post { id: i64 }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> folio::Result<()> {
    /// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
    /// # sqlx::raw_sql("CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2), (3)").execute(&pool).await?;
    /// # folio::Folio::new(pool).scope(async {
    /// let page = Post::query().estimated_total().paginate(2).await?;
    /// assert_eq!(page.total, 3);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn estimated_total(mut self) -> Self {
        self.query.total = TotalSource::Estimated;
        self
    }
}
