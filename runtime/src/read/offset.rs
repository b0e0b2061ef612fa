//! Reads numbered pages: a page with the total, or a page and one more row.

use futures_util::future::BoxFuture;

use super::list::{OffsetSelect, TotalSource};
use super::subject::Subject;
use super::total::{COUNTED_FIRST_FROM, ListReader};
use super::{MAX_PER_PAGE, PageSize, with_lookahead};
use crate::driver::RowSink;
use crate::error::Result;
use crate::paginator::Total;
use crate::pool::dispatch;
use crate::source::AnyLease;
use crate::source::route::Source;
use crate::statement::slice::Slice;

/// Reads a page into `rows`, and returns the total.
pub(crate) fn length_aware<'a>(
    source: Source<'a>,
    list: OffsetSelect,
    size: PageSize,
    page: u64,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<Total>> {
    let subject = Subject::new(&source, list.query.table(), rows);
    Box::pin(subject.reading(async move {
        let slice = slice(page, size);
        let mut connection = source.connect_for(is_from_end(&list, slice)).await?;
        let total = dispatch!(AnyLease, &mut connection, held => {
            let mut reader = ListReader { connection: held, list: &list };
            reader.check_columns().await?;
            reader.page(slice, rows).await?
        });
        connection.end().await?;
        Ok(total)
    }))
}

/// Whether a page is read from the end of its list, if that is nearer.
///
/// It then needs the snapshot of the count, because a row that is added or deleted in between would move it. A
/// transaction begins in less time than the rows before the page take.
fn is_from_end(list: &OffsetSelect, slice: Option<Slice>) -> bool {
    let is_far = slice.is_some_and(|slice| slice.offset >= COUNTED_FIRST_FROM);
    is_far && list.total == TotalSource::Counted && list.query.is_reversible()
}

/// Reads the rows of a page into `rows` and one more, which tells whether there is a next page.
pub(crate) fn simple<'a>(
    source: Source<'a>,
    list: OffsetSelect,
    size: PageSize,
    page: u64,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<()>> {
    let subject = Subject::new(&source, list.query.table(), rows);
    Box::pin(subject.reading(async move {
        let slice = slice(page, size).map(|slice| Slice { limit: with_lookahead(size.get()), ..slice });
        let mut connection = source.connect().await?;
        dispatch!(AnyLease, &mut connection, held => {
            let mut reader = ListReader { connection: held, list: &list };
            reader.check_columns().await?;
            reader.rows(slice, rows).await?;
        });
        connection.end().await
    }))
}

/// The rows of a page; `None` if no database counts that far.
fn slice(page: u64, size: PageSize) -> Option<Slice> {
    let before = u128::from(page.saturating_sub(1)).checked_mul(u128::from(size.get()))?;
    let offset = i64::try_from(before).ok()?.try_into().ok()?;
    Some(Slice { offset, limit: size.get().min(MAX_PER_PAGE), backwards: false })
}

#[cfg(test)]
mod tests;
