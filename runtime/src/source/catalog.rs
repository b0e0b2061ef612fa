//! What the database's catalog says about tables, looked up once a minute for each table and pool.
//!
//! It tells which form of a page reads along an index, on this version of the server, with these indexes and, on MySQL,
//! their statistics. The queries themselves are in the drivers. If the catalog cannot be read, or the answer is old or
//! about another table of the same name, pages are still correct, but possibly slower.

use std::collections::HashMap;
use std::hash::BuildHasher as _;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use foldhash::fast::RandomState;
use folio_plan::dialect::catalog::SharedInfo;
use folio_plan::schema::table::Table;

use super::Lease;
use super::lease::Held;
use crate::driver::{Driver, Failure};
use crate::pool::PoolId;
use crate::watch::AdvisedList;

/// How long an answer is cached. A migration can change the table while the service runs.
const TRUSTED: Duration = Duration::from_secs(60);

/// How long a page waits for the look-up of another one.
const PATIENCE: Duration = Duration::from_secs(1);

/// The maximum number of cached answers. A service needs one for each model and pool.
const MOST: usize = 1_024;

/// The addresses of a pool and of a table. The derive emits one static table for each model, so its address identifies
/// it.
type TableId = (usize, usize);

/// What the catalog said.
struct Answer {
    at: Instant,
    info: SharedInfo,
    /// Kept, so that its address is that of no other pool.
    _pool: PoolId,
}

static ANSWERS: LazyLock<Mutex<HashMap<TableId, Answer, RandomState>>> = LazyLock::new(Mutex::default);

/// What the catalog says about a table; `None` if it cannot be read. Without a pool, nobody knows which database
/// answers, so nothing is cached. Fails only inside a transaction that lost against another one: on MySQL, that has
/// ended the transaction.
pub(crate) async fn of<D: Driver>(lease: &mut Lease<'_, D>, table: &'static Table) -> sqlx::Result<Option<SharedInfo>> {
    let id = lease.pool.as_ref().map(|pool| (pool.address, std::ptr::from_ref(table).addr()));
    match id.and_then(known) {
        Some(answer) => Ok(Some(answer)),
        None => Box::pin(look_up(lease, table, id)).await,
    }
}

/// The cached answer, if it is not too old.
fn known(id: TableId) -> Option<SharedInfo> {
    let answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    let answer = answers.get(&id)?;
    (answer.at.elapsed() < TRUSTED).then(|| answer.info.clone())
}

/// Asks the catalog about a table. A failure is logged: the page is read without the answer.
///
/// Pages that begin together share one answer: all but the first wait for it. They wait for [`PATIENCE`] at most,
/// because the look-up may itself wait for a lock of the database that one of them holds.
async fn look_up<D: Driver>(
    lease: &mut Lease<'_, D>,
    table: &'static Table,
    id: Option<TableId>,
) -> sqlx::Result<Option<SharedInfo>> {
    let _turn = match id {
        Some(id) => tokio::time::timeout(PATIENCE, turn(id).lock()).await.ok(),
        None => None,
    };
    if let Some(answer) = id.and_then(known) {
        return Ok(Some(answer));
    }
    let info = match lease.table_info(table).await {
        Ok(info) => SharedInfo::from(info),
        Err(error) if D::classify(&error) == Some(Failure::Conflict) && !matches!(lease.held, Held::Pooled(_)) => {
            return Err(error);
        }
        Err(error) => {
            tracing::debug!(%error, table = table.name, "failed to look up a table in the catalog");
            return Ok(None);
        }
    };
    if let (Some(id), Some(pool)) = (id, &lease.pool) {
        // A panic leaves the answers valid, because each is inserted in one step.
        let mut answers = ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
        // The cache fills up only with tables that come and go.
        if answers.len() >= MOST {
            answers.clear();
        }
        answers.insert(id, Answer { at: Instant::now(), info: info.clone(), _pool: pool.clone() });
    }
    Ok(Some(info))
}

/// The lock that look-ups about a table take. A few tables share one.
fn turn(id: TableId) -> &'static tokio::sync::Mutex<()> {
    static TURNS: [tokio::sync::Mutex<()>; 16] = [const { tokio::sync::Mutex::const_new(()) }; 16];
    static OTHER: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
    static HASHER: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    usize::try_from(HASHER.hash_one(id) % 16).ok().and_then(|at| TURNS.get(at)).unwrap_or(&OTHER)
}

/// Drops the cached answer for a table, because a statement named an index that no longer exists.
pub(crate) fn forget<D: Driver>(lease: &Lease<'_, D>, table: &'static Table) {
    if let Some(pool) = &lease.pool {
        let id = (pool.address, std::ptr::from_ref(table).addr());
        ANSWERS.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
}

/// Shows the index advisor, and a test that watches, what the catalog says about the table of a list. If the catalog
/// cannot be read, the page is read all the same.
pub(super) async fn advise<D: Driver>(lease: &mut Lease<'_, D>, list: &AdvisedList) {
    if list.is_unchecked()
        && let Ok(Some(info)) = of(lease, list.table).await
    {
        list.warn(&info, D::DIALECT);
    }
    #[cfg(feature = "testing")]
    if lease.watched.found.is_some() {
        // A test may have created the index a moment ago.
        let info = lease.table_info(list.table).await.ok();
        let advice = info.and_then(|info| list.advice(&info, D::DIALECT));
        lease.watched.find(|found| found.lists.push(advice));
    }
}
