//! Lists from several tables: joins and aggregates, as sea-query selects with cursor pages.

use axum::extract::State;
use chrono::{DateTime, Utc};
use folio::openapi::{CursorParams, PerPageParams};
use folio::sea_query::{Expr, Func, Query, SelectStatement};
use folio::{CursorPaginator, ErrorBody, Select};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::extract::{Path, per_page};
use crate::models::{Comment, Issue, IssueId, IssueState, Project, ProjectId, User};
use crate::projects::Projects;

/// An issue with its project and its author.
#[derive(Debug, Serialize, sqlx::FromRow, ToSchema)]
pub(crate) struct AuthoredIssue {
    id: IssueId,
    title: String,
    state: IssueState,
    project: String,
    author: String,
    created_at: DateTime<Utc>,
}

/// An issue with the number of its comments.
#[derive(Debug, Serialize, sqlx::FromRow, ToSchema)]
pub(crate) struct DiscussedIssue {
    id: IssueId,
    title: String,
    comments: i64,
    created_at: DateTime<Utc>,
}

/// The newest issues of all projects, with their authors.
#[utoipa::path(
    get,
    path = "/issues",
    params(CursorParams, PerPageParams),
    responses(
        (status = 200, description = "A page", body = CursorPaginator<AuthoredIssue>),
        (status = 400, description = "The cursor, or a parameter, is invalid", body = ErrorBody),
    )
)]
pub(crate) async fn newest() -> Result<CursorPaginator<AuthoredIssue>> {
    let select = Query::select()
        .column(Issue::ID)
        .column(Issue::TITLE)
        .column(Issue::STATE)
        .expr_as(Project::NAME, "project")
        .expr_as(User::LOGIN, "author")
        .column(Issue::CREATED_AT)
        .from("issues")
        .inner_join("users", User::ID.eq(Issue::AUTHOR_ID))
        .inner_join("projects", Project::ID.eq(Issue::PROJECT_ID))
        .take();
    by_cursor(select.into()).await
}

/// The newest issues of a project, with the number of their comments.
#[utoipa::path(
    get,
    path = "/projects/{project}/discussions",
    params(("project" = String, Path, description = "The project's slug"), CursorParams, PerPageParams),
    responses(
        (status = 200, description = "A page", body = CursorPaginator<DiscussedIssue>),
        (status = 400, description = "The cursor, or a parameter, is invalid", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub(crate) async fn discussions(
    State(projects): State<Projects>,
    Path(project): Path<String>,
) -> Result<CursorPaginator<DiscussedIssue>> {
    let project = projects.find(&project)?;
    by_cursor(Select::from(discussed(project.id)).cursor_scope(&project.slug)).await
}

/// The issues of a project, with the number of their comments. A subquery for each row of a page is faster than a
/// `GROUP BY`, which counts the comments of all issues for each page.
fn discussed(project: ProjectId) -> SelectStatement {
    let comments = Query::select()
        .expr(Func::count(Comment::ID))
        .from("comments")
        .cond_where(Comment::ISSUE_ID.eq(Issue::ID))
        .take();
    Query::select()
        .column(Issue::ID)
        .column(Issue::TITLE)
        .expr_as(Expr::SubQuery(None, Box::new(comments.into())), "comments")
        .column(Issue::CREATED_AT)
        .from("issues")
        .cond_where(Issue::PROJECT_ID.eq(project))
        .take()
}

/// The page for the active request, newest issues first.
async fn by_cursor<T: Send>(select: Select<T>) -> Result<CursorPaginator<T>> {
    let newest = (Issue::CREATED_AT.desc(), Issue::ID.desc());
    Ok(select.order_by(newest).with_query_string().cursor_paginate(per_page()?).await?)
}
