//! SQLite's catalog.

use sqlx::SqliteConnection;

use super::by_index;
use crate::dialect::catalog::{Server, TableInfo};
use crate::model::table::Table;

// Every index ends with the rowid. An INTEGER PRIMARY KEY is another name for it, and is an index itself.
const INDEXES: &str = "
    WITH number (name) AS (
        SELECT MAX(name) FROM pragma_table_info(?2, COALESCE(?1, 'main')) WHERE pk > 0
        HAVING COUNT(*) = 1 AND UPPER(MAX(type)) = 'INTEGER')
    SELECT list.name, COALESCE(part.name, (SELECT name FROM number), ''), part.desc
    FROM pragma_index_list(?2, COALESCE(?1, 'main')) AS list, pragma_index_xinfo(list.name, COALESCE(?1, 'main')) AS part
    WHERE NOT list.partial
    UNION ALL
    SELECT '', name, 0 FROM number";

// A primary key of other types than INTEGER may hold NULLs, and so may one that has an index of its own.
const NOT_NULL: &str = "
    SELECT name FROM pragma_table_info(?2, ?1)
    WHERE \"notnull\" = 1 OR pk = 1 AND UPPER(type) = 'INTEGER'
        AND (SELECT MAX(pk) FROM pragma_table_info(?2, ?1)) = 1
        AND NOT EXISTS (SELECT 1 FROM pragma_index_list(?2, ?1) WHERE origin = 'pk')";

pub(super) async fn table_info(connection: &mut SqliteConnection, table: &Table) -> sqlx::Result<TableInfo> {
    let indexes = sqlx::query_as(INDEXES).bind(table.schema).bind(table.name).persistent(false);
    let indexes = by_index(indexes.fetch_all(&mut *connection).await?);
    let not_null = sqlx::query_scalar(NOT_NULL).bind(table.schema).bind(table.name).persistent(false);
    let not_null = not_null.fetch_all(connection).await?;
    Ok(TableInfo { server: Server::Sqlite, not_null, indexes, is_distributed: false })
}
