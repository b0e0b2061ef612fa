//! The database: PostgreSQL, or SQLite for readers without a server.
//!
//! folio's queries are the same on both. Only what the service does with sqlx itself needs a `match`, which a service
//! on one database does not have.

use std::str::FromStr;

use anyhow::{Context, Result, bail};
use chrono::Utc;
use folio::{DB, Pool};
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
use sqlx::{ConnectOptions as _, PgPool, SqlitePool};

use crate::models::{IssueId, ProjectId};

/// A pool of connections to one of the two databases.
#[derive(Debug, Clone)]
pub enum Database {
    Postgres(PgPool),
    Sqlite(SqlitePool),
}

impl Database {
    /// Connects to the database that `url` names, such as `postgres://localhost/tracker` or `sqlite:tracker.db`. A
    /// SQLite database is created if it does not exist.
    pub async fn connect(url: &str) -> Result<Self> {
        let database = match url.split_once(':') {
            Some(("postgres" | "postgresql", _)) => {
                let options = PgConnectOptions::from_str(url)?.disable_statement_logging();
                Self::Postgres(PgPool::connect_with(options).await?)
            }
            Some(("sqlite", _)) => {
                let options = SqliteConnectOptions::from_str(url)?.disable_statement_logging();
                let options = options.create_if_missing(true).journal_mode(SqliteJournalMode::Wal);
                Self::Sqlite(SqlitePool::connect_with(options).await?)
            }
            _ => bail!("a database URL begins with `postgres:` or `sqlite:`"),
        };
        Ok(database)
    }

    /// Creates the tables, or brings them up to date.
    pub async fn migrate(&self) -> Result<()> {
        let migrated = match self {
            Self::Postgres(pool) => sqlx::migrate!("migrations/postgres").run(pool).await,
            Self::Sqlite(pool) => sqlx::migrate!("migrations/sqlite").run(pool).await,
        };
        migrated.context("cannot migrate the database")
    }

    /// The pool, for folio.
    pub fn pool(&self) -> Pool {
        match self {
            Self::Postgres(pool) => pool.clone().into(),
            Self::Sqlite(pool) => pool.clone().into(),
        }
    }

    /// Closes an issue in the task's transaction, and returns the project that it belongs to. An issue that is closed
    /// already keeps its time.
    pub(crate) async fn close(&self, issue: IssueId) -> folio::Result<Option<ProjectId>> {
        let close = "UPDATE issues SET state = 'closed', closed_at = COALESCE(closed_at, $2) WHERE id = $1 RETURNING project_id";
        Ok(match self {
            Self::Postgres(_) => {
                let closed = sqlx::query_scalar(close).bind(issue).bind(Utc::now());
                closed.fetch_optional(&mut *DB::postgres().await?).await?
            }
            Self::Sqlite(_) => {
                let closed = sqlx::query_scalar(close).bind(issue).bind(Utc::now());
                closed.fetch_optional(&mut *DB::sqlite().await?).await?
            }
        })
    }
}
