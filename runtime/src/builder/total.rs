//! Where the total of a numbered page comes from.

use super::Builder;
use crate::model::Model;
use crate::select::Total;

impl<M: Model, C> Builder<M, C> {
    /// Uses `total` as the number of rows that match the filters, instead of counting them for each page.
    ///
    /// Use it if counting takes too long and you know the number already, for example from a counter that you maintain.
    /// folio trusts it: a page that begins after `total` is empty, even if there are rows. It applies to
    /// [`paginate`](Self::paginate) only.
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
        self.query.total = Total::Known(total);
        self
    }

    /// Uses the database's row estimate instead of `COUNT(*)`, for tables where counting takes too long. It applies to
    /// [`paginate`](Self::paginate) only.
    ///
    /// The estimate is the planner's. Its statistics are as old as the last ANALYZE, so it can be wrong by any factor,
    /// especially with filters, and can differ between pages. SQLite has no such estimate; there the rows are counted.
    ///
    /// No row is ever left out: a page is read even if it is past the estimate, and the total is corrected by what the
    /// page shows.
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
        self.query.total = Total::Estimated;
        self
    }
}
