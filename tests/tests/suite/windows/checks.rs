//! What a window has to have: the rows of the sorted list in memory, cursors that lead on, and streams that end with
//! it.

use std::cmp::Ordering;

use folio::CursorPaginator;
use folio::relay::{Connection, Window};

use super::{Case, Key, List, Pane, compare};

/// Every way to read a part of a list.
pub(super) async fn check(case: &Case) {
    let list = case.expected();
    let cursors = cursors(case, &list).await;
    check_connections(case, &list, &cursors).await;
    check_pages(case, &list, &cursors).await;
    check_seek(case, &list).await;
    check_skip(case, &list, &cursors).await;
    check_around(case, &list, &cursors).await;
    check_around_at(case, &list).await;
    check_streams(case, &list, &cursors).await;
}

/// A part of a list: its rows, and whether there are any before and after them.
type Seen = (Vec<i64>, bool, bool);

fn ids(rows: &[Pane]) -> Vec<i64> {
    rows.iter().map(|row| row.id).collect()
}

/// The first or last rows of a range of the list.
fn part(list: &[Pane], begin: usize, end: usize, rows: u64, from_end: bool) -> Seen {
    let rows = usize::try_from(rows).unwrap();
    let (begin, end) = match from_end {
        false => (begin, end.min(begin + rows).max(begin)),
        true => (begin.max(end.saturating_sub(rows)).min(end), end),
    };
    (ids(&list[begin..end]), begin > 0, end < list.len())
}

fn seen(page: &CursorPaginator<Pane>) -> Seen {
    (ids(&page.data), page.prev_cursor.is_some(), page.next_cursor.is_some())
}

fn seen_of(connection: &Connection<Pane>) -> Seen {
    let info = &connection.page_info;
    let cursors: Vec<&String> = connection.edges.iter().map(|edge| &edge.cursor).collect();
    assert_eq!(info.start_cursor.as_ref(), cursors.first().copied());
    assert_eq!(info.end_cursor.as_ref(), cursors.last().copied());
    let ids = connection.edges.iter().map(|edge| edge.node.id).collect();
    (ids, info.has_previous_page, info.has_next_page)
}

/// A cursor for each row of the list.
async fn cursors(case: &Case, list: &[Pane]) -> Vec<String> {
    let page = case.list().with_row_cursors().cursor_paginate(100).await;
    assert_eq!(seen(&page), (ids(list), false, false));
    let cursors = page.row_cursors.unwrap();
    assert_eq!(cursors.len(), list.len());
    cursors
}

/// The windows that Relay allows.
async fn check_connections(case: &Case, list: &[Pane], cursors: &[String]) {
    let at = |place: Option<usize>| place.map(|at| cursors[at % cursors.len()].clone());
    let begin = case.after.map_or(0, |at| at % list.len() + 1);
    let end = case.before.map_or(list.len(), |at| at % list.len());
    for from_end in [false, true] {
        let rows = i64::try_from(case.rows).unwrap();
        let window = if from_end { Window::last(rows) } else { Window::first(rows) };
        let window = Window { after: at(case.after), before: at(case.before), ..window };
        let connection = case.list().connection(window.clone()).await;
        assert_eq!(seen_of(&connection), part(list, begin, end, case.rows, from_end), "{window:?}");
    }
}

/// The same as pages, from which the cursors lead on.
async fn check_pages(case: &Case, list: &[Pane], cursors: &[String]) {
    let rows = case.rows.max(1);
    let at = |place: Option<usize>| place.map(|at| cursors[at % cursors.len()].as_str());
    let (after, before) = (at(case.after), at(case.before));
    let begin = case.after.map_or(0, |at| at % list.len() + 1);
    let end = case.before.map_or(list.len(), |at| at % list.len());
    let page = case.list().with_positions().after(after).before(before).cursor(None).cursor_paginate(rows).await;
    let from_end = after.is_none() && before.is_some();
    assert_eq!(seen(&page), part(list, begin, end, rows, from_end), "a page between two cursors");
    let last = case.list().with_positions().after(after).before(before).last_page(rows).await;
    assert_eq!(seen(&last), part(list, begin, end, rows, true), "the last page between two cursors");
    check_positions(case, list, &page).await;
    check_positions(case, list, &last).await;
    check_neighbours(case, list, &page).await;
    check_neighbours(case, list, &last).await;
}

/// A page's cursors lead to the rows beside it, even if it is empty.
async fn check_neighbours(case: &Case, list: &[Pane], page: &CursorPaginator<Pane>) {
    let place = |row: &Pane| list.iter().position(|other| other.id == row.id).unwrap();
    if let (Some(next), Some(last)) = (&page.next_cursor, page.data.last()) {
        let next = case.list().cursor(Some(next)).cursor_paginate(2).await;
        assert_eq!(seen(&next), part(list, place(last) + 1, list.len(), 2, false), "the next page");
    }
    if let (Some(prev), Some(first)) = (&page.prev_cursor, page.data.first()) {
        let prev = case.list().cursor(Some(prev)).cursor_paginate(2).await;
        assert_eq!(seen(&prev), part(list, 0, place(first), 2, true), "the previous page");
    }
    if page.data.is_empty() {
        for cursor in [&page.next_cursor, &page.prev_cursor].into_iter().flatten() {
            let beside = case.list().cursor(Some(cursor)).cursor_paginate(2).await;
            assert!(!beside.data.is_empty(), "a cursor of an empty page leads to no rows");
        }
    }
}

/// A page's positions lead to the rows on both sides, also at the ends of the list, and whichever way they are read.
async fn check_positions(case: &Case, list: &[Pane], page: &CursorPaginator<Pane>) {
    let (Some(first), Some(last)) = (page.data.first(), page.data.last()) else { return };
    let place = |row: &Pane| list.iter().position(|other| other.id == row.id).unwrap();
    let (start, end) = (page.start_cursor.as_deref(), page.end_cursor.as_deref());
    assert!(start.is_some() && end.is_some(), "a page with rows has positions");
    for list_after in [case.list().cursor(end), case.list().after(end)] {
        let expected = part(list, place(last) + 1, list.len(), 2, false);
        assert_eq!(seen(&list_after.cursor_paginate(2).await), expected, "after the page");
    }
    for list_before in [case.list().cursor(start), case.list().before(start)] {
        assert_eq!(
            seen(&list_before.cursor_paginate(2).await),
            part(list, 0, place(first), 2, true),
            "before the page"
        );
    }
}

/// Values to begin at: those of a row's first columns, or ones between the rows'.
fn values(case: &Case, row: &Pane) -> (Vec<Key>, Pane) {
    let keys: Vec<Key> = case.keys[..case.prefix].to_vec();
    let mut row = row.clone();
    if case.is_absent {
        match keys.last() {
            Some(Key::Grade { .. }) => row.grade += 1,
            Some(Key::Title { .. }) => row.title.push('x'),
            Some(Key::Score { .. }) => row.score = row.score.map(|score| score + 1),
            Some(Key::Id { .. }) | None => row.id += 1_000,
        }
    }
    (keys, row)
}

/// The list from a row's values on.
fn sought(list: List, inclusive: bool, keys: &[Key], row: &Pane) -> List {
    let (id, grade, title, score) = (row.id, row.grade, &*row.title, row.score);
    match keys {
        [Key::Id { .. }] => list.seek(inclusive, id),
        [Key::Grade { .. }] => list.seek(inclusive, grade),
        [Key::Title { .. }] => list.seek(inclusive, title),
        [Key::Score { .. }] => list.seek(inclusive, score),
        [Key::Grade { .. }, Key::Id { .. }] => list.seek(inclusive, (grade, id)),
        [Key::Grade { .. }, Key::Title { .. }] => list.seek(inclusive, (grade, title)),
        [Key::Grade { .. }, Key::Score { .. }] => list.seek(inclusive, (grade, score)),
        [Key::Title { .. }, Key::Id { .. }] => list.seek(inclusive, (title, id)),
        [Key::Title { .. }, Key::Score { .. }] => list.seek(inclusive, (title, score)),
        [Key::Score { .. }, Key::Grade { .. }] => list.seek(inclusive, (score, grade)),
        [Key::Score { .. }, Key::Id { .. }] => list.seek(inclusive, (score, id)),
        [Key::Grade { .. }, Key::Title { .. }, _] => list.seek(inclusive, (grade, title.to_owned(), id)),
        [Key::Grade { .. }, Key::Score { .. }, _] => list.seek(inclusive, (grade, score, id)),
        [Key::Title { .. }, Key::Score { .. }, _] => list.seek(inclusive, (title, score, id)),
        [Key::Score { .. }, Key::Grade { .. }, _] => list.seek(inclusive, (score, grade, id)),
        keys => panic!("{keys:?}"),
    }
}

/// Pages that begin at a value.
async fn check_seek(case: &Case, list: &[Pane]) {
    let (keys, row) = values(case, &list[case.sought % list.len()]);
    let rows = case.rows.max(1);
    for inclusive in [false, true] {
        let is_before = |other: &Pane| match compare(&keys, other, &row) {
            Ordering::Less => true,
            Ordering::Equal => !inclusive,
            Ordering::Greater => false,
        };
        let begin = list.iter().take_while(|other| is_before(other)).count();
        let page = sought(case.list(), inclusive, &keys, &row).cursor(None).cursor_paginate(rows).await;
        let expected = part(list, begin, list.len(), rows, false);
        assert_eq!(
            seen(&page),
            expected,
            "from {:?} on, {inclusive}",
            keys.iter().map(|key| key.value(&row)).collect::<Vec<_>>()
        );
        check_neighbours(case, list, &page).await;
        let last = sought(case.list(), inclusive, &keys, &row).last_page(rows).await;
        assert_eq!(seen(&last), part(list, begin, list.len(), rows, true), "the end after a value");
    }
}

/// Pages that pass over rows.
async fn check_skip(case: &Case, list: &[Pane], cursors: &[String]) {
    let skip = usize::try_from(case.skip).unwrap();
    let rows = case.rows.max(1);
    let after = case.after.map(|at| at % list.len());
    let cursor = after.map(|at| cursors[at].as_str());
    let page = case.list().skip(case.skip).after(cursor).cursor_paginate(rows).await;
    let begin = (after.map_or(0, |at| at + 1) + skip).min(list.len());
    assert_eq!(seen(&page), part(list, begin, list.len(), rows, false), "after {skip} rows");
    check_neighbours(case, list, &page).await;
}

/// A row with its neighbours.
async fn check_around(case: &Case, list: &[Pane], cursors: &[String]) {
    let at = case.sought % list.len();
    let (before, after) = (case.skip, case.rows);
    let around = case.list().with_row_cursors().around_cursor(&cursors[at], before, after).await;
    let begin = at.saturating_sub(usize::try_from(before).unwrap());
    let end = (at + 1 + usize::try_from(after).unwrap()).min(list.len());
    assert_eq!(seen(&around.page), (ids(&list[begin..end]), begin > 0, end < list.len()));
    assert_eq!((around.index, around.page.per_page), (Some(at - begin), before + after + 1));
    assert_eq!(around.page.row_cursors.as_ref().map(Vec::len), Some(end - begin));
    check_neighbours(case, list, &around.page).await;
    let List::Model(query) = case.list().with_row_cursors().with_positions() else { return };
    let by_id = query.around_id(list[at].id, before, after).await.unwrap();
    assert_eq!((seen(&by_id.page), by_id.index), (seen(&around.page), around.index), "by its id");
    assert_eq!(by_id.page.row_cursors.as_ref().map(Vec::len), Some(end - begin));
    check_positions(case, list, &by_id.page).await;
}

/// The first row at a value with its neighbours.
async fn check_around_at(case: &Case, list: &[Pane]) {
    let (keys, row) = values(case, &list[case.sought % list.len()]);
    // `cases.rs` has a tuple.
    let [key] = keys[..] else { return };
    let (before, after) = (case.skip, case.rows);
    let at = list.iter().take_while(|other| compare(&keys, other, &row).is_lt()).count();
    let begin = at.saturating_sub(usize::try_from(before).unwrap());
    let end = (at + 1 + usize::try_from(after).unwrap()).min(list.len());
    let query = case.list().with_positions();
    let around = match key {
        Key::Grade { .. } => query.around_at(row.grade, before, after).await,
        Key::Title { .. } => query.around_at(&*row.title, before, after).await,
        Key::Score { .. } => query.around_at(row.score, before, after).await,
        Key::Id { .. } => query.around_at(row.id, before, after).await,
    };
    assert_eq!(
        seen(&around.page),
        (ids(&list[begin..end]), begin > 0, end < list.len()),
        "around {:?}",
        key.value(&row)
    );
    assert_eq!((around.index, around.page.per_page), ((at < list.len()).then_some(at - begin), before + after + 1));
    check_neighbours(case, list, &around.page).await;
    check_positions(case, list, &around.page).await;
}

/// Streams end where the window does.
async fn check_streams(case: &Case, list: &[Pane], cursors: &[String]) {
    let at = |place: Option<usize>| place.map(|at| cursors[at % cursors.len()].as_str());
    let (after, before) = (at(case.after), at(case.before));
    let begin = case.after.map_or(0, |at| at % list.len() + 1);
    let end = case.before.map_or(list.len(), |at| at % list.len()).max(begin);
    let rows = case.rows.max(1);
    let streamed: Vec<Pane> = case.list().after(after).before(before).stream(rows).await;
    assert_eq!(ids(&streamed), ids(&list[begin..end]), "a stream of rows");
    let chunks: Vec<_> = case.list().after(after).before(before).chunks(rows).await;
    let chunked: Vec<i64> = chunks.iter().flat_map(|page| ids(&page.data)).collect();
    assert_eq!(chunked, ids(&list[begin..end]), "a stream of pages");
}
