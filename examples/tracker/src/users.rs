//! The users.

use folio::axum::WithLinkHeader;
use folio::openapi::{PageParams, PerPageParams};
use folio::{ErrorBody, Paginator};

use crate::error::Result;
use crate::extract::per_page;
use crate::models::User;

/// The users by login, without their number. The links to the neighbouring pages are also in the `Link` header.
#[utoipa::path(
    get,
    path = "/users",
    params(PageParams, PerPageParams),
    responses(
        (status = 200, description = "A page", body = Paginator<User>, headers(("link" = String))),
        (status = 400, description = "A parameter is invalid", body = ErrorBody),
    )
)]
pub(crate) async fn list() -> Result<WithLinkHeader<Paginator<User>>> {
    let page = User::query().order_by(User::LOGIN).with_query_string().simple_paginate(per_page()?).await?;
    Ok(page.with_link_header())
}
