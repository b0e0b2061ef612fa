//! Selects and SQL text that callers wrote. `caller.rs` decides what may be done to a select, from its shape, which
//! `shape` reads from its text. `raw_sql` reads SQL text, `lexer.rs` splits both into tokens, and `renderer.rs` writes
//! the statements of both. `volatile.rs` knows the functions that no list is sorted by, and `row_value.rs` the
//! aggregates and window functions, which are not values of one row.

pub mod caller;
pub mod lexer;
pub mod raw_sql;
pub mod renderer;
pub mod row_value;
pub mod shape;
pub mod volatile;
