//! PostgreSQL's transactions.

use futures_util::future::{BoxFuture, FutureExt as _};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool};
use sqlx::{Connection as _, Postgres, SqlSafeStr as _};
use sqlx_core::transaction::begin_ansi_transaction_sql;

use super::pool_facts::PoolFacts;
use super::{SAVE_READS, Transactional, restart};
use crate::driver::{Driver as _, milliseconds};
use crate::transaction::isolation::{Begin, Isolation, Purpose};

/// Marks a transaction. `SELECT set_config(..)` would take its snapshot, after which its level can no longer be set.
const MARK: &str = "SET LOCAL folio.transaction = 'open'";

/// The pools whose server refuses to begin a transaction and change a setting in one message, as PgDog does.
static SEPARATE_MESSAGES: PoolFacts<PgConnectOptions, ()> = PoolFacts::new();

impl Transactional for Postgres {
    // A setting, because a savepoint would use up one more transaction id for each transaction.
    async fn begin(
        connection: &mut Self::Connection,
        pool: &PgPool,
        begin: Option<Begin>,
        purpose: Purpose,
    ) -> sqlx::Result<bool> {
        let begin = begin.map(Begin::isolation).transpose()?.map_or("BEGIN", begin_at);
        let set: Vec<String> = match purpose {
            Purpose::Work => vec![MARK.to_owned()],
            Purpose::Reads { limit } => {
                let limit = limit.map(|limit| format!("SET LOCAL statement_timeout = {}", milliseconds(limit)));
                let save = (!Self::persistent(pool)).then(|| SAVE_READS.to_owned());
                limit.into_iter().chain(save).collect()
            }
        };
        match set.is_empty() {
            true => super::begin::<Self>(connection, Some(begin.into_sql_str())).await?,
            false => begin_and_set(connection, pool, begin, &set).await?,
        }
        Ok(false)
    }

    async fn begin_on_borrowed(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        if !is_outside(connection).await? {
            return Ok(false);
        }
        let begun = Unanswered(connection);
        let both = sqlx::AssertSqlSafe(format!("BEGIN; {SAVE_READS}"));
        match super::begin::<Self>(begun.0, Some(both.into_sql_str())).await {
            // A proxy may refuse two statements in one message.
            Err(sqlx::Error::Database(_)) => super::begin::<Self>(begun.0, None).await?,
            both => both?,
        }
        Ok(true)
    }

    async fn is_open(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        /// After an error, PostgreSQL refuses statements until the transaction is rolled back. It is still open.
        const IN_FAILED_TRANSACTION: &str = "25P02";
        match is_marked(connection).await {
            Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(IN_FAILED_TRANSACTION) => Ok(true),
            marked => marked,
        }
    }

    // After an error, COMMIT rolls back and reports success. Looking for the mark fails instead, with SQLSTATE 25P02.
    async fn confirm(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        is_marked(connection).await
    }

    restart!();
}

/// Whether a connection is certain to be outside of a transaction. sqlx does not know of transactions that SQL text began.
/// A savepoint can only be set inside of one.
async fn is_outside(connection: &mut PgConnection) -> sqlx::Result<bool> {
    const NO_ACTIVE_TRANSACTION: &str = "25P01";
    if connection.is_in_transaction() {
        return Ok(false);
    }
    match sqlx::raw_sql("SAVEPOINT folio_page").execute(&mut *connection).await {
        Ok(_) => sqlx::raw_sql("RELEASE SAVEPOINT folio_page").execute(connection).await.map(|_| false),
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(NO_ACTIVE_TRANSACTION) => Ok(true),
        Err(error) => Err(error),
    }
}

/// A connection on which a transaction begins. If it is dropped before sqlx has counted the transaction, a ROLLBACK
/// follows the BEGIN.
struct Unanswered<'c>(&'c mut PgConnection);

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        if !self.0.is_in_transaction() {
            // sqlx has no method that queues a statement. Its `begin` does so when it is polled first, without waiting
            // for earlier answers, and skips this one later.
            let _ = super::begin::<Postgres>(self.0, Some("ROLLBACK".into_sql_str())).now_or_never();
        }
    }
}

const fn begin_at(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::ReadCommitted => "BEGIN ISOLATION LEVEL READ COMMITTED",
        Isolation::RepeatableRead => "BEGIN ISOLATION LEVEL REPEATABLE READ",
        Isolation::Serializable => "BEGIN ISOLATION LEVEL SERIALIZABLE",
    }
}

/// Begins a transaction and prepares it by these statements, in one message if the server accepts that. The first
/// transaction of a pool finds out; a message for each statement takes as many round trips more.
async fn begin_and_set(
    connection: &mut PgConnection,
    pool: &PgPool,
    begin: &'static str,
    set: &[String],
) -> sqlx::Result<()> {
    // If one of them fails, the connection is closed, which rolls back.
    let together = sqlx::AssertSqlSafe(format!("{begin}; {}", set.join("; ")));
    let apart = async |connection: &mut PgConnection| {
        super::begin::<Postgres>(connection, Some(begin.into_sql_str())).await?;
        for statement in set {
            sqlx::raw_sql(sqlx::AssertSqlSafe(statement.clone())).execute(&mut *connection).await?;
        }
        Ok(())
    };
    if SEPARATE_MESSAGES.get(&pool.connect_options()).is_some() {
        return apart(connection).await;
    }
    match super::begin::<Postgres>(connection, Some(together.into_sql_str())).await {
        Err(sqlx::Error::Database(refusal)) => {
            // If separate messages fail as well, the single one was not the reason.
            apart(connection).await.map_err(|_| sqlx::Error::Database(refusal))?;
            SEPARATE_MESSAGES.insert(&pool.connect_options(), ());
            Ok(())
        }
        begun => begun,
    }
}

/// Whether the connection's transaction is the one that was marked.
///
/// SHOW takes no snapshot, unlike a SELECT, after which the caller could no longer set the transaction's level. It
/// fails on a connection that never had the setting.
async fn is_marked(connection: &mut PgConnection) -> sqlx::Result<bool> {
    const UNDEFINED_OBJECT: &str = "42704";
    match sqlx::raw_sql("SHOW folio.transaction").fetch_one(connection).await {
        Ok(row) => Ok(sqlx::Row::try_get::<String, _>(&row, 0)? == "open"),
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(UNDEFINED_OBJECT) => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postgresql_begins_at_a_level_in_one_statement() {
        let levels = [Isolation::ReadCommitted, Isolation::RepeatableRead, Isolation::Serializable];
        let expected = [
            "BEGIN ISOLATION LEVEL READ COMMITTED",
            "BEGIN ISOLATION LEVEL REPEATABLE READ",
            "BEGIN ISOLATION LEVEL SERIALIZABLE",
        ];
        assert_eq!(levels.map(begin_at), expected);
    }
}
