//! Reads cursor pages: opens the cursors of a request, and seals those of its page.
//!
//! One statement reads the rows of a page and one more, which shows whether there is another page. Further statements
//! are exceptions:
//!
//! - before the page: the table's catalog, once a minute; the columns of SQL text, once for each text; the types of text
//!   columns if several selects make the page; the stored form of values that no page has sealed
//!   (`from_key.rs`, `seek.rs`); the groups of a feed that can have rows on the page (`page_reader/candidates.rs`)
//! - instead of the page: the same page again, if an index that its statement names no longer exists, or if rows of a
//!   feed were deleted after the lookup
//! - after the page: rows with NULL that come last, if the page came up short; rows that it leaves out, if its own
//!   statement does not look for them; a key that may have been rounded; neighbours that may tie; rows before a page
//!   that begins at a value, or on both sides of an empty page; a count for a total
//! - around the page: BEGIN and COMMIT, if the connection keeps no prepared statements or would leave a transaction open

use std::future::poll_fn;
use std::pin::{Pin, pin};

use futures_util::future::BoxFuture;

use super::from_key;
use super::interval::{Interval, WindowRequest};
use super::key::Key;
use super::list::KeysetSelect;
use super::page_reader::{Page, PageReader};
use super::seek;
use super::subject::Subject;
use super::total::ListReader;
use crate::crypt::Salt;
use crate::cursor::{Cursor, CursorBinding, CursorDirection, CursorKeys, Origin};
use crate::driver::{Driver, RowSink};
use crate::error::{FrameworkError, Refusal, Result};
use crate::index_advisor::IndexAdvisor;
use crate::keyset::{KeysetOrder, KeysetQuery};
use crate::paginator::Total;
use crate::pool::{PoolId, dispatch};
use crate::request::context::Context;
use crate::source::route::Source;
use crate::source::{AnyLease, Lease};

/// A page with its cursors sealed, without its rows.
pub(crate) struct WindowPage {
    pub(crate) next: Option<String>,
    pub(crate) prev: Option<String>,
    /// A cursor at each row, if they were asked for.
    pub(crate) row_cursors: Option<Vec<String>>,
    /// Whether more rows than these are between the two cursors of the request.
    pub(crate) is_truncated: bool,
    pub(crate) total: Option<Total>,
}

/// Reads the rows of a request into `rows`, and seals their cursors. The database may refuse the value of a cursor.
pub(crate) fn window<'a>(
    context: &'a Context,
    source: Source<'a>,
    select: KeysetSelect,
    request: WindowRequest,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<Result<WindowPage, Refusal>>> {
    let subject = Subject::new(&source, select.query.base.table(), rows);
    Box::pin(subject.reading(async move {
        let keys = context.cursor_keys()?;
        let has_row_cursors = request.row_cursors;
        let interval = Interval::open(request, &select.query.order, |token| select.query.open(&keys, token))?;
        let mut salts = None;
        let page = match with_salts(&mut salts, pin!(page(context, source, &select, interval, rows))).await? {
            Ok(page) => page,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let (order, binding) = (&select.query.order, &select.query.cursor_binding());
        let seal = Seal { keys: &keys, order, binding, has_row_cursors };
        seal.page(*page, salts.unwrap_or_else(Salt::fresh)?).map(Ok)
    }))
}

/// Rejects a cursor that is not one of the list, so that the error can name where it came from.
#[cfg(feature = "json-api")]
pub(crate) fn check_cursor(context: &Context, query: &KeysetQuery, token: &str) -> Result<()> {
    query.open(&context.cursor_keys()?, token).map(drop)
}

/// Reads a page, and makes the salts of its cursors.
///
/// Asking the operating system for salts takes as long as sealing, so it is done while the database works.
async fn with_salts<T>(salts: &mut Option<Result<[Salt; 2]>>, mut reading: Pin<&mut impl Future<Output = T>>) -> T {
    poll_fn(|context| {
        let page = reading.as_mut().poll(context);
        salts.get_or_insert_with(Salt::fresh);
        page
    })
    .await
}

/// What the cursors of a list are sealed with.
pub(super) struct Seal<'a> {
    pub(super) keys: &'a CursorKeys,
    pub(super) order: &'a KeysetOrder,
    pub(super) binding: &'a CursorBinding,
    pub(super) has_row_cursors: bool,
}

impl Seal<'_> {
    pub(super) fn page(&self, page: Page, [next, prev]: [Salt; 2]) -> Result<WindowPage> {
        let Page { keys, is_truncated, total, .. } = page;
        let row_cursors = self.has_row_cursors.then(|| self.all(keys)).transpose()?;
        let (next, prev) = (self.one(page.next, next)?, self.one(page.prev, prev)?);
        Ok(WindowPage { next, prev, row_cursors, is_truncated, total })
    }

    fn one(&self, cursor: Option<Cursor>, salt: Salt) -> Result<Option<String>> {
        cursor.map(|cursor| self.seal(&cursor, salt)).transpose()
    }

    fn seal(&self, cursor: &Cursor, salt: Salt) -> Result<String> {
        let names = || self.order.terms.iter().map(|term| term.key.name);
        cursor.seal(self.keys, self.binding, salt).map_err(|error| error.naming(names()))
    }

    /// A cursor at each row of a page, by the keys of the rows.
    fn all(&self, keys: Vec<Key>) -> Result<Vec<String>> {
        let salts = Salt::many(keys.len())?;
        let cursors = keys.into_iter().map(|key| Cursor::at(CursorDirection::Next, key));
        cursors.zip(salts).map(|(cursor, salt)| self.seal(&cursor, salt)).collect()
    }
}

/// Where a stream of rows continues.
pub(crate) enum StreamPosition {
    /// Where it was asked to begin.
    Begin(WindowRequest),
    /// At the rest of the rows.
    Rest(Interval),
}

/// Reads one page into `rows`, without sealed cursors, and returns where the next one begins.
pub(crate) fn rows_after<'a>(
    context: &'a Context,
    source: Source<'a>,
    select: KeysetSelect,
    position: StreamPosition,
    rows: &'a mut dyn RowSink,
) -> BoxFuture<'a, Result<Option<StreamPosition>>> {
    let subject = Subject::new(&source, select.query.base.table(), rows);
    Box::pin(subject.reading(async move {
        let interval = match position {
            StreamPosition::Begin(request) => {
                let query = &select.query;
                // A keyring is only needed for sealed cursors.
                Interval::open(request, &query.order, |token| query.open(&context.cursor_keys()?, token))?
            }
            StreamPosition::Rest(interval) => interval,
        };
        let rest = interval.clone();
        let page = page(context, source, &select, interval, rows).await??;
        Ok(rest.after_page(page.next, page.is_truncated).map(StreamPosition::Rest))
    }))
}

/// Reads an interval into `rows`, over a connection of the source.
async fn page(
    context: &Context,
    source: Source<'_>,
    select: &KeysetSelect,
    interval: Interval,
    rows: &mut dyn RowSink,
) -> Result<Result<Box<Page>, Refusal>> {
    let pool = source.pool_id();
    let mut connection = source.connect().await?;
    if let Some(advisor) = context.settings::<IndexAdvisor>() {
        Box::pin(advise(&advisor, &mut connection, &select.query, pool.as_ref())).await;
    }
    let page = dispatch!(AnyLease, &mut connection, held => {
        let mut page = match read_page(held, &select.query, pool.as_ref(), interval, rows).await? {
            Ok(page) => page,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if let Some(list) = &select.counted {
            page.total = Some(Box::pin(ListReader { connection: held, list }.total()).await?);
        }
        page
    });
    connection.end().await?;
    Ok(Ok(page))
}

/// Warns if no index serves the list.
pub(super) async fn advise(
    advisor: &IndexAdvisor,
    connection: &mut AnyLease<'_>,
    query: &KeysetQuery,
    pool: Option<&PoolId>,
) {
    dispatch!(AnyLease, connection, held => advisor.check(held, query, pool).await);
}

/// Reads a page. A cursor that the database refuses, because its column's type has changed, is invalid.
async fn read_page<D: Driver>(
    connection: &mut Lease<'_, D>,
    query: &KeysetQuery,
    pool: Option<&PoolId>,
    mut interval: Interval,
    rows: &mut dyn RowSink,
) -> Result<Result<Box<Page>, Refusal>> {
    let refusal = refusal(&mut interval);
    match (read_resolved(connection, query, pool, &mut interval, rows).await, refusal) {
        (Err(FrameworkError::Database(cause)), Some(refusal)) if D::refuses_boundary(&cause) => Ok(Err(refusal)),
        (page, _) => page.map(Ok),
    }
}

/// What it means if the database refuses a cursor of the interval; `None` if it has none.
fn refusal(interval: &mut Interval) -> Option<Refusal> {
    interval.cursors().next()?;
    let has_row_cursor = interval.cursors().any(|cursor| cursor.is_of_row());
    Some(if has_row_cursor { Refusal::InvalidCursor } else { Refusal::InvalidStart })
}

/// Resolves the cursors to their stored values, then reads the page.
async fn read_resolved<D: Driver>(
    connection: &mut Lease<'_, D>,
    query: &KeysetQuery,
    pool: Option<&PoolId>,
    interval: &mut Interval,
    rows: &mut dyn RowSink,
) -> Result<Box<Page>> {
    let is_resolved = interval.cursors().all(|cursor| cursor.origin == Origin::Row);
    if !is_resolved && !Box::pin(resolve(connection, query, interval)).await? {
        return Ok(Box::default());
    }
    PageReader::new(connection, query, interval).read(pool, rows).await
}

/// Replaces the values of each cursor by their stored forms. Returns whether the list has rows.
async fn resolve<D: Driver>(
    connection: &mut Lease<'_, D>,
    query: &KeysetQuery,
    interval: &mut Interval,
) -> Result<bool> {
    for cursor in interval.cursors() {
        let resolved = match cursor.origin {
            Origin::Row => continue,
            Origin::Key => from_key::resolve(connection, &query.order, cursor).await?,
            Origin::Values => seek::resolve(connection, query, cursor).await?,
        };
        let Some(resolved) = resolved else { return Ok(false) };
        *cursor = resolved;
    }
    Ok(true)
}

#[cfg(test)]
mod tests;
