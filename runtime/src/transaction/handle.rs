//! [`TransactionHandle`]: passing a transaction on to another task.

use std::future::Future;

use crate::request::context::Context;
use crate::transaction::Ambient;

/// A handle for a transaction, from [`DB::current`](crate::DB::current), with which another task can run statements in
/// the transaction.
///
/// A spawned task does not inherit the transaction, the application or the active request of the task that spawned it.
/// Pass on what it needs, and call the `scope` of each:
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # use folio::{ActiveRequest, DB, Folio, FrameworkError, Pagination, sea_query::Query};
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # Folio::new(pool).scope(async {
/// let late = DB::transaction(async || {
///     sqlx::query("CREATE TABLE notes AS SELECT 1 AS id").execute(&mut *DB::sqlite().await?).await?;
///
///     let (folio, transaction) = (Folio::current()?, DB::current().unwrap());
///     let task = tokio::spawn(async move {
///         let notes = Query::select().column("id").from("notes").take();
///         folio.scope(transaction.scope(Pagination::length_aware::<(i64,)>(notes, 15, 1))).await
///     });
///     assert_eq!(task.await.unwrap()?.total, 1);
///     Ok::<_, FrameworkError>(DB::current().unwrap())
/// })
/// .await?;
///
/// // A handle does not keep the transaction open.
/// let error = late.scope(DB::sqlite()).await.unwrap_err();
/// assert_eq!(error.to_string(), "the transaction passed to this task has already ended");
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// # Nested transactions
///
/// A handle belongs to the transaction or savepoint in which `DB::current` was called. While another transaction is
/// nested in it, statements through the handle wait, at most for the pool's `acquire_timeout`, and then fail with
/// [`FrameworkError::Internal`](crate::FrameworkError::Internal). Inside the nested transaction they would wait for
/// themselves, so they fail at once; call `DB::current` again there.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # use folio::{DB, Folio, FrameworkError};
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # Folio::new(pool).scope(async {
/// DB::transaction(async || {
///     let outer = DB::current().unwrap();
///     DB::transaction(async || {
///         assert!(outer.scope(DB::sqlite()).await.is_err());
///         let inner = DB::current().unwrap();
///         tokio::spawn(async move { inner.scope(DB::sqlite()).await.map(drop) }).await.unwrap()
///     })
///     .await?;
///     outer.scope(DB::sqlite()).await.map(drop)
/// })
/// .await
/// # }).await
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct TransactionHandle(pub(crate) Ambient);

impl TransactionHandle {
    /// Runs a future inside the transaction, in this or any other task.
    ///
    /// A transaction has one connection, so statements of several tasks take turns. After the transaction has ended,
    /// pages and statements in it fail with [`FrameworkError::Internal`](crate::FrameworkError::Internal).
    ///
    /// ```
    #[doc = include_str!("../doc/posts.txt")]
    /// use folio::{DB, FrameworkError};
    ///
    /// let total = DB::transaction(async || {
    ///     sqlx::query("DELETE FROM posts WHERE id = 1").execute(&mut *DB::sqlite().await?).await?;
    ///     let transaction = DB::current().unwrap();
    ///     Ok::<_, FrameworkError>(transaction.scope(Post::paginate(15)).await?.total)
    /// });
    /// assert_eq!(total.await?, 2);
    /// # folio::Result::Ok(()) }).await
    /// # }
    /// ```
    pub fn scope<F: Future>(&self, future: F) -> impl Future<Output = F::Output> + use<F> {
        let ambient = self.0.clone();
        async move { ambient.enter(Context::current().scoped_connections().cloned(), future).await }
    }
}
