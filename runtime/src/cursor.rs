//! A boundary and a direction, as they travel: a sealed string to the client, a place in an order to the database.

use serde_json::Value as Json;

use crate::crypt::{CryptPurpose, Keyring};
use crate::error::{FrameworkError, Result};
use crate::keyset::Bound;
use crate::order::Term;
use crate::table::{Direction, Nulls, Table};
use crate::value::{self, CursorValue, Value, Variant};

/// The longest cursor that is given out or looked at, in characters: it has to fit a URL beside what else stands there.
const MAX_CURSOR: usize = 2_080;

/// Payloads are filled up to a multiple of this, so that tokens end on a whole base64 group and have one spelling.
const BLOCK: usize = 12;

/// Which way a walk goes on from a cursor.
///
/// ```
/// use folio::CursorDirection;
///
/// assert_eq!(CursorDirection::Next.as_str(), "next");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CursorDirection {
    /// To the rows behind the boundary.
    Next,
    /// To the rows before it.
    Prev,
}

impl CursorDirection {
    /// The direction's tag, `next` or `prev`.
    ///
    /// ```
    /// assert_eq!(folio::CursorDirection::Prev.as_str(), "prev");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Next => "next",
            Self::Prev => "prev",
        }
    }

    pub(crate) fn flip(self) -> Self {
        match self {
            Self::Next => Self::Prev,
            Self::Prev => Self::Next,
        }
    }
}

/// One column's value at a boundary.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    /// The value as its type in Rust has it.
    pub(crate) value: Value,
    /// The value as the database holds it, where it compares in another form than the type binds in.
    pub(crate) stored: Option<Stored>,
}

/// A value in the form in which its database compares it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stored {
    pub(crate) value: Value,
    /// The column's type, where a bound value has to be cast to it.
    pub(crate) cast: Option<String>,
}

impl Part {
    /// A value that compares as its type binds.
    pub(crate) fn plain(value: Value) -> Self {
        Self { value, stored: None }
    }

    /// What stands for the boundary in the predicate.
    pub(crate) fn bound(&self) -> Bound<'_> {
        match &self.stored {
            Some(Stored { value, cast }) => Bound { value, cast: cast.as_deref() },
            None => Bound { value: &self.value, cast: None },
        }
    }
}

/// A place in an order, and which way to go on from it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cursor {
    pub(crate) direction: CursorDirection,
    pub(crate) boundary: Vec<Part>,
    /// Whether the boundary's own row belongs to the page. It does on the way back from a page that came out empty.
    pub(crate) inclusive: bool,
}

impl Cursor {
    /// Seals the cursor for a scope.
    pub(crate) fn seal(&self, keyring: &Keyring, scope: &Scope) -> Result<String> {
        let mut payload = vec![Json::from(self.direction.as_str())];
        for part in &self.boundary {
            payload.push(write_part(part)?);
        }
        if self.inclusive {
            payload.push(Json::Bool(true));
        }
        let token =
            keyring.seal(CryptPurpose::Cursor, &scope.parts(), pad(Json::Array(payload).to_string()).as_bytes())?;
        if token.len() > MAX_CURSOR {
            let message =
                format!("the cursor key of a row is too long: its cursor has more than {MAX_CURSOR} characters");
            return Err(FrameworkError::internal(message));
        }
        Ok(token)
    }

    /// Opens a cursor of a scope, with one part for each of `types`: its variant, and whether it can be NULL.
    pub(crate) fn open(keyring: &Keyring, scope: &Scope, types: &[(Variant, bool)], token: &str) -> Result<Self> {
        if token.len() > MAX_CURSOR {
            return Err(FrameworkError::invalid_cursor());
        }
        let payload = keyring.open(CryptPurpose::Cursor, &scope.parts(), token)?;
        // What fails from here on was sealed by us, so it is not the client's fault.
        Self::read(&payload, types).ok_or_else(|| FrameworkError::internal("an authentic cursor has another content"))
    }

    fn read(payload: &[u8], types: &[(Variant, bool)]) -> Option<Self> {
        let Ok(Json::Array(items)) = serde_json::from_slice(payload) else { return None };
        let mut items = items.into_iter();
        let direction = match items.next()?.as_str()? {
            "next" => CursorDirection::Next,
            "prev" => CursorDirection::Prev,
            _ => return None,
        };
        let boundary = types.iter().map(|expected| read_part(*expected, &items.next()?)).collect::<Option<_>>()?;
        let inclusive = match items.next() {
            None => false,
            Some(Json::Bool(true)) => true,
            Some(_) => return None,
        };
        items.next().is_none().then_some(Self { direction, boundary, inclusive })
    }
}

fn write_part(part: &Part) -> Result<Json> {
    let tagged = |value: &Value| {
        let (variant, json) = value::write(value).map_err(|_| {
            FrameworkError::internal("a value that no order has a place for, such as NaN, stands in a cursor key")
        })?;
        Ok::<_, FrameworkError>(vec![Json::from(variant.as_str()), json])
    };
    let mut item = tagged(&part.value)?;
    if let Some(Stored { value, cast }) = &part.stored {
        let mut stored = tagged(value)?;
        stored.extend(cast.as_deref().map(Json::from));
        item.push(Json::Array(stored));
    }
    Ok(Json::Array(item))
}

fn read_part((variant, nullable): (Variant, bool), item: &Json) -> Option<Part> {
    let part = match item.as_array()?.as_slice() {
        [tag, value] => Some(Part::plain(read_tagged(Some(variant), tag, value)?)),
        [tag, value, Json::Array(stored)] => {
            let value = read_tagged(Some(variant), tag, value)?;
            Some(Part { value, stored: Some(read_stored(stored)?) })
        }
        _ => None,
    }?;
    (nullable || !value::is_null(&part.value)).then_some(part)
}

fn read_stored(item: &[Json]) -> Option<Stored> {
    match item {
        [tag, value] => Some(Stored { value: read_tagged(None, tag, value)?, cast: None }),
        [tag, value, Json::String(cast)] => {
            Some(Stored { value: read_tagged(None, tag, value)?, cast: Some(cast.clone()) })
        }
        _ => None,
    }
}

fn read_tagged(expected: Option<Variant>, tag: &Json, value: &Json) -> Option<Value> {
    let variant: Variant = tag.as_str()?.parse().ok()?;
    expected.is_none_or(|expected| expected == variant).then(|| variant.read(value))?
}

/// Fills up with spaces, which JSON passes over.
fn pad(mut text: String) -> String {
    let length = text.len().next_multiple_of(BLOCK);
    text.extend(std::iter::repeat_n(' ', length.saturating_sub(text.len())));
    text
}

/// What a cursor is bound to: a table or a name, and its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scope(Vec<String>);

impl Scope {
    /// The scope of no list: for cursors that are handled by hand.
    pub(crate) const NONE: Self = Self(Vec::new());

    /// The list's name, in as many words as tell what kind of list it is, and its key, in four words a column.
    pub(crate) fn new(list: &[&str], table: Option<&Table>, terms: &[Term]) -> Self {
        let mut parts: Vec<String> = list.iter().copied().map(str::to_owned).collect();
        for term in terms {
            let key = term.key;
            let direction = match key.direction {
                Direction::Asc => "asc",
                Direction::Desc => "desc",
            };
            let nulls = match key.nulls {
                None => "not null",
                Some(Nulls::First) => "nulls first",
                Some(Nulls::Last) => "nulls last",
            };
            // A column of another table than the list's own is known by that, too.
            let name = match term.qualifier().filter(|name| table.is_none_or(|table| table.name != *name)) {
                Some(qualifier) => format!("{qualifier}\0{}", key.name),
                None => key.name.to_owned(),
            };
            parts.extend([name, key.variant.as_str().to_owned(), direction.to_owned(), nulls.to_owned()]);
        }
        Self(parts)
    }

    fn parts(&self) -> Vec<&[u8]> {
        self.0.iter().map(String::as_bytes).collect()
    }
}

/// Seals one value, bound to no list.
pub(crate) fn encode<V: CursorValue>(keyring: &Keyring, value: V, direction: CursorDirection) -> Result<String> {
    let boundary = vec![Part::plain(value.into_value())];
    Cursor { direction, boundary, inclusive: false }.seal(keyring, &Scope::NONE)
}

/// Opens what [`encode`] sealed for the same type.
pub(crate) fn decode<V: CursorValue>(keyring: &Keyring, token: &str) -> Result<(V, CursorDirection)> {
    let Cursor { direction, mut boundary, .. } =
        Cursor::open(keyring, &Scope::NONE, &[(V::VARIANT, V::NULLABLE)], token)?;
    let value = boundary.pop().and_then(|part| V::from_value(part.value));
    Ok((value.ok_or_else(|| FrameworkError::internal("the cursor carries NULL for a type that has none"))?, direction))
}
