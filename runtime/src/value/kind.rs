//! A type of a key's column, without the type itself.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::{CursorValue, Value, Variant};

/// What a key's column has to know of its type.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    pub(crate) variant: Variant,
    pub(crate) nullable: bool,
    pub(crate) canonical: Canonical,
}

impl Kind {
    pub(super) const fn of<T: CursorValue>() -> Self {
        let canonical = Canonical(if T::EXACT { None } else { Some(|value| T::from_value(value).map(T::into_value)) });
        Self { variant: T::VARIANT, nullable: T::NULLABLE, canonical }
    }
}

/// What a type makes of a value that is read from its column: `None` if the very same value.
///
/// It does not tell columns apart: two columns are the same if their names, variants and orders are.
#[derive(Clone, Copy)]
pub(crate) struct Canonical(Option<fn(Value) -> Option<Value>>);

impl Canonical {
    /// Whether the type keeps every value as it is.
    pub(crate) fn is_exact(self) -> bool {
        self.0.is_none()
    }

    /// The value as the type binds it; `None` if it is not one of the type.
    pub(crate) fn of_value(self, value: &Value) -> Option<Value> {
        let value = value.clone();
        match self.0 {
            Some(canonical) => canonical(value),
            None => Some(value),
        }
    }
}

impl fmt::Debug for Canonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_exact() { "exact" } else { "by its type" })
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
