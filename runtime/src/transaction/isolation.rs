//! [`Isolation`]: the isolation levels of a transaction.

/// The isolation level of a transaction, for [`DB::transaction_with`](crate::DB::transaction_with).
///
/// It is a minimum: a database without this level uses the next stricter one. PostgreSQL, MySQL and MariaDB support all
/// three. SQLite has only one level, which is serializable.
///
/// If you do not set a level, a transaction has the default of the server, the database or the session. Unless
/// configured otherwise, that is `ReadCommitted` on PostgreSQL and `RepeatableRead` on MySQL and MariaDB.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::sqlite::SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await?;
/// # folio::Folio::new(pool).scope(async {
/// use folio::{DB, FrameworkError, Isolation};
///
/// let answer: i64 = DB::transaction_with(Isolation::RepeatableRead, async || {
///     let answer = sqlx::query_scalar("SELECT 42").fetch_one(&mut *DB::sqlite().await?).await?;
///     Ok::<_, FrameworkError>(answer)
/// })
/// .await?;
/// assert_eq!(answer, 42);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Isolation {
    /// Each statement sees what was committed before the statement began. Two pages in one transaction can differ.
    ReadCommitted,
    /// All statements see what was committed before the first of them began. Use it to read several pages from one
    /// snapshot.
    RepeatableRead,
    /// Transactions behave as if they ran one after another. If that is impossible, a transaction fails with a database
    /// error; the application can then run it again.
    Serializable,
}
