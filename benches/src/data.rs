//! The table that all benchmarks read, on each database.
//!
//! It is created once: for SQLite in a file of the target directory, on a server in a schema or database named
//! `folio_bench_` and the number of rows.

use std::path::Path;

use anyhow::{Context as _, Result};
use chrono::{DateTime, Utc};
use folio::Paginate;
use futures_util::stream::BoxStream;
use serde::Serialize;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};

/// A row. Groups of three rows have the same moment, 100,000 consecutive rows have the same `tie`, and every fifth row
/// has no score.
#[derive(Debug, Clone, PartialEq, Serialize, sqlx::FromRow, Paginate)]
#[paginate(table = "posts", cursor_key = "created_at")]
pub struct Post {
    pub id: i64,
    pub title: String,
    pub author_id: i64,
    pub status: String,
    pub score: Option<i32>,
    pub tie: i64,
    pub views: i64,
    pub created_at: DateTime<Utc>,
}

/// The columns of row number `n`. `{moment}` is replaced by the database's expression for a time in seconds.
const COLUMNS: &str = "n, CONCAT('The title of the post with the number ', n), n % 20, \
     CASE n % 4 WHEN 0 THEN 'draft' ELSE 'published' END, CASE n % 5 WHEN 0 THEN NULL ELSE n * 7919 % 100003 END, \
     CASE WHEN n BETWEEN {ties} THEN {first} ELSE n END, n * 104729 % 1000003, {moment}";

/// One index for each key that is measured. For the key of mixed directions, MySQL needs an index for each direction.
const INDEXES: &[&str] =
    &["created_at, id", "created_at DESC, id", "score, id", "author_id, created_at, id", "tie, id"];
const INDEX_BACK: &str = "created_at, id DESC";

/// The number of rows that tie.
pub const TIES: i64 = 100_000;

/// The first of the rows that tie, in the middle of the table.
pub const fn first_tie(rows: i64) -> i64 {
    (rows - TIES) / 2 + 1
}

/// A value that is bound by hand.
#[derive(Debug, Clone, Copy)]
pub enum Bind {
    Int(i64),
    Score(i32),
    Moment(DateTime<Utc>),
}

/// A database with the table.
#[derive(Debug, Clone)]
pub enum Database {
    Sqlite(sqlx::SqlitePool),
    #[cfg(feature = "postgres")]
    Postgres(sqlx::PgPool),
    #[cfg(feature = "mysql")]
    MySql(sqlx::MySqlPool),
    #[cfg(feature = "mysql")]
    MariaDb(sqlx::MySqlPool),
}

/// The same code for each driver, because their types differ.
macro_rules! each {
    ($on:expr, $pool:ident => $body:expr) => {
        match $on {
            Database::Sqlite($pool) => $body,
            #[cfg(feature = "postgres")]
            Database::Postgres($pool) => $body,
            #[cfg(feature = "mysql")]
            Database::MySql($pool) | Database::MariaDb($pool) => $body,
        }
    };
}

macro_rules! bound {
    ($query:expr, $binds:expr) => {{
        let mut query = $query;
        for bind in $binds {
            query = match *bind {
                Bind::Int(value) => query.bind(value),
                Bind::Score(value) => query.bind(value),
                Bind::Moment(value) => query.bind(value),
            };
        }
        query
    }};
}

impl Database {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "SQLite",
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => "PostgreSQL",
            #[cfg(feature = "mysql")]
            Self::MySql(_) => "MySQL",
            #[cfg(feature = "mysql")]
            Self::MariaDb(_) => "MariaDB",
        }
    }

    pub fn pool(&self) -> folio::Pool {
        each!(self, pool => pool.clone().into())
    }

    /// The placeholder of a statement's value at this position.
    pub fn placeholder(&self, number: usize) -> String {
        match self {
            Self::Sqlite(_) => "?".to_owned(),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => format!("${number}"),
            #[cfg(feature = "mysql")]
            Self::MySql(_) | Self::MariaDb(_) => "?".to_owned(),
        }
    }

    /// A handwritten select that returns all rows at once.
    pub async fn rows(&self, sql: &'static str, binds: &[Bind]) -> Result<Vec<Post>> {
        Ok(each!(self, pool => bound!(sqlx::query_as::<_, Post>(sql), binds).fetch_all(pool).await?))
    }

    /// A handwritten select that streams its rows.
    pub fn stream(&self, sql: &'static str) -> BoxStream<'_, sqlx::Result<Post>> {
        each!(self, pool => sqlx::query_as(sql).fetch(pool))
    }

    /// A handwritten count.
    pub async fn count(&self, sql: &'static str) -> Result<i64> {
        Ok(each!(self, pool => sqlx::query_scalar::<_, i64>(sql).fetch_one(pool).await?))
    }

    /// The values of folio's statement for at most `limit` rows after a row, in the order of (created_at, id).
    pub fn behind(&self, created_at: DateTime<Utc>, id: i64, limit: i64) -> Vec<Bind> {
        let (moment, id, limit) = (Bind::Moment(created_at), Bind::Int(id), Bind::Int(limit));
        match self {
            Self::Sqlite(_) => vec![moment, id, moment, limit],
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => vec![moment, id, limit],
            #[cfg(feature = "mysql")]
            Self::MySql(_) | Self::MariaDb(_) => vec![moment, id, moment, limit],
        }
    }

    /// The same database through a new pool, which connects lazily.
    #[must_use]
    pub fn with_connections(&self, most: u32) -> Self {
        macro_rules! again {
            ($pool:expr) => {
                $pool.options().clone().max_connections(most).connect_lazy_with((*$pool.connect_options()).clone())
            };
        }
        match self {
            Self::Sqlite(pool) => Self::Sqlite(again!(pool)),
            #[cfg(feature = "postgres")]
            Self::Postgres(pool) => Self::Postgres(again!(pool)),
            #[cfg(feature = "mysql")]
            Self::MySql(pool) => Self::MySql(again!(pool)),
            #[cfg(feature = "mysql")]
            Self::MariaDb(pool) => Self::MariaDb(again!(pool)),
        }
    }

    /// The version, as the server or library reports it.
    pub async fn version(&self) -> Result<String> {
        let sql = match self {
            Self::Sqlite(_) => "SELECT sqlite_version()",
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => "SHOW server_version",
            #[cfg(feature = "mysql")]
            Self::MySql(_) | Self::MariaDb(_) => "SELECT version()",
        };
        Ok(each!(self, pool => sqlx::query_scalar::<_, String>(sql).fetch_one(pool).await?))
    }
}

/// SQLite with `rows` rows, and the servers that `FOLIO_POSTGRES_URL` and `FOLIO_MYSQL_URL` name, the latter separated
/// by spaces.
pub async fn databases(directory: &Path, rows: i64) -> Result<Vec<Database>> {
    #[allow(unused_mut, reason = "without a server's feature there is one")]
    let mut databases = vec![sqlite(directory, rows).await.context("SQLite")?];
    #[cfg(feature = "postgres")]
    match std::env::var("FOLIO_POSTGRES_URL") {
        Ok(url) => databases.push(postgres(&url, rows).await.context("PostgreSQL")?),
        Err(_) => eprintln!("PostgreSQL is left out: FOLIO_POSTGRES_URL names no server"),
    }
    #[cfg(feature = "mysql")]
    match std::env::var("FOLIO_MYSQL_URL") {
        Ok(urls) => {
            for url in urls.split_whitespace() {
                databases.push(mysql(url, rows).await.with_context(|| url.to_owned())?);
            }
        }
        Err(_) => eprintln!("MySQL and MariaDB are left out: FOLIO_MYSQL_URL names no server"),
    }
    Ok(databases)
}

fn columns(rows: i64, moment: &str) -> String {
    let first = first_tie(rows);
    let ties = format!("{first} AND {}", first + TIES - 1);
    COLUMNS.replace("{ties}", &ties).replace("{first}", &first.to_string()).replace("{moment}", moment)
}

fn indexes(all: &[&str]) -> String {
    let index = |(at, columns): (usize, &&str)| format!("CREATE INDEX posts_{at} ON posts ({columns});");
    all.iter().enumerate().map(index).collect()
}

fn table(text: &str, moment: &str) -> String {
    format!(
        "CREATE TABLE posts (id BIGINT PRIMARY KEY, title {text} NOT NULL, author_id BIGINT NOT NULL, \
         status {text} NOT NULL, score INTEGER, tie BIGINT NOT NULL, views BIGINT NOT NULL, created_at {moment} NOT NULL);"
    )
}

/// SQLite with `rows` rows.
pub async fn sqlite(directory: &Path, rows: i64) -> Result<Database> {
    let file = directory.join(format!("folio_bench_{rows}.db"));
    if !file.try_exists()? {
        eprintln!("building {}", file.display());
        let part = file.with_extension("part");
        let options = SqliteConnectOptions::new().filename(&part).create_if_missing(true);
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .connect_with(options.journal_mode(SqliteJournalMode::Off))
            .await?;
        // An INTEGER PRIMARY KEY is an alias of the rowid.
        let table = table("TEXT", "TEXT").replace("BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY");
        let columns = columns(rows, "strftime('%Y-%m-%dT%H:%M:%S+00:00', 1700000000 + n / 3, 'unixepoch')");
        let sql = format!(
            "DROP TABLE IF EXISTS posts; {table}
             WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < {rows})
             INSERT INTO posts SELECT {columns} FROM numbers; {} ANALYZE;",
            indexes(INDEXES)
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&pool).await?;
        pool.close().await;
        std::fs::rename(part, &file)?;
    }
    let options = SqliteConnectOptions::new().filename(file).read_only(true);
    Ok(Database::Sqlite(SqlitePoolOptions::new().max_connections(1).connect_with(options).await?))
}

#[cfg(feature = "postgres")]
async fn postgres(url: &str, rows: i64) -> Result<Database> {
    use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
    let name = format!("folio_bench_{rows}");
    let options = url.parse::<PgConnectOptions>()?.options([("search_path", &name)]);
    let pool = PgPoolOptions::new().max_connections(1).connect_with(options).await?;
    let built = "SELECT to_regclass($1) IS NOT NULL";
    if !sqlx::query_scalar::<_, bool>(built).bind(format!("{name}.complete")).fetch_one(&pool).await? {
        eprintln!("building {name} on PostgreSQL");
        let columns = columns(rows, "to_timestamp(1700000000 + n / 3)");
        let sql = format!(
            "DROP SCHEMA IF EXISTS {name} CASCADE; CREATE SCHEMA {name}; {}
             INSERT INTO posts SELECT {columns} FROM generate_series(1::BIGINT, {rows}) n; {}",
            table("TEXT", "TIMESTAMPTZ"),
            indexes(INDEXES)
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&pool).await?;
        sqlx::raw_sql("VACUUM ANALYZE posts").execute(&pool).await?;
        sqlx::raw_sql("CREATE TABLE complete ()").execute(&pool).await?;
    }
    Ok(Database::Postgres(pool))
}

#[cfg(feature = "mysql")]
async fn mysql(url: &str, rows: i64) -> Result<Database> {
    use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
    let name = format!("folio_bench_{rows}");
    let options = url.parse::<MySqlConnectOptions>()?;
    let server = MySqlPoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
    let built = "SELECT COUNT(*) > 0 FROM information_schema.tables WHERE table_schema = ? AND table_name = 'complete'";
    let is_built = sqlx::query_scalar::<_, bool>(built).bind(&name).fetch_one(&server).await?;
    if !is_built {
        let sql = format!("DROP DATABASE IF EXISTS {name}; CREATE DATABASE {name}");
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&server).await?;
    }
    let version: String = sqlx::query_scalar("SELECT version()").fetch_one(&server).await?;
    let is_mariadb = version.contains("MariaDB");
    server.close().await;
    let pool = MySqlPoolOptions::new().max_connections(1).connect_with(options.database(&name)).await?;
    if !is_built {
        eprintln!("building {name} on {url}");
        let columns = columns(rows, "FROM_UNIXTIME(1700000000 + n DIV 3)");
        let both: Vec<&str> = INDEXES.iter().copied().chain([INDEX_BACK]).collect();
        // Recursion to this depth needs a higher limit.
        let numbers = format!(
            "(WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {rows}) \
             SELECT n FROM numbers) numbers"
        );
        let deep = if is_mariadb { "max_recursive_iterations" } else { "cte_max_recursion_depth" };
        let sql = format!(
            "SET unique_checks = 0; SET {deep} = {rows}; {} INSERT INTO posts SELECT {columns} FROM {numbers}; {} \
             ANALYZE TABLE posts; CREATE TABLE complete (id INTEGER)",
            table("VARCHAR(190)", "TIMESTAMP"),
            indexes(&both)
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&pool).await?;
    }
    Ok(if is_mariadb { Database::MariaDb(pool) } else { Database::MySql(pool) })
}
