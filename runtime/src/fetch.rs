//! The only file that runs SQL: a count, a page by offset, a page by keyset. One connection serves a whole call.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;

use crate::app;
use crate::connection::{Connection, Held, Source, dispatch};
use crate::crypt::{Keyring, Salt};
use crate::cursor::{Cursor, CursorDirection, Part};
use crate::driver::{Driver, Reader, refused};
use crate::error::{FrameworkError, Result};
use crate::keyset::{Boundary, Sort};
use crate::listing::Slice;
use crate::order::Term;
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};
use crate::select::{Select, Total};
use crate::statement::Prepared;
use crate::value::{self, Value, Variant};
use crate::walk::Walk;

/// The most rows that a page has. One more is fetched, and LIMIT is an i64 on every database.
const MAX_PER_PAGE: u64 = i64::MAX as u64 - 1;

/// From which offset on a page is read from the end of its list, where that is nearer. It has to be counted and read in
/// one snapshot then: a row that is added or deleted in between would move the page. To begin a transaction takes as long
/// as passing this many rows over takes, at most.
const FAR: u64 = 10_000;

/// Refuses a page size of 0, which no page can answer.
pub(crate) fn check_per_page(per_page: u64) -> Result<()> {
    if per_page == 0 { Err(FrameworkError::ParamError { param_name: "per_page".into() }) } else { Ok(()) }
}

/// One page with the total: a count, and the rows unless there are none.
pub(crate) async fn length_aware<T>(
    source: Source,
    select: Select<T>,
    per_page: u64,
    page: u64,
) -> Result<LengthAwarePaginator<T>> {
    let is_far = offset(page, per_page).is_some_and(|offset| offset >= FAR);
    let reversible = select.total() == Total::Counted && select.is_reversible(source.dialect());
    let mut connection =
        if is_far && reversible { source.connect_to_snapshot().await? } else { source.connect().await? };
    dispatch!(Connection, &mut connection, held => length_aware_by(held, &select, per_page, page).await)
}

async fn length_aware_by<D: Driver, T>(
    connection: &mut Held<D>,
    select: &Select<T>,
    per_page: u64,
    page: u64,
) -> Result<LengthAwarePaginator<T>> {
    let mut total = match select.total() {
        Total::Counted => count::<D>(connection, select.count::<D>()).await?,
        Total::Known(total) => total,
        Total::Estimated => match connection.estimate(select.all::<D>()).await? {
            Some(estimate) => estimate,
            None => count::<D>(connection, select.count::<D>()).await?,
        },
    };
    // An estimate says nothing of whether there is such a page.
    let is_there = |offset: &u64| *offset < total || select.total() == Total::Estimated;
    let data = match offset(page, per_page).filter(is_there) {
        Some(offset) => {
            let forwards = Slice { offset, limit: per_page.min(MAX_PER_PAGE), backwards: false };
            let slice = if connection.is_snapshot() { nearest(forwards, total) } else { forwards };
            let mut rows = all(connection, &select.reader(), select.page::<D>(slice)).await?;
            if slice.backwards {
                rows.reverse();
            }
            if select.total() == Total::Estimated {
                total = corrected(total, offset, per_page, rows.len());
            }
            rows
        }
        None => Vec::new(),
    };
    Ok(LengthAwarePaginator::new(data, total, per_page, page))
}

/// The same rows of `total`, from the end that they are nearer to.
fn nearest(slice: Slice, total: u64) -> Slice {
    let behind = total.saturating_sub(slice.offset);
    let limit = slice.limit.min(behind);
    let offset = behind.saturating_sub(limit);
    if offset < slice.offset { Slice { offset, limit, backwards: true } } else { slice }
}

/// An estimated total, after what a page has shown: a page that is not full is the last, and one without rows lies past
/// the end.
fn corrected(estimate: u64, offset: u64, per_page: u64, rows: usize) -> u64 {
    let rows = u64::try_from(rows).unwrap_or(u64::MAX);
    let seen = offset.saturating_add(rows);
    match rows {
        0 => estimate.min(offset),
        rows if rows < per_page => seen,
        _ => estimate.max(seen),
    }
}

/// One page without the total: the rows and one more, which tells whether there is a next page.
pub(crate) async fn simple<T>(source: Source, select: Select<T>, per_page: u64, page: u64) -> Result<Paginator<T>> {
    let mut connection = source.connect().await?;
    dispatch!(Connection, &mut connection, held => simple_by(held, &select, per_page, page).await)
}

async fn simple_by<D: Driver, T>(
    connection: &mut Held<D>,
    select: &Select<T>,
    per_page: u64,
    page: u64,
) -> Result<Paginator<T>> {
    let data = match offset(page, per_page) {
        Some(offset) => {
            let slice = Slice { offset, limit: probed(per_page), backwards: false };
            all(connection, &select.reader(), select.page::<D>(slice)).await?
        }
        None => Vec::new(),
    };
    Ok(Paginator::from_probe(data, page, per_page))
}

/// One page by keyset, from a cursor or from the beginning, with its cursors sealed.
pub(crate) async fn cursor<T>(
    source: Source,
    select: Walking<T>,
    per_page: u64,
    token: Option<String>,
) -> Result<CursorPaginator<T>> {
    let keyring = app::keyring()?;
    let from = token.as_deref().map(|token| select.walk.open(&keyring, token)).transpose()?;
    let mut salts = None;
    let mut reading = pin!(page(source, &select, per_page, from.as_ref()));
    // The salts are drawn while the database works: to ask the operating system takes as long as to seal.
    let page = poll_fn(|context| {
        let page = reading.as_mut().poll(context);
        salts.get_or_insert_with(Salt::fresh);
        page
    });
    page.await?.seal(&keyring, &select.walk, per_page, token, salts.unwrap_or_else(Salt::fresh)?)
}

/// Where a stream of rows goes on.
pub(crate) enum Place {
    /// At the cursor that it was begun with, if any.
    Token(Option<String>),
    Behind(Cursor),
}

/// One page by keyset without cursors, and where the next one begins.
pub(crate) async fn stretch<T>(
    source: Source,
    select: Walking<T>,
    per_page: u64,
    place: Place,
) -> Result<(Vec<T>, Option<Place>)> {
    let from = match place {
        Place::Token(token) => token.map(|token| select.walk.open(&*app::keyring()?, &token)).transpose()?,
        Place::Behind(cursor) => Some(cursor),
    };
    let page = page(source, &select, per_page, from.as_ref()).await?;
    Ok((page.data, page.next.map(Place::Behind)))
}

/// One page by keyset, from a cursor or from the beginning.
async fn page<T>(source: Source, select: &Walking<T>, per_page: u64, from: Option<&Cursor>) -> Result<Page<T>> {
    let mut connection = source.connect().await?;
    if let Some(advice) = app::advice() {
        dispatch!(Connection, &mut connection, held => advice.give(held, &select.walk.terms).await);
    }
    dispatch!(Connection, &mut connection, held => page_by(held, select, per_page, from).await)
}

/// A select with its walk.
pub(crate) struct Walking<T> {
    pub(crate) reader: Reader<T>,
    pub(crate) walk: Arc<Walk>,
    /// The caller's values, where the walk is kept from one call to the next; else it has them itself.
    pub(crate) own: Option<Vec<Value>>,
}

/// A page of a walk, before its cursors are sealed.
struct Page<T> {
    data: Vec<T>,
    next: Option<Cursor>,
    prev: Option<Cursor>,
}

impl<T> Page<T> {
    fn seal(
        self,
        keyring: &Keyring,
        walk: &Walk,
        per_page: u64,
        token: Option<String>,
        [next, prev]: [Salt; 2],
    ) -> Result<CursorPaginator<T>> {
        let seal =
            |cursor: Option<Cursor>, salt| cursor.map(|cursor| cursor.seal(keyring, &walk.scope, salt)).transpose();
        let page = CursorPaginator::new(self.data, per_page, seal(self.next, next)?, seal(self.prev, prev)?);
        Ok(CursorPaginator { cursor: token, ..page })
    }
}

async fn page_by<D: Driver, T>(
    connection: &mut Held<D>,
    select: &Walking<T>,
    per_page: u64,
    from: Option<&Cursor>,
) -> Result<Page<T>> {
    let walk = &*select.walk;
    let direction = from.map_or(CursorDirection::Next, |cursor| cursor.direction);
    check_columns::<D>(connection, walk).await?;
    let Some(Run { mut data, near, far, more }) = run::<D, T>(connection, select, per_page, from).await? else {
        return emptied::<D, T>(connection, select, from).await;
    };
    if direction == CursorDirection::Prev {
        data.reverse();
    }
    let ahead = more.then(|| cursor_at(direction, far));
    let back = match from {
        None => None,
        Some(cursor) => {
            let back = cursor_at(direction.flip(), near);
            // The boundary's own row lies on that side, unless it is on this page.
            (!cursor.inclusive || any::<D, T>(connection, select, &back).await?).then_some(back)
        }
    };
    Ok(match direction {
        CursorDirection::Next => Page { data, next: ahead, prev: back },
        CursorDirection::Prev => Page { data, next: back, prev: ahead },
    })
}

/// The rows of a page in the order in which they were walked to.
struct Run<T> {
    data: Vec<T>,
    /// The key of the first row.
    near: Vec<Part>,
    /// The key of the last row.
    far: Vec<Part>,
    /// Whether there is a row behind it.
    more: bool,
}

/// Reads a page's rows; `None` where there are none.
async fn run<D: Driver, T>(
    connection: &mut Held<D>,
    select: &Walking<T>,
    per_page: u64,
    from: Option<&Cursor>,
) -> Result<Option<Run<T>>> {
    let walk = &*select.walk;
    let mut data = Vec::with_capacity(reserved(per_page));
    let (mut near, mut last, mut probe) = (None, None, None);
    let read = |row: D::Row| {
        if u64::try_from(data.len()).is_ok_and(|read| read >= per_page) {
            probe = Some(row);
        } else {
            // Where it is the key that no row can be read with, its own error tells more.
            let read = D::read(&select.reader, &row);
            data.push(read.map_err(|error| key::<D>(walk, &row).err().unwrap_or(error))?);
            if near.is_none() {
                near = Some(key::<D>(walk, &row)?);
            }
            last = Some(row);
        }
        Ok(())
    };
    connection.fetch(select.behind::<D>(from, probed(per_page)), read).await?;
    let (Some(near), Some(last)) = (near, last) else { return Ok(None) };
    let far = key::<D>(walk, &last)?;
    // What the extra row tells: that the walk goes on.
    let more = probe.is_some();
    if !walk.total
        && let Some(probe) = probe
        && key::<D>(walk, &probe)? == far
    {
        return Err(not_total(walk));
    }
    Ok(Some(Run { data, near, far, more }))
}

/// Looks at the columns' types where pages are put together of several selects: the rows of those have types of their own.
async fn check_columns<D: Driver>(connection: &mut Held<D>, walk: &Walk) -> Result<()> {
    if walk.sorts.iter().all(|sort| sort.is_natural(D::DIALECT)) {
        return Ok(());
    }
    let is_text = |term: &Term| matches!(term.key.variant, Variant::String | Variant::Bytes);
    let texts = walk.terms.iter().zip(&walk.sorts).filter(|(term, _)| is_text(term));
    for (term, sort) in texts {
        connection.check_column(&walk.base, &sort.output).await.map_err(|error| named(term.key.name, error))?;
    }
    Ok(())
}

/// A page whose rows are gone. It leads back to where it was come from, if there is anything left.
async fn emptied<D: Driver, T>(
    connection: &mut Held<D>,
    select: &Walking<T>,
    from: Option<&Cursor>,
) -> Result<Page<T>> {
    let mut page = Page { data: Vec::new(), next: None, prev: None };
    let Some(from) = from else { return Ok(page) };
    let back = Cursor { direction: from.direction.flip(), inclusive: !from.inclusive, boundary: from.boundary.clone() };
    if any::<D, T>(connection, select, &back).await? {
        match back.direction {
            CursorDirection::Next => page.next = Some(back),
            CursorDirection::Prev => page.prev = Some(back),
        }
    }
    Ok(page)
}

/// Whether there is a row behind a cursor.
async fn any<D: Driver, T>(connection: &mut Held<D>, select: &Walking<T>, cursor: &Cursor) -> Result<bool> {
    Ok(connection.fetch_first(select.behind::<D>(Some(cursor), 1)).await?.is_some())
}

impl<T> Walking<T> {
    /// The rows behind a cursor in its direction, the nearest first; without one the first of all.
    fn behind<D: Driver>(&self, from: Option<&Cursor>, limit: u64) -> Prepared {
        let direction = from.map_or(CursorDirection::Next, |cursor| cursor.direction);
        let values: Vec<_> = from.into_iter().flat_map(|cursor| cursor.boundary.iter().map(Part::bound)).collect();
        let boundary = from.map(|cursor| Boundary { values: &values, inclusive: cursor.inclusive });
        self.walk.page::<D>(self.own.as_deref(), direction, boundary, limit)
    }
}

fn cursor_at(direction: CursorDirection, boundary: Vec<Part>) -> Cursor {
    Cursor { direction, boundary, inclusive: false }
}

/// The key of a row.
fn key<D: Driver>(walk: &Walk, row: &D::Row) -> sqlx::Result<Vec<Part>> {
    let part = |(term, sort): (&Term, &Sort)| {
        let column = term.key.name;
        let part = D::part(row, &sort.output, term.key.variant).map_err(|error| named(column, error))?;
        if term.key.nulls.is_none() && value::is_null(&part.value) {
            Err(refused(column, "the cursor key has NULL where its type has none: make the column's type an Option"))
        } else if value::is_nan(&part.value) {
            Err(refused(column, "the cursor key has NaN, which no order has a place for"))
        } else {
            Ok(part)
        }
    };
    walk.terms.iter().zip(&walk.sorts).map(part).collect()
}

/// The error with the column's own name, which may have another in the rows.
fn named(column: &str, error: sqlx::Error) -> sqlx::Error {
    match error {
        sqlx::Error::ColumnDecode { source, .. } => refused(column, source),
        other => other,
    }
}

fn not_total(walk: &Walk) -> FrameworkError {
    let columns: Vec<&str> = walk.terms.iter().map(|term| term.key.name).collect();
    FrameworkError::internal(format!(
        "rows tie in the cursor order ({}), so a page would lose one: end the order with a unique column",
        columns.join(", ")
    ))
}

async fn count<D: Driver>(connection: &mut Held<D>, select: Prepared) -> Result<u64> {
    let row = connection.fetch_first(select).await?.ok_or(sqlx::Error::RowNotFound)?;
    let count = D::count(&row)?;
    u64::try_from(count).map_err(|error| sqlx::Error::Decode(error.into()).into())
}

/// The rows of a select.
async fn all<D: Driver, T>(connection: &mut Held<D>, reader: &Reader<T>, select: Prepared) -> Result<Vec<T>> {
    let mut data = Vec::new();
    let read = |row| {
        data.push(D::read(reader, &row)?);
        Ok(())
    };
    connection.fetch(select, read).await?;
    Ok(data)
}

/// For how many rows there is room from the beginning: a page that is larger makes room as its rows come, for it may
/// have been asked for without there being so many.
fn reserved(per_page: u64) -> usize {
    usize::try_from(per_page.min(64)).unwrap_or_default()
}

/// How many rows are asked for to know whether there are more than a page of them.
fn probed(per_page: u64) -> u64 {
    per_page.min(MAX_PER_PAGE).saturating_add(1)
}

/// How many rows lie before a page, where a database can count so far.
fn offset(page: u64, per_page: u64) -> Option<u64> {
    let before = u128::from(page.saturating_sub(1)).checked_mul(u128::from(per_page))?;
    i64::try_from(before).ok()?.try_into().ok()
}
