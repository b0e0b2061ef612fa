//! Selects and SQL text that callers wrote. `caller.rs` decides what may be done to a select, from its shape, which
//! `shape` reads from its text. `raw_sql` reads SQL text, and `renderer.rs` writes the statements of both.
//! `volatile.rs` knows the functions that no list is sorted by.

pub(crate) mod caller;
pub(crate) mod raw_sql;
pub(crate) mod renderer;
pub(crate) mod shape;
pub(crate) mod volatile;
