//! Finds the groups of a feed from which a page has rows, with separate statements.
//!
//! On MariaDB, one statement finds them, in the snapshot that the page is read in. On MySQL, statements also find a value of
//! the order's first column that no row of the page is beyond. They need no snapshot:
//!
//! - A row that does not change, and is not beyond the last row of the page, is on the page. Its group was found, because
//!   the group's head was not beyond the value either.
//! - Rows that are deleted in between may leave fewer rows up to the value than the page needs. Then the page is read again,
//!   without the value and from all groups.
//! - Rows that are added in between, or get another group, may be missing, as if they were added after the page was read.

use super::PageReader;
use crate::connection::Lease;
use crate::cursor::BoundaryValue;
use crate::driver::{Driver, ResultColumn};
use crate::error::Result;
use crate::fetch::key::{boundary_value, sorted_columns};
use crate::fetch::rows::group_of;
use crate::query::feed;
use crate::query::keyset::{PageOrder, PageRows};
use crate::query::order_column::key_name;
use crate::query::predicate::Bound;
use crate::query::template::BoundSql;

/// The groups of a feed from which a page has rows.
#[derive(Default)]
pub(super) struct Nearest {
    pub(super) places: Vec<usize>,
    /// The place of a group with a near head, preferably one that does not tie with the boundary. With several blocks, it
    /// is one of the last block that has such a group.
    first: Option<usize>,
    /// A value of the order's first column that no row of the page is beyond.
    pub(super) last: Option<BoundaryValue>,
}

impl Nearest {
    /// The value as it is bound.
    pub(super) fn bound(&self) -> Option<Bound<'_>> {
        self.last.as_ref().map(BoundaryValue::bound)
    }

    /// Adds the groups at these places, of which the first ones may only have rows that tie with the boundary.
    fn add(&mut self, mut places: Vec<usize>, tied: usize) {
        let first = places.get(tied).or(self.first.as_ref()).or(places.first());
        self.first = first.copied();
        self.places.append(&mut places);
    }
}

impl<D: Driver> PageReader<'_, '_, D> {
    /// The groups that have the page's rows, if statements find them; otherwise, none.
    pub(super) async fn nearest_groups(&mut self, order: &PageOrder<'_>, page: PageRows<'_>) -> Result<Nearest> {
        if let Some(heads) = self.query.base.heads(order, page) {
            let places = places::<D>(&rows_of(self.connection, heads).await?)?;
            return Ok(Nearest { places, ..Nearest::default() });
        }
        let mut nearest = self.nearest_heads(order, page).await?;
        if let (None, Some(place)) = (&nearest.last, nearest.first) {
            let last = self.query.base.last_of(order, page, place);
            nearest.last = self.last_value(last).await?;
        }
        Ok(nearest)
    }

    /// The groups with the nearest heads, if these tell how far the page reaches. If there are fewer than the page has
    /// rows, all groups that have a head. If a cursor cannot hold the value of the last one, none.
    async fn nearest_heads(&mut self, order: &PageOrder<'_>, page: PageRows<'_>) -> Result<Nearest> {
        let mut nearest = Nearest::default();
        for block in 0.. {
            let rest = PageRows { last: nearest.bound(), ..page };
            let Some(heads) = self.query.base.heads_of_block(order, rest, block) else { break };
            let heads = rows_of(self.connection, heads).await?;
            if !self.add_heads(&mut nearest, &heads, block, page.read())? {
                return Ok(Nearest::default());
            }
        }
        Ok(nearest)
    }

    /// Adds the groups of a block's heads. If as many heads as the page has rows are after the boundary, the page does not
    /// reach further than they do.
    ///
    /// Returns whether it is known how far they reach: not if a cursor cannot hold the value.
    fn add_heads(&self, nearest: &mut Nearest, heads: &[D::Row], block: usize, rows: u64) -> Result<bool> {
        let tied = tied::<D>(heads)?;
        let places = places::<D>(heads)?.into_iter();
        nearest.add(places.map(|place| place.saturating_add(feed::first_place(block))).collect(), tied);
        let untied = heads.get(tied..).unwrap_or_default();
        match untied.last() {
            Some(last) if has_as_many(untied, rows) => nearest.last = self.first_value(last),
            _ => return Ok(true),
        }
        Ok(nearest.last.is_some())
    }

    /// The value of the order's first column in the row that a statement finds.
    async fn last_value(&mut self, statement: Option<BoundSql>) -> Result<Option<BoundaryValue>> {
        let Some(statement) = statement else { return Ok(None) };
        let row = self.connection.fetch_first(statement).await?;
        Ok(row.and_then(|row| self.first_value(&row)))
    }

    /// The value of the order's first column in a row that has the names of keys; `None` if a cursor cannot hold it. Only
    /// a page with the row is refused for that.
    fn first_value(&self, row: &D::Row) -> Option<BoundaryValue> {
        let first = sorted_columns(&self.query.order).next()?;
        boundary_value::<D>(first.term, row, ResultColumn { at: 0, name: &key_name(0) }).ok()
    }
}

/// The rows of a statement.
async fn rows_of<D: Driver>(connection: &mut Lease<'_, D>, statement: BoundSql) -> Result<Vec<D::Row>> {
    let mut rows = Vec::new();
    let add = |row| {
        rows.push(row);
        Ok(())
    };
    connection.fetch(statement, add).await?;
    Ok(rows)
}

/// The places of the groups that have these heads.
fn places<D: Driver>(heads: &[D::Row]) -> sqlx::Result<Vec<usize>> {
    heads.iter().filter_map(|head| group_of::<D>(head).transpose()).collect()
}

/// How many of these heads tie with the boundary. They are the first ones, and NULL.
fn tied<D: Driver>(heads: &[D::Row]) -> sqlx::Result<usize> {
    let name = key_name(0);
    let are_tied: sqlx::Result<Vec<bool>> = heads.iter().map(|head| D::is_null(head, &name)).collect();
    Ok(are_tied?.into_iter().filter(|is_tied| *is_tied).count())
}

/// Whether there are at least as many heads as a page has rows.
fn has_as_many<T>(heads: &[T], rows: u64) -> bool {
    u64::try_from(heads.len()).is_ok_and(|heads| heads >= rows)
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
