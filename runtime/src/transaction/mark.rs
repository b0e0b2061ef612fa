//! How a transaction of PostgreSQL begins and is marked: with one message or with two.
//!
//! PgDog refuses SET beside another statement in one message. The first transaction of a pool finds out, and later ones
//! begin with two messages, which take one round trip more.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool};
use sqlx::{Postgres, SqlSafeStr as _};
use sqlx_core::transaction::TransactionManager as _;

/// Marks a transaction. `SELECT set_config(..)` would take its snapshot, after which its level can no longer be set.
const MARK: &str = "SET LOCAL folio.transaction = 'open'";

/// The pools whose server refuses one message. A weak reference to its options identifies a pool.
static SEPARATE: Mutex<Vec<Weak<PgConnectOptions>>> = Mutex::new(Vec::new());

type Manager = <Postgres as sqlx::Database>::TransactionManager;

/// Begins a transaction with this statement, and marks it.
pub(super) async fn begin(connection: &mut PgConnection, pool: &PgPool, begin: &'static str) -> sqlx::Result<()> {
    if is_separate(pool) {
        return begin_separately(connection, begin).await;
    }
    let both = sqlx::AssertSqlSafe(format!("{begin}; {MARK}"));
    match Manager::begin(connection, Some(both.into_sql_str())).await {
        Err(sqlx::Error::Database(refusal)) => {
            // If two messages fail as well, they were not the reason.
            begin_separately(connection, begin).await.map_err(|_| sqlx::Error::Database(refusal))?;
            remember(pool);
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

fn is_separate(pool: &PgPool) -> bool {
    let options = pool.connect_options();
    let pools = SEPARATE.lock().unwrap_or_else(PoisonError::into_inner);
    // As long as the weak reference exists, the address is not reused.
    pools.iter().any(|pool| pool.as_ptr() == Arc::as_ptr(&options))
}

/// Remembers a pool, and forgets those that no longer exist.
fn remember(pool: &PgPool) {
    let mut pools = SEPARATE.lock().unwrap_or_else(PoisonError::into_inner);
    pools.retain(|pool| pool.strong_count() > 0);
    pools.push(Arc::downgrade(&pool.connect_options()));
}
