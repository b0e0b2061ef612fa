//! The suite on SQLite, which needs no server.

#[path = "db/by_hand.rs"]
mod by_hand;
#[expect(dead_code, reason = "tables that only servers have")]
#[path = "db/columns.rs"]
mod columns;
#[path = "db/sqlite.rs"]
mod server;
mod suite;

// What is SQLite's own.
#[path = "sqlite/cursors.rs"]
mod cursors;
#[cfg(unix)]
#[path = "sqlite/environment.rs"]
mod environment;
#[path = "sqlite/errors.rs"]
mod errors;
#[path = "sqlite/extremes.rs"]
mod extremes;
#[path = "sqlite/foreign.rs"]
mod foreign;
#[path = "sqlite/by_hand.rs"]
mod keys;
#[path = "sqlite/plans.rs"]
mod plans;
#[path = "sqlite/values.rs"]
mod values;
