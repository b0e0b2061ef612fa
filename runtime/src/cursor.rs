//! Sealed cursors: a cursor, encrypted for the client.
//!
//! A [`Cursor`] holds the values of the cursor key at the edge of a page, and whether to continue after or before
//! them. To the client it is an opaque string: JSON (see [`payload`]), sealed with AES-256-GCM.
//!
//! The payload does not contain the list's table and key. They are the associated data of the encryption (see
//! [`CursorBinding`]), so a cursor of another table or order is rejected. Filters count only with `bind_filters`.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use folio_plan::boundary::BoundaryValue;
use folio_plan::cursor::{Cursor, CursorBinding, CursorDirection, CursorNotes, Origin, Version, payload};
use folio_plan::value::{Kind, NotEncodable};

use crate::crypt::{self, CryptPurpose, Keyring, Salt};
use crate::error::{FrameworkError, Refusal, Result};
use crate::value::CursorValue;

/// The maximum length of a cursor that is created or accepted, in characters.
///
/// A cursor is part of a URL. By default, nginx accepts a request line of 8,192 bytes (`large_client_header_buffers`)
/// and Apache one of 8,190 (`LimitRequestLine`). This leaves room for 2,048 bytes of other parameters, and 500 for the
/// path. The limit also bounds the work that forged cursors can cause.
const MAX_CURSOR: usize = 5_600;

const MAX_PAYLOAD: usize = crypt::longest_message(MAX_CURSOR);

/// A longer cursor is in version 2 of the format. Before that version, folio accepted at most 2,080 characters.
const MAX_PAYLOAD_OF_VERSION_1: usize = crypt::longest_message(2_080);

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
    /// [`NotSealed::NotEncodable`] if a value has no consistent order, and [`NotSealed::TooLong`] if the token exceeds
    /// [`MAX_CURSOR`].
    pub(crate) fn seal(&self, cursor: &Cursor, binding: &CursorBinding, salt: Salt) -> Result<String, NotSealed> {
        let sealed_at = self.lifetime.map(|_| now());

        // The first version that can hold the cursor, so that processes with an older folio open it during a deployment.
        let mut version = if cursor.notes == CursorNotes::default() { Version::One } else { Version::Three };
        let mut payload = payload::write(cursor, version, sealed_at)?;
        if version == Version::One && payload.len() > MAX_PAYLOAD_OF_VERSION_1 {
            version = Version::Two;
            payload = payload::write(cursor, version, sealed_at)?;
        }
        if payload.len() > MAX_PAYLOAD {
            let lengths = cursor.boundary.iter().map(|value| payload::length(value, version)).enumerate();
            let longest = lengths.max_by_key(|(_, length)| *length).map_or(0, |(at, _)| at);
            return Err(NotSealed::TooLong { longest });
        }

        let words = binding.words(cursor.origin);
        Ok(self.keyring.seal_in(version, salt, CryptPurpose::Cursor, &words, &payload)?)
    }

    /// Opens a cursor of a list with key columns of these types.
    ///
    /// # Errors
    /// [`FrameworkError::Domain`], 400, if the token is too long, was altered, belongs to another list, has expired, or
    /// has a value that its type no longer has. [`FrameworkError::Internal`] if the token is authentic but its payload
    /// does not have these types.
    pub(crate) fn open(&self, binding: &CursorBinding, types: &[Kind], token: &str) -> Result<Cursor> {
        if token.len() > MAX_CURSOR {
            return Err(Refusal::InvalidCursor.into());
        }

        // A token does not say whether its values come from a row or from a key, because only the associated data
        // differs. Nearly all come from rows, so that is tried first. Only models have cursors from keys.
        let decrypt = |origin| self.keyring.open_in(CryptPurpose::Cursor, &binding.words(origin), token);
        let (payload, origin) = match decrypt(Origin::Row) {
            Err(_) if binding.model.is_some() => (decrypt(Origin::Key)?, Origin::Key),
            decrypted => (decrypted?, Origin::Row),
        };

        // An authentic payload that does not fit is a bug or a changed model, not the client's fault.
        let (cursor, sealed_at) = payload::read(&payload, types)
            .map_err(|_| FrameworkError::internal("the cursor's payload does not match the cursor key"))?;
        if cursor.notes.as_of.is_some() {
            return Err(Refusal::InvalidCursor.into());
        }

        if let Some(lifetime) = self.lifetime {
            // A cursor without a time was sealed before the lifetime was set. A time in the future comes from a server
            // whose clock is ahead of this one's.
            let age = sealed_at.map(|at| Duration::from_secs(now().saturating_sub(at)));
            let is_valid = age.is_some_and(|age| age <= lifetime);
            if !is_valid {
                return Err(Refusal::ExpiredCursor.into());
            }
        }

        // An enum may have lost the variant since the cursor was sealed.
        if !cursor.has_values_of(types) {
            return Err(Refusal::InvalidCursor.into());
        }
        Ok(Cursor { origin, ..cursor })
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
    /// A value has no consistent order.
    NotEncodable,
    Other(FrameworkError),
}

impl From<FrameworkError> for NotSealed {
    fn from(error: FrameworkError) -> Self {
        Self::Other(error)
    }
}

impl From<NotEncodable> for NotSealed {
    fn from(NotEncodable: NotEncodable) -> Self {
        Self::NotEncodable
    }
}

impl NotSealed {
    /// The error, which names the column of a value that is too long.
    pub(crate) fn naming<'a>(self, columns: impl IntoIterator<Item = &'a str>) -> FrameworkError {
        match self {
            Self::Other(error) => error,
            Self::NotEncodable => FrameworkError::internal(
                "a value without a consistent order, such as NaN, cannot be used in a cursor key",
            ),
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
    let cursor = keys.open(&CursorBinding::NONE, &[V::__KIND], token)?;
    let value = cursor.boundary.into_iter().next().and_then(|sealed| V::from_value(sealed.value));
    Ok((value.ok_or(Refusal::InvalidCursor)?, cursor.direction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypt::Key;

    #[test]
    fn a_cursor_expires_after_its_lifetime() {
        let unlimited = CursorKeys { keyring: Arc::new(Keyring::new(Key::generate())), lifetime: None };
        let hour = CursorKeys { lifetime: Some(Duration::from_secs(3_600)), ..unlimited.clone() };
        let cursor = Cursor::at(CursorDirection::Next, Vec::new());
        let now = now();
        for (sealed_at, is_valid) in [
            (Some(now), true),
            (Some(now.saturating_sub(3_590)), true),
            (Some(now.saturating_sub(3_605)), false),
            (Some(now.saturating_add(60)), true),
            (Some(0), false),
            (None, false),
        ] {
            let payload = payload::write(&cursor, Version::One, sealed_at).unwrap();
            let token = hour.keyring.seal(CryptPurpose::Cursor, &[], &payload).unwrap();
            let opened = hour.open(&CursorBinding::NONE, &[], &token).map_err(|error| error.to_string());
            assert_eq!(opened, if is_valid { Ok(cursor.clone()) } else { Err(Refusal::ExpiredCursor.to_string()) });
            assert_eq!(unlimited.open(&CursorBinding::NONE, &[], &token).unwrap(), cursor);
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
