//! Cursors: a boundary and a direction, encrypted for the client.
//!
//! A [`Cursor`] holds the values of the cursor key at the edge of a page, and whether to continue after or before
//! them. To the client it is an opaque string: JSON (see `payload.rs`), sealed with AES-256-GCM.
//!
//! The payload does not contain the list's table and key. They are the associated data of the encryption (see
//! [`CursorBinding`]), so a cursor of another list is rejected.
//!
//! This module knows neither SQL nor connections. [`crate::keyset`] turns the boundary into a condition, and
//! [`crate::value`] defines how each type is written.

mod binding;
mod direction;
mod payload;

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub(crate) use self::binding::CursorBinding;
pub use self::direction::CursorDirection;
use crate::boundary::BoundaryValue;
use crate::crypt::{self, Keyring, Salt, Version};
use crate::error::{FrameworkError, Refusal, Result};
use crate::value::{CursorValue, NotEncodable, Value, Variant};

/// The maximum length of a cursor that is created or accepted, in characters.
///
/// A cursor is part of a URL. By default, nginx accepts a request line of 8,192 bytes (`large_client_header_buffers`) and
/// Apache one of 8,190 (`LimitRequestLine`). This leaves room for 2,048 bytes of other
/// parameters, and 500 for the path. The limit also bounds the work that forged cursors can cause.
const MAX_CURSOR: usize = 5_600;

/// The maximum length of a cursor in version 1 of the format, which versions of folio before version 2 accept.
const LONGEST_OF_VERSION_1: usize = 2_080;

/// What cursors are sealed and opened with.
#[derive(Debug, Clone)]
pub(crate) struct CursorKeys {
    keyring: Arc<Keyring>,
    /// If set, cursors contain the time at which they were sealed.
    lifetime: Option<Duration>,
}

impl CursorKeys {
    pub(crate) fn new(keyring: Arc<Keyring>, lifetime: Option<Duration>) -> Self {
        Self { keyring, lifetime }
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

/// The variant of a key column, and whether it can be NULL.
pub(crate) type KeyColumnType = (Variant, bool);

/// A boundary, and the direction in which to continue from it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cursor {
    /// Whether the page is after the boundary or before it.
    pub(crate) direction: CursorDirection,
    /// A value for each column of the cursor key, in its order.
    pub(crate) boundary: Vec<BoundaryValue>,
    /// Whether the row at the boundary belongs to the page. It does if the cursor leads back from an empty page.
    pub(crate) inclusive: bool,
    pub(crate) origin: Origin,
}

/// Where the values of a cursor come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A row that was read.
    Row,
    /// A key that the caller encoded. Nothing is known about how the database stores its values.
    Key,
    /// Values for the first columns of the key. No row has to have them. Such a cursor is never sealed.
    Values,
}

impl Cursor {
    pub(crate) fn at(direction: CursorDirection, boundary: Vec<BoundaryValue>) -> Self {
        Self { direction, boundary, inclusive: false, origin: Origin::Row }
    }

    /// A cursor at the values of a key, encoded by the caller.
    pub(crate) fn by_hand(direction: CursorDirection, values: Vec<Value>) -> Self {
        Self { origin: Origin::Key, ..Self::at(direction, values.into_iter().map(BoundaryValue::plain).collect()) }
    }

    /// The same boundary in this direction. A cursor that includes its row only does so in its own direction.
    pub(crate) fn facing(self, direction: CursorDirection) -> Self {
        Self { inclusive: self.inclusive && self.direction == direction, direction, ..self }
    }

    /// Whether there was a row with the cursor's key.
    pub(crate) fn is_of_row(&self) -> bool {
        self.origin != Origin::Values
    }

    /// Seals the cursor for a list.
    ///
    /// # Errors
    /// [`FrameworkError::Internal`] if a value has no consistent order, or [`NotSealed::TooLong`] if the token exceeds
    /// [`MAX_CURSOR`].
    pub(crate) fn seal(&self, keys: &CursorKeys, binding: &CursorBinding, salt: Salt) -> Result<String, NotSealed> {
        let sealed_at = keys.lifetime.map(|_| now());
        let written = |version| {
            payload::write(self, version, sealed_at).map_err(|NotEncodable| {
                FrameworkError::internal(
                    "a value without a consistent order, such as NaN, cannot be used in a cursor key",
                )
            })
        };
        let mut version = Version::One;
        let mut payload = written(version)?;
        if crypt::length(payload.len()) > LONGEST_OF_VERSION_1 {
            version = Version::Two;
            payload = written(version)?;
        }
        if crypt::length(payload.len()) > MAX_CURSOR {
            let lengths = self.boundary.iter().map(|value| payload::length(value, version)).enumerate();
            let longest = lengths.max_by_key(|(_, length)| *length).map_or(0, |(at, _)| at);
            return Err(NotSealed::TooLong { longest });
        }
        Ok(binding.seal(&keys.keyring, salt, self.origin == Origin::Key, (version, &payload))?)
    }

    /// Opens a cursor of a list with the variants of its key columns.
    ///
    /// # Errors
    /// [`FrameworkError::Domain`], 400, if the token is too long, was altered, belongs to another list, or has expired.
    /// [`FrameworkError::Internal`] if the token is authentic but its payload does not have these types.
    pub(crate) fn open(
        keys: &CursorKeys,
        binding: &CursorBinding,
        types: &[KeyColumnType],
        token: &str,
    ) -> Result<Self> {
        if token.len() > MAX_CURSOR {
            return Err(Refusal::InvalidCursor.into());
        }
        let (payload, origin) = binding.open(&keys.keyring, token)?;
        // An authentic payload that does not fit is a bug or a changed model, not the client's fault.
        let (cursor, sealed_at) = payload::read(&payload, types)
            .map_err(|_| FrameworkError::internal("the cursor's payload does not match the cursor key"))?;
        keys.check_age(sealed_at)?;
        Ok(Self { origin, ..cursor })
    }
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
    Cursor::at(direction, boundary).seal(keys, &CursorBinding::NONE, salt).map_err(|error| error.naming([]))
}

/// Opens a cursor from [`encode`] that has the same type.
pub(crate) fn decode<V: CursorValue>(keys: &CursorKeys, token: &str) -> Result<(V, CursorDirection)> {
    let cursor = Cursor::open(keys, &CursorBinding::NONE, &[(V::VARIANT, V::NULLABLE)], token)?;
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
    fn a_cursor_includes_its_row_in_its_own_direction_only() {
        for direction in [CursorDirection::Next, CursorDirection::Prev] {
            let cursor = Cursor { inclusive: true, ..Cursor::at(direction, Vec::new()) };
            assert_eq!(cursor.clone().facing(direction), cursor);
            assert_eq!(cursor.facing(direction.flip()), Cursor::at(direction.flip(), Vec::new()));
        }
    }

    #[test]
    fn a_cursor_expires_after_its_lifetime() {
        let keys = |lifetime| CursorKeys::new(Arc::new(Keyring::new(Key::generate())), lifetime);
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
            let keys = CursorKeys::new(Arc::new(Keyring::new(Key::generate())), lifetime);
            let [salt] = Salt::fresh().unwrap();
            let token =
                cursor.seal(&keys, &CursorBinding::NONE, salt).unwrap_or_else(|error| panic!("{}", error.naming([])));
            let (payload, _) = CursorBinding::NONE.open(&keys.keyring, &token).unwrap();
            let (_, sealed_at) = payload::read(&payload, &[]).unwrap();
            assert_eq!(sealed_at.is_some_and(|time| time.abs_diff(now()) < 60), has_time);
        }
    }
}
