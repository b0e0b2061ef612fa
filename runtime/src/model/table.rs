//! What the derive knows of a table: static data, written once and read by everything above.

use sea_query::{IntoTableRef as _, Order, TableRef};

use crate::value::{Canonical, Kind, Variant};

/// A model's table.
#[derive(Debug)]
pub struct Table {
    /// The schema, if one is named.
    pub schema: Option<&'static str>,
    /// The table's name.
    pub name: &'static str,
    /// The connection that the model is read from, if one is named.
    pub connection: Option<&'static str>,
    /// What is selected.
    pub columns: Columns,
    /// The columns that together name a row. All of them are in the cursor key.
    pub primary_key: &'static [&'static str],
    /// The columns that totally order the model, the primary key's last.
    pub cursor_key: &'static [KeyColumn],
}

impl Table {
    /// A table of these columns, of which each in `primary_key` is in `cursor_key`, too.
    #[must_use]
    pub const fn new(
        name: &'static str,
        columns: &'static [Field],
        primary_key: &'static [&'static str],
        cursor_key: &'static [KeyColumn],
    ) -> Self {
        let columns = Columns::Named(columns);
        Self { schema: None, name, connection: None, columns, primary_key, cursor_key }
    }

    /// The table in a schema.
    #[must_use]
    pub const fn schema(mut self, schema: &'static str) -> Self {
        self.schema = Some(schema);
        self
    }

    /// The table on a connection.
    #[must_use]
    pub const fn connection(mut self, connection: &'static str) -> Self {
        self.connection = Some(connection);
        self
    }

    /// The table with all its columns, for there are some that the derive cannot see.
    #[must_use]
    pub const fn all_columns(mut self) -> Self {
        self.columns = Columns::All(self.fields());
        self
    }

    /// The fields that the derive can see, as columns.
    #[must_use]
    pub const fn fields(&self) -> &'static [Field] {
        match self.columns {
            Columns::All(fields) | Columns::Named(fields) => fields,
        }
    }

    /// The table as it is named in FROM.
    pub(crate) fn source(&self) -> TableRef {
        match self.schema {
            Some(schema) => (schema, self.name).into_table_ref(),
            None => self.name.into_table_ref(),
        }
    }

    /// The columns of the primary key, ascending.
    pub(crate) fn primary_key(&self) -> impl Iterator<Item = KeyColumn> {
        let key = |name: &&str| self.cursor_key.iter().find(|key| key.name == *name);
        self.primary_key.iter().filter_map(key).map(|key| KeyColumn { direction: Direction::Asc, nulls: None, ..*key })
    }
}

/// Which columns a model selects.
#[derive(Debug)]
pub enum Columns {
    /// All of the table's: a flattened field hides the names of some from the derive, which sees these.
    All(&'static [Field]),
    /// These.
    Named(&'static [Field]),
}

impl Columns {
    /// Whether a row has a column of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        match self {
            Self::All(_) => true,
            Self::Named(fields) => fields.iter().any(|field| field.column == name),
        }
    }
}

/// A field that is a column, and which drivers can read it.
#[derive(Debug)]
pub struct Field {
    /// The column's name.
    pub column: &'static str,
    /// The name of the type as which it is read.
    pub kind: fn() -> &'static str,
    /// Whether SQLite's driver has the type.
    pub sqlite: bool,
    /// Whether PostgreSQL's driver has it.
    pub postgres: bool,
    /// Whether MySQL's driver has it.
    pub mysql: bool,
}

impl Field {
    /// Whether any enabled driver has the type.
    pub(crate) const fn is_held(&self) -> bool {
        self.sqlite || self.postgres || self.mysql
    }
}

/// Ascending or descending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The smallest first.
    Asc,
    /// The largest first.
    Desc,
}

impl From<Direction> for Order {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Asc => Self::Asc,
            Direction::Desc => Self::Desc,
        }
    }
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyColumn {
    pub(crate) name: &'static str,
    pub(crate) variant: Variant,
    pub(crate) direction: Direction,
    /// Where its NULLs lie: `Some` exactly where the column's type can be NULL.
    pub(crate) nulls: Option<Nulls>,
    /// What its type makes of a value.
    pub(crate) canonical: Canonical,
}

impl KeyColumn {
    /// A key column of this type. If it can be NULL and `nulls` is not stated, the derive reports it.
    #[must_use]
    pub const fn new(name: &'static str, kind: Kind, direction: Direction, nulls: Option<Nulls>) -> Self {
        let Kind { variant, nullable, canonical } = kind;
        Self { name, variant, direction, nulls: if nullable { nulls } else { None }, canonical }
    }
}
