//! Part of a select's rows, by number, and their count.

use sea_query::{Asterisk, Expr, Func, SelectStatement};

/// Which rows of a list a page has.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slice {
    /// How many rows are passed over.
    pub(crate) offset: u64,
    /// How many rows there are at most.
    pub(crate) limit: u64,
    /// Whether they are read from the list's end, and come the last first.
    pub(crate) backwards: bool,
}

/// The count of a select's rows, over the same FROM and WHERE.
pub(crate) fn counted(mut select: SelectStatement) -> SelectStatement {
    select.clear_selects().expr(Func::count(Expr::col(Asterisk))).take()
}

/// A select's rows from an offset on.
pub(crate) fn sliced(mut select: SelectStatement, offset: Option<u64>, limit: u64) -> SelectStatement {
    match offset {
        Some(offset) => select.offset(offset),
        None => select.reset_offset(),
    };
    select.limit(limit).take()
}
