//! Reads a page of each of several groups with one statement, such as the first comments of each post on a page.
//!
//! Groups whose values cannot be bound as one parameter are read in blocks, with a statement for each. Totals take
//! another statement.

use std::borrow::Cow;

use super::first_rows;
use super::interval::Interval;
use super::keyset::{Seal, SealedPage, advise};
use super::page_reader::{Page, PageReader};
use super::rows::{Rows, group_of};
use super::total::count_of;
use crate::app;
use crate::connection::{Connection, Lease, schema};
use crate::crypt::Salt;
use crate::cursor::CursorBinding;
use crate::driver::Driver;
use crate::error::{FrameworkError, Result};
use crate::paginator::Total;
use crate::pool::{PoolId, dispatch};
use crate::position::IntervalRequest;
use crate::query::feed::Feed;
use crate::query::keyset::{KeysetQuery, ModelBase, PageOrder};
use crate::route::Source;
use crate::select::{KeysetSelect, TotalSource};

/// The first or last rows of each group of the query, in the order of the groups, with their cursors sealed.
pub(crate) async fn sealed_each<T>(
    source: Source<'_>,
    select: KeysetSelect<T>,
    limit: u64,
    request: IntervalRequest,
) -> Result<Vec<SealedPage<T>>> {
    let keys = app::cursor_keys()?;
    let has_row_cursors = request.row_cursors;
    let interval = Interval::open(request, limit, &select.query.order, |token| select.query.open(&keys, token))?;
    let pages = Box::pin(pages(source, &select, &interval)).await?;
    let sealed = pages
        .into_iter()
        .zip(bindings(&select.query))
        .map(|(page, binding)| Seal { keys: &keys, binding: &binding, has_row_cursors }.page(page, Salt::fresh()?));
    sealed.collect()
}

/// The bindings of the cursors of each group.
fn bindings(query: &KeysetQuery) -> impl Iterator<Item = Cow<'_, CursorBinding>> {
    let groups = query.base.groups().into_iter();
    groups.flat_map(move |(model, feed)| (0..).map(move |at| query.cursor_binding_of_group(model, feed, at)))
}

/// The first rows of each group of the query, in the order of the groups, without cursors.
pub(crate) async fn rows_of_each<T>(
    source: Source<'_>,
    select: KeysetSelect<T>,
    limit: u64,
) -> Result<Vec<SealedPage<T>>> {
    let interval = Interval::from_cursor(None, limit);
    let pages = Box::pin(pages(source, &select, &interval)).await?;
    Ok(pages.into_iter().map(SealedPage::without_cursors).collect())
}

/// The pages of all groups, over a connection of the source.
async fn pages<T>(source: Source<'_>, select: &KeysetSelect<T>, interval: &Interval) -> Result<Vec<Page<T>>> {
    let Some((model, feed)) = select.query.base.groups() else { return Ok(Vec::new()) };
    let pool = source.pool_id();
    let mut connection = source.connect().await?;
    if let Some(advisor) = app::index_advisor() {
        advise(&advisor, &mut connection, &select.query, pool.as_ref()).await;
    }
    dispatch!(Connection, &mut connection, held => {
        EachReader { connection: held, select, model, interval }.read(feed, pool.as_ref()).await
    })
}

/// Reads the pages of groups over a connection.
struct EachReader<'a, 'c, D: Driver, T> {
    connection: &'a mut Lease<'c, D>,
    select: &'a KeysetSelect<T>,
    model: &'a ModelBase,
    interval: &'a Interval,
}

impl<D: Driver, T> EachReader<'_, '_, D, T> {
    async fn read(&mut self, feed: &Feed, pool: Option<&PoolId>) -> Result<Vec<Page<T>>> {
        let table = self.model.table();
        let info = schema::of(self.connection, table, pool).await;
        let order = self.select.query.order.for_page(D::DIALECT, info);
        let mut pages = Vec::with_capacity(feed.groups.len());
        for block in feed.blocks() {
            pages.extend(self.read_block(&block, &order).await?);
        }
        Ok(pages)
    }

    /// The pages of some groups.
    async fn read_block(&mut self, feed: &Feed, order: &PageOrder<'_>) -> Result<Vec<Page<T>>> {
        let rows = self.rows(feed, order).await?;
        let mut pages = Vec::with_capacity(rows.len());
        for mut rows in rows {
            let Self { connection, select, interval, .. } = self;
            pages.push(*PageReader { connection, select, interval }.page_of(order, &mut rows).await?);
        }
        if self.select.counted.is_some() {
            for (page, total) in pages.iter_mut().zip(self.totals(feed).await?) {
                page.total = Some(total);
            }
        }
        Ok(pages)
    }

    /// The rows of each group.
    async fn rows(&mut self, feed: &Feed, order: &PageOrder<'_>) -> Result<Vec<Rows<D, T>>> {
        let mut rows: Vec<_> = feed.groups.iter().map(|_| Rows::new(self.interval)).collect();
        let page = first_rows(self.interval.direction, self.interval.lookahead());
        let statement = self.model.page_of_each(feed, order, page);
        let select = self.select;
        self.connection.fetch(statement, |row| rows_at(&mut rows, group_of::<D>(&row)?)?.add(select, row)).await?;
        Ok(rows)
    }

    /// The number of rows of each group.
    async fn totals(&mut self, feed: &Feed) -> Result<Vec<Total>> {
        let mut totals = Vec::new();
        let add = |row| {
            totals.push(Total::Exact(count_of::<D>(&row)?));
            Ok(())
        };
        self.connection.fetch(self.model.totals(feed), add).await?;
        Ok(totals)
    }
}

/// The rows of the group at a place; an error if there is none.
fn rows_at<D: Driver, T>(groups: &mut [Rows<D, T>], place: Option<usize>) -> sqlx::Result<&mut Rows<D, T>> {
    let rows = place.and_then(|at| groups.get_mut(at));
    rows.ok_or_else(|| sqlx::Error::Protocol("a row belongs to none of the groups that were asked for".into()))
}

/// Rejects a total that is not counted, because each group has its own.
///
/// # Errors
/// [`FrameworkError::Internal`]
pub(crate) fn check_total(total: TotalSource) -> Result<()> {
    if total == TotalSource::Counted {
        return Ok(());
    }
    Err(FrameworkError::internal(
        "`each_of` counts the rows of each group: remove `count_up_to`, `estimated_total`, `estimated_total_above` or \
         `with_total`",
    ))
}
