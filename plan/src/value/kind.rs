//! The type of a key column as data.
//!
//! A key has columns of different types. To keep them in one list, a [`Kind`] stores what the rest of the crate needs
//! to know about a type: its variant, whether it can be NULL, and whether it changes values when it reads them.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::{Value, Variant};

/// What a key column knows about its type.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// How its values are stored in a cursor and bound.
    pub variant: Variant,
    pub nullable: bool,
    /// What it does to a value that it reads.
    pub canonical: Canonical,
}

/// The conversion that a type applies to a value from its column.
///
/// All values of this type are equal and hash the same, so that a key column is identified by its name, variant and
/// order alone: function pointers cannot be compared reliably.
#[derive(Clone, Copy)]
pub struct Canonical {
    /// From a value of the variant to the value as the type binds it; `None` if the type cannot represent it.
    pub convert: fn(Value) -> Option<Value>,
    /// Whether every value of the type is converted without a change: see `CursorValue::EXACT` in folio.
    pub is_exact: bool,
}

impl fmt::Debug for Canonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_exact { "exact" } else { "converted" })
    }
}

impl PartialEq for Canonical {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Canonical {}

impl Hash for Canonical {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
