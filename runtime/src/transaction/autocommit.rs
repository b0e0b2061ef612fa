//! MySQL sessions without autocommit.
//!
//! In such a session, a read opens a transaction and leaves it open on the pooled connection, so later reads still see
//! the old rows: under MySQL's default level, REPEATABLE READ, the first read takes the snapshot for all that follow.
//! On such a pool, each page is read in a separate transaction. All sessions of a pool have the same settings, so each
//! pool is asked once.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use sqlx::Row as _;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlPool};

/// Whether the sessions of each pool have autocommit. A weak reference to its options identifies a pool.
static POOLS: Mutex<Vec<(Weak<MySqlConnectOptions>, bool)>> = Mutex::new(Vec::new());

/// Whether the sessions of a pool have autocommit. `connection` is one of them, and is asked once for each pool.
pub(super) async fn is_on(pool: &MySqlPool, connection: &mut MySqlConnection) -> sqlx::Result<bool> {
    let options = pool.connect_options();
    if let Some(is_on) = known(&options) {
        return Ok(is_on);
    }
    let is_on = ask(connection).await?;
    remember(&options, is_on);
    Ok(is_on)
}

/// Stores the answer for a pool, and drops those for pools that no longer exist.
fn remember(options: &Arc<MySqlConnectOptions>, is_on: bool) {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    pools.retain(|(pool, _)| pool.strong_count() > 0);
    pools.push((Arc::downgrade(options), is_on));
}

/// The stored answer for a pool, if it has been asked.
fn known(options: &Arc<MySqlConnectOptions>) -> Option<bool> {
    let pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    // As long as the weak reference exists, the address is not reused.
    pools.iter().find(|(pool, _)| pool.as_ptr() == Arc::as_ptr(options)).map(|(_, is_on)| *is_on)
}

/// Asks a session whether it has autocommit.
async fn ask(connection: &mut MySqlConnection) -> sqlx::Result<bool> {
    let row = sqlx::raw_sql("SELECT @@autocommit").fetch_one(connection).await?;
    Ok(row.try_get::<i64, _>(0)? != 0)
}

#[cfg(test)]
mod tests;
