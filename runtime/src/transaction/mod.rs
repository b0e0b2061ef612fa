//! The ambient transaction: begun by `DB::transaction`, found through a task-local, always committed or rolled back.

mod ambient;
#[cfg(feature = "mysql")]
mod autocommit;
mod control;
mod isolation;
mod level;
mod lock;
mod open;
mod read;
mod scope;
mod work;

pub(crate) use self::ambient::{Ambient, Transaction};
pub(crate) use self::control::Transactional;
pub use self::isolation::Isolation;
pub(crate) use self::lock::Lock;
pub(crate) use self::read::ReadTransaction;
use self::scope::Scope;
pub(crate) use self::work::Work;
use crate::error::{FrameworkError, Result};
use crate::pool::{Pool, dispatch};
use crate::registry::Connections;

/// Runs `work` in a new transaction on a pool of the application with these connections. `scope` is the application's
/// scope that the task is in.
pub(crate) async fn begin<R, E>(
    pool: Pool,
    connections: Connections,
    scope: Option<Connections>,
    isolation: Option<Isolation>,
    work: impl AsyncFnOnce() -> Result<R, E>,
) -> Result<R, E>
where
    E: From<FrameworkError>,
{
    dispatch!(Pool, pool, pool => ambient::run(Scope::begin(pool, isolation).await?, connections, scope, work).await)
}
