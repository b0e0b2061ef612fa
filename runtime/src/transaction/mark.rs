//! How a transaction of PostgreSQL begins and is marked: with one message or with two.
//!
//! PgDog refuses SET beside another statement in one message. The first transaction of a pool finds out, and later ones
//! begin with two messages, which take one round trip more.

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool};
use sqlx::{Postgres, SqlSafeStr as _};
use sqlx_core::transaction::TransactionManager as _;

use super::known::Known;

/// Marks a transaction. `SELECT set_config(..)` would take its snapshot, after which its level can no longer be set.
const MARK: &str = "SET LOCAL folio.transaction = 'open'";

/// The pools whose server refuses one message.
static SEPARATE: Known<PgConnectOptions, ()> = Known::new();

type Manager = <Postgres as sqlx::Database>::TransactionManager;

/// Begins a transaction with this statement, and marks it.
pub(super) async fn begin(connection: &mut PgConnection, pool: &PgPool, begin: &'static str) -> sqlx::Result<()> {
    if SEPARATE.get(&pool.connect_options()).is_some() {
        return begin_separately(connection, begin).await;
    }
    let both = sqlx::AssertSqlSafe(format!("{begin}; {MARK}"));
    match Manager::begin(connection, Some(both.into_sql_str())).await {
        Err(sqlx::Error::Database(refusal)) => {
            // If two messages fail as well, they were not the reason.
            begin_separately(connection, begin).await.map_err(|_| sqlx::Error::Database(refusal))?;
            SEPARATE.insert(&pool.connect_options(), ());
            Ok(())
        }
        begun => begun,
    }
}

/// If this fails, the connection is closed, which rolls back.
async fn begin_separately(connection: &mut PgConnection, begin: &'static str) -> sqlx::Result<()> {
    Manager::begin(connection, Some(begin.into_sql_str())).await?;
    sqlx::raw_sql(MARK).execute(connection).await.map(drop)
}
