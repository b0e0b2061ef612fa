//! The facts about MariaDB where it differs from MySQL. They share a dialect.

use super::Dialect;
use super::facts::{GroupAccess, Planner, Server};

impl Server {
    /// MariaDB in a major version.
    pub const fn mariadb(version: u32) -> Self {
        Self {
            dialect: Dialect::MySql,
            planner: Planner::MySql {
                reads_ahead: false,
                // Without the branch, earlier versions look up the first column's value and skip rows one by one. With
                // it, later ones would sort.
                needs_false_branch: version < 11,
            },
            groups: GroupAccess::Branches,
            reverses_mixed_indexes: true,
            mixes_index_directions: true,
            indexes_expressions: false,
            verifies_pages: true,
        }
    }
}
