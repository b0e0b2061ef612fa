//! [`connection`]: pages on sea-orm's own connections.

use ::sea_orm::ConnectionTrait;

use crate::driver::Connection;

/// A connection of sea-orm's, for [`using`](crate::Builder::using). A `&DatabaseTransaction` and a `&DatabaseExecutor` need
/// no call of it.
///
/// Prefer [`DB::transaction`](crate::DB::transaction) and [`Db`](super::Db) where you can: there, folio's statements run on
/// sqlx's connection. On a connection of sea-orm's,
///
/// - all statements are prepared by their text, also behind a pooler that cannot keep them;
/// - what the catalog says about a table is not cached, which costs up to four round trips a page; on PostgreSQL, a
///   filter by a text costs three more;
/// - the values of SQL text ([`bind`](crate::Select::bind)), and a text that PostgreSQL compares in another type than
///   `text`, such as `citext`, are errors;
/// - a mock, a proxy, rusqlite and a connection with role-based access control cannot be read from.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # use sea_orm::{ConnectionTrait, Database, TransactionTrait};
/// use folio::sea_orm::connection;
///
/// #[derive(sqlx::FromRow, folio::Paginate)]
/// struct Post {
///     id: i64,
/// }
///
/// # let mut options = sea_orm::ConnectOptions::new("sqlite::memory:");
/// # options.max_connections(1);
/// # let db = Database::connect(options).await?;
/// # db.execute_unprepared("CREATE TABLE posts (id INTEGER PRIMARY KEY)").await?;
/// let transaction = db.begin().await?;
/// transaction.execute_unprepared("INSERT INTO posts VALUES (1), (2)").await?;
/// assert_eq!(Post::query().using(&transaction).paginate(15).await?.total, 2);
/// transaction.rollback().await?;
///
/// assert_eq!(Post::query().using(connection(&db)).paginate(15).await?.total, 0);
/// # Ok(())
/// # }
/// ```
pub fn connection(connection: &impl ConnectionTrait) -> Connection<'_> {
    Connection::new(connection)
}
