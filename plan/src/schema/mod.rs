//! What the derive and the caller say about a table, as data: its columns, orders and groups.

pub mod arrays;
pub mod column_check;
pub mod group;
pub mod key_expression;
pub mod table;
pub mod term;
