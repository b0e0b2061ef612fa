//! What the database's catalog says about tables, looked up at most once a minute for each table and pool.
//!
//! A cursor page needs it for two decisions:
//!
//! - Can a column be NULL although its field is not an `Option`? Then a condition without the NULLs would leave rows
//!   out.
//! - Which form of a page reads along an index, on this version of the server and with these indexes?
//!
//! The queries themselves are in the drivers. If the catalog cannot be read, pages are still correct, but possibly
//! slower.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Lease;
use crate::dialect::catalog::TableInfo;
use crate::driver::Driver;
use crate::model::table::Table;
use crate::pool::PoolId;

/// How long an answer is cached. A migration can change the table while the service runs.
const TRUSTED: Duration = Duration::from_secs(60);

/// The maximum number of cached answers. A service needs one for each model and pool.
const MOST: usize = 1_024;

/// A pool, and the address of a static table.
type Key = (PoolId, usize);
type Answers = HashMap<Key, (Instant, Arc<TableInfo>)>;

static ANSWERS: Mutex<Option<Answers>> = Mutex::new(None);

/// What the catalog says about a table; `None` if it cannot be read. Without a pool, it is not known which database
/// answers, so nothing is cached.
pub(crate) async fn of<D: Driver>(
    lease: &mut Lease<'_, D>,
    table: &'static Table,
    pool: Option<&PoolId>,
) -> Option<Arc<TableInfo>> {
    let key = pool.map(|pool| key(table, pool));
    if let Some(answer) = key.as_ref().and_then(known) {
        return Some(answer);
    }
    match lease.table_info(table).await {
        Ok(info) => {
            let info = Arc::new(info);
            if let Some(key) = key {
                remember(key, info.clone());
            }
            Some(info)
        }
        Err(error) => {
            tracing::debug!(%error, table = table.name, "failed to look up a table in the catalog");
            None
        }
    }
}

/// Drops the cached answer for a table, because a statement named an index that no longer exists.
pub(crate) fn forget(table: &'static Table, pool: Option<&PoolId>) {
    let Some(pool) = pool else { return };
    let mut answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(answers) = answers.as_mut() {
        answers.remove(&key(table, pool));
    }
}

fn key(table: &'static Table, pool: &PoolId) -> Key {
    (pool.clone(), std::ptr::from_ref(table).addr())
}

fn known(key: &Key) -> Option<Arc<TableInfo>> {
    let answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    let (at, answer) = answers.as_ref()?.get(key)?;
    (at.elapsed() < TRUSTED).then(|| answer.clone())
}

fn remember(key: Key, answer: Arc<TableInfo>) {
    let mut answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    let answers = answers.get_or_insert_default();
    if answers.len() >= MOST {
        answers.clear();
    }
    answers.insert(key, (Instant::now(), answer));
}
