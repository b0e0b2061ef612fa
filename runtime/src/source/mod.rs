//! Where the statements of a call run: in a transaction, on a connection of a pool, or on the caller's own.
//!
//! [`Route`](route::Route) is what a query asks for, and [`Target`](route::Target) where it goes. [`Lease`] runs
//! statements on each kind of connection in the same way, and keeps track of statements that were dropped before they
//! ended. [`ConnectionGuard`] is a lease for the caller's statements. `catalog.rs` caches what the database's catalog
//! says about tables.

mod any_lease;
mod borrowed;
pub(crate) mod catalog;
pub(crate) mod freshness;
mod guard;
mod lease;
pub(crate) mod route;
pub mod using;

pub(crate) use self::any_lease::AnyLease;
pub use self::borrowed::Borrowed;
pub use self::guard::ConnectionGuard;
pub(crate) use self::lease::{Lease, RowLimit};
