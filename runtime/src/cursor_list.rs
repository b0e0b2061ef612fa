//! Cursor pages, windows and streams, for both a model's query and a select.
//!
//! The public methods are those of [`Builder`](crate::Builder) and [`Select`](crate::Select). [`crate::fetch`] runs the
//! statements.

use futures_core::Stream;
use futures_util::stream::{self, TryStreamExt as _};

use crate::around::Around;
use crate::cursor::CursorDirection;
use crate::cursor_window::{CursorPage, CursorPlace, CursorWindow, CursorWindowError};
use crate::error::{FrameworkError, Result};
use crate::fetch::{self, SealedPage, StreamPosition};
use crate::paginator::{CursorPaginator, Total};
use crate::position::{IntervalRequest, Place, Position};
use crate::relay::{Connection, Edge, PageInfo, Window};
use crate::route::{Route, Source};
use crate::select::KeysetSelect;
use crate::token_list::{LimitedRequest, TokenPage};
use crate::using::{self, Connect};

/// A list that is read by cursor. A clone reads the same list.
pub(crate) trait CursorList: Clone {
    type Row;

    /// Rejects an invalid query, before a connection is leased.
    fn check(&self) -> Result<()>;

    fn position(&mut self) -> &mut Position;

    fn take_route(&mut self) -> Route;

    /// Drops the total.
    fn uncount(&mut self);

    /// Compiles to a keyset query.
    fn keyset(self, source: &Source<'_>) -> Result<KeysetSelect<Self::Row>>;
}

/// Reads the page that the list's position names.
pub(crate) async fn page<L: CursorList>(
    mut list: L,
    connection: &mut impl Connect,
    per_page: u64,
) -> Result<CursorPaginator<L::Row>> {
    fetch::check_per_page(per_page)?;
    let request = list.position().take_interval()?;
    Ok(page_of(list, connection, per_page, request).await?.0)
}

/// Reads the last page of the list, or of the rows between its cursors.
pub(crate) async fn last_page<L: CursorList>(
    mut list: L,
    connection: &mut impl Connect,
    per_page: u64,
) -> Result<CursorPaginator<L::Row>> {
    list.position().direction = Some(CursorDirection::Prev);
    page(list, connection, per_page).await
}

/// A page of these rows, and whether the interval has more of them.
async fn page_of<L: CursorList>(
    mut list: L,
    connection: &mut impl Connect,
    per_page: u64,
    request: IntervalRequest,
) -> Result<(CursorPaginator<L::Row>, bool)> {
    let position = list.position();
    let (path, cursor_name, cursor) = (position.take_path(), position.cursor_name.take(), request.cursor.clone());
    let SealedPage { data, next, prev, row_cursors, is_truncated, total } =
        sealed(list, connection, per_page, request).await?;
    let page = CursorPaginator::new(data, per_page, next, prev);
    Ok((CursorPaginator { path, cursor_name, cursor, row_cursors, total, ..page }, is_truncated))
}

/// Reads these rows.
async fn sealed<L: CursorList>(
    list: L,
    connection: &mut impl Connect,
    limit: u64,
    request: IntervalRequest,
) -> Result<SealedPage<L::Row>> {
    let (source, select) = compiled(list, connection)?;
    fetch::sealed(source, select, limit, request).await
}

/// The keyset query of the list, and the source of its connection.
fn compiled<L: CursorList>(mut list: L, connection: &mut impl Connect) -> Result<(Source<'_>, KeysetSelect<L::Row>)> {
    list.check()?;
    let source = using::source(list.take_route(), connection)?;
    let select = list.keyset(&source)?;
    Ok((source, select))
}

/// Reads the row at a place with its neighbours: the rows before it, the row itself, and the rows after it.
pub(crate) async fn around<L: CursorList>(
    mut list: L,
    connection: &mut impl Connect,
    place: Place,
    [before, after]: [u64; 2],
) -> Result<Around<L::Row>> {
    list.position().refuse_beside_row()?;
    let Surroundings { earlier, own, later } = Surroundings::of(place, list.position().row_cursors);
    let (page, _) = page_of(list.clone(), connection, before, earlier).await?;
    list.uncount();
    let own = sealed(list.clone(), connection, 1, own).await?;
    let later = sealed(list, connection, after, later).await?;
    let per_page = before.saturating_add(after).saturating_add(1);
    Ok(joined(CursorPaginator { per_page, ..page }, own, later))
}

/// The page of the rows before a row, with the row itself and the rows after it.
fn joined<T>(earlier: CursorPaginator<T>, own: SealedPage<T>, later: SealedPage<T>) -> Around<T> {
    let found = (!own.data.is_empty()).then_some(earlier.data.len());
    let next_cursor = later.next.clone();
    let page = CursorPaginator { next_cursor, ..with_rows(with_rows(earlier, own), later) };
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
fn with_rows<T>(mut page: CursorPaginator<T>, rows: SealedPage<T>) -> CursorPaginator<T> {
    page.data.extend(rows.data);
    if let Some(cursors) = &mut page.row_cursors {
        cursors.extend(rows.row_cursors.into_iter().flatten());
    }
    page
}

/// Reads the rows of a window as a connection.
pub(crate) async fn connection<L: CursorList>(
    mut list: L,
    connection: &mut impl Connect,
    window: Window,
) -> Result<Connection<L::Row>> {
    let limit = window.limit()?;
    let cursors = [window.after, window.before];
    let request = list.position().take_window("connection", cursors, limit.direction, 0)?;
    let request = IntervalRequest { row_cursors: true, is_exact: true, ..request };
    Ok(connection_of(sealed(list, connection, limit.rows, request).await?))
}

/// A page in the form of a connection.
pub(crate) fn connection_of<T>(page: SealedPage<T>) -> Connection<T> {
    let SealedPage { data, next, prev, row_cursors, total, .. } = page;
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
pub(crate) async fn cursor_window<L: CursorList>(
    mut list: L,
    connection: &mut impl Connect,
    window: CursorWindow,
) -> Result<CursorPage<L::Row>, CursorWindowError> {
    let cursors = [window.after.clone(), window.before.clone()];
    let request = list.position().take_window("cursor_window", cursors, window.direction(), 0)?;
    let request = IntervalRequest { row_cursors: true, ..request };
    let path = list.position().take_path();
    let (source, select) = compiled(list, connection)?;
    check_cursors(&window, |token| fetch::check_cursor(&select.query, token))?;
    let page = fetch::sealed(source, select, window.rows, request).await.map_err(|error| blamed(&window, error))?;
    Ok(cursor_page(page, &window, path))
}

/// Names the parameter of a window whose cursor is invalid.
fn check_cursors(window: &CursorWindow, check: impl Fn(&str) -> Result<()>) -> Result<(), CursorWindowError> {
    let checked = |(name, token): (_, &_)| check(token).map_err(|error| CursorWindowError::of_cursor(name, error));
    window.cursors().try_for_each(checked)
}

/// The error for a window's page. The database may refuse the value of an otherwise valid cursor.
fn blamed(window: &CursorWindow, error: FrameworkError) -> CursorWindowError {
    match window.cursors().next().filter(|_| error.is_invalid_cursor()) {
        Some((name, _)) => CursorWindowError::of_cursor(name, error),
        None => error.into(),
    }
}

/// A page in the form of the profile.
fn cursor_page<T>(page: SealedPage<T>, window: &CursorWindow, path: Option<String>) -> CursorPage<T> {
    let SealedPage { data, next, prev, row_cursors, is_truncated, total } = page;
    let range_truncated = is_truncated && window.is_range();
    let place = CursorPlace { next, prev, range_truncated, total, size: window.size, path };
    CursorPage { data, cursors: row_cursors.unwrap_or_default(), place }
}

/// Reads a page by its token.
pub(crate) async fn token_page<L: CursorList>(
    mut list: L,
    connection: &mut impl Connect,
    request: LimitedRequest,
) -> Result<TokenPage<L::Row>> {
    let (limit, skip) = (request.rows()?, request.skip()?);
    fetch::check_per_page(limit)?;
    let cursors = [request.into_token(), None];
    let request = list.position().take_window("token_page", cursors, CursorDirection::Next, skip)?;
    let page = sealed(list, connection, limit, request).await?;
    let next_page_token = page.next.unwrap_or_default();
    Ok(TokenPage { rows: page.data, next_page_token, total_size: page.total.map(Total::rows) })
}

/// What a stream reads next.
type Next<N> = Option<Result<N>>;

/// The pages of the list. The first one is at the list's own position; the active request is ignored.
pub(crate) fn chunks<L: CursorList, C: Connect>(
    mut list: L,
    connection: C,
    page_size: u64,
) -> impl Stream<Item = Result<CursorPaginator<L::Row>>> {
    let begin: Next<IntervalRequest> = Some(begin(list.position()));
    stream::try_unfold((begin, connection), move |(next, mut connection)| {
        let list = list.clone();
        async move {
            let Some(request) = next else { return Ok(None) };
            let (page, rest) = page_from(list, &mut connection, request?, page_size).await?;
            Ok(Some((page, (rest.map(Ok), connection))))
        }
    })
}

/// A page of these rows, and the request for those after it.
async fn page_from<L: CursorList>(
    list: L,
    connection: &mut impl Connect,
    request: IntervalRequest,
    page_size: u64,
) -> Result<(CursorPaginator<L::Row>, Option<IntervalRequest>)> {
    fetch::check_per_page(page_size)?;
    let (page, is_truncated) = page_of(list, connection, page_size, request.clone()).await?;
    let rest = request.after_page(page.next_cursor.clone(), is_truncated);
    Ok((page, rest))
}

/// The rows of the list, read a page at a time, without a total and cursors.
pub(crate) fn rows<L: CursorList, C: Connect>(
    mut list: L,
    connection: C,
    page_size: u64,
) -> impl Stream<Item = Result<L::Row>> {
    list.uncount();
    list.position().row_cursors = false;
    row_chunks(list, connection, page_size).map_ok(|rows| stream::iter(rows.into_iter().map(Ok))).try_flatten()
}

/// The rows of the list, a page of them at a time.
fn row_chunks<L: CursorList, C: Connect>(
    mut list: L,
    connection: C,
    page_size: u64,
) -> impl Stream<Item = Result<Vec<L::Row>>> {
    let begin: Next<StreamPosition> = Some(begin(list.position()).map(StreamPosition::Begin));
    stream::try_unfold((begin, connection), move |(next, mut connection)| {
        let list = list.clone();
        async move {
            let Some(position) = next else { return Ok(None) };
            let (rows, rest) = rows_from(list, &mut connection, position?, page_size).await?;
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
async fn rows_from<L: CursorList>(
    list: L,
    connection: &mut impl Connect,
    position: StreamPosition,
    page_size: u64,
) -> Result<fetch::StreamRows<L::Row>> {
    fetch::check_per_page(page_size)?;
    let (source, select) = compiled(list, connection)?;
    fetch::rows_after(source, select, page_size, position).await
}
