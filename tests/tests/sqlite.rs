//! The suite on SQLite, which needs no server.

mod suite;
