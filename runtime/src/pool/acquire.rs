//! Acquires a connection of a pool, and tells who has the others if the wait can never end.
//!
//! A task that keeps a guard and asks a pool of one connection for another waits for itself. Only the caller can drop
//! the guard, so the wait says where it was taken.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::Location;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::pool::PoolConnection;

use crate::error::{FrameworkError, Result};

pub(crate) type CallSite = &'static Location<'static>;

/// Who has a connection, or has begun a transaction or a savepoint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner {
    what: &'static str,
    place: Option<CallSite>,
    task: Option<tokio::task::Id>,
}

impl Owner {
    pub(crate) fn new(what: &'static str, place: Option<CallSite>) -> Self {
        Self { what, place, task: tokio::task::try_id() }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)?;
        if let Some(place) = self.place {
            write!(f, " at {place}")?;
        }
        self.task.map_or(Ok(()), |task| write!(f, " in task {task}"))
    }
}

/// The guards that have connections of pools, by their numbers, each with the address of its pool.
static GUARDS: Mutex<BTreeMap<u64, (usize, Owner)>> = Mutex::new(BTreeMap::new());

fn guards() -> MutexGuard<'static, BTreeMap<u64, (usize, Owner)>> {
    GUARDS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Identifies a pool as long as one of its connections exists. Its clones share their options.
fn address<D: sqlx::Database>(pool: &sqlx::Pool<D>) -> usize {
    std::ptr::from_ref(pool.options()).addr()
}

/// Records that a guard has a connection of a pool, until it is dropped.
#[derive(Debug)]
pub(crate) struct HeldConnection(u64);

impl HeldConnection {
    pub(crate) fn by_guard<D: sqlx::Database>(pool: &sqlx::Pool<D>, place: CallSite) -> Self {
        static TAKEN: AtomicU64 = AtomicU64::new(0);
        let number = TAKEN.fetch_add(1, Ordering::Relaxed);
        guards().insert(number, (address(pool), Owner::new("the guard that was taken", Some(place))));
        Self(number)
    }
}

impl Drop for HeldConnection {
    fn drop(&mut self) {
        guards().remove(&self.0);
    }
}

/// Why a task waits for itself: guards that it has taken hold all connections of the pool.
fn waits_for_itself<D: sqlx::Database>(pool: &sqlx::Pool<D>) -> Option<String> {
    let (pool_address, task) = (address(pool), tokio::task::try_id());
    let guards = guards();
    let mut own = guards.values().filter(|(address, owner)| *address == pool_address && owner.task == task);
    let (_, first) = own.next()?;
    let most = pool.options().get_max_connections();
    let is_all = own.count().saturating_add(1) >= usize::try_from(most).unwrap_or(usize::MAX);
    is_all.then(|| {
        format!(
            "the task waits for itself, because {first} has a connection of this pool, which has {most} at most: drop a \
             guard before anything else needs a connection, or read the page on it with `.using(&mut *guard)`"
        )
    })
}

/// The time after which a wait for a connection is looked into.
const LONG_WAIT: Duration = Duration::from_secs(1);

/// A connection of a pool. If the task waits for itself, it logs a warning after a second, and the error at the pool's
/// `acquire_timeout` has the same words.
///
/// sqlx's future takes up to 9 kB, because it may have to open a connection. It is boxed, since every future that
/// awaits it would have that size, and is copied when it is created.
pub(crate) fn acquire<D: sqlx::Database>(
    pool: &sqlx::Pool<D>,
) -> Pin<Box<impl Future<Output = Result<PoolConnection<D>>> + use<D>>> {
    let pool = pool.clone();
    Box::pin(async move {
        let mut acquiring = pin!(pool.acquire());
        let acquired = match tokio::time::timeout(LONG_WAIT, &mut acquiring).await {
            Ok(acquired) => acquired,
            Err(_) => {
                if let Some(why) = waits_for_itself(&pool) {
                    tracing::warn!(target: "folio", "no connection was free for {LONG_WAIT:?}: {why}");
                }
                acquiring.await
            }
        };
        acquired.map_err(|error| match (&error, waits_for_itself(&pool)) {
            (sqlx::Error::PoolTimedOut, Some(why)) => {
                let wait = pool.options().get_acquire_timeout();
                FrameworkError::internal(format!(
                    "no connection was free for {wait:?}, the pool's `acquire_timeout`: {why}"
                ))
            }
            _ => error.into(),
        })
    })
}
