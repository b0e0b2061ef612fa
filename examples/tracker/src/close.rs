//! Closing an issue: a write in a transaction, and a page that is read in it.

use axum::extract::State;
use folio::{DB, ErrorBody, LengthAwarePaginator};

use crate::database::Database;
use crate::error::{Error, Result};
use crate::extract::Path;
use crate::models::{Issue, IssueId, IssueState};
use crate::projects::Projects;

/// The size of the page that a response shows.
const PER_PAGE: u64 = 15;

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
    let (project, page) = DB::transaction(async || {
        let project = database.close(issue).await?.ok_or(Error::NotFound("Issue"))?;
        let open = Issue::of(project).filter(Issue::STATE.eq(IssueState::Open)).order_by(Issue::CREATED_AT.desc());
        Ok::<_, Error>((project, open.page(1).paginate(PER_PAGE).await?))
    })
    .await?;
    let slug = &projects.get(project)?.slug;
    // The links lead to the list.
    Ok(page.with_path(format!("/projects/{slug}/issues?state=open")))
}
