//! Types of an application, as columns and cursor keys.

use folio::{CursorValue, Value, Variant};

/// A type that is stored as an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct Level(pub i64);

impl CursorValue for Level {
    const VARIANT: Variant = Variant::BigInt;

    fn into_value(self) -> Value {
        self.0.into_value()
    }

    fn from_value(value: Value) -> Option<Self> {
        i64::from_value(value).map(Self)
    }
}

/// A type that is converted from a text of the database.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Slug(pub String);

impl From<String> for Slug {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl CursorValue for Slug {
    const VARIANT: Variant = Variant::String;

    fn into_value(self) -> Value {
        self.0.into_value()
    }

    fn from_value(value: Value) -> Option<Self> {
        String::from_value(value).map(Self)
    }
}
