//! The ambient transaction: begun by `DB::transaction`, found through a task-local, always committed or rolled back.
//!
//! From the outside in:
//!
//! | file | responsible for |
//! |---|---|
//! | `ambient.rs` | the task-local, and which of several transactions serves a query |
//! | `lifecycle.rs` | beginning, nesting and ending |
//! | `slot.rs` | who has the connection, who waits for it, and who is refused |
//! | `open_transaction/` | the connection's state, and returning it to its pool or closing it |
//! | `control/` | the statements of each database that begin, check and commit |
//! | `read.rs` | short transactions that folio begins for its own reads |
//! | `borrowed.rs` | the same on a connection that the caller has lent |
//!
//! Three promises shape the code. A connection goes back to its pool only if the transaction is known to have ended. No
//! statement of the caller is committed on its own after the transaction has ended early on the server. And nothing
//! waits for the connection longer than for one of the pool.

mod ambient;
mod borrowed;
mod control;
mod handle;
mod isolation;
mod lifecycle;
mod open_transaction;
mod read;
mod slot;
#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;

pub(crate) use self::ambient::{Ambient, Transaction};
pub(crate) use self::borrowed::BorrowedTransaction;
pub(crate) use self::control::{REPEAT_READS, SAVE_READS, Transactional};
pub use self::handle::TransactionHandle;
pub use self::isolation::{Begin, Isolation};
use self::lifecycle::TransactionGuard;
pub(crate) use self::open_transaction::History;
pub(crate) use self::read::ReadTransaction;
pub(crate) use self::slot::ConnectionLock;
use crate::error::{FrameworkError, Result};
use crate::pool::{CallSite, Pool, Pools, dispatch};

/// Runs `work` in a new transaction on one of an application's pools. `app_scope` has the pools of the application
/// whose scope the task is in.
pub(crate) async fn begin<R, E: From<FrameworkError>>(
    pool: Pool,
    pools: Pools,
    app_scope: Option<Pools>,
    begin: Option<Begin>,
    place: CallSite,
    work: impl AsyncFnOnce() -> Result<R, E>,
) -> Result<R, E> {
    dispatch!(Pool, pool, pool => ambient::run(TransactionGuard::begin(pool, begin, place).await?, pools, app_scope, work).await)
}
