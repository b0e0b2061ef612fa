//! One source for every database.

#[cfg(all(feature = "postgres", feature = "mysql"))]
mod additive;
mod advice;
pub(crate) mod db;
mod deep;
mod json;
pub(crate) mod log;
mod models;
mod routing;
pub(crate) mod said;
mod statements;
mod streams;
mod totals;
mod transactions;
mod walk;
mod writers;
