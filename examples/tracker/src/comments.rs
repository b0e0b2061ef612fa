//! The comments of an issue, and the latest of each issue.

use axum::extract::State;
use axum::response::Response;
use folio::openapi::{CursorParams, PerPageParams, sort_parameter};
use folio::{Around, Builder, CursorPaginator, ErrorBody, Sorts, json_response, load};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::path::{Parameter, ParameterIn};

use crate::error::{Error, Result};
use crate::extract::{Path, Query, per_page};
use crate::models::{Comment, CommentId, Issue, IssueId};
use crate::projects::Projects;

/// The number of comments on either side of the one that was asked for.
const NEIGHBOURS: u64 = 10;

/// The number of unread comments up to which they are counted, for a marker "99+".
const MANY: u64 = 100;

/// The orders that a client may choose: the oldest comments first, or the newest.
fn sorts() -> Sorts {
    Sorts::new("created", Comment::CREATED_AT)
}

/// The parameter `sort` in the OpenAPI document.
pub(crate) struct SortParam;

impl utoipa::IntoParams for SortParam {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![sort_parameter("sort", &sorts())]
    }
}

/// The comments of an issue. Their cursors do not open in the list of another issue.
fn comments(issue: IssueId) -> Builder<Comment> {
    Comment::query().filter(Comment::ISSUE_ID.eq(issue)).bind_filters().with_query_string()
}

/// The comments of an issue, oldest first.
#[utoipa::path(
    get,
    path = "/issues/{issue}/comments",
    params(("issue" = IssueId, Path, description = "The issue's id"), SortParam, CursorParams, PerPageParams),
    responses(
        (status = 200, description = "A page", body = CursorPaginator<Comment>),
        (status = 400, description = "The cursor, or a parameter, is invalid", body = ErrorBody),
        (status = 404, description = "Issue not found", body = ErrorBody),
    )
)]
pub(crate) async fn list(Path(issue): Path<IssueId>) -> Result<CursorPaginator<Comment>> {
    let page = comments(issue).order_by(sorts().from_request("sort")?).cursor_paginate(per_page()?).await?;
    // The issue can only be unknown if the page is empty.
    if page.is_empty() && !Issue::unfiltered().filter(Issue::ID.eq(issue)).exists().await? {
        return Err(Error::NotFound("Issue"));
    }
    Ok(page)
}

/// A link to a comment: the comment with those before and after it.
#[utoipa::path(
    get,
    path = "/issues/{issue}/comments/{comment}",
    params(
        ("issue" = IssueId, Path, description = "The issue's id"),
        ("comment" = CommentId, Path, description = "The comment's id"),
        CursorParams,
    ),
    responses(
        (status = 200, description = "The comment is at `index`", body = Around<Comment>),
        (status = 400, description = "The cursor is invalid", body = ErrorBody),
        (status = 404, description = "The issue does not have the comment", body = ErrorBody),
    )
)]
pub(crate) async fn around(Path((issue, comment)): Path<(IssueId, CommentId)>) -> Result<Around<Comment>> {
    Ok(comments(issue).around_id(comment, NEIGHBOURS, NEIGHBOURS).await?)
}

/// How far a client has read.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Seen {
    /// The id of the last comment that it has shown.
    seen: CommentId,
}

/// How many comments a client has not read.
#[derive(Debug, Serialize, ToSchema)]
struct Unread {
    /// At most 100.
    comments: u64,
}

/// The number of an issue's comments after the last one that the client has shown.
#[utoipa::path(
    get,
    path = "/issues/{issue}/unread",
    params(("issue" = IssueId, Path, description = "The issue's id"), Seen),
    responses(
        (status = 200, description = "The number of unread comments", body = Unread),
        (status = 400, description = "A parameter is invalid", body = ErrorBody),
        (status = 404, description = "The issue does not have the comment", body = ErrorBody),
    )
)]
pub(crate) async fn unread(Path(issue): Path<IssueId>, Query(Seen { seen }): Query<Seen>) -> Result<Response> {
    let seen = comments(issue).find(seen).await?.ok_or(Error::NotFound("Comment"))?;
    let comments = comments(issue).count_up_to(MANY).count_after(&seen.cursor_key()).await?;
    Ok(json_response!(Unread { comments }))
}

/// An issue with its latest comments.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Thread {
    issue: Issue,
    /// The newest first. Its links lead to the issue's older comments.
    comments: CursorPaginator<Comment>,
}

/// The issues of a project, newest first, each with a page of its latest comments: two statements for the whole page.
#[utoipa::path(
    get,
    path = "/projects/{project}/threads",
    params(("project" = String, Path, description = "The project's slug"), CursorParams, PerPageParams),
    responses(
        (status = 200, description = "A page", body = CursorPaginator<Thread>),
        (status = 400, description = "The cursor, or a parameter, is invalid", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub(crate) async fn threads(
    State(projects): State<Projects>,
    Path(project): Path<String>,
) -> Result<CursorPaginator<Thread>> {
    let project = projects.find(&project)?;
    let newest = Comment::query().order_by(Comment::CREATED_AT.desc()).bind_filters();
    let comments = load::many(newest, Comment::ISSUE_ID, |issue: &Issue| issue.id)
        .pages(3)
        .with_path(|issue| format!("/issues/{}/comments?sort=-created", issue.id.0));
    let page = Issue::of(project.id).with_query_string().cursor_paginate(per_page()?).await?;
    Ok(page.load(comments).await?.map(|(issue, comments)| Thread { issue, comments }))
}
