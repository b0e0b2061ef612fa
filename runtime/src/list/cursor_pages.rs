//! Cursor pages, windows and streams.

use futures_core::Stream;
use futures_util::stream::{self, TryStreamExt as _};

use super::List;
use crate::cursor::CursorDirection;
use crate::driver::{Reader, RowSink, TypedRows};
#[cfg(feature = "json-api")]
use crate::error::FrameworkError;
use crate::error::Result;
use crate::page_tokens::{PageRequest, TokenPage};
use crate::paginator::Around;
use crate::paginator::{CursorPaginator, Total};
use crate::position::{IntervalRequest, Place, Position};
use crate::read::{self, SealedPage, StreamPosition};
use crate::relay::{Connection, Edge, PageInfo, Window};
use crate::select::KeysetSelect;
use crate::source::route::Source;
use crate::source::using::{self, Connect};
#[cfg(feature = "json-api")]
use crate::web::json_api::cursor_window::{
    AFTER, BEFORE, CursorPage, CursorPlace, CursorWindow, CursorWindowError, SIZE,
};

/// Reads the page that the list's position names.
pub(crate) async fn page<T: Send>(
    list: impl List,
    reader: Reader<T>,
    connection: &mut impl Connect,
    per_page: u64,
) -> Result<CursorPaginator<T>> {
    let mut rows = TypedRows::new(reader, per_page);
    let page = page_at_position(list, connection, per_page, &mut rows).await?;
    Ok(page.with_rows(rows.into_vec()))
}

/// Reads the rows of the page that the list's position names into `rows`, and returns the page.
async fn page_at_position(
    mut list: impl List,
    connection: &mut impl Connect,
    per_page: u64,
    rows: &mut dyn RowSink,
) -> Result<CursorPaginator<()>> {
    read::check_per_page(per_page)?;
    let request = list.position().take_interval()?;
    Ok(page_of(list, connection, per_page, request, rows).await?.0)
}

/// Reads the last page of the list, or of the rows between its cursors.
pub(crate) async fn last_page<T: Send>(
    mut list: impl List,
    reader: Reader<T>,
    connection: &mut impl Connect,
    per_page: u64,
) -> Result<CursorPaginator<T>> {
    list.position().direction = Some(CursorDirection::Prev);
    page(list, reader, connection, per_page).await
}

/// Reads these rows into `rows`, and returns their page, and whether the interval has more of them.
async fn page_of(
    mut list: impl List,
    connection: &mut impl Connect,
    per_page: u64,
    request: IntervalRequest,
    rows: &mut dyn RowSink,
) -> Result<(CursorPaginator<()>, bool)> {
    let position = list.position();
    let ((path, cursor_name), cursor) = (position.take_cursor_path()?, request.cursor.clone());
    let SealedPage { next, prev, row_cursors, is_truncated, total } =
        sealed(list, connection, per_page, request, rows).await?;
    let page = CursorPaginator::new(vec![(); rows.len()], per_page, next, prev);
    Ok((CursorPaginator { path, cursor_name, cursor, row_cursors, total, ..page }, is_truncated))
}

/// The rows of a page, and its cursors.
pub(crate) type SealedRows<T> = (Vec<T>, SealedPage);

/// Reads these rows.
async fn sealed_rows<T: Send>(
    list: impl List,
    reader: Reader<T>,
    connection: &mut impl Connect,
    limit: u64,
    request: IntervalRequest,
) -> Result<SealedRows<T>> {
    let mut rows = TypedRows::new(reader, limit);
    let page = sealed(list, connection, limit, request, &mut rows).await?;
    Ok((rows.into_vec(), page))
}

/// Reads these rows into `rows`.
async fn sealed(
    list: impl List,
    connection: &mut impl Connect,
    limit: u64,
    request: IntervalRequest,
    rows: &mut dyn RowSink,
) -> Result<SealedPage> {
    let (source, select) = compiled(list, connection)?;
    read::sealed(source, select, limit, request, rows).await
}

/// The keyset query of the list, and the source of its connection.
fn compiled(mut list: impl List, connection: &mut impl Connect) -> Result<(Source<'_>, KeysetSelect)> {
    list.check()?;
    let source = using::source(list.take_route(), connection)?;
    let select = list.keyset(&source)?;
    Ok((source, select))
}

/// Reads the row at a place with its neighbours: the rows before it, the row itself, and the rows after it. Reads the
/// page at the active request's cursor instead, if there is one.
pub(crate) async fn around<T: Send>(
    mut list: impl List,
    reader: Reader<T>,
    connection: &mut impl Connect,
    place: Place,
    [before, after]: [u64; 2],
) -> Result<Around<T>> {
    let per_page = before.saturating_add(after).saturating_add(1);
    if let Some(cursor) = list.position().take_cursor_beside(&place)? {
        list.position().cursor = Some(Some(cursor));
        return Ok(Around { page: page(list, reader, connection, per_page).await?, found: None });
    }
    let Surroundings { earlier, own, later } = Surroundings::of(place, list.position().row_cursors);
    let mut rows = TypedRows::new(reader, before);
    let (page, _) = page_of(list.clone(), connection, before, earlier, &mut rows).await?;
    let page = page.with_rows(rows.into_vec());
    list.uncount();
    let own = sealed_rows(list.clone(), reader, connection, 1, own).await?;
    let later = sealed_rows(list, reader, connection, after, later).await?;
    Ok(joined(CursorPaginator { per_page, ..page }, own, later))
}

/// The page of the rows before a row, with the row itself and the rows after it.
fn joined<T>(earlier: CursorPaginator<T>, own: SealedRows<T>, later: SealedRows<T>) -> Around<T> {
    let found = own.0.first().map(|_| earlier.data.len());
    let page = CursorPaginator { next_cursor: later.1.next.clone(), ..extended(extended(earlier, own), later) };
    Around { page, found }
}

/// The requests for a row and for the rows on both sides of it.
struct Surroundings {
    earlier: IntervalRequest,
    own: IntervalRequest,
    later: IntervalRequest,
}

impl Surroundings {
    fn of(place: Place, row_cursors: bool) -> Self {
        let request = IntervalRequest { row_cursors, ..IntervalRequest::default() };
        let beside = place.clone().without_its_row();
        Self {
            earlier: IntervalRequest { before: Some(beside.clone()), from_end: true, ..request.clone() },
            own: IntervalRequest { after: Some(place.clone()), before: Some(place), ..request.clone() },
            later: IntervalRequest { after: Some(beside), ..request },
        }
    }
}

/// A page with more rows at its end.
fn extended<T>(mut page: CursorPaginator<T>, (data, rows): SealedRows<T>) -> CursorPaginator<T> {
    page.data.extend(data);
    if let Some(cursors) = &mut page.row_cursors {
        cursors.extend(rows.row_cursors.into_iter().flatten());
    }
    page
}

/// Reads the rows of a window as a connection.
pub(crate) async fn connection<T: Send>(
    mut list: impl List,
    reader: Reader<T>,
    connection: &mut impl Connect,
    window: Window,
) -> Result<Connection<T>> {
    let limit = window.limit()?;
    let cursors = [window.after, window.before];
    let request = list.position().take_window("connection", cursors, limit.direction, 0)?;
    let request = IntervalRequest { row_cursors: true, is_exact: true, ..request };
    Ok(connection_of(sealed_rows(list, reader, connection, limit.rows, request).await?))
}

/// A page in the form of a connection.
pub(crate) fn connection_of<T>((data, page): SealedRows<T>) -> Connection<T> {
    let SealedPage { next, prev, row_cursors, total, .. } = page;
    let cursors = row_cursors.unwrap_or_default();
    let page_info = PageInfo {
        has_next_page: next.is_some(),
        has_previous_page: prev.is_some(),
        start_cursor: cursors.first().cloned(),
        end_cursor: cursors.last().cloned(),
    };
    let edges = data.into_iter().zip(cursors).map(|(node, cursor)| Edge { node, cursor }).collect();
    Connection { edges, page_info, total_count: total.map(Total::rows) }
}

/// Reads the rows of a window by the cursor pagination profile of JSON:API.
#[cfg(feature = "json-api")]
pub(crate) async fn cursor_window<T: Send>(
    mut list: impl List,
    reader: Reader<T>,
    connection: &mut impl Connect,
    window: CursorWindow,
) -> Result<CursorPage<T>, CursorWindowError> {
    let cursors = [window.after.clone(), window.before.clone()];
    let request = list.position().take_window("cursor_window", cursors, window.direction(), 0)?;
    let request = IntervalRequest { row_cursors: true, ..request };
    let path = list.position().take_path(&[AFTER, BEFORE, SIZE])?;
    let (source, select) = compiled(list, connection)?;
    check_cursors(&window, |token| read::check_cursor(&select.query, token))?;
    let mut rows = TypedRows::new(reader, window.rows);
    let sealed = read::sealed(source, select, window.rows, request, &mut rows).await;
    let page = sealed.map_err(|error| blamed(&window, error))?;
    Ok(cursor_page((rows.into_vec(), page), &window, path))
}

/// Names the parameter of a window whose cursor is invalid.
#[cfg(feature = "json-api")]
fn check_cursors(window: &CursorWindow, check: impl Fn(&str) -> Result<()>) -> Result<(), CursorWindowError> {
    let checked = |(name, token): (_, &_)| check(token).map_err(|error| CursorWindowError::of_cursor(name, error));
    window.cursors().try_for_each(checked)
}

/// The error for a window's page. The database may refuse the value of an otherwise valid cursor.
#[cfg(feature = "json-api")]
fn blamed(window: &CursorWindow, error: FrameworkError) -> CursorWindowError {
    match window.cursors().next().filter(|_| error.is_invalid_cursor()) {
        Some((name, _)) => CursorWindowError::of_cursor(name, error),
        None => error.into(),
    }
}

/// A page in the form of the profile.
#[cfg(feature = "json-api")]
fn cursor_page<T>((data, page): SealedRows<T>, window: &CursorWindow, path: Option<String>) -> CursorPage<T> {
    let SealedPage { next, prev, row_cursors, is_truncated, total } = page;
    let place =
        CursorPlace { next, prev, range_truncated: is_truncated && window.is_range(), total, size: window.size, path };
    CursorPage { data, cursors: row_cursors.unwrap_or_default(), place }
}

/// Reads a page by its token.
pub(crate) async fn token_page<T: Send>(
    mut list: impl List,
    reader: Reader<T>,
    connection: &mut impl Connect,
    request: PageRequest,
) -> Result<TokenPage<T>> {
    let (limit, skip) = (request.rows()?, request.skip()?);
    read::check_per_page(limit)?;
    let cursors = [request.into_token(), None];
    let request = list.position().take_window("token_page", cursors, CursorDirection::Next, skip)?;
    let (rows, page) = sealed_rows(list, reader, connection, limit, request).await?;
    let next_page_token = page.next.unwrap_or_default();
    Ok(TokenPage { rows, next_page_token, total_size: page.total.map(Total::rows) })
}

/// What a stream reads next.
type Next<N> = Option<Result<N>>;

/// The pages of the list. The first one is at the list's own position; the active request is ignored.
pub(crate) fn chunks<L: List, T: Send, C: Connect>(
    mut list: L,
    reader: Reader<T>,
    connection: C,
    page_size: u64,
) -> impl Stream<Item = Result<CursorPaginator<T>>> {
    let begin: Next<IntervalRequest> = Some(begin(list.position()));
    stream::try_unfold((begin, connection), move |(next, mut connection)| {
        let list = list.clone();
        async move {
            let Some(request) = next else { return Ok(None) };
            let (page, rest) = page_from(list, reader, &mut connection, request?, page_size).await?;
            Ok(Some((page, (rest.map(Ok), connection))))
        }
    })
}

/// A page of these rows, and the request for those after it.
async fn page_from<T: Send>(
    list: impl List,
    reader: Reader<T>,
    connection: &mut impl Connect,
    request: IntervalRequest,
    page_size: u64,
) -> Result<(CursorPaginator<T>, Option<IntervalRequest>)> {
    read::check_per_page(page_size)?;
    let mut rows = TypedRows::new(reader, page_size);
    let (page, is_truncated) = page_of(list, connection, page_size, request.clone(), &mut rows).await?;
    let rest = request.after_page(page.next_cursor.clone(), is_truncated);
    Ok((page.with_rows(rows.into_vec()), rest))
}

/// The rows of the list, read a page at a time, without a total and cursors.
pub(crate) fn rows<L: List, T: Send, C: Connect>(
    mut list: L,
    reader: Reader<T>,
    connection: C,
    page_size: u64,
) -> impl Stream<Item = Result<T>> {
    list.uncount();
    list.position().row_cursors = false;
    row_chunks(list, reader, connection, page_size).map_ok(|rows| stream::iter(rows.into_iter().map(Ok))).try_flatten()
}

/// The rows of the list, a page of them at a time.
fn row_chunks<L: List, T: Send, C: Connect>(
    mut list: L,
    reader: Reader<T>,
    connection: C,
    page_size: u64,
) -> impl Stream<Item = Result<Vec<T>>> {
    let begin: Next<StreamPosition> = Some(begin(list.position()).map(StreamPosition::Begin));
    stream::try_unfold((begin, connection), move |(next, mut connection)| {
        let list = list.clone();
        async move {
            let Some(position) = next else { return Ok(None) };
            let (rows, rest) = rows_from(list, reader, &mut connection, position?, page_size).await?;
            Ok(Some((rows, (rest.map(Ok), connection))))
        }
    })
}

/// The rows that a stream begins with.
fn begin(position: &mut Position) -> Result<IntervalRequest> {
    position.cursor = Some(position.cursor.take().flatten());
    // A stream reads forwards, so it ends at the cursor that was passed to `before`.
    if position.before.is_some() {
        position.direction = Some(CursorDirection::Next);
    }
    position.take_interval()
}

/// The rows of a stream's page, and the position of the next one.
async fn rows_from<T: Send>(
    list: impl List,
    reader: Reader<T>,
    connection: &mut impl Connect,
    position: StreamPosition,
    page_size: u64,
) -> Result<(Vec<T>, Option<StreamPosition>)> {
    read::check_per_page(page_size)?;
    let (source, select) = compiled(list, connection)?;
    let mut rows = TypedRows::new(reader, page_size);
    let rest = read::rows_after(source, select, page_size, position, &mut rows).await?;
    Ok((rows.into_vec(), rest))
}
