//! Totals that are known or estimated instead of counted. Whatever they are, no row is omitted.

use folio::{Column, Paginate, Pagination, Select, Total, sea_query::Query};
use folio_tests::recorder::{after_statement, record_statements};
use sea_query::{BinOper, Expr};
use sqlx::Connection as _;

use crate::server::ID;
use crate::suite::db::{self, Pool};

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "reckoned")]
#[expect(dead_code, reason = "`half` is only filtered by")]
struct Reckoned {
    id: i64,
    half: i64,
}

/// A separate table, so that the recorder can tell its statements from those of other tests.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "known")]
#[expect(dead_code, reason = "only how many there are matters here")]
struct Known {
    id: i64,
}

const ROWS: u64 = 5_000;

async fn fill(pool: &Pool) {
    for part in 0..5 {
        let rows: Vec<String> = (part * 1_000..(part + 1) * 1_000).map(|id| format!("({id}, {})", id % 2)).collect();
        db::run(pool, format!("INSERT INTO reckoned VALUES {}", rows.join(", "))).await;
    }
}

fn schema() -> String {
    format!("CREATE TABLE reckoned (id {ID}, half BIGINT NOT NULL)")
}

#[tokio::test]
async fn a_known_total_is_not_counted() {
    record_statements();
    let rows: Vec<String> = (0..30).map(|id| format!("({id})")).collect();
    let schema = format!("CREATE TABLE known (id {ID}); INSERT INTO known VALUES {}", rows.join(", "));
    let (folio, _pool) = db::folio(&schema).await;
    let check = async {
        db::selects("known");
        let page = Known::query().with_total(7).page(2).paginate(5).await.unwrap();
        assert_eq!((page.total, page.last_page, page.data.len(), page.to), (7, 2, 5, Some(10)));
        let select: Select<(i64,)> = Query::select().column("id").from("known").take().into();
        for total in [7, 10] {
            let past = Pagination::length_aware(select.clone().with_total(total), 5, 3).await.unwrap();
            assert_eq!((past.total, past.data.len()), (total, 0));
        }
        let run = db::selects("known");
        assert_eq!(run.len(), 1, "the rows of one page: {run:#?}");
        assert!(!run[0].contains("COUNT"), "{run:#?}");
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn an_estimated_total_omits_no_row() {
    let (folio, pool) = db::folio(&schema()).await;
    fill(&pool).await;
    db::run(&pool, crate::server::ANALYZE.replace("{}", "reckoned")).await;
    let check = async {
        let page = async |number| Reckoned::query().estimated_total().page(number).paginate(1_000).await.unwrap();
        // The statistics of so small a table are nearly exact.
        let first = page(1).await;
        assert!((ROWS / 2..=ROWS * 2).contains(&first.total), "{}", first.total);
        let filtered =
            Reckoned::query().filter(Reckoned::ID.lt(100)).estimated_total().page(1).paginate(15).await.unwrap();
        assert!(filtered.total >= 15 && filtered.total < ROWS / 2, "{}", filtered.total);

        // Rows inserted since are not in the statistics, and are found.
        let more: Vec<String> = (ROWS..ROWS + 2_500).map(|id| format!("({id}, 0)")).collect();
        db::run(&pool, format!("INSERT INTO reckoned VALUES {}", more.join(", "))).await;
        let mut seen = Vec::new();
        for number in 1..=8 {
            let page = page(number).await;
            assert!(page.total >= page.to.unwrap(), "page {number}: {}", page.total);
            seen.extend(page.data.iter().map(|row| row.id));
        }
        assert_eq!(seen, (0..7_500).collect::<Vec<i64>>());
        // The last page has the exact total, and the page after it is empty.
        assert_eq!(page(8).await.total, 7_500);
        let past = page(12).await;
        assert_eq!((past.data.len(), past.from), (0, None));
        assert!(past.total <= 11_000, "{}", past.total);
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn an_empty_list_is_estimated_as_empty() {
    let (folio, pool) = db::folio(&schema()).await;
    fill(&pool).await;
    let none =
        async { Reckoned::query().filter(Reckoned::HALF.eq(9)).estimated_total().page(1).paginate(15).await.unwrap() };
    let page = folio.scope(none).await;
    assert_eq!((page.total, page.last_page, page.data.len()), (0, 0, 0));
}

/// A separate table, so that the recorder can tell its statements from those of other tests.
#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "tallied")]
#[expect(dead_code, reason = "`half` is only filtered by")]
struct Tallied {
    id: i64,
    half: i64,
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "ended")]
#[expect(dead_code, reason = "only how many there are matters here")]
struct Ended {
    id: i64,
    half: i64,
}

const TALLIED: u64 = 60;

/// A table of this name, with rows of two halves.
async fn halves(table: &str) -> (folio::Folio, Pool) {
    let rows: Vec<String> = (0..TALLIED).map(|id| format!("({id}, {})", id % 2)).collect();
    let rows = rows.join(", ");
    db::folio(&format!("CREATE TABLE {table} (id {ID}, half BIGINT NOT NULL); INSERT INTO {table} VALUES {rows}")).await
}

/// All pages of a list, their rows and totals, against the number of rows that there are.
#[tokio::test]
async fn a_count_ends_where_it_is_told_to() {
    let (folio, _pool) = halves("ended").await;
    let check = async {
        for half in [None, Some(0), Some(7)] {
            let rows = match half {
                None => TALLIED,
                Some(0) => TALLIED / 2,
                Some(_) => 0,
            };
            for limit in [0, 1, 7, 29, 30, 31, 59, 60, 61, u64::MAX] {
                for page in [1, 2, 4, 9, 10, 11, 10_001] {
                    let query = || Ended::query().filter_if(half.map(|half| Ended::HALF.eq(half))).page(page);
                    let here = rows.saturating_sub((page - 1) * 7).min(7);
                    let up_to = query().count_up_to(limit).paginate(7).await.unwrap();
                    let case = format!("{half:?}, {limit}, page {page}");
                    assert_eq!((up_to.total, up_to.data.len() as u64), (rows.min(limit), here), "{case}");
                    let select =
                        Query::select().column("id").from("ended").order_by("id", sea_query::Order::Asc).take();
                    let mut select = select;
                    select.and_where_option(half.map(|half| Ended::HALF.eq(half).into()));
                    let select = Select::<(i64,)>::from(select).count_up_to(limit).page(page);
                    let up_to = select.paginate(7).await.unwrap();
                    assert_eq!((up_to.total, up_to.data.len() as u64), (rows.min(limit), here), "{case}");
                    // What is below the limit is exact, whatever the database estimates.
                    let above = query().estimated_total_above(limit).paginate(7).await.unwrap();
                    assert_eq!(above.data.len() as u64, here, "{case}");
                    if rows <= limit {
                        assert_eq!(above.total, rows, "{case}");
                    } else {
                        assert!(above.total >= (page - 1) * 7 + here || here == 0, "{case}: {}", above.total);
                    }
                }
            }
        }
    };
    folio.scope(check).await;
}

#[tokio::test]
async fn a_cursor_page_has_a_total_if_it_is_counted() {
    record_statements();
    let (folio, _pool) = halves("tallied").await;
    let folio = folio.keyring(folio::Keyring::new(folio::Key::generate()));
    let check = async {
        db::selects("tallied");
        let plain = Tallied::query().cursor_paginate(7).await.unwrap();
        assert_eq!(plain.total, None);
        assert!(serde_json::to_value(plain.map(|row| row.id)).unwrap().get("total").is_none());
        assert_eq!(db::selects("tallied").len(), 1, "nothing is counted");

        let mut cursor: Option<String> = None;
        let half = || Tallied::query().filter(Tallied::HALF.eq(1));
        for _ in 0..3 {
            let page = half().counted().cursor(cursor.as_deref()).cursor_paginate(7).await.unwrap();
            assert_eq!(page.total, Some(Total::Exact(TALLIED / 2)), "on every page of the list");
            cursor = page.next_cursor;
        }
        let totals = [
            (half().count_up_to(10).counted(), Total::AtLeast(10)),
            (half().count_up_to(30).counted(), Total::AtLeast(30)),
            (half().count_up_to(31).counted(), Total::Exact(30)),
            (half().with_total(5).counted(), Total::Exact(5)),
            (half().estimated_total_above(30).counted(), Total::Exact(30)),
            (half().filter(Tallied::ID.lt(0)).counted(), Total::Exact(0)),
        ];
        for (query, total) in totals {
            let page = query.cursor_paginate(7).await.unwrap();
            assert_eq!(page.total, Some(total));
            let page = page.map(|row| row.id);
            assert_eq!(serde_json::to_value(&page).unwrap()["total"], total.rows());
        }
        let estimated = half().estimated_total().counted().cursor_paginate(7).await.unwrap().total.unwrap();
        assert_eq!(estimated.is_exact(), estimated == Total::Exact(TALLIED / 2), "{estimated:?}");
        let select = Select::<(i64,)>::from(Query::select().column("id").from("tallied").take());
        let select = select.order_by(Tallied::ID);
        assert_eq!(select.clone().counted().cursor_paginate(7).await.unwrap().total, Some(Total::Exact(TALLIED)));
        assert_eq!(select.count_up_to(20).counted().cursor_paginate(7).await.unwrap().total, Some(Total::AtLeast(20)));
    };
    folio.scope(check).await;
}

#[derive(Debug, sqlx::FromRow, Paginate)]
#[paginate(table = "growing")]
#[expect(dead_code, reason = "only how many there are matters here")]
struct Growing {
    id: i64,
}

/// A page past the end has no rows, and a total that has none for it, even if rows are added before they are counted.
#[tokio::test]
async fn a_page_past_the_end_agrees_with_its_total() {
    record_statements();
    let (folio, pool, _kept) =
        db::lasting(&format!("CREATE TABLE growing (id {ID}); INSERT INTO growing VALUES (1), (2), (3)"), 2).await;
    let options = pool.connect_options();
    after_statement(&["folio_total", "growing"], move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut other =
                <crate::server::Driver as sqlx::Database>::Connection::connect_with(&options).await.unwrap();
            sqlx::raw_sql("INSERT INTO growing VALUES (4), (5), (6), (7), (8), (9)").execute(&mut other).await.unwrap();
        });
    });
    let check = async {
        let page = async || Growing::query().page(3).paginate(2).await.unwrap();
        let past = page().await;
        assert_eq!((past.data.len(), past.total, past.last_page), (0, 4, 2));
        let there = page().await;
        assert_eq!((there.data.len(), there.total), (2, 9));
    };
    folio.scope(check).await;
}

/// GROUP BY, DISTINCT and UNION, in an order that folio was given: the total is that of the plain statement.
#[tokio::test]
async fn the_total_of_a_computed_list_counts_its_rows() {
    record_statements();
    let (folio, _pool) = halves("halved").await;
    let rows = || Query::select().column("half").from("halved").take();
    let grouped = rows().expr_as(Expr::cust("COUNT(*)"), "n").group_by_col("half").take();
    let distinct = rows().distinct().take();
    let union = rows().distinct().union(sea_query::UnionType::All, rows().distinct().take()).take();
    let check = async {
        db::selects("halved");
        for (select, count, statements) in [(grouped, 2, 1), (distinct, 2, 1), (union, 4, 2)] {
            let sorted =
                |page| Select::<(i64,)>::from(select.clone()).order_by(Column::<i64>::new("half").desc()).page(page);
            for page in 1..=count {
                let page = sorted(page).paginate(1).await.unwrap();
                assert_eq!((page.total, page.data.len()), (count, 1));
                let run = db::selects("halved");
                assert_eq!(run.len(), statements, "{run:#?}");
            }
            let past = sorted(count + 1).paginate(1).await.unwrap();
            assert_eq!((past.total, past.data.len()), (count, 0));
            db::selects("halved");
        }
    };
    folio.scope(check).await;
}

/// The count is selected as `folio_total`. A column of that name would be read from it.
#[tokio::test]
async fn a_column_named_like_the_total_is_refused() {
    let (folio, _pool) = halves("totalled").await;
    let check = async {
        let rows = Query::select().expr_as(Expr::col("id"), "folio_total").from("totalled").take();
        let error = Select::<(i64,)>::from(rows).paginate(5).await.unwrap_err();
        assert!(error.to_string().contains("give yours another one"), "{error}");
    };
    folio.scope(check).await;
}

/// A grouped list is counted whole, so its total is exact, wherever an estimate would begin.
#[tokio::test]
async fn a_count_that_is_complete_is_not_estimated() {
    record_statements();
    let (folio, _pool) = halves("complete").await;
    let check = async {
        db::selects("complete");
        let select = Query::select().column("id").from("complete").group_by_col("id").take();
        let list = Select::<(i64,)>::from(select).order_by(Column::<i64>::new("id"));
        assert_eq!(list.estimated_total_above(10).paginate(7).await.unwrap().total, TALLIED);
        let run = db::selects("complete");
        assert_eq!(run.len(), 1, "{run:#?}");
    };
    folio.scope(check).await;
}

/// SQLite reads an unknown name in double quotes as a string, so a count needs the aliases of its page.
#[tokio::test]
async fn a_condition_on_an_alias_counts_the_rows_of_the_page() {
    let (folio, _pool) = halves("aliased").await;
    let check = async {
        let select = Query::select()
            .expr_as(Expr::col("id"), "number")
            .from("aliased")
            .and_where(Expr::Binary(Box::new(Expr::col("number")), BinOper::SmallerThan, Box::new(Expr::val(5))))
            .order_by("number", sea_query::Order::Asc)
            .take();
        // PostgreSQL and MySQL refuse an alias in a condition.
        if let Ok(page) = Select::<(i64,)>::from(select).paginate(3).await {
            assert_eq!((page.total, page.data.len()), (5, 3));
        }
    };
    folio.scope(check).await;
}
