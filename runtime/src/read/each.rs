//! Reads a page of each of several groups with one statement, such as the first comments of each post on a page.
//!
//! Groups whose values cannot be bound as one parameter are read in blocks, with a statement for each. Totals take
//! another statement.

use std::borrow::Cow;

use folio_plan::cursor::{Cursor, CursorBinding};
use folio_plan::feed::Feed;
use folio_plan::keyset::{KeysetQuery, ModelBase, PageOrder};
use futures_util::future::BoxFuture;

use super::list::KeysetSelect;
use super::page_reader::{PageReader, WindowPage};
use super::rows::{Rows, group_of};
use super::total::count_of;
use super::window::Window;
use super::{checks, first_rows, without_missing_index};
use crate::crypt::Salt;
use crate::driver::{Driver, RowOf, RowSink};
use crate::error::Result;
use crate::paginator::Total;
use crate::pool::dispatch;
use crate::request::context::Context;
use crate::source::route::Target;
use crate::source::{AnyLease, Lease, RowLimit, freshness};
use crate::watch;

/// Reads the first or last rows of each group of the query into the sink with the same index, and seals their cursors.
pub(crate) fn window_of_each<'a>(
    context: &'a Context,
    target: Target<'a>,
    select: KeysetSelect,
    window: Window<Cursor>,
    rows: Vec<&'a mut dyn RowSink>,
) -> BoxFuture<'a, Result<Vec<WindowPage>>> {
    Box::pin(async move {
        let keys = context.folio()?.cursor_keys()?;
        let has_position = target.freshness.is_some();
        let pages = pages(context, target, &select, &window, rows, has_position).await?;
        let pages = pages.into_iter().zip(bindings(&select.query));
        pages.map(|(page, binding)| page.seal(&keys, &select.query.order, &binding, Salt::fresh()?)).collect()
    })
}

fn bindings(query: &KeysetQuery) -> impl Iterator<Item = Cow<'_, CursorBinding>> {
    let groups = query.base.groups().into_iter();
    groups.flat_map(move |(model, feed)| (0..).map(move |at| query.cursor_binding_of_group(model, feed, at)))
}

/// Reads the first `limit` rows of each group of the query into the sink with the same index, without cursors.
pub(crate) fn rows_of_each<'a>(
    context: &'a Context,
    target: Target<'a>,
    select: KeysetSelect,
    limit: u64,
    rows: Vec<&'a mut dyn RowSink>,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        pages(context, target, &select, &Window::first(limit), rows, false).await?;
        Ok(())
    })
}

/// Reads the pages of all groups into their sinks, over a connection of the target. With `has_position`, their cursors
/// carry the position of its server.
async fn pages(
    context: &Context,
    target: Target<'_>,
    select: &KeysetSelect,
    window: &Window<Cursor>,
    rows: Vec<&mut dyn RowSink>,
    has_position: bool,
) -> Result<Vec<WindowPage<Cursor>>> {
    let Some((model, feed)) = select.query.base.groups() else { return Ok(Vec::new()) };
    let Some(first) = rows.first() else { return Ok(Vec::new()) };
    let watched = watch::Page::new("each", target.dialect, Some(&model.rows), first.row_type());
    let watched = watch::Page { list: Some(&select.query), ..watched };
    let reading = async move {
        let mut connection = target.lease(false).await?;
        let pages = dispatch!(AnyLease, &mut connection, held => {
            let mut pages = EachReader { connection: &mut *held, select, model, window }.read(feed, rows).await?;
            if has_position {
                let position = freshness::position(held).await?;
                pages.iter_mut().for_each(|page| page.note_position(&position));
            }
            pages
        });
        connection.end().await?;
        Ok(pages)
    };
    watch::page(context, watched, reading).await
}

struct EachReader<'a, 'c, D: Driver> {
    connection: &'a mut Lease<'c, D>,
    select: &'a KeysetSelect,
    model: &'a ModelBase,
    window: &'a Window<Cursor>,
}

impl<D: Driver> EachReader<'_, '_, D> {
    async fn read(&mut self, feed: &Feed, mut rows: Vec<&mut dyn RowSink>) -> Result<Vec<WindowPage<Cursor>>> {
        let table = self.model.table();
        let info = checks::info(self.connection, &self.select.query, table).await?;
        let query = &self.select.query;
        let order = query.order.for_page(info);
        match self.read_in(&order, feed, &mut rows).await {
            Err(error) => {
                let order = without_missing_index(order, error, self.connection)?;
                Box::pin(self.read_in(&order, feed, &mut rows)).await
            }
            pages => pages,
        }
    }

    async fn read_in(
        &mut self,
        order: &PageOrder<'_>,
        feed: &Feed,
        rows: &mut [&mut dyn RowSink],
    ) -> Result<Vec<WindowPage<Cursor>>> {
        let mut pages = Vec::with_capacity(feed.groups.len());
        let mut rows = rows.iter_mut().map(|rows| Rows::new(&mut **rows, self.window));
        for block in feed.blocks() {
            let rows = rows.by_ref().take(block.groups.len()).collect();
            pages.extend(self.read_block(&block, order, rows).await?);
        }
        Ok(pages)
    }

    /// The pages of some groups.
    async fn read_block(
        &mut self,
        feed: &Feed,
        order: &PageOrder<'_>,
        mut rows: Vec<Rows<'_, D>>,
    ) -> Result<Vec<WindowPage<Cursor>>> {
        self.fetch(feed, order, &mut rows).await?;
        let mut pages = Vec::with_capacity(rows.len());
        for mut rows in rows {
            let Self { connection, select: KeysetSelect { query, .. }, window, .. } = self;
            pages.push(*PageReader { connection, query, window }.checked_page(order, &mut rows).await?);
        }
        if self.select.counted.is_some() {
            for (page, total) in pages.iter_mut().zip(self.totals(feed, order).await?) {
                page.total = Some(total);
            }
        }
        Ok(pages)
    }

    async fn fetch(&mut self, feed: &Feed, order: &PageOrder<'_>, rows: &mut [Rows<'_, D>]) -> Result<()> {
        let page = first_rows(self.window.direction, self.window.lookahead());
        let statement = self.model.page_of_each(feed, order, page);
        let query = &self.select.query;
        rows.iter_mut().for_each(|rows| rows.of_statement(query, &statement, false));
        let most = self.window.lookahead();
        let mut limits = vec![RowLimit { most, rows: 0 }; rows.len()];
        let take = |row: RowOf<D>| {
            let group = group_of::<D>(&row)?;
            at(&mut limits, group)?.count()?;
            at(rows, group)?.add(query, row)
        };
        Ok(self.connection.fetch(statement, most.saturating_mul(feed.count()), take).await?)
    }

    async fn totals(&mut self, feed: &Feed, order: &PageOrder<'_>) -> Result<Vec<Total>> {
        let mut totals = Vec::new();
        let add = |row: RowOf<D>| {
            totals.push(Total::Exact(count_of::<D>(&row)?));
            Ok(())
        };
        self.connection.fetch(self.model.totals(feed, order), feed.count(), add).await?;
        Ok(totals)
    }
}

/// What belongs to the group at a place; an error if there is none.
fn at<T>(groups: &mut [T], place: Option<usize>) -> sqlx::Result<&mut T> {
    let group = place.and_then(|at| groups.get_mut(at));
    group.ok_or_else(|| sqlx::Error::Protocol("a row belongs to none of the groups that were asked for".into()))
}
