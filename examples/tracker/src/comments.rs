//! The comments of an issue.

use axum::extract::State;
use folio::openapi::{CursorParams, PerPageParams};
use folio::{CursorPaginator, ErrorBody};

use crate::database::Database;
use crate::error::{Error, Result};
use crate::extract::Path;
use crate::filters::per_page;
use crate::models::{Comment, IssueId};

/// The comments of an issue, oldest first.
#[utoipa::path(
    get,
    path = "/issues/{issue}/comments",
    params(("issue" = IssueId, Path, description = "The issue's id"), CursorParams, PerPageParams),
    responses(
        (status = 200, description = "A page", body = CursorPaginator<Comment>),
        (status = 400, description = "The cursor, or a parameter, is invalid", body = ErrorBody),
        (status = 404, description = "Issue not found", body = ErrorBody),
    )
)]
pub(crate) async fn list(
    State(database): State<Database>,
    Path(issue): Path<IssueId>,
) -> Result<CursorPaginator<Comment>> {
    let comments = Comment::query().filter(Comment::ISSUE_ID.eq(issue)).cursor_scope(&format!("issue:{}", issue.0));
    let page = comments.with_query_string().cursor_paginate(per_page()?).await?;
    // The issue can only be unknown if the page is empty.
    if page.is_empty() && database.issue(issue).await?.is_none() {
        return Err(Error::NotFound("Issue"));
    }
    Ok(page)
}
