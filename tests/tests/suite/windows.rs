//! Windows of a list: between any two rows, from any value on, around any row, from the beginning or the end. Each has
//! the rows, and says the same of its surroundings, as a window of the sorted rows in memory.

use std::cmp::Ordering;

use folio::relay::{Connection, Window};
use folio::token_list::{TokenPage, TokenRequest};
use folio::{
    Around, Builder, Column, CursorOrder as _, CursorPaginator, ErasedOrder, Folio, KeyValues, Nulls, Paginate, Select,
    Total, Value,
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

/// A table of its own, because rows are deleted from it.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "shutters")]
struct Shutter {
    id: i64,
    title: String,
}

async fn shutters() -> (Folio, db::Pool) {
    db::folio(&format!(
        "CREATE TABLE shutters (id {ID}, title {TEXT} NOT NULL); \
         INSERT INTO shutters VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')"
    ))
    .await
}

#[tokio::test]
async fn the_flags_of_a_connection_are_exact_when_rows_were_deleted() {
    let (folio, pool) = shutters().await;
    let check = async {
        let all = Shutter::query().connection(Window::first(4)).await.unwrap();
        let cursor = |at: usize| Some(all.edges[at].cursor.clone());
        db::run(&pool, "DELETE FROM shutters WHERE id IN (1, 4)").await;
        let connection = async |window| Shutter::query().connection(window).await.unwrap();

        // Nothing is left before the first row, and after the last one.
        let rest = connection(Window { after: cursor(0), ..Window::first(9) }).await;
        assert!(rest.edges.len() == 2 && !rest.page_info.has_previous_page && !rest.page_info.has_next_page);
        let rest = connection(Window { before: cursor(3), ..Window::last(9) }).await;
        assert!(rest.edges.len() == 2 && !rest.page_info.has_previous_page && !rest.page_info.has_next_page);
        let none = connection(Window { after: cursor(3), ..Window::first(9) }).await;
        assert!(none.edges.is_empty() && none.page_info.has_previous_page && !none.page_info.has_next_page);
        let none = connection(Window { before: cursor(0), ..Window::last(9) }).await;
        assert!(none.edges.is_empty() && !none.page_info.has_previous_page && none.page_info.has_next_page);

        db::run(&pool, "DELETE FROM shutters").await;
        let none = connection(Window { after: cursor(1), before: cursor(2), ..Window::first(9) }).await;
        assert!(none.edges.is_empty() && !none.page_info.has_previous_page && !none.page_info.has_next_page);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_row_is_found_by_its_key_or_its_neighbours_are() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let found = Shutter::query().around(&ShutterKey { id: 2 }, 1, 1).await.unwrap();
        assert_eq!((found.page.data.len(), found.found), (3, Some(1)));
        let hidden = Shutter::query().filter(Shutter::ID.ne(2)).around(&ShutterKey { id: 2 }, 1, 1).await.unwrap();
        let ids: Vec<i64> = hidden.page.data.iter().map(|row| row.id).collect();
        assert_eq!((ids, hidden.found), (vec![1, 3], None));
        let beyond = Shutter::query().around(&ShutterKey { id: 9 }, 2, 2).await.unwrap();
        assert_eq!((beyond.page.data.len(), beyond.found, beyond.page.next_cursor), (2, None, None));
        let counted = Shutter::query().counted().around(&ShutterKey { id: 2 }, 0, 0).await.unwrap();
        assert_eq!((counted.page.total.map(Total::rows), counted.page.data.len()), (Some(4), 1));
        assert!(counted.page.prev_cursor.is_some() && counted.page.next_cursor.is_some());

        let other = Shutter::query().order_by(Shutter::ID.desc()).around(&ShutterKey { id: 2 }, 1, 1).await;
        let error = other.unwrap_err();
        assert!(error.status() == 500 && error.to_string().contains("`around_cursor`"), "{error}");
        let same = Shutter::query().order_by(Shutter::ID).around(&ShutterKey { id: 2 }, 1, 1).await.unwrap();
        assert_eq!(same.found, Some(1));
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn what_would_be_ignored_or_wrong_is_an_error() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let query = Shutter::query;
        let first = query().cursor_paginate(1).await.unwrap().next_cursor;
        let cursor = first.as_deref();
        let fails = |result: folio::Result<CursorPaginator<Shutter>>, status: u16, part: &str| {
            let error = result.unwrap_err();
            assert!(error.status() == status && error.to_string().contains(part), "{error}");
        };
        fails(query().cursor(cursor).after(cursor).cursor_paginate(1).await, 500, "`cursor` cannot be combined");
        fails(query().cursor(cursor).last_page(1).await, 500, "`cursor` cannot be combined");
        fails(query().after(Some("")).cursor_paginate(1).await, 400, "Invalid pagination cursor");
        fails(query().before(Some("x")).last_page(1).await, 400, "Invalid pagination cursor");
        fails(query().skip(10_001).cursor_paginate(1).await, 400, "skip");
        fails(query().last_page(0).await, 400, "per_page");
        fails(query().seek("a").cursor_paginate(1).await, 500, "the column `id`");
        fails(query().seek(None::<i64>).cursor_paginate(1).await, 500, "NULL");
        fails(query().seek(1_i32).cursor_paginate(1).await, 500, "BigInt");
        fails(query().seek((1_i64, 2_i64)).cursor_paginate(1).await, 500, "the order has 1 columns (id)");

        for (window, part) in [
            (Window::default(), "`first` or `last` is required"),
            (Window { last: Some(1), ..Window::first(1) }, "cannot be combined"),
            (Window::first(-1), "`first` cannot be negative"),
            (Window::last(i64::MIN), "`last` cannot be negative"),
            (Window { after: Some("x".into()), ..Window::first(1) }, "Invalid pagination cursor"),
            (
                Window { before: first.clone().map(|cursor| cursor + "A"), ..Window::first(1) },
                "Invalid pagination cursor",
            ),
        ] {
            let error = query().connection(window.clone()).await.unwrap_err();
            assert!(error.status() == 400 && error.to_string().contains(part), "{window:?}: {error}");
        }
        for query in
            [query().after(cursor), query().before(cursor), query().cursor(None), query().with_cursor_name("feed")]
        {
            let error = query.clone().connection(Window::first(1)).await.unwrap_err().to_string();
            assert!(error.starts_with("`connection` cannot be combined with `cursor`, `after`"), "{error}");
            let error = query.token_page(TokenRequest::default().limits(1, 1)).await.unwrap_err().to_string();
            assert!(error.starts_with("`token_page` cannot be combined with `cursor`, `after`"), "{error}");
        }
        assert_eq!(query().connection(Window::first(i64::MAX)).await.unwrap().edges.len(), 4);
    };
    folio.scope(check).await;
}

/// The cursor of a request decides, if there is one; a place to seek is where the list begins.
#[tokio::test]
async fn a_cursor_takes_precedence_over_a_place_to_seek() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let query = || Shutter::query().seek_inclusive(2_i64).with_path("/shutters");
        let first = folio::ActiveRequest::new("/shutters").scope(query().cursor_paginate(1)).await.unwrap();
        assert_eq!(first.data[0].id, 2);
        let next = folio::ActiveRequest::new(&first.next_page_url().unwrap());
        assert_eq!(next.clone().scope(query().cursor_paginate(1)).await.unwrap().data[0].id, 3);
        let prev = folio::ActiveRequest::new(&first.previous_page_url().unwrap());
        assert_eq!(prev.scope(query().cursor_paginate(1)).await.unwrap().data[0].id, 1);
        // A window reads no cursor of the request.
        assert_eq!(next.scope(Shutter::query().last_page(1)).await.unwrap().data[0].id, 4);
    };
    folio.scope(check).await;
}

/// The cursor of a row is the cursor that its page would end with.
#[tokio::test]
async fn the_cursors_of_rows_are_printed_if_they_were_asked_for() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let page = Shutter::query().with_row_cursors().cursor_paginate(2).await.unwrap();
        let json = serde_json::to_value(page.clone().map(|row| row.id)).unwrap();
        assert_eq!(json["row_cursors"].as_array().unwrap().len(), 2);
        let back: CursorPaginator<i64> = serde_json::from_value(json).unwrap();
        assert_eq!(back.row_cursors, page.row_cursors);
        let plain = Shutter::query().cursor_paginate(2).await.unwrap().map(|row| row.id);
        assert!(serde_json::to_value(plain).unwrap().get("row_cursors").is_none());
        // Rows that were reached backwards are in the order of the list, and so are their cursors.
        let last = Shutter::query().with_row_cursors().last_page(2).await.unwrap();
        let cursors = last.row_cursors.unwrap();
        let after = Shutter::query().cursor(Some(&cursors[0])).cursor_paginate(5).await.unwrap();
        assert_eq!((last.data[1].id, after.data[0].id, after.data.len()), (4, 4, 1));
    };
    folio.scope(check).await;
}

/// A cursor of an empty page includes its row, and stands for it like any other.
#[tokio::test]
async fn any_cursor_stands_for_its_row() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let ids = |page: &CursorPaginator<Shutter>| page.data.iter().map(|row| row.id).collect::<Vec<_>>();
        let cursors = Shutter::query().with_row_cursors().cursor_paginate(4).await.unwrap().row_cursors.unwrap();
        let at = |at: usize| Some(cursors[at].as_str());
        let empty = Shutter::query().after(at(0)).before(at(1)).cursor_paginate(5).await.unwrap();
        assert!(empty.data.is_empty());
        for cursor in [empty.next_cursor.unwrap(), empty.prev_cursor.unwrap()] {
            let around = Shutter::query().around_cursor(&cursor, 1, 1).await.unwrap();
            let found = around.found.map(|at| around.page.data[at].id).unwrap();
            let expected: Vec<i64> = (1..=4).filter(|id| (found - id).abs() <= 1).collect();
            assert_eq!(ids(&around.page), expected);
        }

        // More rows are skipped than the interval has: the cursors lead on from where they end.
        let past = Shutter::query().after(at(0)).before(at(1)).skip(2).cursor_paginate(5).await.unwrap();
        let next = Shutter::query().cursor(past.next_cursor.as_deref()).cursor_paginate(1).await.unwrap();
        let prev = Shutter::query().cursor(past.prev_cursor.as_deref()).cursor_paginate(1).await.unwrap();
        assert_eq!((past.data.len(), ids(&prev), ids(&next)), (0, vec![3], vec![4]));
    };
    folio.scope(check).await;
}

/// Rows are skipped where the list begins, and not again on each page of a walk.
#[tokio::test]
async fn a_walk_skips_rows_once() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let query = || Shutter::query().skip(1);
        let first = query().cursor_paginate(1).await.unwrap();
        let second = query().cursor(first.next_cursor.as_deref()).cursor_paginate(1).await.unwrap();
        assert_eq!((first.data[0].id, second.data[0].id), (2, 3));
        let first = query().token_page(TokenRequest::default().limits(1, 1)).await.unwrap();
        let request = TokenRequest { page_token: first.next_page_token, ..TokenRequest::default() };
        let second = query().token_page(request.limits(1, 1)).await.unwrap();
        assert_eq!((first.rows[0].id, second.rows[0].id), (2, 3));
        let first = query().connection(Window::first(1)).await.unwrap();
        let after = first.page_info.end_cursor.clone();
        let second = query().connection(Window { after, ..Window::first(1) }).await.unwrap();
        assert_eq!((first.edges[0].node.id, second.edges[0].node.id), (2, 3));

        let error = Shutter::query().token_page(TokenRequest::default().limits(0, 9)).await.unwrap_err();
        assert!(error.status() == 500 && error.to_string().starts_with("`limits` takes"), "{error}");
        for query in [query(), Shutter::query().seek(1_i64), Shutter::query().after(Some("x"))] {
            let error = query.around(&ShutterKey { id: 2 }, 1, 1).await.unwrap_err();
            assert!(error.to_string().starts_with("`around` cannot be combined"), "{error}");
        }
    };
    folio.scope(check).await;
}

/// Rows that tie would be lost behind each other's cursors.
#[tokio::test]
async fn cursors_of_rows_that_tie_are_refused() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let rows = || Select::<(String,)>::sql("SELECT title FROM shutters UNION ALL SELECT 'b' AS title");
        let rows = || rows().order_by(Column::<String>::new("title"));
        assert_eq!(rows().cursor_paginate(10).await.unwrap().data.len(), 5);
        let error = rows().with_row_cursors().cursor_paginate(10).await.unwrap_err();
        assert!(error.to_string().contains("rows tie"), "{error}");
    };
    folio.scope(check).await;
}

/// A list by page tokens, with the rules of AIP-158.
#[tokio::test]
async fn page_tokens_lead_to_the_end_of_a_list() {
    let (folio, _pool) = shutters().await;
    let check = async {
        let request = |page_size: i32, page_token: &str, skip: i32| {
            TokenRequest { page_size, page_token: page_token.to_owned(), skip }.limits(2, 3)
        };
        let ids = |page: &TokenPage<Shutter>| page.rows.iter().map(|row| row.id).collect::<Vec<_>>();
        let page = async |request| Shutter::query().token_page(request).await.unwrap();
        let first = page(request(0, "", 0)).await;
        assert_eq!((ids(&first), first.total_size), (vec![1, 2], None));
        let token = first.next_page_token.as_str();
        assert_eq!(
            (ids(&page(request(1, token, 0)).await), ids(&page(request(9, token, 1)).await)),
            (vec![3], vec![4])
        );
        let last = page(request(i32::MAX, token, 0)).await;
        assert_eq!((ids(&last), last.next_page_token.as_str()), (vec![3, 4], ""));
        assert_eq!(ids(&page(request(9, "", 0)).await), [1, 2, 3]);
        assert_eq!(
            page(request(1, "", 9)).await,
            TokenPage { rows: vec![], next_page_token: String::new(), total_size: None }
        );
        // A cursor of a page that goes the other way stands for its row.
        let back = Shutter::query().last_page(2).await.unwrap().prev_cursor.unwrap();
        assert_eq!(ids(&page(request(1, &back, 0)).await), [4]);

        for (wrong, part) in [
            (request(-1, "", 0), "`page_size`"),
            (request(i32::MIN, "", 0), "`page_size`"),
            (request(1, "", -1), "`skip`"),
            (request(1, "", 10_001), "`skip`"),
            (request(1, "x", 0), "Invalid pagination cursor"),
            (request(1, &format!("{token}A"), 0), "Invalid pagination cursor"),
        ] {
            let error = Shutter::query().token_page(wrong).await.unwrap_err();
            assert!(error.status() == 400 && error.to_string().contains(part), "{error}");
        }
        // The active request's cursor is another list's.
        let other = folio::ActiveRequest::new("/?cursor=x").scope(Shutter::query().token_page(request(1, "", 0)));
        assert_eq!(ids(&other.await.unwrap()), [1]);
        let bound = Shutter::query().filter(Shutter::ID.gt(1)).bind_filters();
        assert_eq!(bound.token_page(request(1, token, 0)).await.unwrap_err().status(), 400);
    };
    folio.scope(check).await;
}
