//! The SQL of pages. Nothing here runs a statement, and nothing depends on a driver: which database a query is for is
//! the value of a [`Dialect`](crate::dialect::Dialect).
//!
//! `offset.rs` has numbered pages and `keyset.rs` cursor pages. Both describe selects with sea-query and get statements
//! from `template.rs`. `total.rs` counts a list, alone or together with a page. `predicate.rs` has the condition after
//! a boundary; `access.rs` chooses index and form for it. `caller.rs` and `shape.rs` are about selects that callers
//! wrote, and `raw_sql` about those that they wrote as text.
//! `volatile.rs` knows the functions that no list is sorted by.

pub(crate) mod access;
pub(crate) mod caller;
pub(crate) mod deferred_join;
pub(crate) mod feed;
pub(crate) mod keyset;
pub(crate) mod offset;
pub(crate) mod order_column;
pub(crate) mod predicate;
pub(crate) mod raw_sql;
pub(crate) mod shape;
pub(crate) mod slice;
pub(crate) mod template;
pub(crate) mod total;
pub(crate) mod volatile;
