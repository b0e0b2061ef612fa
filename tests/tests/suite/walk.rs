//! The walk invariant: whatever the key, the page size and what happens between pages, each row that is there
//! throughout is seen exactly once, in ORDER BY's order, forwards and backwards.
//!
//! The oracle is a list in memory, sorted by a comparison of its own and sliced; the database's plain ORDER BY is held
//! against it too. Nothing of it is shared with the code that makes predicates.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use folio::{Column, CursorOrder, CursorPaginator, ErasedOrder, ExprTrait, Paginate};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::server::{ID, TEXT};
use crate::suite::db::{self, Pool};

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "items")]
struct Item {
    id: i64,
    number: i32,
    maybe: Option<i64>,
    label: Option<String>,
    fraction: f64,
    kept: bool,
}

fn schema() -> String {
    format!(
        "CREATE TABLE items (id {ID}, number INTEGER NOT NULL, maybe BIGINT, label {TEXT}, \
         fraction DOUBLE PRECISION NOT NULL, kept BOOLEAN NOT NULL)"
    )
}

impl Item {
    /// The row as SQL has it.
    fn literals(&self) -> String {
        let Self { id, number, maybe, label, fraction, kept } = self;
        let maybe = maybe.map_or("NULL".to_owned(), |maybe| maybe.to_string());
        let label = label.as_ref().map_or("NULL".to_owned(), |label| format!("'{}'", label.replace('\'', "''")));
        format!("({id}, {number}, {maybe}, {label}, {fraction:?}, {kept})")
    }
}

/// One column of a key, and how it is sorted.
#[derive(Debug, Clone, Copy)]
struct Sorted {
    column: usize,
    descending: bool,
    nulls_last: bool,
}

const COLUMNS: [&str; 5] = ["number", "maybe", "label", "fraction", "id"];
const NULLABLE: [bool; 5] = [false, true, true, false, false];

impl Sorted {
    fn order(self) -> ErasedOrder {
        fn erase<T: folio::CursorValue>(column: Column<T>, sorted: Sorted) -> ErasedOrder {
            let order = if sorted.descending { column.desc() } else { column.asc() };
            if sorted.nulls_last { order.nulls_last().erased() } else { order.nulls_first().erased() }
        }
        match self.column {
            0 => erase(Item::NUMBER, self),
            1 => erase(Item::MAYBE, self),
            2 => erase(Item::LABEL, self),
            3 => erase(Item::FRACTION, self),
            _ => erase(Item::ID, self),
        }
    }

    /// ORDER BY in words that every database has.
    fn sql(self) -> String {
        let column = COLUMNS[self.column];
        let direction = if self.descending { "DESC" } else { "ASC" };
        let (nulls, values) = if self.nulls_last { (1, 0) } else { (0, 1) };
        format!("CASE WHEN {column} IS NULL THEN {nulls} ELSE {values} END, {column} {direction}")
    }

    fn compare(self, a: &Item, b: &Item) -> Ordering {
        fn nullable<T: PartialOrd>(a: Option<T>, b: Option<T>, sorted: Sorted) -> Ordering {
            let by_value = |a: &T, b: &T| {
                let ordering = a.partial_cmp(b).unwrap();
                if sorted.descending { ordering.reverse() } else { ordering }
            };
            match (&a, &b) {
                (Some(a), Some(b)) => by_value(a, b),
                (None, None) => Ordering::Equal,
                (None, Some(_)) => {
                    if sorted.nulls_last {
                        Ordering::Greater
                    } else {
                        Ordering::Less
                    }
                }
                (Some(_), None) => {
                    if sorted.nulls_last {
                        Ordering::Less
                    } else {
                        Ordering::Greater
                    }
                }
            }
        }
        match self.column {
            0 => nullable(Some(a.number), Some(b.number), self),
            1 => nullable(a.maybe, b.maybe, self),
            2 => nullable(a.label.as_deref(), b.label.as_deref(), self),
            3 => nullable(Some(a.fraction), Some(b.fraction), self),
            _ => nullable(Some(a.id), Some(b.id), self),
        }
    }
}

/// A key of up to three columns, which the id closes in the last one's direction.
#[derive(Debug, Clone)]
struct Shape(Vec<Sorted>);

impl Shape {
    fn closed(&self) -> Vec<Sorted> {
        let mut columns = self.0.clone();
        if columns.iter().all(|sorted| sorted.column != 4) {
            let descending = columns.last().is_some_and(|sorted| sorted.descending);
            columns.push(Sorted { column: 4, descending, nulls_last: false });
        }
        columns
    }

    fn compare(&self, a: &Item, b: &Item) -> Ordering {
        self.closed().iter().map(|sorted| sorted.compare(a, b)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    }

    fn order(&self) -> ErasedOrder {
        self.0.iter().map(|sorted| sorted.order()).reduce(ErasedOrder::then).unwrap()
    }

    fn sql(&self) -> String {
        self.closed().iter().map(|sorted| sorted.sql()).collect::<Vec<_>>().join(", ")
    }
}

fn shape() -> impl Strategy<Value = Shape> {
    let sorted = (0..5_usize, any::<bool>(), any::<bool>()).prop_map(|(column, descending, nulls_last)| Sorted {
        column,
        descending,
        nulls_last: nulls_last && NULLABLE[column],
    });
    proptest::collection::vec(sorted, 1..=3).prop_map(|mut columns| {
        let mut seen = BTreeSet::new();
        columns.retain(|sorted| seen.insert(sorted.column));
        Shape(columns)
    })
}

/// Values from small sets, so that most rows tie in most columns.
fn item() -> impl Strategy<Value = Item> {
    let label = proptest::option::weighted(0.6, proptest::sample::select(vec!["", "a", "A", "ab", "b", "é", "a'b"]));
    let maybe = proptest::option::weighted(0.6, proptest::sample::select(vec![i64::MIN, -1, 0, 1, i64::MAX]));
    let fraction = proptest::sample::select(vec![-1.5, 0.0, 0.1, 0.1 + 0.2, 1e300]);
    (-1..3_i32, maybe, label, fraction, any::<bool>()).prop_map(|(number, maybe, label, fraction, kept)| Item {
        id: 0,
        number,
        maybe,
        label: label.map(str::to_owned),
        fraction,
        kept,
    })
}

/// What happens between two pages: rows go, by their place among those there are, and others come.
#[derive(Debug, Clone, Default)]
struct Change {
    deleted: Vec<prop::sample::Index>,
    inserted: Vec<Item>,
}

fn change() -> impl Strategy<Value = Change> {
    let deleted = proptest::collection::vec(any::<prop::sample::Index>(), 0..6);
    let inserted = proptest::collection::vec(item(), 0..4);
    (deleted, inserted).prop_map(|(deleted, inserted)| Change { deleted, inserted })
}

#[derive(Debug, Clone)]
struct Case {
    shape: Shape,
    items: Vec<Item>,
    per_page: u64,
    filtered: bool,
    /// What happens after each page; nothing, once it has run out.
    changes: Vec<Change>,
}

fn case() -> impl Strategy<Value = Case> {
    let sizes = prop_oneof![0..12_usize, 0..300_usize];
    let items = sizes.prop_flat_map(|size| proptest::collection::vec(item(), size));
    let changes = prop_oneof![Just(Vec::new()), proptest::collection::vec(change(), 1..12)];
    (shape(), items, prop_oneof![1..4_u64, 1..40_u64, Just(1000)], any::<bool>(), changes)
        .prop_map(|(shape, items, per_page, filtered, changes)| Case { shape, items, per_page, filtered, changes })
}

/// The table as it is in the database, and as the oracle has it.
struct Table<'a> {
    pool: &'a Pool,
    case: &'a Case,
    items: Vec<Item>,
    next_id: i64,
    /// The ids that were deleted or inserted since the walk began.
    touched: BTreeSet<i64>,
}

impl<'a> Table<'a> {
    async fn new(pool: &'a Pool, case: &'a Case) -> Table<'a> {
        db::run(pool, "DELETE FROM items").await;
        let mut table = Table { pool, case, items: Vec::new(), next_id: 1, touched: BTreeSet::new() };
        table.insert(&case.items).await;
        table.touched.clear();
        table
    }

    async fn insert(&mut self, items: &[Item]) {
        let mut rows = Vec::new();
        for item in items {
            // Ids go up and down, so that new rows fall on both sides of every boundary.
            let id = if self.next_id % 2 == 0 { self.next_id } else { 10_000 - self.next_id };
            self.next_id += 1;
            self.touched.insert(id);
            let item = Item { id, ..item.clone() };
            rows.push(item.literals());
            self.items.push(item);
        }
        if !rows.is_empty() {
            let columns = "id, number, maybe, label, fraction, kept";
            db::run(self.pool, format!("INSERT INTO items ({columns}) VALUES {}", rows.join(", "))).await;
        }
    }

    async fn change(&mut self, change: &Change) {
        for index in &change.deleted {
            if !self.items.is_empty() {
                let item = self.items.swap_remove(index.index(self.items.len()));
                db::run(self.pool, format!("DELETE FROM items WHERE id = {}", item.id)).await;
                self.touched.insert(item.id);
            }
        }
        self.insert(&change.inserted).await;
    }

    /// The rows of the list, sorted.
    fn sorted(&self) -> Vec<Item> {
        let mut items = self.items.clone();
        items.retain(|item| item.kept || !self.case.filtered);
        items.sort_by(|a, b| self.case.shape.compare(a, b));
        items
    }

    /// The oracle's order is the database's.
    async fn agrees(&self) {
        let filter = if self.case.filtered { "WHERE kept" } else { "" };
        let sql = format!("SELECT * FROM items {filter} ORDER BY {}", self.case.shape.sql());
        let rows: Vec<Item> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(self.pool).await.unwrap();
        assert_eq!(rows, self.sorted());
    }

    async fn page(&self, cursor: Option<&str>) -> CursorPaginator<Item> {
        let query = Item::query().cursor_by(self.case.shape.order()).cursor(cursor);
        let query = match self.case.filtered {
            // The OR must not reach beyond its filter.
            true => query.filter(Item::KEPT.eq(true).or(Item::ID.lt(0))),
            false => query,
        };
        query.cursor_paginate(self.case.per_page).await.unwrap()
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    Forwards,
    Backwards,
}

/// One walk to the end, in which every page is held against the oracle. Returns the last page's way back.
async fn walk(
    table: &mut Table<'_>,
    way: Way,
    mut from: Option<(Item, String)>,
    changes: &[Change],
) -> Option<(Item, String)> {
    let mut seen: Vec<Item> = Vec::new();
    let stable = |table: &Table<'_>| {
        let touched = table.touched.clone();
        move |item: &&Item| !touched.contains(&item.id)
    };
    let started_at = from.as_ref().map(|(item, _)| item.clone());
    let mut back = None;
    for step in 0.. {
        assert!(step < 2_000, "the walk does not end");
        let page = table.page(from.as_ref().map(|(_, cursor)| cursor.as_str())).await;
        expect_page(table, way, from.as_ref().map(|(item, _)| item), &page);
        match way {
            Way::Forwards => seen.extend(page.data.iter().cloned()),
            Way::Backwards => seen.splice(0..0, page.data.iter().cloned()).for_each(drop),
        }
        if changes.is_empty() {
            expect_round_trip(table, &page).await;
        }
        let (onward, behind, edge) = match way {
            Way::Forwards => (page.next_cursor, page.prev_cursor, page.data.last()),
            Way::Backwards => (page.prev_cursor, page.next_cursor, page.data.first()),
        };
        if let (Some(behind), Some(edge)) =
            (behind, page.data.first().filter(|_| way == Way::Forwards).or(page.data.last()))
        {
            back = Some((edge.clone(), behind));
        }
        let Some(onward) = onward else { break };
        from = Some((edge.unwrap().clone(), onward));
        if let Some(change) = changes.get(step) {
            table.change(change).await;
        }
    }
    let mut ids = BTreeSet::new();
    assert!(seen.iter().all(|item| ids.insert(item.id)), "a row is seen twice: {seen:?}");
    let expected: Vec<Item> = table.sorted();
    let in_range = |item: &&Item| match (&started_at, way) {
        (None, _) => true,
        (Some(start), Way::Forwards) => table.case.shape.compare(item, start).is_gt(),
        (Some(start), Way::Backwards) => table.case.shape.compare(item, start).is_lt(),
    };
    let expected: Vec<&Item> = expected.iter().filter(in_range).filter(stable(table)).collect();
    let seen: Vec<&Item> = seen.iter().filter(stable(table)).collect();
    assert_eq!(seen, expected, "the rows that were there throughout");
    back
}

/// The page is the slice of the sorted rows behind `from`, and has cursors exactly where it has neighbours.
fn expect_page(table: &Table<'_>, way: Way, from: Option<&Item>, page: &CursorPaginator<Item>) {
    let sorted = table.sorted();
    let per_page = usize::try_from(table.case.per_page).unwrap();
    let rows: Vec<&Item> = match (from, way) {
        (None, _) => sorted.iter().collect(),
        (Some(from), Way::Forwards) => {
            sorted.iter().filter(|item| table.case.shape.compare(item, from).is_gt()).collect()
        }
        (Some(from), Way::Backwards) => {
            sorted.iter().filter(|item| table.case.shape.compare(item, from).is_lt()).collect()
        }
    };
    let more = rows.len() > per_page;
    let expected: Vec<&Item> = match way {
        Way::Forwards => rows.iter().take(per_page).copied().collect(),
        Way::Backwards => rows.iter().skip(rows.len().saturating_sub(per_page)).copied().collect(),
    };
    assert_eq!(page.data.iter().collect::<Vec<_>>(), expected);
    // Behind a page lies the boundary's row. Behind an empty one, whatever is left there.
    let behind = from.is_some() && (!expected.is_empty() || sorted.len() > rows.len());
    let (next, prev) = match way {
        Way::Forwards => (more, behind),
        Way::Backwards => (behind, more),
    };
    assert_eq!((page.next_cursor.is_some(), page.prev_cursor.is_some()), (next, prev), "cursors of {page:?}");
}

/// The page before the next page is the page, and the other way round.
async fn expect_round_trip(table: &Table<'_>, page: &CursorPaginator<Item>) {
    if let Some(next) = &page.next_cursor {
        let next = table.page(Some(next)).await;
        let again = table.page(Some(next.prev_cursor.as_ref().expect("a way back"))).await;
        assert_eq!(again.data, page.data);
    }
    if let Some(prev) = &page.prev_cursor
        && page.next_cursor.is_some()
    {
        let prev = table.page(Some(prev)).await;
        if prev.data.len() == page.data.len() {
            let again = table.page(Some(prev.next_cursor.as_ref().expect("a way on"))).await;
            assert_eq!(again.data, page.data);
        }
    }
}

async fn check(pool: &Pool, case: &Case) {
    let mut table = Table::new(pool, case).await;
    table.agrees().await;
    let (forwards, backwards) = case.changes.split_at(case.changes.len() / 2);
    let back = walk(&mut table, Way::Forwards, None, forwards).await;
    table.agrees().await;
    table.touched.clear();
    if let Some(back) = back {
        walk(&mut table, Way::Backwards, Some(back), backwards).await;
    }
}

#[test]
fn every_row_is_seen_once() {
    let runtime = db::runtime();
    let (folio, pool) = runtime.block_on(async { db::folio(&schema()).await });
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(192);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config)
        .run(&case(), |case| {
            runtime.block_on(folio.scope(check(&pool, &case)));
            Ok(())
        })
        .unwrap();
}

/// A page whose rows were deleted leads back to the row that it was come from.
#[tokio::test]
async fn an_emptied_page_leads_back() {
    let (folio, pool) = db::folio(&schema()).await;
    let item = Item { id: 0, number: 1, maybe: None, label: None, fraction: 0.5, kept: true };
    let case = Case {
        shape: Shape(vec![Sorted { column: 0, descending: false, nulls_last: false }]),
        items: vec![item; 9],
        per_page: 3,
        filtered: false,
        changes: Vec::new(),
    };
    let check = async {
        let table = Table::new(&pool, &case).await;
        let sorted = table.sorted();
        let first = table.page(None).await;
        let second = table.page(first.next_cursor.as_deref()).await;
        let boundary = sorted[5].id;
        db::run(&pool, format!("DELETE FROM items WHERE id > {boundary}")).await;
        let empty = table.page(second.next_cursor.as_deref()).await;
        assert_eq!((empty.data.len(), empty.next_cursor.is_some()), (0, false));
        let back = table.page(empty.prev_cursor.as_deref()).await;
        assert_eq!(back.data, sorted[3..6], "the boundary's own row is among them");
        assert_eq!((back.next_cursor.is_some(), back.prev_cursor.is_some()), (false, true));
        let first_again = table.page(back.prev_cursor.as_deref()).await;
        assert_eq!(first_again.data, first.data);

        db::run(&pool, format!("DELETE FROM items WHERE id < {boundary}")).await;
        let empty = table.page(back.prev_cursor.as_deref()).await;
        assert_eq!((empty.data.len(), empty.prev_cursor.is_some()), (0, false));
        let on = table.page(empty.next_cursor.as_deref()).await;
        assert_eq!(on.data, sorted[5..6]);
        assert_eq!((on.next_cursor.is_some(), on.prev_cursor.is_some()), (false, false));

        db::run(&pool, "DELETE FROM items").await;
        let nothing = table.page(on.prev_cursor.or(empty.next_cursor).as_deref()).await;
        assert_eq!((nothing.data.len(), nothing.next_cursor, nothing.prev_cursor), (0, None, None));
    };
    folio.scope(check).await;
}

/// A filtered list by columns that are written by their names alone: the primary key is found among them.
#[tokio::test]
async fn a_filtered_list_is_walked_by_columns_without_a_table() {
    let rows: Vec<String> = (1..=40).map(|id| format!("({id}, {}, {})", id % 3, id % 4)).collect();
    let schema = format!(
        "CREATE TABLE bares (id {ID}, grade BIGINT NOT NULL, tenant BIGINT NOT NULL); INSERT INTO bares VALUES {}",
        rows.join(", ")
    );
    let (folio, _pool) = db::folio(&schema).await;
    let order = (Column::<i64>::new("grade"), Column::<i64>::new("id").desc()).erased();
    let mut expected: Vec<i64> = (1..=40).filter(|id| id % 4 == 1).collect();
    expected.sort_by_key(|id| (id % 3, -id));
    let check = async {
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let query = Bare::query().filter(Bare::TENANT.eq(1)).cursor_by(order.clone()).cursor(cursor.as_deref());
            let page = query.cursor_paginate(3).await.unwrap();
            seen.extend(page.data.iter().map(|row| row.id));
            assert!(seen.len() <= 40, "{seen:?}");
            cursor = page.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, expected);
    };
    folio.scope(check).await;
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[expect(dead_code, reason = "only the order matters here")]
struct Bare {
    id: i64,
    grade: i64,
    tenant: i64,
}
