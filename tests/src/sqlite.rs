//! SQLite: a database for each test, in memory.

use folio::{ConnectionGuard, DB, Folio, Key, Keyring, Result};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, Executor as _, SqliteConnection};

pub use crate::end::End;
pub use sqlx::Sqlite as Driver;

/// Text that compares by its bytes.
pub const TEXT: &str = "TEXT";
/// A statement to run first, and the type of text that compares without case.
pub const FOLDED: (&str, &str) = ("", "TEXT COLLATE NOCASE");
/// A primary key of 64 bits.
pub const ID: &str = "INTEGER PRIMARY KEY";
/// A moment with microseconds.
pub const MOMENT: &str = "DATETIME";
/// The type of JSON.
pub const JSON: &str = "TEXT";
/// Updates the statistics of a table.
pub const ANALYZE: &str = "ANALYZE {}";
/// Reclaims the space of a table's deleted rows. `None` if the database does so by itself soon enough.
pub const VACUUM: Option<&str> = None;
/// The column types of values that every database can store.
pub mod types {
    pub const BOOL: &str = "BOOLEAN";
    pub const SMALLINT: &str = "SMALLINT";
    pub const INT: &str = "INT";
    pub const BIGINT: &str = "BIGINT";
    pub const FLOAT: &str = "REAL";
    pub const DOUBLE: &str = "DOUBLE PRECISION";
    pub const BYTES: &str = "BLOB";
    pub const UUID: &str = "BLOB";
    pub const DATE: &str = "DATE";
    pub const TIME: &str = "TIME";
    pub const DATE_TIME: &str = "TEXT";
}

/// The quote of identifiers.
pub const QUOTE: char = '"';
/// Whether a savepoint can be dropped at any point without losing the outer transaction.
pub const RECOVERS: bool = true;

/// Statements that end a transaction that has inserted row 1 into `notes`.
pub const ENDS: &[End] = &[
    End { sql: "ROLLBACK", commits: false, begins: false },
    End { sql: "COMMIT", commits: true, begins: false },
    End { sql: "COMMIT; BEGIN", commits: true, begins: true },
    End { sql: "ROLLBACK; BEGIN", commits: false, begins: true },
    End { sql: "INSERT OR ROLLBACK INTO notes VALUES (1)", commits: false, begins: false },
];

/// A pool on an empty database. It has one connection and keeps it, because each connection has its own database in
/// memory.
pub async fn pool(_connections: u32) -> SqlitePool {
    let options = SqlitePoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
    options.connect("sqlite::memory:").await.unwrap()
}

/// A pool on an empty database that outlives closed connections, and a guard that deletes it.
pub async fn lasting_pool(connections: u32) -> (SqlitePool, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteConnectOptions::new().filename(folder.path().join("test.db")).create_if_missing(true);
    // As in a service: readers and a writer do not wait for each other.
    let options = options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Normal);
    let pool = SqlitePoolOptions::new().max_connections(connections).connect_with(options).await.unwrap();
    (pool, folder)
}

/// An empty database with a schema, and an application on it that has a keyring.
pub async fn folio(schema: &'static str) -> (Folio, SqlitePool) {
    let pool = pool(1).await;
    sqlx::raw_sql(schema).execute(&pool).await.unwrap();
    (Folio::new(pool.clone()).keyring(Keyring::new(Key::generate())), pool)
}

/// The connection of the ambient transaction, or one of the default pool.
#[track_caller]
pub fn connection() -> impl Future<Output = Result<ConnectionGuard<Driver>>> {
    DB::sqlite()
}

/// Whether a connection is inside a transaction, in which SQLite cannot begin another.
pub async fn in_transaction(connection: &mut SqliteConnection) -> bool {
    connection.ping().await.unwrap();
    match connection.execute("BEGIN").await {
        Ok(_) => connection.execute("ROLLBACK").await.is_err(),
        Err(error) => {
            assert!(error.to_string().contains("within a transaction"), "{error}");
            true
        }
    }
}

/// The number of sessions besides those of the pool, or inside a transaction: SQLite has no server.
pub async fn strays(_: &SqlitePool) -> i64 {
    0
}

/// The isolation level of a connection's transaction: SQLite has only one.
pub async fn isolation(_: &mut SqliteConnection, _: &SqlitePool) -> Option<&'static str> {
    None
}

/// Whether a deadlock ends the whole transaction.
pub const DEADLOCKS_END: bool = false;

/// Makes a transaction the victim of a deadlock: SQLite has one writer at a time, so there are none.
pub async fn deadlock(_: &mut SqliteConnection, _: &SqlitePool) -> Option<sqlx::Error> {
    None
}
