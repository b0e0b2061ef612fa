//! What the benchmarks of other libraries share: sea-orm's entity and connection, and its cursor pages.

use anyhow::Result;
use chrono::{DateTime, Utc};
use folio_benches::data::{Database, Post};
use sea_orm::{DatabaseConnection, EntityTrait as _, SqlxMySqlConnector, SqlxPostgresConnector, SqlxSqliteConnector};

pub const PER_PAGE: u64 = 15;

pub const COLUMNS: &str = "SELECT id, title, author_id, status, score, tie, views, created_at FROM posts";

/// The row with the derives that the other libraries need.
pub mod posts {
    use sea_orm::entity::prelude::*;

    #[derive(
        Clone, Debug, PartialEq, Default, DeriveEntityModel, serde::Serialize, sqlx::FromRow, sqlx_paginated::Fields,
    )]
    #[sea_orm(table_name = "posts")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub title: String,
        pub author_id: i64,
        pub status: String,
        pub score: Option<i32>,
        pub tie: i64,
        pub views: i64,
        pub created_at: DateTimeUtc,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

pub fn into_posts(rows: Vec<posts::Model>) -> Vec<Post> {
    let post = |posts::Model { id, title, author_id, status, score, tie, views, created_at }| Post {
        id,
        title,
        author_id,
        status,
        score,
        tie,
        views,
        created_at,
    };
    rows.into_iter().map(post).collect()
}

/// sea-orm's connection to the same pool.
pub fn sea_orm_connection(database: &Database) -> DatabaseConnection {
    match database {
        Database::Sqlite(pool) => SqlxSqliteConnector::from_sqlx_sqlite_pool(pool.clone()),
        Database::Postgres(pool) => SqlxPostgresConnector::from_sqlx_postgres_pool(pool.clone()),
        Database::MySql(pool) | Database::MariaDb(pool) => SqlxMySqlConnector::from_sqlx_mysql_pool(pool.clone()),
    }
}

/// A page in the order of (created_at, id). Like the others, it reads one row more than the page shows, to know whether
/// another page follows.
pub async fn sea_orm_cursor(orm: &DatabaseConnection, after: Option<(DateTime<Utc>, i64)>) -> Result<Vec<Post>> {
    let mut list = posts::Entity::find().cursor_by((posts::Column::CreatedAt, posts::Column::Id));
    if let Some(after) = after {
        list.after(after);
    }
    let mut rows = list.first(PER_PAGE + 1).all(orm).await?;
    rows.truncate(PER_PAGE.try_into()?);
    Ok(into_posts(rows))
}
