//! The transactions of MySQL and MariaDB.
//!
//! Two settings of a session decide where transactions begin and end.
//!
//! - Without `autocommit`, a read opens a transaction and leaves it open on the pooled connection, so later reads still
//!   see the old rows: under MySQL's default level, REPEATABLE READ, the first read takes the snapshot for all that
//!   follow. On such a pool, each page is read in a separate transaction.
//! - With `completion_type = CHAIN`, a COMMIT or ROLLBACK begins the next transaction. It is ended before the
//!   connection goes back to its pool.
//!
//! folio assumes that all sessions of a pool have the same settings, and asks each pool once a minute, because its
//! server may be replaced. sqlx does not show the status with which the server ends each answer, and which has
//! `autocommit`.

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlDatabaseError, MySqlPool};
use sqlx::{MySql, Row as _, SqlSafeStr as _};
use sqlx_core::transaction::begin_ansi_transaction_sql;

use super::pool_facts::PoolFacts;
use super::{Transactional, restart};
use crate::transaction::isolation::{Begin, Isolation, Purpose};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Session {
    /// Whether a statement outside of a transaction commits by itself.
    autocommit: bool,
    /// Whether the end of a transaction begins another one or closes the connection.
    chains: bool,
}

/// How long an answer is trusted.
const TRUSTED: Duration = Duration::from_secs(60);

static SESSIONS: PoolFacts<MySqlConnectOptions, Session> = PoolFacts::new();

impl Session {
    /// The settings of a pool's sessions. `connection` is one of them, and is asked once a minute for each pool.
    async fn of(pool: &MySqlPool, connection: &mut MySqlConnection) -> sqlx::Result<Self> {
        if let Some((session, asked)) = SESSIONS.get(&pool.connect_options())
            && asked.elapsed() < TRUSTED
        {
            return Ok(session);
        }
        // A server of MySQL's protocol that does not have a variable has its default.
        let mut session = Self { autocommit: true, chains: false };
        let sql = "SHOW VARIABLES WHERE Variable_name IN ('autocommit', 'completion_type')";
        for row in sqlx::raw_sql(sql).fetch_all(connection).await? {
            let (name, value): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            match name.as_str() {
                "autocommit" => session.autocommit = value == "ON",
                _ => session.chains = value != "NO_CHAIN",
            }
        }
        SESSIONS.insert(&pool.connect_options(), session);
        Ok(session)
    }
}

impl Transactional for MySql {
    async fn begin(
        connection: &mut Self::Connection,
        pool: &MySqlPool,
        begin: Option<Begin>,
        purpose: Purpose,
    ) -> sqlx::Result<bool> {
        let isolation = begin.map(Begin::isolation).transpose()?;
        let session = Session::of(pool, connection).await?;
        let begin = begin_at_level(isolation, session);
        let mark = if purpose == Purpose::Work { "; SAVEPOINT folio_transaction" } else { "" };
        super::begin::<Self>(connection, Some(sqlx::AssertSqlSafe(format!("{begin}{mark}")).into_sql_str())).await?;
        Ok(session.chains)
    }

    // Inside a transaction this is an error on MySQL and MariaDB. Outside, it only affects the next transaction.
    async fn is_open(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        const CANT_CHANGE_TX_CHARACTERISTICS: u16 = 1568;
        match sqlx::raw_sql("SET TRANSACTION READ WRITE").execute(connection).await {
            Ok(_) => Ok(false),
            Err(error) if number(&error) == Some(CANT_CHANGE_TX_CHARACTERISTICS) => Ok(true),
            Err(error) => Err(error),
        }
    }

    async fn commits_alone(pool: &MySqlPool, connection: &mut Self::Connection) -> sqlx::Result<bool> {
        Ok(Session::of(pool, connection).await?.autocommit)
    }

    async fn end_chain(connection: &mut Self::Connection) -> sqlx::Result<()> {
        sqlx::raw_sql("ROLLBACK AND NO CHAIN NO RELEASE").execute(connection).await.map(drop)
    }

    // Releasing the savepoint looks for it as well. Whatever ended the transaction has removed it. The answer to a
    // statement that was cut short can be taken for that of the release, but not for that of the select.
    async fn confirm(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        const SAVEPOINT_DOES_NOT_EXIST: u16 = 1305;
        match echo(connection, "RELEASE SAVEPOINT folio_transaction; ").await {
            Ok(()) => Ok(true),
            Err(error) if number(&error) == Some(SAVEPOINT_DOES_NOT_EXIST) => Ok(false),
            Err(error) => Err(error),
        }
    }

    restart!(no_answer_is_left);
}

/// The statements that begin a transaction at a level. The level can only be set outside of a transaction. A session
/// that may be inside one commits it first, as BEGIN would do anyway.
fn begin_at_level(isolation: Option<Isolation>, session: Session) -> String {
    let level = match isolation {
        None => return "BEGIN".into(),
        Some(Isolation::ReadCommitted) => "READ COMMITTED",
        Some(Isolation::RepeatableRead) => "REPEATABLE READ",
        Some(Isolation::Serializable) => "SERIALIZABLE",
    };
    // OceanBase knows only the plain COMMIT.
    let commit = match session {
        Session { chains: true, .. } => "COMMIT AND NO CHAIN NO RELEASE; ",
        Session { autocommit: false, .. } => "COMMIT; ",
        Session { .. } => "",
    };
    format!("{commit}SET TRANSACTION ISOLATION LEVEL {level}; BEGIN")
}

/// Selects a number that no other statement selects, after `first`. Only if it comes back, alone, are there no answers
/// left that belong to statements before it.
async fn echo(connection: &mut MySqlConnection, first: &str) -> sqlx::Result<()> {
    // Random, because its keys are.
    let number = RandomState::new().hash_one(()).to_string();
    let sql = sqlx::AssertSqlSafe(format!("{first}SELECT '{number}'"));
    let rows = sqlx::raw_sql(sql).fetch_all(connection).await?;
    match &rows[..] {
        [row] if row.try_get::<String, _>(0).is_ok_and(|answer| answer == number) => Ok(()),
        _ => Err(sqlx::Error::Protocol("the server's answer belongs to a statement that was cut short".into())),
    }
}

/// Fails if an answer is left that belongs to a statement before.
async fn no_answer_is_left(connection: &mut MySqlConnection) -> sqlx::Result<()> {
    echo(connection, "").await
}

fn number(error: &sqlx::Error) -> Option<u16> {
    let error = error.as_database_error()?.try_downcast_ref::<MySqlDatabaseError>()?;
    Some(error.number())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mysql_sets_the_level_before_it_begins() {
        let levels = [Isolation::ReadCommitted, Isolation::RepeatableRead, Isolation::Serializable];
        for (autocommit, chains, commit) in [
            (true, false, ""),
            (false, false, "COMMIT; "),
            (true, true, "COMMIT AND NO CHAIN NO RELEASE; "),
            (false, true, "COMMIT AND NO CHAIN NO RELEASE; "),
        ] {
            let session = Session { autocommit, chains };
            let expected = ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"]
                .map(|level| format!("{commit}SET TRANSACTION ISOLATION LEVEL {level}; BEGIN"));
            assert_eq!(levels.map(|level| begin_at_level(Some(level), session)), expected);
            assert_eq!(begin_at_level(None, session), "BEGIN");
        }
    }
}
