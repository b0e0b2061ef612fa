//! A database for each test.

use folio::{Folio, Key, Keyring};
use sqlx::SqlitePool;
use sqlx::sqlite::SqlitePoolOptions;

/// An empty database with a schema, and an application on it that has a keyring.
pub(crate) async fn folio(schema: &'static str) -> (Folio, SqlitePool) {
    // In memory there is one database a connection.
    let pool = SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await.unwrap();
    sqlx::raw_sql(schema).execute(&pool).await.unwrap();
    (Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())), pool)
}

/// A runtime for tests that are not async themselves.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// As [`folio`], in a file that lives as long as the folder: it outlives a connection that its pool closes.
pub(crate) async fn on_disk(schema: &'static str) -> (Folio, SqlitePool, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options =
        sqlx::sqlite::SqliteConnectOptions::new().filename(folder.path().join("test.db")).create_if_missing(true);
    let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
    sqlx::raw_sql(schema).execute(&pool).await.unwrap();
    (Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())), pool, folder)
}
