//! What needs no database.

use folio::{Folio, Key, Keyring};
use sqlx::SqlitePool;

mod cursors;
#[cfg(unix)]
mod environment;
mod errors;
mod foreign_columns;
mod payloads;
mod round_trips;
mod tokens;

/// An application with a keyring. Its database has no tables.
fn application() -> Folio {
    let pool = SqlitePool::connect_lazy("sqlite::memory:").unwrap();
    Folio::new(pool).keyring(Keyring::new(Key::generate()))
}
