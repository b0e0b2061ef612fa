//! A database for unit tests of transactions.

use sqlx::Sqlite;
use sqlx::sqlite::{SqlitePool, SqlitePoolOptions};

use super::isolation::Purpose;
use super::open_transaction::OpenTransaction;

/// A database in memory with an empty table, whose only connection the pool has.
pub(super) async fn pool() -> SqlitePool {
    let options = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
    let pool = options.connect("sqlite::memory:").await.expect("SQLite opens");
    sqlx::raw_sql("CREATE TABLE notes (id INTEGER PRIMARY KEY)").execute(&pool).await.expect("the table is new");
    pool
}

pub(super) async fn begun(pool: &SqlitePool) -> OpenTransaction<Sqlite> {
    let connection = pool.acquire().await.expect("the connection is free");
    OpenTransaction::begin(connection, pool, None, Purpose::Work).await.expect("it begins")
}

/// How many notes are committed. Fails if the connection is still inside a transaction.
pub(super) async fn notes(pool: &SqlitePool) -> i64 {
    sqlx::raw_sql("BEGIN; COMMIT").execute(pool).await.expect("no transaction is open");
    sqlx::query_scalar("SELECT count(*) FROM notes").fetch_one(pool).await.expect("the table exists")
}
