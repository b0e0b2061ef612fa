//! Example data, which is the same in every database.

use sqlx::{PgPool, SqlitePool};

use crate::database::Database;

const PEOPLE_AND_PROJECTS: &str = include_str!("../sql/people_and_projects.sql");
const ISSUE_LABELS: &str = include_str!("../sql/issue_labels.sql");

/// Whether the database has its example data.
const GENERATED: &str = "SELECT EXISTS (SELECT 1 FROM projects)";

/// Fills an empty database with `issues` issues and their projects, users, labels and comments. Returns `false` if the
/// database is not empty.
pub async fn generate(database: &Database, issues: i64) -> sqlx::Result<bool> {
    match database {
        Database::Postgres(pool) => fill_postgres(pool, issues).await,
        Database::Sqlite(pool) => fill_sqlite(pool, issues).await,
    }
}

async fn fill_postgres(pool: &PgPool, issues: i64) -> sqlx::Result<bool> {
    let mut tx = pool.begin().await?;
    if sqlx::query_scalar(GENERATED).fetch_one(&mut *tx).await? {
        return Ok(false);
    }
    sqlx::raw_sql(PEOPLE_AND_PROJECTS).execute(&mut *tx).await?;
    sqlx::query(include_str!("../sql/issues_postgres.sql")).bind(issues).execute(&mut *tx).await?;
    sqlx::raw_sql(ISSUE_LABELS).execute(&mut *tx).await?;
    sqlx::raw_sql(include_str!("../sql/comments_postgres.sql")).execute(&mut *tx).await?;
    tx.commit().await?;
    // Without statistics, the planner knows nothing about the new rows.
    sqlx::raw_sql("VACUUM ANALYZE").execute(pool).await?;
    Ok(true)
}

async fn fill_sqlite(pool: &SqlitePool, issues: i64) -> sqlx::Result<bool> {
    let mut tx = pool.begin().await?;
    if sqlx::query_scalar(GENERATED).fetch_one(&mut *tx).await? {
        return Ok(false);
    }
    sqlx::raw_sql(PEOPLE_AND_PROJECTS).execute(&mut *tx).await?;
    sqlx::query(include_str!("../sql/issues_sqlite.sql")).bind(issues).execute(&mut *tx).await?;
    sqlx::raw_sql(ISSUE_LABELS).execute(&mut *tx).await?;
    sqlx::raw_sql(include_str!("../sql/comments_sqlite.sql")).execute(&mut *tx).await?;
    tx.commit().await?;
    sqlx::raw_sql("ANALYZE").execute(pool).await?;
    Ok(true)
}
