//! A walk through all pages of a list, on which each row has to be met exactly once.

use std::collections::HashMap;
use std::fmt::{self, Debug, Display, Write as _};
use std::future::Ready;
use std::hash::Hash;

use crate::error::{FrameworkError, Result};
use crate::paginator::CursorPaginator;

/// A walk from the first page of a list to the last, and back if asked, while rows are written.
///
/// The rows that stay in the list during the whole walk have to be met exactly once, in the order of the list. Any
/// other row, one that is inserted or deleted meanwhile, may be met once or not at all. The walk fails if this is not
/// so, and says which row it is, on which page, and what was on the pages beside it.
///
/// A closure reads a page: it is called without a cursor for the first one, and then with the
/// [`next_cursor`](CursorPaginator::next_cursor) of the page before; on the way back, with its
/// [`prev_cursor`](CursorPaginator::prev_cursor). Its page has the rows' keys in place of the rows.
///
/// ```
#[doc = include_str!("../doc/posts.txt")]
/// use folio::testing::Walk;
///
/// // Posts 1 to 3 stay. Between pages, post 0 is inserted before them or deleted.
/// let mut exists = false;
/// let write = async |_: &[i64]| {
///     exists = !exists;
///     let sql = if exists { "INSERT INTO posts VALUES (0, 7, 'new')" } else { "DELETE FROM posts WHERE id = 0" };
///     sqlx::query(sql).execute(&pool).await.unwrap();
/// };
/// let walk = Walk::over([1, 2, 3]).between_pages(write).both_ways().run(async |cursor| {
///     let page = Post::query().cursor(cursor.as_deref()).cursor_paginate(2).await?;
///     Ok(page.map(|post| post.id))
/// });
/// assert_eq!(walk.await.unwrap().forwards, [vec![1, 2], vec![3]]);
/// # folio::Result::Ok(()) }).await
/// # }
/// ```
///
/// The closure can read a page from anywhere. A client of an HTTP endpoint follows its cursors, or its links:
///
/// ```
/// use folio::CursorPaginator;
/// use folio::testing::Walk;
/// use serde_json::Value;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// # let get = async |url: String| match url.as_str() {
/// #     "/posts" => r#"{"data": [{"id": 1}, {"id": 2}], "per_page": 2, "next_cursor": "bmV4dA"}"#,
/// #     _ => r#"{"data": [{"id": 3}], "per_page": 2, "prev_cursor": "cHJldg"}"#,
/// # };
/// let list = Walk::over([1, 2, 3]).run(async |cursor| {
///     let url = cursor.map_or("/posts".to_owned(), |cursor| format!("/posts?cursor={cursor}"));
///     let page: CursorPaginator<Value> = serde_json::from_str(get(url).await).unwrap();
///     Ok(page.map(|post| post["id"].as_i64().unwrap()))
/// });
/// list.await.unwrap();
/// # }
/// ```
///
/// A page in another form is rebuilt with [`CursorPaginator::new`]. This list loses rows, because it is read by page
/// number while its rows are deleted:
///
/// ```
/// use folio::CursorPaginator;
/// use folio::testing::Walk;
/// use std::sync::Mutex;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let list = Mutex::new(vec![0, 1, 2, 3, 4]);
/// let error = Walk::over([1, 2, 3, 4])
///     .between_pages(async |_: &[i64]| list.lock().unwrap().retain(|id| *id != 0))
///     .run(async |offset| {
///         let offset: usize = offset.map_or(0, |offset| offset.parse().unwrap());
///         let list = list.lock().unwrap();
///         let next = (offset + 2 < list.len()).then(|| (offset + 2).to_string());
///         Ok(CursorPaginator::new(list.iter().copied().skip(offset).take(2).collect(), 2, next, None))
///     })
///     .await
///     .unwrap_err();
/// assert!(error.to_string().starts_with("row 2 was never met: it comes after row 1, which is on page 1"));
/// # }
/// ```
#[must_use = "a walk does nothing until `run` is awaited"]
pub struct Walk<K, W = for<'a> fn(&'a [K]) -> Ready<()>> {
    rows: Vec<K>,
    both_ways: bool,
    others_may_move: bool,
    max_pages: usize,
    write: W,
}

/// The pages of a walk that has met each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walked<K> {
    /// The rows of each page, in the order in which the pages were read.
    pub forwards: Vec<Vec<K>>,
    /// The same for the way back, which begins with the last page. Empty without [`Walk::both_ways`].
    pub backwards: Vec<Vec<K>>,
}

/// Why a walk failed. [`Debug`] and [`Display`] both show the whole text, so `unwrap` does.
pub struct WalkError(String);

impl Debug for WalkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Display for WalkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WalkError {}

impl<K: Clone + Debug + Eq + Hash> Walk<K> {
    /// A walk over a list with these rows, in the order of the list. They are what a row is known by, such as its id.
    ///
    /// They have to stay in the list, at their places, until the walk has ended. Name only the rows from the first page
    /// on, if it is not the beginning of the list.
    pub fn over(rows: impl IntoIterator<Item = K>) -> Self {
        let rows: Vec<K> = rows.into_iter().collect();
        let max_pages = rows.len().saturating_add(1_000);
        Self { rows, both_ways: false, others_may_move: false, max_pages, write: |_| std::future::ready(()) }
    }
}

impl<K: Clone + Debug + Eq + Hash, W: AsyncFnMut(&[K])> Walk<K, W> {
    /// Calls `write` after each page but the last, with the rows of the page. It inserts, updates and deletes rows
    /// other than those that the walk is over.
    pub fn between_pages<V: AsyncFnMut(&[K])>(self, write: V) -> Walk<K, V> {
        let Self { rows, both_ways, others_may_move, max_pages, write: _ } = self;
        Walk { rows, both_ways, others_may_move, max_pages, write }
    }

    /// Walks back from the last page to the first as well, on which each row has to be met once more.
    pub fn both_ways(self) -> Self {
        Self { both_ways: true, ..self }
    }

    /// Lets the rows that the walk is not over be met more than once, because they are moved: a column of the order is
    /// updated, or a row is inserted again at another place.
    pub fn others_may_move(self) -> Self {
        Self { others_may_move: true, ..self }
    }

    /// Sets how many pages each way has at most, because a list to which rows are added faster than they are read does
    /// not end. The default is the number of rows and 1,000.
    pub fn max_pages(self, pages: usize) -> Self {
        Self { max_pages: pages, ..self }
    }

    /// Walks through the pages that `page` reads for a cursor, or for none.
    ///
    /// # Errors
    /// [`WalkError`], if a row is met twice, never or in the wrong order, if a page cannot be read, and if the walk does
    /// not end. It is also an error if the walk is over the same row twice.
    pub async fn run(
        self,
        mut page: impl AsyncFnMut(Option<String>) -> Result<CursorPaginator<K>>,
    ) -> Result<Walked<K>, WalkError> {
        let Self { rows, both_ways, others_may_move, max_pages, mut write } = self;
        let mut places = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            if places.insert(row, at).is_some() {
                return Err(WalkError(format!("`Walk::over` has row {row:?} twice: name each row once")));
            }
        }
        let list = List { rows: &rows, places, others_may_move, max_pages };
        let (mut forwards, mut backwards) = (Leg::new(&list, Way::Forwards), Leg::new(&list, Way::Backwards));
        let first = page(None).await.map_err(|error| forwards.unread(&error))?;
        let last = forwards.walk(first, &mut page, &mut write).await?;
        if both_ways {
            backwards.walk(last, &mut page, &mut write).await?;
        }
        Ok(Walked { forwards: forwards.pages, backwards: backwards.pages })
    }
}

/// What a walk has to find.
struct List<'a, K> {
    rows: &'a [K],
    /// The place of each row among them.
    places: HashMap<&'a K, usize>,
    others_may_move: bool,
    max_pages: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Forwards,
    Backwards,
}

/// A walk in one direction.
struct Leg<'a, K> {
    list: &'a List<'a, K>,
    way: Way,
    pages: Vec<Vec<K>>,
    /// The number of the page on which each row was met.
    met: HashMap<K, usize>,
    /// The row that was met last among those that the walk is over.
    latest: Option<(usize, &'a K)>,
}

impl<'a, K: Clone + Debug + Eq + Hash> Leg<'a, K> {
    fn new(list: &'a List<'a, K>, way: Way) -> Self {
        Self { list, way, pages: Vec::new(), met: HashMap::new(), latest: None }
    }

    /// Walks on from a page to the last one, which is returned.
    async fn walk(
        &mut self,
        mut page: CursorPaginator<K>,
        read: &mut impl AsyncFnMut(Option<String>) -> Result<CursorPaginator<K>>,
        write: &mut impl AsyncFnMut(&[K]),
    ) -> Result<CursorPaginator<K>, WalkError> {
        loop {
            self.pages.push(page.data.clone());
            match self.way {
                Way::Forwards => page.data.iter().try_for_each(|row| self.meet(row))?,
                Way::Backwards => page.data.iter().rev().try_for_each(|row| self.meet(row))?,
            }
            let onward = if self.way == Way::Forwards { &page.next_cursor } else { &page.prev_cursor };
            let Some(cursor) = onward.clone() else { break };
            if self.pages.len() >= self.list.max_pages {
                return Err(self.endless());
            }
            write(&page.data).await;
            page = read(Some(cursor)).await.map_err(|error| self.unread(&error))?;
        }
        self.all_met()?;
        Ok(page)
    }

    /// Checks a row of the page that was read last.
    fn meet(&mut self, row: &K) -> Result<(), WalkError> {
        let number = self.pages.len();
        let place = self.list.places.get_key_value(row).map(|(row, place)| (*place, *row));
        let earlier = self.met.insert(row.clone(), number);
        if let Some(earlier) = earlier.filter(|_| place.is_some() || !self.list.others_may_move) {
            let (one, other) = (self.page(earlier), self.page(number));
            let text = format!("row {row:?} was met twice: on {one}, and again on {other}{CAUSES}");
            return Err(self.error(text, &[earlier, number]));
        }
        let Some(place) = place else { return Ok(()) };
        let (side, is_before) = match (self.way, self.latest) {
            (Way::Forwards, Some((latest, _))) => ("before", place.0 < latest),
            (Way::Backwards, Some((latest, _))) => ("after", place.0 > latest),
            (_, None) => ("", false),
        };
        if let Some((_, other)) = self.latest.filter(|_| is_before) {
            let page = self.page(number);
            let text = format!("row {row:?} was met on {page}, too late: in the list it comes {side} row {other:?}");
            return Err(self.error(text, &[number]));
        }
        self.latest = Some(place);
        Ok(())
    }

    /// Checks that each row was met, after the last page.
    fn all_met(&self) -> Result<(), WalkError> {
        let missing = |at: &usize| self.list.rows.get(*at).is_some_and(|row| !self.met.contains_key(row));
        let all = 0..self.list.rows.len();
        let more = all.clone().filter(missing).count().saturating_sub(1);
        // The one that the walk should have met first.
        let (at, side) = match self.way {
            Way::Forwards => (all.clone().find(missing), "after"),
            Way::Backwards => (all.clone().rfind(missing), "before"),
        };
        let Some((at, row)) = at.and_then(|at| Some((at, self.list.rows.get(at)?))) else { return Ok(()) };
        let neighbour = match self.way {
            Way::Forwards => at.checked_sub(1),
            Way::Backwards => at.checked_add(1),
        };
        let neighbour = neighbour.and_then(|at| self.list.rows.get(at));
        let met = neighbour.and_then(|row| Some((row, *self.met.get(row)?)));
        let (beside, number) = match met {
            Some((row, number)) => (format!("it comes {side} row {row:?}, which is on {}", self.page(number)), number),
            None => (format!("it should have been on {}", self.page(1)), 1),
        };
        let more = if more > 0 { format!(", nor were {more} other rows") } else { String::new() };
        let text = format!("row {row:?} was never met{more}: {beside}{CAUSES}");
        Err(self.error(text, &[number]))
    }

    fn endless(&self) -> WalkError {
        let met = self.list.rows.iter().filter(|row| self.met.contains_key(row)).count();
        let (pages, rows) = (self.pages.len(), self.list.rows.len());
        let text = format!(
            "the walk does not end: {pages} pages had {met} of its {rows} rows, and the last one names another. \
             `Walk::max_pages` allows more"
        );
        self.error(text, &[pages])
    }

    fn unread(&self, error: &FrameworkError) -> WalkError {
        let page = self.page(self.pages.len().saturating_add(1));
        self.error(format!("{page} could not be read: {error}"), &[self.pages.len()])
    }

    fn page(&self, number: usize) -> String {
        match self.way {
            Way::Forwards => format!("page {number}"),
            Way::Backwards => format!("page {number} of the way back"),
        }
    }

    /// An error with the rows of these pages, and of those beside them.
    fn error(&self, mut text: String, numbers: &[usize]) -> WalkError {
        let pages = self.pages.iter().zip(1_usize..);
        for (rows, number) in pages.filter(|(_, number)| numbers.iter().any(|one| one.abs_diff(*number) <= 1)) {
            let _ = write!(text, "\n  {}: {rows:?}", self.page(number));
        }
        WalkError(text)
    }
}

/// What to look for if the place of a row was not kept.
const CAUSES: &str = ". Rows keep their places if the order is total, if no column of it is updated, and if pages are \
                      read by cursor";

#[cfg(test)]
mod tests;
