//! Two settings of MySQL sessions that decide where transactions begin and end.
//!
//! - Without `autocommit`, a read opens a transaction and leaves it open on the pooled connection, so later reads still see
//!   the old rows: under MySQL's default level, REPEATABLE READ, the first read takes the snapshot for all that follow.
//!   On such a pool, each page is read in a separate transaction.
//! - With `completion_type = CHAIN`, a COMMIT or ROLLBACK begins the next transaction. It is ended before the connection
//!   goes back to its pool.
//!
//! folio assumes that all sessions of a pool have the same settings, and asks each pool once a minute, because its server may
//! be replaced. sqlx does not show the status with which the server ends each answer, and which has `autocommit`.

use std::time::Duration;

use sqlx::Row as _;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlPool};

use super::known::Known;

/// The settings of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Session {
    /// Whether a statement outside of a transaction commits by itself.
    pub(super) autocommit: bool,
    /// Whether the end of a transaction begins another one or closes the connection.
    pub(super) chains: bool,
}

/// How long an answer is trusted.
const TRUSTED: Duration = Duration::from_secs(60);

static POOLS: Known<MySqlConnectOptions, Session> = Known::new();

/// The settings of a pool's sessions. `connection` is one of them, and is asked once a minute for each pool.
pub(super) async fn of(pool: &MySqlPool, connection: &mut MySqlConnection) -> sqlx::Result<Session> {
    if let Some(session) = POOLS.within(TRUSTED, &pool.connect_options()) {
        return Ok(session);
    }
    let session = ask(connection).await?;
    POOLS.insert(&pool.connect_options(), session);
    Ok(session)
}

/// The settings of a pool's sessions, if one was ever asked.
pub(super) fn known(pool: &MySqlPool) -> Option<Session> {
    POOLS.get(&pool.connect_options())
}

/// Asks a session. A server of MySQL's protocol that does not have a variable has its default.
async fn ask(connection: &mut MySqlConnection) -> sqlx::Result<Session> {
    let sql = "SHOW VARIABLES WHERE Variable_name IN ('autocommit', 'completion_type')";
    let mut session = Session { autocommit: true, chains: false };
    for row in sqlx::raw_sql(sql).fetch_all(connection).await? {
        let (name, value): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        match name.as_str() {
            "autocommit" => session.autocommit = value == "ON",
            _ => session.chains = value != "NO_CHAIN",
        }
    }
    Ok(session)
}
