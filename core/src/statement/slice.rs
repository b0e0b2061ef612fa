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

impl Slice {
    /// The number of rows up to the end of the page.
    pub fn end(self) -> u64 {
        self.offset.saturating_add(self.limit)
    }

    /// The select's rows that are in the slice.
    pub fn of(self, select: Select) -> Select {
        select.limit(Number::Page(self.limit)).offset((self.offset > 0).then_some(Param::Offset))
    }
}
