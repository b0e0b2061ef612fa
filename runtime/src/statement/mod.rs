//! Selects and how they become statements: LIMIT and OFFSET, counts, deferred joins, and the templates that keep the
//! text of a query's pages.

pub(crate) mod deferred_join;
pub(crate) mod slice;
pub(crate) mod template;
pub(crate) mod total;
