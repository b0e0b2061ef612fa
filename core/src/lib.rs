//! What folio computes without a driver: cursors, and the statements of pages.
//!
//! This crate is an implementation detail of [folio](https://docs.rs/folio), and makes no promise of stability: use
//! `folio`, which re-exports what is meant for users.
//!
//! Its manifest names neither sqlx nor tokio, so nothing here can run a statement or read a task-local. Everything that
//! a page's statement depends on is passed in: the query, the order, the boundary and the facts about the server.

#![expect(missing_docs, reason = "users name only what folio re-exports, and a name that says it all has no comment")]

// Here and not in folio, so that it is the only error.
#[cfg(not(any(feature = "sqlite", feature = "postgres", feature = "mysql")))]
compile_error!("folio reads from a database: enable its feature `sqlite`, `postgres` or `mysql`");

pub mod access;
pub mod boundary;
pub mod cache;
pub mod cursor;
pub mod custom;
pub mod dialect;
pub mod error;
pub mod feed;
pub mod keyset;
pub mod offset;
pub mod order;
pub mod predicate;
pub mod schema;
pub mod statement;
pub mod url;
pub mod value;

#[cfg(test)]
mod testing;

// For the examples of types that folio re-exports: they call this crate `folio`, by `use folio_core as folio`.
pub use self::cursor::CursorDirection;
pub use self::value::{UnknownVariant, Variant};
