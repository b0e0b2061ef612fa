//! One source for every database.

#[cfg(all(feature = "postgres", feature = "mysql"))]
mod additive;
mod advice;
mod applications;
mod caller_selects;
pub(crate) mod db;
mod deep;
mod deep_orders;
mod ended;
mod fallback;
mod json;
pub(crate) mod limit;
pub(crate) mod log;
mod lookups;
mod models;
mod nesting;
mod programs;
mod routing;
pub(crate) mod said;
mod selects;
mod statements;
mod streams;
mod totals;
mod transactions;
mod walk;
mod writers;
