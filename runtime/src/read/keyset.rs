//! Reads cursor pages: opens the cursors of a request, and seals those of its page.
//!
//! One statement reads the rows of a page and one more, which shows whether there is another page. Further statements
//! are exceptions:
//!
//! - before the page: the table's catalog, once a minute; the columns of SQL text, once for each text; the types of
//!   text columns if several selects make the page; the stored form of values that no page has sealed (`from_key.rs`,
//!   `seek.rs`); the groups of a feed that can have rows on the page (`page_reader/candidates.rs`)
//! - instead of the page: the same page again, if an index that its statement names no longer exists, or if rows of a
//!   feed were deleted after the lookup
//! - after the page: rows with NULL that come last, if the page came up short; rows that it leaves out, if its own
//!   statement does not look for them; a key that may have been rounded; neighbours that may tie; rows before a page
//!   that begins at a value, or on both sides of an empty page; a count for a total
//! - around the page: BEGIN and COMMIT, if the connection keeps no prepared statements or would leave a transaction
//!   open

use std::future::poll_fn;
use std::pin::pin;

use folio_plan::cursor::{Cursor, CursorDirection, Origin};
use folio_plan::keyset::KeysetQuery;
use folio_plan::schema::table::Direction;
use futures_util::future::BoxFuture;

use super::first_rows;
use super::from_key;
use super::key::{Key, RowKey};
use super::list::KeysetSelect;
use super::page_reader::{PageReader, WindowPage};
use super::remembered::RememberedTotal;
use super::seek;
use super::total::ListReader;
use super::window::{Place, Window, WindowError};
use crate::crypt::Salt;
use crate::driver::{Driver, RowSink};
use crate::error::{FrameworkError, Refusal, Refused, Result, refused};
use crate::paginator::Total;
use crate::pool::dispatch;
use crate::request::context::Context;
use crate::source::route::Target;
use crate::source::{AnyLease, Lease, freshness};
use crate::watch;

/// Reads the rows of a window into `rows`, and seals their cursors.
pub(crate) fn sealed_window<'a>(
    context: &'a Context,
    target: Target<'a>,
    select: KeysetSelect,
    window: Window<Place>,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<WindowPage, WindowError>> {
    Box::pin(async move {
        let keys = context.folio()?.cursor_keys()?;
        let query = &select.query;
        let binding = query.cursor_binding();
        let window = window.open(&query.order, |token| keys.open(&binding, &query.order.types, token))?;
        let mut reading = pin!(watched_page(context, target, &select, window, rows));
        let mut salts = None;
        // Asking the operating system for salts takes as long as sealing, so it is done while the database works.
        let page = poll_fn(|task| {
            let page = reading.as_mut().poll(task);
            salts.get_or_insert_with(Salt::fresh);
            page
        });
        let page = page.await?;
        Ok(page.seal(&keys, &query.order, &binding, salts.unwrap_or_else(Salt::fresh)?)?)
    })
}

/// Reads one page into `rows`, without sealed cursors, and returns what remains of the window.
pub(crate) fn rows_after<'a>(
    context: &'a Context,
    target: Target<'a>,
    select: KeysetSelect,
    window: Window<Place>,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<Option<Window<Place>>>> {
    Box::pin(async move {
        // A keyring is only needed for sealed cursors.
        let query = &select.query;
        let unseal =
            |token: &str| context.folio()?.cursor_keys()?.open(&query.cursor_binding(), &query.order.types, token);
        let opened = window.clone().open(&query.order, unseal)?;
        let WindowPage { next, is_truncated, .. } = *watched_page(context, target, &select, opened, rows).await?;
        Ok(window.after_page(next.map(Place::Opened), is_truncated))
    })
}

/// Reads the rows that have larger values than a cursor in the order's first column into `rows`, and returns whether
/// there are more than the limit.
pub(crate) fn newer_rows<'a>(
    context: &'a Context,
    target: Target<'a>,
    select: KeysetSelect,
    cursor: String,
    limit: u64,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let query = &select.query;
        let is_descending = query.order.sorts.first().is_some_and(|sort| sort.direction == Direction::Desc);
        let direction = if is_descending { CursorDirection::Prev } else { CursorDirection::Next };
        let start = Some(Place::Cursor(cursor));
        let window = Window { start, direction, is_counted: true, ..Window::first(limit) };
        let unseal =
            |token: &str| context.folio()?.cursor_keys()?.open(&query.cursor_binding(), &query.order.types, token);
        let window = window.open(&query.order, unseal)?;
        Ok(watched_page(context, target, &select, window, rows).await?.is_truncated)
    })
}

/// The place of a list's only row in its order; `None` if the list has no rows. `rows` has the type of the rows.
pub(crate) fn place_of_row<'a>(
    context: &'a Context,
    target: Target<'a>,
    select: KeysetSelect,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<Option<Place>>> {
    Box::pin(async move {
        let page = watch::Page::new("first", target.dialect, select.query.base.rows(), rows.row_type());
        let reading = async {
            let mut connection = target.lease(false).await?;
            let key = dispatch!(AnyLease, &mut connection, held => key_of_row(held, &select.query).await?);
            connection.end().await?;
            let row = key.map(|key| Cursor::at(CursorDirection::Next, key));
            Ok(row.map(|row| Place::Read { row, inclusive: true }))
        };
        watch::page(context, page, reading).await
    })
}

async fn key_of_row<D: Driver>(connection: &mut Lease<'_, D>, query: &KeysetQuery) -> Result<Option<Key>> {
    // Without the catalog the statement names no index, so that of the filters is used instead of one with the order.
    let order = query.order.for_page(None);
    let first = query.base.page(&order, first_rows(CursorDirection::Next, 1));
    let Some(row) = connection.fetch_first(first).await? else { return Ok(None) };
    let RowKey { values, rounding } = RowKey::read::<D>(&query.order, &row)?;
    if let Some(rounding) = rounding {
        rounding.resolve(connection, query, std::slice::from_ref(&values)).await?;
    }
    Ok(Some(values))
}

/// Reads a window into `rows`, over a connection of the target.
async fn watched_page(
    context: &Context,
    mut target: Target<'_>,
    select: &KeysetSelect,
    window: Window<Cursor>,
    rows: &mut dyn RowSink,
) -> Result<Box<WindowPage<Cursor>>, WindowError> {
    let kind = match &select.query.base {
        _ if window.is_counted => "newer",
        base if base.feed().is_some() => "feed",
        _ => "cursor",
    };
    let watched = watch::Page::new(kind, target.dialect, select.query.base.rows(), rows.row_type());
    let watched = watch::Page { list: Some(&select.query), ..watched };
    let memory = select.counted.as_ref().and_then(|list| RememberedTotal::of(context, &target, list));
    let has_position = target.freshness.is_some() && !window.is_counted;
    if let Some(freshness) = &mut target.freshness {
        freshness.seen.extend(window.cursors().filter_map(|cursor| cursor.notes.position.clone()));
    }
    let reading = async {
        let mut connection = target.lease(false).await?;
        let page = dispatch!(AnyLease, &mut connection, held => {
            let mut page = resolved_page(held, &select.query, window, rows).await?;
            if let Some(list) = &select.counted {
                let read = u64::try_from(rows.len()).unwrap_or(u64::MAX);
                // A page without neighbours has all rows, and each neighbour has one at least.
                let beside = [&page.next, &page.prev].into_iter().flatten().count() as u64;
                let is_whole = beside == 0 && !page.is_truncated;
                let may_be = |total: &Total| match *total {
                    Total::Exact(total) if is_whole => total == read,
                    Total::Exact(total) => total >= read.saturating_add(beside),
                    total => !is_whole || total.rows() <= read,
                };
                page.total = match memory.as_ref().and_then(RememberedTotal::get).filter(may_be) {
                    Some(total) => {
                        held.watched.total("remembered");
                        Some(total)
                    }
                    None => {
                        let total = Box::pin(ListReader { connection: held, list }.total()).await?;
                        memory.into_iter().for_each(|memory| memory.set(total));
                        Some(total)
                    }
                };
            }
            // After the rows: the position is then not before the changes that they show.
            if has_position {
                page.note_position(&Box::pin(freshness::position(held)).await?);
            }
            page
        });
        connection.end().await?;
        Ok(page)
    };
    watch::page(context, watched, reading).await
}

/// Reads a page, after its cursors have been resolved to their stored values.
async fn resolved_page<D: Driver>(
    connection: &mut Lease<'_, D>,
    query: &KeysetQuery,
    mut window: Window<Cursor>,
    rows: &mut dyn RowSink,
) -> Result<Box<WindowPage<Cursor>>, WindowError> {
    let reading = async {
        let is_resolved = window.cursors().all(|cursor| cursor.origin == Origin::Row);
        if !is_resolved && !Box::pin(resolve(connection, query, &mut window)).await? {
            return Ok(Box::new(WindowPage::empty(&window)));
        }
        PageReader { connection, query, window: &window }.read(rows).await
    };
    match reading.await {
        Err(FrameworkError::Database(cause)) if matches!(refused(&cause), Some(Refused::Bound | Refused::Type)) => {
            Err(refusal(&window, query.base.has_request_filters(), cause))
        }
        page => Ok(page?),
    }
}

/// What it means if the database refuses a value. A cursor is invalid if its column's type has changed since it was
/// sealed. That is rare, so a value of the request's filters is the cause rather than one that was read from a row.
fn refusal(window: &Window<Cursor>, has_request_filters: bool, cause: sqlx::Error) -> WindowError {
    match window.cursors().find(|cursor| cursor.is_of_row()) {
        Some(_) if has_request_filters => WindowError::Other(FrameworkError::Database(cause)),
        Some(Cursor { direction, .. }) => {
            WindowError::Cursor { direction: *direction, cause: Refusal::InvalidCursor.into() }
        }
        None if window.cursors().next().is_some() => WindowError::Other(Refusal::InvalidStart.into()),
        None => WindowError::Other(FrameworkError::Database(cause)),
    }
}

/// Replaces the values of each cursor by their stored forms. Returns whether the list has rows.
async fn resolve<D: Driver>(
    connection: &mut Lease<'_, D>,
    query: &KeysetQuery,
    window: &mut Window<Cursor>,
) -> Result<bool> {
    for cursor in window.start.iter_mut().chain(&mut window.end) {
        let resolved = match cursor.origin {
            Origin::Row => continue,
            Origin::Key => from_key::resolve(connection, query, cursor).await?,
            Origin::Values => seek::resolve(connection, query, cursor).await?,
        };
        let Some(resolved) = resolved else { return Ok(false) };
        *cursor = resolved;
    }
    Ok(true)
}

#[cfg(test)]
mod tests;
