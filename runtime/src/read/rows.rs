//! The rows of a cursor page as they arrive from the database.

use folio_plan::cursor::Cursor;
use folio_plan::keyset::{Base, KeysetOrder, KeysetQuery};
use folio_plan::predicate::{LEFT_OUT, WITHIN};
use folio_plan::statement::template::BoundSql;

use super::checks::{self, PrimaryKeys};
use super::key::{Key, RowKey};
use super::rounding::Rounding;
use super::window::Window;
use crate::driver::{Driver, RowOf, RowSink};

pub(super) struct Rows<'r, D: Driver> {
    /// Keeps the decoded rows.
    pub(super) sink: &'r mut dyn RowSink,
    window: &'r Window<Cursor>,
    /// The keys of all rows, if each of them gets a cursor; otherwise of the first one, to which `checked_page` adds the last
    /// one's.
    pub(super) keys: Vec<Key>,
    /// Why a value in one of the keys may differ from the one in the table.
    pub(super) rounding: Option<Rounding>,
    pub(super) last: Option<RowOf<D>>,
    pub(super) extra: Option<Extra<D>>,
    /// Whether the statement marks its rows if it leaves one out.
    is_verified: bool,
    /// The primary keys of the rows, if the rows are found by them.
    primary_keys: Option<PrimaryKeys>,
}

/// The row after a page.
pub(super) struct Extra<D: Driver> {
    pub(super) row: RowOf<D>,
    /// Whether it is before the page's end, so that the page would have it if it were longer.
    pub(super) is_within: bool,
}

impl<'r, D: Driver> Rows<'r, D> {
    /// Starts empty, and drops the rows of a failed attempt: a page is read again if the index that its statement names
    /// no longer exists.
    pub(super) fn new(sink: &'r mut dyn RowSink, window: &'r Window<Cursor>) -> Self {
        sink.clear();
        Self {
            sink,
            window,
            keys: Vec::new(),
            rounding: None,
            last: None,
            extra: None,
            is_verified: false,
            primary_keys: None,
        }
    }

    /// Sets the statement of the rows that follow. If it finds rows by their primary keys, these are checked.
    /// `is_verified` says whether it marks its rows if it leaves one out.
    pub(super) fn of_statement(&mut self, query: &KeysetQuery, statement: &BoundSql, is_verified: bool) {
        self.primary_keys = query.order.table.filter(|_| statement.finds_keys_first).map(PrimaryKeys::of);
        self.is_verified = is_verified;
    }

    pub(super) fn count(&self) -> u64 {
        u64::try_from(self.sink.len()).unwrap_or(u64::MAX)
    }

    /// Whether no row has been added, not even the one after the page.
    pub(super) fn are_none(&self) -> bool {
        self.sink.len() == 0 && self.extra.is_none()
    }

    pub(super) fn add(&mut self, query: &KeysetQuery, row: RowOf<D>) -> sqlx::Result<()> {
        if self.extra.is_some() {
            return Ok(());
        }
        let count = self.count();
        if count == 0 {
            self.check_first(query, &row)?;
        }
        self.primary_keys.as_mut().map_or(Ok(()), |keys| keys.add::<D>(&row))?;
        // The statement marks the rows before the window's end.
        let is_within = self.window.end.is_none() || !D::is_null(&row, WITHIN)?;
        if !is_within || count >= self.window.limit {
            self.extra = Some(Extra { row, is_within });
            return Ok(());
        }
        // If a key column fails to decode, its own error is more specific.
        let decoded = D::decode_into(self.sink, &row);
        decoded.map_err(|error| RowKey::read::<D>(&query.order, &row).err().unwrap_or(error))?;
        // Rows that are only counted get no cursors.
        if self.window.is_counted {
            return Ok(());
        }
        if self.window.row_cursors || self.keys.is_empty() {
            self.add_key(&query.order, &row)?;
        }
        self.last = Some(row);
        Ok(())
    }

    /// Checks what the first row shows about all rows of its statement.
    fn check_first(&self, query: &KeysetQuery, row: &D::Row) -> sqlx::Result<()> {
        let is_callers = matches!(query.base, Base::Caller(..));
        let is_marked = self.window.end.is_some();
        if is_marked || self.is_verified || is_callers {
            checks::refuse_namesakes::<D>(row)?;
        }
        if is_marked || is_callers {
            checks::refuse_equal_names::<D>(row)?;
        }
        if self.is_verified && !D::is_null(row, LEFT_OUT)? {
            return Err(checks::left_out(&query.order));
        }
        Ok(())
    }

    pub(super) fn add_key(&mut self, order: &KeysetOrder, row: &D::Row) -> sqlx::Result<()> {
        let RowKey { values, rounding } = RowKey::read::<D>(order, row)?;
        self.rounding = self.rounding.take().or(rounding);
        self.keys.push(values);
        Ok(())
    }
}

/// The index of the row's group. The last column has the group's number, counted from 1; `None` if it has another
/// number.
pub(super) fn group_of<D: Driver>(row: &D::Row) -> sqlx::Result<Option<usize>> {
    let number = usize::try_from(D::count(row)?).ok();
    Ok(number.and_then(|number| number.checked_sub(1)))
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests;
