//! SQLite's catalog: the pragmas that describe a table, as table-valued functions.

use folio_plan::dialect::Server;
use folio_plan::dialect::catalog::{Index, IndexColumn, TableInfo, by_index};
use sea_query::{Token, Tokenizer};
use sqlx::Sqlite;

use super::Catalog;

// Every index ends with the rowid, column -1. An INTEGER PRIMARY KEY is another name for it, and is an index itself. An
// expression is column -2 and has no name. The column of an index with another collation than the column's own counts
// as one: ORDER BY sorts in another way. SQLite does not tell the collation of a column, but an index that has another
// one names it.
const INDEXES: &str = "
    WITH number (name) AS (
        SELECT MAX(name) FROM pragma_table_info(?2, COALESCE(?1, 'main')) WHERE pk > 0
        HAVING COUNT(*) = 1 AND UPPER(MAX(type)) = 'INTEGER'),
    texts (name, kind, sql) AS (SELECT name, type, sql FROM sqlite_master WHERE ?1 IS NULL AND tbl_name = ?2 COLLATE NOCASE),
    table_text (sql) AS (SELECT sql FROM texts WHERE kind = 'table')
    SELECT list.name,
        CASE
            WHEN part.cid = -1 THEN COALESCE((SELECT name FROM number), '')
            WHEN texts.sql LIKE '%COLLATE ' || part.coll || '%'
                AND COALESCE((SELECT sql LIKE '%COLLATE%' FROM table_text), 0) <> (part.coll <> 'BINARY') THEN ''
            ELSE COALESCE(part.name, '')
        END,
        part.desc, CASE WHEN list.partial THEN COALESCE(texts.sql, '') END
    FROM pragma_index_list(?2, COALESCE(?1, 'main')) AS list
    JOIN pragma_index_xinfo(list.name, COALESCE(?1, 'main')) AS part
    LEFT JOIN texts ON texts.kind = 'index' AND texts.name = list.name
    UNION ALL
    SELECT '', name, 0, NULL FROM number";

// The table that ANALYZE keeps samples in, if there is one.
const HAS_SAMPLES: &str = "
    SELECT name FROM sqlite_master WHERE ?1 IS NULL AND ?2 IS NOT NULL AND type = 'table' AND name = 'sqlite_stat4'";

// The indexes that it has samples of.
const SAMPLED: &str = "SELECT DISTINCT idx FROM sqlite_stat4 WHERE ?1 IS NULL AND tbl = ?2 COLLATE NOCASE";

pub(super) async fn table_info(mut catalog: Catalog<'_, Sqlite>) -> sqlx::Result<TableInfo> {
    let has_samples = !catalog.rows::<(String,)>(HAS_SAMPLES).await?.is_empty();
    let sampled = if has_samples { catalog.rows::<(String,)>(SAMPLED).await? } else { Vec::new() };
    let indexes = by_index(&catalog.rows::<IndexColumn>(INDEXES).await?).into_iter();
    let indexes = indexes.map(|index| Index { condition: index.condition.as_deref().map(condition), ..index });
    let has_samples = |index: &Index| sampled.iter().any(|(name,)| **name == *index.name);
    let indexes = indexes.map(|index| Index { has_samples: has_samples(&index), ..index }).collect();
    Ok(TableInfo { indexes, ..TableInfo::of(Server::SQLITE) })
}

/// The condition of a partial index, by the statement that created it.
fn condition(sql: &str) -> String {
    let mut tokens = Tokenizer::new(sql).iter();
    let mut depth = 0_usize;
    let mut is_where = |token: &Token<'_>| {
        match token.as_str() {
            "(" => depth = depth.saturating_add(1),
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && token.is_unquoted() && token.as_str().eq_ignore_ascii_case("WHERE")
    };
    tokens.find(&mut is_where);
    tokens.map(|token| token.as_str().to_owned()).collect()
}
