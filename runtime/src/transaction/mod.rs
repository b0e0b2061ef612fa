//! The ambient transaction: begun by `DB::transaction`, found through a task-local, always committed or rolled back.
//!
//! From the outside in:
//!
//! | file | responsible for |
//! |---|---|
//! | `ambient.rs` | the task-local, and which of several transactions serves a query |
//! | `scope.rs` | beginning, nesting and ending |
//! | `slot.rs` | who has the connection, who waits for it, and who is refused |
//! | `open.rs` | the connection's state, and returning it to its pool or closing it |
//! | `control.rs` | the statements of each database that begin, check and commit |
//! | `mark.rs` | how a transaction of PostgreSQL is marked, with one message or two |
//! | `known.rs` | what is known about each pool |
//! | `session.rs` | settings of MySQL sessions that decide where a transaction begins and ends |
//! | `read.rs` | short transactions that folio begins for its own reads |
//!
//! Three promises shape the code. A connection goes back to its pool only if the transaction is known to have ended. No
//! statement of the caller is committed on its own after the transaction has ended early on the server. And nothing waits
//! for the connection longer than for one of the pool.

mod ambient;
mod control;
mod handle;
mod isolation;
#[cfg(any(feature = "postgres", feature = "mysql"))]
mod known;
#[cfg(feature = "postgres")]
mod mark;
mod open;
mod read;
mod scope;
#[cfg(feature = "mysql")]
mod session;
mod slot;
#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;

pub(crate) use self::ambient::{Ambient, Transaction};
pub(crate) use self::control::Transactional;
pub use self::handle::TransactionHandle;
pub use self::isolation::{Begin, Isolation};
pub(crate) use self::open::History;
pub(crate) use self::read::ReadTransaction;
use self::scope::Scope;
pub(crate) use self::slot::Lock;
use crate::error::{FrameworkError, Result};
use crate::pool::registry::Connections;
use crate::pool::{Place, Pool, dispatch};

/// Runs `work` in a new transaction on a pool of the application with these connections. `scope` has the connections of
/// the application's scope that the task is in.
pub(crate) async fn begin<R, E: From<FrameworkError>>(
    pool: Pool,
    connections: Connections,
    scope: Option<Connections>,
    begin: Option<Begin>,
    place: Place,
    work: impl AsyncFnOnce() -> Result<R, E>,
) -> Result<R, E> {
    dispatch!(Pool, pool, pool => ambient::run(Scope::begin(pool, begin, place).await?, connections, scope, work).await)
}
