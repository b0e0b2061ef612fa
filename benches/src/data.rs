//! The table that most benchmarks read, and the databases that have it.

use std::path::Path;

use anyhow::Result;
use chrono::{DateTime, Utc};
use folio::Paginate;
use futures_util::stream::BoxStream;
use serde::Serialize;

use crate::dataset::Dataset;

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

const TABLE: &str = "id {id}, title {text} NOT NULL, author_id BIGINT NOT NULL, status {text} NOT NULL, score INTEGER, \
     tie BIGINT NOT NULL, views BIGINT NOT NULL, created_at {time} NOT NULL";

/// The columns of row number `n`.
const COLUMNS: &str = "n, CONCAT('The title of the post with the number ', n), n % 20, \
     CASE n % 4 WHEN 0 THEN 'draft' ELSE 'published' END, CASE n % 5 WHEN 0 THEN NULL ELSE n * 7919 % 100003 END, \
     CASE WHEN n BETWEEN {ties} THEN {first} ELSE n END, n * 104729 % 1000003, {moment}";

/// When row number `n` was created.
const SECONDS: &str = "1700000000 + (n - n % 3) / 3";

/// One index for each key that is measured. For the key of mixed directions, MySQL needs an index for each direction.
const INDEXES: &[&str] =
    &["created_at, id", "created_at DESC, id", "score, id", "author_id, created_at, id", "tie, id"];
const MYSQL_INDEXES: &[&str] = &[
    "created_at, id",
    "created_at DESC, id",
    "score, id",
    "author_id, created_at, id",
    "tie, id",
    "created_at, id DESC",
];

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

/// A post and the number of all posts, as folio's statement of a numbered page selects them.
#[derive(Debug, sqlx::FromRow)]
struct Counted {
    #[sqlx(flatten)]
    post: Post,
    folio_total: i64,
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

    /// A handwritten select whose rows also have the total.
    pub async fn counted(&self, sql: &'static str, binds: &[Bind]) -> Result<(Option<i64>, Vec<Post>)> {
        let rows = each!(self, pool => bound!(sqlx::query_as::<_, Counted>(sql), binds).fetch_all(pool).await?);
        let total = rows.first().map(|row| row.folio_total);
        Ok((total, rows.into_iter().map(|row| row.post).collect()))
    }

    /// A handwritten select that streams its rows.
    pub fn stream(&self, sql: &'static str) -> BoxStream<'_, sqlx::Result<Post>> {
        each!(self, pool => sqlx::query_as(sql).fetch(pool))
    }

    /// A handwritten count.
    pub async fn count(&self, sql: &'static str, binds: &[Bind]) -> Result<i64> {
        Ok(each!(self, pool => bound!(sqlx::query_scalar::<_, i64>(sql), binds).fetch_one(pool).await?))
    }

    /// Runs a statement without values, such as a setting of the session.
    pub async fn run(&self, sql: String) -> Result<()> {
        each!(self, pool => sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(pool).await.map(drop)?);
        Ok(())
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
    dataset(rows).databases(directory).await
}

/// SQLite with `rows` rows.
pub async fn sqlite(directory: &Path, rows: i64) -> Result<Database> {
    dataset(rows).sqlite(directory).await
}

fn dataset(rows: i64) -> Dataset {
    let first = first_tie(rows);
    let ties = format!("{first} AND {}", first + TIES - 1);
    Dataset {
        name: format!("folio_bench_{rows}"),
        rows,
        table: TABLE,
        columns: COLUMNS.replace("{ties}", &ties).replace("{first}", &first.to_string()),
        seconds: SECONDS.to_owned(),
        indexes: INDEXES,
        mysql_indexes: MYSQL_INDEXES,
    }
}
