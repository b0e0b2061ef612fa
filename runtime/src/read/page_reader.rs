//! Reads one cursor page over a connection, and finds the cursors of its neighbours.

mod candidates;

use std::mem;

use folio_plan::boundary::BoundaryValue;
use folio_plan::cursor::{Cursor, CursorBinding, CursorDirection};
use folio_plan::keyset::{Base, Candidates, KeysetOrder, KeysetQuery, PageOrder, PageRequest};
use folio_plan::statement::select::Number;
use folio_plan::statement::template::BoundSql;
use folio_plan::value::Variant;

use super::first_rows;
use super::key::{Key, RowKey, column_value, naming};
use super::rows::{Extra, Rows};
use super::window::Window;
use super::{checks, columns, without_missing_index};
use crate::crypt::Salt;
use crate::cursor::CursorKeys;
use crate::driver::{Driver, ResultColumn, RowOf, RowSink};
use crate::error::Result;
use crate::paginator::Total;
use crate::source::Lease;

/// A page without its rows. Its cursors are values until they are sealed, and then tokens.
///
/// The reader returns it in a box. Otherwise, each of the futures that pass it on would copy it.
#[derive(Default)]
pub(crate) struct WindowPage<C = String> {
    pub(crate) next: Option<C>,
    pub(crate) prev: Option<C>,
    /// A cursor at each row, if they were asked for.
    pub(crate) row_cursors: Option<Vec<C>>,
    /// A cursor at the first row that leads to the rows before it, if it was asked for.
    pub(crate) start: Option<C>,
    /// A cursor at the last row that leads to the rows after it, if it was asked for.
    pub(crate) end: Option<C>,
    /// Whether the window has more rows than the page.
    pub(crate) is_truncated: bool,
    /// The total of the list, if it was asked for.
    pub(crate) total: Option<Total>,
}

impl WindowPage<Cursor> {
    /// A page without rows, and without cursors to others.
    pub(super) fn empty(window: &Window<Cursor>) -> Self {
        let row_cursors = window.row_cursors.then(Vec::new);
        let [start, end] = if window.positions { window.positions_of_empty() } else { [None, None] };
        Self { next: None, prev: None, row_cursors, start, end, is_truncated: false, total: None }
    }

    /// Writes the position of the server into each cursor of the page.
    pub(super) fn note_position(&mut self, position: &str) {
        let Self { next, prev, row_cursors, start, end, .. } = self;
        let cursors = [next, prev, start, end].into_iter().flatten().chain(row_cursors.iter_mut().flatten());
        cursors.for_each(|cursor| cursor.notes.position = Some(position.to_owned()));
    }

    /// Seals the cursors for a list. The salts are for the next and the previous page.
    pub(super) fn seal(
        self,
        keys: &CursorKeys,
        order: &KeysetOrder,
        binding: &CursorBinding,
        salts: [Salt; 2],
    ) -> Result<WindowPage> {
        let Self { next, prev, row_cursors, start, end, is_truncated, total } = self;
        let seal = |cursor: Cursor, salt| {
            let names = || order.terms.iter().map(|term| term.key.name);
            keys.seal(&cursor, binding, salt).map_err(|error| error.naming(names()))
        };
        let seal_all = |cursors: Vec<Cursor>| {
            let salts = Salt::many(cursors.len())?;
            cursors.into_iter().zip(salts).map(|(cursor, salt)| seal(cursor, salt)).collect::<Result<Vec<_>>>()
        };
        let row_cursors = row_cursors.map(seal_all).transpose()?;
        let [next_salt, prev_salt] = salts;
        // Between two other pages, both positions are the cursors of these.
        let (is_prev, is_next) = (start == prev, end == next);
        let next = next.map(|cursor| seal(cursor, next_salt)).transpose()?;
        let prev = prev.map(|cursor| seal(cursor, prev_salt)).transpose()?;
        let seal_one = |cursor: Cursor| {
            let [salt] = Salt::fresh()?;
            seal(cursor, salt)
        };
        let start = if is_prev { prev.clone() } else { start.map(seal_one).transpose()? };
        let end = if is_next { next.clone() } else { end.map(seal_one).transpose()? };
        Ok(WindowPage { next, prev, row_cursors, start, end, is_truncated, total })
    }
}

/// How often the groups of a feed are looked up for a page, before it is read from all of them. A lookup is in vain if
/// rows are deleted between its statements.
const ATTEMPTS: u8 = 3;

/// Reads one page over a connection.
///
/// Most pages take one statement. The steps that take another are boxed, because a future is as large as its largest
/// await, and is moved at every level.
pub(super) struct PageReader<'a, 'c, D: Driver> {
    pub(super) connection: &'a mut Lease<'c, D>,
    pub(super) query: &'a KeysetQuery,
    pub(super) window: &'a Window<Cursor>,
}

impl<'a, D: Driver> PageReader<'a, '_, D> {
    /// Reads the page. If the index that its statement names no longer exists, it is read again without.
    pub(super) async fn read(&mut self, rows: &mut dyn RowSink) -> Result<Box<WindowPage<Cursor>>> {
        let order = self.order().await?;
        match self.read_in(&order, rows).await {
            Err(error) => {
                let order = without_missing_index(order, error, self.connection)?;
                Box::pin(self.read_in(&order, rows)).await
            }
            page => page,
        }
    }

    /// Reads the first row of the list, without cursors.
    pub(super) async fn first(&mut self, rows: &mut dyn RowSink) -> Result<()> {
        let order = self.order().await?;
        let start = Cursor::at(CursorDirection::Next, Vec::new());
        let row = match self.nearest(&order, &start).await {
            Err(error) => {
                let order = without_missing_index(order, error, self.connection)?;
                Box::pin(self.nearest(&order, &start)).await?
            }
            Ok(row) => row,
        };
        Ok(row.map_or(Ok(()), |row| D::decode_into(rows, &row))?)
    }

    /// The order of the page, with what the catalog says if the page depends on it.
    async fn order(&mut self) -> Result<PageOrder<'a>> {
        if self.query.has_columns_to_check() {
            Box::pin(self.check_columns()).await?;
        }
        let has_boundary = self.window.start.is_some() || self.window.end.is_some();
        let info = match self.query.table_to_learn(has_boundary, self.connection.pool.is_some()) {
            Some(table) => checks::info(self.connection, self.query, table).await?,
            None => None,
        };
        Ok(self.query.order.for_page(info))
    }

    /// Reads the page in this order, and makes its cursors.
    async fn read_in(&mut self, order: &PageOrder<'_>, sink: &mut dyn RowSink) -> Result<Box<WindowPage<Cursor>>> {
        let window = self.window;
        let page = PageRequest {
            direction: window.direction,
            start: window.start.as_ref().and_then(Cursor::boundary),
            end: window.end.as_ref().and_then(Cursor::boundary),
            skip: window.skip,
            limit: window.lookahead(),
            candidates: None,
        };
        let mut rows = Rows::new(sink, window);
        for attempt in 1.. {
            let (sql, is_bounded) = self.statement(order, page, attempt).await?;
            rows.of_statement(self.query, &sql, order.verifies && order.may_leave_out(page));
            self.connection.fetch(sql, page.limit, |row| rows.add(self.query, row)).await?;
            // If rows were deleted after the lookup, there may be others beyond its upper bound.
            if !is_bounded || rows.extra.is_some() {
                break;
            }
            rows = Rows::new(rows.sink, window);
            self.connection.watched.retry();
        }
        if page.start.is_some() && (rows.extra.is_none() || !order.verifies) {
            Box::pin(self.complete(order, page, &mut rows)).await?;
        }
        if window.is_counted {
            let is_truncated = rows.extra.is_some();
            return Ok(Box::new(WindowPage { is_truncated, ..WindowPage::empty(window) }));
        }
        self.checked_page(order, &mut rows).await
    }

    /// The page's statement, and whether it stops at an upper bound. For some feeds, first looks up the groups that can
    /// have rows on the page, unless all [`ATTEMPTS`] were in vain.
    async fn statement(
        &mut self,
        order: &PageOrder<'_>,
        page: PageRequest<'_>,
        attempt: u8,
    ) -> Result<(BoundSql, bool)> {
        let base = &self.query.base;
        let feed = base.groups().filter(|(_, feed)| feed.may_find_groups() && attempt <= ATTEMPTS);
        let Some((model, _)) = feed else { return Ok((base.page(order, page), false)) };
        let found = Box::pin(self.nearest_groups(model, order, page)).await?;
        let candidates = Candidates::new(&found.places, &found.upper);
        let is_bounded = candidates.is_some_and(|candidates| !candidates.upper.is_empty());
        Ok((base.page(order, PageRequest { candidates, ..page }), is_bounded))
    }

    /// Completes a page that came up short: with the rows that have NULL in the order's first column, if these come
    /// last. The conditions of the page match none of them.
    async fn complete(&mut self, order: &PageOrder<'_>, page: PageRequest<'_>, rows: &mut Rows<'_, D>) -> Result<()> {
        if order.may_leave_out(page) && (rows.are_none() || !order.verifies) {
            // No row of the page has said whether others are left out.
            self.refuse_left_out(self.query.base.left_out(order, page)).await?;
        }
        if rows.extra.is_some() {
            return Ok(());
        }
        if rows.are_none() && page.skip > 0 {
            // It is not known how many of the skipped rows have a value, so any row with NULL may be missing.
            let first = PageRequest { limit: 1, skip: 0, ..page };
            return self.refuse_left_out(self.with_null(order, first)).await;
        }
        let limit = self.window.lookahead().saturating_sub(rows.count());
        let Some(sql) = self.with_null(order, PageRequest { limit, skip: 0, ..page }) else { return Ok(()) };
        rows.of_statement(self.query, &sql, false);
        Ok(self.connection.fetch(sql, limit, |row| rows.add(self.query, row)).await?)
    }

    /// The statement of the rows with NULL in the order's first column, if they come after all rows of a page.
    fn with_null(&self, order: &PageOrder<'_>, page: PageRequest<'_>) -> Option<BoundSql> {
        let null = [BoundaryValue::plain(self.query.order.null())];
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

    /// Checks the rows, and makes their page.
    pub(super) async fn checked_page(
        &mut self,
        order: &PageOrder<'_>,
        rows: &mut Rows<'_, D>,
    ) -> Result<Box<WindowPage<Cursor>>> {
        let window = self.window;
        let Some(last) = rows.last.take() else {
            return Box::pin(self.empty_page(order, rows.extra.take())).await.map(Box::new);
        };
        if !window.row_cursors {
            rows.add_key(&self.query.order, &last)?;
        }
        let keys = mem::take(&mut rows.keys);
        self.check_keys(&keys, rows.extra.as_ref()).await?;
        if let Some(rounding) = rows.rounding.take() {
            Box::pin(rounding.resolve(self.connection, self.query, &keys)).await?;
        }
        let is_first = window.start.is_none() && window.skip == 0;
        let back = keys.first().filter(|_| !is_first).map(|first| Cursor::at(window.direction.flip(), first.clone()));
        let has_rows = match &back {
            Some(back) if !window.has_rows_behind() => Box::pin(self.nearest(order, back)).await?.is_some(),
            _ => true,
        };
        Ok(Box::new(self.with_cursors(keys, back.filter(|_| has_rows), rows)))
    }

    /// The page of the rows with these keys, in the order of the list. `back` leads from its first key to the rows that
    /// were read before it.
    fn with_cursors(&self, mut keys: Vec<Key>, back: Option<Cursor>, rows: &mut Rows<'_, D>) -> WindowPage<Cursor> {
        let Window { direction, row_cursors, positions, .. } = *self.window;
        let (first, last) = if positions { (keys.first().cloned(), keys.last().cloned()) } else { (None, None) };
        let ahead = if row_cursors { keys.last().cloned() } else { keys.pop() };
        let ahead = ahead.filter(|_| rows.extra.is_some()).map(|last| Cursor::at(direction, last));
        if direction == CursorDirection::Prev {
            rows.sink.reverse();
            keys.reverse();
        }
        let (next, prev) = direction.oriented(ahead, back);
        let (end, start) = direction.oriented(last, first);
        let at_row = |key| Cursor::at(CursorDirection::Next, key);
        WindowPage {
            next,
            prev,
            row_cursors: row_cursors.then(|| keys.into_iter().map(at_row).collect()),
            start: start.map(|key| Cursor::at(CursorDirection::Prev, key)),
            end: end.map(|key| Cursor::at(CursorDirection::Next, key)),
            is_truncated: rows.extra.as_ref().is_some_and(|extra| extra.is_within),
            total: None,
        }
    }

    /// Rejects keys that no page can continue from: one that the page began at, and equal ones next to each other.
    async fn check_keys(&mut self, keys: &[Key], extra: Option<&Extra<D>>) -> Result<()> {
        let query = self.query;
        let Window { start, direction, row_cursors, .. } = self.window;
        checks::order_of_keys(&query.order, *direction, start.as_ref(), keys)?;
        if D::FACTS.reads_in_session_zone
            && let Some(first) = keys.first()
        {
            self.window.cursors().try_for_each(|cursor| checks::refuse_other_zone(&query.order, cursor, first))?;
        }
        // The row after the page may tie with the last one. Most rows differ in the last column, a tie-breaker, so the
        // other columns need not be decoded.
        let mut after = None;
        let column = query.order.terms.iter().zip(&query.order.sorts).enumerate().next_back();
        if let (Some(extra), Some(last), Some((at, (term, sort)))) =
            (extra, keys.last().and_then(|last| last.last()), column)
        {
            let column = ResultColumn { at, name: &sort.output };
            let value = column_value::<D>(&extra.row, column, term)?.value;
            if checks::may_be_equal(last, &value) {
                after = Some(RowKey::read::<D>(&query.order, &extra.row)?.values);
            }
        }
        // Without cursors of their own, no page begins between the rows of this one.
        let from = if *row_cursors { 0 } else { keys.len().saturating_sub(1) };
        let keys: Vec<&[BoundaryValue]> = keys.iter().skip(from).chain(&after).map(Vec::as_slice).collect();
        if keys.array_windows().any(|[one, next]| checks::are_same(one, next)) {
            return Err(checks::tied(query));
        }
        // The values alone do not show whether rows of several tables tie.
        match query.order.table {
            None => Box::pin(checks::refuse_ties(self.connection, query, &checks::doubtful(&keys))).await,
            Some(_) => Ok(()),
        }
    }

    /// An empty page, with cursors to the rows on both sides.
    async fn empty_page(&mut self, order: &PageOrder<'_>, extra: Option<Extra<D>>) -> Result<WindowPage<Cursor>> {
        let direction = self.window.direction;
        let ahead = extra.as_ref().map(|extra| self.with_row(direction, &extra.row)).transpose()?;
        let back = match &ahead {
            // The rows that were skipped end before this one.
            Some(ahead) if self.window.skip > 0 => Some(Cursor::at(direction.flip(), ahead.boundary.clone())),
            _ => self.back_from_nothing(order).await?,
        };
        let (next, prev) = direction.oriented(ahead, back);
        let is_truncated = extra.is_some_and(|extra| extra.is_within);
        Ok(WindowPage { next, prev, is_truncated, ..WindowPage::empty(self.window) })
    }

    /// The cursor back from an empty page, if rows remain on that side.
    async fn back_from_nothing(&mut self, order: &PageOrder<'_>) -> Result<Option<Cursor>> {
        let direction = self.window.direction.flip();
        let back = match &self.window.start {
            // All rows of the list were skipped, so the last one is the nearest.
            _ if self.window.skip > 0 => Cursor::at(direction, Vec::new()),
            None => return Ok(None),
            Some(start) => Cursor { inclusive: !start.inclusive, direction, ..start.clone() },
        };
        let Some(row) = self.nearest(order, &back).await? else { return Ok(None) };
        if let Some(start) = &self.window.start {
            checks::refuse_other_zone(&self.query.order, start, &RowKey::read::<D>(&self.query.order, &row)?.values)?;
        }
        let has_row = back.is_of_row() && !back.boundary.is_empty();
        if has_row { Ok(Some(back)) } else { self.with_row(direction, &row).map(Some) }
    }

    /// A cursor whose page begins with a row.
    fn with_row(&self, direction: CursorDirection, row: &D::Row) -> Result<Cursor> {
        let key = RowKey::read::<D>(&self.query.order, row)?;
        Ok(Cursor { inclusive: true, ..Cursor::at(direction, key.values) })
    }

    /// The first row after a cursor; after one without values, the first of all.
    pub(super) async fn nearest(&mut self, order: &PageOrder<'_>, cursor: &Cursor) -> Result<Option<RowOf<D>>> {
        let page = PageRequest { start: cursor.boundary(), ..first_rows(cursor.direction, 1) };
        for attempt in 1.. {
            let (sql, is_bounded) = self.statement(order, page, attempt).await?;
            let row = self.connection.fetch_first(sql).await?;
            if row.is_some() {
                return Ok(row);
            }
            if !is_bounded {
                break;
            }
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
        if order.matches_index {
            return Ok(());
        }
        let columns = order.terms.iter().zip(&order.sorts);
        for (term, sort) in columns.filter(|(term, _)| matches!(term.key.variant, Variant::String | Variant::Bytes)) {
            let select = base.statement(&base.select().limit(Number::Bound(1)));
            let checked = Box::pin(self.connection.check_column(&select, &sort.output)).await;
            checked.map_err(|error| naming(term, error))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
