//! Tests that run on every database.

#[cfg(all(feature = "postgres", feature = "mysql"))]
mod additive;
mod advice;
mod applications;
mod caller_selects;
mod connections;
pub(crate) mod db;
mod deep;
mod deep_orders;
mod expressions;
mod fallback;
mod feeds;
mod hostile;
mod json;
mod lists;
mod lookups;
mod models;
mod own_types;
mod panics;
pub(crate) mod programs;
mod raw_sql;
mod relay;
mod routing;
mod selects;
mod sorts;
mod statements;
mod streams;
mod totals;
pub(crate) mod transactions;
mod views;
mod walk;
mod windows;
mod writers;
