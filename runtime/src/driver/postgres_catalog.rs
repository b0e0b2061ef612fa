//! PostgreSQL's catalog.
//!
//! A name without a schema is looked up along the connection's `search_path`, as in the page's own statement. A table
//! that does not exist has no indexes and no NOT NULL columns: the page's statement then fails with a better error.

use sqlx::Postgres;

use super::{Catalog, by_index};
use crate::dialect::catalog::{Server, TableInfo};

// The server's version, whether the table is partitioned, foreign, or one that others inherit from, and whether it may be
// sharded: the table `pg_dist_partition` belongs to Citus, which routes a statement to a shard by an equality.
const TABLE: &str = "
    SELECT current_setting('server_version_num')::int4, COALESCE((
        SELECT relkind IN ('p', 'f') OR relhassubclass FROM pg_class
        WHERE oid = to_regclass(concat_ws('.', quote_ident($1), quote_ident($2)))), false),
        to_regclass('pg_dist_partition') IS NOT NULL";

// A line for each column of each B-tree, in the order of the index. Bit 1 of an option means DESC. An expression has no
// attribute, and thus no name. Neither has a column of an operator class such as `text_pattern_ops`, by which the index
// has another order than ORDER BY. Columns after `indnkeyatts` are only included. An invalid index is one whose concurrent
// creation has failed, and a partial one does not have all rows.
const INDEXES: &str = "
    SELECT index.oid::regclass::text, CASE WHEN EXISTS (
            SELECT FROM pg_opclass AS usual WHERE usual.opcfamily = class.opcfamily AND usual.opcdefault)
        THEN COALESCE(attname, '') ELSE '' END::text, (indoption[place - 1] & 1) = 1
    FROM pg_index
    JOIN pg_class index ON index.oid = indexrelid
    JOIN pg_am ON pg_am.oid = relam AND amname = 'btree'
    CROSS JOIN LATERAL unnest(indkey::int2[]) WITH ORDINALITY AS key (number, place)
    JOIN pg_opclass AS class ON class.oid = indclass[place - 1]
    LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = number
    WHERE indrelid = to_regclass(concat_ws('.', quote_ident($1), quote_ident($2)))
        AND indisvalid AND indpred IS NULL AND place <= indnkeyatts
    ORDER BY indexrelid, place";

// PostgreSQL 18 has constraints that old rows may break. Foreign tables do not enforce any.
const NOT_NULL: &str = "
    SELECT attname::text
    FROM pg_attribute
    JOIN pg_class ON pg_class.oid = attrelid AND relkind IN ('r', 'p')
    WHERE attrelid = to_regclass(concat_ws('.', quote_ident($1), quote_ident($2))) AND attnum > 0 AND attnotnull
        AND NOT EXISTS (
            SELECT 1 FROM pg_constraint
            WHERE conrelid = attrelid AND contype = 'n' AND attnum = ANY (conkey) AND NOT convalidated)";

/// The server's version, whether the table's rows are in several places, and whether they may be on several servers.
type Facts = (i32, bool, bool);

/// What the catalog says about a table.
pub(super) async fn table_info(mut catalog: Catalog<'_, Postgres>) -> sqlx::Result<TableInfo> {
    let (version, is_distributed, is_sharded) = catalog.row::<Facts>(TABLE).await?;
    let indexes = by_index(catalog.rows(INDEXES).await?);
    let not_null = catalog.names(NOT_NULL).await?;
    Ok(TableInfo { server: server(version), not_null, indexes, is_distributed, is_sharded })
}

/// The server of a version: 180006 is version 18.6.
fn server(version: i32) -> Server {
    Server::Postgres(u32::try_from(version / 10_000).unwrap_or_default())
}
