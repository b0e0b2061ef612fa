//! The server as its clients see it, on a database in memory.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that finds something else than it expects has to fail"
)]

mod client;
mod hostile;
mod lists;
