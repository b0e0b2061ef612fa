//! Deep pages: their keys are found first, from the end of the list if that is nearer. They have the same rows as with
//! plain OFFSET.

use folio::{Paginate, Select, sea_query::Query};
use folio_tests::recorder::{after_statement, record_statements};
use sqlx::{Connection as _, Database};

use crate::server::{Driver, ID, TEXT};
use crate::suite::db;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "deep", primary_key = "tenant, number")]
struct Deep {
    tenant: i64,
    number: i64,
    grade: Option<i32>,
    body: String,
}

/// How many rows each of four tenants has.
const ROWS: i64 = 6_000;

#[tokio::test]
async fn deep_pages_are_those_of_plain_offset() {
    let schema = format!(
        "CREATE TABLE deep (tenant BIGINT NOT NULL, number BIGINT NOT NULL, grade INTEGER, body {TEXT} NOT NULL, \
         PRIMARY KEY (tenant, number))"
    );
    let (folio, pool) = db::folio(&schema).await;
    for tenant in 0..4 {
        let row = |number: i64| {
            let grade = if number % 4 == 0 { "NULL".to_owned() } else { (number % 5).to_string() };
            format!("({tenant}, {number}, {grade}, 'row {number}')")
        };
        for first in (0..ROWS).step_by(500) {
            let rows: Vec<String> = (first..first + 500).map(row).collect();
            db::run(&pool, format!("INSERT INTO deep (tenant, number, grade, body) VALUES {}", rows.join(", "))).await;
        }
    }
    let total = 3 * ROWS.unsigned_abs();
    let check = async {
        let near = [(1, 7), (3, 99), (28, 7), (29, 7), (72, 7), (73, 7), (100, 7), (200, 7), (4, 333)];
        // From row 10,000 of 18,000 on, the end is nearer. The last page has three rows.
        let far = [(1_429, 7), (1_430, 7), (2_530, 7), (2_571, 7), (2_572, 7), (2_573, 7), (2, 12_000), (4, 5_000)];
        for (page, per_page) in near.into_iter().chain(far) {
            for back in ["ASC", "DESC"] {
                let offset = (page - 1) * per_page;
                let sql = format!(
                    "SELECT tenant, number, grade, body FROM deep WHERE (tenant = 1 OR tenant > 1) AND body LIKE 'row%' \
                     ORDER BY grade DESC, body {back}, tenant {back}, number {back} LIMIT {per_page} OFFSET {offset}"
                );
                let expected: Vec<Deep> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&pool).await.unwrap();
                let query = || {
                    let query = Deep::query()
                        .filter(Deep::TENANT.eq(1).or(Deep::TENANT.gt(1)))
                        .filter(Deep::BODY.like("row%"))
                        .order_by_desc(Deep::GRADE)
                        .page(page);
                    if back == "ASC" { query.order_by_asc(Deep::BODY) } else { query.order_by_desc(Deep::BODY) }
                };
                let numbered = query().paginate(per_page).await.unwrap();
                assert_eq!((numbered.total, &numbered.data), (total, &expected), "page {page} of {per_page}");
                let simple = query().simple_paginate(per_page).await.unwrap();
                let has_more = page * per_page < total;
                assert_eq!((simple.has_more, &simple.data), (has_more, &expected), "page {page} of {per_page}");
            }
        }
    };
    folio.scope(check).await;
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "late")]
struct Late {
    id: i64,
}

/// Rows added after the count do not move a page that is read from the end.
#[tokio::test]
async fn a_page_is_read_as_it_was_counted() {
    record_statements();
    let (folio, pool, _kept) = db::lasting(&format!("CREATE TABLE late (id {ID})"), 2).await;
    let insert = |ids: std::ops::Range<i64>| {
        let rows: Vec<String> = ids.map(|id| format!("({id})")).collect();
        format!("INSERT INTO late VALUES {}", rows.join(", "))
    };
    for first in (0..25_000).step_by(5_000) {
        db::run(&pool, insert(first..first + 5_000)).await;
    }
    let (options, sql) = (pool.connect_options(), insert(25_000..25_100));
    after_statement(&["COUNT(*)", "late"], move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut other = <Driver as Database>::Connection::connect_with(&options).await.unwrap();
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut other).await.unwrap();
        });
    });
    let check = async {
        let far = || Late::query().page(2_400).paginate(10);
        let ids = |page: folio::LengthAwarePaginator<Late>| page.data.into_iter().map(|row| row.id).collect::<Vec<_>>();
        let page = far().await.unwrap();
        assert_eq!(page.total, 25_000);
        assert_eq!(ids(page), (23_990..24_000).collect::<Vec<_>>());
        let page = far().await.unwrap();
        assert_eq!(page.total, 25_100, "the rows are there by now");
        assert_eq!(ids(page), (23_990..24_000).collect::<Vec<_>>());
    };
    folio.scope(check).await;
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "far")]
struct Far {
    id: i64,
}

/// A page near the end is read from there, and one past the end costs a count.
#[tokio::test]
async fn a_far_page_reads_no_more_than_it_has_to() {
    record_statements();
    let (folio, pool) = db::folio(&format!("CREATE TABLE far (id {ID})")).await;
    for first in (0..12_000).step_by(4_000) {
        let rows: Vec<String> = (first..first + 4_000).map(|id| format!("({id})")).collect();
        db::run(&pool, format!("INSERT INTO far VALUES {}", rows.join(", "))).await;
    }
    let check = async {
        // Whether each statement counts, and whether it reads backwards.
        let run = || -> Vec<_> {
            db::selects("far").iter().map(|sql| (sql.contains("COUNT(*)"), sql.contains("DESC"))).collect()
        };
        let (count, forwards, backwards) = ((true, false), (false, false), (false, true));
        run();
        for (page, statements) in [
            (1_100, vec![count, backwards]),
            (1_200, vec![count, backwards]),
            (1_201, vec![count]),
            (1_210, vec![count]),
        ] {
            let page = Far::query().page(page).paginate(10).await.unwrap();
            assert_eq!((run(), page.total), (statements, 12_000), "page {}", page.current_page);
            let first = page.from.map(|from| i64::try_from(from).unwrap() - 1);
            assert_eq!(page.data.first().map(|row| row.id), first);
        }

        let select = || Select::<Far>::from(Query::select().column("id").from("far").take()).order_by(Far::ID);
        for (page, statements) in [(1_200, vec![count, forwards]), (1_201, vec![count])] {
            select().page(page).paginate(10).await.unwrap();
            assert_eq!(run(), statements, "page {page} of a select");
        }

        // A count that stopped does not decide which pages exist.
        for (up_to, statements) in [(12_000, vec![count, forwards]), (12_001, vec![count])] {
            let past = Far::query().count_up_to(up_to).page(1_201).paginate(10).await.unwrap();
            assert_eq!((run(), past.data.len()), (statements, 0), "a count up to {up_to}");
        }
    };
    folio.scope(check).await;
}
