//! The catalog of MySQL and MariaDB.

use sqlx::mysql::{MySqlConnection, MySqlRow};
use sqlx::{ColumnIndex as _, Row as _};

use super::by_index;
use crate::dialect::catalog::{Index, Server, TableInfo};
use crate::model::table::Table;

const TABLE: &str = "
    SELECT VERSION(), EXISTS (
        SELECT 1 FROM information_schema.partitions
        WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ? AND partition_name IS NOT NULL)";

// What an index has beside its columns differs between the two.
const INDEXES: &str = "
    SELECT * FROM information_schema.statistics
    WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ? AND index_type = 'BTREE'
    ORDER BY index_name, seq_in_index";

const NOT_NULL: &str = "
    SELECT CAST(c.column_name AS CHAR)
    FROM information_schema.columns AS c
    JOIN information_schema.tables AS t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
    WHERE c.table_schema = COALESCE(?, DATABASE()) AND c.table_name = ?
        AND t.table_type = 'BASE TABLE' AND c.is_nullable = 'NO'";

pub(super) async fn table_info(connection: &mut MySqlConnection, table: &Table) -> sqlx::Result<TableInfo> {
    let about = sqlx::query_as(TABLE).bind(table.schema).bind(table.name).persistent(false);
    let (version, is_partitioned): (String, bool) = about.fetch_one(&mut *connection).await?;
    let indexes = sqlx::query(INDEXES).bind(table.schema).bind(table.name).persistent(false);
    let indexes = indexes.fetch_all(&mut *connection).await?;
    let indexes = indexes.iter().filter_map(|row| column(row).transpose()).collect::<sqlx::Result<_>>()?;
    let not_null = sqlx::query_scalar(NOT_NULL).bind(table.schema).bind(table.name).persistent(false);
    let not_null = not_null.fetch_all(connection).await?;
    Ok(TableInfo {
        server: server(&version),
        not_null,
        indexes: with_primary_key(by_index(indexes)),
        is_distributed: is_partitioned,
    })
}

/// `9.7.4`, or `10.11.19-MariaDB-…`, which a proxy may show as `5.5.5-10.11.19-MariaDB-…`.
fn server(version: &str) -> Server {
    if !version.contains("MariaDB") {
        return Server::MySql;
    }
    let version = version.strip_prefix("5.5.5-").unwrap_or(version);
    let major = version.split('.').next().and_then(|major| major.parse().ok());
    Server::MariaDb(major.unwrap_or_default())
}

/// A column of an index: the index's name, the column's, and whether it descends. `None` if the optimizer does not use
/// the index.
fn column(row: &MySqlRow) -> sqlx::Result<Option<(String, String, bool)>> {
    let text = |column: &str| row.try_get::<Option<String>, _>(column);
    let says = |column: &str, value: &str| -> sqlx::Result<bool> {
        // A server that does not have the column does not have what it says.
        if column.index(row).is_err() {
            return Ok(false);
        }
        Ok(text(column)?.as_deref() == Some(value))
    };
    if says("IS_VISIBLE", "NO")? || says("IGNORED", "YES")? {
        return Ok(None);
    }
    let is_whole = row.try_get_raw("SUB_PART").map(|part| sqlx::ValueRef::is_null(&part))?;
    let name = text("COLUMN_NAME")?.filter(|_| is_whole).unwrap_or_default();
    Ok(Some((text("INDEX_NAME")?.unwrap_or_default(), name, says("COLLATION", "D")?)))
}

/// InnoDB appends to every other index the primary key columns that it does not have.
fn with_primary_key(mut indexes: Vec<Index>) -> Vec<Index> {
    let primary = indexes.iter().find(|index| &*index.name == "PRIMARY").map(|index| index.columns.clone());
    for (name, direction) in primary.unwrap_or_default() {
        for index in &mut indexes {
            if !index.columns.iter().any(|(column, _)| *column == name) {
                index.columns.push((name.clone(), direction));
            }
        }
    }
    indexes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_is_known_by_its_version() {
        for (version, expected) in [
            ("9.7.4-2", Server::MySql),
            ("8.0.36", Server::MySql),
            ("10.11.19-MariaDB-0+deb12u1", Server::MariaDb(10)),
            ("5.5.5-10.4.2-MariaDB", Server::MariaDb(10)),
            ("11.8.9-MariaDB-ubu2404", Server::MariaDb(11)),
            ("MariaDB", Server::MariaDb(0)),
        ] {
            assert_eq!(server(version), expected, "{version}");
        }
    }
}
