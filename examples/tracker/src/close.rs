//! Closing an issue: a write in the service's own transaction, and a page that is read in it.

use axum::extract::State;
use chrono::Utc;
use folio::{Builder, ErrorBody, LengthAwarePaginator};

use crate::database::Database;
use crate::error::{Error, Result};
use crate::extract::Path;
use crate::models::{Issue, IssueId, IssueState, ProjectId};
use crate::projects::Projects;

/// The size of the page that a response shows.
const PER_PAGE: u64 = 15;

/// Closes an issue, and returns the project that it belongs to. An issue that is closed already keeps its time.
const CLOSE: &str = "
    UPDATE issues SET state = 'closed', closed_at = COALESCE(closed_at, $2) WHERE id = $1 RETURNING project_id
";

/// Closes an issue. The response is the first page of the project's open issues, without the closed one.
#[utoipa::path(
    post,
    path = "/issues/{issue}/close",
    params(("issue" = IssueId, Path, description = "The issue's id")),
    responses(
        (status = 200, description = "The first page of the open issues", body = LengthAwarePaginator<Issue>),
        (status = 404, description = "Issue not found", body = ErrorBody),
    )
)]
pub(crate) async fn close(
    State(database): State<Database>,
    State(projects): State<Projects>,
    Path(issue): Path<IssueId>,
) -> Result<LengthAwarePaginator<Issue>> {
    let (project, page) = match &database {
        Database::Postgres(pool) => {
            let mut tx = pool.begin().await?;
            let closed = sqlx::query_scalar(CLOSE).bind(issue).bind(Utc::now()).fetch_optional(&mut *tx).await?;
            let project: ProjectId = closed.ok_or(Error::NotFound("Issue"))?;
            let page = open_issues(project).using(&mut *tx).paginate(PER_PAGE).await?;
            tx.commit().await?;
            (project, page)
        }
        Database::Sqlite(pool) => {
            let mut tx = pool.begin().await?;
            let closed = sqlx::query_scalar(CLOSE).bind(issue).bind(Utc::now()).fetch_optional(&mut *tx).await?;
            let project: ProjectId = closed.ok_or(Error::NotFound("Issue"))?;
            let page = open_issues(project).using(&mut *tx).paginate(PER_PAGE).await?;
            tx.commit().await?;
            (project, page)
        }
    };
    let slug = &projects.get(project)?.slug;
    // The links lead to the list.
    Ok(page.with_path(format!("/projects/{slug}/issues?state=open")))
}

/// The first page of a project's open issues, newest first.
fn open_issues(project: ProjectId) -> Builder<Issue> {
    Issue::query()
        .filter(Issue::PROJECT_ID.eq(project))
        .filter(Issue::STATE.eq(IssueState::Open))
        .order_by(Issue::CREATED_AT.desc())
        .page(1)
}
