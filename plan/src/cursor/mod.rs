//! Cursors as data: a boundary, the direction in which to continue from it, and the list that it belongs to.
//!
//! `payload.rs` writes and reads what is encrypted, and `binding.rs` has what a cursor is authenticated with.

mod binding;
mod direction;
pub mod payload;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

pub use self::binding::{CursorBinding, push_part};
pub use self::direction::CursorDirection;
pub use self::payload::Version;
use crate::boundary::{Boundary, BoundaryValue};
use crate::value::{Kind, Value};

/// A boundary, and the direction in which to continue from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cursor {
    /// Whether the page is after the boundary or before it.
    pub direction: CursorDirection,
    /// A value for each column of the cursor key, in its order.
    pub boundary: Vec<BoundaryValue>,
    /// Whether the row at the boundary belongs to the page. It does if the cursor leads back from an empty page.
    pub inclusive: bool,
    pub origin: Origin,
    pub notes: CursorNotes,
}

/// What the following pages of a walk need to know, each under its name. Most cursors have none of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CursorNotes {
    /// The replication position of the server that the page was read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moment at which earlier versions read a table. No page can follow such a cursor.
    #[serde(default, skip_serializing)]
    pub as_of: Option<IgnoredAny>,
}

/// Where the values of a cursor come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A row that was read.
    Row,
    /// A key that the caller encoded. Nothing is known about how the database stores its values.
    Key,
    /// Values for the first columns of the key. No row has to have them. Such a cursor is never sealed.
    Values,
}

impl Cursor {
    pub fn at(direction: CursorDirection, boundary: Vec<BoundaryValue>) -> Self {
        Self { direction, boundary, inclusive: false, origin: Origin::Row, notes: CursorNotes::default() }
    }

    /// A cursor at the values of a key, encoded by the caller.
    pub fn of_key(direction: CursorDirection, values: Vec<Value>) -> Self {
        Self { origin: Origin::Key, ..Self::at(direction, values.into_iter().map(BoundaryValue::plain).collect()) }
    }

    /// The same boundary in this direction. A cursor that includes its row only does so in its own direction.
    pub fn facing(self, direction: CursorDirection) -> Self {
        Self { inclusive: self.inclusive && self.direction == direction, direction, ..self }
    }

    /// Where its page begins; `None` if it has no values.
    pub fn boundary(&self) -> Option<Boundary<'_>> {
        let values = &self.boundary;
        (!values.is_empty()).then_some(Boundary { values, inclusive: self.inclusive })
    }

    /// Whether its values are valid for these types of its columns.
    pub fn has_values_of(&self, types: &[Kind]) -> bool {
        let mut values = types.iter().zip(&self.boundary);
        values.all(|(kind, sealed)| (kind.canonical.convert)(sealed.value.clone()).is_some())
    }

    /// Whether there was a row with the cursor's key.
    pub fn is_of_row(&self) -> bool {
        self.origin != Origin::Values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_includes_its_row_in_its_own_direction_only() {
        for direction in [CursorDirection::Next, CursorDirection::Prev] {
            let cursor = Cursor { inclusive: true, ..Cursor::at(direction, Vec::new()) };
            assert_eq!(cursor.clone().facing(direction), cursor);
            assert_eq!(cursor.facing(direction.flip()), Cursor::at(direction.flip(), Vec::new()));
        }
    }
}
