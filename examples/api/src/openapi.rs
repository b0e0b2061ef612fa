//! The OpenAPI description of the routes.

use axum::response::Response;
use folio::json_response;
use utoipa::OpenApi;

use crate::plain;

#[derive(OpenApi)]
#[openapi(
    info(title = "Packages", description = "The packages of a Linux distribution", version = "1"),
    paths(plain::numbered, plain::simple, plain::cursor)
)]
struct Description;

/// The OpenAPI document.
pub(crate) async fn document() -> Response {
    json_response!(Description::openapi())
}
