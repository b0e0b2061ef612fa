//! Windows of a list: the rows from a place on, with the cursors around them. Cursor pages, streams, Relay connections,
//! pages by token and JSON:API's profile are conversions of a [`WindowPage`].

use folio_plan::cursor::CursorDirection;
use futures_core::Stream;
use futures_util::stream::{self, TryStreamExt as _};
use sea_query::Expr;

use super::description::List;
pub(crate) use super::position::GivenWindow;
use super::position::Middle;
use super::source::QueryRows;
use crate::driver::{Reader, RowSink, TypedRows};
use crate::error::{FrameworkError, Result};
use crate::paginator::CursorPaginator;
use crate::read::{self, PageSize, Place, Window, WindowError, WindowPage};
use crate::request::context::Context;
use crate::source::Borrowed;
use crate::source::using::Connect;
use crate::watch;

/// Reads the rows of a window into `rows`.
pub(crate) async fn window_of(
    list: List<QueryRows>,
    context: &Context,
    lent: Option<Borrowed<'_>>,
    window: Window<Place>,
    rows: &mut dyn RowSink,
) -> Result<WindowPage, WindowError> {
    let (target, select) = list.keyset(context, lent)?;
    read::sealed_window(context, target, select, window, rows).await
}

/// Reads the page that the list's position names.
pub(super) async fn page(
    method: &str,
    mut list: List<QueryRows>,
    lent: Option<Borrowed<'_>>,
    per_page: u64,
    rows: &mut dyn RowSink,
) -> Result<CursorPaginator<()>> {
    let size = PageSize::new(per_page)?;
    let context = Context::current();
    let window = list.position.window(method, &context, size.get())?;
    Ok(paginator_of(list, &context, lent, window, rows).await?.0)
}

/// Reads the rows of a window as a page, and whether the window has more rows.
async fn paginator_of(
    mut list: List<QueryRows>,
    context: &Context,
    lent: Option<Borrowed<'_>>,
    window: Window<Place>,
    rows: &mut dyn RowSink,
) -> Result<(CursorPaginator<()>, bool)> {
    let (path, cursor_name) = list.position.urls.cursor_path(context)?;
    let per_page = window.limit;
    let cursor = match &window.start {
        Some(Place::Page(cursor)) => Some(cursor.clone()),
        _ => None,
    };
    let page = window_of(list, context, lent, window, rows).await?;
    let is_truncated = page.is_truncated;
    let page = paginator(page, rows.len(), per_page);
    Ok((CursorPaginator { path, cursor_name, cursor, ..page }, is_truncated))
}

/// A window as a page, with `()` in place of each row.
fn paginator(window: WindowPage, rows: usize, per_page: u64) -> CursorPaginator<()> {
    let WindowPage { next, prev, row_cursors, start, end, total, .. } = window;
    let page = CursorPaginator::new(vec![(); rows], per_page, next, prev);
    CursorPaginator { row_cursors, start_cursor: start, end_cursor: end, total, ..page }
}

/// Reads a row with its neighbours: the rows before it, the row itself, and the rows after it, each into their sink.
/// Returns their page, and where the row is in it.
///
/// If the active request has a cursor, the page at the cursor is read instead, into the first sink.
pub(super) async fn around(
    list: List<QueryRows>,
    connection: &mut impl Connect,
    middle: (&str, Middle),
    sizes: [u64; 2],
    sinks: [&mut dyn RowSink; 3],
) -> Result<(CursorPaginator<()>, Option<usize>)> {
    let context = Context::current();
    let table = list.table();
    let whole = watch::Page {
        kind: "around",
        table,
        row_type: sinks[1].row_type(),
        dialect: None,
        request_parameters: &[],
        list: None,
    };
    watch::page(&context, whole, windows_around(list, &context, connection, middle, sizes, sinks)).await
}

async fn windows_around(
    mut list: List<QueryRows>,
    context: &Context,
    connection: &mut impl Connect,
    (method, middle): (&str, Middle),
    [before, after]: [u64; 2],
    [earlier, own, later]: [&mut dyn RowSink; 3],
) -> Result<(CursorPaginator<()>, Option<usize>)> {
    let per_page = before.saturating_add(after).saturating_add(1);
    if let Some(cursor) = list.position.cursor_beside(context, method, &middle)? {
        list.position.cursor = Some(Some(cursor));
        return Ok((page(method, list, connection.lend(), per_page, earlier).await?, None));
    }
    let (path, cursor_name) = list.position.urls.cursor_path(context)?;
    let (place, is_value) = match middle {
        Middle::Row(place) => (place, false),
        Middle::Id(id) => (place_of_id(list.clone(), context, connection.lend(), id, own).await?, false),
        Middle::From(values) => (Place::Values { values, inclusive: true }, true),
    };
    let (row_cursors, positions) = (list.position.row_cursors, list.position.positions);
    let first = |limit| Window { row_cursors, positions, ..Window::first(limit) };
    let beside = place.clone().without_its_row();
    let to_earlier = Window { start: Some(beside.clone()), direction: CursorDirection::Prev, ..first(before) };
    let mut windows = vec![(to_earlier, &mut *earlier)];
    if is_value {
        // The first of the rows from the value on is the row itself.
        windows.push((Window { start: Some(place), ..first(after.saturating_add(1)) }, &mut *own));
    } else {
        windows.push((Window { start: Some(place.clone()), end: Some(place), ..first(1) }, &mut *own));
        windows.push((Window { start: Some(beside), ..first(after) }, &mut *later));
    }
    let mut pages = Vec::with_capacity(windows.len());
    for (window, rows) in windows {
        let page = window_of(list.clone(), context, connection.lend(), window, rows).await?;
        pages.push((page, rows.len()));
        // The total is that of the first window.
        list.is_counted = false;
    }
    let rows = pages.iter().fold(0_usize, |rows, (_, more)| rows.saturating_add(*more));
    let page = CursorPaginator { path, cursor_name, ..paginator(joined(pages), rows, per_page) };
    Ok((page, (own.len() > 0).then(|| earlier.len())))
}

/// Windows that follow one another as one. Each is with its number of rows.
fn joined(windows: Vec<(WindowPage, usize)>) -> WindowPage {
    let mut windows = windows.into_iter();
    let Some((mut all, mut rows)) = windows.next() else { return WindowPage::default() };
    for (window, more) in windows {
        // A window without rows has the position at which it was requested, which only counts if no other has rows.
        if rows == 0 && more > 0 {
            all.start = window.start;
        }
        if more > 0 || rows == 0 {
            all.end = window.end;
        }
        if let Some(cursors) = &mut all.row_cursors {
            cursors.extend(window.row_cursors.into_iter().flatten());
        }
        all.next = window.next;
        rows = rows.saturating_add(more);
    }
    all
}

/// The place of the row with a primary key, which `rows` has the type of.
///
/// # Errors
/// [`FrameworkError::Domain`], 404, if the list does not have the row.
async fn place_of_id(
    mut list: List<QueryRows>,
    context: &Context,
    lent: Option<Borrowed<'_>>,
    id: Vec<Expr>,
    rows: &mut dyn RowSink,
) -> Result<Place> {
    list.is_counted = false;
    // Only a model's query has the method.
    let list = list.map(|rows| match rows {
        QueryRows::Table(table) => QueryRows::Table(table.with_primary_key(id)),
        select => select,
    });
    let (target, select) = list.keyset(context, lent)?;
    read::place_of_row(context, target, select, rows).await?.ok_or_else(|| FrameworkError::Domain {
        message: "The list has no row with this id".to_owned(),
        status_code: 404,
    })
}

/// What a stream reads next.
type Next = Option<Result<Window<Place>>>;

/// The pages of the list. The first one is at the list's own position; the active request is ignored.
pub(super) fn chunks<T: Send, C: Connect>(
    mut list: List<QueryRows>,
    reader: Reader<T>,
    connection: C,
    page_size: u64,
) -> impl Stream<Item = Result<CursorPaginator<T>>> {
    // A job resumes at the last page that it has read, which has no next one.
    list.position.positions = true;
    let begin: Next = Some(list.position.stream("cursor_chunks", &Context::none(), page_size));
    stream::try_unfold((begin, connection), move |(next, mut connection)| {
        let list = list.clone();
        async move {
            let Some(window) = next else { return Ok(None) };
            let mut rows = TypedRows::new(reader, page_size);
            let (page, rest) = chunk(list, connection.lend(), window?, &mut rows).await?;
            Ok(Some((page.with_rows(rows.into_vec()), (rest.map(Ok), connection))))
        }
    })
}

/// A page of a stream, and what remains after it.
async fn chunk(
    list: List<QueryRows>,
    lent: Option<Borrowed<'_>>,
    window: Window<Place>,
    rows: &mut dyn RowSink,
) -> Result<(CursorPaginator<()>, Option<Window<Place>>)> {
    PageSize::new(window.limit)?;
    let (page, is_truncated) = paginator_of(list, &Context::current(), lent, window.clone(), rows).await?;
    let rest = window.after_page(page.next_cursor.clone().map(Place::Cursor), is_truncated);
    Ok((page, rest))
}

/// The rows of the list, read a page at a time, without a total and cursors.
pub(super) fn rows<T: Send, C: Connect>(
    mut list: List<QueryRows>,
    reader: Reader<T>,
    connection: C,
    page_size: u64,
) -> impl Stream<Item = Result<T>> {
    list.is_counted = false;
    (list.position.row_cursors, list.position.positions) = (false, false);
    let begin: Next = Some(list.position.stream("cursor_stream", &Context::none(), page_size));
    let chunks = stream::try_unfold((begin, connection), move |(next, mut connection)| {
        let list = list.clone();
        async move {
            let Some(window) = next else { return Ok(None) };
            let mut rows = TypedRows::new(reader, page_size);
            let rest = rows_of(list, connection.lend(), window?, &mut rows).await?;
            Ok::<_, FrameworkError>(Some((rows.into_vec(), (rest.map(Ok), connection))))
        }
    });
    chunks.map_ok(|rows| stream::iter(rows.into_iter().map(Ok))).try_flatten()
}

/// Reads a page of a stream of rows, and returns what remains after it.
async fn rows_of(
    list: List<QueryRows>,
    lent: Option<Borrowed<'_>>,
    window: Window<Place>,
    rows: &mut dyn RowSink,
) -> Result<Option<Window<Place>>> {
    PageSize::new(window.limit)?;
    let context = Context::current();
    let (target, select) = list.keyset(&context, lent)?;
    read::rows_after(&context, target, select, window, rows).await
}
