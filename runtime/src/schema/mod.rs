//! What the derive and the caller say about a table: its columns, filters, orders, groups and named expressions.

pub(crate) mod any_of;
pub(crate) mod column;
pub(crate) mod column_check;
pub(crate) mod expression;
pub(crate) mod filter;
pub(crate) mod group;
pub(crate) mod key_expression;
pub(crate) mod key_values;
pub(crate) mod order;
pub(crate) mod table;
pub(crate) mod term;
mod text;
