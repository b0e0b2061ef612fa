//! The issues of a project: by page number, by cursor, around an issue or a moment, as an export, and a summary of all.

use std::error::Error;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use folio::load::{self, Many};
use folio::openapi::{CursorParams, PageParams, PerPageParams, filter_parameters, sort_parameter};
use folio::sea_query::Query as Sql;
use folio::{
    Around, Builder, CursorPaginator, ErrorBody, ExprTrait as _, Filters, LengthAwarePaginator, Sorts, json_response,
};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::path::{Parameter, ParameterIn};

use crate::error::Result;
use crate::extract::{Path, Query, per_page};
use crate::models::{Issue, IssueId, IssueLabel, IssueState, Priority, PriorityName, Project, ProjectId};
use crate::projects::Projects;

/// The number of issues that an export reads at once.
const READ_AT_ONCE: u64 = 1_000;

/// The longest that a transaction may take to insert an issue, so that an export does not miss it.
const LONGEST_WRITE: Duration = Duration::from_secs(5);

/// The number of issues on either side of the one that was asked for.
const NEIGHBOURS: u64 = 7;

/// The number of new issues up to which they are counted.
const NEW: u64 = 100;

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
    fn new((issue, labels): (Issue, Vec<IssueLabel>)) -> Self {
        let Issue { id, title, state, priority, created_at, .. } = issue;
        let labels = labels.into_iter().map(|label| label.label).collect();
        Self { id, title, state, priority, labels, created_at }
    }
}

/// The filters that a client may choose.
fn filters(project: ProjectId) -> Filters<Issue> {
    Filters::new()
        .allow("state", Issue::STATE.eq_any())
        .allow_with("priority", |name: PriorityName| Issue::PRIORITY.eq(Priority::from(name)))
        .allow("created", Issue::CREATED_AT.ranges())
        .allow_with("label", move |label: String| {
            let labelled = IssueLabel::PROJECT_ID.eq(project).and(IssueLabel::LABEL.eq(label));
            let issues = Sql::select().column(IssueLabel::ISSUE_ID).from("issue_labels").cond_where(labelled).take();
            Issue::ID.to_expr().in_subquery(issues)
        })
        .allow("q", Issue::TITLE.search())
}

/// The orders that a client may choose, such as `-priority,created`. Each name has an index; a combination sorts the rows
/// of the project.
fn sorts() -> Sorts {
    Sorts::new("created", Issue::CREATED_AT)
        .allow("priority", Issue::PRIORITY)
        .allow("title", Issue::TITLE)
        .default("-created")
}

/// The parameters of the filters in the OpenAPI document.
pub(crate) struct FilterParams;

impl utoipa::IntoParams for FilterParams {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        // The project has no effect on the parameters.
        filter_parameters(&filters(ProjectId(0)))
    }
}

/// The parameter `sort` in the OpenAPI document.
pub(crate) struct SortParam;

impl utoipa::IntoParams for SortParam {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![sort_parameter("sort", &sorts())]
    }
}

/// A project's issues that match the request's filters, in its order.
fn issues(project: &Project) -> folio::Result<Builder<Issue>> {
    let issues = Issue::of(project.id).filter(filters(project.id).from_request()?);
    Ok(issues.order_by(sorts().from_request("sort")?).with_query_string())
}

/// The labels of each issue of a page, with one statement.
fn labels(project: &Project) -> Many<Issue, IssueLabel, IssueId> {
    load::many(IssueLabel::of(project.id), IssueLabel::ISSUE_ID, |issue: &Issue| issue.id)
}

/// The issues of a project by page number, with their total.
#[utoipa::path(
    get,
    path = "/projects/{project}/issues",
    params(
        ("project" = String, Path, description = "The project's slug"),
        FilterParams,
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
) -> Result<LengthAwarePaginator<IssueView>> {
    let project = projects.find(&project)?;
    let page = issues(project)?.paginate(per_page()?).await?;
    Ok(page.load(labels(project)).await?.map(IssueView::new))
}

/// The issues of a project by cursor, with the same filters and orders. Its cursors only open in this project's lists.
#[utoipa::path(
    get,
    path = "/projects/{project}/feed",
    params(
        ("project" = String, Path, description = "The project's slug"),
        FilterParams,
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
) -> Result<CursorPaginator<IssueView>> {
    let project = projects.find(&project)?;
    let page = issues(project)?.with_positions().cursor_paginate(per_page()?).await?;
    Ok(page.load(labels(project)).await?.map(IssueView::new))
}

/// A position in a list.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Position {
    /// A `start_cursor` of the feed.
    cursor: String,
}

/// How many issues are newer than a position.
#[derive(Debug, Serialize, ToSchema)]
struct New {
    /// At most 100.
    issues: u64,
    /// Whether there are more.
    has_more: bool,
}

/// How many issues have been added to a feed since it was read. Clients poll for it.
#[utoipa::path(
    get,
    path = "/projects/{project}/new",
    params(("project" = String, Path, description = "The project's slug"), FilterParams, SortParam, Position),
    responses(
        (status = 200, description = "The number of new issues", body = New),
        (status = 400, description = "The cursor, or a parameter, is invalid", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub(crate) async fn new(
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Query(Position { cursor }): Query<Position>,
) -> Result<Response> {
    let new = issues(projects.find(&project)?)?.newer_than(&cursor).count_at_most(NEW).await?;
    Ok(json_response!(New { issues: new.rows(), has_more: !new.is_exact() }))
}

/// A link to an issue: the issue with those before and after it, in any order of the list.
#[utoipa::path(
    get,
    path = "/projects/{project}/issues/{issue}",
    params(
        ("project" = String, Path, description = "The project's slug"),
        ("issue" = IssueId, Path, description = "The issue's id"),
        FilterParams,
        SortParam,
        CursorParams,
    ),
    responses(
        (status = 200, description = "The issue is at `index`", body = Around<IssueView>),
        (status = 400, description = "The cursor, or a parameter, is invalid", body = ErrorBody),
        (status = 404, description = "Project not found, or the list does not have the issue", body = ErrorBody),
    )
)]
pub(crate) async fn around(
    State(projects): State<Projects>,
    Path((project, issue)): Path<(String, IssueId)>,
) -> Result<Around<IssueView>> {
    let project = projects.find(&project)?;
    let Around { page, index } = issues(project)?.around_id(issue, NEIGHBOURS, NEIGHBOURS).await?;
    Ok(Around { page: page.load(labels(project)).await?.map(IssueView::new), index })
}

/// A moment.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Moment {
    /// Such as `2025-06-01T00:00:00Z`.
    at: DateTime<Utc>,
}

/// The issues that were created around a moment, oldest first.
#[utoipa::path(
    get,
    path = "/projects/{project}/timeline",
    params(("project" = String, Path, description = "The project's slug"), Moment, CursorParams),
    responses(
        (status = 200, description = "The first issue from that moment on is at `index`", body = Around<IssueView>),
        (status = 400, description = "The cursor, or a parameter, is invalid", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub(crate) async fn timeline(
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Query(Moment { at }): Query<Moment>,
) -> Result<Around<IssueView>> {
    let project = projects.find(&project)?;
    let oldest_first = Issue::of(project.id).order_by(Issue::CREATED_AT).with_query_string();
    let Around { page, index } = oldest_first.around_at(at, NEIGHBOURS, NEIGHBOURS).await?;
    Ok(Around { page: page.load(labels(project)).await?.map(IssueView::new), index })
}

/// What there is to say about the issues that match the filters.
#[derive(Debug, Serialize, ToSchema)]
struct Summary {
    issues: u64,
    /// How many issues each state would have.
    states: Vec<Facet<IssueState>>,
    /// How many issues each priority would have.
    priorities: Vec<Facet<Priority>>,
    has_urgent: bool,
    /// The first issue in the order of the list.
    first: Option<Issue>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Facet<T> {
    value: T,
    issues: u64,
}

fn facets<T>(counts: Vec<(T, u64)>) -> Vec<Facet<T>> {
    counts.into_iter().map(|(value, issues)| Facet { value, issues }).collect()
}

/// The number of issues that match the filters, and those of each state and priority that a client could choose instead.
#[utoipa::path(
    get,
    path = "/projects/{project}/summary",
    params(("project" = String, Path, description = "The project's slug"), FilterParams, SortParam),
    responses(
        (status = 200, description = "The summary", body = Summary),
        (status = 400, description = "A parameter is invalid", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub(crate) async fn summary(State(projects): State<Projects>, Path(project): Path<String>) -> Result<Response> {
    let project = projects.find(&project)?;
    let requested = filters(project.id).from_request()?;
    let without = |name| Issue::of(project.id).filter(requested.without(name));
    let matching = issues(project)?;
    let urgent = matching.clone().filter(Issue::PRIORITY.eq(Priority::Urgent));
    let (issues, states, priorities, has_urgent, first) = tokio::try_join!(
        matching.clone().count(),
        without("state").count_by(Issue::STATE, 2),
        without("priority").count_by(Issue::PRIORITY, 4),
        urgent.exists(),
        matching.first(),
    )?;
    let (states, priorities) = (facets(states), facets(priorities));
    Ok(json_response!(Summary { issues, states, priorities, has_urgent, first }))
}

/// Where an export begins.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Resume {
    /// The last `end_cursor` of an earlier export. The new one has the issues after it.
    cursor: Option<String>,
}

/// The issues of a project that match the filters, oldest first, one JSON object a line. Each thousand is followed by a
/// line with an `end_cursor`, where a later export resumes. The service holds a thousand issues at a time.
#[utoipa::path(
    get,
    path = "/projects/{project}/export",
    params(("project" = String, Path, description = "The project's slug"), FilterParams, Resume),
    responses(
        (status = 200, description = "One issue a line", body = Issue, content_type = "application/x-ndjson"),
        (status = 400, description = "The cursor, or a parameter, is invalid", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub(crate) async fn export(
    State(projects): State<Projects>,
    Path(project): Path<String>,
    Query(Resume { cursor }): Query<Resume>,
) -> Result<Response> {
    let project = projects.find(&project)?;
    let issues = Issue::of(project.id).filter(filters(project.id).from_request()?).order_by(Issue::CREATED_AT);
    let settled = issues.settled(Issue::CREATED_AT, LONGEST_WRITE);
    let mut pages = Box::pin(settled.cursor(cursor.as_deref()).cursor_chunks(READ_AT_ONCE));
    // If the first page cannot be read, the response still has the error's status.
    let first = pages.try_next().await?;
    // By then, the response has begun, so nothing else logs a later error.
    let pages = pages.inspect_err(|error| tracing::error!(error = error as &dyn Error, "an export has failed"));
    let lines = stream::iter(first.map(Ok)).chain(pages).map(|page| lines(&page?));
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(lines)).into_response())
}

/// The lines of a page. A later error ends the connection, so that the client notices that the export is incomplete.
fn lines(page: &CursorPaginator<Issue>) -> std::result::Result<String, axum::BoxError> {
    let mut lines = String::new();
    for issue in &page.data {
        lines += &serde_json::to_string(issue)?;
        lines.push('\n');
    }
    if let Some(position) = &page.end_cursor {
        lines += &format!("{}\n", serde_json::json!({ "end_cursor": position }));
    }
    Ok(lines)
}
