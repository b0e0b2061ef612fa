//! Pages far from the beginning, which are found by their keys first: the rows are those of plain OFFSET.

use folio::{ExprTrait as _, Paginate};

use crate::server::TEXT;
use crate::suite::db;

#[derive(Debug, Clone, PartialEq, sqlx::FromRow, Paginate)]
#[paginate(table = "deep", primary_key = "tenant, number")]
struct Deep {
    tenant: i64,
    number: i64,
    grade: Option<i32>,
    body: String,
}

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
        let rows: Vec<String> = (0..500).map(row).collect();
        db::run(&pool, format!("INSERT INTO deep (tenant, number, grade, body) VALUES {}", rows.join(", "))).await;
    }
    let check = async {
        for (page, per_page) in [(1, 7), (3, 99), (28, 7), (29, 7), (72, 7), (73, 7), (100, 7), (200, 7), (4, 333)] {
            let offset = (page - 1) * per_page;
            let sql = format!(
                "SELECT tenant, number, grade, body FROM deep WHERE (tenant = 1 OR tenant > 1) AND body LIKE 'row%' \
                 ORDER BY grade DESC, body ASC, tenant ASC, number ASC LIMIT {per_page} OFFSET {offset}"
            );
            let expected: Vec<Deep> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&pool).await.unwrap();
            let query = || {
                Deep::query()
                    .filter(Deep::TENANT.eq(1).or(Deep::TENANT.gt(1)))
                    .filter(Deep::BODY.like("row%"))
                    .order_by_desc(Deep::GRADE)
                    .order_by_asc(Deep::BODY)
                    .page(page)
            };
            let numbered = query().paginate(per_page).await.unwrap();
            assert_eq!((numbered.total, &numbered.data), (1500, &expected), "page {page} of {per_page}");
            let simple = query().simple_paginate(per_page).await.unwrap();
            assert_eq!(
                (simple.has_more, &simple.data),
                (page * per_page < 1500, &expected),
                "page {page} of {per_page}"
            );
        }
    };
    folio.scope(check).await;
}
