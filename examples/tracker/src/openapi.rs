//! The OpenAPI description of the routes.

use axum::response::Response;
use folio::json_response;
use utoipa::OpenApi;

use crate::{close, comments, issues, overviews, projects, users};

#[derive(OpenApi)]
#[openapi(
    info(title = "Tracker", description = "Projects, their issues, and comments on them", version = "1"),
    paths(
        projects::list,
        issues::numbered,
        issues::feed,
        issues::new,
        issues::around,
        issues::timeline,
        issues::summary,
        issues::export,
        overviews::newest,
        overviews::discussions,
        comments::list,
        comments::around,
        comments::unread,
        comments::threads,
        close::close,
        users::list,
    )
)]
struct Description;

/// The OpenAPI document.
pub(crate) async fn document() -> Response {
    json_response!(Description::openapi())
}
