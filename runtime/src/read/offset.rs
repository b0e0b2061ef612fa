//! Reads numbered pages: a page with the total, or a page and one more row.

use folio_plan::statement::slice::Slice;
use futures_util::future::BoxFuture;

use super::PageSize;
use super::list::{OffsetSelect, TotalSource};
use super::remembered::RememberedTotal;
use super::total::{COUNTED_FIRST_FROM, ListReader};
use crate::driver::RowSink;
use crate::error::Result;
use crate::paginator::Total;
use crate::pool::dispatch;
use crate::request::context::Context;
use crate::source::AnyLease;
use crate::source::route::Target;
use crate::watch;

/// Reads a page into `rows`, and returns the total.
pub(crate) fn length_aware<'a>(
    context: &'a Context,
    target: Target<'a>,
    list: OffsetSelect,
    size: PageSize,
    page: u64,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<Total>> {
    Box::pin(async move {
        let watched = watch::Page::new("length_aware", target.dialect, list.query.rows(), rows.row_type());
        let memory = RememberedTotal::of(context, &target, &list);
        let reading = async {
            let slice = size.slice(page);
            let remembered = memory.as_ref().and_then(RememberedTotal::get);
            // At the remembered end, only a count tells whether the page exists.
            let remembered = remembered.zip(slice).filter(|(total, slice)| slice.offset < total.rows());
            let is_from_end = remembered.is_none() && is_from_end(&list, slice);
            let mut connection = target.lease(is_from_end).await?;
            let total = dispatch!(AnyLease, &mut connection, held => {
                list.learn(held, slice).await?;
                let mut reader = ListReader { connection: held, list: &list };
                reader.check_columns().await?;
                match remembered {
                    Some((total, slice)) => reader.page_of_remembered(slice, total, rows).await?,
                    None => reader.page(slice, rows).await?,
                }
            });
            connection.end().await?;
            // A total that nothing contradicts keeps its age.
            if let Some(memory) = memory.filter(|_| remembered.is_none_or(|(before, _)| before != total)) {
                memory.set(total);
            }
            Ok(total)
        };
        watch::page(context, watched, reading).await
    })
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
    context: &'a Context,
    target: Target<'a>,
    list: OffsetSelect,
    size: PageSize,
    page: u64,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<()>> {
    let slice = size.slice(page).map(|slice| Slice { limit: slice.limit.saturating_add(1), ..slice });
    rows_of("simple", context, target, list, slice, rows)
}

/// Reads the first rows of a list into `rows`, and at most `limit` of them.
pub(crate) fn first_of<'a>(
    context: &'a Context,
    target: Target<'a>,
    list: OffsetSelect,
    limit: u64,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<()>> {
    rows_of("first", context, target, list, Some(Slice { offset: 0, limit, backwards: false }), rows)
}

fn rows_of<'a>(
    kind: &'static str,
    context: &'a Context,
    target: Target<'a>,
    list: OffsetSelect,
    slice: Option<Slice>,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let watched = watch::Page::new(kind, target.dialect, list.query.rows(), rows.row_type());
        let reading = async {
            let mut connection = target.lease(false).await?;
            dispatch!(AnyLease, &mut connection, held => {
                list.learn(held, slice).await?;
                let mut reader = ListReader { connection: held, list: &list };
                reader.check_columns().await?;
                reader.rows(slice, rows).await?;
            });
            connection.end().await
        };
        watch::page(context, watched, reading).await
    })
}

#[cfg(test)]
mod tests;
