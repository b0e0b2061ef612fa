//! The SQL of one database.

pub(crate) mod catalog;

use crate::model::table::{Direction, Table};

/// The SQL of a database. MySQL's is also MariaDB's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Dialect {
    #[cfg_attr(not(feature = "sqlite"), expect(dead_code, reason = "made by its driver only"))]
    Sqlite,
    Postgres,
    MySql,
}

/// The longest name of an index, in characters: PostgreSQL cuts longer ones, and MySQL refuses them.
const LONGEST_NAME: usize = 60;

impl Dialect {
    /// A name in quotes.
    pub(crate) fn quote(self, name: &str) -> String {
        let quote = if self == Self::MySql { '`' } else { '"' };
        let doubled: String =
            name.chars().flat_map(|c| std::iter::repeat_n(c, if c == quote { 2 } else { 1 })).collect();
        format!("{quote}{doubled}{quote}")
    }

    /// The statement that creates an index of these columns.
    pub(crate) fn create_index(self, table: &Table, columns: &[(&str, Direction)]) -> String {
        let names: Vec<&str> = std::iter::once(table.name).chain(columns.iter().map(|(name, _)| *name)).collect();
        let index = self.quote(&names.join("_").chars().take(LONGEST_NAME).collect::<String>());
        let columns = columns.iter().map(|(name, direction)| match direction {
            Direction::Asc => self.quote(name),
            Direction::Desc => format!("{} DESC", self.quote(name)),
        });
        let columns = columns.collect::<Vec<_>>().join(", ");
        let schema = table.schema.map(|schema| format!("{}.", self.quote(schema))).unwrap_or_default();
        let table = self.quote(table.name);
        match self {
            Self::Sqlite => format!("CREATE INDEX {schema}{index} ON {table} ({columns})"),
            Self::Postgres | Self::MySql => format!("CREATE INDEX {index} ON {schema}{table} ({columns})"),
        }
    }
}
