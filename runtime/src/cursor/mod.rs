//! Cursors: a boundary and a direction, encrypted for the client.
//!
//! A [`Cursor`] holds the values of the cursor key at the edge of a page, and whether to continue after or before
//! them. To the client it is an opaque string. The string is JSON, sealed with AES-256-GCM:
//!
//! ```text
//! ["next",["BigInt",42],["String","a"]]
//! ```
//!
//! If the row at the boundary belongs to the page, `true` is appended. If cursors have a lifetime, `true` or `false`
//! and the time of sealing, in seconds since 1970, are appended.
//!
//! JSON writes a control character as six bytes. If a cursor would be longer than [`LONGEST_OF_VERSION_1`] characters, it
//! gets another version, in which a text is in base64 if that is shorter, and a stored form that only adds a cast does not
//! repeat its value. Versions before it had no cursor for such a row.
//!
//! ```text
//! ["next",["StringBase64","AQID"],["String","a…",["Same","varchar"]]]
//! ```
//!
//! Each value names its variant, because the number `42` alone does not say whether it binds as `i32` or `i64`. The
//! payload does not contain the list's table and key. They are the associated data of the encryption (see
//! [`CursorBinding`]), so a cursor of another list is rejected.
//!
//! This module knows neither SQL nor connections. [`crate::keyset`] turns the boundary into a condition, and
//! [`crate::value`] defines how each type is written.

mod binding;
mod direction;
mod keys;
#[cfg(test)]
mod tests;

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::de::{DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};

pub(crate) use self::binding::CursorBinding;
pub use self::direction::CursorDirection;
pub(crate) use self::keys::CursorKeys;
use crate::boundary::{BoundaryValue, Stored};
use crate::crypt::{self, Salt, Version};
use crate::error::{FrameworkError, Result};
use crate::value::{self, CursorValue, NotEncodable, Value, Variant, write_json};

/// The maximum length of a cursor that is created or accepted, in characters.
///
/// A cursor is part of a URL. By default, nginx accepts a request line of 8,192 bytes (`large_client_header_buffers`) and
/// Apache one of 8,190 (`LimitRequestLine`). This leaves room for 2,048 bytes of other
/// parameters, and 500 for the path. The limit also bounds the work that forged cursors can cause.
const MAX_CURSOR: usize = 5_600;

/// The maximum length of a cursor in version 1 of the format, which versions of folio before version 2 accept.
const LONGEST_OF_VERSION_1: usize = 2_080;

/// Payloads are padded to a multiple of this many bytes.
///
/// Together with the fixed overhead, the token then consists of whole base64 groups, so it has only one encoding. The
/// padding also hides the exact length of the values.
const BLOCK: usize = 12;

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
    /// A cursor at a row that was read.
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
        let sealed_at = keys.sealing_time();
        let mut version = Version::One;
        let mut payload = self.payload(version, sealed_at)?;
        if crypt::length(payload.len()) > LONGEST_OF_VERSION_1 {
            version = Version::Two;
            payload = self.payload(version, sealed_at)?;
        }
        if crypt::length(payload.len()) > MAX_CURSOR {
            return Err(NotSealed::TooLong { longest: self.longest() });
        }
        Ok(binding.seal(keys.keyring(), salt, self.origin == Origin::Key, (version, &payload))?)
    }

    /// The place of the longest value.
    fn longest(&self) -> usize {
        let length = |value: &BoundaryValue| {
            let mut json = Vec::new();
            write_boundary_value(value, Version::Two, &mut json).map_or(0, |()| json.len())
        };
        let places = self.boundary.iter().enumerate();
        places.max_by_key(|(_, value)| length(value)).map_or(0, |(at, _)| at)
    }

    /// The cursor as JSON, padded with spaces, which a JSON parser ignores.
    fn payload(&self, version: Version, sealed_at: Option<u64>) -> Result<Vec<u8>> {
        let mut json = Vec::with_capacity(128);
        self.write(version, sealed_at, &mut json).map_err(|NotEncodable| unordered())?;
        json.resize(json.len().next_multiple_of(BLOCK), b' ');
        Ok(json)
    }

    /// Writes the cursor as JSON.
    fn write(&self, version: Version, sealed_at: Option<u64>, json: &mut Vec<u8>) -> Result<(), NotEncodable> {
        json.push(b'[');
        write_name(self.direction.as_str(), json);
        for value in &self.boundary {
            write_boundary_value(value, version, json)?;
        }
        match (self.inclusive, sealed_at) {
            (false, None) => json.push(b']'),
            (true, None) => json.extend_from_slice(b",true]"),
            (inclusive, Some(time)) => json.extend_from_slice(format!(",{inclusive},{time}]").as_bytes()),
        }
        Ok(())
    }

    /// Opens a cursor of a list. `types` has the variant of each key column, and whether it can be NULL.
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
            return Err(FrameworkError::invalid_cursor());
        }
        let (payload, origin) = binding.open(keys.keyring(), token)?;
        let (cursor, sealed_at) = Self::read(&payload, types)?;
        keys.check_age(sealed_at)?;
        Ok(Self { origin, ..cursor })
    }

    /// Reads an authentic payload, and the time at which it was sealed. Anything after it, except for the padding, is an
    /// error.
    fn read(payload: &[u8], types: &[KeyColumnType]) -> Result<(Self, Option<u64>)> {
        let mut json = serde_json::Deserializer::from_slice(payload);
        let cursor = json.deserialize_seq(ReadCursor(types)).map_err(mismatched)?;
        json.end().map_err(mismatched)?;
        Ok(cursor)
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

/// The error for an authentic payload that does not fit the columns of the cursor key. This is a bug or a changed
/// model, not the client's fault.
fn mismatched(_: serde_json::Error) -> FrameworkError {
    FrameworkError::internal("the cursor's payload does not match the cursor key")
}

/// The error for a value that sorts differently on different databases, or not at all.
fn unordered() -> FrameworkError {
    FrameworkError::internal("a value without a consistent order, such as NaN, cannot be used in a cursor key")
}

/// Writes a boundary value as `,["tag",value]`. If the database stores another form, that comes after the value.
fn write_boundary_value(
    BoundaryValue { value, stored }: &BoundaryValue,
    version: Version,
    json: &mut Vec<u8>,
) -> Result<(), NotEncodable> {
    json.extend_from_slice(b",[");
    write_tagged(value, version, json)?;
    if let Some(stored) = stored {
        write_stored(stored, value, version, json)?;
    }
    json.push(b']');
    Ok(())
}

/// Writes a stored form as `,["tag",value,"cast"]`. The cast is left out if there is none; in version 2, so is the value
/// if it is the boundary's own.
fn write_stored(
    Stored { value, cast }: &Stored,
    own: &Value,
    version: Version,
    json: &mut Vec<u8>,
) -> Result<(), NotEncodable> {
    json.extend_from_slice(b",[");
    if version == Version::Two && value == own {
        write_name(SAME, json);
    } else {
        write_tagged(value, version, json)?;
    }
    if let Some(cast) = cast {
        json.push(b',');
        write_json(cast, json)?;
    }
    json.push(b']');
    Ok(())
}

/// The tag of a stored form that has the boundary's own value.
const SAME: &str = "Same";

/// Writes a value after the name of its variant.
fn write_tagged(value: &Value, version: Version, json: &mut Vec<u8>) -> Result<(), NotEncodable> {
    let start = json.len();
    write_name(value::variant(value).ok_or(NotEncodable)?.as_str(), json);
    json.push(b',');
    value::write(value, json)?;
    if let (Version::Two, Value::String(Some(text))) = (version, value) {
        let mut encoded = Vec::new();
        write_name(BASE64, &mut encoded);
        encoded.push(b',');
        write_json(URL_SAFE_NO_PAD.encode(text), &mut encoded)?;
        if encoded.len() < json.len().saturating_sub(start) {
            json.truncate(start);
            json.append(&mut encoded);
        }
    }
    Ok(())
}

/// The tag of a text in URL-safe base64 without padding.
const BASE64: &str = "StringBase64";

/// Writes a name that needs no escapes.
fn write_name(name: &str, json: &mut Vec<u8>) {
    json.push(b'"');
    json.extend_from_slice(name.as_bytes());
    json.push(b'"');
}

/// Reads a cursor whose key columns have these types.
struct ReadCursor<'a>(&'a [KeyColumnType]);

impl<'de> Visitor<'de> for ReadCursor<'_> {
    type Value = (Cursor, Option<u64>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a direction, a boundary, and optionally a flag and a time")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let direction = read_direction(&mut items)?;
        let boundary = read_boundary(&mut items, self.0)?;
        let (inclusive, sealed_at) = read_end(&mut items)?;
        Ok((Cursor { inclusive, ..Cursor::at(direction, boundary) }, sealed_at))
    }
}

/// Reads the first item of a cursor.
fn read_direction<'de, A: SeqAccess<'de>>(items: &mut A) -> Result<CursorDirection, A::Error> {
    match items.next_element()? {
        Some("next") => Ok(CursorDirection::Next),
        Some("prev") => Ok(CursorDirection::Prev),
        _ => Err(A::Error::custom("no direction")),
    }
}

/// Reads a value for each key column.
fn read_boundary<'de, A: SeqAccess<'de>>(
    items: &mut A,
    types: &[KeyColumnType],
) -> Result<Vec<BoundaryValue>, A::Error> {
    types.iter().map(|of| read_boundary_value(items, *of)).collect()
}

/// Reads the value of a key column.
fn read_boundary_value<'de, A: SeqAccess<'de>>(
    items: &mut A,
    (variant, nullable): KeyColumnType,
) -> Result<BoundaryValue, A::Error> {
    let boundary_value = items.next_element_seed(ReadBoundaryValue(variant))?.ok_or_else(missing)?;
    if !nullable && value::is_null(&boundary_value.value) {
        return Err(A::Error::custom("unexpected NULL"));
    }
    Ok(boundary_value)
}

/// Reads a value with this tag, which has this variant.
fn read_value<'de, A: SeqAccess<'de>>(items: &mut A, tag: &str, variant: Variant) -> Result<Value, A::Error> {
    if tag == BASE64 && variant == Variant::String {
        let text: &str = items.next_element()?.ok_or_else(missing)?;
        let text = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        return text.map(Value::from).ok_or_else(|| A::Error::custom("not a text in base64"));
    }
    if tag != variant.as_str() {
        return Err(A::Error::custom("a value of another type"));
    }
    items.next_element_seed(variant)?.ok_or_else(missing)
}

/// Reads the end of the payload: whether the cursor is inclusive, and when it was sealed. Both are missing if the
/// cursor is not inclusive and has no time.
fn read_end<'de, A: SeqAccess<'de>>(items: &mut A) -> Result<(bool, Option<u64>), A::Error> {
    let Some(inclusive) = items.next_element::<bool>()? else { return Ok((false, None)) };
    match items.next_element()? {
        None if !inclusive => Err(A::Error::custom("unexpected `false`")),
        sealed_at => Ok((inclusive, sealed_at)),
    }
}

/// Reads a tag, a value of this variant, and the stored form if there is one.
struct ReadBoundaryValue(Variant);

impl<'de> DeserializeSeed<'de> for ReadBoundaryValue {
    type Value = BoundaryValue;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<BoundaryValue, D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ReadBoundaryValue {
    type Value = BoundaryValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a tag and a value of type {}", self.0.as_str())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<BoundaryValue, A::Error> {
        let tag: &str = items.next_element()?.ok_or_else(missing)?;
        let value = read_value(&mut items, tag, self.0)?;
        let stored = items.next_element_seed(ReadStored(&value))?;
        Ok(BoundaryValue { value, stored })
    }
}

/// Reads a tag, a value of the variant that it names, and the SQL type to cast it to. The boundary's own value may be left
/// out.
struct ReadStored<'a>(&'a Value);

impl<'de> DeserializeSeed<'de> for ReadStored<'_> {
    type Value = Stored;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Stored, D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ReadStored<'_> {
    type Value = Stored;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a tag, a value, and optionally a type")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Stored, A::Error> {
        let tag: &str = items.next_element()?.ok_or_else(missing)?;
        let value = match tag {
            SAME => self.0.clone(),
            BASE64 => read_value(&mut items, tag, Variant::String)?,
            tag => read_value(&mut items, tag, tag.parse().map_err(A::Error::custom)?)?,
        };
        Ok(Stored { value, cast: items.next_element()? })
    }
}

/// The error for a payload with fewer items than the cursor key has columns.
fn missing<E: serde::de::Error>() -> E {
    E::custom("a value is missing")
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
    // The variant is the type's, so the value itself is unknown to the type, such as a variant that was removed from an
    // enum.
    let value = first(cursor.boundary).ok_or_else(FrameworkError::invalid_cursor)?;
    Ok((value, cursor.direction))
}

/// The first value of a boundary, if the type has it.
fn first<V: CursorValue>(boundary: Vec<BoundaryValue>) -> Option<V> {
    V::from_value(boundary.into_iter().next()?.value)
}
