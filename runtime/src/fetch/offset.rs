//! Reads numbered pages: a page with the total, or a page and one more row.

use super::total::{COUNTED_FIRST_FROM, ListReader};
use super::{MAX_PER_PAGE, with_lookahead};
use crate::connection::{Connection, Lease};
use crate::driver::Driver;
use crate::error::Result;
use crate::paginator::{LengthAwarePaginator, Paginator};
use crate::pool::dispatch;
use crate::query::slice::Slice;
use crate::route::Source;
use crate::select::{OffsetSelect, TotalSource};

/// One page with the total.
pub(crate) async fn length_aware<T>(
    source: Source<'_>,
    list: OffsetSelect<T>,
    per_page: u64,
    page: u64,
) -> Result<LengthAwarePaginator<T>> {
    let slice = slice(page, per_page);
    let mut connection = source.connect_for(is_from_end(&list, slice)).await?;
    let (rows, total) = dispatch!(Connection, &mut connection, held => {
        let mut reader = ListReader { connection: held, list: &list };
        reader.check_columns().await?;
        reader.page(slice).await
    })?;
    Ok(LengthAwarePaginator::new(rows, total.rows(), per_page, page))
}

/// Whether a page is read from the end of its list, if that is nearer.
///
/// It then needs the snapshot of the count, because a row that is added or deleted in between would move it. A
/// transaction begins in less time than the rows before the page take.
fn is_from_end<T>(list: &OffsetSelect<T>, slice: Option<Slice>) -> bool {
    let is_far = slice.is_some_and(|slice| slice.offset >= COUNTED_FIRST_FROM);
    is_far && list.total == TotalSource::Counted && list.query.is_reversible()
}

/// One page without the total: the rows and one more, which tells whether there is a next page.
pub(crate) async fn simple<T>(
    source: Source<'_>,
    list: OffsetSelect<T>,
    per_page: u64,
    page: u64,
) -> Result<Paginator<T>> {
    let mut connection = source.connect().await?;
    dispatch!(Connection, &mut connection, held => simple_by(held, &list, per_page, page).await)
}

async fn simple_by<D: Driver, T>(
    connection: &mut Lease<'_, D>,
    list: &OffsetSelect<T>,
    per_page: u64,
    page: u64,
) -> Result<Paginator<T>> {
    let mut reader = ListReader { connection, list };
    reader.check_columns().await?;
    let slice = slice(page, per_page).map(|slice| Slice { limit: with_lookahead(per_page), ..slice });
    let data = reader.rows(slice).await?;
    Ok(Paginator::from_probe(data, page, per_page))
}

/// The rows of a page; `None` if no database counts that far.
fn slice(page: u64, per_page: u64) -> Option<Slice> {
    let before = u128::from(page.saturating_sub(1)).checked_mul(u128::from(per_page))?;
    let offset = i64::try_from(before).ok()?.try_into().ok()?;
    Some(Slice { offset, limit: per_page.min(MAX_PER_PAGE), backwards: false })
}
