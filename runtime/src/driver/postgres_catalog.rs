//! PostgreSQL's catalog.

use sqlx::PgConnection;

use super::by_index;
use crate::dialect::catalog::{Server, TableInfo};
use crate::model::table::Table;

// Partitioned and foreign tables, and those that others inherit from.
const TABLE: &str = "
    SELECT current_setting('server_version_num')::int4, COALESCE((
        SELECT relkind IN ('p', 'f') OR relhassubclass FROM pg_class
        WHERE oid = to_regclass(concat_ws('.', quote_ident($1), quote_ident($2)))), false)";

const INDEXES: &str = "
    SELECT index.oid::regclass::text, COALESCE(attname, '')::text, (indoption[place - 1] & 1) = 1
    FROM pg_index
    JOIN pg_class index ON index.oid = indexrelid
    JOIN pg_am ON pg_am.oid = relam AND amname = 'btree'
    CROSS JOIN LATERAL unnest(indkey::int2[]) WITH ORDINALITY AS key (number, place)
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

pub(super) async fn table_info(connection: &mut PgConnection, table: &Table) -> sqlx::Result<TableInfo> {
    let about = sqlx::query_as(TABLE).bind(table.schema).bind(table.name).persistent(false);
    let (version, is_distributed): (i32, bool) = about.fetch_one(&mut *connection).await?;
    let indexes = sqlx::query_as(INDEXES).bind(table.schema).bind(table.name).persistent(false);
    let indexes = by_index(indexes.fetch_all(&mut *connection).await?);
    let not_null = sqlx::query_scalar(NOT_NULL).bind(table.schema).bind(table.name).persistent(false);
    let not_null = not_null.fetch_all(connection).await?;
    // 180006 is version 18.6.
    let server = Server::Postgres(u32::try_from(version / 10_000).unwrap_or_default());
    Ok(TableInfo { server, not_null, indexes, is_distributed })
}
