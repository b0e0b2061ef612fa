//! The differences in SQL between the three databases, for the selects and their oracle.

use sea_query::SelectStatement;
use sqlx::Database as _;

use crate::server::{Driver, ID, TEXT};
use crate::suite::db::quoted;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Sqlite,
    Postgres,
    MySql,
}

/// The database that this binary tests.
pub(super) fn dialect() -> Dialect {
    match Driver::NAME {
        "SQLite" => Dialect::Sqlite,
        "PostgreSQL" => Dialect::Postgres,
        _ => Dialect::MySql,
    }
}

impl Dialect {
    /// `CREATE TABLE` for all tables. `name` has a collation that ignores case in `posts` and `users`.
    pub(super) fn schema(self) -> String {
        let (prelude, caseless) = match self {
            Self::Sqlite => ("", "TEXT COLLATE NOCASE"),
            Self::Postgres => (
                "CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);",
                "TEXT COLLATE caseless",
            ),
            Self::MySql => ("", "VARCHAR(190) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"),
        };
        format!(
            "{prelude}
            CREATE TABLE posts (id {ID}, user_id BIGINT, title {TEXT} NOT NULL, name {caseless}, score BIGINT);
            CREATE TABLE users (id {ID}, name {caseless} NOT NULL, score BIGINT);
            CREATE TABLE comments (id {ID}, post_id BIGINT NOT NULL, name {TEXT}, votes BIGINT NOT NULL)"
        )
    }

    /// A number as the 64 bits that a `Column<i64>` reads on every database.
    pub(super) fn int(self, sql: &str) -> String {
        let name = match self {
            Self::Sqlite => "INTEGER",
            Self::Postgres => "BIGINT",
            Self::MySql => "SIGNED",
        };
        format!("CAST({sql} AS {name})")
    }

    pub(super) fn concat(self, sql: &str, text: &str) -> String {
        match self {
            Self::MySql => format!("CONCAT({sql}, '{text}')"),
            Self::Sqlite | Self::Postgres => format!("{sql} || '{text}'"),
        }
    }
}

/// A select as SQL, its values in the text.
pub(super) fn sql(select: &SelectStatement) -> String {
    match dialect() {
        Dialect::Postgres => select.to_string(sea_query::PostgresQueryBuilder),
        Dialect::MySql => select.to_string(sea_query::MysqlQueryBuilder),
        Dialect::Sqlite => select.to_string(sea_query::SqliteQueryBuilder),
    }
}

/// A column of a table as SQL.
pub(super) fn column_sql(table: &str, column: &str) -> String {
    format!("{}.{}", name_sql(table), name_sql(column))
}

/// A name as SQL.
pub(super) fn name_sql(name: &str) -> String {
    quoted(&name.replace(crate::server::QUOTE, &crate::server::QUOTE.to_string().repeat(2)))
}
