//! MySQL or MariaDB: a database for each test, on the server that `FOLIO_MYSQL_URL` names.

use std::str::FromStr as _;

use folio::{ConnectionGuard, DB, Result};
use sqlx::mysql::{MySqlConnectOptions, MySqlDatabaseError, MySqlPool, MySqlPoolOptions};
use sqlx::{Executor as _, MySqlConnection};

pub use crate::end::End;
pub use sqlx::MySql as Driver;

/// Text that compares by its bytes.
pub const TEXT: &str = "VARCHAR(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";
/// A statement to run first, and the type of text that compares without case.
pub const FOLDED: (&str, &str) = ("", "VARCHAR(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci");
/// A primary key of 64 bits.
pub const ID: &str = "BIGINT PRIMARY KEY";
/// A moment with microseconds.
pub const MOMENT: &str = "TIMESTAMP(6)";
/// The type of JSON.
pub const JSON: &str = "JSON";
/// Updates the statistics of a table.
pub const ANALYZE: &str = "ANALYZE TABLE {}";
/// Reclaims the space of a table's deleted rows. `None` if the database does so by itself soon enough.
pub const VACUUM: Option<&str> = None;
/// The column types of values that every database can store.
pub mod types {
    pub const BOOL: &str = "BOOLEAN";
    pub const SMALLINT: &str = "SMALLINT";
    pub const INT: &str = "INT";
    pub const BIGINT: &str = "BIGINT";
    pub const FLOAT: &str = "FLOAT";
    pub const DOUBLE: &str = "DOUBLE";
    pub const BYTES: &str = "VARBINARY(200)";
    pub const UUID: &str = "BINARY(16)";
    pub const DATE: &str = "DATE";
    pub const TIME: &str = "TIME(6)";
    pub const DATE_TIME: &str = "DATETIME(6)";
}

/// The quote of identifiers.
pub const QUOTE: char = '`';
/// Whether a savepoint can be dropped at any point without losing the outer transaction. It cannot if a statement is
/// interrupted with it.
pub const RECOVERS: bool = false;

/// A function `fails_once`, whose first call in a session fails with a deadlock.
pub const FAILS_ONCE: &str = "CREATE FUNCTION fails_once() RETURNS BOOLEAN DETERMINISTIC NO SQL BEGIN \
        IF @failed IS NULL THEN \
            SET @failed = 1; SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'lost'; \
        END IF; \
        RETURN true; \
    END";

/// Statements that end a transaction that has inserted row 1 into `notes`.
pub const ENDS: &[End] = &[
    End { sql: "ROLLBACK", commits: false, begins: false },
    End { sql: "COMMIT", commits: true, begins: false },
    End { sql: "COMMIT; BEGIN", commits: true, begins: true },
    End { sql: "ROLLBACK; BEGIN", commits: false, begins: true },
    End { sql: "COMMIT AND CHAIN", commits: true, begins: true },
    End { sql: "START TRANSACTION", commits: true, begins: true },
    End { sql: "CREATE TABLE more (id INTEGER)", commits: true, begins: false },
    End { sql: "ALTER TABLE notes COMMENT = 'more'", commits: true, begins: false },
    End { sql: "TRUNCATE TABLE nowhere", commits: true, begins: false },
];

/// A pool on an empty database.
pub async fn pool(connections: u32) -> MySqlPool {
    let url = std::env::var("FOLIO_MYSQL_URL")
        .expect("FOLIO_MYSQL_URL names a server to test on, such as mysql://root@127.0.0.1/test");
    // sqlx closes each statement that does not fit into its cache, and the server's next response is then 40 ms late (a
    // delayed ACK). The tests send more statements than the default of 100.
    let options = MySqlConnectOptions::from_str(&url).unwrap().statement_cache_capacity(2_048);
    let name = crate::name::next();
    let server = MySqlPoolOptions::new().max_connections(1).connect_with(options.clone()).await.unwrap();
    for sql in [format!("DROP DATABASE IF EXISTS `{name}`"), format!("CREATE DATABASE `{name}`")] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&server).await.unwrap();
    }
    server.close().await;
    MySqlPoolOptions::new().max_connections(connections).connect_with(options.database(&name)).await.unwrap()
}

/// The same as [`pool`], because the database outlives its connections.
pub async fn lasting_pool(connections: u32) -> (MySqlPool, ()) {
    (pool(connections).await, ())
}

/// The connection of the ambient transaction, or one of the default pool.
#[track_caller]
pub fn connection() -> impl Future<Output = Result<ConnectionGuard<Driver>>> {
    DB::mysql()
}

/// Whether a connection is inside a transaction, in which the server does not change the access mode.
pub async fn in_transaction(connection: &mut MySqlConnection) -> bool {
    match connection.execute("SET TRANSACTION READ WRITE").await {
        Ok(_) => false,
        Err(error) => {
            let number = error.as_database_error().and_then(|error| error.try_downcast_ref::<MySqlDatabaseError>());
            assert_eq!(number.map(MySqlDatabaseError::number), Some(1568), "{error}");
            true
        }
    }
}

/// The number of sessions that do not belong to the pool.
pub async fn strays(pool: &MySqlPool) -> i64 {
    let sql = "SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE()";
    let sessions: i64 = sqlx::query_scalar(sql).fetch_one(pool).await.unwrap();
    sessions - i64::from(pool.size())
}

/// The session of a connection, for [`kill`].
pub async fn session(connection: &mut MySqlConnection) -> i64 {
    sqlx::query_scalar("SELECT CAST(CONNECTION_ID() AS SIGNED)").fetch_one(connection).await.unwrap()
}

/// Ends a session, and waits until it has ended.
pub async fn kill(session: i64, pool: &MySqlPool) {
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("KILL {session}"))).execute(pool).await.unwrap();
    let exists = "SELECT EXISTS (SELECT 1 FROM information_schema.processlist WHERE id = ?)";
    while sqlx::query_scalar::<_, bool>(exists).bind(session).fetch_one(pool).await.unwrap() {
        tokio::task::yield_now().await;
    }
}

/// The isolation level of a connection's transaction, by its effects: the server only reports that of the session.
pub async fn isolation(connection: &mut MySqlConnection, others: &MySqlPool) -> Option<&'static str> {
    let counts = "SELECT COUNT(*) FROM levels";
    for sql in ["CREATE TABLE IF NOT EXISTS levels (id INTEGER PRIMARY KEY)", "INSERT IGNORE INTO levels VALUES (1)"] {
        others.execute(sql).await.unwrap();
    }
    let before: i64 = sqlx::query_scalar(counts).fetch_one(&mut *connection).await.unwrap();
    let free = others.execute("SELECT id FROM levels FOR UPDATE NOWAIT").await.is_ok();
    if !free {
        return Some("SERIALIZABLE");
    }
    others.execute("INSERT INTO levels VALUES (2)").await.unwrap();
    let after: i64 = sqlx::query_scalar(counts).fetch_one(&mut *connection).await.unwrap();
    others.execute("DELETE FROM levels WHERE id = 2").await.unwrap();
    Some(if after > before { "READ COMMITTED" } else { "REPEATABLE READ" })
}

/// Whether a deadlock ends the whole transaction.
pub const DEADLOCKS_END: bool = true;

/// Makes a transaction the victim of a deadlock over rows 1 and 2 of `pairs`. Returns its error, or `None` if it has
/// ended.
///
/// The server rolls back the transaction that has changed fewer rows.
pub async fn deadlock(victim: &mut MySqlConnection, pool: &MySqlPool) -> Option<sqlx::Error> {
    victim.execute("UPDATE pairs SET name = 'victim' WHERE id = 1").await.ok()?;
    let mut other = pool.acquire().await.unwrap();
    let rows: Vec<String> = (100..300).map(|id| format!("({id}, '')")).collect();
    let insert = format!("INSERT INTO pairs (id, name) VALUES {}", rows.join(", "));
    for sql in ["BEGIN", &insert, "UPDATE pairs SET name = 'other' WHERE id = 2"] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut *other).await.unwrap();
    }
    let blocked = other.execute("UPDATE pairs SET name = 'other' WHERE id = 1");
    let (blocked, deadlock) = tokio::join!(blocked, victim.execute("UPDATE pairs SET name = 'victim' WHERE id = 2"));
    blocked.unwrap();
    other.execute("ROLLBACK").await.unwrap();
    Some(deadlock.unwrap_err())
}

/// The port of a pool's server.
pub fn port(pool: &MySqlPool) -> u16 {
    pool.connect_options().get_port()
}

/// The protocol, for a proxy.
pub const PROTOCOL: crate::proxy::Protocol = crate::proxy::Protocol::MySql;

/// A pool of a database at another port, without encryption. It connects when it is used.
pub fn at_port(port: u16, pool: &MySqlPool) -> MySqlPool {
    let options = (*pool.connect_options()).clone().host("127.0.0.1").port(port);
    let options = options.ssl_mode(sqlx::mysql::MySqlSslMode::Disabled);
    MySqlPoolOptions::new().max_connections(1).connect_lazy_with(options)
}
