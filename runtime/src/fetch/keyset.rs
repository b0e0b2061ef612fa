//! Cursor pages.

use std::future::poll_fn;
use std::pin::pin;

use super::doubt::Doubt;
use super::key::{key, named};
use super::{by_hand, checks, with_lookahead};
use crate::app;
use crate::connection::schema;
use crate::connection::{Connection, ConnectionGuard};
use crate::crypt::{Keyring, Salt};
use crate::cursor::{Cursor, CursorDirection, Part};
use crate::dialect::Dialect;
use crate::driver::Driver;
use crate::error::{FrameworkError, Result};
use crate::model::order::Term;
use crate::paginator::CursorPaginator;
use crate::pool::{PoolId, dispatch};
use crate::query::bound_sql::BoundSql;
use crate::query::keyset::{Base, KeysetQuery, Order, Walk};
use crate::query::predicate::Boundary;
use crate::route::Source;
use crate::value::Variant;

/// One page by keyset, from a cursor or from the beginning, with its cursors sealed.
pub(crate) async fn cursor<T>(
    source: Source,
    select: KeysetQuery<T>,
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

/// Where a stream of rows continues.
pub(crate) enum StreamPosition {
    /// At the cursor that it was begun with, if any.
    Token(Option<String>),
    Behind(Cursor),
}

/// One page by keyset without cursors, and where the next one begins.
pub(crate) async fn rows_after<T>(
    source: Source,
    select: KeysetQuery<T>,
    per_page: u64,
    place: StreamPosition,
) -> Result<(Vec<T>, Option<StreamPosition>)> {
    let from = match place {
        StreamPosition::Token(token) => token.map(|token| select.walk.open(&*app::keyring()?, &token)).transpose()?,
        StreamPosition::Behind(cursor) => Some(cursor),
    };
    let page = page(source, &select, per_page, from.as_ref()).await?;
    Ok((page.data, page.next.map(StreamPosition::Behind)))
}

/// One page by keyset, from a cursor or from the beginning.
async fn page<T>(source: Source, select: &KeysetQuery<T>, per_page: u64, from: Option<&Cursor>) -> Result<Page<T>> {
    let pool = source.pool_id();
    let mut connection = source.connect().await?;
    if let Some(advisor) = app::index_advisor() {
        dispatch!(Connection, &mut connection, held => advisor.check(held, &select.walk.terms, &pool).await);
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
    connection: &mut ConnectionGuard<D>,
    select: &KeysetQuery<T>,
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
    connection: &mut ConnectionGuard<D>,
    select: &KeysetQuery<T>,
    order: &Order<'_>,
    per_page: u64,
    from: Option<&Cursor>,
) -> Result<Page<T>> {
    let direction = from.map_or(CursorDirection::Next, |cursor| cursor.direction);
    let run = run::<D, T>(connection, select, order, per_page, from).await?;
    let Some(FetchedRows { mut data, near, far, more, doubt }) = run else {
        return empty_page::<D, T>(connection, select, order, from).await;
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
            // The boundary's own row is on that side, unless it is on this page.
            (!cursor.inclusive || has_rows::<D, T>(connection, select, order, &back).await?).then_some(back)
        }
    };
    Ok(match direction {
        CursorDirection::Next => Page { data, next: ahead, prev: back },
        CursorDirection::Prev => Page { data, next: back, prev: ahead },
    })
}

/// The rows of a page in the order in which they were walked to.
struct FetchedRows<T> {
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

/// Reads a page's rows; `None` if there are none.
async fn run<D: Driver, T>(
    connection: &mut ConnectionGuard<D>,
    select: &KeysetQuery<T>,
    order: &Order<'_>,
    per_page: u64,
    from: Option<&Cursor>,
) -> Result<Option<FetchedRows<T>>> {
    let walk = &*select.walk;
    let mut data = Vec::with_capacity(initial_capacity(per_page));
    let (mut near, mut last, mut probe) = (None, None, None);
    let read = |row: D::Row| {
        if near.is_none() && matches!(select.base, Base::Caller(_)) {
            checks::refuse_equal_names::<D>(&row)?;
        }
        if u64::try_from(data.len()).is_ok_and(|read| read >= per_page) {
            probe = Some(row);
        } else {
            // If a key column fails to decode, its own error is more specific.
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
    connection.fetch(select.after::<D>(order, from, with_lookahead(per_page)), read).await?;
    let (Some((doubt, near)), Some(last)) = (near, last) else { return Ok(None) };
    let far = key::<D>(walk, &last)?;
    let doubt = doubt.or(Doubt::of::<D>(walk, &last, &far)?);
    checks::refuse_standstill(walk, from, &near)?;
    let more = probe.is_some();
    if let Some(probe) = probe {
        let next = key::<D>(walk, &probe)?;
        checks::refuse_tie(connection, select, [&far, &next]).await?;
    }
    Ok(Some(FetchedRows { data, near, far, more, doubt }))
}

/// Looks at the columns' types where pages are put together of several selects: the rows of those have types of their
/// own.
async fn check_columns<D: Driver, T>(connection: &mut ConnectionGuard<D>, select: &KeysetQuery<T>) -> Result<()> {
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

/// An empty page, with a cursor back if rows remain on the other side.
async fn empty_page<D: Driver, T>(
    connection: &mut ConnectionGuard<D>,
    select: &KeysetQuery<T>,
    order: &Order<'_>,
    from: Option<&Cursor>,
) -> Result<Page<T>> {
    let mut page = Page { data: Vec::new(), next: None, prev: None };
    let Some(from) = from else { return Ok(page) };
    let back = Cursor { inclusive: !from.inclusive, ..Cursor::at(from.direction.flip(), from.boundary.clone()) };
    if has_rows::<D, T>(connection, select, order, &back).await? {
        match back.direction {
            CursorDirection::Next => page.next = Some(back),
            CursorDirection::Prev => page.prev = Some(back),
        }
    }
    Ok(page)
}

/// Whether there is a row after a cursor.
async fn has_rows<D: Driver, T>(
    connection: &mut ConnectionGuard<D>,
    select: &KeysetQuery<T>,
    order: &Order<'_>,
    cursor: &Cursor,
) -> Result<bool> {
    Ok(connection.fetch_first(select.after::<D>(order, Some(cursor), 1)).await?.is_some())
}

impl<T> KeysetQuery<T> {
    /// The rows after a cursor in its direction, the nearest first; without one the first of all.
    fn after<D: Driver>(&self, order: &Order<'_>, from: Option<&Cursor>, limit: u64) -> BoundSql {
        let direction = from.map_or(CursorDirection::Next, |cursor| cursor.direction);
        let values: Vec<_> = from.into_iter().flat_map(|cursor| cursor.boundary.iter().map(Part::bound)).collect();
        let boundary = from.map(|cursor| Boundary { values: &values, inclusive: cursor.inclusive });
        self.base.page::<D>(&self.walk, order, direction, boundary, limit)
    }
}

/// The initial capacity. A larger page grows as its rows come, because there may be fewer than were asked for.
fn initial_capacity(per_page: u64) -> usize {
    usize::try_from(per_page.min(64)).unwrap_or_default()
}
