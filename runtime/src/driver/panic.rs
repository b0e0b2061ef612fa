//! Panics in decoding, which become errors.
//!
//! sqlx panics on some values that a database stores and Rust's types do not hold: milliseconds that SQLite has as an
//! INTEGER and `time` reads as seconds, or a timestamp `infinity` of PostgreSQL's. A caller's `FromRow` may panic too.
//! The process's panic hook still runs.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The cause of an error for a row whose decoding panicked.
#[derive(Debug, thiserror::Error)]
#[error("decoding the row panicked: {0}: correct the stored value, or read it as another type")]
pub(super) struct Panicked(String);

/// What `decode` returns; an error with the panic's message if it panics.
///
/// Decoding only reads the row, so nothing is left in an invalid state.
pub(super) fn caught<T>(decode: impl FnOnce() -> sqlx::Result<T>) -> sqlx::Result<T> {
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    decoded.unwrap_or_else(|panic| {
        // Other payloads come from `panic_any`.
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned());
        Err(sqlx::Error::Decode(Panicked(text).into()))
    })
}

pub(super) fn is_panic(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Decode(cause) if cause.is::<Panicked>())
}
