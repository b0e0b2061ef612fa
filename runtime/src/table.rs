//! What the derive knows of a table: static data, written once and read by everything above.

use crate::value::{CursorValue, Variant};

/// A model's table.
#[derive(Debug)]
pub struct Table {
    /// The schema, where one is named.
    pub schema: Option<&'static str>,
    /// The table's name.
    pub name: &'static str,
    /// The connection that the model is read from, where one is named.
    pub connection: Option<&'static str>,
    /// The JSON:API type, where one is named.
    pub resource: Option<&'static str>,
    /// What is selected.
    pub columns: Columns,
    /// The columns that together name a row.
    pub primary_key: &'static [KeyColumn],
    /// The columns that totally order the model, the primary key's last.
    pub cursor_key: &'static [KeyColumn],
}

/// Which columns a model selects.
#[derive(Debug)]
pub enum Columns {
    /// All of the table's: a flattened field hides their names from the derive.
    All,
    /// These.
    Named(&'static [&'static str]),
}

/// Ascending or descending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The smallest first.
    Asc,
    /// The largest first.
    Desc,
}

impl Direction {
    /// The opposite direction.
    pub(crate) fn flip(self) -> Self {
        match self {
            Self::Asc => Self::Desc,
            Self::Desc => Self::Asc,
        }
    }
}

/// Where the NULLs of a column lie.
///
/// ```
/// use folio::Nulls;
///
/// assert_ne!(Nulls::First, Nulls::Last);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// Before every value.
    First,
    /// After every value.
    Last,
}

impl Nulls {
    /// The other end.
    pub(crate) fn flip(self) -> Self {
        match self {
            Self::First => Self::Last,
            Self::Last => Self::First,
        }
    }
}

/// One column of a key: its name, its type's tag, and how it is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyColumn {
    pub(crate) name: &'static str,
    pub(crate) variant: Variant,
    pub(crate) direction: Direction,
    /// Where its NULLs lie: `Some` exactly where the column's type can be NULL.
    pub(crate) nulls: Option<Nulls>,
}

impl KeyColumn {
    /// A key column of type `T`.
    ///
    /// # Panics
    /// At compile time, where `T` can be NULL and `nulls` is not stated: the databases differ, so folio does not guess.
    #[must_use]
    #[expect(clippy::panic, reason = "a const that fails to compile, never at run time")]
    pub const fn new<T: CursorValue>(name: &'static str, direction: Direction, nulls: Option<Nulls>) -> Self {
        if T::NULLABLE && nulls.is_none() {
            panic!("a column that may be NULL needs `nulls first` or `nulls last` in a cursor key");
        }
        Self { name, variant: T::VARIANT, direction, nulls: if T::NULLABLE { nulls } else { None } }
    }
}
