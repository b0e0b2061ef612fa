//! What the database's catalog says about tables, looked up at most once a minute for each table and pool.
//!
//! A cursor page needs it for two decisions:
//!
//! - Can a column be NULL although its field is not an `Option`? Then a condition without the NULLs would leave rows
//!   out.
//! - Which form of a page reads along an index, on this version of the server, with these indexes and, on MySQL,
//!   their statistics?
//!
//! The queries themselves are in the drivers. If the catalog cannot be read, pages are still correct, but possibly
//! slower.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use foldhash::fast::RandomState;

use super::Lease;
use crate::dialect::catalog::SharedInfo;
use crate::driver::Driver;
use crate::model::table::Table;
use crate::pool::PoolId;

/// How long an answer is cached. A migration can change the table while the service runs.
const TRUSTED: Duration = Duration::from_secs(60);

/// The maximum number of cached answers. A service needs one for each model and pool.
const MOST: usize = 1_024;

/// A pool, and the address of a static table.
type TableId = (PoolId, usize);

/// What the catalog said, and when.
type Answers = HashMap<TableId, (Instant, SharedInfo), RandomState>;

static ANSWERS: LazyLock<Mutex<Answers>> = LazyLock::new(Mutex::default);

/// What the catalog says about a table; `None` if it cannot be read. Without a pool, it is not known which database
/// answers, so nothing is cached.
pub(crate) async fn of<D: Driver>(
    lease: &mut Lease<'_, D>,
    table: &'static Table,
    pool: Option<&PoolId>,
) -> Option<SharedInfo> {
    match cached(table, pool) {
        Some(answer) => Some(answer),
        None => Box::pin(look_up(lease, table, pool)).await,
    }
}

/// What the catalog said about a table, if that is cached.
fn cached(table: &'static Table, pool: Option<&PoolId>) -> Option<SharedInfo> {
    pool.map(|pool| key(table, pool)).as_ref().and_then(known)
}

/// Asks the catalog about a table. A failure is logged: the page is read without the answer.
async fn look_up<D: Driver>(
    lease: &mut Lease<'_, D>,
    table: &'static Table,
    pool: Option<&PoolId>,
) -> Option<SharedInfo> {
    let info = lease.table_info(table).await.inspect_err(|error| {
        tracing::debug!(%error, table = table.name, "failed to look up a table in the catalog");
    });
    let info = SharedInfo::from(info.ok()?);
    if let Some(pool) = pool {
        remember(key(table, pool), info.clone());
    }
    Some(info)
}

/// Drops the cached answer for a table, because a statement named an index that no longer exists.
pub(crate) fn forget(table: &'static Table, pool: Option<&PoolId>) {
    if let Some(pool) = pool {
        answers().remove(&key(table, pool));
    }
}

/// The cached answers. A panic leaves them valid, because each is inserted in one step.
fn answers() -> MutexGuard<'static, Answers> {
    ANSWERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The key of a table. The derive emits one static table for each model, so its address identifies it.
fn key(table: &'static Table, pool: &PoolId) -> TableId {
    (pool.clone(), std::ptr::from_ref(table).addr())
}

/// The cached answer, if it is not too old.
fn known(key: &TableId) -> Option<SharedInfo> {
    let answers = answers();
    let (at, answer) = answers.get(key)?;
    (at.elapsed() < TRUSTED).then(|| answer.clone())
}

/// Caches an answer. A full cache is emptied: it fills up only with tables that come and go.
fn remember(key: TableId, answer: SharedInfo) {
    let mut answers = answers();
    if answers.len() >= MOST {
        answers.clear();
    }
    answers.insert(key, (Instant::now(), answer));
}
