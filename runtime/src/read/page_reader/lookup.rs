//! How often the groups of a feed are looked up for a page.

use crate::keyset::Candidates;

/// Attempts at a bounded read before all groups are read. One fails if rows are deleted between its statements.
const ATTEMPTS: u8 = 3;

/// What the reading of a page remembers about its lookups.
#[derive(Default)]
pub(super) struct Lookup {
    attempts: u8,
    /// Whether the last statement stops at an upper bound.
    is_bounded: bool,
}

impl Lookup {
    /// Begins a lookup. Returns `false` after the last attempt.
    pub(super) fn begin(&mut self) -> bool {
        self.is_bounded = false;
        self.attempts = self.attempts.saturating_add(1);
        self.attempts <= ATTEMPTS
    }

    /// The candidates that the next statement reads.
    pub(super) fn found(&mut self, candidates: Option<Candidates<'_>>) {
        self.is_bounded = candidates.is_some_and(|candidates| !candidates.upper.is_empty());
    }

    /// Whether rows were deleted after the lookup, so that there are others beyond the upper bound, and the page has to be read
    /// again.
    pub(super) fn is_outdated(&self, has_all_rows: bool) -> bool {
        self.is_bounded && !has_all_rows
    }
}
