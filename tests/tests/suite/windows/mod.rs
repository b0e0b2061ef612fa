//! Windows of a list: between any two rows, from any value on, around any row, from the beginning or the end. Each has
//! the same rows and the same neighbours as a window of the sorted rows in memory.

mod cases;

use std::cmp::Ordering;

use folio::relay::{Connection, Window};
use folio::{
    Around, Builder, Column, CursorOrder as _, CursorPaginator, ErasedOrder, Folio, KeyValues, Nulls, Paginate, Select,
    Value,
};
use futures_util::TryStreamExt as _;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use sea_query::Query;

use crate::server::{ID, TEXT};
use crate::suite::db;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "panes")]
struct Pane {
    id: i64,
    grade: i32,
    title: String,
    score: Option<i64>,
}

const ROWS: i64 = 24;

/// Rows that tie in most columns.
fn rows() -> Vec<Pane> {
    let row = |id: i64| Pane {
        id,
        grade: i32::try_from(id % 3).unwrap() * 2,
        title: ["b", "d", "f", "h"][usize::try_from(id * 7 % 4).unwrap()].to_owned(),
        score: (id % 4 != 0).then_some(id * 11 % 5 * 2),
    };
    (1..=ROWS).map(row).collect()
}

async fn panes() -> (Folio, db::Pool) {
    let literal = |row: Pane| {
        let score = row.score.map_or("NULL".to_owned(), |score| score.to_string());
        format!("({}, {}, '{}', {score})", row.id, row.grade, row.title)
    };
    let literals: Vec<String> = rows().into_iter().map(literal).collect();
    db::folio(&format!(
        "CREATE TABLE panes (id {ID}, grade INTEGER NOT NULL, title {TEXT} NOT NULL, score BIGINT); \
         CREATE INDEX panes_score ON panes (score DESC, grade, id); INSERT INTO panes VALUES {}",
        literals.join(", ")
    ))
    .await
}

/// The orders that are tried: each is one of these columns, or several.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Key {
    Grade { descending: bool },
    Title { descending: bool },
    Score { descending: bool, nulls: Nulls },
    Id { descending: bool },
}

const ORDERS: [&[Key]; 9] = [
    &[Key::Id { descending: false }],
    &[Key::Id { descending: true }],
    &[Key::Grade { descending: false }, Key::Id { descending: false }],
    &[Key::Grade { descending: true }, Key::Title { descending: false }, Key::Id { descending: true }],
    &[Key::Title { descending: false }, Key::Id { descending: true }],
    &[
        Key::Score { descending: true, nulls: Nulls::Last },
        Key::Grade { descending: false },
        Key::Id { descending: false },
    ],
    &[Key::Score { descending: false, nulls: Nulls::First }, Key::Id { descending: false }],
    &[
        Key::Grade { descending: false },
        Key::Score { descending: false, nulls: Nulls::Last },
        Key::Id { descending: true },
    ],
    &[
        Key::Title { descending: true },
        Key::Score { descending: true, nulls: Nulls::First },
        Key::Id { descending: false },
    ],
];

impl Key {
    fn order(self) -> ErasedOrder {
        fn directed<T: folio::ColumnValue>(column: Column<T, Pane>, descending: bool) -> ErasedOrder {
            if descending { column.desc().erased() } else { column.asc().erased() }
        }
        match self {
            Self::Grade { descending } => directed(Pane::GRADE, descending),
            Self::Title { descending } => directed(Pane::TITLE, descending),
            Self::Id { descending } => directed(Pane::ID, descending),
            Self::Score { descending, nulls } => {
                let order = if descending { Pane::SCORE.desc() } else { Pane::SCORE.asc() };
                if nulls == Nulls::Last { order.nulls_last().erased() } else { order.nulls_first().erased() }
            }
        }
    }

    fn compare(self, a: &Pane, b: &Pane) -> Ordering {
        let directed = |ordering: Ordering, descending| if descending { ordering.reverse() } else { ordering };
        match self {
            Self::Grade { descending } => directed(a.grade.cmp(&b.grade), descending),
            Self::Title { descending } => directed(a.title.cmp(&b.title), descending),
            Self::Id { descending } => directed(a.id.cmp(&b.id), descending),
            Self::Score { descending, nulls } => match (a.score, b.score) {
                (Some(a), Some(b)) => directed(a.cmp(&b), descending),
                (a, b) => (a.is_none() == (nulls == Nulls::Last)).cmp(&(b.is_none() == (nulls == Nulls::Last))),
            },
        }
    }

    fn value(self, row: &Pane) -> Value {
        match self {
            Self::Grade { .. } => row.grade.into(),
            Self::Title { .. } => row.title.clone().into(),
            Self::Id { .. } => row.id.into(),
            Self::Score { .. } => row.score.into(),
        }
    }
}

fn compare(keys: &[Key], a: &Pane, b: &Pane) -> Ordering {
    keys.iter().map(|key| key.compare(a, b)).find(|ordering| ordering.is_ne()).unwrap_or(Ordering::Equal)
}

fn order(keys: &[Key]) -> ErasedOrder {
    keys.iter().map(|key| key.order()).reduce(ErasedOrder::then).unwrap()
}

/// How the list is read.
#[derive(Debug, Clone, Copy)]
enum Form {
    Model,
    Filtered,
    Caller,
    Grouped,
    Sql,
}

const FORMS: [Form; 5] = [Form::Model, Form::Filtered, Form::Caller, Form::Grouped, Form::Sql];

/// A list, and what is to be seen of it.
#[derive(Debug, Clone)]
struct Case {
    keys: &'static [Key],
    form: Form,
    /// Places in the list, as indexes.
    after: Option<usize>,
    before: Option<usize>,
    rows: u64,
    skip: u64,
    /// A row whose values are sought, how many of them, and whether the value is one that no row has.
    sought: usize,
    prefix: usize,
    is_absent: bool,
}

fn case() -> impl Strategy<Value = Case> {
    let place = || proptest::option::of(0..20_usize);
    let sizes = (0..=9_u64, 0..=4_u64);
    let sought = (0..20_usize, 1..=3_usize, any::<bool>());
    (select(ORDERS.to_vec()), select(FORMS.to_vec()), place(), place(), sizes, sought).prop_map(
        |(keys, form, after, before, (rows, skip), (sought, prefix, is_absent))| Case {
            keys,
            form,
            after,
            before,
            rows,
            skip,
            sought,
            prefix: prefix.min(keys.len()),
            is_absent,
        },
    )
}

/// A list of either kind.
#[derive(Clone)]
enum List {
    Model(Builder<Pane>),
    Select(Select<Pane>),
}

/// The methods of both kinds.
macro_rules! methods {
    ($($method:ident($($name:ident: $of:ty),*);)*) => {$(
        fn $method(self, $($name: $of),*) -> Self {
            match self {
                Self::Model(query) => Self::Model(query.$method($($name),*)),
                Self::Select(select) => Self::Select(select.$method($($name),*)),
            }
        }
    )*};
}

/// The endings of both kinds.
macro_rules! endings {
    ($($ending:ident($($name:ident: $of:ty),*) -> $page:ty;)*) => {$(
        async fn $ending(self, $($name: $of),*) -> $page {
            match self {
                Self::Model(query) => query.$ending($($name),*).await.unwrap(),
                Self::Select(select) => select.$ending($($name),*).await.unwrap(),
            }
        }
    )*};
}

impl List {
    methods! {
        with_row_cursors();
        after(cursor: Option<&str>);
        before(cursor: Option<&str>);
        cursor(cursor: Option<&str>);
        skip(rows: u64);
    }

    endings! {
        cursor_paginate(rows: u64) -> CursorPaginator<Pane>;
        last_page(rows: u64) -> CursorPaginator<Pane>;
        around_cursor(cursor: &str, before: u64, after: u64) -> Around<Pane>;
        connection(window: Window) -> Connection<Pane>;
    }

    fn seek(self, inclusive: bool, values: impl KeyValues) -> Self {
        match self {
            Self::Model(query) if inclusive => Self::Model(query.seek_inclusive(values)),
            Self::Model(query) => Self::Model(query.seek(values)),
            Self::Select(select) if inclusive => Self::Select(select.seek_inclusive(values)),
            Self::Select(select) => Self::Select(select.seek(values)),
        }
    }

    async fn stream(self, rows: u64) -> Vec<Pane> {
        match self {
            Self::Model(query) => query.cursor_stream(rows).try_collect().await.unwrap(),
            Self::Select(select) => select.cursor_stream(rows).try_collect().await.unwrap(),
        }
    }

    async fn chunks(self, rows: u64) -> Vec<CursorPaginator<Pane>> {
        match self {
            Self::Model(query) => query.cursor_chunks(rows).try_collect().await.unwrap(),
            Self::Select(select) => select.cursor_chunks(rows).try_collect().await.unwrap(),
        }
    }
}

impl Case {
    fn list(&self) -> List {
        let order = order(self.keys);
        let columns = || Query::select().columns(["id", "grade", "title", "score"]).from("panes").take();
        let grouped = || columns().group_by_columns(["id", "grade", "title", "score"]).take();
        match self.form {
            Form::Model => List::Model(Pane::query().order_by(order)),
            Form::Filtered => List::Model(Pane::query().order_by(order).filter(Pane::GRADE.lt(4))),
            Form::Caller => List::Select(Select::model(columns()).order_by(order)),
            Form::Grouped => List::Select(Select::model(grouped()).order_by(order)),
            Form::Sql => {
                let text = "SELECT id, grade, title, score FROM panes WHERE grade < 4";
                List::Select(Select::sql(text).order_by(order))
            }
        }
    }

    /// The list in memory.
    fn expected(&self) -> Vec<Pane> {
        let mut rows = rows();
        if matches!(self.form, Form::Filtered | Form::Sql) {
            rows.retain(|row| row.grade < 4);
        }
        rows.sort_by(|a, b| compare(self.keys, a, b));
        rows
    }
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
    let page = case.list().after(after).before(before).cursor(None).cursor_paginate(rows).await;
    let from_end = after.is_none() && before.is_some();
    assert_eq!(seen(&page), part(list, begin, end, rows, from_end), "a page between two cursors");
    let last = case.list().after(after).before(before).last_page(rows).await;
    assert_eq!(seen(&last), part(list, begin, end, rows, true), "the last page between two cursors");
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
    assert_eq!(around.found, Some(at - begin));
    assert_eq!(around.page.row_cursors.as_ref().map(Vec::len), Some(end - begin));
    check_neighbours(case, list, &around.page).await;
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

#[test]
fn a_window_has_the_rows_of_the_list() {
    let runtime = db::runtime();
    let (folio, _pool) = runtime.block_on(panes());
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(96);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config)
        .run(&case(), |case| {
            runtime.block_on(folio.scope(async {
                let list = case.expected();
                let cursors = cursors(&case, &list).await;
                check_connections(&case, &list, &cursors).await;
                check_pages(&case, &list, &cursors).await;
                check_seek(&case, &list).await;
                check_skip(&case, &list, &cursors).await;
                check_around(&case, &list, &cursors).await;
                check_streams(&case, &list, &cursors).await;
            }));
            Ok(())
        })
        .unwrap();
}
