//! What handlers take from a request: axum's extractors, with the service's error if they reject it, and the page size.

use axum::extract::FromRequestParts;
use folio::PerPage;

use crate::error::Error;

/// The parameters of the query string.
#[derive(Debug, FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Error))]
pub(crate) struct Query<T>(pub(crate) T);

/// The parameters of the path.
#[derive(Debug, FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Error))]
pub(crate) struct Path<T>(pub(crate) T);

/// The number of rows on a page: `per_page`, at most 100, and 15 by default.
pub(crate) fn per_page() -> folio::Result<u64> {
    PerPage::from_request(15, 100)
}
