//! The suite on SQLite, which needs no server.

#[path = "db/sqlite.rs"]
mod server;
mod suite;

// What is SQLite's own.
#[path = "sqlite/cursors.rs"]
mod cursors;
#[path = "sqlite/errors.rs"]
mod errors;
#[path = "sqlite/extremes.rs"]
mod extremes;
#[path = "sqlite/foreign.rs"]
mod foreign;
#[path = "sqlite/plans.rs"]
mod plans;
#[path = "sqlite/values.rs"]
mod values;
