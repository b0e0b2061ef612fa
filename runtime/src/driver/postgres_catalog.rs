//! PostgreSQL's catalog.
//!
//! A name without a schema is looked up along the connection's `search_path`, as in the page's own statement. A table
//! that does not exist has no indexes: the page's statement then fails with a better error.

use folio_plan::dialect::Server;
use folio_plan::dialect::catalog::{IndexColumn, TableInfo, by_index};
use sqlx::Postgres;

use super::Catalog;

// The server's version, whether the table is partitioned, foreign, or one that others inherit from, whether it has
// row-level security, whether the server has Citus, to which the table `pg_dist_partition` belongs, and whether the table
// is foreign.
const TABLE: &str = "
    SELECT current_setting('server_version_num')::int4,
        COALESCE(relkind IN ('p', 'f') OR relhassubclass, false),
        COALESCE(relrowsecurity, false), to_regclass('pg_dist_partition') IS NOT NULL, COALESCE(relkind = 'f', false)
    FROM (SELECT to_regclass(concat_ws('.', quote_ident($1), quote_ident($2))) AS found) AS named
    LEFT JOIN pg_class ON oid = found";

// Whether a foreign table is below a partitioned table, or below one that others inherit from.
const HAS_FOREIGN_BELOW: &str = "
    WITH RECURSIVE below AS (
        SELECT to_regclass(concat_ws('.', quote_ident($1), quote_ident($2)))::oid AS child
        UNION SELECT inhrelid FROM below JOIN pg_inherits ON inhparent = child
    )
    SELECT EXISTS (SELECT FROM below JOIN pg_class ON oid = child WHERE relkind = 'f')";

// The column by whose values Citus distributes the table; NULL if it has all rows in one place, such as a table of a
// schema that is distributed as a whole. Citus has a row only for the tables that it manages.
const DISTRIBUTION: &str = "
    SELECT CASE WHEN partmethod = 'h' THEN column_to_column_name(logicalrelid, partkey) END
    FROM pg_dist_partition WHERE logicalrelid = to_regclass(concat_ws('.', quote_ident($1), quote_ident($2)))";

// A line for each column of each B-tree, in the order of the index. Bit 1 of an option means DESC, and bit 2 NULLS
// FIRST. An expression has no attribute, and thus no name; columns after `indnkeyatts` are only included. An invalid
// index is one whose concurrent creation has failed. The operator family is only needed for columns that ORDER BY sorts
// as the index does: by the type's own operator class, with the column's collation, and with NULLs at the usual end.
const INDEXES: &str = "
    SELECT index.oid::regclass::text, COALESCE(attname, '')::text, (indoption[place - 1] & 1) = 1,
        pg_get_expr(indpred, indrelid),
        CASE WHEN indoption[place - 1] & 3 IN (0, 3) AND indcollation[place - 1] = attcollation AND opcdefault
            THEN opfname ELSE '' END::text
    FROM pg_index
    JOIN pg_class index ON index.oid = indexrelid
    JOIN pg_am ON pg_am.oid = relam AND amname = 'btree'
    CROSS JOIN LATERAL unnest(indkey::int2[]) WITH ORDINALITY AS key (number, place)
    JOIN pg_opclass AS class ON class.oid = indclass[place - 1]
    JOIN pg_opfamily AS family ON family.oid = class.opcfamily
    LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = number
    WHERE indrelid = to_regclass(concat_ws('.', quote_ident($1), quote_ident($2)))
        AND indisvalid AND place <= indnkeyatts
    ORDER BY indexrelid, place";

/// A column of an index: the index's name, the column's name, whether it is descending, the condition of the index, and
/// the column's operator family.
type UsedColumn = (String, String, bool, Option<String>, String);

/// What the catalog says about a table.
pub(super) async fn table_info(mut catalog: Catalog<'_, Postgres>) -> sqlx::Result<TableInfo> {
    let (version, is_distributed, has_row_security, has_citus, is_foreign) =
        catalog.row::<(i32, bool, bool, bool, bool)>(TABLE).await?;
    // A plain table has none below it, and takes no statement.
    let is_foreign = is_foreign || is_distributed && catalog.row::<(bool,)>(HAS_FOREIGN_BELOW).await?.0;
    let columns: Vec<UsedColumn> = catalog.rows(INDEXES).await?;
    let without_family = |(index, column, descends, condition, _): &UsedColumn| -> IndexColumn {
        (index.clone(), column.clone(), *descends, condition.clone())
    };
    let mut indexes = by_index(&columns.iter().map(without_family).collect::<Vec<_>>());
    for index in &mut indexes {
        let own = columns.iter().filter(|(name, ..)| **name == *index.name);
        index.families = own.map(|(.., family)| family.clone()).collect();
    }
    let distribution: Vec<(Option<String>,)> = if has_citus { catalog.rows(DISTRIBUTION).await? } else { Vec::new() };
    let is_sharded = !distribution.is_empty();
    let distribution_column = distribution.into_iter().find_map(|(column,)| column);
    let needs_equalities = has_row_security || is_sharded;
    // 180006 is version 18.6.
    let server = Server::postgres(u32::try_from(version / 10_000).unwrap_or_default());
    Ok(TableInfo {
        indexes,
        is_distributed,
        needs_equalities,
        is_sharded,
        distribution_column,
        is_foreign,
        ..TableInfo::of(server)
    })
}
