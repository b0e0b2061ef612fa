//! Pages by offset from a real table, word for word.

use folio::Paginate;
use folio_tests::cases::{assert_json, read};
use folio_tests::sqlite as db;
use serde_json::Value;
use sqlx::SqlitePool;

#[derive(serde::Deserialize)]
struct Case {
    table_rows: u64,
    op: String,
    per_page: u64,
    page: u64,
    expected: Value,
}

#[derive(serde::Serialize, sqlx::FromRow, Paginate)]
#[paginate(table = "t")]
struct Row {
    id: i64,
}

async fn fill(pool: &SqlitePool, rows: u64) {
    sqlx::query("DELETE FROM t").execute(pool).await.unwrap();
    let sql =
        "WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n LIMIT ?) INSERT INTO t SELECT id FROM n";
    sqlx::query(sql).bind(i64::try_from(rows).unwrap()).execute(pool).await.unwrap();
}

#[tokio::test]
async fn every_page_matches_the_reference() {
    let (folio, pool) = db::folio("CREATE TABLE t (id INTEGER PRIMARY KEY)").await;
    let cases: Vec<Case> = read("offset_db");
    let mut checked = 0;
    let check = async {
        for Case { table_rows, op, per_page, page, expected } in cases {
            fill(&pool, table_rows).await;
            let case = format!("{op}({per_page}) of page {page} of {table_rows} rows");
            let request = folio::ActiveRequest::new(&format!("/t?page={page}"));
            match op.as_str() {
                "paginate" => assert_json(
                    &request.scope(Row::paginate(per_page)).await.unwrap().with_path("/t"),
                    &expected,
                    &case,
                ),
                "simple_paginate" => {
                    let page = request.scope(Row::simple_paginate(per_page)).await.unwrap();
                    assert_json(&page.with_path("/t"), &expected, &case);
                }
                other => panic!("an operation of another name: {other}"),
            }
            checked += 1;
        }
    };
    folio.scope(check).await;
    assert_eq!(checked, 48);
}
