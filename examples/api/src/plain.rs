//! Pages in the JSON that front-end components for Laravel read.

use folio::axum::WithLinkHeader;
use folio::openapi::{CursorParams, PageParams};
use folio::{CursorPaginator, LengthAwarePaginator, Paginator, PerPage, Result};

use crate::openapi::{CursorSort, FilterParams, NumberedSort, PageSize};
use crate::{Package, packages, sorts};

/// The default page size, and the largest one that a client may request.
pub(crate) const PER_PAGE: PerPage = PerPage::new(15, 100);

/// The default order of numbered lists.
pub(crate) const NUMBERED_BY: &str = "id";

/// The default order of cursor lists.
pub(crate) const WALKED_BY: &str = "dependencies";

/// Packages by page number, with the total.
#[utoipa::path(
    get,
    path = "/packages",
    params(FilterParams, NumberedSort, PageParams, PageSize),
    responses(
        (status = 200, description = "A page", body = LengthAwarePaginator<Package>),
        (status = 400, description = "A parameter is outside its range, or the sort is unknown", body = folio::ErrorBody),
    )
)]
pub(crate) async fn numbered() -> Result<LengthAwarePaginator<Package>> {
    let sort = sorts(NUMBERED_BY).from_request("sort")?;
    packages()?.order_by(sort).paginate(PER_PAGE.requested()?).await
}

/// Packages by page number, without the total. The neighbouring pages are also in the `Link` header.
#[utoipa::path(
    get,
    path = "/packages/simple",
    params(FilterParams, NumberedSort, PageParams, PageSize),
    responses(
        (status = 200, description = "A page", body = Paginator<Package>, headers(("link" = String))),
        (status = 400, description = "A parameter is outside its range, or the sort is unknown", body = folio::ErrorBody),
    )
)]
pub(crate) async fn simple() -> Result<WithLinkHeader<Paginator<Package>>> {
    let sort = sorts(NUMBERED_BY).from_request("sort")?;
    let page = packages()?.order_by(sort).simple_paginate(PER_PAGE.requested()?).await?;
    Ok(page.with_link_header())
}

/// Packages by cursor, by default those with the most dependencies first.
#[utoipa::path(
    get,
    path = "/packages/cursor",
    params(FilterParams, CursorSort, CursorParams, PageSize),
    responses(
        (status = 200, description = "A page", body = CursorPaginator<Package>),
        (status = 400, description = "The cursor, or a parameter, is invalid", body = folio::ErrorBody),
    )
)]
pub(crate) async fn cursor() -> Result<CursorPaginator<Package>> {
    let sort = sorts(WALKED_BY).from_request("sort")?;
    packages()?.order_by(sort).cursor_paginate(PER_PAGE.requested()?).await
}
