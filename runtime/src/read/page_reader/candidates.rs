//! Looks up the groups of a feed that can have rows on a page, with separate statements.
//!
//! On MariaDB, one statement finds them, and on MySQL one for each block of groups. If there are enough, they also give
//! an upper bound of the page in the order's leading columns. The statements need no common snapshot:
//!
//! - A row that does not change, and does not sort after the last row of the page, is on the page. Its group was found,
//!   because the group's head is within the upper bound too. Without a bound, all groups that had rows were found.
//! - Rows that are deleted between the statements may leave fewer rows up to the bound than the page needs. Then the
//!   groups are looked up again. If that happens each time, the page is read from all groups.
//! - Rows that are added between the statements, or move to another group, may be missing, as if they were added after
//!   the page was read.

use folio_plan::boundary::BoundaryValue;
use folio_plan::feed::{self, Feed};
use folio_plan::keyset::{ModelBase, PageOrder, PageRequest};
use folio_plan::order::key_name;
use folio_plan::statement::template::BoundSql;

use super::PageReader;
use crate::driver::{Driver, ResultColumn, RowOf};
use crate::error::Result;
use crate::read::checks::may_be_equal;
use crate::read::key::column_value;
use crate::read::rows::group_of;
use crate::source::Lease;

/// The groups of a feed that can have rows on a page.
#[derive(Default)]
pub(super) struct Found {
    pub(super) places: Vec<usize>,
    /// The place of a group with a near head, preferably one that does not tie with the boundary. With several blocks,
    /// it is one of the last block that has such a group.
    first: Option<usize>,
    /// Upper bound of the page in the order's leading columns, if known: in one column or in all.
    pub(super) upper: Vec<BoundaryValue>,
}

impl Found {
    /// Adds groups. The first `tied` of them may only have rows that tie with the boundary.
    fn add(&mut self, mut places: Vec<usize>, tied: usize) {
        let first = places.get(tied).or(self.first.as_ref()).or(places.first());
        self.first = first.copied();
        self.places.append(&mut places);
    }
}

impl<D: Driver> PageReader<'_, '_, D> {
    /// Looks up the groups that can have rows on the page. Empty if the page is to be read from all groups.
    pub(super) async fn nearest_groups(
        &mut self,
        model: &ModelBase,
        order: &PageOrder<'_>,
        page: PageRequest<'_>,
    ) -> Result<Found> {
        if let Some(heads) = model.heads(order, page) {
            let heads = rows_of(self.connection, heads, self.groups()).await?;
            if page.start.is_none() {
                return self.by_first_rows(&heads, page.read());
            }
            // After a boundary, the heads are the nearest values of the groups.
            let mut found = Found::default();
            let fits = self.add_heads(&mut found, &heads, 0, page.read())?;
            return Ok(if fits { found } else { Found::default() });
        }
        let mut found = self.nearest_heads(model, order, page).await?;
        if let (true, Some(place)) = (found.upper.is_empty(), found.first)
            && let Some(last) = model.last_of(order, page, place)
        {
            let row = self.connection.fetch_first(last).await?;
            found.upper = row.and_then(|row| self.key_values(&row, 1)).unwrap_or_default();
        }
        Ok(found)
    }

    /// The number of the feed's groups, each of which has at most one head.
    fn groups(&self) -> u64 {
        self.query.base.feed().map_or(0, Feed::count)
    }

    /// Candidate groups from the heads of the nearest `rows + 1` groups, or of all groups.
    ///
    /// Empty if a cursor cannot hold the upper bound.
    fn by_first_rows(&self, heads: &[RowOf<D>], rows: u64) -> Result<Found> {
        let count = usize::try_from(rows).unwrap_or(usize::MAX);
        let Some((near, further)) = heads.split_at_checked(count) else {
            return Ok(Found { places: places::<D>(heads)?, ..Found::default() });
        };
        let last = near.last().and_then(|last| self.last_of_first_rows(last, further.first()));
        let Some(last) = last else { return Ok(Found::default()) };
        Ok(Found { places: places::<D>(near)?, upper: last, ..Found::default() })
    }

    /// Upper bound from the last head: its first column, which is cheaper to compare, or the whole key if the next head
    /// may tie with it.
    fn last_of_first_rows(&self, last: &D::Row, next: Option<&RowOf<D>>) -> Option<Vec<BoundaryValue>> {
        let first = self.key_values(last, 1)?;
        if next.is_some_and(|next| self.may_begin_with(next, &first)) {
            self.key_values(last, self.query.order.terms.len())
        } else {
            Some(first)
        }
    }

    /// Whether a head may begin with these values. It may if a cursor cannot hold its own.
    fn may_begin_with(&self, head: &D::Row, values: &[BoundaryValue]) -> bool {
        let own = self.key_values(head, values.len());
        own.is_none_or(|own| own.iter().zip(values).all(|(own, value)| may_be_equal(own, value)))
    }

    /// The groups with the nearest heads, and the upper bound that the last of these gives. If there are fewer heads
    /// than the page has rows, all groups that have a head, without a bound. Empty if a cursor cannot hold the bound.
    async fn nearest_heads(
        &mut self,
        model: &ModelBase,
        order: &PageOrder<'_>,
        page: PageRequest<'_>,
    ) -> Result<Found> {
        let mut found = Found::default();
        for block in 0.. {
            let Some(heads) = model.heads_of_block(order, page, block, &found.upper) else { break };
            let heads = rows_of(self.connection, heads, self.groups()).await?;
            if !self.add_heads(&mut found, &heads, block, page.read())? {
                return Ok(Found::default());
            }
        }
        Ok(found)
    }

    /// Adds the groups of a block's heads. For a page of n rows, the n-th head after the boundary is an upper bound.
    ///
    /// Returns `false` if a cursor cannot hold that bound.
    fn add_heads(&self, found: &mut Found, heads: &[RowOf<D>], block: usize, rows: u64) -> Result<bool> {
        let tied = tied::<D>(heads)?;
        let places = places::<D>(heads)?.into_iter();
        found.add(places.map(|place| place.saturating_add(feed::first_place(block))).collect(), tied);
        let untied = heads.get(tied..).unwrap_or_default();
        let are_enough = u64::try_from(untied.len()).is_ok_and(|heads| heads >= rows);
        let Some(last) = untied.last().filter(|_| are_enough) else { return Ok(true) };
        found.upper = self.key_values(last, 1).unwrap_or_default();
        Ok(!found.upper.is_empty())
    }

    /// The values of the order's leading columns in a row that has the names of keys; `None` if a cursor cannot hold
    /// one of them. Only a page with the row is refused for that.
    fn key_values(&self, row: &D::Row, count: usize) -> Option<Vec<BoundaryValue>> {
        let terms = self.query.order.terms.iter().take(count).enumerate();
        let sent = terms.map(|(at, term)| column_value::<D>(row, ResultColumn { at, name: &key_name(at) }, term));
        sent.map(|sent| Some(sent.ok()?.value)).collect()
    }
}

/// The rows of a statement that returns at most `most`.
async fn rows_of<D: Driver>(connection: &mut Lease<'_, D>, statement: BoundSql, most: u64) -> Result<Vec<RowOf<D>>> {
    let mut rows = Vec::new();
    let add = |row| {
        rows.push(row);
        Ok(())
    };
    connection.fetch(statement, most, add).await?;
    Ok(rows)
}

/// The places of the groups that have these heads.
fn places<D: Driver>(heads: &[RowOf<D>]) -> sqlx::Result<Vec<usize>> {
    heads.iter().filter_map(|head| group_of::<D>(head).transpose()).collect()
}

/// How many of these heads tie with the boundary. They are the first ones, and NULL.
fn tied<D: Driver>(heads: &[RowOf<D>]) -> sqlx::Result<usize> {
    let name = key_name(0);
    let are_tied: sqlx::Result<Vec<bool>> = heads.iter().map(|head| D::is_null(head, &name)).collect();
    Ok(are_tied?.into_iter().filter(|is_tied| *is_tied).count())
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
