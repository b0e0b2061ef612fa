//! One source for every database.

#[cfg(all(feature = "postgres", feature = "mysql"))]
mod additive;
pub(crate) mod db;
mod deep;
mod json;
mod models;
mod routing;
pub(crate) mod said;
mod statements;
mod transactions;
mod walk;
mod writers;
