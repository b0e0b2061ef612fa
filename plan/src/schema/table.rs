//! The description of a model's table, as static data that the derive emits.
//!
//! Of its types, users name only [`Nulls`]; the derive's output reaches the others through `folio::__private`.

#[cfg(feature = "postgres")]
use sea_query::{ColumnName, ColumnRef, Expr, TableName};
use sea_query::{NullOrdering, Order};

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
    /// The columns that are selected.
    pub columns: Columns,
    /// The condition that the model's queries have by default, as SQL, if there is one.
    pub filter: Option<&'static str>,
    /// The column with the tenant that a row belongs to, if the model has tenants.
    pub tenant: Option<&'static str>,
    /// The columns that together identify a row. All of them are part of the cursor key.
    pub primary_key: &'static [&'static str],
    /// The columns that totally order the model, ending with the tie-breaker.
    pub cursor_key: &'static [KeyColumn],
}

impl Table {
    /// A table with these columns. Each column of `primary_key` has to be in `cursor_key` as well.
    #[must_use]
    pub const fn new(
        name: &'static str,
        columns: &'static [Field],
        primary_key: &'static [&'static str],
        cursor_key: &'static [KeyColumn],
    ) -> Self {
        let columns = Columns::Named(columns);
        Self { schema: None, name, connection: None, columns, filter: None, tenant: None, primary_key, cursor_key }
    }

    /// Sets the schema.
    #[must_use]
    pub const fn schema(mut self, schema: &'static str) -> Self {
        self.schema = Some(schema);
        self
    }

    /// Sets the connection that the model is read from.
    #[must_use]
    pub const fn connection(mut self, connection: &'static str) -> Self {
        self.connection = Some(connection);
        self
    }

    /// Sets the condition that the model's queries have by default.
    #[must_use]
    pub const fn filter(mut self, condition: &'static str) -> Self {
        self.filter = Some(condition);
        self
    }

    /// Sets the column with the tenant that a row belongs to.
    #[must_use]
    pub const fn tenant(mut self, column: &'static str) -> Self {
        self.tenant = Some(column);
        self
    }

    /// Selects all columns of the table, because a flattened field has columns that the derive cannot see.
    #[must_use]
    pub const fn all_columns(mut self) -> Self {
        self.columns = Columns::All(self.fields());
        self
    }

    /// The fields that the derive can see.
    #[must_use]
    pub const fn fields(&self) -> &'static [Field] {
        self.columns.fields()
    }

    /// Whether an expression is a column of this table that is read as a text.
    #[cfg(feature = "postgres")]
    pub fn is_text(&self, expr: &Expr) -> bool {
        let Expr::Column(ColumnRef::Column(ColumnName(qualifier, name))) = expr else { return false };
        let is_own = qualifier.as_ref().is_none_or(|TableName(_, table)| table.inner() == self.name);
        // By the field's type, because a row with a column of another type than PostgreSQL's texts fails to decode.
        let has_text = |field: &Field| field.postgres_type.is_some_and(|kind| matches!(&*kind(), "TEXT" | "VARCHAR"));
        is_own && self.columns.fields().iter().any(|field| field.column == name.inner() && has_text(field))
    }

    /// The columns of the primary key, ascending.
    pub fn primary_key(&self) -> impl Iterator<Item = KeyColumn> {
        let key = |name: &&str| self.cursor_key.iter().find(|key| key.name == *name);
        self.primary_key.iter().filter_map(key).map(|key| KeyColumn { direction: Direction::Asc, nulls: None, ..*key })
    }
}

/// Which columns a model selects.
#[derive(Debug)]
pub enum Columns {
    /// All columns of the table. The derive sees only these fields, because a flattened field hides the names of
    /// others.
    All(&'static [Field]),
    /// Exactly these.
    Named(&'static [Field]),
}

impl Columns {
    /// The fields that the derive can see.
    #[must_use]
    pub const fn fields(&self) -> &'static [Field] {
        match self {
            Self::All(fields) | Self::Named(fields) => fields,
        }
    }

    /// Whether a row can have a column of this name.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Self::All(_) => true,
            Self::Named(fields) => fields.iter().any(|field| field.column == name),
        }
    }
}

/// A field that is a column, and the drivers that can read its type.
#[derive(Debug)]
pub struct Field {
    /// The column's name.
    pub column: &'static str,
    /// The name of the type that the column is read as.
    pub kind: fn() -> &'static str,
    /// Whether SQLite's driver supports the type.
    pub sqlite: bool,
    /// Whether PostgreSQL's driver supports it.
    pub postgres: bool,
    /// Whether MySQL's driver supports it.
    pub mysql: bool,
    /// The name of the type on PostgreSQL, if its driver has one.
    pub postgres_type: Option<fn() -> String>,
}

impl Field {
    /// Whether any enabled driver supports the type.
    pub const fn is_held(&self) -> bool {
        self.sqlite || self.postgres || self.mysql
    }
}

/// Ascending or descending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The smallest value first.
    Asc,
    /// The largest value first.
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
    pub fn flip(self) -> Self {
        match self {
            Self::Asc => Self::Desc,
            Self::Desc => Self::Asc,
        }
    }
}

/// The position of NULLs in an order.
///
/// It does not depend on the direction: [`First`](Self::First) is before all values even in descending order. Without a
/// stated position, PostgreSQL sorts NULLs as larger than all values, and SQLite, MySQL and MariaDB as smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Nulls {
    /// Before all values.
    First,
    /// After all values.
    Last,
}

impl From<Nulls> for NullOrdering {
    fn from(nulls: Nulls) -> Self {
        match nulls {
            Nulls::First => Self::First,
            Nulls::Last => Self::Last,
        }
    }
}

impl Nulls {
    /// The opposite position.
    #[doc(hidden)]
    #[must_use]
    pub fn flip(self) -> Self {
        match self {
            Self::First => Self::Last,
            Self::Last => Self::First,
        }
    }
}

/// One column of a key: its name, its type as data, and how it is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyColumn {
    pub name: &'static str,
    pub variant: Variant,
    pub direction: Direction,
    /// The NULL position: `Some` if and only if the column's type can be NULL.
    pub nulls: Option<Nulls>,
    /// How its type converts a value.
    pub canonical: Canonical,
}

impl KeyColumn {
    /// A key column of this type. If the type can be NULL and `nulls` is not stated, the derive reports an error.
    #[must_use]
    pub const fn new(name: &'static str, kind: Kind, direction: Direction, nulls: Option<Nulls>) -> Self {
        let Kind { variant, nullable, canonical } = kind;
        Self { name, variant, direction, nulls: if nullable { nulls } else { None }, canonical }
    }
}
