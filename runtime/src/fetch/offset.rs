//! Reads numbered pages: a count and a page, or a page and one more row.

use super::{MAX_PER_PAGE, with_lookahead};
use crate::connection::{Connection, Lease};
use crate::driver::{Driver, Reader};
use crate::error::Result;
use crate::paginator::{LengthAwarePaginator, Paginator};
use crate::pool::dispatch;
use crate::query::offset::OffsetQuery;
use crate::query::slice::Slice;
use crate::query::template::BoundSql;
use crate::route::Source;
use crate::select::{OffsetSelect, Total};

/// The offset from which a page may be read from the end of its list, if that is nearer. Count and page then need one
/// snapshot, because a row that is added or deleted in between would move the page. Beginning a transaction takes at
/// most as long as skipping this many rows.
const READ_BACKWARDS_FROM: u64 = 10_000;

/// One page with the total: a count, and the rows unless there are none.
pub(crate) async fn length_aware<T>(
    source: Source<'_>,
    list: OffsetSelect<T>,
    per_page: u64,
    page: u64,
) -> Result<LengthAwarePaginator<T>> {
    let is_far = offset(page, per_page).is_some_and(|offset| offset >= READ_BACKWARDS_FROM);
    let reversible = list.total == Total::Counted && list.query.is_reversible();
    let mut connection =
        if is_far && reversible { source.connect_to_snapshot().await? } else { source.connect().await? };
    dispatch!(Connection, &mut connection, held => length_aware_by(held, &list, per_page, page).await)
}

async fn length_aware_by<D: Driver, T>(
    connection: &mut Lease<'_, D>,
    OffsetSelect { reader, query, total: how }: &OffsetSelect<T>,
    per_page: u64,
    page: u64,
) -> Result<LengthAwarePaginator<T>> {
    let mut total = total_of(connection, query, *how).await?;
    // An estimate does not show whether the page exists.
    let is_there = |offset: &u64| *offset < total || *how == Total::Estimated;
    let data = match offset(page, per_page).filter(is_there) {
        Some(offset) => {
            let forwards = Slice { offset, limit: per_page.min(MAX_PER_PAGE), backwards: false };
            let slice = if connection.is_snapshot() { from_nearer_end(forwards, total) } else { forwards };
            let mut rows = all(connection, reader, query.page(slice)).await?;
            if slice.backwards {
                rows.reverse();
            }
            if *how == Total::Estimated {
                total = adjust_estimate(total, offset, per_page, rows.len());
            }
            rows
        }
        None => Vec::new(),
    };
    Ok(LengthAwarePaginator::new(data, total, per_page, page))
}

async fn total_of<D: Driver>(connection: &mut Lease<'_, D>, query: &OffsetQuery, how: Total) -> Result<u64> {
    let estimate = match how {
        Total::Counted => None,
        Total::Known(total) => return Ok(total),
        Total::Estimated => connection.estimate(query.all()).await?,
    };
    match estimate {
        Some(estimate) => Ok(estimate),
        None => count(connection, query.count()).await,
    }
}

/// The same rows, read from the nearer end of a list of `total` rows.
fn from_nearer_end(slice: Slice, total: u64) -> Slice {
    let behind = total.saturating_sub(slice.offset);
    let limit = slice.limit.min(behind);
    let offset = behind.saturating_sub(limit);
    if offset < slice.offset { Slice { offset, limit, backwards: true } } else { slice }
}

/// An estimated total, corrected by what the page shows: a page that is not full is the last one, and a page without
/// rows is past the end.
fn adjust_estimate(estimate: u64, offset: u64, per_page: u64, rows: usize) -> u64 {
    let rows = u64::try_from(rows).unwrap_or(u64::MAX);
    let seen = offset.saturating_add(rows);
    match rows {
        0 => estimate.min(offset),
        rows if rows < per_page => seen,
        _ => estimate.max(seen),
    }
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
    let data = match offset(page, per_page) {
        Some(offset) => {
            let slice = Slice { offset, limit: with_lookahead(per_page), backwards: false };
            all(connection, &list.reader, list.query.page(slice)).await?
        }
        None => Vec::new(),
    };
    Ok(Paginator::from_probe(data, page, per_page))
}

async fn count<D: Driver>(connection: &mut Lease<'_, D>, select: BoundSql) -> Result<u64> {
    let row = connection.fetch_first(select).await?.ok_or(sqlx::Error::RowNotFound)?;
    let count = D::count(&row)?;
    u64::try_from(count).map_err(|error| sqlx::Error::Decode(error.into()).into())
}

/// The rows of a select.
async fn all<D: Driver, T>(connection: &mut Lease<'_, D>, reader: &Reader<T>, select: BoundSql) -> Result<Vec<T>> {
    let mut data = Vec::new();
    let read = |row| {
        data.push(D::read(reader, &row)?);
        Ok(())
    };
    connection.fetch(select, read).await?;
    Ok(data)
}

/// The number of rows before a page; `None` if no database counts that far.
fn offset(page: u64, per_page: u64) -> Option<u64> {
    let before = u128::from(page.saturating_sub(1)).checked_mul(u128::from(per_page))?;
    i64::try_from(before).ok()?.try_into().ok()
}
