//! Pages as JSON:API documents, with the query keys that JSON:API recommends. They include nothing, so `?include=` is a
//! 400.

use folio::json_api::{CursorDocument, CursorWindow, Includes, JsonApi, JsonApiError, Resource};
use folio::{CursorPaginator, LengthAwarePaginator};

use crate::plain::{NUMBERED_BY, PER_PAGE, WALKED_BY};
use crate::{Package, packages, sorts};

/// Packages by page number: `?sort=-name&page[number]=2&page[size]=30`.
pub(crate) async fn numbered() -> Result<JsonApi<Package, LengthAwarePaginator<Package>>, JsonApiError> {
    Includes::new().from_request()?;
    let sort = sorts(NUMBERED_BY).from_request("sort")?;
    let page = packages()?.order_by(sort).with_page_name("page[number]").paginate(per_page()?).await?;
    Ok(Resource::paginated(page))
}

/// Packages by cursor: `?page[cursor]=…`.
pub(crate) async fn cursor() -> Result<JsonApi<Package, CursorPaginator<Package>>, JsonApiError> {
    Includes::new().from_request()?;
    let sort = sorts(WALKED_BY).from_request("sort")?;
    let page = packages()?.order_by(sort).with_cursor_name("page[cursor]").cursor_paginate(per_page()?).await?;
    Ok(Resource::paginated(page))
}

/// Packages by the cursor pagination profile, with the total: `?page[size]=30&page[after]=…`, `page[before]`, or both.
pub(crate) async fn window() -> Result<CursorDocument<Package>, JsonApiError> {
    Includes::new().from_request()?;
    let sort = sorts(WALKED_BY).from_request("sort")?;
    let window = CursorWindow::from_request(PER_PAGE.default, PER_PAGE.max)?;
    Ok(Resource::cursor_paginated(packages()?.order_by(sort).counted().cursor_window(window).await?))
}

/// The page size that a client may choose.
pub(crate) fn per_page() -> folio::Result<u64> {
    PER_PAGE.with_key("page[size]").requested()
}
