//! Reads one cursor page over a connection, and finds the cursors of its neighbours.

mod candidates;
mod lookup;

use self::lookup::Lookup;
use super::first_rows;
use super::interval::Interval;
use super::key::{Key, SortedColumn, boundary_value, key, naming, sorted_columns};
use super::rows::{Extra, Rows};
use super::{checks, columns, without_missing_index};
use crate::boundary::{Bound, Boundary, BoundaryValue};
use crate::cursor::{Cursor, CursorDirection};
use crate::dialect::catalog::SharedInfo;
use crate::driver::{Driver, RowSink};
use crate::error::Result;
use crate::keyset::{Base, Candidates, KeysetQuery, PageOrder, PageRows};
use crate::paginator::Total;
use crate::pool::PoolId;
use crate::source::Lease;
use crate::statement::template::BoundSql;

/// A page before its cursors are sealed, without its rows.
///
/// The reader returns it in a box. Otherwise, each of the futures that pass it on would copy it.
#[derive(Default)]
pub(super) struct Page {
    /// The key of each row, if they were asked for; otherwise only of some rows.
    pub(super) keys: Vec<Key>,
    pub(super) next: Option<Cursor>,
    pub(super) prev: Option<Cursor>,
    /// Whether the interval has more rows than the page.
    pub(super) is_truncated: bool,
    /// The total of the list, if it was asked for.
    pub(super) total: Option<Total>,
}

impl Page {
    /// A page that was read in this direction, with the cursors ahead and back, and the row after it.
    fn new<D: Driver>(
        direction: CursorDirection,
        ahead: Option<Cursor>,
        back: Option<Cursor>,
        extra: Option<&Extra<D>>,
    ) -> Self {
        let (next, prev) = direction.oriented(ahead, back);
        Self { next, prev, is_truncated: extra.is_some_and(|extra| extra.is_within), ..Self::default() }
    }
}

/// Reads one page over a connection.
///
/// Most pages take one statement. The steps that take another are boxed, because a future is as large as its largest
/// await, and is moved at every level.
pub(super) struct PageReader<'a, 'c, D: Driver> {
    connection: &'a mut Lease<'c, D>,
    query: &'a KeysetQuery,
    interval: &'a Interval,
}

impl<'a, 'c, D: Driver> PageReader<'a, 'c, D> {
    pub(super) fn new(connection: &'a mut Lease<'c, D>, query: &'a KeysetQuery, interval: &'a Interval) -> Self {
        Self { connection, query, interval }
    }

    /// Reads the page in the order that follows from the table's catalog.
    pub(super) async fn read(&mut self, pool: Option<&PoolId>, rows: &mut dyn RowSink) -> Result<Box<Page>> {
        if has_columns_to_check(self.query) {
            Box::pin(self.check_columns()).await?;
        }
        let order = self.query.order.for_page(D::DIALECT, self.info(pool).await?);
        match self.read_in(&order, rows).await {
            Err(error) => Box::pin(self.read_in(&without_missing_index::<D>(order, error, pool)?, rows)).await,
            page => page,
        }
    }

    /// What the catalog says about the table, if the page's plan depends on it.
    async fn info(&mut self, pool: Option<&PoolId>) -> Result<Option<SharedInfo>> {
        match self.query.order.table {
            Some(table) if needs_catalog(self.query, self.interval, pool.is_some()) => {
                checks::info(self.connection, &self.query.order, table, pool).await
            }
            _ => Ok(None),
        }
    }

    /// Reads the page in this order, and makes its cursors.
    async fn read_in(&mut self, order: &PageOrder<'_>, sink: &mut dyn RowSink) -> Result<Box<Page>> {
        let (start, end) = (values(self.interval.from()), values(self.interval.until()));
        let page = PageRows {
            start: boundary(self.interval.from(), &start),
            end: boundary(self.interval.until(), &end),
            skip: self.interval.skip,
            ..first_rows(self.interval.direction, self.interval.lookahead())
        };
        let (mut lookup, mut rows) = (Lookup::default(), Rows::new(sink, self.interval));
        loop {
            let sql = self.statement(order, page, &mut lookup).await?;
            rows.of_statement(&self.query.base, &sql, order.verifies() && order.may_leave_out(page));
            self.connection.fetch(sql, self.interval.lookahead(), |row| rows.add(self.query, row)).await?;
            if !lookup.is_outdated(rows.extra.is_some()) {
                break;
            }
            rows = rows.restarted(self.interval);
        }
        if page.start.is_some() && (rows.extra.is_none() || !order.verifies()) {
            Box::pin(self.complete(order, page, &mut rows)).await?;
        }
        self.page_of(order, &mut rows).await
    }

    /// The page's statement. For some feeds, first looks up the groups that can have rows on the page.
    async fn statement(&mut self, order: &PageOrder<'_>, page: PageRows<'_>, lookup: &mut Lookup) -> Result<BoundSql> {
        let base = &self.query.base;
        let feed = base.groups().filter(|(_, feed)| feed.may_find_groups() && lookup.begin());
        let Some((model, _)) = feed else { return Ok(base.page(order, page)) };
        let nearest = Box::pin(self.nearest_groups(model, order, page)).await?;
        let upper = nearest.bounds();
        let candidates = Candidates::new(&nearest.places, &upper);
        lookup.found(candidates);
        Ok(base.page(order, PageRows { candidates, ..page }))
    }

    /// Completes a page that came up short: with the rows that have NULL in the order's first column, if these come last.
    /// The conditions of the page match none of them.
    async fn complete(&mut self, order: &PageOrder<'_>, page: PageRows<'_>, rows: &mut Rows<'_, D>) -> Result<()> {
        if order.may_leave_out(page) && (rows.are_none() || !order.verifies()) {
            // No row of the page has said whether others are left out.
            self.refuse_left_out(self.query.base.left_out(order, page)).await?;
        }
        if rows.extra.is_some() {
            return Ok(());
        }
        if rows.are_none() && page.skip > 0 {
            // It is not known how many of the skipped rows have a value, so any row with NULL may be missing.
            let first = PageRows { limit: 1, skip: 0, ..page };
            return self.refuse_left_out(self.with_null(order, first)).await;
        }
        let limit = self.interval.lookahead().saturating_sub(rows.count());
        let Some(sql) = self.with_null(order, PageRows { limit, skip: 0, ..page }) else { return Ok(()) };
        rows.of_statement(&self.query.base, &sql, false);
        Ok(self.connection.fetch(sql, limit, |row| rows.add(self.query, row)).await?)
    }

    /// The statement of the rows with NULL in the order's first column, if they come after all rows of a page.
    fn with_null(&self, order: &PageOrder<'_>, page: PageRows<'_>) -> Option<BoundSql> {
        let first = self.query.order.null();
        let null = [Bound { value: &first, cast: None }];
        order.ends_before_nulls(page).then(|| self.query.base.page(order, page.among_nulls(&null)))
    }

    /// Rejects a page that leaves out a row that this statement finds.
    async fn refuse_left_out(&mut self, statement: Option<BoundSql>) -> Result<()> {
        let Some(statement) = statement else { return Ok(()) };
        match self.connection.fetch_first(statement).await? {
            Some(_) => Err(checks::left_out(&self.query.order).into()),
            None => Ok(()),
        }
    }

    /// Makes a page and its cursors from the rows.
    pub(super) async fn page_of(&mut self, order: &PageOrder<'_>, rows: &mut Rows<'_, D>) -> Result<Box<Page>> {
        let Some((keys, rounding)) = rows.take_keys(&self.query.order)? else {
            return Box::pin(self.empty_page(order, rows.extra.take())).await.map(Box::new);
        };
        self.check_keys(&keys, rows.extra.as_ref()).await?;
        if let Some(rounding) = rounding {
            Box::pin(rounding.resolve(self.connection, self.query, &keys)).await?;
        }
        let mut back = self.back(&keys);
        if let Some(cursor) = &back
            && !self.has_rows_behind()
            && Box::pin(self.nearest(order, cursor)).await?.is_none()
        {
            back = None;
        }
        Ok(Box::new(self.page(rows, keys, back)))
    }

    /// Rejects keys that no page can continue from: one that the page began at, and equal ones next to each other.
    async fn check_keys(&mut self, keys: &[Key], extra: Option<&Extra<D>>) -> Result<()> {
        let query = self.query;
        checks::refuse_standstill(&query.order, self.interval.from(), keys)?;
        checks::refuse_disorder(&query.order, self.interval.direction, self.interval.from(), keys)?;
        for cursor in [self.interval.from(), self.interval.until()] {
            keys.first().map_or(Ok(()), |key| checks::refuse_other_zone(&query.order, cursor, key))?;
        }
        let after = self.key_after(keys, extra)?;
        // Without cursors of their own, no page begins between the rows of this one.
        let from = if self.interval.row_keys { 0 } else { keys.len().saturating_sub(1) };
        let keys: Vec<&[BoundaryValue]> = keys.iter().skip(from).chain(&after).map(Vec::as_slice).collect();
        let doubtful = checks::refuse_equal(query, &keys)?;
        if doubtful.is_empty() {
            Ok(())
        } else {
            Box::pin(checks::refuse_ties(self.connection, query, &doubtful)).await
        }
    }

    /// The key of the row after these ones, if it may tie with the last of them. Most rows differ in the last column, a
    /// tie-breaker, so the other columns need not be decoded.
    fn key_after(&self, keys: &[Key], extra: Option<&Extra<D>>) -> Result<Option<Key>> {
        let order = &self.query.order;
        let (Some(extra), Some(last)) = (extra, keys.last()) else { return Ok(None) };
        let (Some(column), Some(last)) = (sorted_columns(order).last(), last.last()) else { return Ok(None) };
        let value = boundary_value::<D>(column.term, &extra.row, column.result_column)?;
        if !checks::may_be_equal(last, &value) {
            return Ok(None);
        }
        Ok(Some(key::<D>(order, &extra.row)?))
    }

    /// The page of rows that were read, with its cursors.
    fn page(&self, rows: &mut Rows<'_, D>, mut keys: Vec<Key>, back: Option<Cursor>) -> Page {
        let direction = self.interval.direction;
        let last = match rows.extra {
            None => None,
            Some(_) if self.interval.row_keys => keys.last().cloned(),
            Some(_) => keys.pop(),
        };
        let ahead = last.map(|last| Cursor::at(direction, last));
        rows.orient(direction);
        if direction == CursorDirection::Prev {
            keys.reverse();
        }
        Page { keys, ..Page::new(direction, ahead, back, rows.extra.as_ref()) }
    }

    /// The cursor back from a page with these keys; `None` for the first page of the list.
    fn back(&self, keys: &[Key]) -> Option<Cursor> {
        let is_first = self.interval.from().is_none() && self.interval.skip == 0;
        let first = keys.first().filter(|_| !is_first)?;
        Some(Cursor::at(self.interval.direction.flip(), first.clone()))
    }

    /// Whether the cursor back, if there is one, leads to rows in any case: to those that were skipped, or to the row of
    /// the boundary, unless that is on this page.
    fn has_rows_behind(&self) -> bool {
        let Interval { skip, is_exact, .. } = *self.interval;
        let from = self.interval.from().filter(|_| skip == 0);
        from.is_none_or(|from| !is_exact && !from.inclusive && from.is_of_row())
    }

    /// An empty page, with cursors to the rows on both sides.
    async fn empty_page(&mut self, order: &PageOrder<'_>, extra: Option<Extra<D>>) -> Result<Page> {
        let direction = self.interval.direction;
        let ahead = extra.as_ref().map(|extra| self.with_row(direction, &extra.row)).transpose()?;
        let back = match &ahead {
            // The rows that were skipped end before this one.
            Some(ahead) if self.interval.skip > 0 => Some(Cursor::at(direction.flip(), ahead.boundary.clone())),
            _ => self.back_from_nothing(order).await?,
        };
        Ok(Page::new(direction, ahead, back, extra.as_ref()))
    }

    /// The cursor back from an empty page, if rows remain on that side.
    async fn back_from_nothing(&mut self, order: &PageOrder<'_>) -> Result<Option<Cursor>> {
        let direction = self.interval.direction.flip();
        let back = match self.interval.from() {
            // All rows of the list were skipped, so the last one is the nearest.
            _ if self.interval.skip > 0 => Cursor::at(direction, Vec::new()),
            None => return Ok(None),
            Some(from) => Cursor { inclusive: !from.inclusive, direction, ..from.clone() },
        };
        let Some(row) = self.nearest(order, &back).await? else { return Ok(None) };
        checks::refuse_other_zone(&self.query.order, self.interval.from(), &key::<D>(&self.query.order, &row)?)?;
        let has_row = back.is_of_row() && !back.boundary.is_empty();
        if has_row { Ok(Some(back)) } else { self.with_row(direction, &row).map(Some) }
    }

    /// A cursor whose page begins with a row.
    fn with_row(&self, direction: CursorDirection, row: &D::Row) -> Result<Cursor> {
        let key = key::<D>(&self.query.order, row)?;
        Ok(Cursor { inclusive: true, ..Cursor::at(direction, key) })
    }

    /// The first row after a cursor; after one without values, the first of all.
    async fn nearest(&mut self, order: &PageOrder<'_>, cursor: &Cursor) -> Result<Option<D::Row>> {
        let values = values(Some(cursor));
        let page = PageRows { start: boundary(Some(cursor), &values), ..first_rows(cursor.direction, 1) };
        let mut lookup = Lookup::default();
        let row = loop {
            let sql = self.statement(order, page, &mut lookup).await?;
            let row = self.connection.fetch_first(sql).await?;
            if !lookup.is_outdated(row.is_some()) {
                break row;
            }
        };
        if row.is_some() {
            return Ok(row);
        }
        if order.may_leave_out(page) {
            self.refuse_left_out(self.query.base.left_out(order, page)).await?;
        }
        match self.with_null(order, page) {
            Some(sql) => Ok(self.connection.fetch_first(sql).await?),
            None => Ok(None),
        }
    }

    /// Checks the names of SQL text's columns, and the types of text columns if pages are put together from several
    /// selects, whose rows have types of their own.
    async fn check_columns(&mut self) -> Result<()> {
        let KeysetQuery { order, base, .. } = self.query;
        if let Base::Caller(rows) = base {
            columns::check(self.connection, &rows.renderer, &order.sorts).await?;
        }
        if order.matches_index(D::DIALECT) {
            return Ok(());
        }
        for column in sorted_columns(order).filter(SortedColumn::is_text) {
            let select = base.statement(&base.select());
            let checked = Box::pin(self.connection.check_column(&select, column.result_column.name)).await;
            checked.map_err(naming(column.term))?;
        }
        Ok(())
    }
}

fn has_columns_to_check(KeysetQuery { order, base, .. }: &KeysetQuery) -> bool {
    matches!(base, Base::Caller(_)) || !order.matches_index(base.dialect())
}

/// Whether the plan of a page depends on what the catalog says about its table.
///
/// A first page in an index's own order has only one plan. With filters, the catalog tells whether PostgreSQL and
/// SQLite may keep a generic plan. Without a pool the answer is not cached, and looking it up for each page would take
/// longer than planning.
fn needs_catalog(KeysetQuery { order, base, .. }: &KeysetQuery, interval: &Interval, is_cached: bool) -> bool {
    let dialect = base.dialect();
    let has_boundary = interval.after.is_some() || interval.before.is_some();
    let may_keep_plan = is_cached && dialect.facts().plans_for_filter_values && base.has_filters();
    let is_plain = base.feed().is_none() && !dialect.facts().needs_index_hints;
    has_boundary || may_keep_plan || !is_plain || !order.matches_index(dialect)
}

fn values(cursor: Option<&Cursor>) -> Vec<Bound<'_>> {
    cursor.into_iter().flat_map(|cursor| cursor.boundary.iter().map(BoundaryValue::bound)).collect()
}

/// The boundary of a cursor with these values; `None` if it has none.
fn boundary<'a>(cursor: Option<&Cursor>, values: &'a [Bound<'a>]) -> Option<Boundary<'a>> {
    let cursor = cursor.filter(|_| !values.is_empty())?;
    Some(Boundary { values, inclusive: cursor.inclusive })
}

#[cfg(test)]
mod tests;
