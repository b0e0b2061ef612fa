//! A table of a million rows, and the cost of a page of each key at any depth.
//!
//! 100,000 rows tie on `tie`, 300,000 rows have NULL in `maybe`, and both lie together by id too, where a scan by the
//! primary key would have to pass the most rows that it filters.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use folio::relay::Window;
use folio::{Builder, Column, CursorPaginator, FilterExpr, IntoOrder as _, Nulls, Order, Paginate};
use tokio::sync::OnceCell;

pub(crate) mod feeds;
pub(crate) mod texts;

use crate::Pool;

pub(crate) const PER_PAGE: u64 = 15;

/// The columns of the rows with the numbers `id`, of which `h` and `g` are permutations, in SQL of every database.
pub(crate) const COLUMNS: &str = "id, FLOOR(h / 3), CASE WHEN id BETWEEN 450001 AND 550000 THEN 450000 ELSE h END, \
     CASE WHEN id BETWEEN 500001 AND 800000 THEN NULL ELSE FLOOR(g / 3) END, h % 1000, g % 7, id % 10";

/// The value of `tie` in 100,000 rows.
const TIE: i32 = 450_000;

pub(crate) const TABLE: &str = "planned (id BIGINT NOT NULL PRIMARY KEY, moment INT NOT NULL, tie INT NOT NULL, \
     maybe INT, a INT NOT NULL, b INT NOT NULL, tenant INT NOT NULL)";

/// One for each key. A key that goes both ways has two, one to walk it backwards by: MySQL cannot use the other's end.
pub(crate) const INDEXES: [&str; 12] = [
    "moment, id",
    "tie, id",
    "tie DESC, id",
    "tie, id DESC",
    "a, b, id",
    "maybe, id",
    "tenant, moment, id",
    "tie, maybe, id",
    "tenant, tie DESC, id",
    "tenant, tie, id DESC",
    "a, moment, id",
    "tenant, maybe, id",
];

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "planned")]
#[expect(dead_code, reason = "only the way to the rows matters here")]
pub(crate) struct Planned {
    id: i64,
    moment: i32,
    tie: i32,
    maybe: Option<i32>,
    a: i32,
    b: i32,
    tenant: i32,
}

/// A part of a list: what holds in it, and its ORDER BY.
type Part = (String, &'static str);

/// A list of the table.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    order: Order,
    filter: Option<FilterExpr<Planned>>,
    /// Its parts one after another.
    parts: Vec<Part>,
    /// Whether the rows that tie in its first column are sorted for a page.
    grouped: bool,
}

fn shape(name: &'static str, order: Order, sql: &'static str) -> Shape {
    Shape { name, order, filter: None, parts: vec![("0 = 0".to_owned(), sql)], grouped: false }
}

/// The key `maybe` with its NULLs where `nulls` says.
fn nullable(name: &'static str, descending: bool, nulls: Nulls) -> Shape {
    const MAYBE: Column<Option<i32>, Planned> = Planned::MAYBE;
    let order = if descending { MAYBE.desc() } else { MAYBE.asc() };
    let values = ("maybe IS NOT NULL".to_owned(), if descending { "maybe DESC, id DESC" } else { "maybe, id" });
    let without = ("maybe IS NULL".to_owned(), if descending { "id DESC" } else { "id" });
    let (order, parts) = match nulls {
        Nulls::First => (order.nulls_first().erased(), vec![without, values]),
        Nulls::Last => (order.nulls_last().erased(), vec![values, without]),
    };
    Shape { name, order, filter: None, parts, grouped: false }
}

/// A list of one tenant's rows.
fn of_tenant(shape: Shape) -> Shape {
    let parts = shape.parts.into_iter().map(|(part, sql)| (format!("tenant = 3 AND {part}"), sql)).collect();
    Shape { filter: Some(Planned::TENANT.eq(3)), parts, ..shape }
}

/// A list of the 100,000 rows that tie, from either end. Most other values of their column have one row.
pub(crate) fn in_ties() -> [Shape; 2] {
    let of_tie = |order: Order, sql| Shape {
        filter: Some(Planned::TIE.eq(TIE)),
        parts: vec![(format!("tie = {TIE}"), sql)],
        ..shape("the rows that tie", order, sql)
    };
    [of_tie(Planned::ID.erased(), "id"), of_tie(Planned::ID.desc().erased(), "id DESC")]
}

/// The keys that an index has in their order, or in two parts of it if NULLs are at the other end.
pub(crate) fn shapes() -> Vec<Shape> {
    let (id, moment, tie, a, b) = (Planned::ID, Planned::MOMENT, Planned::TIE, Planned::A, Planned::B);
    vec![
        shape("id", id.erased(), "id"),
        shape("id desc", id.desc().erased(), "id DESC"),
        shape("moment, id", moment.erased(), "moment, id"),
        shape("moment desc, id desc", moment.desc().erased(), "moment DESC, id DESC"),
        shape("tie, id", tie.erased(), "tie, id"),
        shape("tie desc, id desc", tie.desc().erased(), "tie DESC, id DESC"),
        shape("tie desc, id asc", (tie.desc(), id).erased(), "tie DESC, id"),
        shape("a, b, id", (a, b).erased(), "a, b, id"),
        shape("a desc, b desc, id desc", (a.desc(), b.desc()).erased(), "a DESC, b DESC, id DESC"),
        nullable("maybe nulls first", false, Nulls::First),
        nullable("maybe nulls last", false, Nulls::Last),
        nullable("maybe desc nulls first", true, Nulls::First),
        nullable("maybe desc nulls last", true, Nulls::Last),
        of_tenant(shape("moment, id of a tenant", moment.erased(), "moment, id")),
        of_tenant(shape("tie desc, id asc of a tenant", (tie.desc(), id).erased(), "tie DESC, id")),
        of_tenant(nullable("maybe nulls last of a tenant", false, Nulls::Last)),
        of_tenant(nullable("maybe desc nulls last of a tenant", true, Nulls::Last)),
    ]
}

/// The keys with a column that may be NULL behind another, its NULLs where the index has them and at the other end.
///
/// The rows that tie in the column before it are sorted, all of the next group: so no page is before the one
/// of 100,000.
pub(crate) fn inner_nulls(by_itself: Nulls) -> [Shape; 2] {
    let (tie, maybe) = (Planned::TIE, Planned::MAYBE);
    let first = shape(
        "tie, maybe nulls first",
        (tie, maybe.nulls_first()).erased(),
        "tie, CASE WHEN maybe IS NULL THEN 0 ELSE 1 END, maybe, id",
    );
    let last = shape(
        "tie, maybe nulls last",
        (tie, maybe.nulls_last()).erased(),
        "tie, CASE WHEN maybe IS NULL THEN 1 ELSE 0 END, maybe, id",
    );
    match by_itself {
        Nulls::First => [first, Shape { grouped: true, ..last }],
        Nulls::Last => [last, Shape { grouped: true, ..first }],
    }
}

/// The cost of a page: rows read, and another measure of work that depends on the database.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) rows: u64,
    pub(crate) beside: u64,
}

impl Cost {
    /// The cost of each of several statements.
    fn share(self, statements: u64) -> Self {
        Self { rows: self.rows.div_ceil(statements), beside: self.beside.div_ceil(statements) }
    }

    fn most(self, other: Self) -> Self {
        Self { rows: self.rows.max(other.rows), beside: self.beside.max(other.beside) }
    }
}

/// How many rows come before each page: at both ends of the list, in the middle of the rows and of the ties, inside the
/// NULLs, and where the ties and the NULLs begin and end.
const DEPTHS: [i64; 8] = [5, 150_000, 299_995, 500_000, 699_995, 850_000, 990_000, 999_980];

/// As many as before the ties, from either end, or a few less.
const BEFORE_TIES: [i64; 4] = [404_990, 404_993, 495_000, 495_006];

/// Where windows begin.
const WINDOWS: [i64; 4] = [70, 299_995, 500_000, 990_000];

const LAST: i64 = 999_999;

/// The id of the row at each depth.
type RowsAt = HashMap<i64, i64>;

type SharedRows = Arc<OnceCell<RowsAt>>;

/// All depths, of a million rows.
fn depths() -> impl Iterator<Item = i64> {
    DEPTHS.into_iter().chain(BEFORE_TIES).chain(WINDOWS).chain([LAST])
}

impl Shape {
    async fn page(&self, cursor: Option<&str>) -> CursorPaginator<Planned> {
        self.page_of(PER_PAGE, None, cursor).await
    }

    async fn page_of(
        &self,
        per_page: u64,
        only: Option<FilterExpr<Planned>>,
        cursor: Option<&str>,
    ) -> CursorPaginator<Planned> {
        let query = Planned::query().cursor_by(self.order.clone()).cursor(cursor);
        let query = self.filter.iter().cloned().chain(only).fold(query, |query, filter| query.filter(filter));
        query.cursor_paginate(per_page).await.unwrap()
    }

    /// The id of the row at one of the [`depths`]. Every table has the same rows, so they are looked up once.
    async fn row(&self, pool: &Pool, depth: i64) -> i64 {
        static FOUND: LazyLock<Mutex<HashMap<Vec<Part>, SharedRows>>> = LazyLock::new(Mutex::default);
        let found = Arc::clone(FOUND.lock().unwrap().entry(self.parts.clone()).or_default());
        found.get_or_init(|| self.rows(pool)).await[&depth]
    }

    /// The id of the row at each depth, by one statement for each part: one for each depth would take a minute.
    async fn rows(&self, pool: &Pool) -> RowsAt {
        let mut depths: Vec<_> = depths().map(|depth| depth / self.scale()).collect();
        depths.sort_unstable();
        depths.dedup();
        let (mut ids, mut passed) = (Vec::new(), 0);
        for (part, order) in &self.parts {
            let numbers: Vec<_> = depths.iter().map(|depth| (depth - passed + 1).to_string()).collect();
            let numbered = format!("SELECT id, ROW_NUMBER() OVER (ORDER BY {order}) AS n FROM planned WHERE {part}");
            let sql = format!("SELECT id FROM ({numbered}) AS numbered WHERE n IN ({}) ORDER BY n", numbers.join(", "));
            let found: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(pool).await.unwrap();
            ids.extend(found);
            let sql = format!("SELECT COUNT(*) FROM planned WHERE {part}");
            passed += sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(sql)).fetch_one(pool).await.unwrap();
        }
        assert_eq!(ids.len(), depths.len(), "{} has no row at some depth", self.name);
        depths.into_iter().zip(ids).collect()
    }

    /// How many rows of a million its depths are counted in.
    fn scale(&self) -> i64 {
        if self.filter.is_some() { 10 } else { 1 }
    }

    /// The most that a page costs, anywhere and either way. `meter` tells the cost since it was last asked.
    pub(crate) async fn dearest(&self, pool: &Pool, meter: impl AsyncFn() -> Cost) -> Cost {
        meter().await;
        let first = self.page(None).await;
        let mut most = meter().await;
        assert_eq!(first.data.len(), 15);
        let last = self.row(pool, LAST / self.scale()).await;
        let before_ties = BEFORE_TIES.iter().filter(|_| !self.grouped);
        for depth in DEPTHS.iter().chain(before_ties) {
            let id = self.row(pool, depth / self.scale()).await;
            // A cursor at that row comes of a list that has no other row, but one behind it.
            let at = self.page_of(1, Some(Planned::ID.is_in([id, last])), None).await.next_cursor;
            meter().await;
            let onward = self.page(at.as_deref()).await;
            let forwards = meter().await;
            let back = self.page(onward.prev_cursor.as_deref()).await;
            let backwards = meter().await;
            assert_eq!(back.data.last().map(|row| row.id), Some(id), "{}: back to row {depth}", self.name);
            most = most.most(forwards).most(backwards);
        }
        most
    }
}

impl Shape {
    fn list(&self) -> Builder<Planned> {
        let query = Planned::query().cursor_by(self.order.clone());
        self.filter.iter().cloned().fold(query, Builder::filter)
    }

    /// The most that a statement of each window costs, wherever it is: at the end, between two rows, around a row,
    /// behind rows that are passed over.
    pub(crate) async fn costliest_windows(
        &self,
        pool: &Pool,
        meter: impl AsyncFn() -> Cost,
    ) -> [(&'static str, Cost); 5] {
        meter().await;
        let end = self.list().with_row_cursors().last_page(PER_PAGE).await.unwrap();
        let last_page = meter().await;
        let mut most = [Cost { rows: 0, beside: 0 }; 4];
        let before = end.row_cursors.and_then(|cursors| cursors.last().cloned());
        let last = end.data.last().map(|row| row.id).unwrap();
        for depth in WINDOWS {
            let id = self.row(pool, depth / self.scale()).await;
            let after = self.page_of(1, Some(Planned::ID.is_in([id, last])), None).await.next_cursor;
            meter().await;
            let first = Window { after: after.clone(), before: before.clone(), ..Window::first(15) };
            let first = self.list().connection(first).await.unwrap();
            assert!(first.edges.len() == 15 && first.page_info.has_next_page && first.page_info.has_previous_page);
            most[0] = most[0].most(meter().await.share(2));
            let until =
                Window { after: after.clone(), before: Some(first.edges[3].cursor.clone()), ..Window::last(15) };
            assert_eq!(self.list().connection(until).await.unwrap().edges.len(), 3);
            most[1] = most[1].most(meter().await.share(2));
            let around = self.list().around_cursor(after.as_deref().unwrap(), 5, 9).await.unwrap();
            assert_eq!((around.page.data.len(), around.index), (15, Some(5)));
            most[2] = most[2].most(meter().await.share(4));
            let skipped = self.list().after(after.as_deref()).skip(9).cursor_paginate(6).await.unwrap();
            assert_eq!(skipped.data.last().map(|row| row.id), Some(first.edges[14].node.id));
            most[3] = most[3].most(meter().await);
        }
        let [first, few, around, skip] = most;
        [("last page", last_page), ("first between", first), ("last between", few), ("around", around), ("skip", skip)]
    }
}

/// Lists that begin at a value.
pub(crate) fn seeks() -> Vec<(&'static str, Builder<Planned>)> {
    let (moment, tie, maybe, a) = (Planned::MOMENT, Planned::TIE, Planned::MAYBE, Planned::A);
    let by = |order: Order| Planned::query().cursor_by(order);
    let of_tenant = by(moment.erased()).filter(Planned::TENANT.eq(3));
    vec![
        ("a moment", by(moment.erased()).seek_inclusive(166_666)),
        ("after a moment, newest first", by(moment.desc().erased()).seek(166_666)),
        ("a moment of a tenant", of_tenant.seek_inclusive(166_666)),
        ("a value that 100,000 rows have", by(tie.erased()).seek_inclusive(450_000)),
        ("after a value that 100,000 rows have", by(tie.erased()).seek(450_000)),
        ("such a value, in a mixed order", by((tie.desc(), Planned::ID).erased()).seek_inclusive(450_000)),
        ("one column of three", by((a, Planned::B).erased()).seek_inclusive(500)),
        ("two columns of three", by((a, Planned::B).erased()).seek((500, 3))),
        ("a value of a nullable column", by(maybe.nulls_last().erased()).seek_inclusive(Some(166_666))),
        ("NULL, first", by(maybe.nulls_first().erased()).seek_inclusive(None::<i32>)),
        ("after NULL, first", by(maybe.nulls_first().erased()).seek(None::<i32>)),
        ("NULL, last", by(maybe.desc().nulls_last().erased()).seek_inclusive(None::<i32>)),
    ]
}

/// The most that a page costs which begins at a value, and the page before it.
pub(crate) async fn costliest_seek(list: Builder<Planned>, meter: impl AsyncFn() -> Cost) -> Cost {
    meter().await;
    let page = list.clone().cursor_paginate(PER_PAGE).await.unwrap();
    // One statement more finds out whether rows are before it.
    let most = meter().await.share(2);
    assert_eq!(page.data.len(), 15);
    list.cursor(page.prev_cursor.as_deref()).cursor_paginate(PER_PAGE).await.unwrap();
    most.most(meter().await)
}

/// How many rows are after the page of [`far_by_number`].
const BEHIND: u64 = 1_000;

/// Pages by number, which count a million rows: what the first one costs, and how much more one does that has few rows
/// behind it may.
pub(crate) async fn far_by_number(meter: impl AsyncFn() -> Cost) {
    for query in [Planned::query(), Planned::query().order_by_desc(Planned::MOMENT)] {
        meter().await;
        query.clone().page(1).paginate(PER_PAGE).await.unwrap();
        let first = meter().await;
        let page = query.page((1_000_000 - BEHIND) / PER_PAGE).paginate(PER_PAGE).await.unwrap();
        assert_eq!((page.total, page.data.len()), (1_000_000, 15));
        let far = meter().await;
        // Keys are passed over, and the page's rows looked up behind them.
        // Threads that count a table together may lose some of what they count.
        let most = first.rows.max(1_000_000) + 2 * (BEHIND + 3 * PER_PAGE);
        assert!(far.rows <= most, "{} rows, and {} for the first page", far.rows, first.rows);
    }
}
