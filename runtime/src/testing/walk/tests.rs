//! Walks over lists in memory: right ones, and wrong ones in every way that a walk can tell.

use std::cell::{Cell, RefCell};

use super::*;

/// A row: its id, and the value that the list is sorted by.
type Row = (i64, i64);

/// A list that is read by cursor, two rows at a time. Its `compare` says which rows come after a cursor.
struct Memory {
    rows: RefCell<Vec<Row>>,
    is_after: fn(Row, Row) -> bool,
}

/// The order by value and id, and so a total one.
fn in_order((id, value): Row, (other_id, other): Row) -> bool {
    (value, id) > (other, other_id)
}

impl Memory {
    fn new(rows: impl IntoIterator<Item = Row>, is_after: fn(Row, Row) -> bool) -> Self {
        Self { rows: RefCell::new(rows.into_iter().collect()), is_after }
    }

    fn page(&self, cursor: Option<String>) -> CursorPaginator<i64> {
        let mut rows = self.rows.borrow().clone();
        rows.sort_by_key(|(id, value)| (*value, *id));
        let after = |row: Row, other: Row| (self.is_after)(row, other);
        let cursor: Option<(bool, Row)> = cursor.map(|cursor| serde_json::from_str(&cursor).unwrap());
        let kept: Vec<Row> = match cursor {
            None => rows.iter().copied().take(2).collect(),
            Some((true, from)) => rows.iter().copied().filter(|row| after(*row, from)).take(2).collect(),
            Some((false, from)) => {
                let before: Vec<Row> = rows.iter().copied().filter(|row| after(from, *row)).collect();
                before[before.len().saturating_sub(2)..].to_vec()
            }
        };
        let token = |forwards: bool, row: &Row| serde_json::to_string(&(forwards, row)).unwrap();
        let next = kept.last().filter(|last| rows.iter().any(|row| after(*row, **last))).map(|row| token(true, row));
        let prev = kept.first().filter(|first| rows.iter().any(|row| after(**first, *row)));
        let prev = prev.map(|row| token(false, row));
        CursorPaginator::new(kept.iter().map(|(id, _)| *id).collect(), 2, next, prev)
    }

    async fn walked<W: AsyncFnMut(&[i64])>(&self, walk: Walk<i64, W>) -> Result<Walked<i64>, WalkError> {
        walk.run(async |cursor| Ok(self.page(cursor))).await
    }

    /// The failure of a walk.
    async fn failure<W: AsyncFnMut(&[i64])>(&self, walk: Walk<i64, W>) -> String {
        self.walked(walk).await.unwrap_err().to_string()
    }

    fn write(&self, id: i64, value: Option<i64>) {
        let mut rows = self.rows.borrow_mut();
        rows.retain(|(own, _)| *own != id);
        rows.extend(value.map(|value| (id, value)));
    }
}

/// Pages of two rows by offset.
fn by_offset(rows: &[i64], offset: Option<String>) -> CursorPaginator<i64> {
    let skip: usize = offset.map_or(0, |offset| offset.parse().unwrap());
    let end = skip.saturating_add(2);
    let next = (end < rows.len()).then(|| end.to_string());
    CursorPaginator::new(rows.iter().copied().skip(skip).take(2).collect(), 2, next, None)
}

#[tokio::test]
async fn each_row_is_met_once_while_others_are_written() {
    let list = Memory::new((1..=9).map(|id| (id, id % 3)), in_order);
    let order = [3, 6, 9, 1, 4, 7, 2, 5, 8];
    let turn = Cell::new(100);
    let write = async |page: &[i64]| {
        // The row of the cursor is deleted, another one is inserted somewhere.
        page.iter().filter(|id| **id > 100).for_each(|id| list.write(*id, None));
        turn.set(turn.get() + 1);
        list.write(turn.get(), Some(turn.get() * 7 % 3));
    };
    let walked = list.walked(Walk::over(order).between_pages(write).both_ways()).await.unwrap();
    let rows = |pages: &[Vec<i64>]| pages.concat().into_iter().filter(|id| *id < 100).count();
    assert_eq!((rows(&walked.forwards), rows(&walked.backwards)), (9, 9));
    assert!(turn.get() > 105, "rows were written between pages");

    let list = Memory::new((1..=3).map(|id| (id, 0)), in_order);
    let walked = list.walked(Walk::over(1..=3)).await.unwrap();
    assert_eq!((walked.forwards, walked.backwards), (vec![vec![1, 2], vec![3]], vec![]));
    let nothing = Memory::new([], in_order).walked(Walk::over([]).both_ways()).await.unwrap();
    assert_eq!(nothing.forwards, [Vec::<i64>::new()]);
}

#[tokio::test]
async fn rows_that_tie_are_lost_without_a_tie_breaker() {
    let list = Memory::new((1..=5).map(|id| (id, id / 4)), |row, other| row.1 > other.1);
    let told = list.failure(Walk::over(1..=5)).await;
    assert_eq!(
        told,
        "row 3 was never met: it comes after row 2, which is on page 1. Rows keep their places if the order is total, if no \
         column of it is updated, and if pages are read by cursor\n  page 1: [1, 2]\n  page 2: [4, 5]"
    );
    // With the boundary's own row, the next page has rows again.
    let list = Memory::new((1..=5).map(|id| (id, id)), |row, other| row.1 >= other.1);
    let told = list.failure(Walk::over(1..=5)).await;
    assert!(told.starts_with("row 2 was met twice: on page 1, and again on page 2. Rows keep"), "{told}");
    assert!(told.ends_with("\n  page 1: [1, 2]\n  page 2: [2, 3]"), "{told}");
}

#[tokio::test]
async fn a_list_sorted_by_a_column_that_is_updated_shows_a_row_twice_or_never() {
    for (row, value, expected) in [
        (1, 90, "row 1 was met twice: on page 1, and again on page 3"),
        (5, 0, "row 5 was never met: it comes after row 4, which is on page 2"),
    ] {
        let list = Memory::new((1..=5).map(|id| (id, id * 10)), in_order);
        let told = list.failure(Walk::over(1..=5).between_pages(async |_| list.write(row, Some(value)))).await;
        assert!(told.starts_with(expected), "{told}");
    }
}

#[tokio::test]
async fn pages_by_offset_lose_rows_and_repeat_them() {
    let rows = RefCell::new(vec![0, 1, 2, 3, 4, 5]);
    let read = async |offset| Ok(by_offset(&rows.borrow(), offset));
    let delete = Walk::over(1..=5).between_pages(async |_| rows.borrow_mut().retain(|id| *id != 0));
    let told = delete.run(read).await.unwrap_err().to_string();
    assert!(told.starts_with("row 2 was never met: it comes after row 1, which is on page 1"), "{told}");

    let insert = Walk::over(1..=5).between_pages(async |_| rows.borrow_mut().insert(0, 9));
    let told = insert.run(read).await.unwrap_err().to_string();
    assert!(told.starts_with("row 2 was met twice: on page 1, and again on page 2"), "{told}");
}

#[tokio::test]
async fn the_order_of_the_list_is_part_of_the_walk() {
    let list = Memory::new([(1, 1), (2, 3), (3, 2)], in_order);
    let told = list.failure(Walk::over(1..=3)).await;
    assert_eq!(
        told,
        "row 2 was met on page 2, too late: in the list it comes before row 3\n  page 1: [1, 3]\n  page 2: [2]"
    );
    // Only the way back is wrong: it has its pages the other way round.
    let pages = ["[3]", "[2, 1]"].map(|page| serde_json::from_str::<Vec<i64>>(page).unwrap());
    let read = async |cursor: Option<String>| {
        Ok(match cursor.as_deref() {
            None => CursorPaginator::new(vec![1, 2], 2, Some("next".into()), None),
            Some("next") => CursorPaginator::new(pages[0].clone(), 2, None, Some("prev".into())),
            _ => CursorPaginator::new(pages[1].clone(), 2, None, None),
        })
    };
    Walk::over(1..=3).run(read).await.unwrap();
    let told = Walk::over(1..=3).both_ways().run(read).await.unwrap_err().to_string();
    let page = "page 2 of the way back";
    assert!(
        told.starts_with(&format!("row 2 was met on {page}, too late: in the list it comes after row 1")),
        "{told}"
    );
}

#[tokio::test]
async fn a_list_without_a_way_back_loses_rows_on_it() {
    let rows = [1, 2, 3, 4, 5];
    let read = async |offset| Ok(by_offset(&rows, offset));
    Walk::over(rows).run(read).await.unwrap();
    let told = Walk::over(rows).both_ways().run(read).await.unwrap_err().to_string();
    let expected =
        "row 4 was never met, nor were 3 other rows: it comes before row 5, which is on page 1 of the way back";
    assert!(told.starts_with(expected), "{told}");

    let none = async |_| Ok(CursorPaginator::new(vec![], 2, None, None));
    let told = Walk::over(rows).run(none).await.unwrap_err().to_string();
    assert!(told.starts_with("row 1 was never met, nor were 4 other rows: it should have been on page 1"), "{told}");
}

#[tokio::test]
async fn an_endless_walk_ends() {
    let empty = async |_| Ok(CursorPaginator::new(Vec::<i64>::new(), 2, Some("next".into()), None));
    let told = Walk::over([1, 2]).max_pages(3).run(empty).await.unwrap_err().to_string();
    let expected = "the walk does not end: 3 pages had 0 of its 2 rows, and the last one names another. \
                    `Walk::max_pages` allows more\n  page 2: []\n  page 3: []";
    assert_eq!(told, expected);
    let told = Walk::over([1, 2]).run(empty).await.unwrap_err().to_string();
    assert!(told.starts_with("the walk does not end: 1002 pages had 0 of its 2 rows"), "{told}");

    // Two rows are read and two are added.
    let list = Memory::new([(1, 1), (2, 2), (3, 3)], in_order);
    let id = Cell::new(3);
    let write = async |_: &[i64]| {
        for _ in 0..2 {
            id.set(id.get() + 1);
            list.write(id.get(), Some(id.get()));
        }
    };
    let told = list.failure(Walk::over([1, 2, 3]).between_pages(write).max_pages(50)).await;
    assert!(told.starts_with("the walk does not end: 50 pages had 3 of its 3 rows"), "{told}");
}

#[tokio::test]
async fn a_row_that_is_written_is_met_once_at_most_unless_it_may_move() {
    let list = || Memory::new((1..=5).map(|id| (id, id * 10)), in_order);
    let moved = list();
    let walk = || Walk::over([2, 3, 4, 5]);
    let told = moved.failure(walk().between_pages(async |_| moved.write(1, Some(90)))).await;
    assert!(told.starts_with("row 1 was met twice: on page 1, and again on page 3"), "{told}");
    let moved = list();
    moved.walked(walk().others_may_move().between_pages(async |_| moved.write(1, Some(90)))).await.unwrap();
}

#[tokio::test]
async fn a_page_that_fails_and_a_row_that_is_named_twice_are_errors() {
    let list = Memory::new((1..=5).map(|id| (id, id)), in_order);
    let read = async |cursor: Option<String>| match cursor {
        Some(_) => Err(FrameworkError::internal("gone")),
        None => Ok(list.page(cursor)),
    };
    let error = Walk::over(1..=5).run(read).await.unwrap_err();
    assert_eq!(error.to_string(), "page 2 could not be read: gone\n  page 1: [1, 2]");
    assert_eq!(format!("{error:?}"), error.to_string());
    let told = list.failure(Walk::over([1, 2, 1])).await;
    assert_eq!(told, "`Walk::over` has row 1 twice: name each row once");
}
