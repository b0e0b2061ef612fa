//! SQLite's transactions.

use std::time::Instant;

use futures_util::future::BoxFuture;
use sqlx::{Connection as _, SqlSafeStr as _};
use sqlx_core::transaction::{TransactionManager as _, begin_ansi_transaction_sql};

use super::{Manager, Transactional, restart};
use crate::transaction::isolation::{Begin, Purpose};

/// How many of SQLite's instructions run between two looks at the clock: less than a millisecond.
const INSTRUCTIONS: i32 = 1_000;

impl Transactional for sqlx::Sqlite {
    // Outside of a transaction, SAVEPOINT begins one with a name.
    async fn begin(
        connection: &mut Self::Connection,
        _: &sqlx::SqlitePool,
        begin: Option<Begin>,
        purpose: Purpose,
    ) -> sqlx::Result<bool> {
        let begin = match begin {
            Some(Begin::Immediate) => "BEGIN IMMEDIATE; SAVEPOINT folio_transaction",
            _ if purpose == Purpose::Work => "SAVEPOINT folio_transaction",
            _ => "BEGIN",
        };
        super::begin::<Self>(connection, Some(begin.into_sql_str())).await?;
        if let Purpose::Reads { limit: Some(limit) } = purpose {
            let begun = Instant::now();
            let is_in_time = move || begun.elapsed() < limit;
            connection.lock_handle().await?.set_progress_handler(INSTRUCTIONS, is_in_time);
        }
        Ok(false)
    }

    // If a statement was cut short, the handler has to end it first. The ping waits for that. The lock alone does not:
    // sqlx's thread may not have begun the statement yet, and may not hold the lock either.
    async fn end_limit(connection: &mut Self::Connection) -> sqlx::Result<()> {
        connection.ping().await?;
        connection.lock_handle().await?.remove_progress_handler();
        Ok(())
    }

    // SQLite has no statement that tells. A BEGIN inside a transaction fails; outside, it begins one, which `restart`
    // rolls back.
    async fn is_open(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        match sqlx::raw_sql("BEGIN").execute(connection).await {
            Ok(_) => Ok(false),
            Err(error) if says(&error, "within a transaction") => Ok(true),
            Err(error) => Err(error),
        }
    }

    // The mark is looked for by the commit itself, which releases it.
    async fn confirm(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        Self::is_open(connection).await
    }

    async fn commit_confirmed(connection: &mut Self::Connection) -> sqlx::Result<bool> {
        match sqlx::raw_sql("RELEASE folio_transaction").execute(&mut *connection).await {
            Ok(_) => {
                // If the mark had begun the transaction, its release has committed it. sqlx only counts its own
                // commits, so it commits an empty one.
                let is_committed = sqlx::raw_sql("BEGIN").execute(&mut *connection).await.is_ok();
                let ended = Manager::<Self>::commit(connection).await;
                if is_committed { Ok(true) } else { ended.map(|()| true) }
            }
            Err(error) if says(&error, "no such savepoint") => Ok(false),
            Err(error) => Err(error),
        }
    }

    restart!();
}

/// Whether the database's message contains a text. SQLite has one code for all errors of this kind.
fn says(error: &sqlx::Error, what: &str) -> bool {
    error.as_database_error().is_some_and(|error| error.message().contains(what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transaction::tests::{begun, notes, pool};

    #[tokio::test]
    async fn sqlx_counts_a_commit_of_the_marked_transaction() {
        let pool = pool().await;
        let mut open = begun(&pool).await;
        sqlx::raw_sql("INSERT INTO notes VALUES (1)").execute(&mut *open).await.expect("the table is empty");
        assert!(sqlx::Sqlite::commit_confirmed(&mut open).await.expect("it is open"));
        assert_eq!(open.depth(), 0);
        drop(open);
        assert_eq!(notes(&pool).await, 1);
    }

    #[tokio::test]
    async fn an_error_of_sqlite_is_recognized_by_its_message() {
        let error = sqlx::raw_sql("RELEASE mine").execute(&pool().await).await.expect_err("no savepoint is set");
        assert!(says(&error, "no such savepoint") && !says(&error, "within a transaction"));
        assert!(!says(&sqlx::Error::PoolClosed, "no such savepoint"));
    }
}
