//! Reads the total of a list, alone or with a page of its rows.

use sqlx::{Column as _, Row as _};

use super::{checks, columns};
use crate::connection::Lease;
use crate::driver::{Driver, column_error};
use crate::error::Result;
use crate::paginator::Total;
use crate::query::slice::Slice;
use crate::query::template::BoundSql;
use crate::query::total::TOTAL;
use crate::select::{OffsetSelect, TotalSource};

/// The offset from which the count comes first, in a separate statement. A page number that a client made up then costs
/// a count, and not the rows before a page that does not exist.
pub(super) const COUNTED_FIRST_FROM: u64 = 10_000;

/// Reads a list over a connection.
pub(super) struct ListReader<'a, 'c, D: Driver, T> {
    pub(super) connection: &'a mut Lease<'c, D>,
    pub(super) list: &'a OffsetSelect<T>,
}

impl<D: Driver, T> ListReader<'_, '_, D, T> {
    /// The total alone.
    pub(super) async fn total(&mut self) -> Result<Total> {
        match self.list.total.on(D::DIALECT) {
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

    /// Rejects an order by columns that SQL text does not have.
    pub(super) async fn check_columns(&mut self) -> Result<()> {
        match self.list.query.caller_order() {
            Some((renderer, sorts)) => columns::check(self.connection, renderer, sorts).await,
            None => Ok(()),
        }
    }

    /// A page and the total. A slice of `None` is beyond the end of any list.
    ///
    /// A known total decides which pages exist. An estimate does not, and neither does a count that stopped at its
    /// limit.
    pub(super) async fn page(&mut self, slice: Option<Slice>) -> Result<(Vec<T>, Total)> {
        match self.list.total.on(D::DIALECT) {
            TotalSource::Known(total) => {
                let rows = self.rows(slice.filter(|slice| slice.offset < total)).await?;
                Ok((rows, Total::Exact(total)))
            }
            TotalSource::Estimated => self.estimated_page(slice).await,
            TotalSource::EstimatedAbove(exact) => self.page_estimated_above(slice, exact).await,
            TotalSource::Counted => self.page_counted_up_to(slice, None).await,
            TotalSource::CountedUpTo(limit) => self.page_counted_up_to(slice, Some(limit)).await,
        }
    }

    /// The count of the list, which may end at `up_to`.
    async fn counted(&mut self, up_to: Option<u64>) -> Result<Total> {
        Ok(counted_up_to(up_to, self.count(up_to).await?))
    }

    /// A page with the count of its list, which may end at `up_to`.
    async fn page_counted_up_to(&mut self, slice: Option<Slice>, up_to: Option<u64>) -> Result<(Vec<T>, Total)> {
        let (rows, count) = self.counted_page(slice, up_to).await?;
        Ok((rows, counted_up_to(up_to, count)))
    }

    /// A page with the database's estimate.
    async fn estimated_page(&mut self, slice: Option<Slice>) -> Result<(Vec<T>, Total)> {
        let estimate = self.estimate().await?;
        let rows = self.rows(slice).await?;
        let total = slice.map_or(estimate, |slice| adjusted(estimate, slice, &rows));
        Ok((rows, Total::Estimated(total)))
    }

    /// A page with the count of its list, or with an estimate if there are more rows than `exact`.
    async fn page_estimated_above(&mut self, slice: Option<Slice>, exact: u64) -> Result<(Vec<T>, Total)> {
        let (rows, count) = self.counted_page(slice, Some(exact.saturating_add(1))).await?;
        let total = match self.estimated_above(exact, count).await? {
            Total::Estimated(estimate) => {
                Total::Estimated(slice.map_or(estimate, |slice| adjusted(estimate, slice, &rows)))
            }
            total => total,
        };
        Ok((rows, total))
    }

    /// A page with the count of its list, which may end at `up_to`.
    ///
    /// Both come from one statement, and so from one snapshot, unless the page is far from the beginning or past the end.
    async fn counted_page(&mut self, slice: Option<Slice>, up_to: Option<u64>) -> Result<(Vec<T>, u64)> {
        let Some(slice) = slice else { return Ok((Vec::new(), self.count(up_to).await?)) };
        if self.connection.is_snapshot() {
            return self.page_of_snapshot(slice).await;
        }
        let Some(statement) = self.page_with_total(slice, up_to) else {
            return self.count_and_page(slice, up_to).await;
        };
        match self.rows_with_count(statement).await? {
            (rows, Some(count)) => Ok((rows, count)),
            (rows, None) => Ok((rows, self.count_before(slice.offset, up_to).await?)),
        }
    }

    /// The statement that reads a page and its count, unless the page is far from the beginning.
    fn page_with_total(&self, slice: Slice, up_to: Option<u64>) -> Option<BoundSql> {
        if slice.offset >= COUNTED_FIRST_FROM { None } else { self.list.query.page_with_total(slice, up_to) }
    }

    /// The count for a page without rows, in which no row could contain it. Rows that were added since the page was
    /// read do not count.
    async fn count_before(&mut self, offset: u64, up_to: Option<u64>) -> Result<u64> {
        if offset == 0 { Ok(0) } else { Ok(self.count(up_to).await?.min(offset)) }
    }

    /// The rows of a statement that selects the count as their last column, and the count, if there is a row.
    async fn rows_with_count(&mut self, statement: BoundSql) -> Result<(Vec<T>, Option<u64>)> {
        let list = self.list;
        let (mut rows, mut count) = (Vec::new(), None);
        let take = |row| {
            if count.is_none() {
                refuse_namesake::<D>(&row)?;
                refuse_changed_names::<D>(&row, list)?;
                count = Some(count_of::<D>(&row)?);
            }
            rows.push(D::read(&list.reader, &row)?);
            Ok(())
        };
        self.connection.fetch(statement, take).await?;
        Ok((rows, count))
    }

    /// A count, and then the page, if it exists.
    async fn count_and_page(&mut self, slice: Slice, up_to: Option<u64>) -> Result<(Vec<T>, u64)> {
        let count = self.count(up_to).await?;
        let has_ended = up_to.is_some_and(|limit| count >= limit);
        let rows = self.rows(Some(slice).filter(|slice| slice.offset < count || has_ended)).await?;
        let count = if has_ended { count } else { adjusted(count, slice, &rows) };
        Ok((rows, count))
    }

    /// A page of a snapshot, read from the end of the list if that is nearer.
    async fn page_of_snapshot(&mut self, forwards: Slice) -> Result<(Vec<T>, u64)> {
        let count = self.count(None).await?;
        let slice = nearer(forwards, count);
        let mut rows = self.rows(Some(slice).filter(|_| forwards.offset < count)).await?;
        if slice.backwards {
            rows.reverse();
        }
        Ok((rows, count))
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

    async fn count(&mut self, up_to: Option<u64>) -> Result<u64> {
        let statement = self.list.query.count(up_to);
        let row = self.connection.fetch_first(statement).await?.ok_or(sqlx::Error::RowNotFound)?;
        Ok(count_of::<D>(&row)?)
    }

    /// The rows of a slice; a slice of `None` is beyond the end of any list.
    pub(super) async fn rows(&mut self, slice: Option<Slice>) -> Result<Vec<T>> {
        let Some(slice) = slice else { return Ok(Vec::new()) };
        let (list, mut rows) = (self.list, Vec::new());
        let read = |row| {
            if rows.is_empty() {
                refuse_changed_names::<D>(&row, list)?;
            }
            rows.push(D::read(&list.reader, &row)?);
            Ok(())
        };
        self.connection.fetch(list.query.page(slice), read).await?;
        Ok(rows)
    }
}

/// The total of a list whose count may have ended at `up_to`.
fn counted_up_to(up_to: Option<u64>, count: u64) -> Total {
    match up_to {
        Some(limit) if count >= limit => Total::AtLeast(limit),
        _ => Total::Exact(count),
    }
}

/// Rejects a row with a column of the count's name, because a field of that name would be read from the count.
fn refuse_namesake<D: Driver>(row: &D::Row) -> sqlx::Result<()> {
    if row.columns().iter().filter(|column| column.name() == TOTAL).count() > 1 {
        return Err(column_error(TOTAL, "folio selects the total under this name: give the column another one"));
    }
    Ok(())
}

/// Rejects columns of SQL text that have the same name, because the schema changed since they were looked up.
fn refuse_changed_names<D: Driver>(row: &D::Row, list: &OffsetSelect<impl Sized>) -> sqlx::Result<()> {
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
fn adjusted<T>(total: u64, Slice { offset, limit, .. }: Slice, rows: &[T]) -> u64 {
    let read = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    let seen = offset.saturating_add(read);
    match read {
        0 => total.min(offset),
        read if read < limit => seen,
        _ => total.max(seen),
    }
}
