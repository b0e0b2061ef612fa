//! The OpenAPI description of the routes.

use axum::response::Response;
use folio::json_response;
use folio::openapi::sort_parameter;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, OpenApi};

use crate::{plain, sorts};

/// The parameter `sort` of numbered lists.
pub(crate) struct NumberedSort;

impl IntoParams for NumberedSort {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![sort_parameter("sort", &sorts(plain::NUMBERED_BY))]
    }
}

/// The parameter `sort` of cursor lists.
pub(crate) struct CursorSort;

impl IntoParams for CursorSort {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![sort_parameter("sort", &sorts(plain::WALKED_BY))]
    }
}

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
