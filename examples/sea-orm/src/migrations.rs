//! The tables, by sea-orm's migrations.

use sea_orm::Schema;
use sea_orm_migration::prelude::*;

use crate::entities::{author, post, post_tag, tag};

pub(crate) struct Migrations;

impl MigratorTrait for Migrations {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Blog)]
    }
}

struct Blog;

impl MigrationName for Blog {
    fn name(&self) -> &'static str {
        "m20260101_000000_blog"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Blog {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let schema = Schema::new(manager.get_database_backend());
        manager.create_table(schema.create_table_from_entity(author::Entity)).await?;
        manager.create_table(schema.create_table_from_entity(post::Entity)).await?;
        manager.create_table(schema.create_table_from_entity(tag::Entity)).await?;
        manager.create_table(schema.create_table_from_entity(post_tag::Entity)).await?;
        // The newest posts of an author, for the feed and the list of authors.
        let index = Index::create().name("posts_of_author").table("posts").col("author_id").col("id").take();
        manager.create_index(index).await
    }
}
