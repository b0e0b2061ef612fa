//! Shared code of the tests: a database for each test, a recorder of log events, checks of cursors, and the conformance
//! cases.

pub mod cases;
pub mod cursors;
mod end;
pub mod limit;
#[cfg(feature = "mysql")]
pub mod mysql;
#[cfg(any(feature = "postgres", feature = "mysql"))]
mod name;
pub mod own_types;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod proxy;
pub mod recorder;
pub mod spans;
pub mod sqlite;

pub use self::end::End;
