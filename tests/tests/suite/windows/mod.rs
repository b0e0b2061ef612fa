//! Windows of a list: between any two rows, from any value on, around any row, from the beginning or the end. Each has
//! the same rows and the same neighbours as a window of the sorted rows in memory.

mod cases;
mod checks;

use std::cmp::Ordering;

use folio::relay::{Connection, Window};
use folio::{
    Around, Builder, Column, CursorPaginator, Folio, IntoOrder as _, KeyValues, Nulls, Order, Paginate, Select, Value,
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
    fn order(self) -> Order {
        fn directed<T: folio::ColumnValue>(column: Column<T, Pane>, descending: bool) -> Order {
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

fn order(keys: &[Key]) -> Order {
    keys.iter().map(|key| key.order()).reduce(Order::then).unwrap()
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
    Select(Box<Select<Pane>>),
}

/// The methods of both kinds.
macro_rules! methods {
    ($($method:ident($($name:ident: $of:ty),*);)*) => {$(
        fn $method(self, $($name: $of),*) -> Self {
            match self {
                Self::Model(query) => Self::Model(query.$method($($name),*)),
                Self::Select(select) => Self::Select(Box::new(select.$method($($name),*))),
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
        with_positions();
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
            Self::Select(select) if inclusive => Self::Select(Box::new(select.seek_inclusive(values))),
            Self::Select(select) => Self::Select(Box::new(select.seek(values))),
        }
    }

    async fn around_at(self, values: impl KeyValues, before: u64, after: u64) -> Around<Pane> {
        match self {
            Self::Model(query) => query.around_at(values, before, after).await.unwrap(),
            Self::Select(select) => select.around_at(values, before, after).await.unwrap(),
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
            Form::Caller => List::Select(Box::new(Select::model(columns()).order_by(order))),
            Form::Grouped => List::Select(Box::new(Select::model(grouped()).order_by(order))),
            Form::Sql => {
                let text = "SELECT id, grade, title, score FROM panes WHERE grade < 4";
                List::Select(Box::new(Select::sql(text).order_by(order)))
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

#[test]
fn a_window_has_the_rows_of_the_list() {
    let runtime = db::runtime();
    let (folio, _pool) = runtime.block_on(panes());
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(32);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config)
        .run(&case(), |case| {
            runtime.block_on(folio.scope(checks::check(&case)));
            Ok(())
        })
        .unwrap();
}
