//! Sealed cursors: a cursor, encrypted for the client.
//!
//! A [`Cursor`] holds the values of the cursor key at the edge of a page, and whether to continue after or before
//! them. To the client it is an opaque string: JSON (see [`payload`]), sealed with AES-256-GCM.
//!
//! The payload does not contain the list's table and key. They are the associated data of the encryption (see
//! [`CursorBinding`]), so a cursor of another list is rejected.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use folio_core::boundary::BoundaryValue;
use folio_core::cursor::{Cursor, CursorBinding, CursorDirection, KeyColumnType, Origin, Version, payload};
use folio_core::keyset::KeysetQuery;
use folio_core::value::NotEncodable;

use crate::crypt::{self, CryptPurpose, Keyring, Salt};
use crate::error::{FrameworkError, Refusal, Result};
use crate::value::CursorValue;

/// The maximum length of a cursor that is created or accepted, in characters.
///
/// A cursor is part of a URL. By default, nginx accepts a request line of 8,192 bytes (`large_client_header_buffers`)
/// and Apache one of 8,190 (`LimitRequestLine`). This leaves room for 2,048 bytes of other parameters, and 500 for the
/// path. The limit also bounds the work that forged cursors can cause.
const MAX_CURSOR: usize = 5_600;

/// The maximum length of a cursor in version 1 of the format, which versions of folio before version 2 accept.
const LONGEST_OF_VERSION_1: usize = 2_080;

/// What cursors are sealed and opened with.
#[derive(Debug, Clone)]
pub(crate) struct CursorKeys {
    pub(crate) keyring: Arc<Keyring>,
    /// If set, cursors contain the time at which they were sealed.
    pub(crate) lifetime: Option<Duration>,
}

impl CursorKeys {
    /// Seals a cursor of a list.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if a value has no consistent order, or [`NotSealed::TooLong`] if the token exceeds
    /// [`MAX_CURSOR`].
    pub(crate) fn seal(&self, cursor: &Cursor, binding: &CursorBinding, salt: Salt) -> Result<String, NotSealed> {
        let sealed_at = self.lifetime.map(|_| now());
        let written = |version| {
            payload::write(cursor, version, sealed_at).map_err(|NotEncodable| {
                FrameworkError::internal(
                    "a value without a consistent order, such as NaN, cannot be used in a cursor key",
                )
            })
        };
        let mut version = if cursor.extras.is_empty() { Version::One } else { Version::Three };
        let mut payload = written(version)?;
        if version == Version::One && crypt::length(payload.len()) > LONGEST_OF_VERSION_1 {
            version = Version::Two;
            payload = written(version)?;
        }
        if crypt::length(payload.len()) > MAX_CURSOR {
            let lengths = cursor.boundary.iter().map(|value| payload::length(value, version)).enumerate();
            let longest = lengths.max_by_key(|(_, length)| *length).map_or(0, |(at, _)| at);
            return Err(NotSealed::TooLong { longest });
        }
        let words = binding.words(cursor.origin);
        Ok(self.keyring.seal_in(version, salt, CryptPurpose::Cursor, &words, &payload)?)
    }

    /// Opens a cursor of a list with the variants of its key columns.
    ///
    /// # Errors
    /// [`FrameworkError::Domain`], 400, if the token is too long, was altered, belongs to another list, or has expired.
    /// [`FrameworkError::Internal`] if the token is authentic but its payload does not have these types.
    pub(crate) fn open(&self, binding: &CursorBinding, types: &[KeyColumnType], token: &str) -> Result<Cursor> {
        if token.len() > MAX_CURSOR {
            return Err(Refusal::InvalidCursor.into());
        }
        let open = |origin| self.keyring.open_in(CryptPurpose::Cursor, &binding.words(origin), token);
        let (payload, origin) = match open(Origin::Row) {
            // Only models have cursors that are made from a key.
            Err(_) if binding.model().is_some() => (open(Origin::Key)?, Origin::Key),
            opened => (opened?, Origin::Row),
        };
        // An authentic payload that does not fit is a bug or a changed model, not the client's fault.
        let (cursor, sealed_at) = payload::read(&payload, types)
            .map_err(|_| FrameworkError::internal("the cursor's payload does not match the cursor key"))?;
        if cursor.extras.as_of.is_some() {
            return Err(Refusal::InvalidCursor.into());
        }
        self.check_age(sealed_at)?;
        Ok(Cursor { origin, ..cursor })
    }

    /// Opens a cursor over the rows of a query.
    ///
    /// # Errors
    /// Same as [`open`](Self::open), and [`Refusal::InvalidCursor`] for a value that is invalid for the column's type.
    pub(crate) fn open_of(&self, query: &KeysetQuery, token: &str) -> Result<Cursor> {
        let cursor = self.open(&query.cursor_binding(), &query.order.types, token)?;
        if query.order.has_values(&cursor.boundary) { Ok(cursor) } else { Err(Refusal::InvalidCursor.into()) }
    }

    /// Rejects a cursor that was sealed too long ago. A cursor without a time was sealed before the lifetime was set.
    fn check_age(&self, sealed_at: Option<u64>) -> Result<()> {
        let Some(lifetime) = self.lifetime else { return Ok(()) };
        // The clock of the server that sealed it may be ahead of this server's clock.
        let age = sealed_at.map(|at| Duration::from_secs(now().saturating_sub(at)));
        if age.is_some_and(|age| age <= lifetime) { Ok(()) } else { Err(Refusal::ExpiredCursor.into()) }
    }
}

/// The current time in seconds since 1970; 0 if the clock is before 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// Why a cursor cannot be sealed.
pub(crate) enum NotSealed {
    /// It would not fit into a URL, mostly because of the value at this place of the key.
    TooLong {
        longest: usize,
    },
    Other(FrameworkError),
}

impl From<FrameworkError> for NotSealed {
    fn from(error: FrameworkError) -> Self {
        Self::Other(error)
    }
}

impl NotSealed {
    /// The error, which names the column of the value that is too long.
    pub(crate) fn naming<'a>(self, columns: impl IntoIterator<Item = &'a str>) -> FrameworkError {
        match self {
            Self::Other(error) => error,
            Self::TooLong { longest } => {
                let name = columns.into_iter().nth(longest).map(|name| format!(" of `{name}`")).unwrap_or_default();
                FrameworkError::internal(format!(
                    "the value{name} in a row is too long for a cursor, which has at most {MAX_CURSOR} characters: order by a \
                     shorter column or expression, such as the first characters"
                ))
            }
        }
    }
}

/// Seals a single value, which does not belong to a list.
pub(crate) fn encode<V: CursorValue>(keys: &CursorKeys, value: V, direction: CursorDirection) -> Result<String> {
    let boundary = vec![BoundaryValue::plain(value.into_value())];
    let [salt] = Salt::fresh()?;
    keys.seal(&Cursor::at(direction, boundary), &CursorBinding::NONE, salt).map_err(|error| error.naming([]))
}

/// Opens a cursor from [`encode`] that has the same type.
pub(crate) fn decode<V: CursorValue>(keys: &CursorKeys, token: &str) -> Result<(V, CursorDirection)> {
    let cursor = keys.open(&CursorBinding::NONE, &[(V::VARIANT, V::NULLABLE)], token)?;
    let value = cursor.boundary.into_iter().next().and_then(|sealed| V::from_value(sealed.value));
    // The variant is the type's, so the value itself is unknown to the type, such as a variant that was removed from an
    // enum.
    Ok((value.ok_or(Refusal::InvalidCursor)?, cursor.direction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypt::Key;

    #[test]
    fn a_cursor_expires_after_its_lifetime() {
        let keys = |lifetime| CursorKeys { keyring: Arc::new(Keyring::new(Key::generate())), lifetime };
        let hour = keys(Some(Duration::from_secs(3_600)));
        let now = now();
        let cases = [
            (Some(now), true),
            (Some(now.saturating_sub(3_590)), true),
            (Some(now.saturating_sub(3_605)), false),
            (Some(now.saturating_add(60)), true),
            (Some(0), false),
            (None, false),
        ];
        for (sealed_at, is_valid) in cases {
            assert_eq!(hour.check_age(sealed_at).is_ok(), is_valid, "{sealed_at:?}");
            assert!(keys(None).check_age(sealed_at).is_ok(), "{sealed_at:?}");
        }
    }

    #[test]
    fn only_a_cursor_with_a_lifetime_has_a_time() {
        let cursor = Cursor::at(CursorDirection::Next, Vec::new());
        for (lifetime, has_time) in [(None, false), (Some(Duration::from_secs(3_600)), true)] {
            let keys = CursorKeys { keyring: Arc::new(Keyring::new(Key::generate())), lifetime };
            let [salt] = Salt::fresh().unwrap();
            let token =
                keys.seal(&cursor, &CursorBinding::NONE, salt).unwrap_or_else(|error| panic!("{}", error.naming([])));
            let payload = keys.keyring.open(CryptPurpose::Cursor, &[], &token).unwrap();
            let (_, sealed_at) = payload::read(&payload, &[]).unwrap();
            assert_eq!(sealed_at.is_some_and(|time| time.abs_diff(now()) < 60), has_time);
        }
    }
}
