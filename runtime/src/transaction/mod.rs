//! The ambient transaction: begun by `DB::transaction`, found through a task-local, always committed or rolled back.

mod ambient;
#[cfg(feature = "mysql")]
mod autocommit;
mod control;
mod handle;
mod isolation;
mod level;
mod lock;
mod open;
mod scope;
mod work;

pub(crate) use self::ambient::Ambient;
use self::ambient::Transaction;
pub(crate) use self::control::{Transactional, is_fragile};
pub use self::handle::Handle;
pub use self::isolation::Isolation;
pub(crate) use self::lock::{Brief, Lock};
use self::scope::{Scope, Shared};
use self::work::Work;
use crate::error::{FrameworkError, Result};
use crate::pool::{Pool, dispatch};
use crate::route::Connections;

/// Runs `work` in a new transaction on a pool of an application.
pub(crate) async fn begin<R, E>(
    pool: Pool,
    connections: Connections,
    isolation: Option<Isolation>,
    work: impl AsyncFnOnce() -> Result<R, E>,
) -> Result<R, E>
where
    E: From<FrameworkError>,
{
    dispatch!(Pool, pool, pool => run(Scope::begin(pool, isolation).await?, connections, work).await)
}

/// Runs `work` in what was begun, and ends that: commits on `Ok`, rolls back on `Err` and when it is dropped.
async fn run<D: Transactional, R, E>(
    scope: Scope<D>,
    connections: Connections,
    work: impl AsyncFnOnce() -> Result<R, E>,
) -> Result<R, E>
where
    Transaction: From<Shared<D>>,
    E: From<FrameworkError>,
{
    let ambient = Ambient::new(scope.shared.clone(), connections);
    let result = ambient.enter(Work::default(), work()).await;
    match result {
        Ok(value) => scope.commit().await.map(|()| value).map_err(E::from),
        Err(error) => {
            // The work's error is the cause. What cannot be rolled back here is closed, which rolls it back as well.
            let _ = scope.roll_back().await;
            Err(error)
        }
    }
}
