//! A database for each test.

use folio::{Folio, Key, Keyring};

use crate::server;

/// A pool of the database that this binary tests.
pub(crate) type Pool = sqlx::Pool<server::Driver>;

/// An empty database with a schema, and an application on it that has a keyring.
pub(crate) async fn folio(schema: &str) -> (Folio, Pool) {
    let pool = server::pool(4).await;
    run(&pool, schema).await;
    (application(&pool), pool)
}

/// As [`folio`], with a pool of so many connections that may be closed, and what keeps the database meanwhile.
pub(crate) async fn lasting(schema: &str, connections: u32) -> (Folio, Pool, impl Sized + use<>) {
    let (pool, kept) = server::lasting_pool(connections).await;
    run(&pool, schema).await;
    (application(&pool), pool, kept)
}

fn application(pool: &Pool) -> Folio {
    Folio::new(pool.clone()).keyring(Keyring::new(Key::generate()))
}

/// Runs statements that have no parameters.
pub(crate) async fn run(pool: &Pool, sql: impl Into<String>) {
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.into())).execute(pool).await.unwrap();
}

/// Runs a statement where the task is: in its transaction, else on the default pool.
pub(crate) async fn here(sql: impl Into<String>) -> folio::Result<()> {
    sqlx::query(sqlx::AssertSqlSafe(sql.into())).execute(&mut *server::connection().await?).await?;
    Ok(())
}

/// A name in quotes.
pub(crate) fn quoted(name: &str) -> String {
    format!("{0}{name}{0}", server::QUOTE)
}

/// A runtime for tests that are not async themselves.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}
