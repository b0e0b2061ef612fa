//! SQLite: a database for each test, in memory.

mod end;

use std::ops::DerefMut;

use folio::{DB, Result};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, Executor as _, SqliteConnection};

pub(crate) use self::end::End;
pub(crate) use sqlx::Sqlite as Driver;

/// Text that compares by its bytes.
pub(crate) const TEXT: &str = "TEXT";
/// What creates text that compares without case, and its type.
pub(crate) const FOLDED: (&str, &str) = ("", "TEXT COLLATE NOCASE");
/// A primary key of 64 bits.
pub(crate) const ID: &str = "INTEGER PRIMARY KEY";
/// A moment to the microsecond.
pub(crate) const MOMENT: &str = "DATETIME";
/// What JSON is kept in.
pub(crate) const JSON: &str = "TEXT";
/// Has the statistics of a table made anew.
pub(crate) const ANALYZE: &str = "ANALYZE {}";
/// What a name is quoted with.
pub(crate) const QUOTE: char = '"';
/// Whether a savepoint can be dropped at any point without the transaction around it.
pub(crate) const RECOVERS: bool = true;

/// Statements that end a transaction in which `notes` has got a row 1.
pub(crate) const ENDS: &[End] = &[
    End { sql: "ROLLBACK", commits: false, begins: false },
    End { sql: "COMMIT", commits: true, begins: false },
    End { sql: "COMMIT; BEGIN", commits: true, begins: true },
    End { sql: "ROLLBACK; BEGIN", commits: false, begins: true },
    End { sql: "INSERT OR ROLLBACK INTO notes VALUES (1)", commits: false, begins: false },
];

/// A pool on an empty database of its own: of one connection, for in memory each has a database of its own.
pub(crate) async fn pool(_connections: u32) -> SqlitePool {
    SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await.unwrap()
}

/// A pool on an empty database that outlives a connection that its pool closes, and what keeps it.
pub(crate) async fn lasting_pool(connections: u32) -> (SqlitePool, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteConnectOptions::new().filename(folder.path().join("test.db")).create_if_missing(true);
    // As a service has it: readers and a writer do not wait for each other.
    let options = options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Normal);
    let pool = SqlitePoolOptions::new().max_connections(connections).connect_with(options).await.unwrap();
    (pool, folder)
}

/// The connection of the ambient transaction, else one of the default pool.
pub(crate) async fn connection() -> Result<impl DerefMut<Target = SqliteConnection>> {
    DB::sqlite().await
}

/// Whether a connection is inside a transaction: SQLite does not begin another there.
pub(crate) async fn in_transaction(connection: &mut SqliteConnection) -> bool {
    connection.ping().await.unwrap();
    match connection.execute("BEGIN").await {
        Ok(_) => connection.execute("ROLLBACK").await.is_err(),
        Err(error) => {
            assert!(error.to_string().contains("within a transaction"), "{error}");
            true
        }
    }
}

/// How many sessions the server has beside the pool's, or inside a transaction: there is no server.
pub(crate) async fn strays(_: &SqlitePool) -> i64 {
    0
}

/// The isolation level of a connection's transaction: SQLite has one, and no name for it.
pub(crate) async fn isolation(_: &mut SqliteConnection, _: &SqlitePool) -> Option<&'static str> {
    None
}

/// Whether a deadlock ends the whole transaction.
pub(crate) const DEADLOCKS_END: bool = false;

/// Makes a transaction the victim of a deadlock: SQLite has one writer at a time, so there are none.
pub(crate) async fn deadlock(_: &mut SqliteConnection, _: &SqlitePool) -> Option<sqlx::Error> {
    None
}
