//! Tables of generated rows.
//!
//! Each is created once: for SQLite in a file of the target directory, on a server in a schema or database of its own.

use std::path::Path;

use anyhow::{Context as _, Result};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};

use crate::data::Database;

/// A table `posts` of generated rows.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// The name of its file, schema or database.
    pub name: String,
    pub rows: i64,
    /// The columns with their types, of which `{id}`, `{text}` and `{time}` depend on the database.
    pub table: &'static str,
    /// The values of row number `n`, with `{moment}` for the time that `seconds` is.
    pub columns: String,
    /// The seconds since 1970 of row number `n`.
    pub seconds: String,
    pub indexes: &'static [&'static str],
    pub mysql_indexes: &'static [&'static str],
}

impl Dataset {
    /// SQLite with these rows, and the servers that `FOLIO_POSTGRES_URL` and `FOLIO_MYSQL_URL` name, the latter
    /// separated by spaces.
    pub async fn databases(&self, directory: &Path) -> Result<Vec<Database>> {
        #[allow(unused_mut, reason = "without a server's feature there is one")]
        let mut databases = vec![self.sqlite(directory).await.context("SQLite")?];
        #[cfg(feature = "postgres")]
        match std::env::var("FOLIO_POSTGRES_URL") {
            Ok(url) => databases.push(self.postgres(&url).await.context("PostgreSQL")?),
            Err(_) => eprintln!("PostgreSQL is left out: FOLIO_POSTGRES_URL names no server"),
        }
        #[cfg(feature = "mysql")]
        match std::env::var("FOLIO_MYSQL_URL") {
            Ok(urls) => {
                for url in urls.split_whitespace() {
                    databases.push(self.mysql(url).await.with_context(|| url.to_owned())?);
                }
            }
            Err(_) => eprintln!("MySQL and MariaDB are left out: FOLIO_MYSQL_URL names no server"),
        }
        Ok(databases)
    }

    /// SQLite with these rows.
    pub async fn sqlite(&self, directory: &Path) -> Result<Database> {
        let file = directory.join(format!("{}.db", self.name));
        if !file.try_exists()? {
            eprintln!("building {}", file.display());
            let part = file.with_extension("part");
            let options = SqliteConnectOptions::new().filename(&part).create_if_missing(true);
            let pool = SqlitePoolOptions::new()
                .max_connections(1)
                .connect_with(options.journal_mode(SqliteJournalMode::Off))
                .await?;
            // An INTEGER PRIMARY KEY is an alias of the rowid.
            let table = self.table("INTEGER PRIMARY KEY", "TEXT", "TEXT");
            let columns = self.columns("strftime('%Y-%m-%dT%H:%M:%S+00:00', {seconds}, 'unixepoch')");
            let sql = format!(
                "DROP TABLE IF EXISTS posts; {table}
                 WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < {})
                 INSERT INTO posts SELECT {columns} FROM numbers; {} ANALYZE;",
                self.rows,
                indexes(self.indexes)
            );
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&pool).await?;
            pool.close().await;
            std::fs::rename(part, &file)?;
        }
        let options = SqliteConnectOptions::new().filename(file).read_only(true);
        Ok(Database::Sqlite(SqlitePoolOptions::new().max_connections(1).connect_with(options).await?))
    }

    #[cfg(feature = "postgres")]
    async fn postgres(&self, url: &str) -> Result<Database> {
        use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
        let name = &self.name;
        let options = url.parse::<PgConnectOptions>()?.options([("search_path", name)]);
        let pool = PgPoolOptions::new().max_connections(1).connect_with(options).await?;
        let built = "SELECT to_regclass($1) IS NOT NULL";
        if !sqlx::query_scalar::<_, bool>(built).bind(format!("{name}.complete")).fetch_one(&pool).await? {
            eprintln!("building {name} on PostgreSQL");
            let sql = format!(
                "DROP SCHEMA IF EXISTS {name} CASCADE; CREATE SCHEMA {name}; {}
                 INSERT INTO posts SELECT {} FROM generate_series(1::BIGINT, {}) n; {}",
                self.table("BIGINT PRIMARY KEY", "TEXT", "TIMESTAMPTZ"),
                self.columns("to_timestamp({seconds})"),
                self.rows,
                indexes(self.indexes)
            );
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&pool).await?;
            sqlx::raw_sql("VACUUM ANALYZE posts").execute(&pool).await?;
            sqlx::raw_sql("CREATE TABLE complete ()").execute(&pool).await?;
        }
        Ok(Database::Postgres(pool))
    }

    #[cfg(feature = "mysql")]
    async fn mysql(&self, url: &str) -> Result<Database> {
        use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
        let name = &self.name;
        let options = url.parse::<MySqlConnectOptions>()?;
        let server = MySqlPoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
        let built =
            "SELECT COUNT(*) > 0 FROM information_schema.tables WHERE table_schema = ? AND table_name = 'complete'";
        let is_built = sqlx::query_scalar::<_, bool>(built).bind(name).fetch_one(&server).await?;
        if !is_built {
            let sql = format!("DROP DATABASE IF EXISTS {name}; CREATE DATABASE {name}");
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&server).await?;
        }
        let version: String = sqlx::query_scalar("SELECT version()").fetch_one(&server).await?;
        let is_mariadb = version.contains("MariaDB");
        server.close().await;
        let pool = MySqlPoolOptions::new().max_connections(1).connect_with(options.database(name)).await?;
        if !is_built {
            eprintln!("building {name} on {url}");
            // Recursion to this depth needs a higher limit.
            let deep = if is_mariadb { "max_recursive_iterations" } else { "cte_max_recursion_depth" };
            let sql = format!("SET unique_checks = 0; SET {deep} = {}; {}", self.rows, self.mysql_rows());
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&pool).await?;
        }
        Ok(if is_mariadb { Database::MariaDb(pool) } else { Database::MySql(pool) })
    }

    #[cfg(feature = "mysql")]
    fn mysql_rows(&self) -> String {
        let numbers = format!(
            "(WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {}) \
             SELECT n FROM numbers) numbers",
            self.rows
        );
        format!(
            "{} INSERT INTO posts SELECT {} FROM {numbers}; {} ANALYZE TABLE posts; CREATE TABLE complete (id INTEGER)",
            self.table("BIGINT PRIMARY KEY", "VARCHAR(190)", "TIMESTAMP"),
            self.columns("FROM_UNIXTIME({seconds})"),
            indexes(self.mysql_indexes)
        )
    }

    fn table(&self, id: &str, text: &str, time: &str) -> String {
        let columns = self.table.replace("{id}", id).replace("{text}", text).replace("{time}", time);
        format!("CREATE TABLE posts ({columns});")
    }

    fn columns(&self, moment: &str) -> String {
        self.columns.replace("{moment}", &moment.replace("{seconds}", &self.seconds))
    }
}

fn indexes(all: &[&str]) -> String {
    let index = |(at, columns): (usize, &&str)| format!("CREATE INDEX posts_{at} ON posts ({columns});");
    all.iter().enumerate().map(index).collect()
}
