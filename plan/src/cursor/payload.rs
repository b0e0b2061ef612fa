//! The JSON that a cursor seals.
//!
//! ```text
//! ["next",["BigInt",42],["String","a"]]
//! ```
//!
//! Each value names its variant, because the number `42` alone does not say whether it binds as `i32` or `i64`. If the
//! database stores another form of a value, that follows the value, with the type to cast it to if there is one:
//! `["String","a",["String","a","citext"]]`. For a moment that depends on the session's time zone, the zone takes the
//! place of the type, after an `@`. If the row at the boundary belongs to the page, `true` is appended. If cursors have
//! a lifetime, `true` or `false` and the time of sealing, in seconds since 1970, are appended.
//!
//! JSON writes a control character as six bytes. If a cursor would be longer than 2,080 characters, it gets another
//! version, in which a text is in base64 if that is shorter, and a stored form that only adds a cast does not repeat
//! its value. Versions of folio before it had no cursor for such a row.
//!
//! ```text
//! ["next",["StringBase64","AQID"],["String","a…",["Same","varchar"]]]
//! ```
//!
//! A cursor with [`CursorNotes`] gets a third version. It has texts like the second one, and at the end the flag, the time or
//! `null`, and the notes by their names. Versions of folio before it reject such a cursor, instead of going on without
//! them.
//!
//! ```text
//! ["next",["BigInt",42],false,null,{"position":"16/B374D848"}]
//! ```

use std::fmt;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::de::{DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};

use super::{Cursor, CursorDirection, CursorNotes};
use crate::boundary::{BoundaryValue, ReadAs, Stored};
use crate::value::{self, Kind, NotEncodable, Value, Variant, write_json};

/// The version of a token's format. Any change to the layout, the derivation of keys, what is authenticated or the
/// payload gets a new one, and so does a new kind of [`CursorNotes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// All tokens but some cursors.
    One = 1,
    /// Cursors whose texts are in base64 if that is shorter: see the [module](self).
    Two = 2,
    /// Cursors with [`CursorNotes`].
    Three = 3,
}

impl Version {
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::Three];
}

/// Payloads are padded to a multiple of this many bytes.
///
/// Together with the fixed overhead, the token then consists of whole base64 groups, so it has only one encoding. The
/// padding also hides the exact length of the values.
const BLOCK: usize = 12;

/// The tag of a stored form that has the boundary's own value.
const SAME: &str = "Same";

/// What comes before a time zone in the place of a type. No type's name begins with it.
const ZONE: char = '@';

/// The tag of a text in URL-safe base64 without padding.
const BASE64: &str = "StringBase64";

/// Writes a cursor, padded with spaces, which a JSON parser ignores.
pub fn write(cursor: &Cursor, version: Version, sealed_at: Option<u64>) -> Result<Vec<u8>, NotEncodable> {
    let mut json = Vec::with_capacity(128);
    json.push(b'[');
    write_json(cursor.direction.as_str(), &mut json)?;
    for value in &cursor.boundary {
        json.push(b',');
        write_boundary_value(value, version, &mut json)?;
    }
    match (version, cursor.inclusive, sealed_at) {
        (Version::Three, inclusive, time) => {
            json.push(b',');
            write_json(inclusive, &mut json)?;
            json.push(b',');
            write_json(time, &mut json)?;
            json.push(b',');
            write_json(&cursor.notes, &mut json)?;
        }
        (_, false, None) => {}
        (_, true, None) => json.extend_from_slice(b",true"),
        (_, inclusive, Some(time)) => json.extend_from_slice(format!(",{inclusive},{time}").as_bytes()),
    }
    json.push(b']');
    json.resize(json.len().next_multiple_of(BLOCK), b' ');
    Ok(json)
}

/// How many bytes a value takes; 0 if it cannot be written.
pub fn length(value: &BoundaryValue, version: Version) -> usize {
    let mut json = Vec::new();
    write_boundary_value(value, version, &mut json).map_or(0, |()| json.len())
}

fn write_boundary_value(
    BoundaryValue { value, stored }: &BoundaryValue,
    version: Version,
    json: &mut Vec<u8>,
) -> Result<(), NotEncodable> {
    json.push(b'[');
    write_tagged(value, version, json)?;
    if let Some(Stored { value: form, read_as }) = stored {
        json.extend_from_slice(b",[");
        if version != Version::One && form == value {
            write_json(SAME, json)?;
        } else {
            write_tagged(form, version, json)?;
        }
        if let Some(read_as) = read_as {
            json.push(b',');
            match read_as {
                ReadAs::Cast(name) => write_json(name, json)?,
                ReadAs::Zone(zone) => write_json(format!("{ZONE}{zone}"), json)?,
            }
        }
        json.push(b']');
    }
    json.push(b']');
    Ok(())
}

/// Writes a value after the name of its variant.
fn write_tagged(value: &Value, version: Version, json: &mut Vec<u8>) -> Result<(), NotEncodable> {
    let start = json.len();
    write_json(value::variant(value).ok_or(NotEncodable)?.as_str(), json)?;
    json.push(b',');
    value::write(value, json)?;
    // Since version 2, base64 takes the place of a text with many escapes.
    if version != Version::One
        && let Value::String(Some(text)) = value
    {
        let encoded = format!(r#""{BASE64}","{}""#, URL_SAFE_NO_PAD.encode(text));
        if encoded.len() < json.len().saturating_sub(start) {
            json.truncate(start);
            json.extend_from_slice(encoded.as_bytes());
        }
    }
    Ok(())
}

/// Reads an authentic payload, and the time at which it was sealed. Anything after it, except for the padding, is an
/// error.
pub fn read(payload: &[u8], types: &[Kind]) -> serde_json::Result<(Cursor, Option<u64>)> {
    let mut json = serde_json::Deserializer::from_slice(payload);
    let cursor = json.deserialize_seq(ReadCursor(types))?;
    json.end()?;
    Ok(cursor)
}

/// Reads a cursor whose key columns have these types.
struct ReadCursor<'a>(&'a [Kind]);

impl<'de> Visitor<'de> for ReadCursor<'_> {
    type Value = (Cursor, Option<u64>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a direction, a boundary, and optionally a flag, a time and notes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let direction = match items.next_element()? {
            Some("next") => CursorDirection::Next,
            Some("prev") => CursorDirection::Prev,
            _ => return Err(A::Error::custom("no direction")),
        };
        let mut boundary = Vec::with_capacity(self.0.len());
        for kind in self.0 {
            let sealed = items.next_element_seed(ReadBoundaryValue(kind.variant))?.ok_or_else(missing)?;
            if !kind.nullable && value::is_null(&sealed.value) {
                return Err(A::Error::custom("unexpected NULL"));
            }
            boundary.push(sealed);
        }
        let inclusive = items.next_element::<bool>()?;
        let sealed_at = if inclusive.is_some() { items.next_element::<Option<u64>>()? } else { None };
        let notes = if sealed_at.is_some() { items.next_element::<CursorNotes>()? } else { None };
        // Without a time and notes, only `true` is written.
        if notes.is_none() && (sealed_at == Some(None) || sealed_at.is_none() && inclusive == Some(false)) {
            return Err(A::Error::custom("an unexpected flag"));
        }
        let (inclusive, notes) = (inclusive.unwrap_or(false), notes.unwrap_or_default());
        Ok((Cursor { inclusive, notes, ..Cursor::at(direction, boundary) }, sealed_at.flatten()))
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

/// Reads a tag, a value of the variant that it names, and the SQL type to cast it to or the time zone that it depends
/// on. The boundary's own value may be left out.
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
        f.write_str("a tag, a value, and optionally a type or a time zone")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Stored, A::Error> {
        let tag: &str = items.next_element()?.ok_or_else(missing)?;
        let value = match tag {
            SAME => self.0.clone(),
            BASE64 => read_value(&mut items, tag, Variant::String)?,
            tag => read_value(&mut items, tag, tag.parse().map_err(A::Error::custom)?)?,
        };
        let read_as = items.next_element::<String>()?.map(|text| match text.strip_prefix(ZONE) {
            Some(zone) => ReadAs::Zone(zone.to_owned()),
            None => ReadAs::Cast(text),
        });
        Ok(Stored { value, read_as })
    }
}

/// Reads a value of this variant after its tag.
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

fn missing<E: serde::de::Error>() -> E {
    E::custom("a value is missing")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Canonical;

    const BIG_INT: Kind = kind(Variant::BigInt);

    const fn kind(variant: Variant) -> Kind {
        Kind { variant, nullable: false, canonical: Canonical { convert: Some, is_exact: true } }
    }

    fn at_position(position: &str) -> CursorNotes {
        CursorNotes { position: Some(position.to_owned()), as_of: None }
    }

    /// The text of a payload is fixed. A different text would be a new format.
    #[test]
    fn notes_follow_the_flag_and_the_time() {
        for (inclusive, sealed_at, written) in [
            (false, None, r#"["next",["BigInt",1],false,null,{"position":"16/B3"}]"#),
            (true, None, r#"["next",["BigInt",1],true,null,{"position":"16/B3"}]"#),
            (false, Some(7), r#"["next",["BigInt",1],false,7,{"position":"16/B3"}]"#),
        ] {
            let boundary = vec![BoundaryValue::plain(1_i64.into())];
            let cursor =
                Cursor { inclusive, notes: at_position("16/B3"), ..Cursor::at(CursorDirection::Next, boundary) };
            let payload = write(&cursor, Version::Three, sealed_at).unwrap();
            assert_eq!(String::from_utf8(payload.clone()).unwrap().trim_end(), written);
            assert_eq!(read(&payload, &[BIG_INT]).unwrap(), (cursor, sealed_at));
        }
    }

    #[test]
    fn a_text_beside_notes_is_in_base64_if_that_is_shorter() {
        let boundary = vec![BoundaryValue::plain("\u{1}\u{1}\u{1}".to_owned().into())];
        let cursor = Cursor { notes: at_position("0/0"), ..Cursor::at(CursorDirection::Prev, boundary) };
        let payload = write(&cursor, Version::Three, None).unwrap();
        let written = r#"["prev",["StringBase64","AQEB"],false,null,{"position":"0/0"}]"#;
        assert_eq!(String::from_utf8(payload.clone()).unwrap().trim_end(), written);
        assert_eq!(read(&payload, &[kind(Variant::String)]).unwrap().0, cursor);
    }

    #[test]
    fn what_follows_the_boundary_is_what_was_written() {
        let types = [BIG_INT];
        for end in ["", ",true", ",true,7", ",false,7"] {
            let (cursor, _) = read(format!(r#"["next",["BigInt",1]{end}]"#).as_bytes(), &types).unwrap();
            assert_eq!(cursor.notes, CursorNotes::default());
        }
        for end in [
            ",false",
            ",false,null",
            ",true,null",
            ",null",
            ",false,7,8",
            r#",false,null,{"unknown":1}"#,
            r#",false,null,{"position":1}"#,
            r#",false,null,{"position":"1","position":"1"}"#,
            r#",false,null,{"position":"1"},2"#,
        ] {
            assert!(read(format!(r#"["next",["BigInt",1]{end}]"#).as_bytes(), &types).is_err(), "{end}");
        }
    }

    #[test]
    fn a_stored_form_has_the_type_or_the_time_zone_by_which_it_is_read() {
        for (read_as, written) in [
            (None, r#"["next",["BigInt",1,["String","a"]]]"#),
            (Some(ReadAs::Cast("citext".to_owned())), r#"["next",["BigInt",1,["String","a","citext"]]]"#),
            (Some(ReadAs::Zone("+02:00".to_owned())), r#"["next",["BigInt",1,["String","a","@+02:00"]]]"#),
        ] {
            let stored = Some(Stored { value: "a".to_owned().into(), read_as });
            let cursor = Cursor::at(CursorDirection::Next, vec![BoundaryValue { value: 1_i64.into(), stored }]);
            let payload = write(&cursor, Version::One, None).unwrap();
            assert_eq!(String::from_utf8(payload.clone()).unwrap().trim_end(), written);
            let (read, _) = read(&payload, &[BIG_INT]).unwrap();
            assert_eq!(read, cursor);
        }
    }
}
