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
//! neighbours on each side, if they exist. Markup can have a narrower or a wider row, by the same rules.

use std::iter;
use std::ops::RangeInclusive;

/// The kind of an entry in a row of page links.
///
/// ```
/// use folio::{LengthAwarePaginator, LinkKind};
///
/// let links = LengthAwarePaginator::new(vec!['x'], 50, 1, 25).links();
/// assert_eq!(links[0].kind, LinkKind::Previous);
/// assert_eq!(links[2..5].iter().map(|link| link.kind).collect::<Vec<_>>(), [
///     LinkKind::Page(2),
///     LinkKind::Gap,
///     LinkKind::Page(22),
/// ]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// The page before the current one, or the end of the list on that side.
    Previous,
    /// The page with this number, from 1.
    Page(u64),
    /// One or more pages that are not listed.
    Gap,
    /// The page after the current one, or the end of the list on that side.
    Next,
}

/// The number of pages listed at an end of the list that the current page is not near.
const EDGE: u64 = 2;
/// The number of pages listed on each side of the current one in the JSON.
pub(crate) const SIDE: u8 = 3;

/// The page numbers and gaps of the row on page `current` of `last`, with `side` pages on each side of the current one.
/// A list without pages has none.
pub(crate) fn window(current: u64, last: u64, side: u8) -> impl Iterator<Item = LinkKind> {
    let side = u64::from(side);
    // At the end that the current page is near: its neighbours, and as many more as a gap and the other edge would take.
    let run = side.saturating_mul(2).saturating_add(EDGE + 2);
    let widest = run.saturating_add(EDGE + 1);
    // The pages near an end are those whose neighbours are all part of the run.
    let near = run.saturating_sub(side);
    let from_end = |pages: u64| last.saturating_sub(pages).saturating_add(1)..=last;
    let (head, others) = if last <= widest {
        (1..=last, [None, None])
    } else if current <= near {
        (1..=run, [None, Some(from_end(EDGE))])
    } else if current > last.saturating_sub(near) {
        (1..=EDGE, [None, Some(from_end(run))])
    } else {
        let around = current.saturating_sub(side)..=current.saturating_add(side);
        (1..=EDGE, [Some(around), Some(from_end(EDGE))])
    };
    let after_gap = |pages: RangeInclusive<u64>| iter::once(LinkKind::Gap).chain(pages.map(LinkKind::Page));
    head.map(LinkKind::Page).chain(others.into_iter().flatten().flat_map(after_gap))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The row as its labels.
    fn row(current: u64, last: u64, side: u8) -> String {
        let labels = window(current, last, side).map(|kind| match kind {
            LinkKind::Page(page) => page.to_string(),
            _ => "...".to_owned(),
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
            assert_eq!(row(current, last, SIDE), expected, "page {current} of {last}");
        }
    }

    #[test]
    fn the_current_page_has_the_requested_neighbours() {
        for (side, current, last, expected) in [
            (0, 4, 7, "1 2 3 4 5 6 7"),
            (0, 4, 8, "1 2 3 4 ... 7 8"),
            (0, 5, 9, "1 2 ... 5 ... 8 9"),
            (1, 6, 20, "1 2 ... 5 6 7 ... 19 20"),
            (1, 5, 20, "1 2 3 4 5 6 ... 19 20"),
            (2, 1, 11, "1 2 3 4 5 6 7 8 9 10 11"),
            (2, 20, 20, "1 2 ... 13 14 15 16 17 18 19 20"),
        ] {
            assert_eq!(row(current, last, side), expected, "{side} on each side of page {current} of {last}");
        }
        assert_eq!(window(1_000, 2_000, u8::MAX).count(), 2 * 255 + 7);
    }

    #[test]
    fn a_long_list_keeps_its_width_up_to_the_largest_number() {
        let (largest, width) = (u64::MAX, 13);
        for current in [0, 1, 7, 8, largest / 2, largest - 7, largest - 6, largest] {
            assert_eq!(window(current, largest, SIDE).count(), width, "{current}");
        }
        assert_eq!(window(largest, largest, SIDE).last(), Some(LinkKind::Page(largest)));
    }
}
