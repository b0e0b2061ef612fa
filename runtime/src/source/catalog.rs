//! What the database's catalog says about tables, looked up once a minute for each table and pool.
//!
//! It tells which form of a page reads along an index, on this version of the server, with these indexes and, on MySQL,
//! their statistics. The queries themselves are in the drivers. If the catalog cannot be read, or the answer is old or
//! about another table of the same name, pages are still correct, but possibly slower.

use std::collections::HashMap;
use std::hash::BuildHasher as _;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use foldhash::fast::RandomState;
use folio_core::dialect::catalog::SharedInfo;
use folio_core::schema::table::Table;

use super::Lease;
use crate::driver::{Driver, Failure};
use crate::pool::PoolId;

/// How long an answer is cached. A migration can change the table while the service runs.
const TRUSTED: Duration = Duration::from_secs(60);

/// How long a page waits for the look-up of another one.
const PATIENCE: Duration = Duration::from_secs(1);

/// The maximum number of cached answers. A service needs one for each model and pool.
const MOST: usize = 1_024;

/// A pool, and the address of a static table.
type TableId = (PoolId, usize);

/// What the catalog said, and when.
type Answers = HashMap<TableId, (Instant, SharedInfo), RandomState>;

static ANSWERS: LazyLock<Mutex<Answers>> = LazyLock::new(Mutex::default);

/// What the catalog says about a table; `None` if it cannot be read. Without a pool, it is not known which database
/// answers, so nothing is cached. It only fails inside a transaction that has lost against another one: on MySQL, it has
/// ended by that.
pub(crate) async fn of<D: Driver>(lease: &mut Lease<'_, D>, table: &'static Table) -> sqlx::Result<Option<SharedInfo>> {
    let key = key(lease, table);
    match key.as_ref().and_then(known) {
        Some(answer) => Ok(Some(answer)),
        None => Box::pin(look_up(lease, table, key)).await,
    }
}

/// Asks the catalog about a table. A failure is logged: the page is read without the answer.
///
/// Pages that begin together share one answer: all but the first wait for it. They wait for [`PATIENCE`] at most,
/// because the look-up may itself wait for a lock of the database that one of them holds.
async fn look_up<D: Driver>(
    lease: &mut Lease<'_, D>,
    table: &'static Table,
    key: Option<TableId>,
) -> sqlx::Result<Option<SharedInfo>> {
    let _turn = match &key {
        Some(key) => tokio::time::timeout(PATIENCE, turn(key).lock()).await.ok(),
        None => None,
    };
    if let Some(answer) = key.as_ref().and_then(known) {
        return Ok(Some(answer));
    }
    let info = match lease.table_info(table).await {
        Ok(info) => SharedInfo::from(info),
        Err(error) if D::classify(&error) == Some(Failure::Conflict) && !matches!(lease, Lease::Pooled(..)) => {
            return Err(error);
        }
        Err(error) => {
            tracing::debug!(%error, table = table.name, "failed to look up a table in the catalog");
            return Ok(None);
        }
    };
    if let Some(key) = key {
        let mut answers = answers();
        // The cache fills up only with tables that come and go.
        if answers.len() >= MOST {
            answers.clear();
        }
        answers.insert(key, (Instant::now(), info.clone()));
    }
    Ok(Some(info))
}

/// The lock that look-ups about a table take. A few tables share one.
fn turn(key: &TableId) -> &'static tokio::sync::Mutex<()> {
    static TURNS: [tokio::sync::Mutex<()>; 16] = [const { tokio::sync::Mutex::const_new(()) }; 16];
    static OTHER: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
    static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    usize::try_from(HASHER.hash_one(key) % 16).ok().and_then(|at| TURNS.get(at)).unwrap_or(&OTHER)
}

/// Drops the cached answer for a table, because a statement named an index that no longer exists.
pub(crate) fn forget<D: Driver>(lease: &Lease<'_, D>, table: &'static Table) {
    if let Some(key) = key(lease, table) {
        answers().remove(&key);
    }
}

/// The cached answers. A panic leaves them valid, because each is inserted in one step.
fn answers() -> MutexGuard<'static, Answers> {
    ANSWERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The key of a table in the lease's pool. The derive emits one static table for each model, so its address identifies
/// it.
fn key<D: Driver>(lease: &Lease<'_, D>, table: &'static Table) -> Option<TableId> {
    Some((lease.pool()?.clone(), std::ptr::from_ref(table).addr()))
}

/// The cached answer, if it is not too old.
fn known(key: &TableId) -> Option<SharedInfo> {
    let answers = answers();
    let (at, answer) = answers.get(key)?;
    (at.elapsed() < TRUSTED).then(|| answer.clone())
}
