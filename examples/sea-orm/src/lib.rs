//! A blog whose entities, migrations and writes are sea-orm's, and whose pages are folio's.

// The service's own items need no documentation for users of a library.
#![expect(missing_docs, reason = "the fields of the tables say what they are")]

pub mod entities;
mod migrations;
mod posts;

use anyhow::{Context as _, Result};
use axum::Router;
use axum::routing::get;
use folio::{Folio, Keyring, Pool};
use sea_orm::{ActiveModelTrait as _, ConnectOptions, Database, DatabaseConnection, EntityTrait as _, Set};
use sea_orm_migration::MigratorTrait as _;

use self::entities::{author, post};
use self::migrations::Migrations;

/// The service on a database, whose tables are created if they are missing.
///
/// # Errors
/// If the database cannot be reached, or its tables cannot be created.
pub async fn app(url: &str, keyring: Keyring) -> Result<Router> {
    let mut options = ConnectOptions::new(url);
    // sea-orm logs each statement otherwise.
    options.sqlx_logging(false);
    let db = Database::connect(options).await.with_context(|| format!("cannot connect to {url}"))?;
    Migrations::up(&db, None).await.context("cannot create the tables")?;
    fill(&db).await.context("cannot write the first posts")?;
    let folio = Folio::new(Pool::try_from(&db)?).keyring(keyring);
    Ok(routes().layer(folio.layer()))
}

fn routes() -> Router {
    Router::new()
        .route("/posts", get(posts::numbered).post(posts::create))
        .route("/posts/latest", get(posts::latest))
        .route("/feed", get(posts::feed))
        .route("/authors", get(posts::authors))
}

/// Writes three authors with ten posts each, if there are none.
async fn fill(db: &DatabaseConnection) -> Result<(), sea_orm::DbErr> {
    if author::Entity::find().one(db).await?.is_some() {
        return Ok(());
    }
    for name in ["Ada", "Grace", "Edsger"] {
        let author = author::ActiveModel { name: Set(name.to_owned()), ..Default::default() }.insert(db).await?;
        let post = |number| post::ActiveModel {
            title: Set(format!("{name}'s post {number}")),
            author_id: Set(author.id),
            ..Default::default()
        };
        post::Entity::insert_many((1..=10).map(post)).exec(db).await?;
    }
    Ok(())
}
