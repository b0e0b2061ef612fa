//! PostgreSQL: a schema for each test, on the server that `FOLIO_POSTGRES_URL` names.

use std::str::FromStr as _;

use folio::{ConnectionGuard, DB, Result};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{Executor as _, PgConnection};

pub use crate::end::End;
pub use sqlx::Postgres as Driver;

/// Text that compares by its bytes.
pub const TEXT: &str = "TEXT COLLATE \"C\"";
/// A statement to run first, and the type of text that compares without case.
pub const FOLDED: (&str, &str) = (
    "CREATE COLLATION folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);",
    "TEXT COLLATE folded",
);
/// A primary key of 64 bits.
pub const ID: &str = "BIGINT PRIMARY KEY";
/// A moment with microseconds.
pub const MOMENT: &str = "TIMESTAMPTZ";
/// The type of JSON.
pub const JSON: &str = "JSONB";
/// Updates the statistics of a table.
pub const ANALYZE: &str = "ANALYZE {}";
/// Reclaims the space of a table's deleted rows. `None` if the database does so by itself soon enough.
pub const VACUUM: Option<&str> = Some("VACUUM {}");
/// The column types of values that every database can store.
pub mod types {
    pub const BOOL: &str = "BOOLEAN";
    pub const SMALLINT: &str = "SMALLINT";
    pub const INT: &str = "INTEGER";
    pub const BIGINT: &str = "BIGINT";
    pub const FLOAT: &str = "REAL";
    pub const DOUBLE: &str = "DOUBLE PRECISION";
    pub const BYTES: &str = "BYTEA";
    pub const UUID: &str = "UUID";
    pub const DATE: &str = "DATE";
    pub const TIME: &str = "TIME";
    pub const DATE_TIME: &str = "TIMESTAMP";
}

/// The quote of identifiers.
pub const QUOTE: char = '"';
/// Whether a savepoint can be dropped at any point without losing the outer transaction.
pub const RECOVERS: bool = true;

/// A function `fails_once`, whose first call fails with a serialization failure.
pub const FAILS_ONCE: &str = "CREATE SEQUENCE failures; \
    CREATE FUNCTION fails_once() RETURNS BOOLEAN LANGUAGE plpgsql AS $$ BEGIN \
        IF nextval('failures') = 1 THEN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END IF; RETURN true; \
    END $$";

/// Statements that end a transaction that has inserted row 1 into `notes`.
pub const ENDS: &[End] = &[
    End { sql: "ROLLBACK", commits: false, begins: false },
    End { sql: "COMMIT", commits: true, begins: false },
    End { sql: "COMMIT; BEGIN", commits: true, begins: true },
    End { sql: "ROLLBACK; BEGIN", commits: false, begins: true },
    End { sql: "COMMIT AND CHAIN", commits: true, begins: true },
    End { sql: "ROLLBACK AND CHAIN", commits: false, begins: true },
];

/// A pool on an empty schema, whose name is also the application name of its sessions.
pub async fn pool(connections: u32) -> PgPool {
    let url = std::env::var("FOLIO_POSTGRES_URL")
        .expect("FOLIO_POSTGRES_URL names a server to test on, such as postgres://postgres@127.0.0.1/test");
    let options = PgConnectOptions::from_str(&url).unwrap();
    let name = crate::name::next();
    let server = PgPoolOptions::new().max_connections(1).connect_with(options.clone()).await.unwrap();
    let sql = format!("DROP SCHEMA IF EXISTS \"{name}\" CASCADE; CREATE SCHEMA \"{name}\"");
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&server).await.unwrap();
    server.close().await;
    let options = options.application_name(&name).options([("search_path", format!("\"{name}\""))]);
    PgPoolOptions::new().max_connections(connections).connect_with(options).await.unwrap()
}

/// A pool on an empty database of its own with another encoding than the server's.
pub async fn pool_in_encoding(encoding: &str) -> PgPool {
    let server = pool(1).await;
    let name = format!("{}_{}", server.connect_options().get_application_name().unwrap(), encoding.to_lowercase());
    let create = format!("CREATE DATABASE \"{name}\" TEMPLATE template0 ENCODING '{encoding}' LOCALE 'C'");
    for sql in [format!("DROP DATABASE IF EXISTS \"{name}\" WITH (FORCE)"), create] {
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&server).await.unwrap();
    }
    let options =
        PgConnectOptions::clone(&server.connect_options()).database(&name).options([("search_path", "public")]);
    PgPoolOptions::new().max_connections(2).connect_with(options).await.unwrap()
}

/// The same as [`pool`], because the database outlives its connections.
pub async fn lasting_pool(connections: u32) -> (PgPool, ()) {
    (pool(connections).await, ())
}

/// The connection of the ambient transaction, or one of the default pool.
#[track_caller]
pub fn connection() -> impl Future<Output = Result<ConnectionGuard<Driver>>> {
    DB::postgres()
}

/// Whether a connection is inside a transaction: only there PostgreSQL sets savepoints.
pub async fn in_transaction(connection: &mut PgConnection) -> bool {
    match connection.execute("SAVEPOINT inside").await {
        Ok(_) => true,
        Err(error) => error.as_database_error().and_then(|error| error.code()).as_deref() != Some("25P01"),
    }
}

/// The number of sessions besides those of the pool, plus those inside a transaction.
pub async fn strays(pool: &PgPool) -> i64 {
    let sql = "SELECT COUNT(*) + COUNT(*) FILTER (WHERE state LIKE 'idle in transaction%') FROM pg_stat_activity \
               WHERE application_name = current_setting('application_name')";
    let sessions: i64 = sqlx::query_scalar(sql).fetch_one(pool).await.unwrap();
    sessions - i64::from(pool.size())
}

/// The session of a connection, for [`kill`].
pub async fn session(connection: &mut PgConnection) -> i64 {
    sqlx::query_scalar("SELECT pg_backend_pid()::bigint").fetch_one(connection).await.unwrap()
}

/// Ends a session, and waits until it has ended.
pub async fn kill(session: i64, pool: &PgPool) {
    let end = sqlx::query_scalar("SELECT pg_terminate_backend($1::integer, 10000)").bind(session);
    let has_ended: bool = end.fetch_one(pool).await.unwrap();
    assert!(has_ended, "the session goes on");
}

/// The isolation level of a connection's transaction.
pub async fn isolation(connection: &mut PgConnection, _: &PgPool) -> Option<&'static str> {
    let level: String = sqlx::query_scalar("SHOW transaction_isolation").fetch_one(connection).await.unwrap();
    let levels = ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"];
    Some(levels.into_iter().find(|name| level.eq_ignore_ascii_case(name)).unwrap())
}

/// Whether a deadlock ends the whole transaction.
pub const DEADLOCKS_END: bool = false;

/// Makes a transaction the victim of a deadlock over rows 1 and 2 of `pairs`. Returns its error, or `None` if it has
/// ended.
///
/// The server checks for deadlocks when a session has waited for some time, and ends that session's statement.
pub async fn deadlock(victim: &mut PgConnection, pool: &PgPool) -> Option<sqlx::Error> {
    victim.execute("SET LOCAL deadlock_timeout = '1ms'; UPDATE pairs SET name = 'victim' WHERE id = 1").await.ok()?;
    let mut other = pool.acquire().await.unwrap();
    let session: i32 = sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(&mut *other).await.unwrap();
    other
        .execute("BEGIN; SET LOCAL deadlock_timeout = '1min'; UPDATE pairs SET name = 'other' WHERE id = 2")
        .await
        .unwrap();
    let blocked = other.execute("UPDATE pairs SET name = 'other' WHERE id = 1");
    let victim = async {
        let waits = "SELECT EXISTS (SELECT FROM pg_locks WHERE pid = $1 AND NOT granted)";
        while !sqlx::query_scalar::<_, bool>(waits).bind(session).fetch_one(pool).await.unwrap() {
            tokio::task::yield_now().await;
        }
        victim.execute("UPDATE pairs SET name = 'victim' WHERE id = 2").await
    };
    let (blocked, deadlock) = tokio::join!(blocked, victim);
    blocked.unwrap();
    other.execute("ROLLBACK").await.unwrap();
    Some(deadlock.unwrap_err())
}

/// The port of a pool's server.
pub fn port(pool: &PgPool) -> u16 {
    pool.connect_options().get_port()
}

/// The protocol, for a proxy.
pub const PROTOCOL: crate::proxy::Protocol = crate::proxy::Protocol::Postgres;

/// A pool of a database at another port, without encryption. It connects when it is used.
pub fn at_port(port: u16, pool: &PgPool) -> PgPool {
    let options = (*pool.connect_options()).clone().host("127.0.0.1").port(port);
    let options = options.ssl_mode(sqlx::postgres::PgSslMode::Disable);
    PgPoolOptions::new().max_connections(1).connect_lazy_with(options)
}
