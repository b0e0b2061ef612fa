//! The order that a client requests: whatever names are allowed and requested, every page has the rows in that order,
//! by number and by cursor, forwards and backwards.
//!
//! The oracle sorts the rows in memory. It has its own parser for the request, and keeps repeated columns.

use std::cmp::Ordering;

use folio::testing::Walk;
use folio::{ActiveRequest, Column, Folio, IntoOrder as _, Order, Paginate, Pagination, Select, Sorts};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::TestRunner;
use sea_query::Query;

use crate::server::{ID, TEXT};
use crate::suite::db;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "sortables")]
struct Sortable {
    id: i64,
    grade: i32,
    title: String,
    score: Option<i64>,
}

/// 30 rows that tie in most columns.
fn rows() -> Vec<Sortable> {
    let row = |id: i64| Sortable {
        id,
        grade: i32::try_from(id % 3).unwrap(),
        title: ["a", "b", "c", "d"][usize::try_from(id * 7 % 4).unwrap()].to_owned(),
        score: (id % 4 != 0).then_some(id * 11 % 5),
    };
    (1..=30).map(row).collect()
}

async fn sortables() -> (Folio, db::Pool) {
    let literal = |row: Sortable| {
        let score = row.score.map_or("NULL".to_owned(), |score| score.to_string());
        format!("({}, {}, '{}', {score})", row.id, row.grade, row.title)
    };
    let literals: Vec<String> = rows().into_iter().map(literal).collect();
    db::folio(&format!(
        "CREATE TABLE sortables (id {ID}, grade INTEGER NOT NULL, title {TEXT} NOT NULL, score BIGINT); \
         INSERT INTO sortables VALUES {}",
        literals.join(", ")
    ))
    .await
}

/// A column with a direction, and the position of its NULLs.
#[derive(Debug, Clone, Copy)]
struct Sorted {
    column: &'static str,
    descending: bool,
    nulls_last: bool,
}

impl Sorted {
    fn order(self) -> Order {
        fn erase<T: folio::CursorValue, M>(column: Column<T, M>, sorted: Sorted) -> Order {
            let order = if sorted.descending { column.desc() } else { column.asc() };
            if sorted.nulls_last { order.nulls_last().erased() } else { order.nulls_first().erased() }
        }
        match self.column {
            "grade" => erase(Sortable::GRADE, self),
            "title" => erase(Sortable::TITLE, self),
            "score" => erase(Sortable::SCORE, self),
            _ => erase(Sortable::ID, self),
        }
    }

    fn compare(self, a: &Sortable, b: &Sortable) -> Ordering {
        let directed = |ordering: Ordering| if self.descending { ordering.reverse() } else { ordering };
        match self.column {
            "grade" => directed(a.grade.cmp(&b.grade)),
            "title" => directed(a.title.cmp(&b.title)),
            "score" => match (a.score, b.score) {
                (Some(a), Some(b)) => directed(a.cmp(&b)),
                (a, b) => (a.is_none() == self.nulls_last).cmp(&(b.is_none() == self.nulls_last)),
            },
            _ => directed(a.id.cmp(&b.id)),
        }
    }
}

/// Names that have to be encoded in a URL, or look like something else.
const NAMES: [&str; 8] = ["newest", "a-z", "größe", "x&y=z", "a b", "1", "%2C", "sort"];

/// An allow-list, the names of a request, and how they are paged through.
#[derive(Debug, Clone)]
struct Case {
    allowed: Vec<(&'static str, Vec<Sorted>)>,
    /// Positions in the list, and whether they are reversed.
    default: Vec<(usize, bool)>,
    asked: Vec<(usize, bool)>,
    per_page: u64,
}

impl Case {
    fn text(&self, parts: &[(usize, bool)]) -> String {
        let name =
            |(at, reversed): &(usize, bool)| format!("{}{}", if *reversed { "-" } else { "" }, self.allowed[*at].0);
        parts.iter().map(name).collect::<Vec<_>>().join(",")
    }

    fn sorts(&self) -> Sorts {
        let order = |columns: &[Sorted]| columns.iter().map(|sorted| sorted.order()).reduce(Order::then).unwrap();
        let [(name, columns), more @ ..] = &self.allowed[..] else { unreachable!("a case allows a name") };
        let sorts = Sorts::new(name, order(columns));
        let sorts = more.iter().fold(sorts, |sorts, (name, columns)| sorts.allow(name, order(columns)));
        sorts.default(&self.text(&self.default))
    }

    /// The address of the first page.
    fn address(&self) -> String {
        let encoded: String = self.text(&self.asked).bytes().map(|byte| format!("%{byte:02X}")).collect();
        format!("/sortables?tab=all&sort={encoded}")
    }

    /// All columns of the request, repeated ones too.
    fn columns(&self) -> Vec<Sorted> {
        let asked = if self.asked.is_empty() { &self.default } else { &self.asked };
        let part = |(at, reversed): &(usize, bool)| {
            let reversed = *reversed;
            let turned = move |sorted: &Sorted| Sorted { descending: sorted.descending != reversed, ..*sorted };
            self.allowed[*at].1.iter().map(turned).collect::<Vec<_>>()
        };
        asked.iter().flat_map(part).collect()
    }

    fn expected(&self) -> Vec<i64> {
        let mut columns = self.columns();
        // The id is the tie-breaker, in the direction of the last column that is not a repetition.
        let is_first = |at: &usize| columns[..*at].iter().all(|earlier| earlier.column != columns[*at].column);
        let last = (0..columns.len()).rev().find(is_first).unwrap();
        columns.push(Sorted { column: "id", ..columns[last] });
        let mut rows = rows();
        let compare =
            |a: &Sortable, b: &Sortable| columns.iter().map(|sorted| sorted.compare(a, b)).find(|o| o.is_ne());
        rows.sort_by(|a, b| compare(a, b).unwrap_or(Ordering::Equal));
        rows.iter().map(|row| row.id).collect()
    }
}

fn case() -> impl Strategy<Value = Case> {
    let sorted = (select(vec!["grade", "title", "score", "id"]), any::<bool>(), any::<bool>())
        .prop_map(|(column, descending, nulls_last)| Sorted { column, descending, nulls_last });
    let order = proptest::collection::vec(sorted, 1..=3);
    let names = subsequence(NAMES.to_vec(), 1..=4).prop_shuffle();
    let parts = |count: usize, least: usize| {
        let parts = subsequence((0..count).collect::<Vec<_>>(), least..=count).prop_shuffle();
        (parts, any::<u8>())
            .prop_map(|(parts, turned)| parts.into_iter().map(|at| (at, turned >> at & 1 == 1)).collect())
    };
    let lists = names.prop_flat_map(move |names| {
        let count = names.len();
        (Just(names), proptest::collection::vec(order.clone(), count), parts(count, 1), parts(count, 0))
    });
    (lists, 1..=12_u64).prop_map(|((names, orders, default, asked), per_page)| Case {
        allowed: names.into_iter().zip(orders).collect(),
        default,
        asked,
        per_page,
    })
}

fn ids(rows: &[Sortable]) -> Vec<i64> {
    rows.iter().map(|row| row.id).collect()
}

/// The ids of all pages from an address, each by the URL in the page before it.
async fn walked(first: String, page: impl AsyncFn() -> folio::Result<(Vec<i64>, Option<String>)>) -> Vec<i64> {
    let (mut url, mut seen) = (Some(first), Vec::new());
    while let Some(asked) = url {
        let (ids, next) = ActiveRequest::new(&asked).scope(page()).await.unwrap();
        seen.extend(ids);
        assert!(seen.len() <= 30, "{asked}");
        url = next;
    }
    seen
}

async fn check_queries(case: &Case, expected: &[i64]) {
    let (sorts, per_page) = (case.sorts(), case.per_page);
    let query =
        || -> folio::Result<_> { Ok(Sortable::query().order_by(sorts.from_request("sort")?).with_query_string()) };
    let numbered = walked(case.address(), async || {
        let page = query()?.paginate(per_page).await?;
        Ok((ids(&page.data), page.next_page_url()))
    });
    assert_eq!(numbered.await, expected, "by number");
    let simple = walked(case.address(), async || {
        let page = query()?.simple_paginate(per_page).await?;
        Ok((ids(&page.data), page.next_page_url()))
    });
    assert_eq!(simple.await, expected, "without a total");
    let cursor = walked(case.address(), async || {
        let page = query()?.cursor_paginate(per_page).await?;
        Ok((ids(&page.data), page.next_page_url()))
    });
    assert_eq!(cursor.await, expected, "by cursor");
}

/// By cursor from the last page to the first.
async fn check_way_back(case: &Case, expected: &[i64]) {
    let order = case.sorts().resolve("sort", Some(&case.text(&case.asked))).unwrap();
    let query = |cursor: Option<&str>| Sortable::query().cursor_by(order.clone()).cursor(cursor);
    let walk = Walk::over(expected.iter().copied()).both_ways();
    let walk =
        walk.run(async |cursor| Ok(query(cursor.as_deref()).cursor_paginate(case.per_page).await?.map(|row| row.id)));
    walk.await.unwrap();
}

/// The same for a select that a caller wrote.
async fn check_selects(case: &Case, expected: &[i64]) {
    let order = case.sorts().resolve("sort", Some(&case.text(&case.asked))).unwrap();
    let select = || {
        Select::<Sortable>::model(Query::select().columns(["id", "grade", "title", "score"]).from("sortables").take())
    };
    let (mut numbered, mut simple, mut seen, mut cursor) = (Vec::new(), Vec::new(), Vec::new(), None);
    for page in 1..=30_u64.div_ceil(case.per_page) {
        let sorted = || select().order_by(order.clone());
        let rows = Pagination::length_aware(sorted(), case.per_page, page).await.unwrap();
        assert_eq!(rows.total, 30);
        numbered.extend(ids(&rows.data));
        simple.extend(ids(&Pagination::simple(sorted(), case.per_page, page).await.unwrap().data));
        let rows = Pagination::cursor(select(), cursor.as_deref(), case.per_page, order.clone()).await.unwrap();
        seen.extend(ids(&rows.data));
        cursor = rows.next_cursor;
    }
    assert_eq!((&numbered[..], &simple[..], &seen[..]), (expected, expected, expected), "a caller's select");
}

#[test]
fn every_page_has_the_order_that_was_asked_for() {
    let runtime = db::runtime();
    let (folio, _pool) = runtime.block_on(sortables());
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(48);
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config)
        .run(&case(), |case| {
            runtime.block_on(folio.scope(async {
                let expected = case.expected();
                check_queries(&case, &expected).await;
                check_way_back(&case, &expected).await;
                check_selects(&case, &expected).await;
            }));
            Ok(())
        })
        .unwrap();
}

/// The same column with and without its table is not recognized, and harmless: the second one sorts nothing.
#[tokio::test]
async fn a_column_that_is_written_in_two_ways_sorts_once() {
    let (folio, _pool) = sortables().await;
    let sorts = Sorts::new("score", Sortable::SCORE.desc().nulls_last())
        .allow("bare", Column::<Option<i64>>::new("score").nulls_first())
        .allow("id", Column::<i64>::new("id").desc());
    let check = async {
        for (text, same) in [("score,bare,id", "score,id"), ("bare,score,-id", "bare,-id")] {
            let [both, one] = [text, same].map(|text| sorts.resolve("sort", Some(text)).unwrap());
            let expected = ids(&Sortable::query().order_by(one).paginate(30).await.unwrap().data);
            let query = || Sortable::query().order_by(both.clone());
            assert_eq!(ids(&query().paginate(30).await.unwrap().data), expected, "{text}");
            let walk = Walk::over(expected);
            let walk = walk
                .run(async |cursor| Ok(query().cursor(cursor.as_deref()).cursor_paginate(4).await?.map(|row| row.id)));
            walk.await.unwrap();
        }
    };
    folio.scope(check).await;
}

/// A select that is grouped or limited is sorted as a whole.
#[tokio::test]
async fn a_select_is_sorted_by_the_columns_of_its_result() {
    let (folio, _pool) = sortables().await;
    let sorts = Sorts::new("most", (Column::<i64>::new("rows").desc(), Column::<i32>::new("grade"))).default("-most");
    let grouped = || {
        let count = sea_query::Func::count(sea_query::Expr::col(sea_query::Asterisk));
        let select =
            Query::select().column("grade").expr_as(count, "rows").from("sortables").group_by_col("grade").take();
        Select::<(i32, i64)>::from(select)
    };
    let check = async {
        let sort = |text| sorts.resolve("sort", text).unwrap();
        let page = Pagination::length_aware(grouped().order_by(sort(None)), 5, 1).await.unwrap();
        assert_eq!((page.total, page.data), (3, vec![(2, 10), (1, 10), (0, 10)]));
        let page = Pagination::simple(grouped().order_by(sort(Some("most"))), 2, 2).await.unwrap();
        assert_eq!(page.data, [(2, 10)]);
        let missing = grouped().order_by(Column::<String>::new("title"));
        let error = Pagination::length_aware(missing, 5, 1).await.unwrap_err();
        assert!(error.to_string().contains("the order has `title`, which is not among the columns"), "{error}");

        // The statement's own limit applies first, in its own order.
        let newest = Query::select().columns(["id", "grade", "title", "score"]).from("sortables").take();
        let newest = newest.clone().order_by("id", sea_query::Order::Desc).limit(3).take();
        let page =
            Pagination::length_aware(Select::<Sortable>::model(newest).order_by(Sortable::ID), 2, 1).await.unwrap();
        assert_eq!((page.total, ids(&page.data)), (3, vec![28, 29]));
    };
    folio.scope(check).await;
}
