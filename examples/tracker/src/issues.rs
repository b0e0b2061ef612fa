//! The issues of a project: by page number, by cursor, and as an export.

use std::collections::HashMap;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use folio::openapi::{CursorParams, PageParams, PerPageParams};
use folio::{CursorPaginator, ErrorBody, LengthAwarePaginator};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::extract::{Path, Query};
use crate::filters::{Filters, SortParam, per_page, sort};
use crate::models::{Issue, IssueId, IssueLabel, IssueState, Priority};
use crate::projects::Projects;

/// The number of rows that a stream reads at once. One statement reads the labels of a page, of which there are rarely
/// more.
const READ_AT_ONCE: u64 = 1_000;

/// An issue as clients see it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct IssueView {
    id: IssueId,
    title: String,
    state: IssueState,
    priority: Priority,
    labels: Vec<String>,
    created_at: DateTime<Utc>,
}

impl IssueView {
    fn new(issue: Issue, labels: &mut Labels) -> Self {
        let Issue { id, title, state, priority, created_at, .. } = issue;
        Self { id, title, state, priority, labels: labels.remove(&id).unwrap_or_default(), created_at }
    }
}

type Labels = HashMap<IssueId, Vec<String>>;

/// The labels of all issues of a page, with one statement.
async fn labels(issues: &[Issue]) -> Result<Labels> {
    let ids = issues.iter().map(|issue| issue.id);
    let query = IssueLabel::query().filter(IssueLabel::ISSUE_ID.any_of(ids));
    let rows: Vec<IssueLabel> = query.cursor_stream(READ_AT_ONCE).try_collect().await?;
    let mut labels = Labels::new();
    for IssueLabel { issue_id, label, .. } in rows {
        labels.entry(issue_id).or_default().push(label);
    }
    Ok(labels)
}

/// The issues of a project by page number, with their total.
#[utoipa::path(
    get,
    path = "/projects/{project}/issues",
    params(
        ("project" = String, Path, description = "The project's slug"),
        Filters,
        SortParam,
        PageParams,
        PerPageParams,
    ),
    responses(
        (status = 200, description = "A page", body = LengthAwarePaginator<IssueView>),
        (status = 400, description = "A parameter is invalid", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub(crate) async fn numbered(
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Query(filters): Query<Filters>,
) -> Result<LengthAwarePaginator<IssueView>> {
    let project = projects.find(&project)?;
    let page = filters.issues(project.id).order_by(sort()?).paginate(per_page()?).await?;
    let mut labels = labels(&page.data).await?;
    Ok(page.map(|issue| IssueView::new(issue, &mut labels)))
}

/// The issues of a project by cursor, with the same filters and orders. Its cursors only open in this project's feed.
#[utoipa::path(
    get,
    path = "/projects/{project}/feed",
    params(
        ("project" = String, Path, description = "The project's slug"),
        Filters,
        SortParam,
        CursorParams,
        PerPageParams,
    ),
    responses(
        (status = 200, description = "A page", body = CursorPaginator<IssueView>),
        (status = 400, description = "The cursor, or a parameter, is invalid", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub(crate) async fn feed(
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Query(filters): Query<Filters>,
) -> Result<CursorPaginator<IssueView>> {
    let project = projects.find(&project)?;
    let issues = filters.issues(project.id).order_by(sort()?).cursor_scope(&project.slug);
    let page = issues.cursor_paginate(per_page()?).await?;
    let mut labels = labels(&page.data).await?;
    Ok(page.map(|issue| IssueView::new(issue, &mut labels)))
}

/// All issues of a project that match the filters, one JSON object a line. The service holds 1,000 of them at a time.
#[utoipa::path(
    get,
    path = "/projects/{project}/export",
    params(("project" = String, Path, description = "The project's slug"), Filters, SortParam),
    responses(
        (status = 200, description = "One issue a line", body = Issue, content_type = "application/x-ndjson"),
        (status = 400, description = "A parameter is invalid", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub(crate) async fn export(
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Query(filters): Query<Filters>,
) -> Result<Response> {
    let project = projects.find(&project)?;
    let mut issues = Box::pin(filters.issues(project.id).order_by(sort()?).cursor_stream(READ_AT_ONCE));
    // If the first issue cannot be read, the response still has the error's status.
    let first = issues.try_next().await?;
    let lines = stream::iter(first.map(Ok)).chain(issues).map(|issue| line(&issue?));
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(lines)).into_response())
}

/// An issue as a line of JSON. A later error ends the connection, so that the client notices that the export is incomplete.
fn line(issue: &Issue) -> std::result::Result<String, axum::BoxError> {
    Ok(serde_json::to_string(issue)? + "\n")
}
