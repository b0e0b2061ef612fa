//! The OpenAPI description of the routes.

use axum::response::Response;
use folio::json_response;
use folio::openapi::{PageMarks, filter_parameters, per_page_parameter, sort_parameter};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, OpenApi};

use crate::{filters, plain, sorts};

/// The parameters of the filters.
pub(crate) struct FilterParams;

impl IntoParams for FilterParams {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        filter_parameters(&filters())
    }
}

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

/// The page size.
pub(crate) struct PageSize;

impl IntoParams for PageSize {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![per_page_parameter(plain::PER_PAGE)]
    }
}

/// Generated clients walk the pages.
const MARKS: PageMarks = PageMarks::new();

#[derive(OpenApi)]
#[openapi(
    info(title = "Packages", description = "The packages of a Linux distribution", version = "1"),
    paths(plain::numbered, plain::simple, plain::cursor),
    modifiers(&MARKS)
)]
struct Description;

/// The OpenAPI document.
pub(crate) async fn document() -> Response {
    json_response!(Description::openapi())
}
