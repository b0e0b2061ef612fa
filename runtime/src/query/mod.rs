//! The SQL of pages. Nothing here reads from a database.

pub(crate) mod access;
pub(crate) mod caller;
pub(crate) mod deferred_join;
pub(crate) mod keyset;
pub(crate) mod offset;
pub(crate) mod order_column;
pub(crate) mod predicate;
pub(crate) mod shape;
pub(crate) mod slice;
pub(crate) mod template;
