//! Cursors of single values, for pagination code of your own.

use folio_plan::cursor::CursorDirection;

use crate::app::Folio;
use crate::cursor;
use crate::error::Result;
use crate::value::CursorValue;

/// Encrypts a value and a direction as a cursor for your own pagination code.
///
/// The cursor does not belong to a list, so folio's queries reject it; only [`decode_cursor`] accepts it. For a cursor
/// of a model's list, use the `encode` method of its key, such as `post.cursor_key().encode(direction)`.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
/// # folio::Folio::new(pool).keyring(folio::Keyring::new(folio::Key::generate())).scope(async {
/// use folio::{CursorDirection, encode_cursor};
///
/// let token = encode_cursor(&7_i64, CursorDirection::Next)?;
/// assert_ne!(token, encode_cursor(&7_i64, CursorDirection::Next)?); // each has its own random salt
/// assert!(encode_cursor(&f64::NAN, CursorDirection::Next).is_err());
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// # Errors
/// [`Internal`](crate::FrameworkError::Internal) without a keyring, for NaN, and for a value whose cursor would be
/// longer than 5,600 characters.
pub fn encode_cursor<V: CursorValue>(value: &V, direction: CursorDirection) -> Result<String> {
    cursor::encode(&Folio::current()?.cursor_keys()?, value.clone(), direction)
}

/// Decrypts a cursor from [`encode_cursor`], with the same type `V`.
///
/// The cursor is not bound to a route. If a client sends it to a route that decodes another type, the status is 500. To
/// reject it with 400, [seal](crate::Keyring::seal) the value with a scope for each route:
///
/// ```
/// use folio::{CryptPurpose, Key, Keyring};
///
/// let keyring = Keyring::new(Key::generate());
/// let token = keyring.seal(CryptPurpose::Cursor, &[b"tags"], b"rust")?;
/// assert_eq!(keyring.open(CryptPurpose::Cursor, &[b"tags"], &token)?, b"rust");
/// assert_eq!(keyring.open(CryptPurpose::Cursor, &[b"comments"], &token).unwrap_err().status(), 400);
/// # Ok::<(), folio::FrameworkError>(())
/// ```
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> folio::Result<()> {
/// # let pool = sqlx::SqlitePool::connect_lazy("sqlite::memory:")?;
/// # folio::Folio::new(pool).keyring(folio::Keyring::new(folio::Key::generate())).scope(async {
/// use folio::{CursorDirection, decode_cursor, encode_cursor};
///
/// let token = encode_cursor(&"rust".to_owned(), CursorDirection::Prev)?;
/// assert_eq!(decode_cursor::<String>(&token)?, ("rust".to_owned(), CursorDirection::Prev));
/// assert_eq!(decode_cursor::<String>("rust").unwrap_err().status(), 400);
/// assert_eq!(decode_cursor::<i64>(&token).unwrap_err().status(), 500);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// # Errors
/// [`Domain`](crate::FrameworkError::Domain), 400, if the cursor was altered, was encrypted with another key, or
/// belongs to a list. [`Internal`](crate::FrameworkError::Internal) without a keyring, or if the cursor contains
/// another type than `V`.
pub fn decode_cursor<V: CursorValue>(cursor: &str) -> Result<(V, CursorDirection)> {
    cursor::decode(&Folio::current()?.cursor_keys()?, cursor)
}
