//! SQLite's catalog: the pragmas that describe a table, as table-valued functions.
//!
//! SQLite does not enforce every NOT NULL that other databases imply. For historical reasons a primary key may hold
//! NULLs, unless it is an INTEGER PRIMARY KEY or the table is STRICT or WITHOUT ROWID: see
//! <https://sqlite.org/lang_createtable.html#the_primary_key>.

use sqlx::Sqlite;

use super::{Catalog, by_index};
use crate::dialect::catalog::{Server, TableInfo};

// Every index ends with the rowid, column -1. An INTEGER PRIMARY KEY is another name for it, and is an index itself. An
// expression is column -2 and has no name.
const INDEXES: &str = "
    WITH number (name) AS (
        SELECT MAX(name) FROM pragma_table_info(?2, COALESCE(?1, 'main')) WHERE pk > 0
        HAVING COUNT(*) = 1 AND UPPER(MAX(type)) = 'INTEGER')
    SELECT list.name, CASE part.cid WHEN -1 THEN COALESCE((SELECT name FROM number), '') ELSE COALESCE(part.name, '') END,
        part.desc
    FROM pragma_index_list(?2, COALESCE(?1, 'main')) AS list, pragma_index_xinfo(list.name, COALESCE(?1, 'main')) AS part
    WHERE NOT list.partial
    UNION ALL
    SELECT '', name, 0 FROM number";

// A primary key may hold NULLs if its type is not INTEGER, or if it has a separate index.
const NOT_NULL: &str = "
    SELECT name FROM pragma_table_info(?2, ?1)
    WHERE \"notnull\" = 1 OR pk = 1 AND UPPER(type) = 'INTEGER'
        AND (SELECT MAX(pk) FROM pragma_table_info(?2, ?1)) = 1
        AND NOT EXISTS (SELECT 1 FROM pragma_index_list(?2, ?1) WHERE origin = 'pk')";

/// What the catalog says about a table.
pub(super) async fn table_info(mut catalog: Catalog<'_, Sqlite>) -> sqlx::Result<TableInfo> {
    let indexes = by_index(catalog.rows(INDEXES).await?);
    let not_null = catalog.names(NOT_NULL).await?;
    Ok(TableInfo {
        server: Server::Sqlite,
        not_null,
        indexes,
        is_distributed: false,
        needs_equalities: false,
        enums: Vec::new(),
    })
}
