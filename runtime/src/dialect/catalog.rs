//! What a database's catalog says about a table: its server, its indexes, and which columns are declared NOT NULL.

use std::sync::Arc;

use crate::model::table::Direction;

/// A table as a database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableInfo {
    pub(crate) server: Server,
    /// The columns that are declared NOT NULL, if the database enforces it: not those of a view.
    pub(crate) not_null: Vec<String>,
    pub(crate) indexes: Vec<Index>,
    /// Whether its rows are in several places: in partitions, in child tables, or on another server.
    pub(crate) is_distributed: bool,
}

/// A database server, with the part of its version that decides how a page is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Server {
    #[cfg_attr(not(any(feature = "sqlite", test)), expect(dead_code, reason = "made by its driver only"))]
    Sqlite,
    /// With its major version.
    #[cfg_attr(not(any(feature = "postgres", test)), expect(dead_code, reason = "made by its driver only"))]
    Postgres(u32),
    MySql,
    /// With its major version.
    #[cfg_attr(not(any(feature = "mysql", test)), expect(dead_code, reason = "made by its driver only"))]
    MariaDb(u32),
}

/// An index of a table that can be read in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Index {
    pub(crate) name: Arc<str>,
    /// Its columns in order. A column that is computed, or indexed only in part, has an empty name.
    pub(crate) columns: Vec<(String, Direction)>,
}

impl TableInfo {
    pub(crate) fn is_not_null(&self, column: &str) -> bool {
        self.not_null.iter().any(|name| name.eq_ignore_ascii_case(column))
    }
}
