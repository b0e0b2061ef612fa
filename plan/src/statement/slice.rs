//! The rows of a list by their numbers.

use super::select::{Number, Select};
use crate::dialect::Param;

/// The rows of a list that are on a page.
#[derive(Debug, Clone, Copy, Default)]
pub struct Slice {
    /// The number of rows before the page.
    pub offset: u64,
    pub limit: u64,
    /// Whether they are read from the end of the list, last row first.
    pub backwards: bool,
}

/// The maximum number of rows on a page. One more is fetched, and LIMIT is an i64 on every database.
pub const MAX_PER_PAGE: u64 = i64::MAX as u64 - 1;

impl Slice {
    /// The rows of a page with this number, counted from 1, and this many rows; `None` if no database counts that far.
    pub fn of_page(number: u64, per_page: u64) -> Option<Self> {
        let before = u128::from(number.saturating_sub(1)).checked_mul(u128::from(per_page))?;
        let offset = i64::try_from(before).ok()?.try_into().ok()?;
        Some(Self { offset, limit: per_page.min(MAX_PER_PAGE), backwards: false })
    }

    /// The number of rows up to the end of the page.
    pub fn end(self) -> u64 {
        self.offset.saturating_add(self.limit)
    }

    /// The select's rows that are in the slice.
    pub fn of(self, select: Select) -> Select {
        select.limit(Number::Page(self.limit)).offset((self.offset > 0).then_some(Param::Offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_no_database_counts_up_to_has_no_rows() {
        let rows =
            |number, per_page| Slice::of_page(number, per_page).map(|Slice { offset, limit, .. }| (offset, limit));
        assert_eq!(rows(0, 15), Some((0, 15)));
        assert_eq!(rows(1, 15), Some((0, 15)));
        assert_eq!(rows(3, 15), Some((30, 15)));
        assert_eq!(rows(1, u64::MAX), Some((0, MAX_PER_PAGE)));
        assert_eq!(rows(1 << 62, 3), None);
        assert_eq!(rows(u64::MAX, u64::MAX), None);
    }
}
