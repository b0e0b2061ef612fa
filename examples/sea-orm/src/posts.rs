//! The lists, and the one that writes.

use axum::Json;
use axum::extract::Query;
use axum::http::StatusCode;
use folio::sea_orm::{Db, SortColumn as _, related};
use folio::{CursorPaginator, DB, FrameworkError, LengthAwarePaginator, PerPage, Result, Select};
use sea_orm::{ActiveModelTrait as _, EntityTrait as _, IntoActiveModel as _, Set};
use serde::{Deserialize, Serialize};

use crate::entities::{author, post, post_tag, tag};

/// What a client may ask for with `per_page`.
const PER_PAGE: PerPage = PerPage::new(10, 100);

#[derive(Serialize)]
pub(crate) struct Written {
    #[serde(flatten)]
    post: post::Model,
    author: Option<author::Model>,
}

/// Each post with its author. A post whose author is missing comes last.
pub(crate) async fn numbered() -> Result<LengthAwarePaginator<Written>> {
    let posts = Select::entity(post::Entity::find().find_also_related(author::Entity))
        .order_by((author::Column::Name.asc().nulls_last(), post::Column::Id.desc()))
        .with_query_string();
    let page = posts.paginate(PER_PAGE.requested()?).await?;
    Ok(page.map(|(post, author)| Written { post, author }))
}

#[derive(Serialize)]
pub(crate) struct Tagged {
    #[serde(flatten)]
    post: post::Model,
    tags: Vec<String>,
}

/// The newest posts, with their tags by name.
pub(crate) async fn latest() -> Result<CursorPaginator<Tagged>> {
    let page = Select::entity(post::Entity::find())
        .order_by(post::Column::Id.desc())
        .with_query_string()
        .cursor_paginate(PER_PAGE.requested()?)
        .await?;
    let page = page.load(related(tag::Model::query())?).await?;
    Ok(page.map(|(post, tags)| Tagged { post, tags: tags.into_iter().map(|tag| tag.name).collect() }))
}

#[derive(Deserialize)]
pub(crate) struct Feed {
    authors: String,
}

/// The posts of the authors whom a reader follows.
pub(crate) async fn feed(Query(feed): Query<Feed>) -> Result<CursorPaginator<post::Model>> {
    let authors = feed.authors.split(',').map(str::parse).collect::<std::result::Result<Vec<i64>, _>>();
    let authors = authors.map_err(|_| FrameworkError::InvalidParameter {
        parameter: "authors".to_owned(),
        rule: "is a list of ids with commas between them".to_owned(),
        allowed: Vec::new(),
    })?;
    post::Model::query()
        .among(post::Model::AUTHOR_ID, authors)
        .cursor_by(post::Model::ID.desc())
        .with_query_string()
        .cursor_paginate(PER_PAGE.requested()?)
        .await
}

#[derive(Serialize)]
pub(crate) struct Portrait {
    #[serde(flatten)]
    author: author::Model,
    newest: Vec<post::Model>,
}

/// Each author with three posts.
pub(crate) async fn authors() -> Result<CursorPaginator<Portrait>> {
    let newest = post::Model::query().order_by(post::Model::ID.desc());
    let page = author::Model::query().with_query_string().cursor_paginate(PER_PAGE.requested()?).await?;
    let page = page.load(related(newest)?.first(3)).await?;
    Ok(page.map(|(author, newest)| Portrait { author, newest }))
}

#[derive(Deserialize)]
pub(crate) struct NewPost {
    title: String,
    author_id: i64,
    tags: Vec<String>,
}

/// Writes a post and its tags, and answers with the author's newest posts. If anything fails, nothing is written.
pub(crate) async fn create(Json(new): Json<NewPost>) -> Result<(StatusCode, CursorPaginator<post::Model>)> {
    let page = DB::transaction(async || {
        let NewPost { title, author_id, tags } = &new;
        if author::Model::query().find(*author_id).await?.is_none() {
            return Err(FrameworkError::Domain { message: "the author does not exist".to_owned(), status_code: 422 });
        }
        let post = post::ActiveModel { title: Set(title.clone()), author_id: Set(*author_id), ..Default::default() };
        let post = post.insert(&Db).await?;
        if !tags.is_empty() {
            let names = tags.iter().map(|name| tag::Model { name: name.clone() }.into_active_model());
            let known = [tag::Column::Name];
            tag::Entity::insert_many(names).on_conflict_do_nothing_on(known).exec_without_returning(&Db).await?;
            let post_tags =
                tags.iter().map(|tag| post_tag::Model { post_id: post.id, tag: tag.clone() }.into_active_model());
            post_tag::Entity::insert_many(post_tags).exec(&Db).await?;
        }
        let own = post::Model::query().filter(post::Model::AUTHOR_ID.eq(*author_id));
        own.cursor_by(post::Model::ID.desc()).cursor(None).cursor_paginate(PER_PAGE.default).await
    });
    Ok((StatusCode::CREATED, page.await?))
}
