//! The page numbers in a row of page links. The rules are those of Laravel's `onEachSide(3)`.
//!
//! | pages | listed |
//! |---|---|
//! | up to 13 | all |
//! | more, current in the first 7 | 1 to 10, gap, last two |
//! | more, current in the last 7 or past the end | first two, gap, last ten |
//! | more, current between them | first two, gap, current and three on each side, gap, last two |
//!
//! The row of a long list always has 13 entries, so the buttons do not move. The current page always has three
//! neighbours on each side, if they exist.

use std::iter;
use std::ops::RangeInclusive;

/// The number of entries in the widest row, and so the largest number of pages that are all listed.
const WIDTH: u64 = 13;
/// The number of pages listed at an end of the list that the current page is not near.
const EDGE: u64 = 2;
/// The number of pages listed on each side of the current one.
const SIDE: u64 = 3;
/// The number of pages listed at the end that the current page is near: the row without the gap and the other edge.
const RUN: u64 = WIDTH - EDGE - 1;
/// The number of pages that are near an end: those whose neighbours are all part of the run.
const NEAR: u64 = RUN - SIDE;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WindowEntry {
    Page(u64),
    /// One or more omitted pages.
    Gap,
}

/// The entries of the row on page `current` of `last`. A list without pages has none.
pub(crate) fn window(current: u64, last: u64) -> impl Iterator<Item = WindowEntry> {
    let from_end = |pages: u64| last.saturating_sub(pages).saturating_add(1)..=last;
    let (head, others) = if last <= WIDTH {
        (1..=last, [None, None])
    } else if current <= NEAR {
        (1..=RUN, [None, Some(from_end(EDGE))])
    } else if current > last.saturating_sub(NEAR) {
        (1..=EDGE, [None, Some(from_end(RUN))])
    } else {
        let around = current.saturating_sub(SIDE)..=current.saturating_add(SIDE);
        (1..=EDGE, [Some(around), Some(from_end(EDGE))])
    };
    let after_gap = |pages: RangeInclusive<u64>| iter::once(WindowEntry::Gap).chain(pages.map(WindowEntry::Page));
    head.map(WindowEntry::Page).chain(others.into_iter().flatten().flat_map(after_gap))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The row as its labels.
    fn row(current: u64, last: u64) -> String {
        let labels = window(current, last).map(|slot| match slot {
            WindowEntry::Page(page) => page.to_string(),
            WindowEntry::Gap => "...".to_owned(),
        });
        labels.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_row_follows_the_current_page() {
        for (current, last, expected) in [
            (1, 0, ""),
            (1, 1, "1"),
            (9, 3, "1 2 3"),
            (13, 13, "1 2 3 4 5 6 7 8 9 10 11 12 13"),
            (7, 14, "1 2 3 4 5 6 7 8 9 10 ... 13 14"),
            (8, 14, "1 2 ... 5 6 7 8 9 10 11 12 13 14"),
            (8, 15, "1 2 ... 5 6 7 8 9 10 11 ... 14 15"),
            (25, 50, "1 2 ... 22 23 24 25 26 27 28 ... 49 50"),
            (43, 50, "1 2 ... 40 41 42 43 44 45 46 ... 49 50"),
            (44, 50, "1 2 ... 41 42 43 44 45 46 47 48 49 50"),
            (99, 50, "1 2 ... 41 42 43 44 45 46 47 48 49 50"),
        ] {
            assert_eq!(row(current, last), expected, "page {current} of {last}");
        }
    }

    #[test]
    fn a_long_list_keeps_its_width_up_to_the_largest_number() {
        let (largest, width) = (u64::MAX, usize::try_from(WIDTH).unwrap());
        for current in [0, 1, 7, 8, largest / 2, largest - 7, largest - 6, largest] {
            assert_eq!(window(current, largest).count(), width, "{current}");
        }
        assert_eq!(window(largest, largest).last(), Some(WindowEntry::Page(largest)));
    }
}
