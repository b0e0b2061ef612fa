//! Reads cursor pages.
//!
//! One statement reads the rows of a page and one more, which shows whether there is another page. Further statements
//! are rare: to look up the table's catalog once a minute, to check a doubtful key, or to see whether an empty page has
//! rows before it.

use std::future::poll_fn;
use std::pin::pin;

use super::doubt::Doubt;
use super::key::{key, named};
use super::{by_hand, checks, with_lookahead};
use crate::app;
use crate::connection::schema;
use crate::connection::{Connection, Lease};
use crate::crypt::{Keyring, Salt};
use crate::cursor::{Cursor, CursorDirection, Part, Scope};
use crate::driver::Driver;
use crate::error::{FrameworkError, Result};
use crate::model::order::Term;
use crate::paginator::CursorPaginator;
use crate::pool::{PoolId, dispatch};
use crate::query::keyset::{Base, KeysetQuery, PageOrder};
use crate::query::predicate::Boundary;
use crate::query::template::BoundSql;
use crate::route::Source;
use crate::select::KeysetSelect;
use crate::value::Variant;

/// One cursor page, from a cursor or from the beginning, with its cursors sealed.
pub(crate) async fn cursor<T>(
    source: Source<'_>,
    select: KeysetSelect<T>,
    per_page: u64,
    token: Option<String>,
) -> Result<CursorPaginator<T>> {
    let keyring = app::keyring()?;
    let from = token.as_deref().map(|token| select.query.open(&keyring, token)).transpose()?;
    let mut salts = None;
    let mut reading = pin!(page(source, &select, per_page, from.as_ref()));
    // Asking the operating system for salts takes as long as sealing, so it is done while the database works.
    let page = poll_fn(|context| {
        let page = reading.as_mut().poll(context);
        salts.get_or_insert_with(Salt::fresh);
        page
    });
    let page = page.await?;
    page.seal(&keyring, &select.query.scope(), per_page, token, salts.unwrap_or_else(Salt::fresh)?)
}

/// Where a stream of rows continues.
pub(crate) enum StreamPosition {
    /// At the cursor that it was started with, if any.
    Token(Option<String>),
    After(Cursor),
}

/// One page without sealed cursors, and where the next one begins.
pub(crate) async fn rows_after<T>(
    source: Source<'_>,
    select: KeysetSelect<T>,
    per_page: u64,
    position: StreamPosition,
) -> Result<(Vec<T>, Option<StreamPosition>)> {
    let open = |token: String| select.query.open(&*app::keyring()?, &token);
    let from = match position {
        StreamPosition::Token(token) => token.map(open).transpose()?,
        StreamPosition::After(cursor) => Some(cursor),
    };
    let page = page(source, &select, per_page, from.as_ref()).await?;
    Ok((page.data, page.next.map(StreamPosition::After)))
}

/// One page, from a cursor or from the beginning.
async fn page<T>(
    source: Source<'_>,
    select: &KeysetSelect<T>,
    per_page: u64,
    from: Option<&Cursor>,
) -> Result<Page<T>> {
    let pool = source.pool_id();
    let mut connection = source.connect().await?;
    if let Some(advisor) = app::index_advisor() {
        dispatch!(Connection, &mut connection, held => advisor.check(held, &select.query, pool.as_ref()).await);
    }
    dispatch!(Connection, &mut connection, held => read_page(held, select, pool.as_ref(), per_page, from).await)
}

/// A page before its cursors are sealed.
struct Page<T> {
    data: Vec<T>,
    next: Option<Cursor>,
    prev: Option<Cursor>,
}

impl<T> Page<T> {
    const EMPTY: Self = Self { data: Vec::new(), next: None, prev: None };

    fn seal(
        self,
        keyring: &Keyring,
        scope: &Scope,
        per_page: u64,
        token: Option<String>,
        [next, prev]: [Salt; 2],
    ) -> Result<CursorPaginator<T>> {
        let seal = |cursor: Option<Cursor>, salt| cursor.map(|cursor| cursor.seal(keyring, scope, salt)).transpose();
        let page = CursorPaginator::new(self.data, per_page, seal(self.next, next)?, seal(self.prev, prev)?);
        Ok(CursorPaginator { cursor: token, ..page })
    }
}

/// Reads a page. A cursor that the database refuses, because its column's type has changed, is invalid.
async fn read_page<D: Driver, T>(
    connection: &mut Lease<'_, D>,
    select: &KeysetSelect<T>,
    pool: Option<&PoolId>,
    per_page: u64,
    from: Option<&Cursor>,
) -> Result<Page<T>> {
    match read_page_from(connection, select, pool, per_page, from).await {
        Err(FrameworkError::Database(error)) if from.is_some() && D::refuses_boundary(&error) => {
            Err(FrameworkError::invalid_cursor())
        }
        page => page,
    }
}

/// Reads a page after the cursor as a page at its row would have sealed it.
async fn read_page_from<D: Driver, T>(
    connection: &mut Lease<'_, D>,
    select: &KeysetSelect<T>,
    pool: Option<&PoolId>,
    per_page: u64,
    from: Option<&Cursor>,
) -> Result<Page<T>> {
    let resolved = match from.filter(|cursor| cursor.by_hand) {
        Some(cursor) => match by_hand::resolve(connection, &select.query.order, cursor).await? {
            Some(cursor) => Some(cursor),
            None => return Ok(Page::EMPTY),
        },
        None => None,
    };
    let mut reader = PageReader { connection, select, per_page, from: resolved.as_ref().or(from) };
    reader.check_columns().await?;
    reader.read(pool).await
}

/// Reads one page over a connection.
struct PageReader<'a, 'c, D: Driver, T> {
    connection: &'a mut Lease<'c, D>,
    select: &'a KeysetSelect<T>,
    per_page: u64,
    from: Option<&'a Cursor>,
}

impl<D: Driver, T> PageReader<'_, '_, D, T> {
    /// Reads the page in the order that follows from the table's catalog.
    async fn read(&mut self, pool: Option<&PoolId>) -> Result<Page<T>> {
        let order = &self.select.query.order;
        // A first page in an index's own order has no condition that could leave a row out.
        if self.from.is_none() && order.matches_index(D::DIALECT) && !D::DIALECT.needs_index_hints() {
            return self.read_in(&order.for_page(D::DIALECT, Vec::new())).await;
        }
        let Some(table) = order.table else {
            return self.read_in(&order.for_page_of(D::DIALECT, None)).await;
        };
        let info = schema::of(self.connection, table, pool).await;
        let page_order = order.for_page_of(D::DIALECT, info);
        match self.read_in(&page_order).await {
            Err(FrameworkError::Database(error)) if D::is_missing_index(&error) => {
                schema::forget(table, pool);
                self.read_in(&page_order.without_index()).await
            }
            page => page,
        }
    }

    /// Reads the page in this order, and makes its cursors.
    async fn read_in(&mut self, order: &PageOrder<'_>) -> Result<Page<T>> {
        let direction = self.from.map_or(CursorDirection::Next, |cursor| cursor.direction);
        let Some(FetchedRows { mut data, first_key, last_key, has_more, doubt }) = self.fetch(order).await? else {
            return self.empty_page(order).await;
        };
        if let Some(doubt) = doubt {
            doubt.resolve(self.connection, &self.select.query, [&first_key, &last_key]).await?;
        }
        if direction == CursorDirection::Prev {
            data.reverse();
        }
        let ahead = has_more.then(|| Cursor::at(direction, last_key));
        let back = match self.from {
            None => None,
            Some(cursor) => {
                let back = Cursor::at(direction.flip(), first_key);
                // The boundary's own row is on that side, unless it is on this page.
                (!cursor.inclusive || self.has_rows(order, &back).await?).then_some(back)
            }
        };
        Ok(match direction {
            CursorDirection::Next => Page { data, next: ahead, prev: back },
            CursorDirection::Prev => Page { data, next: back, prev: ahead },
        })
    }

    /// Reads the page's rows; `None` if there are none.
    async fn fetch(&mut self, order: &PageOrder<'_>) -> Result<Option<FetchedRows<T>>> {
        let mut rows = Rows::<D, T>::new(self.per_page);
        let statement = after(&self.select.query, order, self.from, with_lookahead(self.per_page));
        self.connection.fetch(statement, |row| rows.add(self.select, row)).await?;
        let Rows { data, first: Some((first_key, doubt)), last: Some(last), extra, .. } = rows else { return Ok(None) };
        let query = &self.select.query;
        let last_key = key::<D>(&query.order, &last)?;
        let doubt = doubt.or(Doubt::of::<D>(&query.order, &last, &last_key)?);
        checks::refuse_standstill(&query.order, self.from, &first_key)?;
        if let Some(extra) = &extra {
            let next_key = key::<D>(&query.order, extra)?;
            checks::refuse_tie(self.connection, query, [&last_key, &next_key]).await?;
        }
        Ok(Some(FetchedRows { data, first_key, last_key, has_more: extra.is_some(), doubt }))
    }

    /// Checks the types of text columns if pages are put together from several selects, whose rows have types of their
    /// own.
    async fn check_columns(&mut self) -> Result<()> {
        let KeysetQuery { order, base, .. } = &self.select.query;
        if order.matches_index(D::DIALECT) {
            return Ok(());
        }
        let is_text = |term: &Term| matches!(term.key.variant, Variant::String | Variant::Bytes);
        let texts = order.terms.iter().zip(&order.sorts).filter(|(term, _)| is_text(term));
        for (term, sort) in texts {
            let checked = self.connection.check_column(&base.select(), &sort.output).await;
            checked.map_err(|error| named(term.key.name, error))?;
        }
        Ok(())
    }

    /// An empty page, with a cursor back if rows remain on the other side.
    async fn empty_page(&mut self, order: &PageOrder<'_>) -> Result<Page<T>> {
        let Some(from) = self.from else { return Ok(Page::EMPTY) };
        let back = Cursor { inclusive: !from.inclusive, ..Cursor::at(from.direction.flip(), from.boundary.clone()) };
        let back = self.has_rows(order, &back).await?.then_some(back);
        Ok(match from.direction {
            CursorDirection::Next => Page { prev: back, ..Page::EMPTY },
            CursorDirection::Prev => Page { next: back, ..Page::EMPTY },
        })
    }

    /// Whether there is a row after a cursor.
    async fn has_rows(&mut self, order: &PageOrder<'_>, cursor: &Cursor) -> Result<bool> {
        let statement = after(&self.select.query, order, Some(cursor), 1);
        Ok(self.connection.fetch_first(statement).await?.is_some())
    }
}

/// The rows of a page in the order in which they were read.
struct FetchedRows<T> {
    data: Vec<T>,
    first_key: Vec<Part>,
    last_key: Vec<Part>,
    /// Whether there is a row after the last one.
    has_more: bool,
    /// The doubt whether a value in one of the keys is the one in the table.
    doubt: Option<Doubt>,
}

/// The rows of a page as they arrive.
struct Rows<D: Driver, T> {
    data: Vec<T>,
    per_page: u64,
    /// The key of the first row, and the doubt about it.
    first: Option<(Vec<Part>, Option<Doubt>)>,
    last: Option<D::Row>,
    /// The row after the page.
    extra: Option<D::Row>,
}

impl<D: Driver, T> Rows<D, T> {
    fn new(per_page: u64) -> Self {
        // A larger page grows as its rows arrive, because there may be fewer than were asked for.
        let capacity = usize::try_from(per_page.min(64)).unwrap_or_default();
        Self { data: Vec::with_capacity(capacity), per_page, first: None, last: None, extra: None }
    }

    fn add(&mut self, select: &KeysetSelect<T>, row: D::Row) -> sqlx::Result<()> {
        let KeysetQuery { order, base, .. } = &select.query;
        if self.first.is_none() && matches!(base, Base::Caller(..)) {
            checks::refuse_equal_names::<D>(&row)?;
        }
        if u64::try_from(self.data.len()).is_ok_and(|read| read >= self.per_page) {
            self.extra = Some(row);
            return Ok(());
        }
        // If a key column fails to decode, its own error is more specific.
        let read = D::read(&select.reader, &row);
        self.data.push(read.map_err(|error| key::<D>(order, &row).err().unwrap_or(error))?);
        if self.first.is_none() {
            let key = key::<D>(order, &row)?;
            let doubt = Doubt::of::<D>(order, &row, &key)?;
            self.first = Some((key, doubt));
        }
        self.last = Some(row);
        Ok(())
    }
}

/// The rows after a cursor in its direction, the nearest first; without a cursor, the first of all.
fn after(query: &KeysetQuery, order: &PageOrder<'_>, from: Option<&Cursor>, limit: u64) -> BoundSql {
    let direction = from.map_or(CursorDirection::Next, |cursor| cursor.direction);
    let values: Vec<_> = from.into_iter().flat_map(|cursor| cursor.boundary.iter().map(Part::bound)).collect();
    let boundary = from.map(|cursor| Boundary { values: &values, inclusive: cursor.inclusive });
    query.base.page(&query.order, order, direction, boundary, limit)
}
