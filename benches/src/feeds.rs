//! The table that feeds are read from: posts of authors, of whom few have many.

use std::sync::Arc;

use anyhow::Result;
use chrono::{DateTime, Utc};
use folio::Paginate;
use sqlx::AssertSqlSafe;

use crate::data::Database;
use crate::dataset::Dataset;

/// A post. Their moments are random, in whole seconds.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "posts", cursor_key = "created_at desc, id desc")]
pub struct Post {
    pub id: i64,
    pub author_id: i64,
    pub created_at: DateTime<Utc>,
    pub title: String,
}

const TABLE: &str = "id {id}, author_id BIGINT NOT NULL, created_at {time} NOT NULL, title {text} NOT NULL";
const INDEXES: &[&str] = &["author_id, created_at, id"];

/// The first moment, and how many seconds later the last one is.
const BEGIN: i64 = 1_600_000_000;
const SECONDS: i64 = 157_680_001;

/// The table with a number of rows.
pub fn dataset(rows: i64) -> Dataset {
    let author = author(authors(rows));
    Dataset {
        name: format!("folio_bench_feeds_{rows}"),
        rows,
        table: TABLE,
        columns: format!("n, {author}, {{moment}}, CONCAT('The title of the post with the number ', n)"),
        seconds: format!("{BEGIN} + {}", random(40_692, 45_991, SECONDS)),
        indexes: INDEXES,
        mysql_indexes: INDEXES,
    }
}

/// The number of authors of a table. Their ids begin at 0, and the first have the most posts.
pub fn authors(rows: i64) -> i64 {
    (rows / 10).min(100_000)
}

/// A moment in the middle.
pub fn middle() -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(BEGIN + SECONDS / 2, 0)
}

/// The author of row number `n`: each half of the remaining authors, from the last to the first, has the same number of
/// posts. So the number of an author's posts is about inversely proportional to its id.
fn author(authors: i64) -> String {
    let mut halves = Vec::new();
    let mut end = authors;
    while end > 0 {
        let begin = end / 2;
        let place = random(69_621, 39_373, 2_147_483_629);
        halves.push(format!("WHEN {} THEN {begin} + {place} % {}", halves.len(), end - begin));
        end = begin;
    }
    format!("CASE {} % {} {} END", random(48_271, 16_807, 1_000_003), halves.len(), halves.join(" "))
}

/// A pseudorandom number below `limit`, as SQL that all databases understand.
fn random(a: i64, b: i64, limit: i64) -> String {
    format!("n * {a} % 2147483647 * (n * {b} % 2147483647) % {limit}")
}

/// A value that is bound by hand.
#[derive(Debug, Clone, Copy)]
pub enum Value<'a> {
    Int(i64),
    Moment(DateTime<Utc>),
    /// An array on PostgreSQL, and a parameter for each on the others.
    List(&'a [i64]),
    /// A JSON array.
    Json(&'a [i64]),
}

/// A statement by hand.
#[derive(Debug, Clone)]
pub struct Statement<'a> {
    pub text: Arc<str>,
    pub values: Vec<Value<'a>>,
}

/// Numbers as a JSON array.
fn json(values: &[i64]) -> String {
    serde_json::to_string(values).unwrap_or_default()
}

macro_rules! fetch {
    ($query:expr, $pool:expr, $values:expr, $list:expr) => {{
        let bind = |query, value: &Value<'_>| match *value {
            Value::Int(value) => sqlx::query::QueryAs::bind(query, value),
            Value::Moment(value) => query.bind(value),
            Value::List(values) => $list(query, values.to_vec()),
            Value::Json(values) => query.bind(json(values)),
        };
        Ok($values.iter().fold($query, bind).fetch_all($pool).await?)
    }};
}

macro_rules! spread {
    () => {
        |query, values: Vec<i64>| {
            values.into_iter().fold(query, |query, value| sqlx::query::QueryAs::bind(query, value))
        }
    };
}

impl Database {
    /// The posts that a statement selects.
    pub async fn posts(&self, statement: &Statement<'_>) -> Result<Vec<Post>> {
        let (text, values) = (AssertSqlSafe(statement.text.clone()), &statement.values);
        match self {
            Self::Sqlite(pool) => fetch!(sqlx::query_as::<_, Post>(text), pool, values, spread!()),
            #[cfg(feature = "postgres")]
            Self::Postgres(pool) => {
                fetch!(sqlx::query_as::<_, Post>(text), pool, values, |query, values: Vec<i64>| {
                    sqlx::query::QueryAs::bind(query, values)
                })
            }
            #[cfg(feature = "mysql")]
            Self::MySql(pool) | Self::MariaDb(pool) => {
                fetch!(sqlx::query_as::<_, Post>(text), pool, values, spread!())
            }
        }
    }

    /// The authors that a statement selects, on MySQL and MariaDB.
    pub async fn nearest(&self, statement: &Statement<'_>) -> Result<Vec<i64>> {
        match self {
            #[cfg(feature = "mysql")]
            Self::MySql(pool) | Self::MariaDb(pool) => {
                let query = sqlx::query_as::<_, (i64,)>(AssertSqlSafe(statement.text.clone()));
                let rows: Result<Vec<(i64,)>> = fetch!(query, pool, statement.values, spread!());
                Ok(rows?.into_iter().map(|(author,)| author).collect())
            }
            _ => anyhow::bail!("{} needs one statement", self.name()),
        }
    }

    /// The authors that a statement selects on MySQL, each with a moment.
    pub async fn moments(&self, statement: &Statement<'_>) -> Result<Vec<(i64, DateTime<Utc>)>> {
        match self {
            #[cfg(feature = "mysql")]
            Self::MySql(pool) | Self::MariaDb(pool) => {
                let query = sqlx::query_as::<_, (i64, DateTime<Utc>)>(AssertSqlSafe(statement.text.clone()));
                fetch!(query, pool, statement.values, spread!())
            }
            _ => anyhow::bail!("{} needs one statement", self.name()),
        }
    }

    /// Ends statements after some seconds, so that a bad plan does not hold up the others. SQLite has no such setting.
    pub async fn limit_time(&self, seconds: u64) -> Result<()> {
        let text = match self {
            Self::Sqlite(_) => return Ok(()),
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => format!("SET statement_timeout = '{seconds}s'"),
            #[cfg(feature = "mysql")]
            Self::MySql(_) => format!("SET max_execution_time = {}", seconds * 1_000),
            #[cfg(feature = "mysql")]
            Self::MariaDb(_) => format!("SET max_statement_time = {seconds}"),
        };
        self.run(text).await
    }
}
