//! Orders in raw SQL and by position, on pages that are found by their keys or read from the end of the list: the rows
//! are those of plain OFFSET.

use folio::Paginate;
use sea_query::Expr;

use crate::server::{ID, TEXT};
use crate::suite::db::{self, Pool};

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "ranked")]
struct Ranked {
    id: i64,
    grade: i32,
    weight: Option<i32>,
    label: String,
}

/// From row 10,000 on, a page is read from the end if that is nearer.
const ROWS: u64 = 25_000;

/// Pages at the start, pages whose keys are looked up first (from row 200 or 500 on), and pages far from both ends.
const PAGES: [(u64, u64); 6] = [(1, 7), (30, 7), (80, 7), (1_430, 7), (2_400, 7), (3_572, 7)];

async fn insert(pool: &Pool) {
    let row = |at: u64| {
        let (id, grade) = (at * 7_919 % 25_013, at * 31 % 11);
        let weight = if at.is_multiple_of(5) { "NULL".to_owned() } else { (at * 17 % 13).to_string() };
        format!("({id}, {grade}, {weight}, 'label {}')", at % 3)
    };
    for first in (0..ROWS).step_by(1_000) {
        let rows: Vec<String> = (first..first + 1_000).map(row).collect();
        db::run(pool, format!("INSERT INTO ranked (id, grade, weight, label) VALUES {}", rows.join(", "))).await;
    }
}

/// Orders in SQL that every database accepts. The builder appends a direction to each.
const ORDERS: [&str; 9] = [
    "(grade)",
    "grade DESC, weight",
    "label, grade - 3 DESC, weight",
    "2",
    "3 DESC, 2",
    "COALESCE(weight, grade) DESC, label",
    "CASE WHEN weight IS NULL THEN 1 ELSE 0 END DESC, weight",
    "grade DESC /* the best first, */, label",
    "CASE label WHEN 'label 1, 2' THEN 0 WHEN 'label 2' THEN 1 ELSE 2 END, grade",
];

#[tokio::test]
async fn deep_pages_in_raw_orders_are_those_of_plain_offset() {
    let schema = format!(
        "CREATE TABLE ranked (id {ID}, grade INTEGER NOT NULL, weight INTEGER, label {TEXT} NOT NULL);
         CREATE INDEX ranked_grade ON ranked (grade, weight, id)"
    );
    let (folio, pool) = db::folio(&schema).await;
    insert(&pool).await;
    let check = async {
        let mut wrong = Vec::new();
        for order in ORDERS {
            for direction in ["ASC", "DESC"] {
                wrong.extend(wrong_pages(&pool, order, direction).await);
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    };
    folio.scope(check).await;
}

/// The pages that differ from slices of the list by hand. Rows tie in the order alone, so the primary key is last.
async fn wrong_pages(pool: &Pool, order: &'static str, direction: &str) -> Vec<String> {
    let sql = format!("SELECT id, grade, weight, label FROM ranked ORDER BY {order} {direction}, id {direction}");
    let all: Vec<Ranked> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(pool).await.unwrap();
    let mut wrong = Vec::new();
    for (page, per_page) in PAGES {
        let first = usize::try_from((page - 1) * per_page).unwrap();
        let expected: Vec<_> = all.iter().skip(first).take(usize::try_from(per_page).unwrap()).cloned().collect();
        let query = || match direction {
            "ASC" => Ranked::query().order_by_asc(Expr::cust(order)).page(page),
            _ => Ranked::query().order_by_desc(Expr::cust(order)).page(page),
        };
        let numbered = query().paginate(per_page).await.map(|page| (page.total, page.data));
        let simple = query().simple_paginate(per_page).await.map(|page| (ROWS, page.data));
        for (kind, seen) in [("numbered", numbered), ("simple", simple)] {
            let case = format!("{kind} page {page} of {per_page} by {order} {direction}");
            match seen {
                Ok((total, rows)) if total == ROWS && rows == expected => {}
                Ok((total, rows)) => {
                    wrong.push(format!("{case}: {:?} of {total}, not {:?}", ids(&rows), ids(&expected)))
                }
                Err(error) => wrong.push(format!("{case}: {error}")),
            }
        }
    }
    wrong
}

/// The ids of the first rows, for a message.
fn ids(rows: &[Ranked]) -> Vec<i64> {
    rows.iter().take(7).map(|row| row.id).collect()
}

/// The same after an order by a column, and with a filter whose value is bound.
#[tokio::test]
async fn a_raw_order_after_a_column_keeps_its_place() {
    let schema =
        format!("CREATE TABLE ranked (id {ID}, grade INTEGER NOT NULL, weight INTEGER, label {TEXT} NOT NULL)");
    let (folio, pool) = db::folio(&schema).await;
    insert(&pool).await;
    let sql = "SELECT id, grade, weight, label FROM ranked WHERE grade < 10 ORDER BY label, grade DESC, weight, id";
    let all: Vec<Ranked> = sqlx::query_as(sql).fetch_all(&pool).await.unwrap();
    let check = async {
        for (page, per_page) in PAGES {
            let query = Ranked::query().filter(Ranked::GRADE.lt(10)).order_by_asc(Ranked::LABEL);
            let query = query.order_by_asc(Expr::cust("grade DESC, weight")).page(page);
            let first = usize::try_from((page - 1) * per_page).unwrap();
            let expected: Vec<_> = all.iter().skip(first).take(usize::try_from(per_page).unwrap()).cloned().collect();
            let numbered = query.paginate(per_page).await.unwrap();
            assert_eq!(numbered.total, u64::try_from(all.len()).unwrap());
            assert!(
                numbered.data == expected,
                "page {page}: {:?} instead of {:?}",
                ids(&numbered.data),
                ids(&expected)
            );
        }
    };
    folio.scope(check).await;
}
