//! Windows of a list: the rows from a place on, with the cursors around them. Cursor pages, streams, Relay connections,
//! pages by token and JSON:API's profile are conversions of a [`WindowPage`].

use futures_core::Stream;
use futures_util::stream::{self, TryStreamExt as _};

use super::description::List;
pub(crate) use super::position::GivenWindow;
use super::source::QueryRows;
use crate::driver::{Reader, RowSink, TypedRows};
use crate::error::{FrameworkError, Result};
use crate::paginator::CursorPaginator;
use crate::read::{self, PageSize, Place, Start, StreamPosition, WindowPage, WindowRequest};
use crate::request::context::Context;
use crate::source::Borrowed;
use crate::source::using::Connect;

/// Reads the rows of a window into `rows`.
pub(crate) async fn window(
    list: List<QueryRows>,
    context: &Context,
    lent: Option<Borrowed<'_>>,
    request: WindowRequest,
    rows: &mut dyn RowSink,
) -> Result<WindowPage> {
    let (source, select) = list.keyset(context, lent)?;
    Ok(read::window(context, source, select, request, rows).await??)
}

/// Reads the page that the list's position names.
pub(super) async fn page(
    mut list: List<QueryRows>,
    lent: Option<Borrowed<'_>>,
    per_page: u64,
    rows: &mut dyn RowSink,
) -> Result<CursorPaginator<()>> {
    let size = PageSize::new(per_page)?;
    let context = Context::current();
    let request = list.position.window(&context, size.get())?;
    Ok(page_of(list, &context, lent, request, rows).await?.0)
}

/// Reads the rows of a window as a page, and whether more rows are in its interval.
async fn page_of(
    mut list: List<QueryRows>,
    context: &Context,
    lent: Option<Borrowed<'_>>,
    request: WindowRequest,
    rows: &mut dyn RowSink,
) -> Result<(CursorPaginator<()>, bool)> {
    let (path, cursor_name) = list.position.urls.cursor_path(context)?;
    let (per_page, cursor) = (request.limit, request.start.cursor().map(str::to_owned));
    let WindowPage { next, prev, row_cursors, is_truncated, total } =
        window(list, context, lent, request, rows).await?;
    let page = CursorPaginator::new(vec![(); rows.len()], per_page, next, prev);
    Ok((CursorPaginator { path, cursor_name, cursor, row_cursors, total, ..page }, is_truncated))
}

/// Reads the row at a place with its neighbours: the rows before it, the row itself, and the rows after it, each into
/// their sink. Returns their page, and where the row is in it.
///
/// If the active request has a cursor, the page at the cursor is read instead, into the first sink.
pub(super) async fn around(
    mut list: List<QueryRows>,
    connection: &mut impl Connect,
    place: Place,
    [before, after]: [u64; 2],
    [earlier, own, later]: [&mut dyn RowSink; 3],
) -> Result<(CursorPaginator<()>, Option<usize>)> {
    let per_page = before.saturating_add(after).saturating_add(1);
    let context = Context::current();
    if let Some(cursor) = list.position.cursor_beside(&context, &place)? {
        list.position.cursor = Some(Some(cursor));
        return Ok((page(list, connection.lend(), per_page, earlier).await?, None));
    }
    let request = |after, before, from_end, limit| WindowRequest {
        start: Start::Between { after, before, from_end },
        skip: 0,
        limit,
        row_cursors: list.position.row_cursors,
        is_exact: false,
    };
    let beside = place.clone().without_its_row();
    let requests = [
        request(None, Some(beside.clone()), true, before),
        request(Some(place.clone()), Some(place), false, 1),
        request(Some(beside), None, false, after),
    ];
    let [to_earlier, to_own, to_later] = requests;
    let (mut page, _) = page_of(list.clone(), &context, connection.lend(), to_earlier, earlier).await?;
    // The total is that of the page.
    list.is_counted = false;
    let at = window(list.clone(), &context, connection.lend(), to_own, own).await?;
    let rest = window(list, &context, connection.lend(), to_later, later).await?;
    if let Some(cursors) = &mut page.row_cursors {
        cursors.extend(at.row_cursors.into_iter().chain(rest.row_cursors).flatten());
    }
    let index = (own.len() > 0).then(|| earlier.len());
    let rows = earlier.len().saturating_add(own.len()).saturating_add(later.len());
    Ok((CursorPaginator { data: vec![(); rows], next_cursor: rest.next, per_page, ..page }, index))
}

/// What a stream reads next.
type Next<N> = Option<Result<N>>;

/// The pages of the list. The first one is at the list's own position; the active request is ignored.
pub(super) fn chunks<T: Send, C: Connect>(
    mut list: List<QueryRows>,
    reader: Reader<T>,
    connection: C,
    page_size: u64,
) -> impl Stream<Item = Result<CursorPaginator<T>>> {
    let begin: Next<WindowRequest> = Some(list.position.stream(&Context::none(), page_size));
    stream::try_unfold((begin, connection), move |(next, mut connection)| {
        let list = list.clone();
        async move {
            let Some(request) = next else { return Ok(None) };
            let mut rows = TypedRows::new(reader, page_size);
            let (page, rest) = chunk(list, connection.lend(), request?, &mut rows).await?;
            Ok(Some((page.with_rows(rows.into_vec()), (rest.map(Ok), connection))))
        }
    })
}

/// A page of a stream, and the request for the rest.
async fn chunk(
    list: List<QueryRows>,
    lent: Option<Borrowed<'_>>,
    request: WindowRequest,
    rows: &mut dyn RowSink,
) -> Result<(CursorPaginator<()>, Option<WindowRequest>)> {
    PageSize::new(request.limit)?;
    let (page, is_truncated) = page_of(list, &Context::current(), lent, request.clone(), rows).await?;
    let rest = request.after_page(page.next_cursor.clone(), is_truncated);
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
    list.position.row_cursors = false;
    let begin: Next<StreamPosition> =
        Some(list.position.stream(&Context::none(), page_size).map(StreamPosition::Begin));
    let chunks = stream::try_unfold((begin, connection), move |(next, mut connection)| {
        let list = list.clone();
        async move {
            let Some(position) = next else { return Ok(None) };
            let mut rows = TypedRows::new(reader, page_size);
            let rest = rows_from(list, connection.lend(), position?, page_size, &mut rows).await?;
            Ok::<_, FrameworkError>(Some((rows.into_vec(), (rest.map(Ok), connection))))
        }
    });
    chunks.map_ok(|rows| stream::iter(rows.into_iter().map(Ok))).try_flatten()
}

/// Reads a page of a stream of rows, and returns where the next one begins.
async fn rows_from(
    list: List<QueryRows>,
    lent: Option<Borrowed<'_>>,
    position: StreamPosition,
    page_size: u64,
    rows: &mut dyn RowSink,
) -> Result<Option<StreamPosition>> {
    PageSize::new(page_size)?;
    let context = Context::current();
    let (source, select) = list.keyset(&context, lent)?;
    read::rows_after(&context, source, select, position, rows).await
}
