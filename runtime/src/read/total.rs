//! Reads the total of a list, alone or with a page of its rows.

use folio_plan::statement::slice::Slice;
use folio_plan::statement::template::BoundSql;

use super::checks::{PrimaryKeys, Ties};
use super::list::{OffsetSelect, TotalSource};
use super::{checks, columns};
use crate::driver::{Driver, RowOf, RowSink, inconsistent_error};
use crate::error::Result;
use crate::paginator::Total;
use crate::source::Lease;

/// The offset from which the count comes first, in a separate statement. A page number that a client made up then costs
/// a count, and not the rows before a page that does not exist.
pub(super) const COUNTED_FIRST_FROM: u64 = 10_000;

pub(super) struct ListReader<'a, 'c, D: Driver> {
    pub(super) connection: &'a mut Lease<'c, D>,
    pub(super) list: &'a OffsetSelect,
}

impl<D: Driver> ListReader<'_, '_, D> {
    pub(super) async fn total(&mut self) -> Result<Total> {
        self.list.learn(self.connection, None).await?;
        match self.source() {
            TotalSource::Known(total) => Ok(Total::Exact(total)),
            TotalSource::Counted => self.counted(None).await,
            TotalSource::CountedUpTo(limit) => self.counted(Some(limit)).await,
            TotalSource::Estimated => Ok(Total::Estimated(self.estimate().await?)),
            TotalSource::EstimatedAbove(exact) => {
                let count = self.count(Some(exact.saturating_add(1))).await?;
                self.estimated_above(exact, count).await
            }
        }
    }

    /// Where the total comes from, which those who observe the page see.
    fn source(&self) -> TotalSource {
        let source = self.list.total.on(self.list.query.dialect());
        self.connection.watched.total(source.name());
        source
    }

    /// Rejects an order by columns that SQL text does not have.
    pub(super) async fn check_columns(&mut self) -> Result<()> {
        match self.list.query.caller_order() {
            Some((renderer, sorts)) => columns::check(self.connection, renderer, sorts).await,
            None => Ok(()),
        }
    }

    /// Reads a page, and returns the total. A slice of `None` is beyond the end of any list.
    ///
    /// A known total decides which pages exist. An estimate does not, and neither does a count that stopped at its
    /// limit.
    pub(super) async fn page(&mut self, slice: Option<Slice>, rows: &mut dyn RowSink) -> Result<Total> {
        match self.source() {
            TotalSource::Known(total) => {
                self.rows(slice.filter(|slice| slice.offset < total), rows).await?;
                Ok(Total::Exact(total))
            }
            TotalSource::Estimated => {
                let estimate = self.estimate().await?;
                self.rows(slice, rows).await?;
                Ok(Total::Estimated(slice.map_or(estimate, |slice| adjusted(estimate, slice, rows.len()))))
            }
            TotalSource::EstimatedAbove(exact) => self.page_estimated_above(slice, exact, rows).await,
            TotalSource::Counted => self.page_counted_up_to(slice, None, rows).await,
            TotalSource::CountedUpTo(limit) => self.page_counted_up_to(slice, Some(limit), rows).await,
        }
    }

    /// Reads a page that begins before the end that is remembered, and returns the total: the remembered one, unless the
    /// rows tell another.
    pub(super) async fn page_of_remembered(
        &mut self,
        slice: Slice,
        remembered: Total,
        rows: &mut dyn RowSink,
    ) -> Result<Total> {
        let up_to = match self.list.total.on(self.list.query.dialect()) {
            TotalSource::CountedUpTo(limit) => Some(limit),
            _ => None,
        };
        self.rows(Some(slice), rows).await?;
        let read = u64::try_from(rows.len()).unwrap_or(u64::MAX);
        if (1..slice.limit).contains(&read) {
            self.connection.watched.total("page");
            return Ok(counted_up_to(up_to, slice.offset.saturating_add(read)));
        }
        let is_before_end = slice.offset.saturating_add(read) <= remembered.rows() || !remembered.is_exact();
        if read > 0 && is_before_end {
            self.connection.watched.total("remembered");
            return Ok(remembered);
        }
        self.connection.watched.total("counted");
        let count = self.count(up_to).await?;
        Ok(counted_up_to(up_to, adjusted(count, slice, rows.len())))
    }

    /// The count of the list, which may end at `up_to`.
    async fn counted(&mut self, up_to: Option<u64>) -> Result<Total> {
        Ok(counted_up_to(up_to, self.count(up_to).await?))
    }

    /// Reads a page, and returns the count of its list, which may end at `up_to`.
    async fn page_counted_up_to(
        &mut self,
        slice: Option<Slice>,
        up_to: Option<u64>,
        rows: &mut dyn RowSink,
    ) -> Result<Total> {
        Ok(counted_up_to(up_to, self.counted_page(slice, up_to, rows).await?))
    }

    /// Reads a page, and returns the count of its list, or an estimate if there are more rows than `exact`.
    async fn page_estimated_above(
        &mut self,
        slice: Option<Slice>,
        exact: u64,
        rows: &mut dyn RowSink,
    ) -> Result<Total> {
        let count = self.counted_page(slice, Some(exact.saturating_add(1)), rows).await?;
        Ok(match self.estimated_above(exact, count).await? {
            Total::Estimated(estimate) => {
                Total::Estimated(slice.map_or(estimate, |slice| adjusted(estimate, slice, rows.len())))
            }
            total => total,
        })
    }

    /// Reads a page, and returns the count of its list, which may end at `up_to`.
    ///
    /// Both come from one statement, and so from one snapshot, unless the page is far from the beginning or past the
    /// end.
    async fn counted_page(&mut self, slice: Option<Slice>, up_to: Option<u64>, rows: &mut dyn RowSink) -> Result<u64> {
        let Some(slice) = slice else { return self.count(up_to).await };
        if self.connection.is_snapshot() {
            return self.page_of_snapshot(slice, rows).await;
        }
        let Some(statement) = self.page_with_total(slice, up_to) else {
            return self.count_and_page(slice, up_to, rows).await;
        };
        match self.rows_with_count(slice, statement, rows).await? {
            // A statement that computes a whole select counts it as a whole.
            Some(count) => Ok(count),
            // No row could contain the count. Rows that were added since the page was read do not count.
            None if slice.offset == 0 => Ok(0),
            None => Ok(self.count(up_to).await?.min(slice.offset)),
        }
    }

    /// The statement that reads a page and its count, unless the page is far from the beginning, or it would have too
    /// many parameters: the values of a filter are in it twice.
    fn page_with_total(&self, slice: Slice, up_to: Option<u64>) -> Option<BoundSql> {
        if slice.offset >= COUNTED_FIRST_FROM {
            return None;
        }
        self.list.query.page_with_total(slice, up_to).filter(|statement| statement.fits(D::DIALECT))
    }

    /// Reads the rows of a statement that selects the count as their last column, and returns it if there is a row.
    /// Each row has the same count, unless the rows come from several servers.
    async fn rows_with_count(
        &mut self,
        slice: Slice,
        statement: BoundSql,
        rows: &mut dyn RowSink,
    ) -> Result<Option<u64>> {
        let (list, mut first) = (self.list, None);
        let mut keys = list.query.table_of_keys(slice).map(PrimaryKeys::of);
        let mut ties = Ties::of(list.query.may_tie());
        let take = |row: RowOf<D>| {
            keys.as_mut().map_or(Ok(()), |keys| keys.add::<D>(&row))?;
            ties.add::<D>(&row);
            if first.is_none() {
                refuse_changed_names::<D>(&row, list)?;
            }
            let count = count_of::<D>(&row)?;
            match *first.get_or_insert(count) {
                first if first != count => {
                    Err(inconsistent_error(&format!("the rows of one page have different totals, {first} and {count}")))
                }
                _ => D::decode_into(rows, &row),
            }
        };
        self.connection.fetch(statement, slice.limit, take).await?;
        Ok(first)
    }

    /// Counts, and then reads the page, if it exists.
    async fn count_and_page(&mut self, slice: Slice, up_to: Option<u64>, rows: &mut dyn RowSink) -> Result<u64> {
        let count = self.count(up_to).await?;
        let has_ended = up_to.is_some_and(|limit| count >= limit);
        self.rows(Some(slice).filter(|slice| slice.offset < count || has_ended), rows).await?;
        Ok(if has_ended { count } else { adjusted(count, slice, rows.len()) })
    }

    /// Reads a page of a snapshot, from the end of the list if that is nearer, and returns the count.
    async fn page_of_snapshot(&mut self, forwards: Slice, rows: &mut dyn RowSink) -> Result<u64> {
        let count = self.count(None).await?;
        let slice = nearer(forwards, count);
        self.rows(Some(slice).filter(|_| forwards.offset < count), rows).await?;
        if slice.backwards {
            rows.reverse();
        }
        Ok(count)
    }

    /// The total of a list whose count may have stopped at the row after `exact`.
    async fn estimated_above(&mut self, exact: u64, count: u64) -> Result<Total> {
        if count != exact.saturating_add(1) {
            return Ok(Total::Exact(count));
        }
        Ok(Total::Estimated(self.estimate().await?.max(count)))
    }

    /// The database's estimate, or the count if it has none.
    async fn estimate(&mut self) -> Result<u64> {
        match self.connection.estimate(self.list.query.all()).await? {
            Some(estimate) => Ok(estimate),
            None => self.count(None).await,
        }
    }

    /// Counts the list, or only its first `up_to` rows. If the statement ends there, a larger count is an error.
    async fn count(&mut self, up_to: Option<u64>) -> Result<u64> {
        let statement = self.list.query.count(up_to);
        let row = self.connection.fetch_first(statement).await?.ok_or(sqlx::Error::RowNotFound)?;
        let count = count_of::<D>(&row)?;
        match up_to {
            // A proxy adds up the counts of several servers, which cannot end.
            Some(most) if self.list.query.dialect().facts().is_plain => Ok(count.min(most)),
            Some(most) if count > most => {
                Err(inconsistent_error(&format!("a count of at most {most} rows returned {count}")).into())
            }
            _ => Ok(count),
        }
    }

    /// Reads the rows of a slice; a slice of `None` is beyond the end of any list.
    pub(super) async fn rows(&mut self, slice: Option<Slice>, rows: &mut dyn RowSink) -> Result<()> {
        let (Some(slice), list) = (slice, self.list) else { return Ok(()) };
        let mut keys = list.query.table_of_keys(slice).map(PrimaryKeys::of);
        let mut ties = Ties::of(list.query.may_tie());
        let take = |row: RowOf<D>| {
            keys.as_mut().map_or(Ok(()), |keys| keys.add::<D>(&row))?;
            ties.add::<D>(&row);
            if rows.len() == 0 {
                refuse_changed_names::<D>(&row, list)?;
            }
            D::decode_into(rows, &row)
        };
        self.connection.fetch(list.query.page(slice), slice.limit, take).await?;
        Ok(())
    }
}

/// The total of a list whose count may have ended at `up_to`.
fn counted_up_to(up_to: Option<u64>, count: u64) -> Total {
    match up_to {
        Some(limit) if count >= limit => Total::AtLeast(limit),
        _ => Total::Exact(count),
    }
}

/// Rejects columns with names of folio's, and columns of SQL text that have the same name, because the schema changed
/// since they were looked up.
fn refuse_changed_names<D: Driver>(row: &D::Row, list: &OffsetSelect) -> sqlx::Result<()> {
    checks::refuse_namesakes::<D>(row)?;
    if list.query.is_text() { checks::refuse_equal_names::<D>(row) } else { Ok(()) }
}

/// The count in the last column of a row.
pub(super) fn count_of<D: Driver>(row: &D::Row) -> sqlx::Result<u64> {
    u64::try_from(D::count(row)?).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// The same rows, read from the nearer end of a list of `total` rows.
fn nearer(slice: Slice, total: u64) -> Slice {
    let behind = total.saturating_sub(slice.offset);
    let limit = slice.limit.min(behind);
    let offset = behind.saturating_sub(limit);
    if offset < slice.offset { Slice { offset, limit, backwards: true } } else { slice }
}

/// A total from another snapshot, corrected by what the page shows: a page that is not full is the last one, and a page
/// without rows is past the end.
fn adjusted(total: u64, Slice { offset, limit, .. }: Slice, read: usize) -> u64 {
    let read = u64::try_from(read).unwrap_or(u64::MAX);
    let seen = offset.saturating_add(read);
    match read {
        0 => total.min(offset),
        read if read < limit => seen,
        _ => total.max(seen),
    }
}

#[cfg(test)]
mod tests;
