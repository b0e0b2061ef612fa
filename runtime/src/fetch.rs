//! The only file that runs SQL: a count, a page by offset, a page by keyset. One connection serves a whole call.

use std::future::poll_fn;
use std::pin::pin;

use self::doubt::Doubt;
use self::key::{key, named};
use crate::app;
use crate::checks;
use crate::connection::{Connection, Held};
use crate::crypt::{Keyring, Salt};
use crate::cursor::{Cursor, CursorDirection, Part};
use crate::driver::{Driver, Reader};
use crate::error::{FrameworkError, Result};
use crate::keyset::{Boundary, Dialect};
use crate::listing::Slice;
use crate::order::Term;
use crate::paginator::{CursorPaginator, LengthAwarePaginator, Paginator};
use crate::pool::{PoolId, dispatch};
use crate::route::Source;
use crate::schema;
use crate::select::{Listed, Total};
use crate::statement::Prepared;
use crate::value::Variant;
use crate::walk::{Base, Order, Walk, Walking};

mod by_hand;
mod doubt;
mod key;

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
    list: Listed<T>,
    per_page: u64,
    page: u64,
) -> Result<LengthAwarePaginator<T>> {
    let is_far = offset(page, per_page).is_some_and(|offset| offset >= FAR);
    let reversible = list.total == Total::Counted && list.listing.is_reversible(source.dialect());
    let mut connection =
        if is_far && reversible { source.connect_to_snapshot().await? } else { source.connect().await? };
    dispatch!(Connection, &mut connection, held => length_aware_by(held, &list, per_page, page).await)
}

async fn length_aware_by<D: Driver, T>(
    connection: &mut Held<D>,
    Listed { reader, listing, total: how }: &Listed<T>,
    per_page: u64,
    page: u64,
) -> Result<LengthAwarePaginator<T>> {
    let mut total = match *how {
        Total::Counted => count::<D>(connection, listing.count::<D>()).await?,
        Total::Known(total) => total,
        Total::Estimated => match connection.estimate(listing.all::<D>()).await? {
            Some(estimate) => estimate,
            None => count::<D>(connection, listing.count::<D>()).await?,
        },
    };
    // An estimate says nothing of whether there is such a page.
    let is_there = |offset: &u64| *offset < total || *how == Total::Estimated;
    let data = match offset(page, per_page).filter(is_there) {
        Some(offset) => {
            let forwards = Slice { offset, limit: per_page.min(MAX_PER_PAGE), backwards: false };
            let slice = if connection.is_snapshot() { nearest(forwards, total) } else { forwards };
            let mut rows = all(connection, reader, listing.page::<D>(slice)).await?;
            if slice.backwards {
                rows.reverse();
            }
            if *how == Total::Estimated {
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
pub(crate) async fn simple<T>(source: Source, list: Listed<T>, per_page: u64, page: u64) -> Result<Paginator<T>> {
    let mut connection = source.connect().await?;
    dispatch!(Connection, &mut connection, held => simple_by(held, &list, per_page, page).await)
}

async fn simple_by<D: Driver, T>(
    connection: &mut Held<D>,
    list: &Listed<T>,
    per_page: u64,
    page: u64,
) -> Result<Paginator<T>> {
    let data = match offset(page, per_page) {
        Some(offset) => {
            let slice = Slice { offset, limit: probed(per_page), backwards: false };
            all(connection, &list.reader, list.listing.page::<D>(slice)).await?
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
    let pool = source.pool_id();
    let mut connection = source.connect().await?;
    if let Some(advice) = app::advice() {
        dispatch!(Connection, &mut connection, held => advice.give(held, &select.walk.terms, &pool).await);
    }
    dispatch!(Connection, &mut connection, held => page_by(held, select, &pool, per_page, from).await)
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
    pool: &PoolId,
    per_page: u64,
    from: Option<&Cursor>,
) -> Result<Page<T>> {
    let resolved = match from.filter(|cursor| cursor.by_hand) {
        Some(cursor) => match by_hand::resolve(connection, &select.walk, cursor).await? {
            Some(cursor) => Some(cursor),
            None => return Ok(Page { data: Vec::new(), next: None, prev: None }),
        },
        None => None,
    };
    let from = resolved.as_ref().or(from);
    check_columns::<D, T>(connection, select).await?;
    let walk = &*select.walk;
    // A first page in an index's own order has no condition that could leave a row out.
    let natural = walk.sorts.iter().all(|sort| sort.is_natural(D::DIALECT));
    if from.is_none() && natural && D::DIALECT != Dialect::MySql {
        return page_in(connection, select, &walk.order(D::DIALECT, Vec::new()), per_page, from).await;
    }
    let info = match walk.table {
        Some(table) => schema::of(connection, table, pool).await,
        None => None,
    };
    let order = walk.order_by(D::DIALECT, info);
    match (page_in(connection, select, &order, per_page, from).await, walk.table) {
        (Err(FrameworkError::Database(error)), Some(table)) if D::is_missing_index(&error) => {
            schema::forget(table, pool);
            page_in(connection, select, &order.without_index(), per_page, from).await
        }
        (page, _) => page,
    }
}

/// One page in an order.
async fn page_in<D: Driver, T>(
    connection: &mut Held<D>,
    select: &Walking<T>,
    order: &Order<'_>,
    per_page: u64,
    from: Option<&Cursor>,
) -> Result<Page<T>> {
    let direction = from.map_or(CursorDirection::Next, |cursor| cursor.direction);
    let run = run::<D, T>(connection, select, order, per_page, from).await?;
    let Some(Run { mut data, near, far, more, doubt }) = run else {
        return emptied::<D, T>(connection, select, order, from).await;
    };
    if let Some(doubt) = doubt {
        doubt.resolve(connection, select, [near.as_slice(), far.as_slice()]).await?;
    }
    if direction == CursorDirection::Prev {
        data.reverse();
    }
    let ahead = more.then(|| Cursor::at(direction, far));
    let back = match from {
        None => None,
        Some(cursor) => {
            let back = Cursor::at(direction.flip(), near);
            // The boundary's own row lies on that side, unless it is on this page.
            (!cursor.inclusive || any::<D, T>(connection, select, order, &back).await?).then_some(back)
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
    /// Whether there is a row after it.
    more: bool,
    /// The doubt whether a value in one of the keys is the one in the table.
    doubt: Option<Doubt>,
}

/// Reads a page's rows; `None` where there are none.
async fn run<D: Driver, T>(
    connection: &mut Held<D>,
    select: &Walking<T>,
    order: &Order<'_>,
    per_page: u64,
    from: Option<&Cursor>,
) -> Result<Option<Run<T>>> {
    let walk = &*select.walk;
    let mut data = Vec::with_capacity(reserved(per_page));
    let (mut near, mut last, mut probe) = (None, None, None);
    let read = |row: D::Row| {
        if near.is_none() && matches!(select.base, Base::Caller(_)) {
            checks::refuse_equal_names::<D>(&row)?;
        }
        if u64::try_from(data.len()).is_ok_and(|read| read >= per_page) {
            probe = Some(row);
        } else {
            // Where it is the key that no row can be read with, its own error tells more.
            let read = D::read(&select.reader, &row);
            data.push(read.map_err(|error| key::<D>(walk, &row).err().unwrap_or(error))?);
            if near.is_none() {
                let key = key::<D>(walk, &row)?;
                near = Some((Doubt::of::<D>(walk, &row, &key)?, key));
            }
            last = Some(row);
        }
        Ok(())
    };
    connection.fetch(select.after::<D>(order, from, probed(per_page)), read).await?;
    let (Some((doubt, near)), Some(last)) = (near, last) else { return Ok(None) };
    let far = key::<D>(walk, &last)?;
    let doubt = doubt.or(Doubt::of::<D>(walk, &last, &far)?);
    checks::refuse_standstill(walk, from, &near)?;
    // What the extra row tells: that the walk goes on.
    let more = probe.is_some();
    if let Some(probe) = probe {
        let next = key::<D>(walk, &probe)?;
        checks::refuse_tie(connection, select, [&far, &next]).await?;
    }
    Ok(Some(Run { data, near, far, more, doubt }))
}

/// Looks at the columns' types where pages are put together of several selects: the rows of those have types of their own.
async fn check_columns<D: Driver, T>(connection: &mut Held<D>, select: &Walking<T>) -> Result<()> {
    let walk = &*select.walk;
    if walk.sorts.iter().all(|sort| sort.is_natural(D::DIALECT)) {
        return Ok(());
    }
    let is_text = |term: &Term| matches!(term.key.variant, Variant::String | Variant::Bytes);
    let texts = walk.terms.iter().zip(&walk.sorts).filter(|(term, _)| is_text(term));
    for (term, sort) in texts {
        connection
            .check_column(&select.base.select(), &sort.output)
            .await
            .map_err(|error| named(term.key.name, error))?;
    }
    Ok(())
}

/// A page whose rows are gone. It leads back to where it was come from, if there is anything left.
async fn emptied<D: Driver, T>(
    connection: &mut Held<D>,
    select: &Walking<T>,
    order: &Order<'_>,
    from: Option<&Cursor>,
) -> Result<Page<T>> {
    let mut page = Page { data: Vec::new(), next: None, prev: None };
    let Some(from) = from else { return Ok(page) };
    let back = Cursor { inclusive: !from.inclusive, ..Cursor::at(from.direction.flip(), from.boundary.clone()) };
    if any::<D, T>(connection, select, order, &back).await? {
        match back.direction {
            CursorDirection::Next => page.next = Some(back),
            CursorDirection::Prev => page.prev = Some(back),
        }
    }
    Ok(page)
}

/// Whether there is a row behind a cursor.
async fn any<D: Driver, T>(
    connection: &mut Held<D>,
    select: &Walking<T>,
    order: &Order<'_>,
    cursor: &Cursor,
) -> Result<bool> {
    Ok(connection.fetch_first(select.after::<D>(order, Some(cursor), 1)).await?.is_some())
}

impl<T> Walking<T> {
    /// The rows after a cursor in its direction, the nearest first; without one the first of all.
    fn after<D: Driver>(&self, order: &Order<'_>, from: Option<&Cursor>, limit: u64) -> Prepared {
        let direction = from.map_or(CursorDirection::Next, |cursor| cursor.direction);
        let values: Vec<_> = from.into_iter().flat_map(|cursor| cursor.boundary.iter().map(Part::bound)).collect();
        let boundary = from.map(|cursor| Boundary { values: &values, inclusive: cursor.inclusive });
        self.base.page::<D>(&self.walk, order, direction, boundary, limit)
    }
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
