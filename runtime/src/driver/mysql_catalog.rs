//! The catalog of MySQL and MariaDB: the views of `information_schema` that both have.
//!
//! A schema is a database here, and a table without one is looked up in the connection's.

use folio_plan::dialect::catalog::{Index, IndexColumn, TableInfo, by_index};
use folio_plan::dialect::{Planner, Server};
use sqlx::mysql::MySqlRow;
use sqlx::{ColumnIndex as _, FromRow, MySql, Row as _, ValueRef as _};

use super::Catalog;

// The server's version, whether the table has partitions, and whether its engine is Spider. The result is one row, also for
// a table that does not exist.
const TABLE: &str = "
    SELECT VERSION(), COUNT(CASE WHEN create_options LIKE '%partitioned%' THEN 1 END) > 0,
        COUNT(CASE WHEN engine = 'SPIDER' THEN 1 END) > 0
    FROM information_schema.tables
    WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ?";

// A line for each column of each B-tree, in the order of the index. MySQL tells in IS_VISIBLE what MariaDB tells in
// IGNORED, and selecting a column that a server does not have is an error: hence all columns.
const INDEXES: &str = "
    SELECT * FROM information_schema.statistics
    WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ? AND index_type = 'BTREE'
    ORDER BY index_name, seq_in_index";

// The columns that sort by number and compare as text. OceanBase sends their values as text, so rows do not tell.
// Without the casts, some servers send the names as bytes.
const ENUMS: &str = "
    SELECT CAST(column_name AS CHAR), CAST(data_type AS CHAR)
    FROM information_schema.columns
    WHERE table_schema = COALESCE(?, DATABASE()) AND table_name = ? AND data_type IN ('enum', 'set')";

/// What the catalog says about a table.
pub(super) async fn table_info(mut catalog: Catalog<'_, MySql>) -> sqlx::Result<TableInfo> {
    let (version, is_distributed, is_spider) = catalog.row::<(String, bool, bool)>(TABLE).await?;
    let server = server(&version);
    let indexes = indexes(&mut catalog, server).await?;
    let enums = catalog.rows(ENUMS).await?;
    // Vitess reports `8.0.40-Vitess`.
    let is_proxied = version.contains("Vitess");
    Ok(TableInfo { indexes, is_distributed, is_spider, is_proxied, enums, ..TableInfo::of(server) })
}

/// The indexes of a table that the optimizer uses.
async fn indexes(catalog: &mut Catalog<'_, MySql>, server: Server) -> sqlx::Result<Vec<Index>> {
    let columns: Vec<UsableColumn> = catalog.rows(INDEXES).await?;
    let usable = columns.into_iter().filter_map(|UsableColumn(column)| column);
    let (columns, numbers): (Vec<_>, Vec<_>) = usable.unzip();
    let indexes = by_index(&columns);
    let reads_ahead = matches!(server.planner, Planner::MySql { reads_ahead: true, .. });
    let indexes = if reads_ahead { with_selective_prefixes(indexes, numbers) } else { indexes };
    Ok(with_primary_key(indexes))
}

/// If MySQL expects at most this many rows for a value, it reads none ahead of a page. Measured on 9.7: none with 100,
/// and 7 with 200.
const FEW: i64 = 100;

/// Sets the selective prefix of each index. `numbers` has, for each column, the number of different values of it and
/// the columns before it in its index.
fn with_selective_prefixes(mut indexes: Vec<Index>, numbers: Vec<Option<i64>>) -> Vec<Index> {
    // About how many rows the table has: the values of the primary key are all different. Without a primary key or
    // unique index it may be too low, and MySQL may read ahead of a page.
    let rows = numbers.iter().flatten().copied().max().unwrap_or_default();
    let mut rest = numbers.into_iter();
    for index in &mut indexes {
        let own: Vec<_> = rest.by_ref().take(index.columns.len()).collect();
        index.selective_prefix = selective_prefix(&own, rows);
    }
    indexes
}

/// Length of the shortest prefix whose values have few rows each, in a table of `rows` rows. `None` if the
/// table seems to be empty, because there may be no statistics yet.
fn selective_prefix(numbers: &[Option<i64>], rows: i64) -> Option<usize> {
    let is_few = |values: &Option<i64>| values.is_some_and(|values| values.saturating_mul(FEW) >= rows);
    numbers.iter().position(is_few).filter(|_| rows > 0)?.checked_add(1)
}

/// The server of a version, which reads `9.7.4`, or `10.11.19-MariaDB-…`, which a proxy may show as
/// `5.5.5-10.11.19-MariaDB-…`, or `5.7.25-OceanBase-…`, or `8.0.11-TiDB-…`.
fn server(version: &str) -> Server {
    if version.contains("OceanBase") {
        return Server::OCEANBASE;
    }
    if version.contains("TiDB") {
        return Server::TIDB;
    }
    if !version.contains("MariaDB") {
        return Server::MYSQL;
    }
    let version = version.strip_prefix("5.5.5-").unwrap_or(version);
    let major = version.split('.').next().and_then(|major| major.parse().ok());
    Server::mariadb(major.unwrap_or_default())
}

/// A line of `information_schema.statistics`; `None` if the optimizer does not use the index. With the number of
/// different values, if there are statistics.
struct UsableColumn(Option<(IndexColumn, Option<i64>)>);

impl FromRow<'_, MySqlRow> for UsableColumn {
    fn from_row(row: &MySqlRow) -> sqlx::Result<Self> {
        // MySQL has invisible indexes, and MariaDB ignored ones.
        if says(row, "IS_VISIBLE", "NO")? || says(row, "IGNORED", "YES")? {
            return Ok(Self(None));
        }
        // The prefix of a column has a length, and an expression has no column.
        let is_whole = row.try_get_raw("SUB_PART")?.is_null();
        let column = text(row, "COLUMN_NAME")?.filter(|_| is_whole).unwrap_or_default();
        let index = text(row, "INDEX_NAME")?.unwrap_or_default();
        // A server without this statistic still has the index.
        let values = row.try_get("CARDINALITY").unwrap_or_default();
        Ok(Self(Some(((index, column, says(row, "COLLATION", "D")?, None), values))))
    }
}

fn text(row: &MySqlRow, column: &str) -> sqlx::Result<Option<String>> {
    row.try_get(column)
}

/// Whether a column has this text. A server that does not have the column does not have what it says.
fn says(row: &MySqlRow, column: &str, value: &str) -> sqlx::Result<bool> {
    Ok(column.index(row).is_ok() && text(row, column)?.as_deref() == Some(value))
}

/// InnoDB appends to every other index the primary key columns that it does not have. An index on `(created_at)` thus
/// serves the order `created_at, id`.
fn with_primary_key(mut indexes: Vec<Index>) -> Vec<Index> {
    let primary = indexes.iter().find(|index| &*index.name == "PRIMARY").map(|index| index.columns.clone());
    for (name, direction) in primary.unwrap_or_default() {
        for index in &mut indexes {
            if index.columns.iter().all(|(column, _)| *column != name) {
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
            ("9.7.4-2", Server::MYSQL),
            ("8.0.36", Server::MYSQL),
            ("10.11.19-MariaDB-0+deb12u1", Server::mariadb(10)),
            ("5.5.5-10.4.2-MariaDB", Server::mariadb(10)),
            ("11.8.9-MariaDB-ubu2404", Server::mariadb(11)),
            ("MariaDB", Server::mariadb(0)),
            ("5.7.25-OceanBase seekdb-v1.4.0.0", Server::OCEANBASE),
            ("8.0.11-TiDB-v7.5.1", Server::TIDB),
        ] {
            assert_eq!(server(version), expected, "{version}");
        }
    }

    #[test]
    fn an_index_has_few_rows_for_each_value_from_a_column_on() {
        for (numbers, rows, expected) in [
            (&[Some(10_000), Some(1_000_000)][..], 1_000_000, Some(1)),
            (&[Some(9_999), Some(1_000_000)], 1_000_000, Some(2)),
            (&[Some(4), Some(9), Some(9)], 1_000, None),
            (&[None, Some(900)], 1_000, Some(2)),
            (&[Some(i64::MAX)], i64::MAX, Some(1)),
            (&[Some(0), Some(0)], 0, None),
            (&[], 1_000, None),
        ] {
            assert_eq!(selective_prefix(numbers, rows), expected, "{numbers:?} of {rows} rows");
        }
    }

    #[test]
    fn each_index_has_the_statistics_of_its_own_columns() {
        let column = |index: &str, column: &str| (index.to_owned(), column.to_owned(), false, None);
        let columns =
            vec![column("a", "tenant"), column("a", "moment"), column("b", "author"), column("PRIMARY", "id")];
        let numbers = vec![Some(4), Some(900), Some(300), Some(1_000)];
        let indexes = with_selective_prefixes(by_index(&columns), numbers);
        let few: Vec<_> = indexes.iter().map(|index| (&*index.name, index.selective_prefix)).collect();
        assert_eq!(few, [("a", Some(2)), ("b", Some(1)), ("PRIMARY", Some(1))]);
    }
}
