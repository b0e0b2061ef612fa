//! The projects. There are few and they rarely change, so the service reads them once and pages through them in memory.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderName;
use axum::http::header::CACHE_CONTROL;
use folio::openapi::PageParams;
use folio::{ActiveRequest, LengthAwarePaginator};
use futures_util::TryStreamExt as _;

use crate::error::{Error, Result};
use crate::models::{Project, ProjectId};

/// The number of projects on a page.
const PER_PAGE: u64 = 8;

/// All projects, by name.
#[derive(Debug, Clone)]
pub(crate) struct Projects(Arc<[Project]>);

impl Projects {
    /// Reads the projects from the database.
    pub(crate) async fn load() -> folio::Result<Self> {
        let projects: Vec<Project> =
            Project::query().order_by(Project::NAME).cursor_stream(1_000).try_collect().await?;
        Ok(Self(projects.into()))
    }

    /// The project with this slug. An unknown project is a 404, and not an empty list.
    pub(crate) fn find(&self, slug: &str) -> Result<&Project> {
        self.0.iter().find(|project| project.slug == slug).ok_or(Error::NotFound("Project"))
    }

    /// The project with this id.
    pub(crate) fn get(&self, id: ProjectId) -> Result<&Project> {
        self.0.iter().find(|project| project.id == id).ok_or(Error::NotFound("Project"))
    }
}

/// The projects by name.
#[utoipa::path(
    get,
    path = "/projects",
    params(PageParams),
    responses((status = 200, description = "A page", body = LengthAwarePaginator<Project>))
)]
pub(crate) async fn list(
    State(projects): State<Projects>,
) -> ([(HeaderName, &'static str); 1], LengthAwarePaginator<Project>) {
    let number = ActiveRequest::current().map_or(1, |request| request.page("page"));
    let page = LengthAwarePaginator::from_slice(&projects.0, PER_PAGE, number).with_path("/projects");
    ([(CACHE_CONTROL, "public, max-age=60")], page)
}
