//! A database for each test.

use folio::{Folio, Key, Keyring};
use folio_tests::recorder::take_statements;

use crate::server;

/// A pool of the database that this binary tests.
pub(crate) type Pool = sqlx::Pool<server::Driver>;

/// An empty database with a schema, and an application on it that has a keyring.
pub(crate) async fn folio(schema: &str) -> (Folio, Pool) {
    let pool = server::pool(4).await;
    run(&pool, schema).await;
    (application(&pool), pool)
}

/// The same with a pool of `connections` that may be closed, and a guard that keeps the database.
pub(crate) async fn lasting(schema: &str, connections: u32) -> (Folio, Pool, impl Sized + use<>) {
    let (pool, kept) = server::lasting_pool(connections).await;
    run(&pool, schema).await;
    (application(&pool), pool, kept)
}

pub(crate) fn application(pool: &Pool) -> Folio {
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()))
}

/// Runs statements that have no parameters.
pub(crate) async fn run(pool: &Pool, sql: impl Into<String>) {
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.into())).execute(pool).await.unwrap();
}

/// Runs a statement in the task's transaction, or on the default pool.
pub(crate) async fn here(sql: impl Into<String>) -> folio::Result<()> {
    sqlx::query(sqlx::AssertSqlSafe(sql.into())).execute(&mut *server::connection().await?).await?;
    Ok(())
}

/// A name in quotes.
pub(crate) fn quoted(name: &str) -> String {
    format!("{0}{name}{0}", server::QUOTE)
}

/// The SELECTs over a table that ran since the last call. Needs `record_statements`.
pub(crate) fn selects(table: &str) -> Vec<String> {
    let is_select = |sql: &str| ["SELECT", "WITH"].iter().any(|word| sql.trim_start_matches('(').starts_with(word));
    take_statements(|sql| is_select(sql) && sql.contains(&quoted(table)))
}

/// A runtime for tests that are not async.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}
