//! LIMIT and OFFSET.

use sea_query::SelectStatement;

/// The rows of a list that are on a page.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slice {
    /// The number of rows before the page.
    pub(crate) offset: u64,
    pub(crate) limit: u64,
    /// Whether they are read from the end of the list, last row first.
    pub(crate) backwards: bool,
}

impl Slice {
    /// The number of rows up to the end of the page.
    pub(crate) fn end(self) -> u64 {
        self.offset.saturating_add(self.limit)
    }

    /// The offset; `None` on the first page.
    pub(crate) fn offset_if_any(self) -> Option<u64> {
        (self.offset > 0).then_some(self.offset)
    }
}

/// A select's rows from an offset on.
pub(crate) fn sliced(mut select: SelectStatement, offset: Option<u64>, limit: u64) -> SelectStatement {
    match offset {
        Some(offset) => select.offset(offset),
        None => select.reset_offset(),
    };
    select.limit(limit).take()
}
