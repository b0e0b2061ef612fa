//! Feeds of the table: the newest rows of some of its thousand groups, each of a thousand rows.

use folio::{Builder, CursorPaginator};

use super::{Cost, PER_PAGE, Planned};

/// The numbers of groups of a feed. Of the first two a page of each is read, of the last one the heads first. After a
/// boundary, MySQL reads the heads of all of them first.
pub(crate) const GROUPS: [u64; 3] = [10, 50, 200];

/// A moment in the middle.
const MIDDLE: i32 = 166_666;

/// The number of rows that a page needs, with one more that tells whether others follow: of few groups a page of each,
/// of many a head of each and a page of as many as the page has rows. And the rows themselves.
pub(crate) fn rows(groups: u64) -> u64 {
    let page = PER_PAGE + 1;
    if groups <= 50 { groups * page + page } else { groups + page * page + page }
}

fn list(groups: u64) -> Builder<Planned> {
    let (moment, id) = (Planned::MOMENT.desc(), Planned::ID.desc());
    Planned::query().among(Planned::A, 0..i32::try_from(groups).unwrap()).cursor_by((moment, id))
}

async fn page(groups: u64, cursor: Option<&str>) -> CursorPaginator<Planned> {
    let page = list(groups).cursor(cursor).cursor_paginate(PER_PAGE).await.unwrap();
    assert_eq!(page.data.len(), 15);
    assert!(page.data.iter().all(|row| u64::try_from(row.a).unwrap() < groups), "{:?}", page.data);
    assert!(page.data.is_sorted_by_key(|row| std::cmp::Reverse((row.moment, row.id))), "{:?}", page.data);
    page
}

/// The most that a page of a feed costs: the first one, and in the middle either way. `meter` tells the cost since it
/// was last asked.
pub(crate) async fn costliest(groups: u64, meter: impl AsyncFn() -> Cost) -> [(&'static str, Cost); 3] {
    let middle = list(groups).filter(Planned::MOMENT.lte(MIDDLE)).cursor_paginate(1).await.unwrap();
    meter().await;
    page(groups, None).await;
    let first = meter().await;
    let after = page(groups, middle.next_cursor.as_deref()).await;
    let forwards = meter().await;
    let before = page(groups, after.prev_cursor.as_deref()).await;
    let backwards = meter().await;
    assert_eq!(before.data.last().map(|row| row.id), middle.data.first().map(|row| row.id));
    [("first page", first), ("after a boundary", forwards), ("before a boundary", backwards)]
}
