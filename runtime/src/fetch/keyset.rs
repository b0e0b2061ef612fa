//! Reads cursor pages.
//!
//! One statement reads the rows of a page and one more, which shows whether there is another page. Further statements
//! are rare: to look up the table's catalog once a minute, to check a doubtful key, to see whether an empty page has
//! rows before it, or to count the list if the page is to have a total.

use std::future::poll_fn;
use std::pin::pin;

use super::doubt::Doubt;
use super::key::{key, named};
use super::total::ListReader;
use super::{by_hand, checks, columns, with_lookahead};
use crate::app;
use crate::connection::schema;
use crate::connection::{Connection, Lease};
use crate::crypt::{Keyring, Salt};
use crate::cursor::{Cursor, CursorBinding, CursorDirection, Part};
use crate::driver::Driver;
use crate::error::{FrameworkError, Result};
use crate::model::table::Table;
use crate::model::term::Term;
use crate::paginator::{CursorPaginator, Total};
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
    let (page, salts) = with_salts(page(source, &select, per_page, from.as_ref())).await?;
    page.seal(&keyring, &select.query.scope(), per_page, token, salts)
}

/// Reads a page, and makes the salts of its cursors.
///
/// Asking the operating system for salts takes as long as sealing, so it is done while the database works.
async fn with_salts<T>(reading: impl Future<Output = Result<T>>) -> Result<(T, [Salt; 2])> {
    let mut salts = None;
    let mut reading = pin!(reading);
    let page = poll_fn(|context| {
        let page = reading.as_mut().poll(context);
        salts.get_or_insert_with(Salt::fresh);
        page
    });
    Ok((page.await?, salts.unwrap_or_else(Salt::fresh)?))
}

/// Where a stream of rows continues.
pub(crate) enum StreamPosition {
    /// At the cursor that it was started with, if any.
    Token(Option<String>),
    After(Cursor),
}

/// Rows of a stream, and the position of those after them.
pub(crate) type StreamRows<T> = (Vec<T>, Option<StreamPosition>);

impl StreamPosition {
    /// The cursor after which the stream continues; `None` at its beginning.
    fn open(self, query: &KeysetQuery) -> Result<Option<Cursor>> {
        match self {
            Self::Token(Some(token)) => query.open(&*app::keyring()?, &token).map(Some),
            Self::Token(None) => Ok(None),
            Self::After(cursor) => Ok(Some(cursor)),
        }
    }
}

/// One page without sealed cursors, and where the next one begins.
pub(crate) async fn rows_after<T>(
    source: Source<'_>,
    select: KeysetSelect<T>,
    per_page: u64,
    position: StreamPosition,
) -> Result<StreamRows<T>> {
    let from = position.open(&select.query)?;
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
    dispatch!(Connection, &mut connection, held => {
        let page = read_page(held, select, pool.as_ref(), per_page, from).await?;
        Ok(Page { total: total(held, select).await?, ..page })
    })
}

/// The total of the list, if it was asked for.
async fn total<D: Driver, T>(connection: &mut Lease<'_, D>, select: &KeysetSelect<T>) -> Result<Option<Total>> {
    match &select.counted {
        Some(list) => ListReader { connection, list }.total().await.map(Some),
        None => Ok(None),
    }
}

/// A page before its cursors are sealed.
struct Page<T> {
    data: Vec<T>,
    next: Option<Cursor>,
    prev: Option<Cursor>,
    /// The total of the list, if it was asked for.
    total: Option<Total>,
}

impl<T> Page<T> {
    const EMPTY: Self = Self { data: Vec::new(), next: None, prev: None, total: None };

    /// A page that was read in this direction, with the cursors that lead on from it and back.
    fn new(data: Vec<T>, direction: CursorDirection, ahead: Option<Cursor>, back: Option<Cursor>) -> Self {
        let (next, prev) = match direction {
            CursorDirection::Next => (ahead, back),
            CursorDirection::Prev => (back, ahead),
        };
        Self { data, next, prev, total: None }
    }

    fn seal(
        self,
        keyring: &Keyring,
        scope: &CursorBinding,
        per_page: u64,
        token: Option<String>,
        [next, prev]: [Salt; 2],
    ) -> Result<CursorPaginator<T>> {
        let seal = |cursor: Option<Cursor>, salt| cursor.map(|cursor| cursor.seal(keyring, scope, salt)).transpose();
        let page = CursorPaginator::new(self.data, per_page, seal(self.next, next)?, seal(self.prev, prev)?);
        Ok(CursorPaginator { cursor: token, total: self.total, ..page })
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
        match order.table {
            Some(table) => self.read_table(table, pool).await,
            None => self.read_in(&order.for_page_of(D::DIALECT, None)).await,
        }
    }

    /// Reads the page in the order that the indexes of its table serve.
    async fn read_table(&mut self, table: &'static Table, pool: Option<&PoolId>) -> Result<Page<T>> {
        let info = schema::of(self.connection, table, pool).await;
        let page_order = self.select.query.order.for_page_of(D::DIALECT, info);
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
        let back = self.back(order, first_key).await?;
        Ok(Page::new(data, direction, ahead, back))
    }

    /// The cursor back from a page that begins with this key, if there are rows on that side.
    async fn back(&mut self, order: &PageOrder<'_>, first_key: Vec<Part>) -> Result<Option<Cursor>> {
        let Some(from) = self.from else { return Ok(None) };
        let back = Cursor::at(from.direction.flip(), first_key);
        // The boundary's own row is on that side, unless it is on this page.
        Ok((!from.inclusive || self.has_rows(order, &back).await?).then_some(back))
    }

    /// Reads the page's rows; `None` if there are none.
    async fn fetch(&mut self, order: &PageOrder<'_>) -> Result<Option<FetchedRows<T>>> {
        let rows = self.rows(order).await?;
        let Rows { data, first: Some((first_key, doubt)), last: Some(last), extra, .. } = rows else { return Ok(None) };
        let query = &self.select.query;
        let last_key = key::<D>(&query.order, &last)?;
        let doubt = doubt.or(Doubt::of::<D>(&query.order, &last, &last_key)?);
        checks::refuse_standstill(&query.order, self.from, &first_key)?;
        if let Some(extra) = &extra {
            self.refuse_tie(&last_key, extra).await?;
        }
        Ok(Some(FetchedRows { data, first_key, last_key, has_more: extra.is_some(), doubt }))
    }

    /// Runs the statement of the page.
    async fn rows(&mut self, order: &PageOrder<'_>) -> Result<Rows<D, T>> {
        let mut rows = Rows::new(self.per_page);
        let statement = after(&self.select.query, order, self.from, with_lookahead(self.per_page));
        self.connection.fetch(statement, |row| rows.add(self.select, row)).await?;
        Ok(rows)
    }

    /// Rejects a page whose last key ties with that of the row after it.
    async fn refuse_tie(&mut self, last_key: &[Part], extra: &D::Row) -> Result<()> {
        let query = &self.select.query;
        let next_key = key::<D>(&query.order, extra)?;
        checks::refuse_tie(self.connection, query, [last_key, &next_key]).await
    }

    /// Checks the names of SQL text's columns, and the types of text columns if pages are put together from several
    /// selects, whose rows have types of their own.
    async fn check_columns(&mut self) -> Result<()> {
        let KeysetQuery { order, base, .. } = &self.select.query;
        if let Base::Caller(rows) = base {
            columns::check(self.connection, &rows.renderer, &order.sorts).await?;
        }
        if order.matches_index(D::DIALECT) { Ok(()) } else { self.check_texts().await }
    }

    /// Checks the types of the key's text columns.
    async fn check_texts(&mut self) -> Result<()> {
        let KeysetQuery { order, base, .. } = &self.select.query;
        let columns = order.terms.iter().zip(&order.sorts);
        for (term, sort) in columns.filter(|(term, _)| is_text(term)) {
            let checked = self.connection.check_column(&base.statement(&base.select()), &sort.output).await;
            checked.map_err(|error| named(term.key.name, error))?;
        }
        Ok(())
    }

    /// An empty page, with a cursor back if rows remain on the other side.
    async fn empty_page(&mut self, order: &PageOrder<'_>) -> Result<Page<T>> {
        let Some(from) = self.from else { return Ok(Page::EMPTY) };
        let back = Cursor { inclusive: !from.inclusive, ..Cursor::at(from.direction.flip(), from.boundary.clone()) };
        let back = self.has_rows(order, &back).await?.then_some(back);
        Ok(Page::new(Vec::new(), from.direction, None, back))
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
        if self.is_full() {
            self.extra = Some(row);
            return Ok(());
        }
        self.data.push(read_row::<D, T>(select, &row)?);
        if self.first.is_none() {
            let key = key::<D>(order, &row)?;
            let doubt = Doubt::of::<D>(order, &row, &key)?;
            self.first = Some((key, doubt));
        }
        self.last = Some(row);
        Ok(())
    }

    /// Whether the page has all of its rows.
    fn is_full(&self) -> bool {
        u64::try_from(self.data.len()).is_ok_and(|read| read >= self.per_page)
    }
}

/// Decodes a row. If a key column fails to decode, its own error is more specific.
fn read_row<D: Driver, T>(select: &KeysetSelect<T>, row: &D::Row) -> sqlx::Result<T> {
    let read = D::read(&select.reader, row);
    read.map_err(|error| key::<D>(&select.query.order, row).err().unwrap_or(error))
}

/// Whether the values of a term are texts or bytes.
fn is_text(term: &Term) -> bool {
    matches!(term.key.variant, Variant::String | Variant::Bytes)
}

/// The rows after a cursor in its direction, the nearest first; without a cursor, the first of all.
fn after(query: &KeysetQuery, order: &PageOrder<'_>, from: Option<&Cursor>, limit: u64) -> BoundSql {
    let direction = from.map_or(CursorDirection::Next, |cursor| cursor.direction);
    let values: Vec<_> = from.into_iter().flat_map(|cursor| cursor.boundary.iter().map(Part::bound)).collect();
    let boundary = from.map(|cursor| Boundary { values: &values, inclusive: cursor.inclusive });
    query.base.page(&query.order, order, direction, boundary, limit)
}
