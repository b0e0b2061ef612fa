//! The ambient transaction: begun by `DB::transaction`, found through a task-local, always committed or rolled back.
//!
//! From the outside in:
//!
//! | file | responsible for |
//! |---|---|
//! | `ambient.rs` | the task-local, and which of several transactions serves a query |
//! | `scope.rs` | beginning, nesting and ending; statements take turns on one connection |
//! | `level.rs` | who waits while a nested transaction is open, and who is refused |
//! | `work.rs` | telling whether a future is being polled or dropped, or waits for itself |
//! | `lock.rs` | the connection while a statement runs on it |
//! | `open.rs` | the connection's state, and returning it to its pool or closing it |
//! | `control.rs` | the statements of each database that begin, check and commit |
//! | `read.rs` | short transactions that folio begins for its own reads |
//!
//! Two promises shape the code. A connection goes back to its pool only if the transaction is known to have ended. And
//! no statement of the caller is committed on its own after the transaction has ended early on the server.

mod ambient;
#[cfg(feature = "mysql")]
mod autocommit;
mod control;
mod isolation;
mod level;
mod lock;
#[cfg(feature = "postgres")]
mod mark;
mod open;
mod read;
mod scope;
#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
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

/// Runs `work` in a new transaction on a pool of the application with these connections. `scope` has the connections of
/// the application's scope that the task is in.
pub(crate) async fn begin<R, E: From<FrameworkError>>(
    pool: Pool,
    connections: Connections,
    scope: Option<Connections>,
    isolation: Option<Isolation>,
    work: impl AsyncFnOnce() -> Result<R, E>,
) -> Result<R, E> {
    dispatch!(Pool, pool, pool => ambient::run(Scope::begin(pool, isolation).await?, connections, scope, work).await)
}
